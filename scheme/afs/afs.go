// Package afs reads afs URLs: a file in the global name space of the Andrew
// File System. RFC 1630 has a form for them as a historical note, RFC 1738
// reserves the name. Start with [Read].
package afs

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what an afs URL points at.
type Ref struct {
	// Cell is the cell's name, in lower case.
	Cell string `json:"cell"`
	// Parts are the path's segments, decoded; none of them holds "/" or NUL.
	Parts []string `json:"parts,omitempty"`
	// Dir is set when the URL ends in "/", or names the cell alone.
	Dir bool `json:"dir,omitempty"`
}

var (
	// Cell is broken by a host that is no cell's name.
	Cell = rule.Rule{
		ID:      "afs/cell",
		Cite:    "RFC 1630, afsaddress and cellname",
		Says:    "a cell's name is like a host's: labels of letters, digits and \"-\" with dots between them, at most 255 octets",
		Fix:     "write the cell's name between \"//\" and \"/\"",
		Example: "afs://.cs.example/doc",
	}
	// Name is broken by a part of the path that is no file's name.
	Name = rule.Rule{
		ID:      "afs/name",
		Cite:    "RFC 1630, afsaddress",
		Says:    "an encoded \"/\" or NUL cannot be part of a file's name",
		Fix:     "write \"/\" where a folder ends, and leave NUL out",
		Example: "afs://cs.example/a%2F..%2Fb",
	}
)

// Rules lists the rules that an afs URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Cell, Name} }

var (
	unusable = abnf.Bytes("/\x00")
	label    = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-"))
)

// Read reads u, an afs URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "afs"); err != nil {
		return Ref{}, err
	}
	cell := scheme.HostPart(u)
	if cell.Len() == 0 {
		return Ref{}, cell.Error(0, scheme.HostMissing)
	}
	r := Ref{Cell: strings.ToLower(cell.Text())}
	if len(r.Cell) > 255 {
		return Ref{}, cell.Error(0, Cell)
	}
	for l := range strings.SplitSeq(r.Cell, ".") {
		if l == "" || len(l) != label.Span(l) {
			return Ref{}, cell.Error(0, Cell)
		}
	}
	for _, forbid := range []func(anyurl.URL) error{scheme.ForbidUserinfo, scheme.ForbidPort, scheme.ForbidQuery} {
		if err := forbid(u); err != nil {
			return Ref{}, err
		}
	}
	path := scheme.Path(u)
	if path.Len() <= 1 {
		r.Dir = true
		return r, nil
	}
	parts := path.From(1).Split('/')
	for i, p := range parts {
		if err := p.Forbid(&unusable, Name); err != nil {
			return Ref{}, err
		}
		switch {
		case p.Len() > 0:
			r.Parts = append(r.Parts, p.Text())
		case i == len(parts)-1:
			r.Dir = true
		}
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again. It is the zero
// URL when a part is "." or "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	for _, p := range r.Parts {
		if scheme.IsDot(p) {
			return anyurl.URL{}
		}
		b.WriteString("/" + percent.Encode(p, &scheme.Segment))
	}
	if r.Dir || len(r.Parts) == 0 {
		b.WriteByte('/')
	}
	return scheme.Opaque("afs", "//"+r.Cell+b.String())
}

// Path is the file's path below the folder that AFS is mounted on, "/afs" as a
// rule: the cell and the parts, without a slash in front.
func (r Ref) Path() string {
	return strings.Join(append([]string{r.Cell}, r.Parts...), "/")
}

// Schemes gives the facts about afs.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "afs", Family: "afs", Authority: true, Status: "provisional",
		Defined:  "RFC 1630, afsaddress; reserved by RFC 1738, section 4",
		Says:     "A file in the global name space of the Andrew File System, the same on every machine that runs its client: /afs, the cell's name, the path.",
		Syntax:   "afs://cell/path",
		Example:  "afs://cs.example/doc/README",
		Protocol: "the operating system's AFS client",
		Read:     scheme.Reader(Read),
	}}
}
