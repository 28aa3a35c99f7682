package idn

import "sort"

// scripts is a set of scripts; the tables name its bits. The empty set stands
// for the characters that every script uses (Common and Inherited).
type scripts uint64

const (
	allowed = 1 << iota // UTS 39, Identifier_Status
	digit               // General_Category Nd
	mark                // General_Category Mn
)

type record struct {
	scripts scripts
	flags   uint8
}

// lookup gives the record of c. The ranges of a block of 256 code points are
// kept as the last low byte of each and the number of its record.
func lookup(c rune) *record {
	if c >= planes {
		return &records[0]
	}
	id := int(blockIndex[c>>8])
	block := ranges[blockStart[id]:blockStart[id+1]]
	low := uint16(c & 0xFF)
	lo, hi := 0, len(block)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if block[mid]>>8 < low {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return &records[block[lo]&0xFF]
}

// looksLike gives the ASCII that c is taken for by UTS 39's confusables, with
// marks dropped and in lower case; "" when there is none.
func looksLike(c rune) string {
	key := uint32(c) << 8
	i := sort.Search(len(looksOne), func(i int) bool { return looksOne[i] >= key })
	if i < len(looksOne) && looksOne[i]>>8 == uint32(c) {
		return letters[looksOne[i]&0x7F : looksOne[i]&0x7F+1]
	}
	j := sort.Search(len(looksMore), func(i int) bool { return looksMore[i].c >= c })
	if j < len(looksMore) && looksMore[j].c == c {
		return looksMore[j].to
	}
	return ""
}

// letters holds each byte of ASCII at its own place.
var letters = func() string {
	var b [128]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// name gives the name of the first script in s, or Latin's where it is among
// several.
func (s scripts) name() string {
	if s&latin != 0 {
		return "Latin"
	}
	for i, name := range scriptNames {
		if s>>i&1 != 0 {
			return name
		}
	}
	return "Common"
}
