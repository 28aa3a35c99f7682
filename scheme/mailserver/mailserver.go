// Package mailserver reads mailserver URLs: a letter whose answer is the data.
// RFC 1738, section 4, reserved the name; an Internet-Draft of 1995 gave it a
// form, and RFC 6196 registers it as historical on that ground. Start with [Read].
package mailserver

import (
	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is the request that a mailserver URL describes, decoded.
type Ref struct {
	// To is the mail server's address.
	To      string `json:"to"`
	Subject string `json:"subject"`
	// Body's lines end in CR LF.
	Body string `json:"body"`
}

var (
	// Address is broken by a mail server without a mail address.
	Address = rule.Rule{
		ID:      "mailserver/address",
		Cite:    "draft-ietf-uri-url-mailserver-01; RFC 6196",
		Says:    "the scheme's colon is followed by the mail server's address, local-part@domain",
		Fix:     "write the bare address there",
		Example: "mailserver:listserv/get/x",
	}
	// ControlOctet is broken by a line end or NUL where the letter has a header.
	ControlOctet = rule.Rule{
		ID:      "mailserver/control",
		Cite:    "RFC 1738, section 6; RFC 5322, section 2.2",
		Says:    "CR, LF or NUL in the address or the subject would add header fields of its own to the letter",
		Fix:     "take the escape out; only the body has line ends, and nothing has NUL",
		Example: "mailserver:listserv@a.example/x%0D%0ABcc:%20spy@b.example/",
	}
)

// Rules lists the rules that a mailserver URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Address, ControlOctet} }

var nul = abnf.Bytes("\x00")

// Read reads u, a mailserver URL. The error, if any, is a *rule.Error.
//
// The three fields are parted by "/"; what is missing at the end is empty, and a
// third "/" is part of the body.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "mailserver"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	to, rest, _ := scheme.Rest(u).Cut('/')
	subject, body, _ := rest.Cut('/')
	for _, p := range []scheme.Part{to, subject} {
		if err := p.Forbid(&scheme.LineEnds, ControlOctet); err != nil {
			return Ref{}, err
		}
	}
	if err := body.Forbid(&nul, ControlOctet); err != nil {
		return Ref{}, err
	}
	if !scheme.IsAddrSpec(to.Text()) {
		return Ref{}, to.Error(0, Address)
	}
	return Ref{to.Text(), subject.Text(), scheme.Lines(body.Text())}, nil
}

// URL writes the request back, with both of its slashes: Read(r.URL()) gives r
// again.
func (r Ref) URL() anyurl.URL {
	return scheme.Opaque("mailserver", percent.Encode(r.To, &scheme.Segment)+"/"+
		percent.Encode(r.Subject, &scheme.Segment)+"/"+percent.Encode(r.Body, &scheme.Segment))
}

// Schemes gives the facts about mailserver.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "mailserver", Family: "mailserver", Status: "historical",
		Defined:  "RFC 6196; reserved by RFC 1738, section 4",
		Says:     "Data that a program sends back when it gets a letter with the right subject and text, as list servers did before the web. It must never send a letter that the user has not seen.",
		Syntax:   "mailserver:address/subject/body",
		Example:  "mailserver:listserv@a.example//get%20faq%0D%0Aend",
		Protocol: "SMTP (RFC 5321), to send the request",
		Read:     scheme.Reader(Read),
	}}
}
