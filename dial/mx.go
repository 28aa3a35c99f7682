package dial

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
)

// ErrNoMail says that a domain wants no mail: its one MX record names no host
// (RFC 7505).
var ErrNoMail = errors.New("the domain takes no mail (null MX, RFC 7505)")

// MX gives the hosts that take a domain's mail, the preferred ones first: those
// of its MX records, or the domain itself where it has none but an address
// (RFC 5321, section 5.1). The Resolver is asked where it has net.Resolver's
// LookupMX, and the system's otherwise. Errors are an *[Error], or [ErrNoMail].
func (d *Dialer) MX(ctx context.Context, domain string) ([]string, error) {
	var r interface {
		LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	} = net.DefaultResolver
	if own, ok := d.Resolver.(interface {
		LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	}); ok {
		r = own
	}
	found, err := r.LookupMX(ctx, domain+".") // nothing is searched for: the domain is whole
	if missing, ok := errors.AsType[*net.DNSError](err); err != nil && !(ok && missing.IsNotFound) {
		return nil, &Error{Step: Resolving, Host: domain, Err: err}
	}
	if len(found) == 1 && strings.TrimSuffix(found[0].Host, ".") == "" {
		return nil, ErrNoMail
	}
	var hosts []string
	slices.SortStableFunc(found, func(a, b *net.MX) int { return int(a.Pref) - int(b.Pref) })
	for _, mx := range found {
		if host := strings.TrimSuffix(mx.Host, "."); host != "" {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) > 0 {
		return hosts, nil
	}
	if _, err := d.resolve(ctx, "tcp", domain); err != nil {
		return nil, &Error{Step: Resolving, Host: domain, Err: err}
	}
	return []string{domain}, nil
}
