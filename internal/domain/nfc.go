package domain

import (
	"slices"
	"unicode/utf8"
)

// NFC gives s in normalization form C (Unicode Standard, section 3.11). Bytes
// that are not UTF-8 come back as they are. A string that is in the form
// already is returned itself, without allocation.
func NFC(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) || quick(s[i:]) {
		return s
	}
	var buf [128]byte
	return string(AppendNFC(buf[:0], s))
}

// AppendNFC appends the normalization form C of s to dst.
func AppendNFC(dst []byte, s string) []byte {
	var buf [64]rune
	for len(s) > 0 {
		// What is not UTF-8 stands between two texts; neither composes with it.
		n := 0
		runes := buf[:0]
		for n < len(s) {
			c, size := utf8.DecodeRuneInString(s[n:])
			if c == utf8.RuneError && size == 1 {
				break
			}
			runes = append(runes, c)
			n += size
		}
		for _, c := range normalize(runes) {
			dst = utf8.AppendRune(dst, c)
		}
		if s = s[n:]; len(s) > 0 {
			dst, s = append(dst, s[0]), s[1:]
		}
	}
	return dst
}

// NFD gives s, which is UTF-8, in normalization form D: decomposed, with its
// marks in canonical order.
func NFD(s string) string {
	var buf [96]uint32
	work := buf[:0]
	for _, c := range s {
		work = decompose(work, c)
	}
	orderMarks(work)
	out := make([]byte, 0, len(s)+16)
	for _, w := range work {
		out = utf8.AppendRune(out, rune(w&0x1FFFFF))
	}
	return string(out)
}

// quick is the quick check of UAX 15, section 9, with maybe as no.
func quick(s string) bool {
	last := uint8(0)
	for _, c := range s {
		if c < 0xC0 {
			last = 0
			continue
		}
		r := lookup(c)
		if r.flags&(neverNFC|composesBack) != 0 || r.ccc != 0 && r.ccc < last {
			return false
		}
		last = r.ccc
	}
	return true
}

// quickRunes is quick for code points.
func quickRunes(runes []rune) bool {
	last := uint8(0)
	for _, c := range runes {
		if c < 0xC0 {
			last = 0
			continue
		}
		r := lookup(c)
		if r.flags&(neverNFC|composesBack) != 0 || r.ccc != 0 && r.ccc < last {
			return false
		}
		last = r.ccc
	}
	return true
}

// isNFC reports whether runes are in normalization form C.
func isNFC(runes []rune) bool {
	if quickRunes(runes) {
		return true
	}
	var buf [64]rune
	return slices.Equal(runes, normalize(append(buf[:0], runes...)))
}

// normalize gives runes in normalization form C, in their own place where the
// room allows.
func normalize(runes []rune) []rune {
	if quickRunes(runes) {
		return runes
	}

	// Decompose, with each code point's combining class above its 21 bits.
	var buf [96]uint32
	work := buf[:0]
	for _, c := range runes {
		work = decompose(work, c)
	}

	orderMarks(work)

	// Compose: a code point joins the last starter unless something of its
	// class or a higher one, or another starter, stands between.
	out := runes[:0]
	starter, last := -1, uint32(0)
	for _, w := range work {
		c, class := rune(w&0x1FFFFF), w>>24
		if starter >= 0 && (starter == len(out)-1 || last < class) {
			if one := compose(out[starter], c); one != 0 {
				out[starter] = one
				continue
			}
		}
		if class == 0 {
			starter = len(out)
		}
		last = class
		out = append(out, c)
	}
	return out
}

// orderMarks puts marks into canonical order: a stable sort of each run by
// combining class.
func orderMarks(work []uint32) {
	for i := 0; i < len(work); i++ {
		if work[i] < 1<<24 {
			continue
		}
		j := i + 1
		for j < len(work) && work[j] >= 1<<24 {
			j++
		}
		order(work[i:j])
		i = j
	}
}

// order sorts by combining class. Runs of marks are short; where one is not,
// the time stays that of a merge.
func order(marks []uint32) {
	if len(marks) > 32 {
		slices.SortStableFunc(marks, func(a, b uint32) int { return int(a>>24) - int(b>>24) })
		return
	}
	for i := 1; i < len(marks); i++ {
		for j := i; j > 0 && marks[j]>>24 < marks[j-1]>>24; j-- {
			marks[j], marks[j-1] = marks[j-1], marks[j]
		}
	}
}

// The numbers of Hangul, Unicode Standard, section 3.12.
const (
	sBase, lBase, vBase, tBase = 0xAC00, 0x1100, 0x1161, 0x11A7

	lCount, vCount, tCount = 19, 21, 28
	sCount                 = lCount * vCount * tCount
)

func decompose(dst []uint32, c rune) []uint32 {
	if c < 0xC0 {
		return append(dst, uint32(c))
	}
	r := lookup(c)
	switch {
	case r.flags&hangul != 0:
		s := uint32(c - sBase)
		dst = append(dst, lBase+s/(vCount*tCount), vBase+s%(vCount*tCount)/tCount)
		if t := s % tCount; t != 0 {
			dst = append(dst, tBase+t)
		}
		return dst
	case r.flags&decomposes != 0:
		for _, c := range entry(decRuns[:], decOffset[:], c) {
			dst = decompose(dst, c)
		}
		return dst
	}
	return append(dst, uint32(r.ccc)<<24|uint32(c))
}

// compose gives the primary composite of a and b, or 0.
func compose(a, b rune) rune {
	if b < 0xC0 || lookup(b).flags&composesBack == 0 {
		return 0
	}
	if l, v := a-lBase, b-vBase; 0 <= l && l < lCount && 0 <= v && v < vCount {
		return sBase + (l*vCount+v)*tCount
	}
	if s, t := a-sBase, b-tBase; 0 <= s && s < sCount && s%tCount == 0 && 0 < t && t < tCount {
		return a + t
	}
	key := uint64(a)<<42 | uint64(b)<<21
	lo, hi := 0, len(compositions)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if compositions[mid] < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(compositions) && compositions[lo]>>21 == key>>21 {
		return rune(compositions[lo] & 0x1FFFFF)
	}
	return 0
}
