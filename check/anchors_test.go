package check

import (
	"strings"
	"testing"
)

func TestAnchors(t *testing.T) {
	const page = `<h1 id="start">x</h1><a name="old">y</a><div name="no"><p ID='Case'><b id="ümlaut"></b><i id=with%20></i>`
	const doc = "# Getting started!\n\n## API & `code_x` *now*\n\n## Twice\n\n## Twice\n\n> ### In a quote\n\nSetext one\n===\n\n```\n# not a heading\n```\n" +
		"## [A link](http://x.example) here ![pic](y)\n\n<a id=\"by-hand\"></a>\n\n## Grüße, Welt\n"
	for _, tt := range []struct {
		mediaType, name, text, fragment string
		lacks                           bool
	}{
		{"text/html", "", page, "start", false},
		{"text/html; charset=utf-8", "", page, "old", false},
		{"text/html", "", page, "no", true},    // only a's name counts
		{"text/html", "", page, "Start", true}, // HTML Standard: case matters
		{"text/html", "", page, "Case", false},
		{"text/html", "", page, "%C3%BCmlaut", false}, // ibid., step 6: decoded
		{"text/html", "", page, "ümlaut", false},
		{"text/html", "", page, "with%20", false}, // ibid., step 3: as it stands goes first
		{"text/html", "", page, "top", false},     // ibid., step 9
		{"text/html", "", page, "TOP", false},
		{"text/html", "", page, "", false},
		{"text/html", "", page, ":~:text=anything", false},
		{"text/html", "", page, "start:~:text=x", false},
		{"text/html", "", page, "gone:~:text=x", true},
		{"text/html", "", page, "/route", false}, // a script's business
		{"text/html", "", page, "!route", false},
		{"text/html", "", page, "a=1", false},
		{"text/html", "", `<h2 id="user-content-usage">`, "usage", false},
		{"", "x.html", page, "start", false},
		{"image/svg+xml", "", `<svg><g id="icon"/></svg>`, "icon", false},
		{"", "x.md", doc, "getting-started", false},
		{"", "x.md", doc, "api--code_x-now", false},
		{"", "x.md", doc, "twice", false},
		{"", "x.md", doc, "twice-1", false},
		{"", "x.md", doc, "twice-2", true},
		{"", "x.md", doc, "in-a-quote", false},
		{"", "x.md", doc, "setext-one", false},
		{"", "x.md", doc, "not-a-heading", true},
		{"", "x.md", doc, "a-link-here-", false},
		{"", "x.md", "## 🚀 Features", "-features", false},
		{"", "x.md", "## 🚀 Features", "features", false},
		{"", "x.md", doc, "by-hand", false},
		{"", "x.md", doc, "gr%C3%BC%C3%9Fe-welt", false},
		{"text/markdown", "", doc, "nowhere", true},
	} {
		set := anchorsOf([]byte(tt.text), tt.mediaType, tt.name)
		if set == nil {
			t.Fatalf("%s%s has none", tt.mediaType, tt.name)
		}
		if got := set.lacks(tt.fragment); got != tt.lacks {
			t.Errorf("%s%s, #%s: got %v, want %v among %v", tt.mediaType, tt.name, tt.fragment, got, tt.lacks, set)
		}
	}
}

// TestNoAnchors holds that nothing is said of documents whose fragments mean
// something else, or that are too long to be read.
func TestNoAnchors(t *testing.T) {
	for _, tt := range []struct{ mediaType, name, text string }{
		{"application/pdf", "x.pdf", "%PDF"},
		{"text/plain", "x.txt", "x"},
		{"", "main.go", "package main"},
		{"text/html", "", strings.Repeat("x", maxPage+1)},
	} {
		if set := anchorsOf([]byte(tt.text), tt.mediaType, tt.name); set != nil {
			t.Errorf("%s %s: got %v", tt.mediaType, tt.name, set)
		}
	}
}

func FuzzAnchors(f *testing.F) {
	f.Add("text/html", "<a name=x id='y'>", "x")
	f.Add("text/markdown", "# A\n## A\n<b id=c>", "a-1")
	f.Add("text/markdown", "[a]: b\n===", "%zz")
	f.Fuzz(func(t *testing.T, mediaType, doc, fragment string) {
		set := anchorsOf([]byte(doc), mediaType, "")
		if set == nil {
			return
		}
		set.lacks(fragment)
		for name := range set {
			if set.lacks(name) && !strings.Contains(name, ":~:") {
				t.Errorf("%q is there and lacking", name)
			}
		}
	})
}
