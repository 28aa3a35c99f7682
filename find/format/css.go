package format

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// css reads a style sheet or a style attribute by CSS Syntax Level 3: url(…), src("…"), @import "…" and image-set("…") are
// references, comments are text, and @namespace names no place.
func (s *scan) css(v *view) {
	b := v.data
	var at string      // the at-rule we are in the prelude of
	var funcs []string // the functions that are open
	for i := 0; i < len(b) && !s.over(); {
		switch c := b[i]; {
		case c == '/' && i+1 < len(b) && b[i+1] == '*':
			end := len(b)
			if n := bytes.Index(b[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n
			} else {
				s.note(v, i, "a comment in the style sheet is never closed")
			}
			p := &piece{}
			p.copy(b, i+2, end)
			s.prose(v, p, "comment")
			i = min(len(b), end+2)
		case c == '"' || c == '\'':
			p, next := cssString(b, i)
			switch {
			case strings.EqualFold(at, "namespace"), strings.EqualFold(at, "charset"):
			case strings.EqualFold(at, "import") && len(funcs) == 0:
				s.link(v, p, "css import")
			case len(funcs) > 0 && holdsURL(funcs[len(funcs)-1]):
				s.link(v, p, "css "+funcs[len(funcs)-1])
			default:
				s.prose(v, p, "css")
			}
			i = next
		case c == '@':
			start := i + 1
			for i++; i < len(b) && isIdent(b[i]); i++ {
			}
			at = string(b[start:i])
		case isIdent(c) || c == '\\':
			start := i
			for i < len(b) && isIdent(b[i]) {
				i++
			}
			if i == start { // an escape outside of what concerns us
				i++
				break
			}
			if i == len(b) || b[i] != '(' {
				break
			}
			name := strings.ToLower(string(b[start:i]))
			i++
			if name == "url" {
				j := i
				for j < len(b) && isSpace(b[j]) {
					j++
				}
				if j < len(b) && b[j] != '"' && b[j] != '\'' {
					p, next := cssURL(b, j)
					if !strings.EqualFold(at, "namespace") {
						s.link(v, p, "css url")
					}
					i = next
					break
				}
			}
			funcs = append(funcs, name)
		case c == '(':
			funcs = append(funcs, "")
			i++
		case c == ')':
			if len(funcs) > 0 {
				funcs = funcs[:len(funcs)-1]
			}
			i++
		case c == ';' || c == '{' || c == '}':
			at, funcs = "", funcs[:0]
			i++
		default:
			i++
		}
	}
}

// holdsURL names the functions whose strings are URLs.
func holdsURL(function string) bool {
	switch function {
	case "url", "src", "image-set", "-webkit-image-set", "image":
		return true
	}
	return false
}

func isIdent(c byte) bool {
	return isAlnum(c) || c == '-' || c == '_' || c >= 0x80
}

// cssString consumes a string token: CSS Syntax 3, section 4.3.5.
func cssString(b []byte, i int) (p *piece, next int) {
	p = &piece{}
	quote := b[i]
	for i++; i < len(b); {
		switch b[i] {
		case quote:
			return p, i + 1
		case '\n':
			return p, i
		case '\\':
			i = cssEscape(p, b, i)
		default:
			p.copy(b, i, i+1)
			i++
		}
	}
	return p, i
}

// cssURL consumes an unquoted url token: CSS Syntax 3, section 4.3.6.
func cssURL(b []byte, i int) (p *piece, next int) {
	p = &piece{}
	for i < len(b) {
		switch c := b[i]; {
		case c == ')':
			return p, i + 1
		case c == '\\':
			i = cssEscape(p, b, i)
		default:
			p.copy(b, i, i+1)
			i++
		}
	}
	return p, i
}

// cssEscape consumes the escape at b[i]: CSS Syntax 3, section 4.3.7.
func cssEscape(p *piece, b []byte, i int) (next int) {
	j := i + 1
	if j == len(b) {
		return j
	}
	if b[j] == '\n' { // a line goes on
		return j + 1
	}
	r, n := rune(0), 0
	for n < 6 && j < len(b) {
		d, ok := unhex(b[j])
		if !ok {
			break
		}
		r, n, j = r<<4|rune(d), n+1, j+1
	}
	if n == 0 {
		_, size := utf8.DecodeRune(b[j:])
		p.put(string(b[j:j+size]), i, j+size)
		return j + size
	}
	if j < len(b) && isSpace(b[j]) {
		j++
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	p.put(string(r), i, j)
	return j
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
