package cli

import (
	"encoding/json"
	"strings"

	"anyurl/rfc1630"
	"anyurl/rfc1738"
	"anyurl/rfc3986"
)

// by3986 reads by RFC 3986, or by RFC 3987 where parse and reference are those
// of IRIs. What has a base may be a reference to it, read by resolve
// (section 5.2).
func by3986(as string, parse, reference func(string) (rfc3986.URI, error), resolve func(base, ref rfc3986.URI) (rfc3986.URI, error)) func(asked) answer {
	return func(a asked) answer {
		if !a.hasBase {
			u, err := parse(a.url)
			if err != nil {
				return refused(a, as, err)
			}
			return strictAnswer(a, as, u)
		}
		base, err := parse(a.base)
		if err != nil {
			return refused(a, as, &baseError{err})
		}
		ref, err := reference(a.url)
		if err != nil {
			return refused(a, as, err)
		}
		u, err := resolve(base, ref)
		if err != nil {
			return refused(a, as, err)
		}
		return strictAnswer(a, as, u)
	}
}

// strictAnswer tells the parts of u in its own text; nothing is rewritten.
func strictAnswer(a asked, as string, u rfc3986.URI) answer {
	p := &parts{
		Href:     u.String(),
		Scheme:   ptr(u.Scheme()),
		HostType: u.HostKind().String(),
		Path:     u.Path(),
	}
	if u.HasAuthority() {
		p.Host = ptr(u.Host())
	}
	if u.HasUserinfo() {
		username, password, has := strings.Cut(u.Userinfo(), ":")
		p.Username = &username
		if has {
			p.Password = &password
		}
	}
	p.Port = portNumber(u.Port())
	if u.HasQuery() {
		p.Query = ptr(u.Query())
	}
	if u.HasFragment() {
		p.Fragment = ptr(u.Fragment())
	}
	return answer{Input: a.url, Base: a.base, As: as, OK: true, parts: p}
}

// by1738 reads by RFC 1738, which has no relative form.
func by1738(a asked) answer {
	u, err := rfc1738.Parse(a.url)
	if a.hasBase {
		base, baseErr := rfc1738.Parse(a.base)
		if baseErr != nil {
			return refused(a, "rfc1738", &baseError{baseErr})
		}
		u, err = rfc1738.Resolve(base, a.url)
	}
	if err != nil {
		return refused(a, "rfc1738", err)
	}
	p := &parts{Href: u.String(), Scheme: ptr(u.Scheme()), HostType: "none", Path: u.GenericPath(), Port: portNumber(u.Port())}
	if u.HasAuthority() {
		p.Host = ptr(u.Host())
		p.HostType = oldHostType(u.HostKind().String())
	}
	if u.HasUserinfo() {
		p.Username = ptr(u.Text(rfc1738.User))
	}
	if u.Has(rfc1738.Password) {
		p.Password = ptr(u.Text(rfc1738.Password))
	}
	if u.HasQuery() && u.Production() != rfc1738.GopherURL {
		p.Query = ptr(u.Query())
	}
	reading := map[string]string{"production": u.Production().String()}
	for part, text := range u.Parts() {
		switch part {
		case rfc1738.Scheme, rfc1738.User, rfc1738.Password, rfc1738.Port:
			continue
		case rfc1738.Host:
			if u.HasAuthority() {
				continue
			}
		}
		reading[part.String()] = text
	}
	p.Reading = reading
	return answer{Input: a.url, Base: a.base, As: "rfc1738", OK: true, parts: p}
}

// by1630 reads by RFC 1630; what has a base may be a partial form.
func by1630(a asked) answer {
	u, err := rfc1630.Parse(a.url)
	if a.hasBase {
		base, baseErr := rfc1630.Parse(a.base)
		if baseErr != nil {
			return refused(a, "rfc1630", &baseError{baseErr})
		}
		u, err = rfc1630.Resolve(base, a.url)
	}
	if err != nil {
		return refused(a, "rfc1630", err)
	}
	p := &parts{Href: u.String(), Scheme: ptr(u.Scheme()), HostType: "none", Path: u.GenericPath(), Port: portNumber(u.Port())}
	if u.HasAuthority() {
		p.Host = ptr(u.Host())
		p.HostType = oldHostType(u.HostKind().String())
	}
	if u.HasUserinfo() {
		p.Username = ptr(u.Text(rfc1630.User))
	}
	if u.Has(rfc1630.Password) {
		p.Password = ptr(u.Text(rfc1630.Password))
	}
	if u.HasQuery() {
		p.Query = ptr(u.Query())
	}
	if u.HasFragment() {
		p.Fragment = ptr(u.Fragment())
	}
	reading := map[string]string{"production": u.Production().String()}
	for part, text := range u.Parts() {
		switch part {
		case rfc1630.Scheme, rfc1630.User, rfc1630.Password, rfc1630.Port, rfc1630.FragmentID:
			continue
		case rfc1630.Host:
			if u.HasAuthority() {
				continue
			}
		}
		reading[part.String()] = text
	}
	p.Reading = reading
	return answer{Input: a.url, Base: a.base, As: "rfc1630", OK: true, parts: p}
}

// oldHostType is hostType for the two kinds of host of RFC 1630 and RFC 1738.
func oldHostType(kind string) string {
	switch kind {
	case "hostname":
		return "domain"
	case "hostnumber":
		return "ipv4"
	}
	return kind
}

// portNumber is a port's digits as a number; the RFCs set no upper bound, and
// no digits are no port.
func portNumber(digits string) *json.Number {
	if digits == "" {
		return nil
	}
	n := strings.TrimLeft(digits, "0")
	return ptr(json.Number(orElse(n, "0")))
}
