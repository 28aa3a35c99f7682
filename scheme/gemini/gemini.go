// Package gemini reads gemini URLs as the Gemini protocol's specification says:
// a page of Geminispace. Start with [Read].
package gemini

import (
	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is Gemini's.
const Port = 1965

// MaxRequest is the greatest length in bytes of a request, which is the URL.
const MaxRequest = 1024

// Ref is what a gemini URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Path and Query are as serialised. Path begins with "/". Query is what
	// the user has typed where the server asked.
	Path     string `json:"path"`
	Query    string `json:"query,omitempty"`
	HasQuery bool   `json:"hasQuery,omitempty"`
}

// Length is broken by a URL that is longer than a request may be.
var Length = rule.Rule{
	ID:      "gemini/length",
	Cite:    "Gemini network protocol specification, section \"Requests\"",
	Says:    "a request is the URL without its fragment, and at most 1024 bytes long",
	Fix:     "ask for less at once",
	Example: "gemini://capsule.example/" + long,
}

// long makes an example that is too long, ten zeros at a time.
const (
	long = ten + ten + ten + ten + ten + ten + ten + ten + ten + ten + ten
	ten  = "0000000000" + "0000000000" + "0000000000" + "0000000000" + "0000000000" +
		"0000000000" + "0000000000" + "0000000000" + "0000000000" + "0000000000"
)

// Rules lists the rules that a gemini URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Length} }

// Read reads u, a gemini URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "gemini"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	r := Ref{host, scheme.Port(u, Port), u.Path(), u.Query(), u.HasQuery()}
	if r.Path == "" {
		r.Path = "/" // the specification: an empty path and "/" are the same
	}
	if len(r.Request()) > MaxRequest {
		return Ref{}, scheme.All(u).Error(min(len(u.String()), MaxRequest), Length)
	}
	return r, nil
}

// Request is the line to send, without its CR LF: the URL, with the host as it
// is dialled and without a fragment.
func (r Ref) Request() string { return r.URL().String() }

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	rest := r.Path
	if r.HasQuery {
		rest += "?" + r.Query
	}
	return scheme.Build("gemini", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, rest)
}

// Addr is the host and port to dial, "a.example:1965".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about gemini.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "gemini", Family: "gemini", Port: Port, Authority: true, Status: "unregistered",
		Defined:  "Gemini network protocol specification",
		Says:     "A page of Geminispace: richer than Gopher, plainer than the web, always inside TLS, and nothing but one request and its answer.",
		Syntax:   "gemini://host[:port]/path[?query]",
		Example:  "gemini://capsule.example/docs/faq.gmi",
		Protocol: "Gemini, in TLS",
		Read:     scheme.Reader(Read),
	}}
}
