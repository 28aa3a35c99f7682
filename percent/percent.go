// Package percent encodes and decodes octets as "%" and two hexadecimal
// digits: RFC 1738 section 2.2, RFC 3986 section 2.1 and the URL Standard's
// "percent-encoded bytes".
//
// Start with [Decode] and [Encode]. What has to be encoded depends on where it
// will stand, so Encode takes one of the URL Standard's percent-encode sets.
package percent

import (
	"anyurl/internal/abnf"
	"anyurl/rule"
)

// BadEscape is broken by a "%" that is not followed by two hexadecimal digits.
var BadEscape = rule.Rule{
	ID:      "percent/escape",
	Cite:    "RFC 3986, section 2.1; RFC 1738, section 2.2",
	Says:    `"%" is not followed by two hexadecimal digits`,
	Fix:     `write a literal percent sign as "%25"`,
	Example: "http://a.example/100%",
}

// Rules lists the rules this package upholds.
func Rules() []rule.Rule { return []rule.Rule{BadEscape} }

// A Set is a percent-encode set: the bytes that must be encoded in some place.
// Sets in this package are the URL Standard's, section "percent-encoded
// bytes"; each holds every byte above 0x7E.
type Set = abnf.Set

var (
	c0    = abnf.Range(0x00, 0x1f)
	upper = abnf.Range(0x7f, 0xff)

	// C0Control is the C0 control percent-encode set: the C0 controls and
	// everything above U+007E. It serves opaque hosts and opaque paths.
	C0Control = c0.Or(upper)
	// Fragment is the fragment percent-encode set: C0 control and
	// space, ", <, > and `.
	Fragment = C0Control.Or(abnf.Bytes(" \"<>`"))
	// Query is the query percent-encode set: C0 control and space, ", #, < and >.
	Query = C0Control.Or(abnf.Bytes(` "#<>`))
	// SpecialQuery is the special-query percent-encode set: query and '.
	SpecialQuery = Query.Or(abnf.Bytes(`'`))
	// Path is the path percent-encode set: query and ?, ^, `, { and }.
	Path = Query.Or(abnf.Bytes("?^`{}"))
	// Userinfo is the userinfo percent-encode set: path and
	// /, :, ;, =, @, [, \, ] and |.
	Userinfo = Path.Or(abnf.Bytes(`/:;=@[\]|`))
	// Component is the component percent-encode set: userinfo and $ to &, +
	// and comma. It is what JavaScript's encodeURIComponent encodes.
	Component = Userinfo.Or(abnf.Bytes("$%&+,"))
	// Form is the application/x-www-form-urlencoded percent-encode set:
	// component and !, ' to ) and ~.
	Form = Component.Or(abnf.Bytes("!'()~"))
	// Unreserved encodes everything but RFC 3986's unreserved characters
	// (section 2.3); what it leaves is never a delimiter in any grammar.
	Unreserved = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~")).Not()
)

const hexUpper = "0123456789ABCDEF"

// AppendByte appends the escape of c, "%" and two upper-case digits, to dst.
func AppendByte(dst []byte, c byte) []byte {
	return append(dst, '%', hexUpper[c>>4], hexUpper[c&15])
}

// Encode escapes the bytes of s that are in set. A "%" is escaped only if set
// holds it, so that what is encoded already stays as it is; pass Component or
// Unreserved for text that is not encoded yet. A nil set holds nothing. It
// allocates only when there is something to encode.
func Encode(s string, set *Set) string {
	if set == nil {
		return s
	}
	i := 0
	for i < len(s) && !set[s[i]] {
		i++
	}
	if i == len(s) {
		return s
	}
	return string(AppendEncode(append(make([]byte, 0, len(s)+16), s[:i]...), s[i:], set))
}

// AppendEncode appends [Encode] of s to dst.
func AppendEncode(dst []byte, s string, set *Set) []byte {
	if set == nil {
		return append(dst, s...)
	}
	for i := range len(s) {
		if c := s[i]; set[c] {
			dst = AppendByte(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// Decode replaces every escape in s by its octet, once, and leaves a "%" that
// starts no escape as it is: the URL Standard's "percent-decode". The result
// may hold any octet, also NUL, CR and LF. It allocates only when there is
// something to decode.
func Decode(s string) string {
	for i := range len(s) {
		if s[i] == '%' {
			return string(AppendDecode(append(make([]byte, 0, len(s)), s[:i]...), s[i:]))
		}
	}
	return s
}

// AppendDecode appends [Decode] of s to dst.
func AppendDecode(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c, ok := At(s, i); ok {
			dst = append(dst, c)
			i += 2
		} else {
			dst = append(dst, s[i])
		}
	}
	return dst
}

// At reads the escape that starts at s[i] and reports whether there is one.
func At(s string, i int) (c byte, ok bool) {
	if i+2 >= len(s) || s[i] != '%' {
		return 0, false
	}
	hi, lo := unhex[s[i+1]], unhex[s[i+2]]
	return hi<<4 | lo, hi|lo < 16
}

// Check gives the first "%" in s that starts no escape, as a *[rule.Error] for
// [BadEscape] with its offset in s, or nil.
func Check(s string) error {
	for i := range len(s) {
		if s[i] == '%' {
			if _, ok := At(s, i); !ok {
				return &rule.Error{Input: s, Offset: i, Rule: BadEscape}
			}
		}
	}
	return nil
}

// unhex is the value of a hexadecimal digit, and 255 for any other byte.
var unhex = func() (t [256]byte) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = byte(c - '0')
		case 'a' <= c && c <= 'f':
			t[c] = byte(c - 'a' + 10)
		case 'A' <= c && c <= 'F':
			t[c] = byte(c - 'A' + 10)
		default:
			t[c] = 255
		}
	}
	return t
}()
