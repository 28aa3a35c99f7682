package format

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyLinks: as many links as people write in one paragraph are read as links,
// and more of them are told of.
func TestManyLinks(t *testing.T) {
	for _, tt := range []struct{ links, notes int }{{900, 0}, {2000, 0}, {3000, 1}} {
		var b strings.Builder
		for i := range tt.links {
			fmt.Fprintf(&b, "[see_(%d)](http://a.example/%d), ", i, i)
		}
		text := strings.ReplaceAll(b.String(), "see_", "see ")
		notes, links := 0, 0
		f := Finder{Format: "markdown", Note: func(Note) { notes++ }}
		for m := range f.Bytes("a.md", []byte(text)) {
			if m.Via == "link" {
				links++
			}
		}
		want := tt.links
		if tt.notes > 0 {
			want = 0
		}
		if links != want || notes != tt.notes {
			t.Errorf("of %d links %d are links, with %d notes", tt.links, links, notes)
		}
	}
}

func TestWholeLink(t *testing.T) {
	for text, want := range map[string]int{
		"[a](b)": 6, "[a](b) c": 6, "[a (1)](b)": 10, "[](b)": 5, "[a][b]": 0, "[a](b": 0, "[a": 0, "[": 0, "[a]": 0, "[a](": 0,
		"[a*](b)": 0, "[a](b c)": 0, "[[a](b)": 0, "[a](b(c))": 0, `[a\](b)`: 0, "[a](<b>)": 0,
	} {
		if got := wholeLink([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
