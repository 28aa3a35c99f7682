package config

import (
	"fmt"
	"strings"
)

// A Login is what a .netrc file says about a machine.
type Login struct {
	Machine        string // in lower case; "" for the default
	User, Password string
	HasPassword    bool
}

// Netrc are the logins of a .netrc file, in its order.
type Netrc []Login

// ReadNetrc reads the text of a .netrc file: the tokens machine, default, login,
// password, account and macdef of ftp(1), quoted strings as curl and its kin
// have them, and remarks that begin with "#" where a token could. An error is an
// *[Error].
func ReadNetrc(name string, text []byte) (all Netrc, err error) {
	if len(text) > MaxSize {
		return nil, &Error{name, 1, fmt.Errorf("it has more than %d octets", MaxSize)}
	}
	s := tokens{text: string(text), line: 1}
	fault := func(format string, args ...any) (Netrc, error) {
		return nil, &Error{name, s.at, fmt.Errorf(format, args...)}
	}
	for {
		word, ok := s.next(true)
		if !ok {
			break
		}
		if word == "default" {
			all = append(all, Login{})
			continue
		}
		if word == "macdef" { // a program for ftp(1), up to an empty line
			s.skipMacro()
			continue
		}
		what := word
		switch word {
		case "machine", "login", "user", "password", "passwd", "account":
		default: // which may be a secret at the wrong place
			return fault("here should stand machine, default, login, password, account or macdef")
		}
		value, ok := s.next(false)
		if !ok {
			return fault("nothing stands behind %s", what)
		}
		if what == "machine" {
			all = append(all, Login{Machine: strings.ToLower(strings.TrimSuffix(value, "."))})
			continue
		}
		if len(all) == 0 {
			return fault("%s stands before any machine", what)
		}
		last := &all[len(all)-1]
		switch what {
		case "login", "user":
			last.User = value
		case "password", "passwd":
			last.Password, last.HasPassword = value, true
		}
	}
	return all, nil
}

// Find gives the login for a host, and for a user there, "" for any: the first
// entry that names the host, else the first default.
func (n Netrc) Find(host, user string) (Login, bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, machine := range []string{host, ""} {
		for _, l := range n {
			if l.Machine == machine && (user == "" || l.User == user) {
				return l, true
			}
		}
	}
	return Login{}, false
}

// tokens takes a text apart.
type tokens struct {
	text     string
	pos      int
	line, at int // where it is, and where the last token began
}

// next is the next token. At the place of a keyword, "#" begins a remark.
func (s *tokens) next(keyword bool) (string, bool) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.line++
			s.pos++
		case c == ' ' || c == '\t' || c == '\r':
			s.pos++
		case c == '#' && keyword:
			s.restOfLine()
		case c == '"':
			s.at = s.line
			return s.quoted(), true
		default:
			s.at = s.line
			start := s.pos
			for s.pos < len(s.text) && !strings.ContainsRune(" \t\r\n", rune(s.text[s.pos])) {
				s.pos++
			}
			return s.text[start:s.pos], true
		}
	}
	return "", false
}

// quoted reads up to the closing quotation mark; "\" escapes, and "\n", "\r" and
// "\t" are what they are elsewhere.
func (s *tokens) quoted() string {
	var b strings.Builder
	for s.pos++; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		switch {
		case c == '"':
			s.pos++
			return b.String()
		case c == '\n':
			s.line++
		case c == '\\' && s.pos+1 < len(s.text):
			s.pos++
			switch c = s.text[s.pos]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case '\n':
				s.line++
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// restOfLine is what is left of the line.
func (s *tokens) restOfLine() string {
	line, _, _ := strings.Cut(s.text[s.pos:], "\n")
	s.pos += len(line)
	return line
}

// skipMacro passes over a macro: its name's line, and all lines up to an empty
// one.
func (s *tokens) skipMacro() {
	for {
		s.restOfLine()
		if s.pos == len(s.text) {
			return
		}
		s.pos++
		s.line++
		if rest, _, _ := strings.Cut(s.text[s.pos:], "\n"); strings.TrimSpace(rest) == "" {
			return
		}
	}
}
