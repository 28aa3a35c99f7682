// Package ftp reads ftp and ftps URLs as RFC 1738, section 3.2, says: a path is
// not a file name but a series of commands. Start with [Read].
//
// Each segment but the last is the argument of one CWD, the last names the
// file, and ";type=" says how it is sent. "/" therefore does not mean the root:
// the first CWD starts where the login leaves the client, and only "%2F" at the
// start of a segment names an absolute folder.
package ftp

import (
	"slices"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports of RFC 959 and, for ftps, of IANA's registry.
const (
	Port    = 21
	PortTLS = 990
)

// A Type is an FTP URL's type code in lower case: 'a', 'i', 'd', or 0 where the
// URL has none and the client has to guess.
type Type byte

// The type codes of RFC 1738, section 3.2.2.
const (
	Unsaid Type = 0
	ASCII  Type = 'a'
	Image  Type = 'i'
	Dir    Type = 'd' // a list of the folder's names
)

// String gives the letter, or "".
func (t Type) String() string {
	if t == Unsaid {
		return ""
	}
	return string(rune(t))
}

// MarshalText gives the letter.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Ref is what an FTP URL points at.
type Ref struct {
	// TLS is set for ftps, where TLS begins with the first octet.
	TLS  bool        `json:"tls,omitempty"`
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// User and Password are decoded. Without HasUser the login is anonymous.
	User        string `json:"user,omitempty"`
	Password    string `json:"password,omitempty"`
	HasUser     bool   `json:"hasUser,omitempty"`
	HasPassword bool   `json:"hasPassword,omitempty"`
	// Dirs are the arguments of the CWD commands, decoded, one each and in this
	// order. An empty one is a CWD with an empty argument (RFC 1738, 3.2.2).
	Dirs []string `json:"dirs,omitempty"`
	// Name is the argument of RETR, or of NLST for [Dir], decoded. It is
	// empty when the URL names a folder.
	Name string `json:"name"`
	// Type is how the file is to be sent.
	Type Type `json:"type,omitempty"`
}

var (
	// ControlOctet is broken by an octet that would end an FTP command or
	// begin another.
	ControlOctet = rule.Rule{
		ID:      "ftp/control",
		Cite:    "RFC 1738, section 6; RFC 959, section 5.3",
		Says:    "CR, LF, NUL or octet 255 (Telnet's IAC) would end the FTP command that this part is sent in, or begin another",
		Fix:     "take the escape out; no file name needs it",
		Example: "ftp://a.example/x%0D%0ADELE%20y",
	}
	// Semicolon is broken by a ";" that does not begin the URL's type code.
	Semicolon = rule.Rule{
		ID:      "ftp/semicolon",
		Cite:    "RFC 1738, section 3.2",
		Says:    `";" only stands before "type=" at the very end`,
		Fix:     `write "%3B" for a semicolon in a name`,
		Example: "ftp://a.example/pub;v=1/x",
	}
	// Typecode is broken by a type code other than a, i and d.
	Typecode = rule.Rule{
		ID:      "ftp/typecode",
		Cite:    "RFC 1738, section 3.2.2",
		Says:    "the type code is one of a, i and d",
		Fix:     `end the URL with ";type=i" for a file as it is, ";type=a" for text, ";type=d" for a listing`,
		Example: "ftp://a.example/x;type=e",
	}
)

// Rules lists the rules that an FTP URL can break here.
func Rules() []rule.Rule { return []rule.Rule{ControlOctet, Semicolon, Typecode} }

// commandEnds are the octets that must not reach the control connection, which
// is a Telnet connection (RFC 959, section 5.3).
var commandEnds = abnf.Bytes("\r\n\x00\xff")

// Read reads u, an ftp or ftps URL. The error, if any, is a *rule.Error.
//
// A "?" is data: RFC 1738's grammar has it in an FTP path, and no FTP server
// knows a query.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "ftp", "ftps"); err != nil {
		return Ref{}, err
	}
	var (
		r   = Ref{TLS: u.Scheme() == "ftps", Port: Port}
		err error
	)
	if r.TLS {
		r.Port = PortTLS
	}
	if r.Host, err = scheme.Dialable(u); err != nil {
		return Ref{}, err
	}
	r.Port = scheme.Port(u, r.Port)

	user, password := scheme.User(u), scheme.Password(u)
	for _, p := range []scheme.Part{user, password} {
		if err := p.Forbid(&commandEnds, ControlOctet); err != nil {
			return Ref{}, err
		}
	}
	r.User, r.HasUser = user.Text(), u.HasUserinfo()
	r.Password, r.HasPassword = password.Text(), u.Password() != ""

	// url-path = cwd1 "/" ... "/" cwdN "/" name [ ";type=" typecode ]
	rest := scheme.Rest(u)
	if rest.Len() > 0 {
		rest = rest.From(1) // the "/" that ends the authority
	}
	parts := rest.Split('/')
	last := len(parts) - 1
	for i, p := range parts {
		name, _, found := p.Cut(';')
		if found {
			if i != last {
				return Ref{}, p.Error(name.Len(), Semicolon)
			}
			if r.Type, err = typecode(p.From(name.Len())); err != nil {
				return Ref{}, err
			}
		}
		if err := name.Forbid(&commandEnds, ControlOctet); err != nil {
			return Ref{}, err
		}
		if i == last {
			r.Name = name.Text()
		} else {
			r.Dirs = append(r.Dirs, name.Text())
		}
	}
	return r, nil
}

// typecode reads ";type=a", in any case.
func typecode(p scheme.Part) (Type, error) {
	const mark = ";type="
	raw := p.Raw()
	if len(raw) < len(mark) || !strings.EqualFold(raw[:len(mark)], mark) {
		return 0, p.Error(0, Semicolon)
	}
	if len(raw) == len(mark)+1 {
		// ftptype = "A" | "I" | "D" | "a" | "i" | "d"
		switch c := Type(raw[len(mark)] | 0x20); c {
		case ASCII, Image, Dir:
			return c, nil
		}
	}
	return 0, p.Error(len(mark), Typecode)
}

// URL writes the reference back: Read(r.URL()) gives r again.
//
// A folder or a name of "." or "..", which parsing takes out of a path, comes
// from behind a "?" alone, and is written there; without one it is the zero URL.
func (r Ref) URL() anyurl.URL {
	segments := append(slices.Clone(r.Dirs), r.Name)
	last := len(segments) - 1
	query := -1 // the segment whose "?" stays as it is
	for i, s := range segments {
		if scheme.IsDot(s) && (i < last || r.Type == Unsaid) {
			query = slices.IndexFunc(segments[:i], func(s string) bool { return strings.Contains(s, "?") })
			if query < 0 {
				return anyurl.URL{}
			}
			break
		}
	}
	var b strings.Builder
	for i, s := range segments {
		b.WriteByte('/')
		if i == query {
			before, after, _ := strings.Cut(s, "?")
			b.WriteString(percent.Encode(before, &scheme.SegmentNoSemi) + "?")
			s = after
		}
		b.WriteString(percent.Encode(s, &scheme.SegmentNoSemi))
	}
	if r.Type != Unsaid {
		b.WriteString(";type=" + r.Type.String())
	}
	name, port := "ftp", uint16(Port)
	if r.TLS {
		name, port = "ftps", PortTLS
	}
	return scheme.Build(name, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: port}, b.String())
}

// Addr is the host and port to dial, "a.example:21".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about ftp and ftps.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "ftp", Family: "ftp", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 1738, section 3.2",
		Says:     "A file or a folder on an FTP server. The path is a series of CWD commands and a file name, one command for each segment, so \"/\" does not mean the server's root; \"%2F\" does. Without a user name the login is anonymous.",
		Syntax:   "ftp://[user[:password]@]host[:port]/cwd1/.../cwdN/name[;type=a|i|d]",
		Example:  "ftp://ftp.example/pub/docs/rfc1738.txt;type=a",
		Protocol: "FTP (RFC 959)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "ftps", Family: "ftp", Port: PortTLS, Authority: true, Status: "unregistered",
		Defined:  "common practice; RFC 4217 for FTP over TLS",
		Says:     "FTP inside TLS from the first octet, on a port of its own. The scheme is in no registry; RFC 4217 prefers to begin in the clear and to change over with AUTH TLS.",
		Syntax:   "ftps://[user[:password]@]host[:port]/cwd1/.../cwdN/name[;type=a|i|d]",
		Example:  "ftps://ftp.example/pub/docs/rfc1738.txt",
		Protocol: "FTP (RFC 959) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
