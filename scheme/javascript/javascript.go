// Package javascript reads javascript URLs as the HTML Standard says: a program
// that runs where it is opened. Start with [Read], and open none.
package javascript

import (
	"strings"

	"anyurl"
	"anyurl/percent"
	"anyurl/scheme"
)

// Ref is the program that a javascript URL is.
type Ref struct {
	// Code is the program's text, decoded.
	Code string `json:"code"`
}

// Read reads u, a javascript URL. The error, if any, is a *rule.Error for
// [scheme.OtherScheme].
//
// All of the URL behind the colon is the program, a host, a query and a fragment
// as well (HTML Standard, "evaluate a javascript: URL").
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "javascript"); err != nil {
		return Ref{}, err
	}
	return Ref{scheme.All(u).From(len("javascript:")).Text()}, nil
}

// URL writes the program back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	code := percent.Encode(r.Code, &scheme.Segment)
	if !strings.HasPrefix(r.Code, "/") {
		// Only a "/" at the start has to stay encoded: it would begin a host
		// or a path that is not kept as it is.
		code = strings.ReplaceAll(code, "%2F", "/")
	}
	return scheme.Opaque("javascript", code)
}

// Schemes gives the facts about javascript.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "javascript", Family: "javascript", Status: "unregistered",
		Defined:  "HTML Standard, javascript: URLs",
		Says:     "A program that a browser runs in the page where the URL is opened, with all that this page may do. A link to one from elsewhere is an attack.",
		Syntax:   "javascript:program",
		Example:  "javascript:alert(1)",
		Protocol: "none; it is run",
		Read:     scheme.Reader(Read),
	}}
}
