// Package z3950 reads z39.50s, z39.50r and z39.50 URLs as RFC 2056 says: a
// session with a library's database, or a record of one. Start with [Read].
package z3950

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is Z39.50's.
const Port = 210

// Ref is what a Z39.50 URL points at.
type Ref struct {
	// Scheme is "z39.50s", a session, "z39.50r", a retrieval, or "z39.50",
	// which RFC 1738 reserves without a form and which is read as a session.
	Scheme string      `json:"scheme"`
	Host   anyurl.Host `json:"host"`
	Port   uint16      `json:"port"`
	// Databases are the databases' names, decoded.
	Databases []string `json:"databases,omitempty"`
	// DocID names a record, decoded, when HasDocID is set.
	DocID    string `json:"docid,omitempty"`
	HasDocID bool   `json:"hasDocid,omitempty"`
	// ElementSet is the element set to ask for, decoded ("esn").
	ElementSet string `json:"esn,omitempty"`
	// Syntaxes are the record syntaxes that will do, best first ("rs").
	Syntaxes []string `json:"rs,omitempty"`
}

var (
	// DocID is broken by a retrieval that names no record.
	DocID = rule.Rule{
		ID:      "z39.50/docid",
		Cite:    "RFC 2056, section 4",
		Says:    "a retrieval names the record to get, behind \"?\"",
		Fix:     "add the record's identifier, or use z39.50s to begin a session",
		Example: "z39.50r://a.example/cat",
	}
	// Parameter is broken by a ";" that neither "esn=" nor "rs=" follows, or
	// follows twice.
	Parameter = rule.Rule{
		ID:      "z39.50/parameter",
		Cite:    "RFC 2056, section 4",
		Says:    `";" begins "esn=" with an element set or "rs=" with record syntaxes, each once`,
		Fix:     `write "%3B" for a semicolon in a name`,
		Example: "z39.50s://a.example/cat;user=joe",
	}
)

// Rules lists the rules that a Z39.50 URL can break here.
func Rules() []rule.Rule { return []rule.Rule{DocID, Parameter} }

// escape is Segment and what parts names from each other.
var escape = scheme.Segment.Or(abnf.Bytes("+;="))

// Read reads u, a z39.50s, z39.50r or z39.50 URL. The error, if any, is a
// *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "z39.50s", "z39.50r", "z39.50"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidUserinfo(u); err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme(), Host: host, Port: scheme.Port(u, Port)}
	rest := scheme.Rest(u)
	if strings.HasPrefix(rest.Raw(), "/") {
		rest = rest.From(1)
	}
	if err := rest.Forbid(&scheme.Controls, scheme.Control); err != nil {
		return Ref{}, err
	}
	// [ database *( "+" database ) [ "?" docid ] ] [ ";esn=" esn ] [ ";rs=" rs *( "+" rs ) ]
	parts := rest.Split(';')
	databases, docid, found := parts[0].Cut('?')
	if databases.Len() > 0 {
		r.Databases = names(databases)
	}
	r.DocID, r.HasDocID = docid.Text(), found
	if r.Scheme == "z39.50r" && r.DocID == "" {
		return Ref{}, parts[0].Error(parts[0].Len(), DocID)
	}
	for _, p := range parts[1:] {
		key, value, _ := p.Cut('=')
		switch {
		case strings.EqualFold(key.Raw(), "esn") && r.ElementSet == "" && value.Len() > 0:
			r.ElementSet = value.Text()
		case strings.EqualFold(key.Raw(), "rs") && r.Syntaxes == nil && value.Len() > 0:
			r.Syntaxes = names(value)
		default:
			return Ref{}, p.Error(0, Parameter)
		}
	}
	return r, nil
}

func names(p scheme.Part) (list []string) {
	for _, name := range p.Split('+') {
		list = append(list, name.Text())
	}
	return list
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL for a database of "." or "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	join := func(list []string) {
		for i, name := range list {
			if i > 0 {
				b.WriteByte('+')
			}
			b.WriteString(percent.Encode(name, &escape))
		}
	}
	b.WriteByte('/')
	join(r.Databases)
	if scheme.IsDot(b.String()[1:]) && r.ElementSet == "" && r.Syntaxes == nil {
		return anyurl.URL{}
	}
	if r.HasDocID {
		b.WriteString("?" + percent.Encode(r.DocID, &escape))
	}
	if r.ElementSet != "" {
		b.WriteString(";esn=" + percent.Encode(r.ElementSet, &escape))
	}
	if r.Syntaxes != nil {
		b.WriteString(";rs=")
		join(r.Syntaxes)
	}
	return scheme.Build(r.Scheme, scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, b.String())
}

// Addr is the host and port to dial, "a.example:210".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about z39.50s, z39.50r and z39.50.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "z39.50s", Family: "z3950", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 2056, section 3",
		Says:     "A session with the databases of a library's Z39.50 server, for the user to search in.",
		Syntax:   "z39.50s://host[:port][/database[+database]...[?docid]][;esn=element-set][;rs=syntax[+syntax]...]",
		Example:  "z39.50s://library.example/cat",
		Protocol: "Z39.50 (ISO 23950)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "z39.50r", Family: "z3950", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 2056, section 4",
		Says:     "A record of a library's database, got from its Z39.50 server by the record's identifier.",
		Syntax:   "z39.50r://host[:port]/database[+database]...?docid[;esn=element-set][;rs=syntax[+syntax]...]",
		Example:  "z39.50r://library.example/mags?elecworld.v30.n19;esn=f;rs=marc",
		Protocol: "Z39.50 (ISO 23950)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "z39.50", Family: "z3950", Port: Port, Authority: true, Status: "historical",
		Defined:  "reserved by RFC 1738, section 4; RFC 2056",
		Says:     "Access to Z39.50 services. RFC 1738 reserved the name and gave it no form; RFC 2056 defines z39.50s and z39.50r in its place, and it is read as the former.",
		Syntax:   "none; read as z39.50s",
		Example:  "z39.50://library.example/cat",
		Protocol: "Z39.50 (ISO 23950)",
		Read:     scheme.Reader(Read),
	}}
}
