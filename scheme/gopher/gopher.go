// Package gopher reads gopher and gophers URLs as RFC 4266 says, and RFC 1738
// said before it: a type, and a selector that is sent to the server octet for
// octet. Start with [Read].
package gopher

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is the port of RFC 1436. gophers uses it too: what listens there tells
// TLS and clear text apart by the first octet.
const Port = 70

// A Type is the one character that says what an item is. Types are told by the
// octet: there are more in use than RFC 1436 lists.
type Type byte

// The types of RFC 1436, section 3.8, and those that came into use later.
const (
	Text      Type = '0'
	Menu      Type = '1'
	NameQuery Type = '2' // a CSO name server
	Fault     Type = '3' // an error
	BinHex    Type = '4'
	DOS       Type = '5' // a DOS archive
	UUEncoded Type = '6'
	Search    Type = '7'
	Telnet    Type = '8'
	Binary    Type = '9'
	Redundant Type = '+' // another server with the same item
	TN3270    Type = 'T'
	GIF       Type = 'g'
	Image     Type = 'I'
	HTML      Type = 'h'
	Info      Type = 'i' // a line to read that leads nowhere
	Sound     Type = 's'
	Document  Type = 'd'
)

// String gives the character.
func (t Type) String() string { return string(rune(t)) }

// MarshalText gives the character.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Ref is what a gopher URL points at.
type Ref struct {
	// TLS is set for gophers, where TLS begins with the first octet.
	TLS  bool        `json:"tls,omitempty"`
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Type is '1', a menu, when the URL has no path.
	Type Type `json:"type"`
	// Selector is decoded. It holds no TAB, CR, LF or NUL, and often begins
	// with the type once more, which is the server's own business.
	Selector string `json:"selector"`
	// Search is what is looked for, decoded, when HasSearch is set.
	Search string `json:"search,omitempty"`
	// Plus is the Gopher+ string, decoded: "+", "!", "$" and what follows. It
	// holds no CR, LF or NUL but in a form, see the rule [Form].
	Plus string `json:"plus,omitempty"`
	// HasSearch is set when the URL has a search, even an empty one. The empty
	// search that only makes room for a Gopher+ string does not count.
	HasSearch bool `json:"hasSearch,omitempty"`
}

var (
	// SelectorCRLF is broken by a selector that holds CR, LF or NUL.
	SelectorCRLF = rule.Rule{
		ID:      "gopher/selector-crlf",
		Cite:    "RFC 4266, section 2.1; RFC 1738, section 6",
		Says:    "CR, LF or NUL in a selector would end the request line and send whatever follows as a second request",
		Fix:     "take the escape out; a selector is one line",
		Example: "gopher://a.example:25/1%0D%0AMAIL%20FROM:",
	}
	// SearchCRLF is broken by a search that holds CR, LF or NUL.
	SearchCRLF = rule.Rule{
		ID:      "gopher/search-crlf",
		Cite:    "RFC 4266, section 2.1; RFC 1738, section 6",
		Says:    "CR, LF or NUL in a search would end the request line and send whatever follows as a second request",
		Fix:     "take the escape out; a search is part of one line",
		Example: "gopher://a.example/7/find%09tulip%0D%0A",
	}
	// Form is broken by a Gopher+ string that holds CR, LF or NUL and is not
	// the answers to a form, which alone may hold line ends.
	Form = rule.Rule{
		ID:      "gopher/form",
		Cite:    "RFC 1738, section 3.4.9",
		Says:    "only the answers to a Gopher+ form hold line ends: \"+\", TAB, \"1\", \"+-1\", the answers and a lone \".\", each line ended by CR LF, on port 70",
		Fix:     "take the escapes out",
		Example: "gopher://a.example/0/x%09%09+%0D%0ADELE",
	}
	// TypeCharacter is broken by a type that is no visible ASCII character.
	TypeCharacter = rule.Rule{
		ID:      "gopher/type",
		Cite:    "RFC 4266, section 2.1",
		Says:    "the type is one visible character right after the host's \"/\"",
		Fix:     "write the item's type there, \"1\" for a menu or \"0\" for a text",
		Example: "gopher://a.example/%09tulip",
	}
)

// Rules lists the rules that a gopher URL can break here.
func Rules() []rule.Rule { return []rule.Rule{SelectorCRLF, SearchCRLF, Form, TypeCharacter} }

// Read reads u, a gopher or gophers URL. The error, if any, is a *rule.Error.
//
// A "?" is data: nothing in a gopher path is reserved (RFC 4266, section 2.1).
func Read(u anyurl.URL) (Ref, error) { return read(u, false) }

// Read1630 is [Read], but a "?" in the URL of a search (type '7') begins what
// is looked for, with "+" for a space, as RFC 1630 wrote it, unless a "%09"
// does.
func Read1630(u anyurl.URL) (Ref, error) { return read(u, true) }

func read(u anyurl.URL, rfc1630 bool) (Ref, error) {
	if err := scheme.Expect(u, "gopher", "gophers"); err != nil {
		return Ref{}, err
	}
	r := Ref{TLS: u.Scheme() == "gophers", Type: Menu, Port: scheme.Port(u, Port)}
	var err error
	if r.Host, err = scheme.Dialable(u); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	rest := scheme.Rest(u)
	if rest.Len() <= 1 {
		return r, nil // gopher://host and gopher://host/ are its menu
	}
	rest = rest.From(1)

	// gopher-path = gophertype selector [ %09 search [ %09 gopher+_string ] ]
	n := 1
	if c, ok := percent.At(rest.Raw(), 0); ok {
		r.Type, n = Type(c), 3
	} else {
		r.Type = Type(rest.Raw()[0])
	}
	if r.Type <= ' ' || r.Type >= 0x7f {
		return Ref{}, rest.Error(0, TypeCharacter)
	}
	rest = rest.From(n)

	selector, rest, found := cutTab(rest)
	if !found && rfc1630 && r.Type == Search {
		if s, search, found := selector.Cut('?'); found {
			if err := search.Forbid(&scheme.LineEnds, SearchCRLF); err != nil {
				return Ref{}, err
			}
			selector = s
			r.HasSearch = true
			r.Search = percent.Decode(strings.ReplaceAll(search.Raw(), "+", " "))
		}
	}
	if err := selector.Forbid(&scheme.LineEnds, SelectorCRLF); err != nil {
		return Ref{}, err
	}
	r.Selector = selector.Text()
	if !found {
		return r, nil
	}
	search, rest, found := cutTab(rest)
	if err := search.Forbid(&scheme.LineEnds, SearchCRLF); err != nil {
		return Ref{}, err
	}
	r.Search = search.Text()
	r.Plus = rest.Text()
	r.HasSearch = r.Search != "" || r.Plus == ""
	if !found {
		return r, nil
	}
	if i := rest.Find(&scheme.LineEnds); i >= 0 && !(r.Port == Port && isForm(r.Plus)) {
		return Ref{}, rest.Error(i, Form)
	}
	return r, nil
}

var tab = abnf.Bytes("\t")

// cutTab divides p at the first "%09". A parsed URL holds no other TAB.
func cutTab(p scheme.Part) (before, after scheme.Part, found bool) {
	if i := p.Find(&tab); i >= 0 {
		return p.To(i), p.From(i + 3), true
	}
	return p, p.From(p.Len()), false
}

// isForm reports whether s is what RFC 1738, section 3.4.9, sends to a form:
// "+" TAB "1" CR LF "+-1" CR LF, the answers, "." CR LF.
func isForm(s string) bool {
	body, ok := strings.CutPrefix(s, "+\t1\r\n+-1\r\n")
	if !ok {
		return false
	}
	for {
		line, rest, ok := strings.Cut(body, "\r\n")
		if !ok || strings.ContainsAny(line, "\r\n\x00") {
			return false
		}
		if line == "." {
			return rest == ""
		}
		body = rest
	}
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL for the one item that no parsed URL can hold, of type '.' with the
// selector "" or ".".
func (r Ref) URL() anyurl.URL {
	tail := ""
	switch {
	case r.Plus != "":
		tail = "%09" + percent.Encode(r.Search, &scheme.Segment) + "%09" + percent.Encode(r.Plus, &scheme.Segment)
	case r.HasSearch:
		tail = "%09" + percent.Encode(r.Search, &scheme.Segment)
	}
	item := r.Type.String() + r.Selector
	if scheme.IsDot(item) && tail == "" {
		return anyurl.URL{}
	}
	name := "gopher"
	if r.TLS {
		name = "gophers"
	}
	return scheme.Build(name, scheme.Authority{Host: r.Host, Port: r.Port, Default: Port},
		"/"+scheme.EscapePath(item, scheme.Segment)+tail)
}

// Addr is the host and port to dial, "a.example:70".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about gopher and gophers.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "gopher", Family: "gopher", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 4266; RFC 1738, section 3.4",
		Says:     "An item on a Gopher server: a menu, a text, a search or a file. The first character of the path is the item's type, the rest is the selector that the server gets as one line; \"%09\" parts it from a search and from a Gopher+ string.",
		Syntax:   "gopher://host[:port]/<type><selector>[%09<search>[%09<gopher+>]]",
		Example:  "gopher://gopher.example/7/find%09tulips",
		Protocol: "Gopher (RFC 1436), Gopher+",
		Read:     scheme.Reader(Read),
	}, {
		Name: "gophers", Family: "gopher", Port: Port, Authority: true, Status: "unregistered",
		Defined:  "common practice",
		Says:     "Gopher inside TLS from the first octet, usually on the same port as without. The scheme is in no registry; several clients know it.",
		Syntax:   "gophers://host[:port]/<type><selector>[%09<search>[%09<gopher+>]]",
		Example:  "gophers://gopher.example/1/docs",
		Protocol: "Gopher (RFC 1436) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
