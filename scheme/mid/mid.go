// Package mid reads mid and cid URLs as RFC 2392 says: a mail message by its
// Message-ID, or a part of one by its Content-ID. Start with [Read].
package mid

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Ref is what a mid or cid URL points at. The identifiers are decoded and
// without their angle brackets. They are compared octet for octet.
type Ref struct {
	// Scheme is "mid" or "cid".
	Scheme string `json:"scheme"`
	// MessageID is the message's, in a mid URL.
	MessageID string `json:"messageId,omitempty"`
	// ContentID is the part's; it is empty when a mid URL means the whole message.
	ContentID string `json:"contentId,omitempty"`
}

// Identifier is broken by an identifier that is empty or that no mail could
// carry. RFC 2392 wants "@" in it; mail in the wild has parts without, which
// are read all the same.
var Identifier = rule.Rule{
	ID:      "mid/identifier",
	Cite:    "RFC 2392, section 2; RFC 5322, section 3.6.4",
	Says:    "an identifier is not empty and holds no space, no control character, no \"<\" and no \">\"",
	Fix:     `write what stands between "<" and ">" in the Message-ID or Content-ID field, encoded`,
	Example: "cid:image%201@a.example",
}

// Rules lists the rules that a mid or cid URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Identifier} }

var (
	unusable = scheme.Controls.Or(abnf.Bytes(" "))
	brackets = abnf.Bytes("<>")
)

// Read reads u, a mid or cid URL. The error, if any, is a *rule.Error.
//
// In a mid URL "/" parts the message's identifier from a part's; "?" is data.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "mid", "cid"); err != nil {
		return Ref{}, err
	}
	if err := scheme.ForbidAuthority(u); err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme()}
	rest := scheme.Rest(u)
	var err error
	if r.Scheme == "cid" {
		r.ContentID, err = identifier(rest)
		if err != nil {
			return Ref{}, err
		}
		return r, nil
	}
	// midURL = "mid" ":" message-id [ "/" content-id ]
	message, content, found := rest.Cut('/')
	if r.MessageID, err = identifier(message); err != nil {
		return Ref{}, err
	}
	if found {
		if r.ContentID, err = identifier(content); err != nil {
			return Ref{}, err
		}
	}
	return r, nil
}

func identifier(p scheme.Part) (string, error) {
	if i := p.Find(&unusable); i >= 0 {
		return "", p.Error(i, Identifier)
	}
	id := p.Text()
	if strings.HasPrefix(id, "<") && strings.HasSuffix(id, ">") {
		id = id[1:max(len(id)-1, 1)]
	}
	if id == "" {
		return "", p.Error(0, Identifier)
	}
	if strings.ContainsAny(id, "<>") {
		return "", p.Error(p.Find(&brackets), Identifier)
	}
	return id, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	if r.Scheme == "cid" {
		return scheme.Opaque("cid", percent.Encode(r.ContentID, &scheme.Segment))
	}
	s := percent.Encode(r.MessageID, &scheme.Segment)
	if r.ContentID != "" {
		s += "/" + percent.Encode(r.ContentID, &scheme.Segment)
	}
	return scheme.Opaque("mid", s)
}

// Schemes gives the facts about mid and cid.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "mid", Family: "mid", Status: "permanent",
		Defined:  "RFC 2392; reserved by RFC 1738, section 4",
		Says:     "A mail message by its Message-ID, or a part of it, wherever the reader keeps mail. It names no place to look.",
		Syntax:   "mid:message-id[/content-id]",
		Example:  "mid:960830.1639@a.example/partA.960830.1639@a.example",
		Protocol: "the reader's mailbox: files or IMAP (RFC 9051)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "cid", Family: "mid", Status: "permanent",
		Defined:  "RFC 2392; reserved by RFC 1738, section 4",
		Says:     "A part of a mail message by its Content-ID, as the pictures of a letter in HTML are named. It is looked for in the message that it stands in.",
		Syntax:   "cid:content-id",
		Example:  "cid:foo4%25foo1@a.example",
		Protocol: "the reader's mailbox: files or IMAP (RFC 9051)",
		Read:     scheme.Reader(Read),
	}}
}
