// Package telnet reads telnet, tn3270 and rlogin URLs: an interactive service,
// and no data to fetch from it. Start with [Read].
//
// The user name and the password are advice (RFC 4248, RFC 6270, RFC 1738
// section 3.8): a client shows them to the user and sends neither unasked.
package telnet

import (
	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is Telnet's (RFC 4248, section 2), which tn3270 shares; PortLogin is
// that of the service "login", which is rlogin's (RFC 1282).
const (
	Port      = 23
	PortLogin = 513
)

// Ref is what a telnet URL points at.
type Ref struct {
	// Scheme is "telnet", "tn3270" or "rlogin".
	Scheme string      `json:"scheme"`
	Host   anyurl.Host `json:"host"`
	Port   uint16      `json:"port"`
	// User and Password are decoded, advice for the user of the service, and
	// hold no control character.
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	HasUser  bool   `json:"hasUser,omitempty"`
}

// NoPath is broken by a path: the URL names a service and nothing in it.
var NoPath = rule.Rule{
	ID:      "telnet/path",
	Cite:    "RFC 4248, section 2; RFC 6270, section 2",
	Says:    `nothing may follow the "/" behind the host`,
	Fix:     "leave the path out; an interactive service has no parts to name",
	Example: "telnet://a.example/login",
}

// Rules lists the rules that a telnet URL can break here.
func Rules() []rule.Rule { return []rule.Rule{NoPath} }

// unsendable are the controls and Telnet's IAC.
var unsendable = scheme.Controls.Or(abnf.Bytes("\xff"))

// defaultPort gives RFC 4248's, RFC 6270's port, or IANA's for the service "login".
func defaultPort(name string) uint16 {
	if name == "rlogin" {
		return PortLogin
	}
	return Port
}

// Read reads u, a telnet, tn3270 or rlogin URL. The error, if any, is a
// *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "telnet", "tn3270", "rlogin"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	user, password := scheme.User(u), scheme.Password(u)
	for _, p := range []scheme.Part{user, password} {
		if err := p.Forbid(&unsendable, scheme.Control); err != nil {
			return Ref{}, err
		}
	}
	// telneturl = "telnet://" login [ "/" ]
	if rest := scheme.Rest(u); rest.Raw() != "" && rest.Raw() != "/" {
		if rest.Raw()[0] == '/' {
			rest = rest.From(1)
		}
		return Ref{}, rest.Error(0, NoPath)
	}
	return Ref{
		Scheme:   u.Scheme(),
		Host:     host,
		Port:     scheme.Port(u, defaultPort(u.Scheme())),
		User:     user.Text(),
		Password: password.Text(),
		HasUser:  u.HasUserinfo(),
	}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	return scheme.Build(r.Scheme, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: defaultPort(r.Scheme)}, "/")
}

// Addr is the host and port to dial, "a.example:23".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about telnet, tn3270 and rlogin.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "telnet", Family: "telnet", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 4248; RFC 1738, section 3.8",
		Says:     "A service to talk to at a terminal, by Telnet. It names no data; user name and password are only told to the user.",
		Syntax:   "telnet://[user[:password]@]host[:port][/]",
		Example:  "telnet://guest@library.example/",
		Protocol: "Telnet (RFC 854)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "tn3270", Family: "telnet", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 6270; reserved by RFC 1738, section 4",
		Says:     "A session with a mainframe that speaks to IBM 3270 terminals, carried by Telnet.",
		Syntax:   "tn3270://[user[:password]@]host[:port][/]",
		Example:  "tn3270://mainframe.example/",
		Protocol: "TN3270 (RFC 1576)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "rlogin", Family: "telnet", Port: PortLogin, Authority: true, Status: "unregistered",
		Defined:  "RFC 1630; RFC 1282 for the protocol",
		Says:     "A session on a host by the BSD rlogin service, which trusts the name that the client gives. RFC 1630 speaks of it beside telnet; it is in no registry, and ssh has taken its place.",
		Syntax:   "rlogin://[user[:password]@]host[:port][/]",
		Example:  "rlogin://guest@host.example/",
		Protocol: "rlogin (RFC 1282)",
		Read:     scheme.Reader(Read),
	}}
}
