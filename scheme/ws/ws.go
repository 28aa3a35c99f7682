// Package ws reads ws and wss URLs as RFC 6455 says: where a WebSocket is to be
// opened. Start with [Read].
package ws

import (
	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports of RFC 6455, section 3.
const (
	Port    = 80
	PortTLS = 443
)

// Ref is what a ws URL points at.
type Ref struct {
	// TLS is set for wss.
	TLS  bool        `json:"tls"`
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Path and Query are as serialised, fit for a request line.
	Path     string `json:"path"`
	Query    string `json:"query,omitempty"`
	HasQuery bool   `json:"hasQuery,omitempty"`
}

// Fragment is broken by a fragment.
var Fragment = rule.Rule{
	ID:      "ws/fragment",
	Cite:    "RFC 6455, section 3",
	Says:    "a WebSocket URL has no fragment",
	Fix:     `leave out "#" and what follows; write "%23" for a "#" that is data`,
	Example: "ws://a.example/chat#top",
}

// Rules lists the rules that a ws or wss URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Fragment} }

// Read reads u, a ws or wss URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "ws", "wss"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	if u.HasFragment() {
		rest := scheme.Rest(u)
		return Ref{}, rest.Error(rest.Len(), Fragment)
	}
	return Ref{u.Scheme() == "wss", u.Host(), u.EffectivePort(), u.Path(), u.Query(), u.HasQuery()}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	name, port := "ws", uint16(Port)
	if r.TLS {
		name, port = "wss", PortTLS
	}
	return scheme.Build(name, scheme.Authority{Host: r.Host, Port: r.Port, Default: port}, r.Target())
}

// Target is the resource name of RFC 6455, section 3, for the opening request.
func (r Ref) Target() string { return scheme.Target(r.Path, r.Query, r.HasQuery) }

// Addr is the host and port to dial, "a.example:443".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about ws and wss.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "ws", Family: "ws", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 6455, section 3",
		Says:     "A WebSocket: a connection that begins as an HTTP request and then carries messages both ways, in the clear.",
		Syntax:   "ws://host[:port]/path[?query]",
		Example:  "ws://chat.example/room?id=7",
		Protocol: "WebSocket (RFC 6455)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "wss", Family: "ws", Port: PortTLS, Authority: true, Status: "permanent",
		Defined:  "RFC 6455, section 3",
		Says:     "A WebSocket inside TLS: a connection that begins as an HTTP request and then carries messages both ways.",
		Syntax:   "wss://host[:port]/path[?query]",
		Example:  "wss://chat.example/room?id=7",
		Protocol: "WebSocket (RFC 6455) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
