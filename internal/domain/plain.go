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
		run := i
		for i < len(s) && asItIs[s[i]] {
			i++
		}
		if i < len(s) && s[i] != '.' {
			if out, i, ok = appendPlainLabel(out, s, run, i); !ok {
				return dst, false
			}
		} else if isACE(s[run:i]) {
			return dst, false
		} else {
			out = append(out, s[run:i]...)
		}
		if i == len(s) {
			return out, len(out) > len(dst)
		}
		out = append(out, '.')
	}
}

// appendPlainLabel is appendPlain for the label that begins at s[from] and is not as
// it is from s[i] on; it also gives where the label ends.
func appendPlainLabel(dst []byte, s string, from, i int) (out []byte, end int, ok bool) {
	start := len(dst) + len(acePrefix)
	out = append(dst, acePrefix...) // for now
	out = append(out, s[from:i]...)
	var buf [plainPoints]point
	points := buf[:0]
	for i < len(s) && s[i] != '.' {
		c, n := rune(s[i]), 1
		if c < utf8.RuneSelf {
			c := folded[c]
			if c == 0 {
				return dst, i, false
			}
			out = append(out, c)
			i++
			continue
		}
		if 0xC0 <= c && c < 0xE0 && i+1 < len(s) && s[i+1]>>6 == 2 {
			c, n = (c&0x1F)<<6|rune(s[i+1]&0x3F), 2
		} else {
			c, n = utf8.DecodeRuneInString(s[i:])
		}
		if len(points) == plainPoints || c == utf8.RuneError || c < utf8.RuneSelf || !(int(c) < len(plainLatin) && plainLatin[c] || plainRune(c)) {
			return dst, i, false
		}
		points = append(points, point{c, int32(len(out) - start + len(points))})
		i += n
	}
	basic := len(out) - start
	if isACE(out[start:]) || len(points) > 0 && basic+len(points) > MaxEncoded {
		return dst, i, false
	}
	if len(points) == 0 {
		copy(out[start-len(acePrefix):], out[start:])
		return out[:len(out)-len(acePrefix)], i, true
	}
	if basic > 0 {
		out = append(out, '-')
	}
	return encodeFew(out, points, basic), i, true
}

// isACE reports whether a label begins with "xn--".
func isACE[text string | []byte](label text) bool {
	return len(label) >= len(acePrefix) && string(label[:len(acePrefix)]) == acePrefix
}

// encodeFew is encode behind the basic code points, of which there are as many as
// basic says. It goes from point to point in the order of their values and counts
// the smaller code points in front of each by looking at all the others.
func encodeFew(dst []byte, points []point, basic int) []byte {
	if len(points) == 1 {
		delta := uint64(points[0].c-initialN)*uint64(basic+1) + uint64(points[0].at)
		return appendInteger(dst, delta, initialBias)
	}
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
