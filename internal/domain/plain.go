package domain

import "unicode/utf8"

// plainPoints is the most code points beyond ASCII that a label may have to be plain.
const plainPoints = 24

// A point is a code point beyond ASCII and its place among those of its label.
type point struct {
	c  rune
	at int32
}

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
		from, run := len(out), i
		for i < len(s) && asItIs[s[i]] {
			i++
		}
		out = append(out, s[run:i]...)
		if i < len(s) && s[i] != '.' {
			var buf [plainPoints]point
			points := buf[:0]
			for i < len(s) && s[i] != '.' {
				if s[i] < utf8.RuneSelf {
					c := folded[s[i]]
					if c == 0 {
						return dst, false
					}
					out = append(out, c)
					i++
					continue
				}
				c, n := utf8.DecodeRuneInString(s[i:])
				if len(points) == plainPoints || c == utf8.RuneError || !(int(c) < len(plainLatin) && plainLatin[c] || plainRune(c)) {
					return dst, false
				}
				points = append(points, point{c, int32(len(out) - from + len(points))})
				i += n
			}
			if isACE(out[from:]) {
				return dst, false
			}
			if basic := len(out) - from; len(points) > 0 {
				if basic+len(points) > MaxEncoded {
					return dst, false
				}
				out = append(out, acePrefix...)
				copy(out[from+len(acePrefix):], out[from:])
				copy(out[from:], acePrefix)
				if basic > 0 {
					out = append(out, '-')
				}
				out = encodeFew(out, points, basic)
			}
		} else if isACE(out[from:]) {
			return dst, false
		}
		if i == len(s) {
			return out, len(out) > len(dst)
		}
		out = append(out, '.')
	}
}

// isACE reports whether a label begins with "xn--".
func isACE(label []byte) bool {
	return len(label) >= len(acePrefix) && string(label[:len(acePrefix)]) == acePrefix
}

// encodeFew is encode behind the basic code points, of which there are as many as
// basic says. It goes from point to point in the order of their values and counts
// the smaller code points in front of each by looking at all the others.
func encodeFew(dst []byte, points []point, basic int) []byte {
	n, delta, bias, handled := rune(initialN), uint64(0), uint64(initialBias), basic
	for {
		next := rune(maxRune)
		for _, p := range points {
			if p.c >= n && p.c < next {
				next = p.c
			}
		}
		delta += uint64(next-n) * uint64(handled+1)
		n = next
		below, seen := handled, 0
		for i, p := range points {
			if p.c != n {
				continue
			}
			before := int(p.at) - i // basic ones
			for _, other := range points[:i] {
				if other.c < n {
					before++
				}
			}
			delta += uint64(before - seen)
			seen = before
			dst = appendInteger(dst, delta, bias)
			handled++
			if handled == basic+len(points) {
				return dst
			}
			bias = adapt(delta, handled, handled == basic+1)
			delta = 0
		}
		delta += uint64(below-seen) + 1
		n++
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
