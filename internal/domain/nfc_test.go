package domain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"anyurl/internal/domain"
)

func TestNFC(t *testing.T) {
	for _, tt := range []struct{ in, want, cite string }{
		{"", "", ""},
		{"plain", "plain", ""},
		{"\u00e9", "\u00e9", "already composed"},
		{"e\u0301", "\u00e9", "UAX 15, figure 3"},
		{"\u212B", "\u00C5", "UAX 15, figure 3: singletons, the Angstrom sign"},
		{"\u2126", "\u03A9", "UAX 15, figure 3: singletons, the Ohm sign"},
		{"\u1E9B\u0323", "\u1E9B\u0323", "UAX 15, figure 6: long s keeps its marks apart"},
		{"d\u0307\u0323", "\u1E0D\u0307", "UAX 15, figure 5: marks in canonical order"},
		{"\u1E0B\u0323", "\u1E0D\u0307", "UAX 15, figure 5: decomposed first"},
		{"\uFB01", "\uFB01", "UAX 15, figure 6: a ligature is a compatibility mapping"},
		{"\u0958", "\u0915\u093C", "Composition_Exclusion: Devanagari QA"},
		{"\u0344", "\u0308\u0301", "a non-starter decomposition"},
		{"\u2ADC", "\u2ADD\u0338", "Full_Composition_Exclusion: forking"},
		{"\u1100\u1161", "\uAC00", "Unicode Standard, section 3.12: LV"},
		{"\u1100\u1161\u11A8", "\uAC01", "ibid.: LVT"},
		{"\uAC00\u11A8", "\uAC01", "ibid.: LV and T"},
		{"\uAC00\u11A7", "\uAC00\u11A7", "ibid.: TBase is no trailing consonant"},
		{"\u1100\u0300\u1161", "\u1100\u0300\u1161", "a mark between blocks"},
		{"a\u0300\u0301", "\u00E0\u0301", "the second of a class is blocked"},
		{"a\u0316\u0300", "\u00E0\u0316", "one of a lower class does not block"},
		{"\u0041\u030A\u0301", "\u01FA", "composition goes on from a composite"},
		{"\uF900", "\u8C48", "a compatibility ideograph is a singleton"},
		{"\u1E69", "\u1E69", "two marks deep"},
		{"s\u0307\u0323", "\u1E69", "two marks deep, out of order"},
		{"\u09C7\u09BE", "\u09CB", "two starters compose: Bengali O"},
		{"\u0CC6\u0CC2\u0CD5", "\u0CCB", "and again: Kannada OO"},
		{"\u0301e\u0301", "\u0301\u00e9", "a mark first"},
		{"a\xFF\u0301", "a\xFF\u0301", "not UTF-8 stands between"},
		{"e\u0301\xFFe\u0301", "\u00e9\xFF\u00e9", "ibid."},
	} {
		if got := domain.NFC(tt.in); got != tt.want {
			t.Errorf("NFC(%+q) = %+q, want %+q (%s)", tt.in, got, tt.want, tt.cite)
		}
		if got := string(domain.AppendNFC([]byte("<"), tt.in)); got != "<"+tt.want {
			t.Errorf("AppendNFC(%+q) = %+q, want %+q", tt.in, got, "<"+tt.want)
		}
	}
}

func TestNFD(t *testing.T) {
	for in, want := range map[string]string{
		"":              "",
		"plain":         "plain",
		"\u1E69":        "s\u0323\u0307", // UAX 15, figure 5
		"s\u0307\u0323": "s\u0323\u0307",
		"\uAC01":        "\u1100\u1161\u11A8", // Unicode Standard, section 3.12
		"\u01FA":        "A\u030A\u0301",      // decomposed through to the end
	} {
		if got := domain.NFD(in); got != want {
			t.Errorf("NFD(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

func TestMap(t *testing.T) {
	for in, want := range map[string]string{
		"":                "",
		"EXA\u212AMPLE":   "exakmple", // UTS 46, section 4, step 1
		"e\u0301\u00AD":   "\u00E9",   // step 2
		"\u2100":          "a/c",      // no domain
		"a\u3002b\uFF61c": "a.b.c",
		"a\u202Eb":        "a\u202Eb", // disallowed: stays
	} {
		if got := domain.Map(in); got != want {
			t.Errorf("Map(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

// TestNFCEveryCodePoint holds for each code point alone and between others
// that normalizing again changes nothing.
func TestNFCEveryCodePoint(t *testing.T) {
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		for _, s := range []string{string(c), "a" + string(c) + "\u0301"} {
			once := domain.NFC(s)
			if twice := domain.NFC(once); twice != once {
				t.Fatalf("NFC(%+q) = %+q, of which NFC makes %+q", s, once, twice)
			}
		}
	}
}

// TestNFCManyMarks has a run of marks longer than any text has, out of order.
func TestNFCManyMarks(t *testing.T) {
	const n = 1000
	got := domain.NFC("a" + strings.Repeat("\u0301\u0323", n))
	want := "\u1EA1" + strings.Repeat("\u0323", n-1) + strings.Repeat("\u0301", n)
	if got != want {
		t.Errorf("%d marks out of order come out wrong", 2*n)
	}
}
