package ldap

import (
	"errors"
	"fmt"
	"strings"

	"anyurl/internal/ber"
)

// maxFilter bounds how deep filters stand within filters.
const maxFilter = 50

// A filterError is a filter that RFC 4515 does not have.
type filterError struct {
	at  int // octet of the filter
	why string
}

func (e *filterError) Error() string {
	return fmt.Sprintf("the filter is none, at octet %d: %s (RFC 4515, section 3)", e.at, e.why)
}

// A filterReader reads RFC 4515's text and gives RFC 4511's value (section
// 4.5.1.7).
type filterReader struct {
	s  string
	at int
}

// readFilter reads a whole filter.
func readFilter(s string) (ber.Value, error) {
	r := &filterReader{s: s}
	v, err := r.filter(0)
	if err == nil && r.at < len(s) {
		err = r.fail("something stands behind it")
	}
	return v, err
}

func (r *filterReader) fail(why string) error { return &filterError{r.at, why} }

func (r *filterReader) peek() byte {
	if r.at < len(r.s) {
		return r.s[r.at]
	}
	return 0
}

// filter = LPAREN filtercomp RPAREN
func (r *filterReader) filter(depth int) (v ber.Value, err error) {
	if depth > maxFilter {
		return v, r.fail("filters stand too deep within filters")
	}
	if r.peek() != '(' {
		return v, r.fail(`a "(" has to stand here`)
	}
	r.at++
	switch r.peek() {
	case '&', '|':
		tag := uint32(strings.IndexByte("&|", r.peek()))
		v = ber.Of(ber.Context, tag)
		for r.at++; r.peek() == '('; {
			part, err := r.filter(depth + 1)
			if err != nil {
				return v, err
			}
			v.Parts = append(v.Parts, part)
		}
	case '!':
		r.at++
		part, err := r.filter(depth + 1)
		if err != nil {
			return v, err
		}
		v = ber.Of(ber.Context, 2, part)
	default:
		if v, err = r.item(); err != nil {
			return v, err
		}
	}
	if r.peek() != ')' {
		return v, r.fail(`a ")" has to stand here`)
	}
	r.at++
	return v, nil
}

// item reads what compares an attribute.
func (r *filterReader) item() (v ber.Value, err error) {
	start := r.at
	for r.at < len(r.s) && strings.IndexByte("=<>~:()", r.s[r.at]) < 0 {
		r.at++
	}
	attr := r.s[start:r.at]
	if attr != "" && !isAttribute(attr) {
		r.at = start
		return v, r.fail("this is no attribute's name")
	}
	if r.peek() == ':' {
		return r.extensible(attr)
	}
	if attr == "" {
		return v, r.fail("an attribute's name has to stand here")
	}
	tag := uint32(3) // equalityMatch
	switch r.peek() {
	case '>':
		tag = 5
	case '<':
		tag = 6
	case '~':
		tag = 8
	}
	if tag != 3 {
		r.at++
	}
	if r.peek() != '=' {
		return v, r.fail(`a "=" has to stand here`)
	}
	r.at++
	parts, err := r.values(tag == 3)
	if err != nil {
		return v, err
	}
	switch {
	case len(parts) == 1:
		return ber.Of(ber.Context, tag, octets(attr), octets(parts[0])), nil
	case len(parts) == 2 && parts[0] == "" && parts[1] == "":
		return ber.String(ber.Context, 7, attr), nil // present
	}
	list := ber.Of(ber.Universal, ber.TagSequence)
	for i, p := range parts {
		kind := uint32(1) // any
		switch {
		case i == 0:
			kind = 0 // initial
		case i == len(parts)-1:
			kind = 2 // final
		}
		if p != "" {
			list.Parts = append(list.Parts, ber.String(ber.Context, kind, p))
		}
	}
	if len(list.Parts) == 0 {
		return v, r.fail("stars alone do not stand beside each other")
	}
	return ber.Of(ber.Context, 4, octets(attr), list), nil
}

// extensible = [ attr ] [ ":dn" ] [ ":" matchingrule ] ":=" assertionvalue
func (r *filterReader) extensible(attr string) (v ber.Value, err error) {
	start := r.at
	colon := strings.Index(r.s[start:], ":=")
	if colon < 0 {
		return v, r.fail(`a ":=" has to stand here`)
	}
	names := strings.Split(r.s[start:start+colon], ":")[1:]
	dn, rule := false, ""
	if len(names) > 0 && strings.EqualFold(names[0], "dn") {
		dn, names = true, names[1:]
	}
	if len(names) == 1 && isAttribute(names[0]) {
		rule, names = names[0], nil
	}
	if len(names) > 0 || attr == "" && rule == "" {
		return v, r.fail("this is no matching rule")
	}
	r.at = start + colon + 2
	parts, err := r.values(false)
	if err != nil {
		return v, err
	}
	v = ber.Of(ber.Context, 9)
	if rule != "" {
		v.Parts = append(v.Parts, ber.String(ber.Context, 1, rule))
	}
	if attr != "" {
		v.Parts = append(v.Parts, ber.String(ber.Context, 2, attr))
	}
	v.Parts = append(v.Parts, ber.String(ber.Context, 3, parts[0]))
	if dn {
		v.Parts = append(v.Parts, ber.Bool(ber.Context, 4, true))
	}
	return v, nil
}

// values reads a value up to the ")", escapes undone, and where stars stand for
// anything, what they part.
func (r *filterReader) values(stars bool) (parts []string, err error) {
	var b strings.Builder
	for ; r.at < len(r.s); r.at++ {
		switch c := r.s[r.at]; c {
		case ')':
			return append(parts, b.String()), nil
		case '(', 0:
			return nil, r.fail(`this octet has to be written as "\" and two hexadecimal digits`)
		case '*':
			if !stars {
				return nil, r.fail(`a star has to be written \2a here`)
			}
			parts = append(parts, b.String())
			b.Reset()
		case '\\':
			high, low := -1, -1
			if r.at+2 < len(r.s) {
				high, low = hex(r.s[r.at+1]), hex(r.s[r.at+2])
			}
			if high < 0 || low < 0 {
				return nil, r.fail(`behind "\" stand two hexadecimal digits`)
			}
			b.WriteByte(byte(high<<4 | low))
			r.at += 2
		default:
			b.WriteByte(c)
		}
	}
	return nil, r.fail(`a ")" has to stand here`)
}

func hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func octets(s string) ber.Value { return ber.String(ber.Universal, ber.TagOctetString, s) }

// isAttribute reports whether s is an attribute's name or number, with options:
// RFC 4512, section 2.5.
func isAttribute(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9':
		case c == '-', c == '.', c == ';', c == '_': // some servers' names have "_"
			if i == 0 {
				return false
			}
		default:
			return false
		}
	}
	return s != ""
}

// errAttribute is an attribute that a URL asks for and that has no name.
var errAttribute = errors.New("an attribute that the URL asks for has no name of letters, digits and hyphens (RFC 4512, section 2.5)")
