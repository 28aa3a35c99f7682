// Package urn reads urn URLs as RFC 8141 says: a name in a namespace, and no
// place. Start with [Read].
package urn

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is the name that a urn URL is. NSS and the components are as they are
// written, with the digits of escapes in upper case.
type Ref struct {
	// NID is the namespace's identifier, in lower case.
	NID string `json:"nid"`
	// NSS is the name in the namespace.
	NSS string `json:"nss"`
	// Resolution is for whoever resolves the name, behind "?+".
	Resolution string `json:"r,omitempty"`
	// Query is for the resource or its service, behind "?=".
	Query string `json:"q,omitempty"`
	// Fragment is behind "#"; it may be empty when HasFragment is set.
	Fragment    string `json:"f,omitempty"`
	HasFragment bool   `json:"hasFragment,omitempty"`
}

var (
	// NID is broken by a namespace that is none.
	NID = rule.Rule{
		ID:      "urn/nid",
		Cite:    "RFC 8141, section 2",
		Says:    `a namespace is 2 to 32 letters, digits and "-", with a letter or a digit at both ends`,
		Fix:     `write "urn:", the namespace, ":" and the name`,
		Example: "urn:-isbn:0451450523",
	}
	// NSS is broken by a missing name.
	NSS = rule.Rule{
		ID:      "urn/nss",
		Cite:    "RFC 8141, section 2",
		Says:    "a name follows the namespace's \":\", and is neither empty nor begins with \"/\"",
		Fix:     "write the name",
		Example: "urn:isbn:",
	}
	// Component is broken by a "?" that is followed by neither "+" nor "=".
	Component = rule.Rule{
		ID:      "urn/component",
		Cite:    "RFC 8141, section 2.3",
		Says:    `"?" is followed by "+" or "=" and at least one character that is neither "/" nor "?"`,
		Fix:     `write "?=" before a query for the resource, "?+" before one for the resolver, "%3F" for a question mark`,
		Example: "urn:example:a?b",
	}
)

// Rules lists the rules that a urn URL can break here.
func Rules() []rule.Rule { return []rule.Rule{NID, NSS, Component} }

var alphanum = abnf.Alpha.Or(abnf.Digit)

// Read reads u, a urn URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "urn"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	// assigned-name = "urn" ":" NID ":" NSS
	nid, nss, found := scheme.Path(u).Cut(':')
	r := Ref{NID: strings.ToLower(nid.Raw()), Fragment: upper(u.Fragment()), HasFragment: u.HasFragment()}
	if n := len(r.NID); n < 2 || n > 32 || !found || !alphanum[r.NID[0]] || !alphanum[r.NID[n-1]] ||
		alphanum.Span(strings.ReplaceAll(r.NID, "-", "")) != n-strings.Count(r.NID, "-") {
		return Ref{}, nid.Error(0, NID)
	}
	r.NSS = upper(nss.Raw())
	// NSS = pchar *( pchar / "/" )
	if r.NSS == "" || r.NSS[0] == '/' {
		return Ref{}, nss.Error(0, NSS)
	}
	if !u.HasQuery() {
		return r, nil
	}
	// [ "?+" r-component ] [ "?=" q-component ]
	query := scheme.Query(u)
	raw := query.Raw()
	if rest, ok := strings.CutPrefix(raw, "+"); ok {
		r.Resolution, raw = rest, ""
		if i := strings.Index(rest, "?="); i >= 0 {
			r.Resolution, raw = rest[:i], rest[i+1:]
		}
		if !begins(r.Resolution) {
			return Ref{}, query.Error(1, Component)
		}
		if raw == "" {
			r.Resolution = upper(r.Resolution)
			return r, nil
		}
	}
	rest, ok := strings.CutPrefix(raw, "=")
	if !ok || !begins(rest) {
		return Ref{}, query.Error(query.Len()-len(raw), Component)
	}
	r.Resolution, r.Query = upper(r.Resolution), upper(rest)
	return r, nil
}

// begins reports whether a component begins with pchar, as it must.
func begins(s string) bool { return s != "" && s[0] != '/' && s[0] != '?' }

// upper writes the digits of escapes in upper case (RFC 8141, section 3.1).
func upper(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' && abnf.HexDig[b[i+1]] && abnf.HexDig[b[i+2]] {
			copy(b[i+1:], strings.ToUpper(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// Name is the assigned name, by which two URNs are compared (RFC 8141, section
// 3): without the components and the fragment.
func (r Ref) Name() string { return "urn:" + r.NID + ":" + r.NSS }

// URL writes the name back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	s := r.NID + ":" + r.NSS
	if r.Resolution != "" {
		s += "?+" + r.Resolution
	}
	if r.Query != "" {
		s += "?=" + r.Query
	}
	if r.HasFragment {
		s += "#" + r.Fragment
	}
	return scheme.Opaque("urn", s)
}

// Schemes gives the facts about urn.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "urn", Family: "urn", Status: "permanent",
		Defined:  "RFC 8141; reserved by RFC 1630",
		Says:     "A lasting name of a thing, such as a book's number or a standard's title, in a namespace that IANA has registered. It says what the thing is called and not where it is.",
		Syntax:   "urn:namespace:name[?+resolution][?=query][#fragment]",
		Example:  "urn:isbn:0451450523",
		Protocol: "none",
		Read:     scheme.Reader(Read),
	}}
}
