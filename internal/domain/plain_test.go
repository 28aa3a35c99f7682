package domain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// holdPlain holds that what appendPlain takes, the whole way reads the same.
func holdPlain(t *testing.T, s string) (taken bool) {
	t.Helper()
	got, ok := appendPlain([]byte("x"), s)
	if !ok {
		if string(got) != "x" {
			t.Fatalf("appendPlain(%q) gives up and leaves %q", s, got)
		}
		return false
	}
	want, f := unicodeToASCII([]byte("x"), s, false)
	if f.rule != nil || string(got) != string(want) {
		t.Fatalf("appendPlain(%q) = %q; the whole way gives %q, %v", s, got, want, f.rule)
	}
	return true
}

func TestPlain(t *testing.T) {
	// Every code point, at the begin, in the middle and at the end of a label.
	taken := 0
	for c := rune(0); c <= utf8.MaxRune; c++ {
		for _, s := range []string{string(c), string(c) + "a", "a" + string(c), "Aü" + string(c) + ".b"} {
			if holdPlain(t, s) {
				taken++
			}
		}
	}
	if taken < 100_000 {
		t.Errorf("only %d domains are plain", taken)
	}
	for _, s := range []string{
		"bücher.example", "xn--a.ü", "XN--ü", "ü.xn--", "", ".", "ü.", ".ü", "a..ü", "e\u0301", "ü.א", "1.ü.א", "a\u200dü", "faß.de", "ü<",
		strings.Repeat("ü", 63) + ".a", strings.Repeat("ü", 64) + ".a", strings.Repeat("a", 80) + "ü", "ab--ü", "-ü-", "가\u11a8",
		"\xb0\x80", "\xbf\x80", "\xc3", "\xc3a", "\xc1\xbf", "a\xc3.a", "A.ü", "Xn--A", "AÜ", strings.Repeat("a", 999) + "ü", strings.Repeat("a", 1000) + "ü",
	} {
		holdPlain(t, s)
	}
}

// TestPlainWords encodes labels with several code points that come in any order.
func TestPlainWords(t *testing.T) {
	letters := []string{"a", "ü", "ö", "あ", "字", "\U00020000", "."}
	var grow func(s string, n int)
	grow = func(s string, n int) {
		if !holdPlain(t, s) && strings.ContainsAny(s, "aüöあ字") {
			t.Fatalf("%q is not plain", s)
		}
		if n > 0 {
			for _, l := range letters {
				grow(s+l, n-1)
			}
		}
	}
	grow("", 5)
	grow(strings.Repeat("ü字", 8), 3)
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"bücher.example", "Ü.xn--a", "faß。de", "a\u0338<", "א.a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { holdPlain(t, s) })
}
