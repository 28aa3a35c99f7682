package find_test

import (
	"testing"

	"anyurl/find"
)

// TestDefanged holds that a URL spelt so that nobody opens it is not found.
func TestDefanged(t *testing.T) {
	for _, text := range []string{
		"hxxp://evil[.]example/a and hxxps://evil(dot)example", "HXXPS://evil.example/", "fxp://evil.example/x", "see hxtp://evil.example.",
	} {
		for m := range find.Text(text, find.Options{}) {
			t.Errorf("%q has %q", text, m.URL)
		}
	}
	n := 0
	for range find.Text("sxxp://trusted.example/ and http://trusted.example/hxxp://x.example", find.Options{}) {
		n++
	}
	if n != 2 {
		t.Errorf("%d of 2 found", n)
	}
}
