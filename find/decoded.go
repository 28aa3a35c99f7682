package find

import (
	"iter"
	"sort"
	"strings"
)

// A Decoded is text that the reader of a format took out of a source, decoded,
// together with where in the source each piece of it stands. It is built from
// left to right; its matches have the decoded text as their URL, while Text,
// Start, End, Line and Col speak of the source. The zero value is empty.
type Decoded struct {
	text   []byte
	pieces []piece
}

// A piece is a stretch of the decoded text that begins at at.
type piece struct {
	at         int
	start, end int
	verbatim   bool // byte for byte the source's
}

// Verbatim adds source[start:end] as it stands.
func (d *Decoded) Verbatim(source string, start, end int) {
	if start >= end {
		return
	}
	if n := len(d.pieces); n == 0 || !d.pieces[n-1].verbatim || d.pieces[n-1].end != start {
		d.pieces = append(d.pieces, piece{len(d.text), start, end, true})
	} else {
		d.pieces[n-1].end = end
	}
	d.text = append(d.text, source[start:end]...)
}

// Decode adds text that stands for source[start:end]: a character reference,
// an escape. Text that stands nowhere in the source, such as the white space
// that separates two paragraphs, has start and end alike.
func (d *Decoded) Decode(text string, start, end int) {
	if text == "" {
		return
	}
	d.pieces = append(d.pieces, piece{len(d.text), start, end, false})
	d.text = append(d.text, text...)
}

// Reset empties d and keeps its memory.
func (d *Decoded) Reset() { d.text, d.pieces = d.text[:0], d.pieces[:0] }

// Len is the length of the decoded text.
func (d *Decoded) Len() int { return len(d.text) }

// String gives the decoded text.
func (d *Decoded) String() string { return string(d.text) }

// Source gives the stretch of the source that the decoded bytes start to end
// stand for.
func (d *Decoded) Source(start, end int) (from, to int) {
	if len(d.pieces) == 0 {
		return 0, 0
	}
	p := d.pieces[d.piece(start)]
	from = p.start
	if p.verbatim {
		from = min(p.start+start-p.at, p.end)
	}
	if end <= start {
		return from, from
	}
	p = d.pieces[d.piece(end-1)]
	to = p.end
	if p.verbatim {
		to = min(p.start+end-p.at, p.end)
	}
	return from, max(from, to)
}

// piece gives the index of the piece that holds the decoded byte i.
func (d *Decoded) piece(i int) int {
	n := sort.Search(len(d.pieces), func(k int) bool { return d.pieces[k].at > i })
	return max(n-1, 0)
}

// Matches finds the URLs in the decoded text. source is the whole source, and
// lines its lines, which several Decoded of one source share; without lines the
// matches have no Line and Col. d must not be changed meanwhile.
func (d *Decoded) Matches(source string, lines *Lines, opts Options) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		for m := range Text(d.text, opts) {
			m.Start, m.End = d.Source(m.Start, m.End)
			m.Text = source[m.Start:m.End]
			m.Line, m.Col = 0, 0
			if lines != nil {
				m.Line, m.Col = lines.At(m.Start)
			}
			if !yield(m) {
				return
			}
		}
	}
}

// Lines tells the line and the column of an offset in a text.
type Lines struct {
	starts []int
}

// NewLines indexes the lines of a text.
func NewLines(text string) *Lines {
	l := &Lines{starts: make([]int, 1, 1+strings.Count(text, "\n"))}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return l
		}
		i += n + 1
		l.starts = append(l.starts, i)
	}
}

// At gives the line and the column, both counted from 1, the column in bytes,
// of a byte offset.
func (l *Lines) At(offset int) (line, col int) {
	n := sort.SearchInts(l.starts, offset+1)
	return n, offset - l.starts[n-1] + 1
}
