//go:build !purego

package anyurl

import "testing"

// TestScanAVX2 holds that where the vector scan is sure, scanWords .
func TestScanAVX2(t *testing.T) {
	if !useAVX2 {
		t.Skip("this processor has no AVX2")
	}
	taken := 0
	words("a/.%?#'", 5, func(word string) {
		for _, before := range []string{"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa/", "h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"} {
			s := before + word
			got, ok := scan(s, 0)
			if !ok || len(s) < 8 {
				continue
			}
			taken++
			if at, ok := scanWords(s, 0); !ok || at != got {
				t.Fatalf("scanAVX2(%q) = %v, and scanWords says %v, %v", s, got, at, ok)
			}
		}
	})
	if taken == 0 {
		t.Error("the vector scan took nothing")
	}
}
