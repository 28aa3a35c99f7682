// Package news reads news, nntp and snews URLs as RFC 5538 says, and RFC 1738,
// sections 3.6 and 3.7, said before it: Usenet articles and groups. Start with
// [Read].
//
// A news URL mostly names no server, because an article is on all of them; an
// nntp URL names one, which most people cannot reach.
package news

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports of RFC 5538, sections 2 and 8.1.
const (
	Port    = 119
	PortTLS = 563
)

// Ref is what a news URL points at: an article by its MessageID, an article by
// its Number in a Group, or the Group.
type Ref struct {
	// Scheme is "news", "nntp" or "snews".
	Scheme string `json:"scheme"`
	// Host is no host when the URL names no server: whoever opens it takes
	// the reader's own.
	Host anyurl.Host `json:"host,omitzero"`
	// Port is 0 without a host.
	Port     uint16 `json:"port,omitempty"`
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	HasUser  bool   `json:"hasUser,omitempty"`
	// Group is a group's name, or a pattern of names where it holds "*" or "?"
	// (RFC 3977, section 4); "*" is all of them.
	Group string `json:"group,omitempty"`
	// Number is the article's number in the group on that server, when
	// HasNumber is set.
	Number    uint64 `json:"number,omitempty"`
	HasNumber bool   `json:"hasNumber,omitempty"`
	// MessageID is without its angle brackets.
	MessageID string `json:"messageId,omitempty"`
}

var (
	// Nothing is broken by a URL that names neither a group nor an article.
	Nothing = rule.Rule{
		ID:      "news/nothing",
		Cite:    "RFC 5538, section 4; RFC 1738, section 3.6",
		Says:    "the URL names neither a group nor an article",
		Fix:     `write the group's name, the article's message identifier, or "*" for all groups`,
		Example: "news:",
	}
	// Word is broken by a space or a control character in a group's name or a
	// message identifier.
	Word = rule.Rule{
		ID:      "news/control",
		Cite:    "RFC 3977, section 3.1; RFC 1738, section 6",
		Says:    "a space or a control character would end this word of the NNTP command, or the command",
		Fix:     "take the escape out; neither a group's name nor a message identifier holds it",
		Example: "news:comp.example%0D%0APOST",
	}
	// MessageID is broken by a message identifier that is none.
	MessageID = rule.Rule{
		ID:      "news/message-id",
		Cite:    "RFC 5538, section 4; RFC 3977, section 3.6",
		Says:    "a message identifier is text, \"@\" and text, at most 248 octets in all, without \"<\" and \">\" inside",
		Fix:     "write it as the article's Message-ID field does, without the angle brackets",
		Example: "news:@a.example",
	}
	// Group is broken by a group's name that holds "/", which only parts it
	// from an article's number in nntp.
	Group = rule.Rule{
		ID:      "news/group",
		Cite:    "RFC 5538, section 4",
		Says:    `a group's name holds no "/"`,
		Fix:     `name the group alone; only nntp puts "/" and an article's number behind it`,
		Example: "news:comp.example/12",
	}
	// Number is broken by an article number that is none.
	Number = rule.Rule{
		ID:      "news/number",
		Cite:    "RFC 5538, section 3; RFC 3977, section 6",
		Says:    "an article's number is 1 to 16 decimal digits",
		Fix:     "write the number alone, or leave out the \"/\" before it",
		Example: "nntp://news.example/comp.example/first",
	}
)

// Rules lists the rules that a news URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Nothing, Word, MessageID, Group, Number} }

// unsendable are the octets that end a word of an NNTP command.
var unsendable = scheme.Controls.Or(abnf.Bytes(" "))

// Read reads u, a news, nntp or snews URL. The error, if any, is a *rule.Error.
//
// "@" tells a message identifier from a group, also when it is encoded. The "?"
// and "/" of a URL belong to the identifier; angle brackets around it are left
// out.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "news", "nntp", "snews"); err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme()}
	rest := scheme.Rest(u)
	if u.HasHost() {
		var err error
		if r.Host, err = scheme.Dialable(u); err != nil {
			return Ref{}, err
		}
		r.Port = scheme.Port(u, defaultPort(r.Scheme))
		user, password := scheme.User(u), scheme.Password(u)
		for _, p := range []scheme.Part{user, password} {
			if err := p.Forbid(&scheme.Controls, scheme.Control); err != nil {
				return Ref{}, err
			}
		}
		r.User, r.Password, r.HasUser = user.Text(), password.Text(), u.HasUserinfo()
		if rest.Len() > 0 {
			rest = rest.From(1) // the "/" that ends the authority
		}
	}
	if err := rest.Forbid(&unsendable, Word); err != nil {
		return Ref{}, err
	}
	text := rest.Text()
	if strings.Contains(text, "@") {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "<"), ">")
		left, right, _ := strings.Cut(text, "@")
		if left == "" || right == "" || len(text) > 248 || strings.ContainsAny(text, "<>") {
			return Ref{}, rest.Error(0, MessageID)
		}
		r.MessageID = text
		return r, nil
	}
	group := rest
	if r.Scheme == "nntp" {
		var number scheme.Part
		if group, number, r.HasNumber = rest.Cut('/'); r.HasNumber {
			var err error
			if r.Number, err = strconv.ParseUint(number.Text(), 10, 64); err != nil || number.Len() > 16 || number.Raw()[0] == '+' {
				return Ref{}, number.Error(0, Number)
			}
		}
	}
	r.Group = group.Text()
	if i := strings.IndexByte(r.Group, '/'); i >= 0 {
		slash := abnf.Bytes("/")
		return Ref{}, group.Error(group.Find(&slash), Group)
	}
	if r.Group == "" {
		return Ref{}, group.Error(0, Nothing)
	}
	return r, nil
}

func defaultPort(name string) uint16 {
	if name == "snews" {
		return PortTLS
	}
	return Port
}

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	rest := r.Group
	if r.MessageID != "" {
		rest = r.MessageID
	}
	if scheme.IsDot(rest) && !r.HasNumber && !r.Host.IsZero() {
		return anyurl.URL{}
	}
	rest = percent.Encode(rest, &scheme.Segment)
	if r.HasNumber {
		rest += "/" + strconv.FormatUint(r.Number, 10)
	}
	if r.Host.IsZero() {
		return scheme.Opaque(r.Scheme, rest)
	}
	return scheme.Build(r.Scheme, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: defaultPort(r.Scheme)}, "/"+rest)
}

// TLS reports whether the server is asked inside TLS from the first octet.
func (r Ref) TLS() bool { return r.Scheme == "snews" }

// Addr is the host and port to dial, or "" when the URL names no server.
func (r Ref) Addr() string {
	if r.Host.IsZero() {
		return ""
	}
	return scheme.Addr(r.Host, r.Port)
}

// Schemes gives the facts about news, nntp and snews.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{{
		Name: "news", Family: "news", Port: Port, Status: "permanent",
		Defined:  "RFC 5538, section 4; RFC 1738, section 3.6",
		Says:     "An article or a group of Usenet, wherever the reader's own news server has it: an \"@\" makes it an article. RFC 5538 lets a server be named, too.",
		Syntax:   "news:group | news:message-id | news:* | news://host[:port]/...",
		Example:  "news:comp.infosystems.www.misc",
		Protocol: "NNTP (RFC 3977)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "nntp", Family: "news", Port: Port, Authority: true, Status: "permanent",
		Defined:  "RFC 5538, section 3; RFC 1738, section 3.7",
		Says:     "An article by its number in a group on one news server. Numbers differ from server to server and most servers let only their own users in, so news is the better scheme to hand on.",
		Syntax:   "nntp://host[:port]/group[/number]",
		Example:  "nntp://news.example/comp.infosystems.www.misc/1234",
		Protocol: "NNTP (RFC 3977)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "snews", Family: "news", Port: PortTLS, Authority: true, Status: "historical",
		Defined:  "RFC 5538, section 8.1",
		Says:     "What news is, from a server that speaks NNTP inside TLS. RFC 5538 calls it historical; news servers change over to TLS on the usual port.",
		Syntax:   "snews://host[:port]/group | snews://host[:port]/message-id",
		Example:  "snews://news.example/comp.infosystems.www.misc",
		Protocol: "NNTP (RFC 3977) in TLS",
		Read:     scheme.Reader(Read),
	}}
}
