package find

import (
	"math/bits"
	"strings"
)

// Eight bytes at a time, as the digits of one number: what stands in for
// vectors where there are none.

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
	low7 = 0x7F7F7F7F7F7F7F7F
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

// equal sets the top bit of each byte of x that is c, which is ASCII.
func equal(x uint64, c byte) uint64 {
	x ^= ones * uint64(c)
	return ^(x&low7 + low7 | x) & tops
}

// between sets the top bit of each byte of x7 that is one of first to last, and
// maybe other bits. All are ASCII.
func between(x7 uint64, first, last byte) uint64 {
	return (x7 + ones*uint64(0x80-first)) &^ (x7 + ones*uint64(0x80-last-1))
}

// plainHost reads a host from s[i] on, up to the first byte that is no ASCII
// letter, digit, "." or "-", and gives its end. It reports false where the
// long way must look: at a "." or "-" that stands at an edge or beside another, at
// what is longer than a label may be, and where s ends within eight bytes.
func plainHost(s string, i int) (end int, ok bool) {
	begin := i
	edge := uint64(0x80) // what stands before a byte is "." or "-", or nothing
	for ; i+8 <= len(s); i += 8 {
		x := load(s, i)
		x7 := x & low7
		letters := between(x7|ones*0x20, 'a', 'z')
		digits, points := between(x7, '0', '9'), between(x7, '-', '.')
		behind := ^((letters | digits | points) &^ x) & tops
		points &= tops
		beside := points<<8 | edge
		if behind == 0 {
			if points&beside != 0 {
				return 0, false
			}
			edge = points >> 56
			continue
		}
		first := behind & -behind
		end = i + bits.TrailingZeros64(behind)>>3
		return end, (points&(first-1)|first)&beside == 0 && end-begin <= maxLabel
	}
	return 0, false
}

// plainEndGo gives the first place from s[i] on whose byte is not plain
// (tailClass), or len(s).
func plainEndGo(s string, i int) int {
	for i+8 <= len(s) {
		x := load(s, i)
		x7 := x & low7
		letters := between(x7|ones*0x20, 'a', 'z')
		others := between(x7, '-', ':')
		seldom := ^((letters | others) &^ x) & tops
		if seldom == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(seldom) >> 3
		if tailClass[s[i]] != plain {
			return i
		}
		i++
	}
	for i < len(s) && tailClass[s[i]] == plain {
		i++
	}
	return i
}

// newlinesGo counts the newlines in s[i:j] and gives the place behind the last
// of them, or i.
func newlinesGo(s string, i, j int) (n, behind int) {
	if j-i > 128 || j < 8 {
		n = strings.Count(s[i:j], "\n")
		if n == 0 {
			return 0, i
		}
		return n, i + lastNewline(s[i:j]) + 1
	}
	behind = i
	at := i
	for ; at+8 <= j; at += 8 {
		hits := equal(load(s, at), '\n')
		n += bits.OnesCount64(hits)
		if hits != 0 {
			behind = at + 8 - bits.LeadingZeros64(hits)>>3
		}
	}
	if at < j { // a word that ends with the text, less what was counted
		hits := equal(load(s, j-8), '\n') >> ((at + 8 - j) * 8 & 63) << ((at + 8 - j) * 8 & 63)
		n += bits.OnesCount64(hits)
		if hits != 0 {
			behind = j - bits.LeadingZeros64(hits)>>3
		}
	}
	return n, behind
}

// gapLines is newlines for i < j, faster where one reference follows the other;
// without a newline, behind says nothing.
func gapLines(s string, i, j int) (n, behind int) {
	if j-i > 8 || j < 8 {
		return newlines(s, i, j)
	}
	before := 8 * (8 - (j - i)) & 63
	hits := equal(load(s, j-8), '\n') >> before << before
	return bits.OnesCount64(hits), j - bits.LeadingZeros64(hits)>>3
}

// lastNewline is strings.LastIndexByte for a newline.
func lastNewline(s string) int {
	i := len(s)
	for ; i >= 8; i -= 8 {
		if hits := equal(load(s, i-8), '\n'); hits != 0 {
			return i - 1 - bits.LeadingZeros64(hits)>>3
		}
	}
	return strings.LastIndexByte(s[:i], '\n')
}
