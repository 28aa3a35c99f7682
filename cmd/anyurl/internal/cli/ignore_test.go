package cli

import (
	"strings"
	"testing"
)

// TestIgnoredBy holds which links a comment exempts: of the names that stand in
// parentheses, those that are in capitals here.
func TestIgnoredBy(t *testing.T) {
	const show = "```\n<!-- anyurl-ignore-start -->\n```\n"
	for _, tt := range []struct{ name, text string }{
		{"x.txt", "(a)\n(B) <!-- anyurl-ignore --> (C)\n(d)"},
		{"x.txt", "(a)\n<!-- anyurl-ignore -->\n(B)\n(c)"},
		{"x.txt", "(a)\n<!-- anyurl-ignore-next-line -->\n(B)\n(c)"},
		{"x.txt", "(a)\n<!-- anyurl-ignore-start -->\n(B)\n(C)<!-- anyurl-ignore-end -->\n(d)"},
		{"x.txt", "(a)\n<!--anyurl-ignore-start-->\n(B)\n(C)"},
		{"x.go", "(A) // anyurl-ignore\n(B) # anyurl-ignore: it is an example\n(c)"},
		{"x.txt", "<!-- lychee-ignore-start -->\n(A)\n<!-- lychee-ignore-end -->\n(b)"},
		{"x.md", "<!-- markdown-link-check-disable -->\n(A)\n<!-- markdown-link-check-enable -->\n(b)"},
		{"x.md", "<!-- markdown-link-check-disable-next-line -->\n(A)\n(B) <!-- markdown-link-check-disable-line -->\n(c)"},
		{"x.txt", "write `<!-- anyurl-ignore-start -->` to exempt what follows\n(a)"},
		{"x.md", "write `<!-- anyurl-ignore-start -->` to exempt what follows\n(a)"},
		{"x.txt", "the word anyurl-ignore alone exempts nothing\n(a)"},
		{"x.mdx", "{/* anyurl-ignore */}\n(A)"},
		{"x.md", "[//]: # (anyurl-ignore)\n(A)"},
		{"x.rst", ".. anyurl-ignore\n(A)"},
		{"x.adoc", "// anyurl-ignore\n(A)\n(b)"},
		{"x.css", "(a)\n(B) /* anyurl-ignore */ (C)\n(d)"},

		// Several on a line: each counts, and where it stands.
		{"x.md", "(a) <!-- lychee-ignore-start -->(B)<!-- lychee-ignore-end --> (c)\n\n(d)"},
		{"x.html", "<p>(a)<!-- lychee-ignore-start --><a>(B)</a><!-- lychee-ignore-end --></p>(c)\n(d)"},
		{"x.md", "<!-- markdown-link-check-disable -->(A)<!-- markdown-link-check-enable -->(b)\n(c)"},
		{"x.txt", "<!-- anyurl-ignore-start -->(A)<!-- anyurl-ignore-end -->(b)<!-- anyurl-ignore-start -->(C)\n(D)<!-- anyurl-ignore-end -->(e)"},
		{"x.md", "<!-- anyurl-ignore-start -->\n(A)\n<!-- anyurl-ignore-end --><!-- anyurl-ignore-next-line -->\n(B)\n(c)"},
		{"x.txt", "<!-- anyurl-ignore-start -->\n(A)\n<!-- anyurl-ignore-end --> <!-- anyurl-ignore-next-line -->\n(B)\n(c)"},
		{"x.js", "(a) /* anyurl-ignore-start */ (B) /* anyurl-ignore-end */ (c)"},

		// An empty line, which markup wants below a comment, is no line.
		{"x.rst", ".. anyurl-ignore\n\n(A)\n(b)"},
		{"x.md", "<!-- anyurl-ignore -->\n\n(A)\n\n(b)"},

		// What is only shown is no comment.
		{"x.md", show + "(a)\n"},
		{"x.md", "text\n\n    <!-- anyurl-ignore-start -->\n\n(a)"},
		{"x.html", "<code>&lt;!-- anyurl-ignore-start --&gt;</code>\n(a)"},
		{"x.html", "<script>let s = '<!-- anyurl-ignore-start -->' // anyurl-ignore-start\n</script>\n(a)"},
		{"x.html", "<a title='<!-- anyurl-ignore -->'>(a)</a> <a title='anyurl-ignore'>(b)</a>"},
		{"x.html", "<textarea><!-- anyurl-ignore-start --></textarea>(a)"},
		{"x.rst", "x::\n\n  .. anyurl-ignore-start\n\n(a)"},
		{"x.adoc", "----\n// anyurl-ignore-start\n----\n(a)"},
		{"x.xml", "<a><![CDATA[<!-- anyurl-ignore-start -->]]></a>(a)"},
	} {
		text := tt.text
		g := ignoredBy(tt.name, "", []byte(text))
		for at := strings.IndexByte(text, '('); at >= 0; {
			if name := text[at+1]; len(text) > at+2 && text[at+2] == ')' {
				if want := 'A' <= name && name <= 'Z'; g.has(at) != want {
					t.Errorf("%s: %q: %c: got %v", tt.name, text, name, g.has(at))
				}
			}
			next := strings.IndexByte(text[at+1:], '(')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
}

// TestIgnoredToTheEnd holds that a region nothing ends is told of.
func TestIgnoredToTheEnd(t *testing.T) {
	if g := ignoredBy("x.md", "", []byte("a\n\n<!-- anyurl-ignore-start -->\nb")); g.open != 3 {
		t.Errorf("got line %d", g.open)
	}
	if g := ignoredBy("x.md", "", []byte("<!-- anyurl-ignore-start --><!-- anyurl-ignore-end -->")); g.open != 0 {
		t.Errorf("got line %d", g.open)
	}
}
