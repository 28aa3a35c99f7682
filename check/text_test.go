package check

import "testing"

func TestTextFragments(t *testing.T) {
	d := &anchors{set: anchorSet{}, words: visible([]byte(`<title>no</title><p>Some <b>wo</b>rds, and&nbsp;more<p>Next<script>hidden()</script> part &amp; end`))}
	for _, tt := range []struct {
		fragment string
		want     finding
	}{ // Scroll To Text Fragment, 3.2
		{":~:text=some%20words", there},
		{":~:text=Words,part", there},
		{":~:text=some-,words,next,-part", there},
		{":~:text=part%20%26%20end", there},
		{":~:text=part,some", unseen},
		{":~:text=hidden", unseen},
		{":~:text=words&text=nowhere", unseen},
		{":~:unknown=x", there},
		{"gone:~:text=some%20words", missing},
	} {
		if got := d.look(tt.fragment); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.fragment, got, tt.want)
		}
	}
}

func TestLineAnchors(t *testing.T) {
	d := anchorsOf([]byte("package a\n\nfunc b() {}\n"), "", "a.go")
	for fragment, want := range map[string]finding{"L1": there, "L4": there, "L5": missing, "L2-L3": there, "L2-L30": missing, "L2C1-L3C5": there, "other": there} {
		if got := d.look(fragment); got != want {
			t.Errorf("%s: %d, want %d", fragment, got, want)
		}
	}
	if anchorsOf([]byte("\x00\x01"), "", "a.bin") != nil {
		t.Error("a binary file has lines")
	}
}
