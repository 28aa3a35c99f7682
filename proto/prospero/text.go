package prospero

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// A Link is one entry of a directory: a name, and what it stands for.
type Link struct {
	Kind    string // "L" for a link, "U" for a union link
	Target  string // "FILE", "DIRECTORY", "DIRECTORY+FILE", "OBJECT", "SYMBOLIC", "EXTERNAL"; "NULL" without the right to see
	Name    string
	Object  Object
	Version uint64
	// Attributes are those of the object that the server told with the link.
	Attributes []Attribute
}

// An Object is where something is: a host and its name there.
type Object struct {
	HostType string // "INTERNET-D"
	Host     string // "a.example", or with a port "a.example(1525)"
	NameType string // "ASCII"
	Name     string
}

// An Attribute is something said of an object.
type Attribute struct {
	Applies string   // "OBJECT" or "LINK"
	Class   string   // "INTRINSIC", "FIELD", "APPLICATION"
	Name    string   // "SIZE"
	Kind    string   // "SEQUENCE", "LINK", "FILTER"
	Values  []string // as they came: quote them before showing them
}

// A Reply is the answer to a request.
type Reply struct {
	Links      []Link
	Attributes []Attribute // of the object that was asked about
	Unresolved []string    // components left for the client, after the last link
	Empty      bool        // the server said that there is nothing
	Forwarded  *Link       // where to ask instead: Object and Version
	Warnings   []string
	Version    string // the server's protocol and software
	Text       []byte // all of it, as it came
}

// A Failure is a server's word that it did not do as asked.
type Failure struct {
	Code string // "NOT-FOUND", "NOT-AUTHORIZED", "ERROR" …
	Text string // the server's words; quote them before showing them
}

// Error says the code.
func (f *Failure) Error() string { return "the server answered " + strconv.Quote(f.Code) }

// Said is the code and the server's words.
func (f *Failure) Said() string { return strings.TrimSpace(f.Code + " " + f.Text) }

var errQuote = errors.New("a quotation that does not end")

// tokens takes a text apart: lines of tokens. "'" opens and closes a quotation
// anywhere in a token, and twice inside one is one of itself; what is quoted
// may hold any octet. limit bounds the lines, if it is not negative, and ten
// times as many tokens.
func tokens(text []byte, limit int) (lines [][]string, err error) {
	var line []string
	var token []byte
	began, count := false, 0
	end := func() {
		if began {
			count++
			line = append(line, string(token))
			token, began = token[:0], false
		}
	}
	for i := 0; i < len(text); i++ {
		if limit >= 0 && (len(lines) > limit || count/10 > limit) {
			return nil, errTooMany
		}
		switch c := text[i]; c {
		case ' ', '\t':
			end()
		case '\n':
			end()
			if len(line) > 0 {
				lines = append(lines, line)
				line = nil
			}
		case '\'':
			began = true
			for i++; ; i++ {
				n := bytes.IndexByte(text[i:], '\'')
				if n < 0 {
					return nil, errQuote
				}
				token = append(token, text[i:i+n]...)
				if i += n; i+1 >= len(text) || text[i+1] != '\'' {
					break
				}
				token = append(token, '\'')
				i++
			}
		default:
			began = true
			token = append(token, c)
		}
	}
	end()
	if len(line) > 0 {
		lines = append(lines, line)
	}
	return lines, nil
}

// quoted writes a token, in quotation marks where it needs them. A token with
// CR, LF or NUL is refused: not every server reads those where they are quoted.
func quoted(s string) (string, error) {
	if i := strings.IndexAny(s, "\r\n\x00"); i >= 0 {
		return "", &wire.Unsafe{Octet: s[i], Offset: i}
	}
	if s != "" && !strings.ContainsAny(s, " \t'") {
		return s, nil
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", nil
}

// parseReply reads a reply. A refusal is an error, a *Failure.
func parseReply(text []byte, limit int) (Reply, error) {
	lines, err := tokens(text, limit)
	if err != nil {
		if err == errQuote {
			err = &Malformed{"the reply has " + err.Error(), head(text)}
		}
		return Reply{}, err
	}
	r := Reply{Text: text}
	known := 0
	for _, line := range lines {
		word, rest := line[0], line[1:]
		bad := func(why string) (Reply, error) {
			return Reply{}, &Malformed{"a line " + word + " " + why, strings.Join(line, " ")}
		}
		known++
		switch word {
		case "LINK":
			l, ok := parseLink(rest)
			if !ok {
				return bad("is too short, or its version is no number")
			}
			r.Links = append(r.Links, l)
		case "ATTRIBUTE":
			if len(rest) < 4 {
				return bad("is too short")
			}
			a := Attribute{rest[0], rest[1], rest[2], rest[3], rest[4:]}
			if n := len(r.Links); n > 0 {
				r.Links[n-1].Attributes = append(r.Links[n-1].Attributes, a)
			} else {
				r.Attributes = append(r.Attributes, a)
			}
		case "UNRESOLVED":
			r.Unresolved = append(r.Unresolved, rest...)
		case "NONE-FOUND":
			r.Empty = true
		case "FORWARDED":
			l := Link{}
			var ok bool
			if l.Object, l.Version, ok = parseObject(rest); !ok {
				return bad("is too short, or its version is no number")
			}
			r.Forwarded = &l
		case "FAILURE":
			if len(rest) == 0 {
				return bad("says nothing")
			}
			return r, &Failure{rest[0], strings.Join(rest[1:], " ")}
		case "ERROR", "VERSION-NOT-SUPPORTED":
			return r, &Failure{word, strings.Join(rest, " ")}
		case "WARNING":
			r.Warnings = append(r.Warnings, strings.Join(rest, " "))
		case "VERSION":
			r.Version = strings.Join(rest, " ")
		default: // what belongs to a line before, or is later than we are
			known--
		}
	}
	if known == 0 {
		return Reply{}, &Malformed{"the reply is no Prospero", head(text)}
	}
	return r, nil
}

// parseLink reads what follows the word LINK:
//
//	<L or U> <target> <name> <host-type> <host> <hsoname-type> <hsoname> <version> …
func parseLink(f []string) (l Link, ok bool) {
	if len(f) < 7 {
		return l, false
	}
	l = Link{Kind: f[0], Target: f[1], Name: f[2]}
	l.Object, l.Version, ok = parseObject(f[3:])
	return l, ok
}

// parseObject reads <host-type> <host> <hsoname-type> <hsoname> [<version>].
func parseObject(f []string) (o Object, version uint64, ok bool) {
	if len(f) < 4 {
		return o, 0, false
	}
	o = Object{f[0], f[1], f[2], f[3]}
	if len(f) > 4 && f[4] != "NULL" {
		n, err := strconv.ParseUint(f[4], 10, 64)
		if err != nil {
			return o, 0, false
		}
		version = n
	}
	return o, version, true
}
