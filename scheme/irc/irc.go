// Package irc reads irc, ircs and irc6 URLs as an Internet-Draft of 2003
// (draft-butcher-irc-url) describes them: a server to chat on, and a channel or a
// person there. Start with [Read].
package irc

import (
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
	"anyurl/rule"
	"anyurl/scheme"
)

// The ports in use: the draft says 194, and nobody listens there.
const (
	Port    = 6667
	PortTLS = 6697
)

// Ref is what an irc URL points at.
type Ref struct {
	// Scheme is "irc", "ircs" or "irc6".
	Scheme string      `json:"scheme"`
	Host   anyurl.Host `json:"host"`
	Port   uint16      `json:"port"`
	// User and Password are decoded.
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	HasUser  bool   `json:"hasUser,omitempty"`
	// Target is a channel's or a person's name, decoded, and empty for the
	// server alone. A channel's "#" may be missing, see [Ref.Channel].
	Target string `json:"target,omitempty"`
	// Flags are what stands behind the target with commas: "isnick", "needkey".
	Flags []string `json:"flags,omitempty"`
	// Key is the channel's key, from the query, decoded.
	Key string `json:"key,omitempty"`
}

// Word is broken by an octet that would end a word of an IRC command.
var Word = rule.Rule{
	ID:      "irc/control",
	Cite:    "RFC 2812, section 2.3.1; RFC 1738, section 6",
	Says:    "a space, CR, LF, NUL or BEL would end this word of the IRC command, or the command",
	Fix:     "take the escape out; no name on IRC holds it",
	Example: "irc://chat.example/%23tulips%0D%0AQUIT",
}

// Rules lists the rules that an irc URL can break here.
func Rules() []rule.Rule { return []rule.Rule{Word} }

var (
	unsendable = scheme.Controls.Or(abnf.Bytes(" "))
	// escape is Segment and the comma, which parts flags from the target.
	escape = scheme.Segment.Or(abnf.Bytes(","))
)

// Read reads u, an irc, ircs or irc6 URL. The error, if any, is a *rule.Error.
//
// A "#" begins a fragment, so that a channel's has to be encoded; where the path
// is empty, a fragment is taken for the channel that it was meant to be.
func Read(u anyurl.URL) (Ref, error) {
	if err := scheme.Expect(u, "irc", "ircs", "irc6"); err != nil {
		return Ref{}, err
	}
	host, err := scheme.Dialable(u)
	if err != nil {
		return Ref{}, err
	}
	r := Ref{Scheme: u.Scheme(), Host: host, Port: scheme.Port(u, defaultPort(u.Scheme())), HasUser: u.HasUserinfo()}
	user, password := scheme.User(u), scheme.Password(u)
	all := scheme.All(u)
	path := scheme.Path(u)
	if path.Len() > 0 {
		path = path.From(1)
	}
	query := scheme.Query(u)
	fragment := all.From(all.Len() - len(u.Fragment()))
	for _, p := range []scheme.Part{user, password, path, query} {
		if err := p.Forbid(&unsendable, Word); err != nil {
			return Ref{}, err
		}
	}
	r.User, r.Password = user.Text(), password.Text()
	parts := path.Split(',')
	r.Target = parts[0].Text()
	for _, p := range parts[1:] {
		if p.Len() > 0 {
			r.Flags = append(r.Flags, p.Text())
		}
	}
	if path.Len() == 0 && fragment.Len() > 0 {
		if err := fragment.Forbid(&unsendable, Word); err != nil {
			return Ref{}, err
		}
		channel, _, _ := fragment.Cut(',')
		r.Target = "#" + channel.Text()
	}
	for _, p := range query.Split('&') {
		if key, value, found := p.Cut('='); found && strings.EqualFold(key.Text(), "key") {
			r.Key = value.Text()
		}
	}
	return r, nil
}

func defaultPort(name string) uint16 {
	if name == "ircs" {
		return PortTLS
	}
	return Port
}

// Channel gives the channel to join, with the "#" that the URL may leave out,
// and false when the target is a person, or the server itself.
func (r Ref) Channel() (string, bool) {
	if r.Target == "" {
		return "", false
	}
	for _, f := range r.Flags {
		if f == "isnick" || f == "isuser" {
			return "", false
		}
	}
	if strings.IndexByte("#&+!", r.Target[0]) >= 0 {
		return r.Target, true
	}
	return "#" + r.Target, true
}

// TLS reports whether TLS begins with the first octet.
func (r Ref) TLS() bool { return r.Scheme == "ircs" }

// URL writes the reference back: Read(r.URL()) gives r again.
func (r Ref) URL() anyurl.URL {
	var b strings.Builder
	b.WriteString("/" + percent.Encode(r.Target, &escape))
	for _, f := range r.Flags {
		b.WriteString("," + percent.Encode(f, &escape))
	}
	if scheme.IsDot(b.String()[1:]) {
		return anyurl.URL{}
	}
	if r.Key != "" {
		b.WriteString("?key=" + percent.Encode(r.Key, &percent.Component))
	}
	return scheme.Build(r.Scheme, scheme.Authority{User: r.User, Password: r.Password, HasUser: r.HasUser,
		Host: r.Host, Port: r.Port, Default: defaultPort(r.Scheme)}, b.String())
}

// Addr is the host and port to dial, "a.example:6667".
func (r Ref) Addr() string { return scheme.Addr(r.Host, r.Port) }

// Schemes gives the facts about irc, ircs and irc6.
func Schemes() []scheme.Scheme {
	const syntax = "irc://[user@]host[:port]/[target[,flag]...][?key=key]"
	return []scheme.Scheme{{
		Name: "irc", Family: "irc", Port: Port, Authority: true, Status: "provisional",
		Defined:  "draft-butcher-irc-url-04",
		Says:     "A channel, or a person, on an Internet Relay Chat server. A channel's \"#\" is written \"%23\", or left out.",
		Syntax:   syntax,
		Example:  "irc://chat.example/%23tulips",
		Protocol: "IRC (RFC 2812)",
		Read:     scheme.Reader(Read),
	}, {
		Name: "ircs", Family: "irc", Port: PortTLS, Authority: true, Status: "provisional",
		Defined:  "draft-butcher-irc-url-04",
		Says:     "A channel, or a person, on an Internet Relay Chat server, reached in TLS.",
		Syntax:   strings.Replace(syntax, "irc:", "ircs:", 1),
		Example:  "ircs://chat.example/%23tulips",
		Protocol: "IRC (RFC 2812) in TLS",
		Read:     scheme.Reader(Read),
	}, {
		Name: "irc6", Family: "irc", Port: Port, Authority: true, Status: "provisional",
		Defined:  "draft-butcher-irc-url-04",
		Says:     "What irc is, reached by IPv6.",
		Syntax:   strings.Replace(syntax, "irc:", "irc6:", 1),
		Example:  "irc6://chat.example/%23tulips",
		Protocol: "IRC (RFC 2812)",
		Read:     scheme.Reader(Read),
	}}
}
