package scheme

import (
	"strings"
	"unicode/utf8"

	"anyurl/internal/abnf"
)

// atext is RFC 5322, section 3.2.3.
var atext = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("!#$%&'*+-/=?^_`{|}~"))

// IsAddrSpec reports whether s is a mail address: RFC 5322's addr-spec without
// comments, white space and the obsolete forms, with UTF-8 as RFC 6532 allows.
//
//	addr-spec = ( dot-atom / quoted-string ) "@" ( dot-atom / domain-literal )
func IsAddrSpec(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	n := 0
	if strings.HasPrefix(s, `"`) {
		// quoted-string = DQUOTE *( qtext / "\" VCHAR / SP ) DQUOTE
		for n = 1; ; n++ {
			if n >= len(s) || s[n] < ' ' || s[n] == 0x7f {
				return false
			}
			if s[n] == '"' {
				n++
				break
			}
			if s[n] == '\\' {
				n++
				if n >= len(s) || s[n] < ' ' || s[n] == 0x7f {
					return false
				}
			}
		}
	} else {
		n = strings.IndexByte(s, '@')
		if n < 0 || !isDotAtom(s[:n], &atext) {
			return false
		}
	}
	domain, ok := strings.CutPrefix(s[n:], "@")
	if !ok {
		return false
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		return ok && literal != "" && !strings.ContainsAny(literal, "[]\\ ") && !holds(literal, &Controls)
	}
	return isDotAtom(domain, &ldh)
}

// ldh is what a host name's labels are made of; "_" is met there, too.
var ldh = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-_"))

// isDotAtom reports whether s is atoms of set, or of what is not ASCII, with
// single dots between them.
func isDotAtom(s string, set *abnf.Set) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for i := range len(atom) {
			if atom[i] < 0x80 && !set.Has(atom[i]) {
				return false
			}
		}
	}
	return true
}

func holds(s string, set *abnf.Set) bool {
	for i := range len(s) {
		if set.Has(s[i]) {
			return true
		}
	}
	return false
}

// Lines gives text with every line end, CR LF or one of them alone, as CR LF,
// which is how mail writes them.
func Lines(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	return strings.ReplaceAll(text, "\n", "\r\n")
}
