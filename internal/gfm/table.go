package gfm

import (
	"github.com/yuin/goldmark/ast"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tables find tables in paragraphs: GFM, section 4.10.
type tables struct{}

// Transform makes a table of the lines of a paragraph from a header row on that
// a delimiter row of as many cells follows.
func (tables) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	lines, source := p.Lines(), r.Source()
	for i := 1; i < lines.Len(); i++ {
		under := lines.At(i)
		columns := delimiters(under.Value(source))
		if columns == 0 {
			continue
		}
		header := cells(lines.At(i-1), source)
		if len(header) != columns {
			continue
		}
		table := xast.NewTable()
		table.SetPos(p.Pos())
		table.AppendChild(table, xast.NewTableHeader(row(header, columns)))
		for k := i + 1; k < lines.Len(); k++ {
			table.AppendChild(table, row(cells(lines.At(k), source), columns))
		}
		parent := p.Parent()
		parent.InsertAfter(parent, p, table)
		if i == 1 {
			parent.RemoveChild(parent, p)
			return
		}
		lines.SetSliced(0, i-1)
		last := lines.At(i - 2)
		lines.Set(i-2, last.TrimRightSpace(source))
		return
	}
}

// row makes a row of as many cells as the table has columns: missing ones are
// empty, and what is too much is left out.
func row(content []text.Segment, columns int) *xast.TableRow {
	row := xast.NewTableRow(nil)
	for i := range columns {
		cell := xast.NewTableCell()
		if i < len(content) {
			cell.Lines().Append(content[i])
		}
		row.AppendChild(row, cell)
	}
	return row
}

// cells divides a row at the pipes that no backslash escapes.
func cells(line text.Segment, source []byte) (cells []text.Segment) {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	b := line.Value(source)
	at := 0
	if len(b) > 0 && b[0] == '|' {
		at = 1
	}
	for i := at; i <= len(b); i++ {
		switch {
		case i == len(b):
			if at == i {
				return cells // a pipe ended the row
			}
		case b[i] == '\\':
			i++
			continue
		case b[i] != '|':
			continue
		}
		cell := text.NewSegment(line.Start+at, line.Start+i)
		cell = cell.TrimLeftSpace(source)
		cells = append(cells, cell.TrimRightSpace(source))
		at = i + 1
	}
	return cells
}

// delimiters gives the number of cells of a delimiter row, or 0 where the line
// is none: hyphens with a colon before or behind them, between pipes.
func delimiters(line []byte) (n int) {
	if width, _ := util.IndentWidth(line, 0); width > 3 {
		return 0
	}
	line = util.TrimLeftSpace(util.TrimRightSpace(line))
	i, piped := 0, false
	skip := func(c byte) (any bool) {
		for i < len(line) && (line[i] == c || c == ' ' && util.IsSpace(line[i])) {
			i, any = i+1, true
		}
		return any
	}
	one := func(c byte) bool {
		if i < len(line) && line[i] == c {
			i++
			return true
		}
		return false
	}
	piped = one('|')
	for i < len(line) {
		skip(' ')
		colon := one(':')
		if !skip('-') {
			return 0
		}
		colon = one(':') || colon
		skip(' ')
		n++
		piped = piped || colon
		if i == len(line) {
			break
		}
		if !one('|') {
			return 0
		}
		piped = true
	}
	if !piped {
		return 0 // hyphens alone
	}
	return n
}
