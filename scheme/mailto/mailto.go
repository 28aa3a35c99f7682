// Package mailto reads mailto URLs as RFC 6068 says: a letter that is yet to be
// written. Start with [Read].
//
// A mailto URL points at no data and may be made by anyone; nothing in it is a
// reason to send a letter that the user has not seen.
package mailto

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is the draft that a mailto URL describes. Everything is decoded.
type Ref struct {
	// To, Cc and Bcc are addresses (RFC 5322's addr-spec), in the order of the URL.
	To      []string `json:"to,omitempty"`
	Cc      []string `json:"cc,omitempty"`
	Bcc     []string `json:"bcc,omitempty"`
	Subject string   `json:"subject,omitempty"`
	// Body's lines end in CR LF.
	Body string `json:"body,omitempty"`
	// Fields are the other header fields, in the order of the URL.
	Fields []Field `json:"fields,omitempty"`
}

// A Field is a header field of the draft.
type Field struct {
	// Name is in lower case.
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Safe reports whether a program may take a header field from a mailto URL
// into a letter without asking (RFC 6068, section 4): the rest could forge the
// sender, reroute the letter or change how it is read.
func Safe(name string) bool {
	switch strings.ToLower(name) {
	case "to", "cc", "subject", "body", "keywords", "in-reply-to", "references", "comments":
		return true
	}
	return false
}

var (
	// Address is broken by what should be a mail address and is none.
	Address = rule.Rule{
		ID:      "mailto/address",
		Cite:    "RFC 6068, section 2; RFC 5322, section 3.4.1",
		Says:    `this is no mail address of the form local-part@domain`,
		Fix:     "write the bare address, without a name before it, and encode what the form has no place for",
		Example: "mailto:joe",
	}
	// ControlOctet is broken by a line end or NUL where the letter has a header.
	ControlOctet = rule.Rule{
		ID:      "mailto/control",
		Cite:    "RFC 6068, sections 4 and 7",
		Says:    "CR, LF or NUL in an address or a header field would add header fields of its own to the letter",
		Fix:     "take the escape out; only the body has line ends, and nothing has NUL",
		Example: "mailto:joe@a.example?subject=x%0D%0ABcc:%20spy@b.example",
	}
	// FieldName is broken by a header field whose name is none.
	FieldName = rule.Rule{
		ID:      "mailto/field-name",
		Cite:    "RFC 6068, section 2; RFC 5322, section 2.2",
		Says:    `a header field's name is one or more visible characters without ":"`,
		Fix:     `write "&name=value" for each field`,
		Example: "mailto:joe@a.example?=x",
	}
	// FieldTwice is broken by a second subject.
	FieldTwice = rule.Rule{
		ID:      "mailto/field-twice",
		Cite:    "RFC 5322, section 3.6",
		Says:    "a letter has one subject",
		Fix:     "leave all but one out",
		Example: "mailto:joe@a.example?subject=a&subject=b",
	}
)

// Rules lists the rules that a mailto URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Address, ControlOctet, FieldName, FieldTwice} }

var (
	nul = abnf.Bytes("\x00")
	// fieldName is RFC 5322, section 2.2: visible characters except ":".
	fieldName = abnf.Range('!', '~').Minus(abnf.Bytes(":"))
	// escape is what has to be encoded in an address or a field: all but RFC
	// 6068's qchar, and the comma, which parts addresses.
	escape = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~!$'()*+:@")).Not()
)

// Read reads u, a mailto URL, as RFC 6068 does. The error, if any, is a
// *rule.Error.
//
// A comma parts addresses, "%2C" belongs to one; "+" is a plus sign. A "to" field
// adds to the addresses in the path, several bodies become one.
func Read(u anyurl.URL) (Ref, error) {
	r, err := read1738(u, scheme.Path(u), true)
	if err != nil || !u.HasQuery() {
		return r, err
	}
	subject := false
	var body strings.Builder
	for _, p := range scheme.Query(u).Split('&') {
		if p.Len() == 0 {
			continue
		}
		name, value, _ := p.Cut('=')
		if err := r.field(name, value, &subject, &body); err != nil {
			return Ref{}, err
		}
	}
	r.Body = body.String()
	return r, nil
}

// Read1738 is [Read] as RFC 1738, section 3.5, has it: one address, and "?" is
// part of it.
func Read1738(u anyurl.URL) (Ref, error) { return read1738(u, scheme.Rest(u), false) }

func read1738(u anyurl.URL, to scheme.Part, list bool) (Ref, error) {
	if err := scheme.Expect(u, "mailto"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	var r Ref
	if to.Len() == 0 && list {
		return r, nil
	}
	var err error
	r.To, err = addresses(nil, to, list, false)
	return r, err
}

// field takes one hfield of RFC 6068 into r.
func (r *Ref) field(name, value scheme.Part, subject *bool, body *strings.Builder) (err error) {
	key := strings.ToLower(name.Text())
	invalid := fieldName.Not()
	if i := name.Find(&invalid); i >= 0 || key == "" {
		return name.Error(max(i, 0), FieldName)
	}
	if key == "body" {
		if err := value.Forbid(&nul, ControlOctet); err != nil {
			return err
		}
		text := scheme.Lines(value.Text())
		if body.Len() > 0 && text != "" && !strings.HasSuffix(body.String(), "\r\n") {
			body.WriteString("\r\n")
		}
		body.WriteString(text)
		return nil
	}
	if err := value.Forbid(&scheme.LineEnds, ControlOctet); err != nil {
		return err
	}
	switch key {
	case "to":
		r.To, err = addresses(r.To, value, true, true)
	case "cc":
		r.Cc, err = addresses(r.Cc, value, true, true)
	case "bcc":
		r.Bcc, err = addresses(r.Bcc, value, true, true)
	case "subject":
		if *subject {
			return name.Error(0, FieldTwice)
		}
		*subject = true
		r.Subject = value.Text()
	default:
		r.Fields = append(r.Fields, Field{key, value.Text()})
	}
	return err
}

// addresses appends the addresses in p. In a header field, which may be empty,
// a name may stand before an address in angle brackets; it is left out.
func addresses(to []string, p scheme.Part, list, header bool) ([]string, error) {
	if header && p.Len() == 0 {
		return to, nil
	}
	parts := []scheme.Part{p}
	if list {
		parts = p.Split(',')
	}
	for _, a := range parts {
		if err := a.Forbid(&scheme.LineEnds, ControlOctet); err != nil {
			return nil, err
		}
		s := strings.Trim(a.Text(), " ")
		if i := strings.LastIndexByte(s, '<'); header && i >= 0 && strings.HasSuffix(s, ">") {
			s = s[i+1 : len(s)-1]
		}
		if !scheme.IsAddrSpec(s) {
			return nil, a.Error(0, Address)
		}
		to = append(to, s)
	}
	return to, nil
}

// URL writes the draft back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	list := func(addresses []string) {
		for i, a := range addresses {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(percent.Encode(a, &escape))
		}
	}
	list(r.To)
	mark := byte('?')
	field := func(name string) {
		b.WriteByte(mark)
		b.WriteString(percent.Encode(name, &escape))
		b.WriteByte('=')
		mark = '&'
	}
	if len(r.Cc) > 0 {
		field("cc")
		list(r.Cc)
	}
	if len(r.Bcc) > 0 {
		field("bcc")
		list(r.Bcc)
	}
	if r.Subject != "" {
		field("subject")
		b.WriteString(percent.Encode(r.Subject, &escape))
	}
	for _, f := range r.Fields {
		field(f.Name)
		b.WriteString(percent.Encode(f.Value, &escape))
	}
	if r.Body != "" {
		field("body")
		b.WriteString(percent.Encode(r.Body, &escape))
	}
	return scheme.Opaque("mailto", b.String())
}

// Schemes gives the facts about mailto.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "mailto", Family: "mailto", Status: "permanent",
		Defined:  "RFC 6068; RFC 1738, section 3.5",
		Says:     "A letter to write: who it goes to, and in RFC 6068 also its subject, its text and other header fields. It points at no data, and RFC 1738 gives no character in it a meaning of its own.",
		Syntax:   "mailto:[address[,address]...][?field=value[&field=value]...]",
		Example:  "mailto:joe@a.example,ann@b.example?subject=Tulips&body=in%20May",
		Protocol: "SMTP (RFC 5321), to send it",
		Read:     scheme.Reader(Read),
	}}
}
