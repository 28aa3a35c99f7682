// Package wais reads wais URLs as RFC 4156 says, and RFC 1738, section 3.9, said
// before it: a database, a search in one, or a document. Start with [Read].
package wais

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is Z39.50's, of which WAIS is a profile.
const Port = 210

// A DocID is a document's identifier, octet for octet as the server gave it:
// components of a tag, a length and a value each. It means something to the
// server alone.
type DocID string

// MarshalText gives the identifier as a URL writes it.
func (d DocID) MarshalText() ([]byte, error) { return []byte(percent.Encode(string(d), &escape)), nil }

// Ref is what a wais URL points at: the database, a search in it when
// HasSearch is set, or a document of it when Doc is not empty.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Database is decoded, and empty where the server's own directory of
	// databases is meant.
	Database string `json:"database"`
	// Search is what is looked for, decoded, with "+" for a space undone.
	Search    string `json:"search,omitempty"`
	HasSearch bool   `json:"hasSearch,omitempty"`
	// Type is the document's WAIS type, "TEXT", or several with commas.
	Type string `json:"type,omitempty"`
	Doc  DocID  `json:"doc,omitempty"`
	// Length is the document's length in octets where the URL gives it, as
	// browsers of the 1990s wrote it, when HasLength is set.
	Length    uint64 `json:"length,omitempty"`
	HasLength bool   `json:"hasLength,omitempty"`
}

var (
	// Document is broken by a path of two segments, or by an empty one where
	// the document's type or path should be.
	Document = rule.Rule{
		ID:      "wais/document",
		Cite:    "RFC 4156, section 2; RFC 1738, section 3.9",
		Says:    "a document is named by the database, its type and its path, each after a \"/\"",
		Fix:     `write "%2F" for a slash in a database's name, or add the document's path`,
		Example: "wais://a.example/garden/TEXT",
	}
	// DocumentSearch is broken by a search behind a document.
	DocumentSearch = rule.Rule{
		ID:      "wais/document-search",
		Cite:    "RFC 4156, section 2; RFC 1738, section 3.9",
		Says:    "a search goes to a database, not to a document",
		Fix:     "leave out the document's type and path, or the search",
		Example: "wais://a.example/garden/TEXT/1=a;?tulips",
	}
)

// Rules lists the rules that a wais URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Document, DocumentSearch} }

// escape is what is no uchar, of which alone RFC 1738 makes a database, a type
// and a path: Segment, "~", and the reserved ";", ":", "@", "&" and "=".
var escape = scheme.Segment.Or(abnf.Bytes(";:@&=~"))

// escapeSearch is what has to be encoded in a search; a space is "+".
var escapeSearch = scheme.Segment.Or(abnf.Bytes("+")).Minus(abnf.Bytes(" "))

// Read reads u, a wais URL. The error, if any, is a *rule.Error.
//
// In a search "+" is a space, as in RFC 1630 and in the browsers of the time;
// RFC 1738 does not say so, see [Read1738].
func Read(u anyurl.URL) (Ref, error) { return read(u, true) }

// Read1738 is [Read], but "+" in a search is a plus sign. Its reference is not
// written back by URL, which writes for Read.
func Read1738(u anyurl.URL) (Ref, error) { return read(u, false) }

func read(u anyurl.URL, plus bool) (Ref, error) {
	if err := scheme.Expect(u, "wais"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	r := Ref{Host: host, Port: scheme.Port(u, Port)}

	path := scheme.Path(u)
	if path.Len() > 0 {
		path = path.From(1)
	}
	// waisurl = waisdatabase | waisindex | waisdoc
	database, rest, isDoc := path.Cut('/')
	if err := database.Forbid(&scheme.Controls, scheme.Control); err != nil {
		return Ref{}, err
	}
	r.Database = database.Text()
	if isDoc {
		return r.document(rest, u)
	}
	if u.HasQuery() {
		search := scheme.Query(u)
		if err := search.Forbid(&scheme.Controls, scheme.Control); err != nil {
			return Ref{}, err
		}
		text := search.Raw()
		if plus {
			text = strings.ReplaceAll(text, "+", " ")
		}
		r.Search, r.HasSearch = percent.Decode(text), true
	}
	return r, nil
}

// document reads wtype "/" wpath.
func (r Ref) document(p scheme.Part, u anyurl.URL) (Ref, error) {
	wtype, wpath, found := p.Cut('/')
	switch {
	case wtype.Len() == 0:
		return Ref{}, wtype.Error(0, Document)
	case !found || wpath.Len() == 0:
		return Ref{}, wpath.Error(wpath.Len(), Document)
	case u.HasQuery():
		return Ref{}, wpath.Error(wpath.Len(), DocumentSearch)
	}
	if err := wtype.Forbid(&scheme.Controls, scheme.Control); err != nil {
		return Ref{}, err
	}
	r.Type = wtype.Text()

	raw := wpath.Raw()
	if length, tagged, found := strings.Cut(raw, "/"); found {
		if n, err := strconv.ParseUint(length, 10, 63); err == nil && length[0] != '+' {
			if doc, ok := components(tagged); ok {
				r.Doc, r.Length, r.HasLength = doc, n, true
				return r, nil
			}
		}
	}
	if doc, ok := components(raw); ok {
		r.Doc = doc
		return r, nil
	}
	r.Doc = DocID(wpath.Text())
	return r, nil
}

// components reads RFC 1630's wpath = digits "=" path ";" [ wpath ] and gives
// the octets that it stands for.
func components(raw string) (DocID, bool) {
	var b []byte
	for raw != "" {
		one, rest, found := strings.Cut(raw, ";")
		tag, value, hasValue := strings.Cut(one, "=")
		n, err := strconv.ParseUint(tag, 10, 8)
		if !found || !hasValue || err != nil || n == 0 || tag[0] < '0' || tag[0] > '9' {
			return "", false
		}
		text := percent.Decode(value)
		b = append(b, byte(n))
		b = appendCompressed(b, uint64(len(text)))
		b = append(b, text...)
		raw = rest
	}
	return DocID(b), len(b) > 0
}

// appendCompressed appends WAIS's compressed integer: seven bits an octet, the
// most significant first, the top bit set on all but the last.
func appendCompressed(b []byte, n uint64) []byte {
	shift := 0
	for n>>(shift+7) != 0 {
		shift += 7
	}
	for ; shift > 0; shift -= 7 {
		b = append(b, byte(n>>shift)|0x80)
	}
	return append(b, byte(n)&0x7f)
}

// tagged writes the octets of d as RFC 1630's wpath, if they are components.
func (d DocID) tagged() (string, bool) {
	var b strings.Builder
	s := string(d)
	for s != "" {
		tag := s[0]
		s = s[1:]
		n, more := uint64(0), true
		for more {
			if s == "" || n > 1<<31 {
				return "", false
			}
			n = n<<7 | uint64(s[0]&0x7f)
			more = s[0]&0x80 != 0
			s = s[1:]
		}
		if tag == 0 || n > uint64(len(s)) {
			return "", false
		}
		b.WriteString(strconv.Itoa(int(tag)))
		b.WriteByte('=')
		b.WriteString(percent.Encode(s[:n], &escape))
		b.WriteByte(';')
		s = s[n:]
	}
	return b.String(), true
}

// URL writes the reference back: Read(r.URL()) gives r again. A document's
// identifier is written octet for octet, as in RFC 1738, or in the browsers'
// spelling when the length is known. It is the zero URL for a name of "." or
// "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	if scheme.IsDot(r.Database) || scheme.IsDot(r.Type) || scheme.IsDot(string(r.Doc)) {
		return anyurl.URL{}
	}
	var b strings.Builder
	b.WriteByte('/')
	b.WriteString(percent.Encode(r.Database, &escape))
	switch {
	case r.Doc != "" && r.HasLength:
		tagged, ok := r.Doc.tagged()
		if !ok {
			return anyurl.URL{}
		}
		b.WriteString("/" + percent.Encode(r.Type, &escape) + "/" + strconv.FormatUint(r.Length, 10) + "/" + tagged)
	case r.Doc != "":
		b.WriteString("/" + percent.Encode(r.Type, &escape) + "/" + percent.Encode(string(r.Doc), &escape))
	case r.HasSearch:
		b.WriteString("?" + strings.ReplaceAll(percent.Encode(r.Search, &escapeSearch), " ", "+"))
	}
	return scheme.Build("wais", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, b.String())
}

// Tagged gives the document's path in RFC 1630's spelling, "1=host;2=database;",
// and "" when the identifier is not made of components.
func (r Ref) Tagged() string {
	s, _ := r.Doc.tagged()
	return s
}

// Types gives the document's types, best first.
func (r Ref) Types() []string {
	if r.Type == "" {
		return nil
	}
	return strings.Split(r.Type, ",")
}

// Addr is the host and port to dial, "a.example:210".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about wais.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "wais", Family: "wais", Port: Port, Authority: true, Status: "historical",
		Defined:  "RFC 4156; RFC 1738, section 3.9",
		Says:     "A full-text database of the Wide Area Information Servers, a search in it, or a document that a search has found. A document's type stands in the URL because a client must name it to get the document.",
		Syntax:   "wais://host[:port]/database[?search] | wais://host[:port]/database/type/path",
		Example:  "wais://wais.example/garden?tulips+holland",
		Protocol: "WAIS, a profile of Z39.50-1988 (RFC 1625)",
		Read:     scheme.Reader(Read),
	}}
}
