package idn

import (
	"slices"
	"strings"
	"unicode/utf8"

	"anyurl/internal/domain"
)

// takenFor gives what readers take c for, a Latin letter or a digit, although
// UTS 39's confusables give it another prototype. It counts when a label is
// compared with well-known names, not when the letters of a script are judged.
func takenFor(c rune) string {
	switch c {
	case '一':
		return "-"
	case 'θ':
		return "0"
	case 'շ', '२', '২', '੨', '૨', '೩':
		return "2"
	case 'з', 'ҙ', 'ӡ', '३', '੩', '૩', '౩', 'ვ', 'პ':
		return "3"
	case 'ㄐ', '丩':
		return "4"
	case 'ճ':
		return "6"
	case '৪', '੪':
		return "8"
	case 'ß', 'ƅ', 'в', 'ь', 'ҍ':
		return "b"
	case 'ҫ', 'င':
		return "c"
	case 'đ', 'ԃ', 'ძ':
		return "d"
	case 'ə', 'ε', 'є', 'ҽ', 'ҿ':
		return "e"
	case 'ғ':
		return "f"
	case 'ԍ', 'ց', 'ဌ':
		return "g"
	case 'ħ', 'н', 'ђ', 'ћ', 'ң', 'һ', 'հ':
		return "h"
	case 'ĸ', 'κ', 'к', 'қ', 'ҝ', 'ҟ', 'ҡ', 'ӄ':
		return "k"
	case 'ł':
		return "l"
	case 'м':
		return "m"
	case 'ŋ', 'η', 'и', 'п', 'ԥ', 'ո', 'ח', 'ก':
		return "n"
	case 'ð', 'ø':
		return "o"
	case 'œ':
		return "oe"
	case 'þ', 'ϸ', 'ҏ', 'ք':
		return "p"
	case '৭', '੧', '૧':
		return "q"
	case 'я', 'ґ':
		return "r"
	case 'ร', 'ຣ':
		return "s"
	case 'ŧ', 'τ', 'т', '丁', '七', '丅':
		return "t"
	case 'μ', 'ս', 'บ', 'ບ':
		return "u"
	case 'ω', 'ш', 'щ', 'พ', 'ฟ', 'ພ':
		return "w"
	case 'χ', 'ҳ', '乂':
		return "x"
	case 'ү', 'ұ', '丫':
		return "y"
	}
	return ""
}

// skeleton gives what text is taken for, if that is ASCII: marks are dropped,
// each code point is replaced by its look, and what looks alike within ASCII
// is made one (see fold).
func skeleton(text []rune) (string, bool) {
	b := make([]byte, 0, 2*len(text))
	for _, c := range domain.NFD(string(text)) {
		if c < utf8.RuneSelf {
			b = append(b, byte(c))
			continue
		}
		if lookup(c).flags&mark != 0 {
			continue
		}
		look := takenFor(c)
		if look == "" {
			look = looksLike(c)
		}
		if look == "" {
			return "", false
		}
		b = append(b, look...)
	}
	return fold(string(b)), true
}

// fold makes one of what looks alike in ASCII: rn and m, vv and w, 1 and l, 0
// and o.
func fold(s string) string {
	if !foldable(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'r' && i+1 < len(s) && s[i+1] == 'n':
			b = append(b, 'm')
			i++
		case c == 'v' && i+1 < len(s) && s[i+1] == 'v':
			b = append(b, 'w')
			i++
		case c == '1':
			b = append(b, 'l')
		case c == '0':
			b = append(b, 'o')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

func foldable(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '0', '1':
			return true
		case 'n':
			if i > 0 && s[i-1] == 'r' {
				return true
			}
		case 'v':
			if i > 0 && s[i-1] == 'v' {
				return true
			}
		}
	}
	return false
}

// isKnown reports whether s, which is folded, is a well-known name.
func isKnown(s string) bool {
	_, ok := slices.BinarySearch(names[:], s)
	return ok
}

// imitates gives the well-known name that text, which is not ASCII, is taken
// for. An i and an l are one here: the palochka and the dotless i pass for both.
func imitates(text []rune) (string, bool) {
	s, ok := skeleton(text)
	if !ok || s == "" {
		return "", false
	}
	if isKnown(s) {
		return s, true
	}
	for _, name := range names {
		if len(name) == len(s) && sameButI(name, s) {
			return name, true
		}
	}
	return "", false
}

// sameButI reports whether a and b, of one length, are equal when i is l.
func sameButI(a, b string) bool {
	for k := range len(a) {
		x, y := a[k], b[k]
		if x == 'i' {
			x = 'l'
		}
		if y == 'i' {
			y = 'l'
		}
		if x != y {
			return false
		}
	}
	return true
}

// asciiFindings looks at each label of a host that is ASCII.
func asciiFindings(host string) (findings []Finding) {
	start := 0
	for start <= len(host) {
		raw, _, _ := strings.Cut(host[start:], ".")
		l := label{start: start, end: start + len(raw), raw: raw}
		findings = append(findings, l.asciiFinding()...)
		start += len(raw) + 1
	}
	return findings
}

// asciiFinding tells of a label in ASCII that is taken for a well-known name.
// As it is written, an upper-case I passes for an l too.
func (l *label) asciiFinding() []Finding {
	hasI := strings.IndexByte(l.raw, 'I') >= 0
	small := strings.ToLower(l.raw)
	if !hasI && !foldable(small) {
		return nil
	}
	name := fold(small)
	if !isKnown(name) && hasI {
		name = fold(strings.ToLower(strings.ReplaceAll(l.raw, "I", "l")))
	}
	if !isKnown(name) || name == small {
		return nil
	}
	return []Finding{{ASCIIConfusable, l.start, l.end, `label can be taken for the well-known name "` + name + `"`}}
}
