// Package validutf8 tells whether text is UTF-8, at the speed of memory also
// where it is not ASCII. Start with [Is].
package validutf8

import "unicode/utf8"

// Is reports whether b is UTF-8 throughout, as unicode/utf8.Valid does
// (RFC 3629, section 4).
func Is(b []byte) bool { return is(b, hasAVX512) }

// is is Is with the longer vectors, or without.
func is(b []byte, wide bool) bool {
	const least = 96 // below it the vectors do not pay
	if len(b) < least || !vectors() {
		return utf8.Valid(b)
	}
	// The vectors look at each byte beside the three before it: they begin behind
	// the characters that the first three bytes belong to,
	from := 0
	for from < 3 {
		r, n := utf8.DecodeRune(b[from:])
		if r == utf8.RuneError && n == 1 {
			return false
		}
		from += n
	}
	var to int
	var ok bool
	if wide {
		to, ok = scanWide(b, from)
	} else {
		to, ok = scan(b, from)
	}
	if !ok {
		return false
	}
	// and what they leave begins with the character that they broke off in.
	for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(b[to-1]); back++ {
		to--
	}
	return utf8.Valid(b[to-1:])
}
