// Package prospero reads prospero URLs as RFC 4157 says, and RFC 1738, section
// 3.11, said before it: a name that a Prospero directory server resolves. Start
// with [Read].
package prospero

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is the port of the directory service, by UDP.
const Port = 1525

// Ref is what a prospero URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// Name is the host-specific object name (hsoname), decoded. It begins after
	// the "/" that ends the authority and means something to the server alone.
	Name string `json:"name"`
	// Version is the object's version, from the field OBJECT-VERSION or from
	// RFC 1630's "%00" and digits; 0 is the current one.
	Version uint64 `json:"version,omitempty"`
	// Fields identify the target further, decoded, in the order of the URL.
	Fields []Field `json:"fields,omitempty"`
}

// A Field is one ";field=value" of the URL.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

var (
	// BadField is broken by a ";" that no "field=value" follows.
	BadField = rule.Rule{
		ID:      "prospero/field",
		Cite:    "RFC 4157, section 2; RFC 1738, section 3.11",
		Says:    `";" begins a field, which is a name, "=" and a value`,
		Fix:     `write "%3B" for a semicolon in the object's name`,
		Example: "prospero://a.example/pros/name;draft",
	}
	// BadVersion is broken by a version that is no number, or by a second one.
	BadVersion = rule.Rule{
		ID:      "prospero/version",
		Cite:    "RFC 4157, section 2; RFC 1630",
		Says:    "an object's version is given once, in decimal digits",
		Fix:     `write ";OBJECT-VERSION=" and the number, or leave it out for the current version`,
		Example: "prospero://a.example/pros/name;OBJECT-VERSION=last",
	}
)

// Rules lists the rules that a prospero URL can break here.
func Rules() []rule.Rule { return []rule.Rule{BadField, BadVersion} }

const versionField = "OBJECT-VERSION"

var (
	lineEnds = abnf.Bytes("\r\n")
	nul      = abnf.Bytes("\x00")
	// escape is Segment and what builds fields.
	escape = scheme.Segment.Or(abnf.Bytes(";="))
)

// Read reads u, a prospero URL. The error, if any, is a *rule.Error.
//
// A "?" is part of the name: nothing but ";" is reserved.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "prospero"); err != nil {
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
	rest := scheme.Rest(u)
	if rest.Len() > 0 {
		rest = rest.From(1)
	}
	if err := rest.Forbid(&lineEnds, scheme.Control); err != nil {
		return Ref{}, err
	}
	// prospero = hsoname *( ";" fieldname "=" fieldvalue )
	parts := rest.Split(';')
	name, versions := parts[0], 0
	if i := name.Find(&nul); i >= 0 {
		// RFC 1630: hsoname [ %00 version [ attributes ] ]
		version := name.From(i + 3)
		if r.Version, err = number(version); err != nil {
			return Ref{}, err
		}
		name, versions = name.To(i), 1
	}
	r.Name = name.Text()
	for _, p := range parts[1:] {
		key, value, found := p.Cut('=')
		if !found || key.Len() == 0 {
			return Ref{}, p.Error(0, BadField)
		}
		if err := p.Forbid(&nul, scheme.Control); err != nil {
			return Ref{}, err
		}
		if strings.EqualFold(key.Text(), versionField) {
			if versions++; versions > 1 {
				return Ref{}, p.Error(0, BadVersion)
			}
			if r.Version, err = number(value); err != nil {
				return Ref{}, err
			}
			continue
		}
		r.Fields = append(r.Fields, Field{key.Text(), value.Text()})
	}
	return r, nil
}

func number(p scheme.Part) (uint64, error) {
	n, err := strconv.ParseUint(p.Text(), 10, 64)
	if err != nil {
		return 0, p.Error(0, BadVersion)
	}
	return n, nil
}

// URL writes the reference back as RFC 1738 does: Read(r.URL()) gives r again.
// It is the zero URL for a name of "." or "..", which no parsed URL can hold.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	b.WriteByte('/')
	b.WriteString(scheme.EscapePath(r.Name, escape))
	if r.Version != 0 {
		b.WriteString(";" + versionField + "=" + strconv.FormatUint(r.Version, 10))
	}
	for _, f := range r.Fields {
		b.WriteString(";" + percent.Encode(f.Name, &escape) + "=" + percent.Encode(f.Value, &escape))
	}
	if scheme.IsDot(b.String()[1:]) {
		return anyurl.URL{}
	}
	return scheme.Build("prospero", scheme.Authority{Host: r.Host, Port: r.Port, Default: Port}, b.String())
}

// Addr is the host and port to send to, "a.example:1525", by UDP.
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about prospero.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "prospero", Family: "prospero", Port: Port, Authority: true, Status: "historical",
		Defined:  "RFC 4157; RFC 1738, section 3.11",
		Says:     "An object in a Prospero directory, which knows where and by which protocol the object is to be had: files of many archives under one tree, before the web. Its name means something to the server alone.",
		Syntax:   "prospero://host[:port]/hsoname[;field=value]...",
		Example:  "prospero://prospero.example//pros/archie/tulips;OBJECT-VERSION=3",
		Protocol: "Prospero on ARDP (UDP)",
		Read:     scheme.Reader(Read),
	}}
}
