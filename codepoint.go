package anyurl

import (
	"strings"
	"unicode/utf8"

	"anyurl/internal/abnf"
	"anyurl/percent"
)

// units reports each code point of in[from:to] that is not a URL code point
// and not "%", and each "%" that is not followed by two ASCII hex digits.
func (m *machine) units(from, to int) {
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(m.in[i:to])
		switch {
		case r == '%':
			// Two digits that stand behind the component belong to remaining, too.
			if _, ok := percent.At(m.in, i); !ok {
				m.tell(InvalidURLUnit, i)
			}
		case !isURLCodePoint(r):
			m.tell(InvalidURLUnit, i)
		}
		i += n
	}
}

// isURLCodePoint reports whether r is one of the URL code points (URL writing):
// ASCII alphanumeric, some marks, and U+00A0 to U+10FFFD, excluding surrogates
// and noncharacters.
func isURLCodePoint(r rune) bool {
	if r < 0x80 {
		return isAlpha(byte(r)) || isDigit(byte(r)) || strings.IndexByte("!$&'()*+,-./:;=?@_~", byte(r)) >= 0
	}
	noncharacter := r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE
	return r >= 0xA0 && r <= 0x10FFFD && !noncharacter && (r < 0xD800 || r > 0xDFFF)
}

func isAlpha(c byte) bool    { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isSchemeByte reports whether c is an ASCII alphanumeric, "+", "-" or ".".
func isSchemeByte(c byte) bool { return schemeBytes[c] }

var schemeBytes = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("+-."))

// appendLower appends s with its ASCII letters in lower case.
func appendLower(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(dst, s...)
	lowered := dst[start:]
	for i, c := range lowered {
		lowered[i] = lowerOf[c]
	}
	return dst
}

// lowerOf gives each byte with ASCII letters in lower case.
var lowerOf = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

// isSingleDot reports whether s is a single-dot URL path segment: "." or "%2e"
// in any case.
func isSingleDot(s []byte) bool {
	return len(s) == 1 && s[0] == '.' || len(s) == 3 && isDotEscape(s)
}

// isDoubleDot reports whether s is a double-dot URL path segment: two of "."
// or "%2e" in any case.
func isDoubleDot(s []byte) bool {
	switch len(s) {
	case 2:
		return s[0] == '.' && s[1] == '.'
	case 4:
		return s[0] == '.' && isDotEscape(s[1:]) || isDotEscape(s[:3]) && s[3] == '.'
	case 6:
		return isDotEscape(s[:3]) && isDotEscape(s[3:])
	}
	return false
}

func isDotEscape(s []byte) bool { return s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e' }

// isDriveLetter reports whether s is a Windows drive letter: an ASCII alpha
// and ":" or "|".
func isDriveLetter[S []byte | string](s S) bool {
	return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|')
}

// startsWithDriveLetter is the standard's "starts with a Windows drive letter".
func startsWithDriveLetter(s string) bool {
	return len(s) >= 2 && isDriveLetter(s[:2]) &&
		(len(s) == 2 || s[2] == '/' || s[2] == '\\' || s[2] == '?' || s[2] == '#')
}

// firstIsDriveLetter reports whether path[0], in a serialised path, is a
// normalized Windows drive letter.
func firstIsDriveLetter[S []byte | string](path S) bool {
	return len(path) >= 3 && path[0] == '/' && isAlpha(path[1]) && path[2] == ':' &&
		(len(path) == 3 || path[3] == '/')
}
