package find

import "testing"

func TestDecoded(t *testing.T) {
	const source = "<p>\nsee http://a.example/?x=1&amp;y=2 now</p><p>http&#58;//b.example</p>"
	var d Decoded
	d.Verbatim(source, 3, 29)
	d.Decode("&", 29, 34)
	d.Verbatim(source, 34, 41)
	d.Decode("\n", 41, 41)
	d.Verbatim(source, 48, 52)
	d.Decode(":", 52, 57)
	d.Verbatim(source, 57, 68)
	want := []Match{
		{URL: "http://a.example/?x=1&y=2", Text: "http://a.example/?x=1&amp;y=2", Start: 8, End: 37, Line: 2, Col: 5},
		{URL: "http://b.example", Text: "http&#58;//b.example", Start: 48, End: 68, Line: 2, Col: 45},
	}
	i := 0
	for m := range d.Matches(source, NewLines(source), Options{}) {
		if i >= len(want) || m != want[i] {
			t.Errorf("match %d: got %+v", i, m)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("got %d matches, want %d", i, len(want))
	}
}

func TestLines(t *testing.T) {
	l := NewLines("a\n\nbc\n")
	for _, tt := range []struct{ offset, line, col int }{{0, 1, 1}, {1, 1, 2}, {2, 2, 1}, {3, 3, 1}, {4, 3, 2}, {5, 3, 3}, {6, 4, 1}} {
		if line, col := l.At(tt.offset); line != tt.line || col != tt.col {
			t.Errorf("At(%d) = %d, %d, want %d, %d", tt.offset, line, col, tt.line, tt.col)
		}
	}
}
