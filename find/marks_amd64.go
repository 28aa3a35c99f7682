//go:build !purego

package find

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is set where BMI2 is there as well, which is wherever AVX2 is.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// hasAVX512 is set where there are vectors of 64 bytes, and masks for them.
var hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

func marks(words []uint64, s string, at, n int, all bool) (lines int, busy uint64) {
	return marksWide(words, s, at, n, all, hasAVX512)
}

// marksWide is marks with the longer vectors, or without.
func marksWide(words []uint64, s string, at, n int, all, wide bool) (lines int, busy uint64) {
	// The assembly takes whole words, reads one byte more, and wants to be told
	// what stood before.
	whole := max(min(n, len(s)-1-at), 0) >> 6
	if !hasAVX2 || whole == 0 {
		return marksGo(words, s, at, n, all)
	}
	if all {
		var c, d, h uint64
		switch s[at] {
		case ':':
			c = 1 << 63
		case '.', '@':
			d = 1 << 63
		}
		if is(s[at], word) {
			h = 1 << 63
		}
		if at > 0 && is(s[at-1], word) {
			h |= 1 << 62
		}
		if wide {
			lines, busy = marksAllAVX512(words[:whole], s, at, c, d, h)
		} else {
			lines, busy = marksAllAVX2(words[:whole], s, at, c, d, h)
		}
	} else if wide {
		lines, busy = marksColonAVX512(words[:whole], s, at)
	} else {
		lines, busy = marksColonAVX2(words[:whole], s, at)
	}
	busy = bits.Reverse64(busy << (64 - whole))
	if whole < len(words) {
		l, b := marksGo(words[whole:], s, at+whole<<6, n-whole<<6, all)
		lines, busy = lines+l, busy|b<<whole
	}
	return lines, busy
}

// marksColonAVX2 fills words with the marks of s from at, where all are not
// asked for, and gives the number of newlines and, the last word lowest, a bit
// for each word that is not zero. s must have a byte behind the
// 64 bytes of the last word, of which there are at most 64.
//
//go:noescape
func marksColonAVX2(words []uint64, s string, at int) (lines int, busy uint64)

// marksAllAVX2 does so with all marks. s must have a byte behind the 64 bytes of the last word, of which
// there are at most 64. The top bits of c and d say whether s[at] is
// a ":", and whether it is "." or "@"; the top bit of h whether s[at] is a word
// byte, and the one below it whether s[at-1] is.
//
//go:noescape
func marksAllAVX2(words []uint64, s string, at int, c, d, h uint64) (lines int, busy uint64)

// marksColonAVX512 is marksColonAVX2, faster.
//
//go:noescape
func marksColonAVX512(words []uint64, s string, at int) (lines int, busy uint64)

// marksAllAVX512 is marksAllAVX2, faster.
//
//go:noescape
func marksAllAVX512(words []uint64, s string, at int, c, d, h uint64) (lines int, busy uint64)

// plainEnd gives the first place from s[i] on whose byte is not plain, or
// len(s).
func plainEnd(s string, i int) int {
	if hasAVX2 {
		if i = plainAVX2(s, i); i+32 <= len(s) {
			return i
		}
	}
	return plainEndGo(s, i)
}

// plainAVX2 gives the first place from s[i] on whose byte is not plain, or one
// of the last 31 places, before which there is none.
//
//go:noescape
func plainAVX2(s string, i int) int

// newlines is newlinesGo, faster.
func newlines(s string, i, j int) (n, behind int) {
	switch {
	case j+127 > len(s):
	case hasAVX512:
		return newlinesAVX512(s, i, j)
	case hasAVX2:
		return newlinesAVX2(s, i, j)
	}
	return newlinesGo(s, i, j)
}

// newlinesAVX2 is newlinesGo for an s that has 127 bytes behind s[j-1].
//
//go:noescape
func newlinesAVX2(s string, i, j int) (n, behind int)

// newlinesAVX512 is newlinesAVX2, faster.
//
//go:noescape
func newlinesAVX512(s string, i, j int) (n, behind int)

// headAVX512 is headAVX2, faster, for an s that has 64 bytes from s[i] on: end
// may be one of the last 63 places.
//
//go:noescape
func headAVX512(s string, i int) (labels, dots, hyphens uint32, end int)

// headAVX2 is head.
//
//go:noescape
func headAVX2(s string, i int) (labels, dots, hyphens uint32, end int)

// labelsAVX2 is labels.
//
//go:noescape
func labelsAVX2(s string, i int) (labels, dots, hyphens uint32)

// simd reports whether head is faster than a loop.
func simd() bool { return hasAVX2 }

// head is headGo, where simd is true; but end may be one of the last 31 places
// of s, or of the last 63 with longer vectors, before which every byte is plain.
func head(s string, i int) (labels, dots, hyphens uint32, end int) {
	if hasAVX512 && i+64 <= len(s) {
		return headAVX512(s, i)
	}
	return headAVX2(s, i)
}

// labels is head without the end.
func labels(s string, i int) (labels, dots, hyphens uint32) { return labelsAVX2(s, i) }
