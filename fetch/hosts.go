package fetch

import (
	"context"
	"net/netip"
	"strconv"
	"strings"

	"anyurl"
)

// Hosts are hosts as people write them into no_proxy. The zero value has none.
type Hosts struct {
	all   bool
	rules []hostRule
}

type hostRule struct {
	nets netip.Prefix // valid for addresses
	name string       // in lower case, without dots around it
	port uint16       // 0 for any
}

// ParseHosts reads a no_proxy list as curl does: entries with commas or white
// space between; a name stands for itself and all below it, with or without a
// dot before it; an address for itself, a CIDR block for all addresses in it,
// but not for names that lead there; "*" for every host. ":PORT" behind a name
// or an address, with brackets around one of IPv6, narrows it to that port. An
// entry that is none of these names nobody.
func ParseHosts(list string) (h Hosts) {
	for _, entry := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' }) {
		if entry == "*" {
			h.all = true
			continue
		}
		var r hostRule
		if p, err := netip.ParsePrefix(entry); err == nil {
			// 10.1.2.3/8 says what 10.0.0.0/8 does.
			r.nets = netip.PrefixFrom(p.Addr().Unmap(), unmapped(p)).Masked()
			h.rules = append(h.rules, r)
			continue
		}
		host, port := entry, ""
		if i := strings.LastIndexByte(entry, ':'); i >= 0 && (strings.Count(entry, ":") == 1 || strings.HasSuffix(entry[:i], "]")) {
			host, port = entry[:i], entry[i+1:]
		}
		if port != "" {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || n == 0 {
				continue
			}
			r.port = uint16(n)
		}
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		if a, err := netip.ParseAddr(host); err == nil && a.Zone() == "" {
			a = a.Unmap()
			r.nets = netip.PrefixFrom(a, a.BitLen())
		} else if r.name = strings.ToLower(strings.Trim(strings.TrimPrefix(host, "*"), ".")); r.name == "" {
			continue
		}
		h.rules = append(h.rules, r)
	}
	return h
}

// unmapped is the length of a prefix when an IPv4 address in IPv6 is taken for
// what it is.
func unmapped(p netip.Prefix) int {
	if p.Addr().Is4In6() {
		return max(0, p.Bits()-96)
	}
	return p.Bits()
}

// Has reports whether a host is one of them: a name or an address without
// brackets, and a port.
func (h Hosts) Has(host string, port uint16) bool {
	if h.all {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	addr, err := netip.ParseAddr(host)
	addr = addr.Unmap()
	for _, r := range h.rules {
		switch {
		case r.port != 0 && r.port != port:
		case r.nets.IsValid():
			if err == nil && r.nets.Contains(addr) {
				return true
			}
		case err != nil && (host == r.name || strings.HasSuffix(host, "."+r.name)):
			return true
		}
	}
	return false
}

// A ByHost asks one transport for some hosts and another for all others.
type ByHost struct {
	Hosts Hosts
	For   Transport // for them
	Else  Transport
}

// Fetch asks the one or the other.
func (t *ByHost) Fetch(ctx context.Context, req *Request) (*Response, error) {
	host, port, err := Target(req.URL)
	if err != nil {
		return nil, Fail(Reading, err)
	}
	if t.Hosts.Has(host, port) {
		return t.For.Fetch(ctx, req)
	}
	return t.Else.Fetch(ctx, req)
}

// Close lets go of the connections that both keep.
func (t *ByHost) Close() error {
	return (&Client{Transports: map[string]Transport{"for": t.For, "else": t.Else}}).Close()
}

// Target is the host that a URL names, as a resolver would be asked for it, and
// its port, by the URL or else by its scheme. Whoever hands a URL on in whole
// asks about it first: a gateway or a proxy decodes what a scheme leaves encoded,
// and takes 0x7f.1 for an address. Without a host it is "", and without any port
// 0. The error is a *[anyurl/rule.Error].
func Target(u anyurl.URL) (host string, port uint16, err error) {
	if port = u.EffectivePort(); port == 0 && len(ownPorts[u.Scheme()]) > 0 {
		port = ownPorts[u.Scheme()][0]
	}
	h := u.Host()
	if h.Kind() == anyurl.HostOpaque {
		if h, err = anyurl.ParseHost(h.String(), true); err != nil {
			return "", 0, err
		}
	}
	return h.Unbracketed(), port, nil
}
