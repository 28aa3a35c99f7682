//go:build !purego

package anyurl

import "testing"

// TestScanAVX2 holds that where the vector scan is sure, the table agrees.
func TestScanAVX2(t *testing.T) {
	if !useAVX2 {
		t.Skip("this processor has no AVX2")
	}
	sure := 0
	words("a/.%?#'", 5, func(word string) {
		for _, before := range []string{"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa/", "h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"} {
			s := before + word
			hostEnd, pathEnd, queryEnd, ok := scanAVX2(s, 0)
			if !ok {
				continue
			}
			sure++
			at, tableOK := scanTable(s, 0)
			if want := (extents{hostEnd, pathEnd, queryEnd}); !tableOK || at != want {
				t.Fatalf("scanAVX2(%q) = %v, and the table says %v, %v", s, want, at, tableOK)
			}
		}
	})
	if sure == 0 {
		t.Error("the vector scan was never sure")
	}
}
