package audit

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rfc3986"
	"anyurl/rule"
)

// compare reads the input by RFC 3986 as well and reports where the two
// standards part.
func (p *pass) compare() {
	var uri rfc3986.URI
	var err error
	if p.ref {
		uri, err = rfc3986.ParseReference(p.in)
	} else {
		uri, err = rfc3986.Parse(p.in)
	}
	switch {
	case err != nil && p.fault == nil:
		at := 0
		var e *rule.Error
		if f := p.add(notRFC3986, 0, 0); f != nil {
			if errors.As(err, &e) {
				at = min(max(e.Offset, 0), len(p.in))
				f.Says = "RFC 3986 does not take it: " + e.Rule.Says
				f.Cite = e.Rule.Cite
			}
			f.Start, f.End = at, min(at+1, len(p.in))
		}
	case err == nil && p.fault != nil:
		at := min(max(p.fault.Offset, 0), len(p.in))
		if f := p.add(notWHATWG, at, min(at+1, len(p.in))); f != nil && p.fault.Rule.Says != "" {
			f.Says = "the URL Standard does not take it: " + p.fault.Rule.Says
			f.Cite = p.fault.Rule.Cite
		}
	case err == nil:
		theirs := uri.Host()
		if p.ref && !uri.IsAbsolute() && !uri.HasAuthority() {
			theirs = p.base.Host().String()
		}
		if p.url.Scheme() == "file" && plainHost(theirs) == "localhost" {
			theirs = "" // the same machine: RFC 8089, section 2
		}
		if ours := p.url.Host().String(); ours != theirs && plainHost(ours) != plainHost(theirs) {
			at := p.host
			if !at.ok {
				at = part{p.lo, p.hi, true}
			}
			p.say(hostDiffers, at.start, at.end,
				"the URL Standard reads "+hostSays(ours)+", RFC 3986 "+hostSays(theirs))
		}
	}
}

func hostSays(host string) string {
	if host == "" {
		return "no host"
	}
	return "the host " + shown(host)
}

// unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"     RFC 3986, section 2.3
var unreserved = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~"))

// plainHost makes hosts comparable that no reader tells apart: lower case, with
// escapes of unreserved characters undone and an IPv6 address in its short form.
func plainHost(host string) string {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		if a, err := netip.ParseAddr(host[1 : len(host)-1]); err == nil {
			return a.String()
		}
	}
	out := make([]byte, 0, len(host))
	for i := 0; i < len(host); i++ {
		c := host[i]
		if c == '%' && i+2 < len(host) && isHex(host[i+1]) && isHex(host[i+2]) {
			if e := unhex(host[i+1])<<4 | unhex(host[i+2]); unreserved[e] {
				c = e
				i += 2
			}
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		out = append(out, c)
	}
	return string(out)
}

// reference reports on where a reference leads.
func (p *pass) reference() {
	if !p.ref {
		return
	}
	if !p.scheme.ok && p.authority.ok && p.slashCount >= 2 {
		p.add(schemeRelative, p.slashes.start, p.slashes.end)
		if p.special && p.name != "file" && p.slashCount > 2 {
			p.add(extraSlashes, p.slashes.start, p.slashes.end)
		}
	}
	host := p.url.Host()
	if host == p.base.Host() {
		return
	}
	if host.Kind() == anyurl.HostNone || host.Kind() == anyurl.HostEmpty {
		p.led(part{p.lo, p.hi, true})
		return
	}
	at := p.authority
	if !at.ok {
		at = part{p.lo, p.hi, true}
	}
	p.say(leavesSite, at.start, at.end, "the reference leads to the host "+shown(host.String())+", away from "+shown(p.base.Host().String()))
	p.led(at)
}

// led reports what forbids to open the place that a reference without a scheme
// leads to, away from its base: it is the base's scheme that decides there.
func (p *pass) led(at part) {
	if p.scheme.ok || p.fault != nil {
		return
	}
	for _, f := range InspectURL(p.url) {
		if f.Blocks {
			p.take(f, at)
		}
	}
}

// take adds a finding about what a reference leads to, for a stretch of it.
func (p *pass) take(f Finding, at part) {
	if !slices.ContainsFunc(p.found, func(old Finding) bool { return old.Code == f.Code }) {
		f.Start, f.End = at.start, at.end
		p.found = append(p.found, f)
	}
}

// refused says which part the URL Standard does not take.
func (p *pass) refused() {
	id, at := p.fault.Rule.ID, min(max(p.fault.Offset, 0), len(p.in))
	says := func(c code) {
		if f := p.add(c, at, min(at+1, len(p.in))); f != nil {
			f.Says, f.Cite = p.fault.Rule.Says, p.fault.Rule.Cite
			if p.fault.Rule.Fix != "" {
				f.Fix = p.fault.Rule.Fix
			}
		}
	}
	switch {
	case id == anyurl.TooLong.ID, id == anyurl.PunycodeTooLong.ID:
		says(tooLong)
	case strings.HasPrefix(id, "url/domain"), strings.HasPrefix(id, "url/host-invalid"),
		strings.HasPrefix(id, "url/ipv4"), strings.HasPrefix(id, "url/ipv6"):
		says(invalidHost)
	case id == anyurl.HostMissing.ID:
		says(emptyHost)
		p.bareIPv6()
	case strings.HasPrefix(id, "url/port"):
		says(invalidPort)
		p.bareIPv6()
	case id == anyurl.MissingSchemeNonRelativeURL.ID:
		says(missingScheme)
	}
}

// bareIPv6 reports on what is meant for an IPv6 address but not in brackets, so
// that its first colon starts a port.
func (p *pass) bareIPv6() {
	if !p.host.ok {
		return
	}
	s := p.in[p.host.start:p.authority.end]
	if !strings.HasPrefix(s, "[") || strings.ContainsAny(p.in[p.host.end:p.authority.end], "[]") {
		if strings.Contains(s, "::") || strings.Count(s, ":") > 2 || strings.ContainsAny(s, "[]") {
			p.say(invalidHost, p.host.start, p.authority.end, "an IPv6 address stands in \"[\" and \"]\"")
		}
	}
}
