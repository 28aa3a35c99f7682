// Package spartan reads spartan URLs as the Spartan protocol's specification
// says: a page of a small web without encryption. Start with [Read].
package spartan

import (
	"anyurl"
	"anyurl/percent"
	"anyurl/scheme"
)

// Port is Spartan's.
const Port = 300

// Ref is what a spartan URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Path is as serialised, fit for the request line, and begins with "/".
	Path string `json:"path"`
	// Data is sent behind the request, decoded, when HasData is set: it stands
	// in the URL's query.
	Data    string `json:"data,omitempty"`
	HasData bool   `json:"hasData,omitempty"`
}

// Read reads u, a spartan URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "spartan"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	r := Ref{host, scheme.Port(u, Port), u.Path(), scheme.Query(u).Text(), u.HasQuery()}
	if r.Path == "" {
		r.Path = "/"
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	rest := r.Path
	if r.HasData {
		rest += "?" + percent.Encode(r.Data, &percent.Component)
	}
	return scheme.Build("spartan", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, rest)
}

// Addr is the host and port to dial, "a.example:300".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about spartan.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "spartan", Family: "spartan", Port: Port, Authority: true, Status: "unregistered",
		Defined:  "Spartan protocol specification",
		Says:     "A page of a small web that is Gemini's without encryption and with data sent to the server; the query is what is sent.",
		Syntax:   "spartan://host[:port]/path[?data]",
		Example:  "spartan://capsule.example/guestbook?hello",
		Protocol: "Spartan",
		Read:     scheme.Reader(Read),
	}}
}
