package cli

import (
	"encoding/json"
	"strings"

	"anyurl/rfc3986"
)

// by3986 reads by RFC 3986, or by RFC 3987 where parse and reference are those
// of IRIs. What has a base may be a reference to it (section 5.2).
func by3986(as string, parse, reference func(string) (rfc3986.URI, error)) func(asked) answer {
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
		u, err := rfc3986.Resolve(base, ref)
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

// portNumber is a port's digits as a number; the RFCs set no upper bound, and
// no digits are no port.
func portNumber(digits string) *json.Number {
	if digits == "" {
		return nil
	}
	n := strings.TrimLeft(digits, "0")
	return ptr(json.Number(orElse(n, "0")))
}
