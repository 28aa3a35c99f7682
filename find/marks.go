package find

import (
	"math/bits"
	"strings"
)

// Marks are the bytes that may stand inside a reference:
//
//	":" before an ASCII byte above 0x22, which is the quotation mark: what
//	is below it begins no scheme's body. With all, behind a letter, digit, "_" or
//	a byte above ASCII; without, not before another ":" or "=", which code has
//	with all, "." and "@" between letters, digits, "_" and bytes above ASCII
//
// No mark but a ":" stands at the beginning of s, and none at its end.
//
// marksGo sets bit i of words, counted through the words from the least
// significant bit, where s[at+i] is a mark, for i below n, and clears the other
// bits. It gives the number of newlines in s[at:at+n], and a bit for each word
// that is not zero. words are at most 64. It is what the assembly
// is held to, and does the edges for it.
func marksGo(words []uint64, s string, at, n int, all bool) (lines int, busy uint64) {
	clear(words)
	lines = strings.Count(s[at:at+n], "\n")
	if all {
		marksAllGo(words, s, at, n)
	} else {
		marksColonGo(words, s, at, n)
	}
	for w := range words {
		if words[w] != 0 {
			busy |= 1 << w
		}
	}
	return lines, busy
}

func marksColonGo(words []uint64, s string, at, n int) {
	end := min(at+n, len(s)-1)
	for i := at; i < end; {
		k := strings.IndexByte(s[i:end], ':')
		if k < 0 {
			break
		}
		i += k
		if begins(s[i+1]) {
			words[(i-at)>>6] |= 1 << ((i - at) & 63)
		}
		i++
	}
}

// begins reports whether the body of a scheme's URL may begin with c.
func begins(c byte) bool { return c > '"' && c < 0x80 && c != ':' && c != '=' }

func marksAllGo(words []uint64, s string, at, n int) {
	end := min(at+n, len(s)-1)
	i := at
	for ; i+8 <= end; i += 8 {
		x := load(s, i)
		hits := zeros(x^ones*':') | zeros(x^ones*'.') | zeros(x^ones*'@')
		for ; hits != 0; hits &= hits - 1 {
			if k := i + bits.TrailingZeros64(hits)>>3; marked(s, k) {
				words[(k-at)>>6] |= 1 << ((k - at) & 63)
			}
		}
	}
	for ; i < end; i++ {
		if marked(s, i) {
			words[(i-at)>>6] |= 1 << ((i - at) & 63)
		}
	}
}

// marked reports whether s[i], behind which there is a byte, is a mark when
// all are asked for.
func marked(s string, i int) bool {
	if i == 0 || !is(s[i-1], word) {
		return false
	}
	switch s[i] {
	case ':':
		return s[i+1] > '"' && s[i+1] < 0x80
	case '.', '@':
		return is(s[i+1], word)
	}
	return false
}

// headGo says of s[i:i+32], the first byte lowest, which bytes are ASCII
// letters, digits or "_", which are ".", and which "-". end is the first place
// from s[i] on whose byte is not plain, or len(s).
func headGo(s string, i int) (labels, dots, hyphens uint32, end int) {
	for k, c := range []byte(s[i : i+32]) {
		switch {
		case c < 0x80 && is(c, word):
			labels |= 1 << k
		case c == '.':
			dots |= 1 << k
		case c == '-':
			hyphens |= 1 << k
		}
	}
	return labels, dots, hyphens, plainEndGo(s, i)
}
