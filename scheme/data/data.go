// Package data reads data URLs as RFC 2397 says, and as the Fetch Standard's
// "data: URL processor" reads what is in use: a media type and the data
// themselves. Start with [Read].
package data

import (
	"encoding/base64"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what a data URL holds.
type Ref struct {
	// Type is the media type with its parameters, as it is written;
	// "text/plain;charset=US-ASCII" where the URL has none or one that is none.
	Type string `json:"type"`
	// Base64 is set when the data are written in Base64.
	Base64 bool `json:"base64,omitempty"`
	// Data are the data, decoded.
	Data []byte `json:"data"`
}

// Default is the media type of a URL that names none (RFC 2397, section 2).
const Default = "text/plain;charset=US-ASCII"

var (
	// Comma is broken by a data URL without ",".
	Comma = rule.Rule{
		ID:      "data/comma",
		Cite:    "RFC 2397, section 3; Fetch Standard, data: URL processor, step 7",
		Says:    `the data begin after ",", and there is none`,
		Fix:     `write "," before the data`,
		Example: "data:text/plain;base64",
	}
	// Base64 is broken by data that should be Base64 and are not.
	Base64 = rule.Rule{
		ID:      "data/base64",
		Cite:    "RFC 2397, section 2; Infra Standard, forgiving-base64 decode",
		Says:    `the data are said to be Base64, and are not`,
		Fix:     `take ";base64" out, or encode the data again`,
		Example: "data:;base64,tulips!",
	}
)

// Rules lists the rules that a data URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Comma, Base64} }

// token is RFC 9110, section 5.6.2.
var token = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("!#$%&'*+-.^_`|~"))

// Read reads u, a data URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "data"); err != nil {
		return Ref{}, err
	}
	// The Fetch Standard takes all of the URL after "data:", a host as well.
	all := scheme.All(u).From(len("data:"))
	if u.HasFragment() {
		all = all.To(all.Len() - 1 - len(u.Fragment()))
	}
	head, body, found := all.Cut(',')
	if !found {
		return Ref{}, all.Error(all.Len(), Comma)
	}
	var r Ref
	r.Type = strings.Trim(head.Raw(), " ")
	r.Type, r.Base64 = cutBase64(r.Type)
	if strings.HasPrefix(r.Type, ";") {
		r.Type = "text/plain" + r.Type
	}
	if !isType(r.Type) {
		r.Type = Default
	}
	text := body.Text()
	if !r.Base64 {
		r.Data = []byte(text)
		return r, nil
	}
	var ok bool
	if r.Data, ok = forgiving(text); !ok {
		return Ref{}, body.Error(0, Base64)
	}
	return r, nil
}

// cutBase64 takes ";base64" off the end, in any case and with spaces between
// (Fetch Standard, step 11).
func cutBase64(s string) (string, bool) {
	const mark = "base64"
	n := len(s) - len(mark)
	if n < 0 || !strings.EqualFold(s[n:], mark) {
		return s, false
	}
	head := strings.TrimRight(s[:n], " ")
	if !strings.HasSuffix(head, ";") {
		return s, false
	}
	return head[:len(head)-1], true
}

// isType reports whether s begins with a media type's type and subtype.
func isType(s string) bool {
	s, _, _ = strings.Cut(s, ";")
	s = strings.TrimRight(s, " ")
	kind, sub, found := strings.Cut(s, "/")
	return found && kind != "" && sub != "" && token.Span(kind) == len(kind) && token.Span(sub) == len(sub)
}

// forgiving is the Infra Standard's forgiving-base64 decode: white space does
// not count, the padding may be missing, and bits left over do not matter.
func forgiving(s string) ([]byte, bool) {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\t\n\f\r ", r) {
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(s, "=")
		s = strings.TrimSuffix(s, "=")
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	return b, err == nil
}

// URL writes the data back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	if r.Base64 {
		return scheme.Opaque("data", r.Type+";base64,"+base64.StdEncoding.EncodeToString(r.Data))
	}
	return scheme.Opaque("data", r.Type+","+percent.Encode(string(r.Data), &scheme.Segment))
}

// Schemes gives the facts about data.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "data", Family: "data", Status: "permanent",
		Defined:  "RFC 2397",
		Says:     "Data that stand in the URL itself, with their media type. Nothing is fetched; a page in one is a page from nowhere, so browsers refuse to go to it from a link.",
		Syntax:   "data:[media-type][;base64],data",
		Example:  "data:text/plain;charset=utf-8,A%20brief%20note",
		Protocol: "none",
		Read:     scheme.Reader(Read),
	}}
}
