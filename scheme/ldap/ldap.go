// Package ldap reads ldap and ldaps URLs as RFC 4516 says: an entry of a
// directory, or a search in it. Start with [Read].
package ldap

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports of RFC 4516 and, for ldaps, of IANA's registry.
const (
	Port    = 389
	PortTLS = 636
)

// Ref is what an ldap URL points at. All of it is decoded.
type Ref struct {
	// TLS is set for ldaps.
	TLS bool `json:"tls,omitempty"`
	// Host is empty where the client has to know which server to ask; Port is
	// then 0.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port,omitempty"`
	// DN is the entry that the search begins at.
	DN string `json:"dn"`
	// Attributes are those to give; none means all.
	Attributes []string `json:"attributes,omitempty"`
	// Scope is "base", "one" or "sub", and "base" unless the URL says otherwise.
	Scope string `json:"scope"`
	// Filter is RFC 4515's, and "(objectClass=*)" unless the URL says otherwise.
	Filter string `json:"filter"`
	// Extensions are to be obeyed where they begin with "!", or else may be.
	Extensions []string `json:"extensions,omitempty"`
}

var (
	// Scope is broken by a scope that is none of the three.
	Scope = rule.Rule{
		ID:      "ldap/scope",
		Cite:    "RFC 4516, section 2",
		Says:    `a search's scope is "base", "one" or "sub"`,
		Fix:     "leave it empty for the entry alone",
		Example: "ldap://ldap.example/o=Tulips??all",
	}
	// Fields is broken by more "?" than the URL has fields.
	Fields = rule.Rule{
		ID:      "ldap/fields",
		Cite:    "RFC 4516, section 2",
		Says:    "behind the entry's name stand attributes, scope, filter and extensions, each after a \"?\", and no more",
		Fix:     `write "%3F" for a question mark that is data`,
		Example: "ldap://ldap.example/o=Tulips?????x",
	}
	// ControlOctet is broken by NUL.
	ControlOctet = rule.Rule{
		ID:      "ldap/control",
		Cite:    "RFC 4514, section 2.4; RFC 4515, section 3",
		Says:    "an encoded NUL does not stand for itself in names and filters",
		Fix:     `write "%5C00" (\00) for the octet`,
		Example: "ldap://ldap.example/o=Tul%00ips",
	}
)

// Rules lists the rules that an ldap URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Scope, Fields, ControlOctet} }

const anything = "(objectClass=*)"

var (
	nul = abnf.Bytes("\x00")
	// escapeDN encodes "/" as well, which a name may hold and a path parts at.
	escapeDN = scheme.Segment
	// escapeList is Segment and the comma, which parts the members of a list.
	escapeList = scheme.Segment.Or(abnf.Bytes(","))
)

// Read reads u, an ldap or ldaps URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "ldap", "ldaps"); err != nil {
		return Ref{}, err
	}
	r := Ref{TLS: u.Scheme() == "ldaps", Host: u.Host(), Scope: "base", Filter: anything}
	if !u.HasHost() {
		return Ref{}, scheme.HostPart(u).Error(0, scheme.HostMissing)
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	if u.Host().String() != "" {
		var err error
		if r.Host, err = scheme.Dialable(u); err != nil {
			return Ref{}, err
		}
		r.Port = scheme.Port(u, r.defaultPort())
	}
	rest := scheme.Rest(u)
	if err := rest.Forbid(&nul, ControlOctet); err != nil {
		return Ref{}, err
	}
	if strings.HasPrefix(rest.Raw(), "/") {
		rest = rest.From(1)
	}
	// [ dn [ "?" [ attributes ] [ "?" [ scope ] [ "?" [ filter ] [ "?" extensions ] ] ] ] ]
	parts := rest.Split('?')
	r.DN = parts[0].Text()
	for i, p := range parts[1:] {
		switch {
		case i > 3:
			return Ref{}, p.Error(0, Fields)
		case p.Len() == 0:
		case i == 0:
			r.Attributes = list(p)
		case i == 1:
			switch r.Scope = strings.ToLower(p.Text()); r.Scope {
			case "base", "one", "sub":
			default:
				return Ref{}, p.Error(0, Scope)
			}
		case i == 2:
			r.Filter = p.Text()
		case i == 3:
			r.Extensions = list(p)
		}
	}
	return r, nil
}

func list(p scheme.Part) (l []string) {
	for _, one := range p.Split(',') {
		l = append(l, one.Text())
	}
	return l
}

func (r Ref) defaultPort() uint16 {
	if r.TLS {
		return PortTLS
	}
	return Port
}

// URL writes the reference back, without what is the default: Read(r.URL())
// gives r again. It is the zero URL for an entry of "." or "..", which no parsed
// URL can hold.
func (r Ref) URL() anyurl.URL {
	join := func(l []string) string {
		out := make([]string, len(l))
		for i, s := range l {
			out[i] = percent.Encode(s, &escapeList)
		}
		return strings.Join(out, ",")
	}
	if scheme.IsDot(r.DN) {
		return anyurl.URL{}
	}
	fields := []string{percent.Encode(r.DN, &escapeDN), join(r.Attributes), "", "", join(r.Extensions)}
	if r.Scope != "base" {
		fields[2] = percent.Encode(r.Scope, &escapeDN)
	}
	if r.Filter != anything {
		fields[3] = percent.Encode(r.Filter, &escapeDN)
	}
	name, port := "ldap", r.defaultPort()
	if r.TLS {
		name = "ldaps"
	}
	if r.Host.String() == "" {
		port = r.Port
	}
	return scheme.Build(name, scheme.Authority{Host: r.Host, Port: r.Port, Default: port},
		"/"+strings.TrimRight(strings.Join(fields, "?"), "?"))
}

// Addr is the host and port to dial, or "" when the URL names no server.
func (r Ref) Addr() string {
	if r.Host.String() == "" {
		return ""
	}
	return scheme.Addr(r.Host, r.Port)
}

// Schemes gives the facts about ldap and ldaps.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "ldap", Family: "ldap", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 4516",
		Says:     "An entry of an LDAP directory, or a search in one: where it begins, which attributes to give, how deep to look and for what.",
		Syntax:   "ldap://[host[:port]]/dn[?attributes[?scope[?filter[?extensions]]]]",
		Example:  "ldap://ldap.example/o=University%20of%20Michigan,c=US?postalAddress?sub?(cn=Babs)",
		Protocol: "LDAP (RFC 4511)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "ldaps", Family: "ldap", Port: PortTLS, Authority: true, Status: "provisional",
		Defined:  "IANA's registry, prov/ldaps",
		Says:     "An entry of an LDAP directory, or a search in one, asked for inside TLS from the first octet.",
		Syntax:   "ldaps://[host[:port]]/dn[?attributes[?scope[?filter[?extensions]]]]",
		Example:  "ldaps://ldap.example/o=Tulips",
		Protocol: "LDAP (RFC 4511) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
