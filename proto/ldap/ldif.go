package ldap

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendLDIF writes an entry as RFC 2849 says, an empty line before it. A value
// that goes in base64 and is text stands in a comment before that, for people.
func appendLDIF(b []byte, e Entry) []byte {
	b = append(b, '\n')
	if e.Elsewhere != nil {
		for _, u := range e.Elsewhere {
			b = append(append(append(b, "# elsewhere: "...), shown(u)...), '\n')
		}
		return b
	}
	b = appendLine(b, "dn", e.DN)
	for _, a := range e.Attributes {
		for _, v := range a.Values {
			b = appendLine(b, a.Name, v)
		}
	}
	return b
}

func appendLine(b []byte, name, value string) []byte {
	if isSafe(value) {
		b = append(append(b, name...), ':')
		if value != "" {
			b = append(append(b, ' '), value...)
		}
		return append(b, '\n')
	}
	if isShown(value) {
		b = append(append(append(append(append(b, "# "...), name...), ": "...), value...), '\n')
	}
	b = append(append(b, name...), ":: "...)
	return append(base64.StdEncoding.AppendEncode(b, []byte(value)), '\n')
}

// isSafe reports whether a value stands for itself: SAFE-STRING, and no space
// at its end (RFC 2849, notes 4 and 8).
func isSafe(s string) bool {
	if s == "" {
		return true
	}
	if strings.IndexByte(" :<", s[0]) >= 0 || s[len(s)-1] == ' ' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x80 || c == 0 || c == '\n' || c == '\r' {
			return false
		}
	}
	return true
}

// isShown reports whether a value is text of one short line.
func isShown(s string) bool {
	return len(s) <= 200 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// shown is a URL of the server's as a comment may hold it.
func shown(s string) string {
	if isShown(s) || isSafe(s) {
		return s
	}
	return base64.StdEncoding.EncodeToString([]byte(s))
}
