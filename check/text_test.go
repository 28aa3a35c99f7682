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
		{":~:text=ome%20words", unseen}, // 3.6.2: words are whole
		{":~:text=some%20word", unseen},
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
	for fragment, want := range map[string]finding{"L1": there, "L4": there, "L5": missing, "L2-L3": there, "L2-L30": missing, "L2C1-L3C5": there, "lines-4": there, "lines-9": missing, "lines-2:3": there, "other": unlooked, "a=b": foreign} {
		if got := d.look(fragment); got != want {
			t.Errorf("%s: %d, want %d", fragment, got, want)
		}
	}
}

// TestUnlooked holds that nobody is told that a place is there where nobody looked.
func TestUnlooked(t *testing.T) {
	for _, tt := range []struct {
		kind, name, text, fragment string
		want                       finding
	}{
		{"", "a.bin", "\x00\x01", "L1", unlooked},
		{"", "a.bin", "\x00\x01", "", there},
		{"", "a.png", "\x89PNG\x00", "part", unlooked},
		{"image/png", "", "\x89PNG\x00", "part", unlooked},
		{"image/png", "", "\x89PNG\x00", "xywh=1,2,3,4", foreign}, // Media Fragments, 4.2
		{"video/mp4", "", "", "t=10", foreign},
		{"application/json", "", "{}", "/a/b", foreign}, // a JSON pointer, for who reads it
		{"application/json", "", "{}", "a", unlooked},
		{"", "a.ipynb", "{}", "cell", unlooked},
		{"", "a.tex", "x", "sec", unlooked},
		{"text/plain", "", "one\ntwo", "L2", there},
		{"text/plain", "", "one\ntwo", "L99", missing},
		{"text/plain", "", "one\ntwo", "line=1", foreign}, // RFC 5147
		{"text/plain", "", "one\ntwo", ":~:text=one", unlooked},
		{"application/pdf", "", "no PDF", "page=1", foreign},
		{"application/pdf", "", "no PDF", "name", unlooked},
		{"text/html", "", "<p id=L2>", "L2", there},
		{"text/html", "", "<p id=x>", "L2", foreign},
		{"text/html", "", "<p id=x>", "/route", foreign},
	} {
		if got := anchorsOf([]byte(tt.text), tt.kind, tt.name).look(tt.fragment); got != tt.want {
			t.Errorf("%s%s %q, #%s: got %d, want %d", tt.kind, tt.name, tt.text, tt.fragment, got, tt.want)
		}
	}
	if got := indexWords("日本語の文", "語の"); got != len("日本") {
		t.Errorf("got %d", got)
	}
}
