// Package gfm parses CommonMark with what GitHub Flavored Markdown adds to its
// structure: tables, strikethrough and task lists. Start with [New].
//
// The library's own extensions are one package, which compiles regular
// expressions of a size that every start of a program would feel. Autolinks are
// left out: find looks for those.
package gfm

import (
	"github.com/yuin/goldmark/ast"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// New gives a parser.
func New() parser.Parser {
	inline := append(parser.DefaultInlineParsers(), util.Prioritized(taskBox{}, 0), util.Prioritized(tildes{}, 500))
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(tables{}, 200))...))
}

// A taskBox reads the marker of a task list item: GFM, section 5.3.
type taskBox struct{}

// Trigger gives the byte that a marker begins with.
func (taskBox) Trigger() []byte { return []byte{'['} }

// Parse reads a marker, or nothing. White space must follow: "[x](url)" is a link.
func (taskBox) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 3 || line[2] != ']' || len(line) > 3 && !util.IsSpace(line[3]) {
		return nil
	}
	checked := line[1] == 'x' || line[1] == 'X'
	if !checked && !util.IsSpace(line[1]) {
		return nil
	}
	n := 3
	for n < len(line) && util.IsSpace(line[n]) {
		n++
	}
	block.Advance(n)
	return xast.NewTaskCheckBox(checked)
}

// tildes read strikethrough: GFM, section 6.5. One or two tildes on each side.
type tildes struct{}

// Trigger gives the byte that strikethrough begins with.
func (tildes) Trigger() []byte { return []byte{'~'} }

// Parse reads a run of tildes, or nothing.
func (t tildes) Parse(_ ast.Node, block text.Reader, ctx parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before := block.PrecendingCharacter()
	run := parser.ScanDelimiter(line, before, 1, t)
	if run == nil || run.OriginalLength > 2 || before == '~' {
		return nil
	}
	run.Segment = segment.WithStop(segment.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	ctx.PushDelimiter(run)
	return run
}

// IsDelimiter reports whether b is a tilde.
func (tildes) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether two runs belong together.
func (tildes) CanOpenCloser(opener, closer *parser.Delimiter) bool { return opener.Char == closer.Char }

// OnMatch gives the node of what is struck out.
func (tildes) OnMatch(int) ast.Node { return xast.NewStrikethrough() }
