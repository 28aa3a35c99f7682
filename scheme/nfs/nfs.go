// Package nfs reads nfs URLs as RFC 2224 says: a file on an NFS server. Start
// with [Read].
package nfs

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is the port of RFC 2224, section 1; TCP is tried first (section 3).
const Port = 2049

// Ref is what an nfs URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Absolute is set by a second slash: the path then begins at the server's
	// root, and not at its public file handle (RFC 2224, section 6.1).
	Absolute bool `json:"absolute,omitempty"`
	// Parts are the path's names, decoded; none of them holds NUL. A name may
	// hold "/", which the server will most likely refuse.
	Parts []string `json:"parts,omitempty"`
	// Dir is set when the URL ends in "/", or names nothing but the server.
	Dir bool `json:"dir,omitempty"`
}

// Name is broken by a name that no server can have.
var Name = rule.Rule{
	ID:      "nfs/name",
	Cite:    "RFC 2224, section 6; RFC 1813, section 2.5",
	Says:    "a name on an NFS server holds no NUL and is at most 255 octets",
	Fix:     "leave NUL out, and write \"/\" between names",
	Example: "nfs://a.example/pub/x%00.txt",
}

// Rules lists the rules that an nfs URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Name} }

var nul = abnf.Bytes("\x00")

// Read reads u, an nfs URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "nfs"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	for _, forbid := range []func(anyurl.URL) error{scheme.ForbidUserinfo, scheme.ForbidQuery} {
		if err := forbid(u); err != nil {
			return Ref{}, err
		}
	}
	r := Ref{Host: host, Port: scheme.Port(u, Port)}
	path := scheme.Path(u)
	r.Absolute = strings.HasPrefix(path.Raw(), "//")
	parts := path.Split('/')
	for _, p := range parts {
		if err := p.Forbid(&nul, Name); err != nil {
			return Ref{}, err
		}
		name := p.Text()
		if len(name) > 255 {
			return Ref{}, p.Error(0, Name)
		}
		if name != "" {
			r.Parts = append(r.Parts, name)
		}
	}
	r.Dir = len(r.Parts) == 0 || parts[len(parts)-1].Len() == 0
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL when a name is "." or "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	if r.Absolute {
		b.WriteByte('/')
	}
	for _, p := range r.Parts {
		if scheme.IsDot(p) {
			return anyurl.URL{}
		}
		b.WriteString("/" + percent.Encode(p, &scheme.Segment))
	}
	if r.Dir || len(r.Parts) == 0 {
		b.WriteByte('/')
	}
	return scheme.Build("nfs", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, b.String())
}

// Path is the path as WebNFS looks it up: "." for the public file handle, with
// a slash in front when it is absolute.
func (r Ref) Path() string {
	path := strings.Join(r.Parts, "/")
	switch {
	case r.Absolute:
		return "/" + path
	case path == "":
		return "."
	}
	return path
}

// Addr is the host and port to dial, "a.example:2049".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about nfs.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "nfs", Family: "nfs", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 2224; reserved by RFC 1738, section 4",
		Says:     "A file or a folder on an NFS server, looked up from the server's public file handle, or from its root when the path has a second slash. Everything is sent in the clear and trusted by address.",
		Syntax:   "nfs://host[:port]/path",
		Example:  "nfs://files.example/pub/docs/rfc1738.txt",
		Protocol: "NFS (RFC 7530, RFC 1813)",
		Read:     scheme.Reader(Read),
	}}
}
