package check

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func TestAnchors(t *testing.T) {
	const page = `<h1 id="start">x</h1><a name="old">y</a><div name="no"><p ID='Case'><b id="ümlaut"></b><i id=with%20></i>`
	const doc = "# Getting started!\n\n## API & `code_x` *now*\n\n## Twice\n\n## Twice\n\n> ### In a quote\n\nSetext one\n===\n\n```\n# not a heading\n```\n" +
		"## [A link](http://x.example) here ![pic](y)\n\n<a id=\"by-hand\"></a>\n\n## Grüße, Welt\n"
	for _, tt := range []struct {
		mediaType, name, text, fragment string
		lacks                           bool // missing
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
		{"image/svg+xml", "", `<svg><g id="icon"/></svg>`, "svgView(viewBox(0,0,1,1))", false},
		{"image/svg+xml", "", `<svg><g id="icon"/></svg>`, "svgView", true},
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
		d := anchorsOf([]byte(tt.text), tt.mediaType, tt.name)
		if d == nil {
			t.Fatalf("%s%s has none", tt.mediaType, tt.name)
		}
		if got := d.look(tt.fragment); (got == missing) != tt.lacks || got == perhaps {
			t.Errorf("%s%s, #%s: got %v, want missing %v among %v", tt.mediaType, tt.name, tt.fragment, got, tt.lacks, d.set)
		}
	}
}

// TestMarkdownAnchors holds that a fragment of Markdown is missing only when no
// renderer makes it.
func TestMarkdownAnchors(t *testing.T) {
	for _, tt := range []struct {
		text, fragment string
		want           finding
	}{
		{"<h2 align=center>Introduction</h2>", "introduction", there}, // GitHub
		{"<h2>\n  <a>Two</a> Words\n</h2>", "two-words", there},
		{"## GODEBUG History {#history}", "history", there}, // kramdown, pandoc, Hugo, Docusaurus
		{"## GODEBUG History {#history}", "godebug-history", there},
		{"## A {: #b .c}", "b", there}, // kramdown
		{"## A {#b .c k=v}", "b", there},
		{"a []{#span} b", "span", there}, // pandoc
		{"(label)=\n## A", "label", there},
		{"text[^1]\n\n[^1]: note", "fn:1", there},
		{"## Intro", "user-content-intro", there}, // GitHub's own id
		{"<a name='x'></a>", "user-content-x", there},
		{"<p id=y>", "y", there},
		{"a\nb\nc\n", "L2", there}, // a forge's view of the source
		{"a\nb\nc\n", "L1-L3", there},
		{"a\nb\nc\n", "L1C2-L3C4", there},
		{"a\nb\nc\n", "L99", missing},
		{"### Variables", "Variables", perhaps}, // by the site's script, or not
		{"### Two_words here", "two-words-here", perhaps},
		{"## 2. Setup", "markdown-header-2-setup", perhaps}, // Bitbucket
		{"## A - B", "a---b", there},                        // GitHub
		{"## A - B", "a-b", there},                          // GitLab
		{"## 2024", "anchor-2024", there},                   // GitLab
		{"## A\n## A\n## A", "a-2", there},
		{"## A\n## A\n## A", "a-3", missing},
		{":rocket: x\n\n# :rocket: Go", "rocket-go", there},
		{"# :rocket: Go", "go", there},
		{"# [Text][ref]\n\n[ref]: http://x.example", "text", there},
		{"# A #\n", "a", there},
		{"#NoSpace", "nospace", missing},
		{"1. # In a list", "in-a-list", there},
		{"~~~\n# code\n~~~\n# after", "code", missing},
		{"~~~\n# code\n~~~\n# after", "after", there},
		{"two\nlines\n---", "two-lines", there},
		{"## Intro", "outro", missing},
		// Lower case by SpecialCasing, and by the characters alone.
		{"# İçindekiler", "i%CC%87%C3%A7indekiler", there},
		{"# İçindekiler", "i̇çindekiler", there},
		{"# İçindekiler", "içindekiler", there},
		{"<h1>İletişim</h1>", "i̇letişim", there},
		{"# ΟΔΗΓΟΣ", "οδηγος", there},
		{"# ΟΔΗΓΟΣ", "οδηγοσ", there},
		{"# ΟΔΗΓΟΣ ΧΡΗΣΗΣ: ΣΑΣ", "οδηγος-χρησης-σας", there},
		{"# ΟΔΗΓΟΣ ΧΡΗΣΗΣ: ΣΑΣ", "οδηγοσ-χρησησ-σασ", there},
		{"# ΟΔΗΓΟΣ", "οδηγος-1", missing},
		{"# Σ", "σ", there}, // no word ends here
	} {
		if got := anchorsOf([]byte(tt.text), "", "x.md").look(tt.fragment); got != tt.want {
			t.Errorf("%q, #%s: got %d, want %d", tt.text, tt.fragment, got, tt.want)
		}
	}
	if got := anchorsOf([]byte("<p>"), "text/html", "").look("L12"); got != foreign {
		t.Error("a script numbers lines")
	}
}

// TestPlainAnchors holds what AsciiDoc and reStructuredText are said to give.
func TestPlainAnchors(t *testing.T) {
	const adoc = "= The Title\n\n== Getting Started, now\n\n[[by-hand]]\n=== `Code` here\n\n[#short]\nx\n\n[quote#said.role]\ny anchor:inline[] [[labelled,A label]]\n\n[id=\"long\"]\nz\n\nhttp://a.example/[text]\n"
	const rst = "Title\n=====\n\n.. _My Target:\n\n.. _`quoted name`:\n\n2.1 Große Section (two)\n-----------------------\n\nText with _`an inline target`.\n\n.. image:: x\n   :name: the-image\n\n.. [#note] A note\n"
	for _, tt := range []struct {
		name, text, fragment string
		want                 finding
	}{
		{"x.adoc", adoc, "_getting_started_now", there},
		{"x.adoc", adoc, "getting-started-now", there},
		{"x.adoc", adoc, "GettingStartedNow", perhaps}, // by some idprefix and idseparator
		{"x.adoc", adoc, "by-hand", there},
		{"x.adoc", adoc, "_code_here", there},
		{"x.adoc", adoc, "short", there},
		{"x.adoc", adoc, "said", there},
		{"x.adoc", adoc, "inline", there},
		{"x.adoc", adoc, "labelled", there},
		{"x.adoc", adoc, "long", there},
		{"x.adoc", adoc, "text", missing},
		{"x.adoc", "== İçindekiler\n", "_i̇çindekiler", there},
		{"x.asciidoc", adoc, "gone", missing},
		{"x.adoc", adoc, "Getting%20Started,%20now", there}, // a cross reference by title
		{"x.adoc", "= A\n\n[bibliography]\n- [[[1]]] http://a.example/\n* [[[two,2]]] x\n", "1", there},
		{"x.adoc", "= A\n\n[bibliography]\n- [[[1]]] http://a.example/\n* [[[two,2]]] x\n", "two", there},
		{"x.adoc", "== A part\n", "of-another", without},
		{"x.adoc", "= A book\n\ninclude::part.adoc[]\n", "of-another", without},
		{"x.adoc", "A book\n======\n\nText\n", "gone", missing},
		{"x.rst", "Title\n=====\n\n.. include:: y.rst\n", "of-another", without},
		{"x.rst", rst, "title", there},
		{"x.rst", rst, "my-target", there},
		{"x.rst", rst, "quoted-name", there},
		{"x.rst", rst, "grosze-section-two", there}, // from the first letter on; so says docutils 0.21
		{"x.rst", "Überblick\n=========\n", "uberblick", there},
		{"x.rst", "Æther Ø ı Ł\n===========\n", "aether-o-i-l", there},
		{"x.rst", rst, "an-inline-target", there},
		{"x.rst", rst, "the-image", there},
		{"x.rst", rst, "note", there},
		{"x.rst", rst, "text-with", missing},
	} {
		d := anchorsOf([]byte(tt.text), "", tt.name)
		if d == nil {
			t.Fatalf("%s has none", tt.name)
		}
		if got := d.look(tt.fragment); got != tt.want {
			t.Errorf("%s, #%s: got %v, want %v, among %v", tt.name, tt.fragment, got, tt.want, d.set)
		}
	}
}

// TestLongPages holds that a place in what was read of a long document is there,
// and that nothing is said of one that may stand in the rest.
func TestLongPages(t *testing.T) {
	long := strings.Repeat("x", maxPage)
	for _, tt := range []struct {
		mediaType, text string
		want            map[string]finding // by fragment
	}{
		{"text/html", "<p id=a>" + long, map[string]finding{"a": there, "b": beyond, "": there}},
		{"text/html", "<p id=a>" + long[:1000], map[string]finding{"a": there, "b": missing}},
		{"text/markdown", "# A\n" + long, map[string]finding{"b": beyond}},
	} {
		d := anchorsOf([]byte(tt.text[:min(len(tt.text), maxPage)]), tt.mediaType, "")
		for fragment, want := range tt.want {
			if got := d.look(fragment); got != want {
				t.Errorf("%s of %d: #%s: got %d, want %d", tt.mediaType, len(tt.text), fragment, got, want)
			}
		}
	}
}

func FuzzAnchors(f *testing.F) {
	f.Add("text/html", "<a name=x id='y'>", "x")
	f.Add("text/markdown", "# A\n## A\n<b id=c>", "a-1")
	f.Add("text/markdown", "[a]: b\n===", "%zz")
	f.Add("text/asciidoc", "== A\n[[b]] [#c]", "_a")
	f.Add("text/x-rst", "A\n==\n.. _b c:\n_`d`", "b-c")
	f.Fuzz(func(t *testing.T, mediaType, doc, fragment string) {
		set := anchorsOf([]byte(doc), mediaType, "")
		if set == nil {
			return
		}
		set.look(fragment)
		for name := range set.set {
			if set.look(name) == missing && !strings.Contains(name, ":~:") {
				t.Errorf("%q is there and lacking", name)
			}
		}
	})
}

// TestCharsets holds that names are compared as what they say, whatever they are
// written in.
func TestCharsets(t *testing.T) {
	const page = `<p id="日本">` // in UTF-16 and Shift_JIS below
	wide := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(page)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	sjis := `<p id="` + "\x93\xfa\x96\x7b" + `">`
	for _, tt := range []struct{ name, kind, text string }{
		{"byte order mark", "text/html", string(wide)},
		{"field", "text/html; charset=UTF-16LE", string(wide[2:])},
		{"field", "text/html; charset=Shift_JIS", sjis},
		{"meta", "text/html", `<meta charset="shift_jis">` + sjis},
		{"none", "text/html", page},
	} {
		if got := anchorsOf([]byte(tt.text), tt.kind, "").look("%E6%97%A5%E6%9C%AC"); got != there {
			t.Errorf("%s, %s: got %v", tt.name, tt.kind, got)
		}
	}
}

// TestBuiltByScripts holds that a page which scripts fill says nothing about the
// places in it, and one with a script beside its text does.
func TestBuiltByScripts(t *testing.T) {
	shell := `<title>App</title><body><div id="root"></div><script type="module" src="/app.js"></script>`
	for text, want := range map[string]finding{
		shell: unseen,
		shell + "<p>" + strings.Repeat("words of its own ", 20): missing,
		shell + strings.Repeat(`<a href="/x">x</a>`, 20):        missing, // it leads on, and so it was not left to a script
		`<div id="root"></div><script>count()</script>`:         missing,
	} {
		d := anchorsOf([]byte(text), "text/html", "")
		if got := d.look("part"); got != want {
			t.Errorf("%.80s: got %v, want %v", text, got, want)
		}
		if got := d.look("root"); got != there {
			t.Errorf("%.80s, #root: got %v", text, got)
		}
	}
}
