package scheme

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
)

// A Part is a stretch of a URL as it is serialised, still encoded, that knows
// where it stands, so that whoever finds fault with it can say at which byte.
type Part struct {
	href       string
	start, end int
}

// All gives the whole URL.
func All(u anyurl.URL) Part { return Part{u.String(), 0, len(u.String())} }

// Scheme gives the URL's scheme.
func SchemeOf(u anyurl.URL) Part { return Part{u.String(), 0, len(u.Scheme())} }

// Rest gives what follows the colon of a URL without authority, or the
// authority: the path and, where there is one, "?" and the query. RFC 1738
// gives "?" no meaning in most schemes, so there it is part of the path.
func Rest(u anyurl.URL) Part {
	p := Path(u)
	if u.HasQuery() {
		p.end += 1 + len(u.Query())
	}
	return p
}

// Path gives the URL's path.
func Path(u anyurl.URL) Part {
	href := u.String()
	end := len(href)
	if u.HasFragment() {
		end -= 1 + len(u.Fragment())
	}
	if u.HasQuery() {
		end -= 1 + len(u.Query())
	}
	return Part{href, end - len(u.Path()), end}
}

// Query gives the URL's query, without the "?"; it is empty, and stands at the
// end of the path, where there is none.
func Query(u anyurl.URL) Part {
	p := Path(u)
	p.start = p.end
	if u.HasQuery() {
		p.start++
		p.end = p.start + len(u.Query())
	}
	return p
}

// HostPart gives the URL's host as it is serialised.
func HostPart(u anyurl.URL) Part {
	p := Path(u)
	start := p.start - len(u.HostPort())
	if !u.HasHost() {
		start = len(u.Scheme()) + 1
	}
	return Part{p.href, start, start + len(u.Host().String())}
}

// User gives the URL's user name.
func User(u anyurl.URL) Part {
	start := min(len(u.Scheme())+3, len(u.String()))
	return Part{u.String(), start, start + len(u.Username())}
}

// Password gives the URL's password.
func Password(u anyurl.URL) Part {
	p := User(u)
	p.start = p.end
	if u.Password() != "" {
		p.start++
		p.end = p.start + len(u.Password())
	}
	return p
}

// Raw is the stretch as it stands.
func (p Part) Raw() string { return p.href[p.start:p.end] }

// Len is the length of the stretch in bytes.
func (p Part) Len() int { return p.end - p.start }

// Text is the stretch with its escapes decoded, once.
func (p Part) Text() string { return percent.Decode(p.Raw()) }

// From is the stretch without its first n bytes.
func (p Part) From(n int) Part { return Part{p.href, p.start + n, p.end} }

// To is the first n bytes of the stretch.
func (p Part) To(n int) Part { return Part{p.href, p.start, p.start + n} }

// Cut divides the stretch at the first c that stands there unencoded. Without
// one, before is all of it and after is empty.
func (p Part) Cut(c byte) (before, after Part, found bool) {
	if i := strings.IndexByte(p.Raw(), c); i >= 0 {
		return p.To(i), p.From(i + 1), true
	}
	return p, p.From(p.Len()), false
}

// Split divides the stretch at every c that stands there unencoded. It gives
// at least one part, which may be empty.
func (p Part) Split(c byte) []Part {
	parts := make([]Part, 0, 1+strings.Count(p.Raw(), string(rune(c))))
	for {
		before, after, found := p.Cut(c)
		parts = append(parts, before)
		if !found {
			return parts
		}
		p = after
	}
}

// Find gives the place, in the stretch as it stands, of the first octet that
// is in set once it is decoded, and -1 when there is none.
func (p Part) Find(set *abnf.Set) int {
	raw := p.Raw()
	for i := 0; i < len(raw); i++ {
		if c, ok := percent.At(raw, i); ok {
			if set.Has(c) {
				return i
			}
			i += 2
		} else if set.Has(raw[i]) {
			return i
		}
	}
	return -1
}

// Error says that the rule is broken at the n-th byte of the stretch.
func (p Part) Error(n int, r rule.Rule) error {
	return &rule.Error{Input: p.href, Offset: p.start + n, Rule: r}
}

// Forbid gives an error for the rule at the first octet that is in set once it
// is decoded, and nil when there is none.
func (p Part) Forbid(set *abnf.Set, r rule.Rule) error {
	if i := p.Find(set); i >= 0 {
		return p.Error(i, r)
	}
	return nil
}

var (
	// LineEnds are the octets that end a line of some protocol, or the text
	// that carries it: CR, LF and NUL.
	LineEnds = abnf.Bytes("\r\n\x00")
	// Controls are the C0 controls and DEL.
	Controls = abnf.Range(0, 0x1f).Or(abnf.Bytes("\x7f"))
)

// Expect gives an error unless u has one of the schemes.
func Expect(u anyurl.URL, names ...string) error {
	if !u.IsZero() {
		for _, name := range names {
			if u.Scheme() == name {
				return nil
			}
		}
	}
	return All(u).Error(0, OtherScheme)
}

// Dialable gives u's host as a client looks it up or dials it.
//
// The URL Standard reads the host of a scheme it does not know ("not special")
// as an opaque string: "EXAMPLE", "%65xample" and "0x7f.1" stay as they are,
// while whoever resolves the name takes the last for 127.0.0.1. So that what is
// judged is what is dialled, such a host is read here by the rules for special
// schemes: escapes decoded, labels by UTS 46, numbers as an IPv4 address.
//
// A host that is missing breaks [HostMissing]; one that those rules refuse
// breaks the URL Standard's own.
func Dialable(u anyurl.URL) (anyurl.Host, error) {
	p := HostPart(u)
	if p.Len() == 0 {
		return anyurl.Host{}, p.Error(0, HostMissing)
	}
	if u.IsSpecial() {
		return u.Host(), nil
	}
	h, err := anyurl.ParseHost(p.Raw(), true)
	if e, ok := err.(*rule.Error); ok {
		return anyurl.Host{}, p.Error(min(e.Offset, p.Len()), e.Rule)
	}
	return h, err
}

// ForbidUserinfo gives an error when u has a user name or a password.
func ForbidUserinfo(u anyurl.URL) error {
	if u.HasUserinfo() {
		return User(u).Error(0, NoUserinfo)
	}
	return nil
}

// ForbidPort gives an error when u has a port.
func ForbidPort(u anyurl.URL) error {
	if u.HasPort() {
		return HostPart(u).Error(HostPart(u).Len(), NoPort)
	}
	return nil
}

// ForbidQuery gives an error when u has a query, even an empty one.
func ForbidQuery(u anyurl.URL) error {
	if u.HasQuery() {
		return Path(u).Error(Path(u).Len(), NoQuery)
	}
	return nil
}

// ForbidAuthority gives an error when u has a host, even an empty one.
func ForbidAuthority(u anyurl.URL) error {
	if u.HasHost() {
		return SchemeOf(u).Error(len(u.Scheme())+1, NoAuthority)
	}
	return nil
}

// Port is u's port, or otherwise where it has none.
func Port(u anyurl.URL, otherwise uint16) uint16 {
	if u.HasPort() {
		return u.Port()
	}
	return otherwise
}
