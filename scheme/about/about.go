// Package about reads about URLs as RFC 6694 says: a page that a program makes
// itself. Start with [Read].
package about

import (
	"anyurl"
	"anyurl/percent"
	"anyurl/scheme"
)

// Ref is what an about URL names.
type Ref struct {
	// Token is the page's name, decoded: "blank", "srcdoc", or the program's own.
	Token string `json:"token"`
	// Query is as serialised, when HasQuery is set.
	Query    string `json:"query,omitempty"`
	HasQuery bool   `json:"hasQuery,omitempty"`
}

// Read reads u, an about URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "about"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	return Ref{scheme.Path(u).Text(), u.Query(), u.HasQuery()}, nil
}

// Known reports whether the token is one that every program reads alike: "blank"
// (RFC 6694, section 3), "legacy-compat" and "srcdoc" (HTML Standard).
func (r Ref) Known() bool {
	return r.Token == "blank" || r.Token == "legacy-compat" || r.Token == "srcdoc"
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	rest := percent.Encode(r.Token, &scheme.Segment)
	if r.HasQuery {
		rest += "?" + r.Query
	}
	return scheme.Opaque("about", rest)
}

// Schemes gives the facts about about.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "about", Family: "about", Status: "permanent",
		Defined:  "RFC 6694",
		Says:     "A page that the program makes itself, such as its settings. Only about:blank, the empty page, is the same everywhere.",
		Syntax:   "about:token[?query]",
		Example:  "about:blank",
		Protocol: "none",
		Read:     scheme.Reader(Read),
	}}
}
