// Package finger reads finger URLs: who is on a host, or what a user there has
// to say. Start with [Read].
package finger

import (
	"strings"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is Finger's (RFC 1288, section 2.1).
const Port = 79

// Ref is what a finger URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Query is the line to send, decoded: a user's name, "/W" for more, or
	// nothing for all that are there. It holds no control character.
	Query string `json:"query"`
}

var (
	// ControlOctet is broken by an octet that would end the line.
	ControlOctet = rule.Rule{
		ID:      "finger/control",
		Cite:    "RFC 1288, section 2.3; RFC 1738, section 6",
		Says:    "a control character would end the request, which is one line, and begin another",
		Fix:     "take the escape out; no user's name holds it",
		Example: "finger://a.example/joe%0D%0A",
	}
	// Twice is broken by a name before the host and another behind it.
	Twice = rule.Rule{
		ID:      "finger/twice",
		Cite:    "draft-ietf-uri-url-finger-03",
		Says:    "the user stands before \"@\" or behind the \"/\", not in both places, and there is no password",
		Fix:     "write the user behind the \"/\"",
		Example: "finger://joe@a.example/ann",
	}
)

// Rules lists the rules that a finger URL can break here.
func Rules() []rule.Rule { return []rule.Rule{ControlOctet, Twice} }

// Read reads u, a finger URL. The error, if any, is a *rule.Error. A user may
// stand before the host as well.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "finger"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	query := scheme.Rest(u)
	if strings.HasPrefix(query.Raw(), "/") {
		query = query.From(1)
	}
	if u.HasUserinfo() {
		if query.Len() > 0 || u.Password() != "" {
			return Ref{}, scheme.User(u).Error(0, Twice)
		}
		query = scheme.User(u)
	}
	if err := query.Forbid(&scheme.Controls, ControlOctet); err != nil {
		return Ref{}, err
	}
	return Ref{host, scheme.Port(u, Port), query.Text()}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again. A user called "."
// or ".." is written before the host: a path cannot hold one.
func (r Ref) URL() anyurl.URL {
	a := scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}
	if scheme.IsDot(r.Query) {
		a.User, a.HasUser = r.Query, true
		return scheme.Build("finger", a, "/")
	}
	return scheme.Build("finger", a, "/"+scheme.EscapePath(r.Query, scheme.Segment))
}

// Addr is the host and port to dial, "a.example:79".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about finger.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "finger", Family: "finger", Port: Port, Authority: true, Status: "provisional",
		Defined:  "draft-ietf-uri-url-finger-03; RFC 1288 for the protocol",
		Says:     "Who is on a host, or what a user there has put up about himself: one line asked, some lines of text answered.",
		Syntax:   "finger://host[:port]/[user]",
		Example:  "finger://host.example/joe",
		Protocol: "Finger (RFC 1288)",
		Read:     scheme.Reader(Read),
	}}
}
