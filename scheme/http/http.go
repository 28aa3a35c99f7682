// Package http reads http and https URLs as RFC 9110, section 4.2, says: an
// origin to ask, and the path and query to ask it for. Start with [Read].
package http

import (
	"anyurl"
	"anyurl/scheme"
)

// The ports of RFC 9110, section 4.2.
const (
	Port    = 80
	PortTLS = 443
)

// Ref is what an http URL points at.
type Ref struct {
	// TLS is set for https.
	TLS  bool        `json:"tls"`
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Path and Query are as serialised, fit for a request line. Path begins
	// with "/"; Query is without its "?".
	Path     string `json:"path"`
	Query    string `json:"query,omitempty"`
	HasQuery bool   `json:"hasQuery,omitempty"`
	// User and Password are decoded. RFC 9110, section 4.2.4, deprecates
	// them and RFC 1738 never had them; they are here for whoever has to
	// decide what to do about them.
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	HasUser  bool   `json:"hasUser,omitempty"`
}

// Read reads u, an http or https URL. The error, if any, is a *rule.Error for
// [scheme.OtherScheme]: the URL Standard's own rules leave nothing else to break.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "http", "https"); err != nil {
		return Ref{}, err
	}
	return Ref{
		TLS:      u.Scheme() == "https",
		Host:     u.Host(),
		Port:     u.EffectivePort(),
		Path:     u.Path(),
		Query:    u.Query(),
		HasQuery: u.HasQuery(),
		User:     scheme.User(u).Text(),
		Password: scheme.Password(u).Text(),
		HasUser:  u.HasUserinfo(),
	}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	name, port := "http", uint16(Port)
	if r.TLS {
		name, port = "https", PortTLS
	}
	return scheme.Build(name, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: port}, r.Target())
}

// Target is the request target of RFC 9112, section 3.2.1: the path, and the
// query behind its "?".
func (r Ref) Target() string { return scheme.Target(r.Path, r.Query, r.HasQuery) }

// Addr is the host and port to dial, "a.example:443".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about http and https.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "http", Family: "http", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 9110, section 4.2.1; RFC 1738, section 3.3",
		Says:     "A resource of the World Wide Web, asked for in the clear: whoever is on the way can read and change what is sent. RFC 1738 allows no user name or password in it.",
		Syntax:   "http://host[:port]/path[?query]",
		Example:  "http://www.example/docs/index.html?lang=en",
		Protocol: "HTTP (RFC 9110)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "https", Family: "http", Port: PortTLS, Authority: true, Status: "permanent",
		Defined:  "RFC 9110, section 4.2.2",
		Says:     "A resource of the World Wide Web, asked for inside TLS, so that the server is known by its certificate and what is sent stays between the two.",
		Syntax:   "https://host[:port]/path[?query]",
		Example:  "https://www.example/docs/index.html?lang=en",
		Protocol: "HTTP (RFC 9110) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
