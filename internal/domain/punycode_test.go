package domain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPunycode has the samples of RFC 3492, section 7.1, in the lower case
// that UTS 46 leaves of them.
func TestPunycode(t *testing.T) {
	for _, tt := range []struct{ name, text, puny string }{
		{"(A) Arabic", "\u0644\u064A\u0647\u0645\u0627\u0628\u062A\u0643\u0644\u0645\u0648\u0634\u0639\u0631\u0628\u064A\u061F", "egbpdaj6bu4bxfgehfvwxn"},
		{"(B) Chinese, simplified", "\u4ED6\u4EEC\u4E3A\u4EC0\u4E48\u4E0D\u8BF4\u4E2D\u6587", "ihqwcrb4cv8a8dqg056pqjye"},
		{"(C) Chinese, traditional", "\u4ED6\u5011\u7232\u4EC0\u9EBD\u4E0D\u8AAA\u4E2D\u6587", "ihqwctvzc91f659drss3x8bo0yb"},
		{"(D) Czech", "pro\u010Dprost\u011Bnemluv\u00ED\u010Desky", "proprostnemluvesky-uyb24dma41a"},
		{"(E) Hebrew", "\u05DC\u05DE\u05D4\u05D4\u05DD\u05E4\u05E9\u05D5\u05D8\u05DC\u05D0\u05DE\u05D3\u05D1\u05E8\u05D9\u05DD\u05E2\u05D1\u05E8\u05D9\u05EA", "4dbcagdahymbxekheh6e0a7fei0b"},
		{"(L) digits and ideographs", "3\u5E74b\u7D44\u91D1\u516B\u5148\u751F", "3b-ww4c5e180e575a65lsy2b"},
		{"(R) kana", "\u305D\u306E\u30B9\u30D4\u30FC\u30C9\u3067", "d9juau41awczczp"},
		{"(S) ASCII that breaks the rules for names", "-> $1.00 <-", "-> $1.00 <--"},
	} {
		label := []rune(tt.text)
		if got := string(encode(nil, label)); got != tt.puny {
			t.Errorf("%s: encoded to %q, want %q", tt.name, got, tt.puny)
		}
		if got, bad := decode(nil, []rune(tt.puny)); bad >= 0 || !slices.Equal(got, label) {
			t.Errorf("%s: decoded to %q (bad at %d), want %q", tt.name, string(got), bad, tt.text)
		}
	}
}

// TestPunycodeLong holds that long labels go the way that short ones do: one
// label is coded both by walking and by counting, and read back.
func TestPunycodeLong(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pools := [][2]rune{{'a', 'z'}, {0xE0, 0xFF}, {0x4E00, 0x9FFF}, {0x10000, 0x10FFFF}}
	for range 300 {
		label := make([]rune, 1+rnd.IntN(2*longLabel))
		for i := range label {
			p := pools[rnd.IntN(len(pools))]
			label[i] = p[0] + rnd.Int32N(p[1]-p[0]+1)
		}
		var ascii []byte
		for _, c := range label {
			if c < initialN {
				ascii = append(ascii, byte(c))
			}
		}
		basic := len(ascii)
		if basic > 0 {
			ascii = append(ascii, '-')
		}
		// encode chooses by length; encodeLong is asked for all of them.
		want := string(encodeLong(slices.Clone(ascii), label, basic))
		if len(label) < longLabel {
			if got := string(encode(nil, label)); got != want {
				t.Fatalf("%+q: %q by walking, %q by counting", string(label), got, want)
			}
		}
		if got, bad := decode(nil, []rune(want)); bad >= 0 || !slices.Equal(got, label) {
			t.Fatalf("%+q: read back as %+q (bad at %d)", string(label), string(got), bad)
		}
	}
}

// TestPlace holds insertions made all at once to those made one by one.
func TestPlace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		basic := []rune(strings.Repeat("x", rnd.IntN(20)))
		want := slices.Clone(basic)
		var steps []insertion
		for range rnd.IntN(60) {
			s := insertion{'a' + rnd.Int32N(26), rnd.IntN(len(want) + 1)}
			steps = append(steps, s)
			want = slices.Insert(want, s.at, s.c)
		}
		if got := place(nil, basic, steps); !slices.Equal(got, want) {
			t.Fatalf("%v into %q: %q, want %q", steps, string(basic), string(got), string(want))
		}
	}
}

// TestTables holds what the lookups assume of the generated tables.
func TestTables(t *testing.T) {
	if len(blockIndex) != planes>>8+2 || int(blockStart[len(blockStart)-1]) != len(ranges) {
		t.Error("the index does not fit the planes or the ranges")
	}
	for id := range len(blockStart) - 1 {
		block := ranges[blockStart[id]:blockStart[id+1]]
		if len(block) == 0 || block[len(block)-1]>>8 != 0xFF || !slices.IsSorted(block) {
			t.Errorf("block %d does not run up to its end", id)
		}
	}
	if !slices.IsSorted(compositions[:]) {
		t.Error("the compositions are out of order")
	}
	for c := rune(0); c <= maxRune; c++ {
		r := lookup(c)
		if r.status == mapped && r.delta == 0 && mapping(c) == "" {
			t.Errorf("U+%04X is mapped to nothing", c)
		}
		if c < 0x80 && c >= 'A' && c <= 'Z' && c+r.delta != c+'a'-'A' {
			t.Errorf("%q does not map to lower case", c)
		}
		if r.status != mapped {
			continue
		}
		// UTS 46, section 6: what code points are mapped to is normalized and valid.
		for _, m := range appendMapped(nil, c) {
			if m >= 0x80 && lookup(m).status != valid {
				t.Errorf("U+%04X is mapped to U+%04X, which is not valid", c, m)
			}
		}
		if !isNFC(appendMapped(nil, c)) {
			t.Errorf("U+%04X is mapped to what is not normalized", c)
		}
	}
}
