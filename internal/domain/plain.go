package domain

import "unicode/utf8"

// plainLabel is the most code points that a label may have to be plain.
const plainLabel = 63

// AppendPlain is [AppendASCII], not strict, for the domains that most are like. For
// any other one, also one that is to be refused, it reports false and appends
// nothing.
func AppendPlain(dst []byte, s string) (out []byte, ok bool) { return appendPlain(dst, s) }

// appendPlain is unicodeToASCII, not strict, for domains that most domains are
// like: each code point is ASCII, or valid and without any part in
// normalization, joining or the Bidi rule, and no label is Punycode yet. Nothing
// but the case of ASCII is mapped then, and there is nothing to check. For any
// other domain it reports false and appends nothing.
func appendPlain(dst []byte, s string) (out []byte, ok bool) {
	out = dst
	for i := 0; ; i++ { // a label begins at s[i]
		from := len(out)
		run := i
		for i < len(s) && asItIs[s[i]] {
			i++
		}
		out = append(out, s[run:i]...)
		for i < len(s) && s[i] < utf8.RuneSelf && s[i] != '.' {
			c := folded[s[i]]
			if c == 0 {
				return dst, false
			}
			out = append(out, c)
			i++
		}
		if len(out)-from >= len(acePrefix) && string(out[from:from+len(acePrefix)]) == acePrefix {
			return dst, false
		}
		if i < len(s) && s[i] != '.' {
			var buf [plainLabel]rune
			label := buf[:0]
			for _, c := range out[from:] {
				if len(label) == plainLabel {
					return dst, false
				}
				label = append(label, rune(c))
			}
			for i < len(s) && s[i] != '.' {
				c, n := utf8.DecodeRuneInString(s[i:])
				switch {
				case len(label) == plainLabel || c == utf8.RuneError:
					return dst, false
				case c < utf8.RuneSelf:
					if c = rune(folded[c]); c == 0 {
						return dst, false
					}
				case int(c) < len(plainLatin) && plainLatin[c]:
				case !plainRune(c):
					return dst, false
				}
				label = append(label, c)
				i += n
			}
			out = appendLabel(out[:from], label)
		}
		if i == len(s) {
			return out, len(out) > len(dst)
		}
		out = append(out, '.')
	}
}

// plainRune reports whether c, which is not ASCII, is valid and takes no part in
// normalization, joining or the Bidi rule, and may stand anywhere.
func plainRune(c rune) bool {
	r := lookup(c)
	if r.status != valid || r.ccc != 0 || r.flags&(mark|neverNFC|composesBack) != 0 || c == zwnj || c == zwj {
		return false
	}
	return r.bidi != bidiR && r.bidi != bidiAL && r.bidi != bidiAN
}

// folded gives each ASCII code point in lower case, and 0 for those that are
// forbidden in a domain.
var folded = func() (t [utf8.RuneSelf]byte) {
	for i := range t {
		c := byte(i)
		switch {
		case forbidden(c):
		case 'A' <= c && c <= 'Z':
			t[i] = c + 'a' - 'A'
		default:
			t[i] = c
		}
	}
	return t
}()

// asItIs says of each byte whether it may stand in a label as it is.
var asItIs = func() (t [256]bool) {
	for i, c := range folded {
		t[i] = c != 0 && int(c) == i && c != '.'
	}
	return t
}()

// plainLatin is plainRune for what is met most, up to Latin Extended-A.
var plainLatin = func() (t [0x180]bool) {
	for c := range t {
		t[c] = c >= utf8.RuneSelf && plainRune(rune(c))
	}
	return t
}()
