package gfm_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"anyurl/internal/gfm"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// dump writes a tree as nested parentheses, each with its kind, and its text.
func dump(b *strings.Builder, n ast.Node, source []byte) {
	fmt.Fprintf(b, "(%s", n.Kind())
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			dump(b, c, source)
			continue
		}
		run := t.Segment.Value(source)
		for next, ok := c.NextSibling().(*ast.Text); ok; next, ok = c.NextSibling().(*ast.Text) {
			run, c = append(run[:len(run):len(run)], next.Segment.Value(source)...), next
		}
		fmt.Fprintf(b, "(Text %q)", run)
	}
	b.WriteString(")")
}

func tree(p parser.Parser, source string) string {
	var b strings.Builder
	dump(&b, p.Parse(text.NewReader([]byte(source))), []byte(source))
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), "(Document"), ")")
}

func ExampleNew() {
	fmt.Println(tree(gfm.New(), "| a | b |\n|---|---|\n| ~~c~~ | d\\|e |"))
	// Output:
	// (Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b")))(TableRow(TableCell(Strikethrough(Text "c")))(TableCell(Text "d\\|e"))))
}

// cases hold what GFM says, or cmark-gfm does.
var cases = []struct{ source, want string }{
	{"- [x] a", `(List(ListItem(TextBlock(TaskCheckBox)(Text "a"))))`},
	{"- [ ]\tb", `(List(ListItem(TextBlock(TaskCheckBox)(Text "b"))))`},
	{"- [x](u)", `(List(ListItem(TextBlock(Link(Text "x")))))`}, // a link, and no marker: white space is wanted
	{"[x] a", `(Paragraph(Text "[x] a"))`},
	{"~a~ ~~b~~ ~~~c~~~", `(Paragraph(Strikethrough(Text "a"))(Text " ")(Strikethrough(Text "b"))(Text " ~~~c~~~"))`}, // 6.5: three tildes are none
	{"a|b\n-|-", `(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b"))))`},
	{"a\n-:", `(Table(TableHeader(TableCell(Text "a"))))`},
	{"|a|\n|-|\n", `(Table(TableHeader(TableCell(Text "a"))))`},
	{"a|b\n-|-|-", `(Paragraph(Text "a|b-|-|-"))`},                                                                                                      // 4.10, example 203: as many cells in both rows
	{"p\na|b\n-|-\nc", `(Paragraph(Text "p"))(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b")))(TableRow(TableCell(Text "c"))(TableCell)))`}, // example 204: fewer cells
	{"a|b\n-|-\nc|d|e", `(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b")))(TableRow(TableCell(Text "c"))(TableCell(Text "d"))))`},           // and more
	{"a|b|c\n-|-\nd|e\n-|-", `(Paragraph(Text "a|b|c-|-"))(Table(TableHeader(TableCell(Text "d"))(TableCell(Text "e"))))`},
	{"a|b\n-|-\n`c\\|d`|`e|f`", "(Table(TableHeader(TableCell(Text \"a\"))(TableCell(Text \"b\")))(TableRow(TableCell(CodeSpan(Text \"c\\\\|d\")))(TableCell(Text \"`e\"))))"}, // example 200: pipes part inside of code as well
	{"a|b\n-|-\nc\\\\|d", `(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b")))(TableRow(TableCell(Text "c\\\\"))(TableCell(Text "d"))))`},                            // an escaped backslash escapes nothing
	{"a|b\n  :-: | -: |\n", `(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b"))))`},
	{"a|b\n-- -|-", `(Paragraph(Text "a|b-- -|-"))`},
	{"> a|b\n> -|-\n> c|d", `(Blockquote(Table(TableHeader(TableCell(Text "a"))(TableCell(Text "b")))(TableRow(TableCell(Text "c"))(TableCell(Text "d")))))`},
	{"a|\n-|\nb|", `(Table(TableHeader(TableCell(Text "a")))(TableRow(TableCell(Text "b"))))`},
	{"a || b\n-|-|-\n||", `(Table(TableHeader(TableCell(Text "a"))(TableCell)(TableCell(Text "b")))(TableRow(TableCell)(TableCell)(TableCell)))`},
}

func TestNew(t *testing.T) {
	for _, c := range cases {
		if got := tree(gfm.New(), c.source); got != c.want {
			t.Errorf("%q is\n%s, want\n%s", c.source, got, c.want)
		}
	}
}

// FuzzNew holds the parser against the library's extensions, but for what they
// see otherwise: escapes before a pipe, "[x]" without white space behind it, and
// headers that have not as many cells as the row under them (GFM, example 203), and
// empty cells at the end.
func FuzzNew(f *testing.F) {
	for _, c := range cases {
		f.Add(c.source)
	}
	f.Add("|a\n|-\n\t|b|\r\nc ~~d|e~~ f\n\n- [X] | g\n  -|-\n")
	theirs := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()
	ours := gfm.New()
	f.Fuzz(func(t *testing.T, source string) {
		got := tree(ours, source)
		if strings.Contains(source, `\`) || glued.MatchString(source) || empty.MatchString(source) {
			return
		}
		want := tree(theirs, source)
		if got != want && !uneven.MatchString(want) && strings.Count(got, "(Table(") <= strings.Count(want, "(Table(") {
			t.Errorf("%q is\n%s, want\n%s", source, got, want)
		}
	})
}

var (
	glued  = regexp.MustCompile(`(?i)\[[\sx]\][^\s]`)
	empty  = regexp.MustCompile(`\|\s*(\||$|\n)`)
	uneven = regexp.MustCompile(`\(TableHeader.*\(TableCell\)`)
)
