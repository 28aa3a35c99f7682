package check

import (
	"context"
	"errors"
	"net"
	"strings"

	"anyurl/dial"
	"anyurl/percent"
)

// mail gives the verdict on a mailto URL: whether the domains of its addresses
// take mail. Nobody is written to, and so nothing is said of the part before
// the "@".
func (r *run) mail(ctx context.Context, t *target) verdict {
	v := verdict{Result: Result{State: Alive}}
	asked := map[string]bool{}
	for address := range strings.SplitSeq(t.url.Path(), ",") { // RFC 6068: "to" has its commas encoded within an address
		address = strings.TrimSpace(percent.Decode(address))
		at := strings.LastIndexByte(address, '@')
		if address == "" {
			continue
		}
		domain := strings.ToLower(strings.TrimSuffix(address[at+1:], "."))
		if at <= 0 || domain == "" || strings.ContainsAny(domain, " \t\r\n<>") {
			v.State, v.Reason, v.From = Broken, "no mail address", "rule"
			return v
		}
		if asked[domain] || strings.HasPrefix(domain, "[") {
			continue
		}
		asked[domain] = true
		hosts, err := r.checker.Mail(ctx, domain)
		if err == nil {
			t.evidence = append(t.evidence, "MX "+domain+": "+strings.Join(hosts, ", "))
			continue
		}
		t.evidence = append(t.evidence, "MX "+domain+": "+err.Error())
		v.State, v.Reason = Broken, domain+" takes no mail: there is no such domain"
		d, isDNS := errors.AsType[*net.DNSError](err)
		switch {
		case errors.Is(err, dial.ErrNoMail):
			v.Reason = dial.ErrNoMail.Error()
		case isDNS && d.IsNotFound, errors.Is(err, dial.ErrNoAddress):
			v.passing, v.nameless, v.atLeast = true, true, 1
		default:
			v.State, v.passing, v.Reason = Unsure, true, "the resolver does not tell whether "+domain+" takes mail"
		}
		return v
	}
	return v
}
