package find

import (
	"math/bits"
	"strings"
)

// Marks are the bytes that may stand inside a reference:
//
//	":" before an ASCII byte above 0x22, which is the quotation mark: what
//	is below it begins no scheme's body; with all, behind a letter, digit, "_" or a byte above ASCII
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
		if s[i+1] > '"' && s[i+1] < 0x80 {
			words[(i-at)>>6] |= 1 << ((i - at) & 63)
		}
		i++
	}
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// load gives the eight bytes at s[i], the first one lowest.
func load(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zeros sets the top bit of each byte of x that is zero, and maybe of one
// behind such a byte.
func zeros(x uint64) uint64 { return (x - ones) &^ x & tops }

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

// newlinesGo counts the newlines in s[i:j] and gives the place behind the last
// of them, or i.
func newlinesGo(s string, i, j int) (n, behind int) {
	n = strings.Count(s[i:j], "\n")
	if n == 0 {
		return 0, i
	}
	return n, i + lastNewline(s[i:j]) + 1
}

// lastNewline is strings.LastIndexByte for a newline, eight bytes at a time.
func lastNewline(s string) int {
	const low7 = 0x7F7F7F7F7F7F7F7F
	i := len(s)
	for ; i >= 8; i -= 8 {
		x := load(s, i-8) ^ ones*'\n'
		if hits := ^(x&low7 + low7 | x | low7); hits != 0 {
			return i - 1 - bits.LeadingZeros64(hits)>>3
		}
	}
	return strings.LastIndexByte(s[:i], '\n')
}

// plainEndGo gives the first place from s[i] on whose byte is not plain
// (tailClass), or len(s).
func plainEndGo(s string, i int) int {
	for ; i+4 <= len(s); i += 4 {
		if four := s[i : i+4]; tailClass[four[0]]|tailClass[four[1]]|tailClass[four[2]]|tailClass[four[3]] != plain {
			break
		}
	}
	for i < len(s) && tailClass[s[i]] == plain {
		i++
	}
	return i
}
