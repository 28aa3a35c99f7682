// Package blob reads blob URLs as the File API says: data that a page holds in
// memory, under a name that means something to that page alone. Start with [Read].
package blob

import (
	"strings"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what a blob URL points at.
type Ref struct {
	// Origin is the page's, as serialised: "https://a.example", or "null".
	Origin string `json:"origin"`
	// ID is the blob's identifier, a UUID where a browser made it.
	ID string `json:"id"`
}

// Form is broken by a blob URL without an origin and an identifier.
var Form = rule.Rule{
	ID:      "blob/form",
	Cite:    "File API, section 8.2, unicode serialization of a blob URL",
	Says:    `behind "blob:" stand the origin of a page, "/" and an identifier`,
	Fix:     "blob URLs are made by browsers; there is nothing to gain in writing one by hand",
	Example: "blob:tulips",
}

// Rules lists the rules that a blob URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Form} }

// Read reads u, a blob URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "blob"); err != nil {
		return Ref{}, err
	}
	rest := scheme.Rest(u)
	if u.HasHost() {
		return Ref{}, scheme.HostPart(u).Error(0, Form)
	}
	raw := rest.Raw()
	if id, ok := strings.CutPrefix(raw, "null/"); ok && id != "" {
		return Ref{"null", id}, nil
	}
	page, err := anyurl.Parse(raw)
	if err != nil || page.Origin() == "null" || len(page.Path()) < 2 || page.HasUserinfo() {
		return Ref{}, rest.Error(0, Form)
	}
	id := page.Path()[1:]
	if page.HasQuery() {
		id += "?" + page.Query()
	}
	return Ref{page.Origin(), id}, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL { return scheme.Opaque("blob", r.Origin+"/"+r.ID) }

// Schemes gives the facts about blob.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "blob", Family: "blob", Status: "provisional",
		Defined:  "File API, section 8",
		Says:     "Data that a page holds in its browser's memory. The name ends with the page, and means nothing to anyone else.",
		Syntax:   "blob:origin/uuid",
		Example:  "blob:https://a.example/9115d58c-bcda-ff47-86e5-083e9a215304",
		Protocol: "the browser's memory",
		Read:     scheme.Reader(Read),
	}}
}
