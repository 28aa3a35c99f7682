// Package dict reads dict URLs as RFC 2229, section 5, says: a word to look up in
// dictionaries. Start with [Read].
package dict

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// Port is DICT's (RFC 2229, section 2).
const Port = 2628

// Ref is what a dict URL points at.
type Ref struct {
	// Host and Port are where the server is; Port is the default where the URL
	// has none.
	Host anyurl.Host `json:"host"`
	Port uint16      `json:"port"`
	// User is for the server's AUTH, decoded. Auth is what stands behind ";":
	// "AUTH" for a login whose secret the user is asked for.
	User string `json:"user,omitempty"`
	Auth string `json:"auth,omitempty"`
	// Define is set for a definition ("d:") and unset for a match ("m:").
	Define bool `json:"define,omitempty"`
	// Word is what is looked up, decoded, and empty for the server alone.
	Word string `json:"word,omitempty"`
	// Database is "!", the first that has the word, unless the URL says otherwise.
	Database string `json:"database,omitempty"`
	// Strategy is a match's, and "." unless the URL says otherwise.
	Strategy string `json:"strategy,omitempty"`
	// N is which of the definitions or matches is meant, from 1 on; 0 is all.
	N int `json:"n,omitempty"`
}

var (
	// ControlOctet is broken by an octet that would end the command.
	ControlOctet = rule.Rule{
		ID:      "dict/control",
		Cite:    "RFC 2229, section 2.3; RFC 1738, section 6",
		Says:    "a control character would end this word of the DICT command, or the command",
		Fix:     "take the escape out; no dictionary has a word with it",
		Example: "dict://dict.example/d:tulip%0D%0AQUIT",
	}
	// Form is broken by a path that is neither a definition nor a match.
	Form = rule.Rule{
		ID:      "dict/form",
		Cite:    "RFC 2229, section 5",
		Says:    `the path is "d:" and a word, with a database and a number behind, or "m:" and a word, with a database, a strategy and a number behind`,
		Fix:     `write "/d:" and the word to get its definition`,
		Example: "dict://dict.example/tulip",
	}
)

// Rules lists the rules that a dict URL can break here.
func Rules() []rule.Rule { return []rule.Rule{ControlOctet, Form} }

// escape is Segment and the colon, which parts the fields.
var escape = scheme.Segment.Or(abnf.Bytes(":"))

// Read reads u, a dict URL. The error, if any, is a *rule.Error.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "dict"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	r := Ref{Host: host, Port: scheme.Port(u, Port)}
	user, rest := scheme.User(u), scheme.Rest(u)
	for _, p := range []scheme.Part{user, scheme.Password(u), rest} {
		if err := p.Forbid(&scheme.Controls, ControlOctet); err != nil {
			return Ref{}, err
		}
	}
	if u.Password() != "" {
		return Ref{}, scheme.Password(u).Error(0, scheme.NoUserinfo)
	}
	// The userinfo set encodes ";", so both spellings come to the same.
	r.User, r.Auth, _ = strings.Cut(user.Text(), ";")
	if rest.Raw() == "" || rest.Raw() == "/" {
		return r, nil
	}
	if rest.Raw()[0] == '/' {
		rest = rest.From(1)
	}
	parts := rest.Split(':')
	command, fields := parts[0], parts[1:]
	r.Define = strings.EqualFold(command.Raw(), "d")
	if most := 4; len(fields) == 0 || fields[0].Len() == 0 || !r.Define && !strings.EqualFold(command.Raw(), "m") ||
		len(fields) > most || r.Define && len(fields) > most-1 {
		return Ref{}, rest.Error(0, Form)
	}
	r.Word, r.Database, r.Strategy = fields[0].Text(), "!", ""
	if !r.Define {
		r.Strategy = "."
	}
	for i, p := range fields[1:] {
		if p.Len() == 0 {
			continue
		}
		switch {
		case i == 0:
			r.Database = p.Text()
		case i == 1 && !r.Define:
			r.Strategy = p.Text()
		default:
			if r.N, err = strconv.Atoi(p.Text()); err != nil || r.N < 1 {
				return Ref{}, p.Error(0, Form)
			}
		}
	}
	return r, nil
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	user := r.User
	if r.Auth != "" {
		user += ";" + r.Auth
	}
	a := scheme.Authority{User: user, HasUser: user != "", Host: r.Host, Port: r.Port, Default: Port}
	if r.Word == "" {
		return scheme.Build("dict", a, "/")
	}
	fields := []string{"m", percent.Encode(r.Word, &escape), percent.Encode(r.Database, &escape), percent.Encode(r.Strategy, &escape), ""}
	if r.Define {
		fields[0] = "d"
		fields = append(fields[:3], "")
	}
	if r.N != 0 {
		fields[len(fields)-1] = strconv.Itoa(r.N)
	}
	return scheme.Build("dict", a, "/"+strings.TrimRight(strings.Join(fields, ":"), ":"))
}

// Addr is the host and port to dial, "a.example:2628".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about dict.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "dict", Family: "dict", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 2229, section 5",
		Says:     "A word's definitions in the dictionaries of a DICT server, or the words there that are like it.",
		Syntax:   "dict://[user[;auth]@]host[:port]/d:word[:database[:n]] | /m:word[:database[:strategy[:n]]]",
		Example:  "dict://dict.example/d:tulip:wn",
		Protocol: "DICT (RFC 2229)",
		Read:     scheme.Reader(Read),
	}}
}
