package domain

// A status is what UTS 46 does with a code point, section 5. Deviation
// characters are valid here: processing is never transitional.
type status uint8

const (
	disallowed status = iota
	valid
	mapped
	ignored
)

// A bidiClass is a Bidi_Class, as far as RFC 5893 tells them apart; the classes
// that it never allows are one.
type bidiClass uint8

const (
	bidiOther bidiClass = iota
	bidiL
	bidiR
	bidiAL
	bidiAN
	bidiEN
	bidiES
	bidiCS
	bidiET
	bidiON
	bidiBN
	bidiNSM
)

// A joiningType is a Joining_Type, as far as RFC 5892, appendix A.1, asks.
type joiningType uint8

const (
	joinOther joiningType = iota
	joinL
	joinR
	joinD
	joinT
)

const (
	mark         = 1 << iota // General_Category Mn, Mc or Me
	decomposes               // has a canonical decomposition in the tables
	hangul                   // is a precomposed Hangul syllable
	neverNFC                 // Full_Composition_Exclusion: NFC_Quick_Check is No
	composesBack             // may compose with a code point before it
)

// virama is the combining class of viramas.
const virama = 9

// A record is what the tables know of a code point; many share one.
type record struct {
	delta   int32 // a mapped code point's distance to its mapping; 0: it has an entry
	status  status
	ccc     uint8
	bidi    bidiClass // of valid code points only, as are joining and mark
	joining joiningType
	flags   uint8
}

// A run is a stretch of code points that each have an entry.
type run struct {
	first uint32
	index uint16 // of the first one's entry
}

// lookup gives the record of c. The ranges of a block of 256 code points are
// kept as the last low byte of each and the number of its record.
func lookup(c rune) *record {
	block := uint32(c) >> 8
	if c >= planes {
		if block>>1 != 0xE0000>>9 {
			return &records[0]
		}
		block = block - 0xE0000>>8 + planes>>8
	}
	id := int(blockIndex[block])
	lo, hi := int(blockStart[id]), int(blockStart[id+1])
	low := uint16(c & 0xFF)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if ranges[mid]>>8 < low {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return &records[ranges[lo]&0xFF]
}

// entry gives the pool's string for c, which must lie in one of the runs.
func entry(runs []run, offsets []uint16, c rune) string {
	lo, hi := 0, len(runs)
	for lo < hi { // the first run that begins after c
		mid := int(uint(lo+hi) >> 1)
		if runs[mid].first <= uint32(c) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	r := runs[lo-1]
	at := int(offsets[uint32(r.index)+uint32(c)-r.first])
	return pool[at+1 : at+1+int(pool[at])]
}

// mapping gives what a mapped code point without a delta is mapped to.
func mapping(c rune) string { return entry(mapRuns[:], mapOffset[:], c) }
