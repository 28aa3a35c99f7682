package format_test

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// quineZip gives a zip whose one member is the zip itself. Its deflated data is a
// program of two instructions of five bytes each, which print what follows them
// and what was printed last; the way to have such a program print itself is
// that of Russ Cox's article "Zip Files All The Way Down". The checksum is left
// open, which archive/zip takes for one that was not written.
func quineZip() []byte {
	const (
		op    = 5   // the length of an instruction
		part  = 253 // and of what stands before and behind the program: one repeat's length less one
		named = "a.zip"
	)
	print := func(n int) []byte { // a stored block of n bytes: RFC 1951, 3.2.4
		return []byte{0, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}
	}
	repeatPart := fixed(
		"010", "11000101", "10000", "1000000", "0000000", // length 258, distance 257 + 1
		"010", "0000000") // and a block of nothing
	repeat4 := fixed("010",
		"0001000", "01000", "110", // length 10, distance 17 + 3
		"0001000", "01000", "110",
		"0000000")
	print0, print1, print4, printPart := print(0), print(op), print(4*op), print(part+op)

	program := func(before, behind []byte) []byte {
		return slices.Concat(before,
			printPart, before, printPart,
			repeatPart,
			print1, repeatPart,
			print1, print1,
			print4, repeatPart, print1, print1, print4,
			repeat4,
			print4, repeat4, print4, repeat4, print4,
			repeat4,
			print4, repeat4, print0, print0, printPart,
			repeat4,
			print0, print0, printPart, repeatPart, behind,
			repeatPart,
			behind)
	}
	size := len(program(make([]byte, part), make([]byte, part)))
	data := size - 2*part + op // behind begins with the data's last block
	common := slices.Concat(
		[]byte{20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0}, // version, flags, deflated, time, date, checksum
		le32(data), le32(size), le16(len(named)))

	before := slices.Concat([]byte("PK\x03\x04"), common)
	before = slices.Concat(before, le16(part-len(before)-2-len(named)), []byte(named))
	before = append(before, make([]byte, part-len(before))...) // an extra field

	last := []byte{1, 0, 0, 0xFF, 0xFF}
	entry := slices.Concat([]byte("PK\x01\x02\x14\x00"), common, make([]byte, 16), []byte(named))
	end := slices.Concat([]byte("PK\x05\x06"), le16(0), le16(0), le16(1), le16(1), le32(len(entry)), le32(size-part+len(last)))
	behind := slices.Concat(last, entry, end)
	behind = append(behind, le16(part-len(behind)-2)...)
	behind = append(behind, bytes.Repeat([]byte(" "), part-len(behind))...) // a comment
	return program(before, behind)
}

// fixed packs bits as they follow each other in deflated data.
func fixed(bits ...string) []byte {
	var out []byte
	n := 0
	for _, group := range bits {
		for _, bit := range group {
			if n%8 == 0 {
				out = append(out, 0)
			}
			out[n/8] |= byte(bit-'0') << (n % 8)
			n++
		}
	}
	return out
}

func le16(n int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(n)) }
func le32(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
