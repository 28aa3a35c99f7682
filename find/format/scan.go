package format

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"anyurl/find"
)

// A view is a document that is being read: the source itself, or a part of it
// decoded (the body of a message, a cell of a notebook), which knows the way
// back.
type view struct {
	data []byte
	up   *view  // nil: data is the source's own bytes
	way  *piece // from data to up.data
}

// span gives the stretch of the source that data[from:to] was read from.
func (v *view) span(from, to int) (int, int) {
	for ; v.up != nil; v = v.up {
		from, to = v.way.source(from, to)
	}
	return from, to
}

// within is p, taken out of v, as a view of its own.
func (v *view) within(p *piece) *view { return &view{data: p.text, up: v, way: p} }

// A scan is one run over one source.
type scan struct {
	f       *Finder
	source  string // what Match.Source says
	yield   func(Match) bool
	done    bool   // the caller wants no more
	root    []byte // the source's bytes, for Match.Text
	matches []Match
	base    string // the document's own base URL, if it gives one
	charset string // of the HTML document that is read, where it is no UTF-8
	given   string // the character set that a protocol names of the document that is read next
	origin  origin // where the root begins in what the caller gave
	lines   lines  // of the root
	depth   int    // of documents within documents
	budget  *budget
	code    bool          // read code in markup, too
	inflate io.ReadCloser // for the streams of a PDF file, one after the other
}

// over reports whether no more is wanted.
func (s *scan) over() bool {
	if !s.done && s.f.Done != nil {
		select {
		case <-s.f.Done:
			s.done = true
		default:
		}
	}
	return s.done
}

// prose reads p as plain text.
func (s *scan) prose(v *view, p *piece, via string) {
	if len(p.text) == 0 || s.over() {
		return
	}
	for m := range find.Text(p.text, s.f.Options) {
		if len(s.matches)&0xff == 0 && s.over() {
			return
		}
		from, to := v.span(p.source(m.Start, m.End))
		s.emit(from, to, m.URL, m.Kind, m.Hyphen, via)
	}
}

// noProse reports whether running text with character references in it has no
// URL: one has a colon, unless all kinds are looked for.
func (s *scan) noProse(text []byte) bool {
	return !s.f.Options.Relaxed && bytes.IndexByte(text, ':') < 0 && bytes.IndexByte(text, '&') < 0
}

// link takes the whole of p as one URL or reference, because the format says
// that it is one.
func (s *scan) link(v *view, p *piece, via string) {
	start, end := p.trim()
	if s.done || start == end {
		return
	}
	text := string(p.text[start:end])
	// The URL Standard drops these wherever they stand; so does what we hand on.
	if strings.ContainsAny(text, "\t\n\r") {
		text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	}
	kind := find.Reference
	switch {
	case hasScheme(text):
		kind = find.URL
	case strings.HasPrefix(text, "//"):
		kind = find.Relative
	}
	if kind != find.URL && !s.f.References && !(kind == find.Relative && s.f.Options.Relaxed) {
		return
	}
	from, to := v.span(p.source(start, end))
	s.emit(from, to, text, kind, false, via)
}

// hasScheme reports whether text begins with a scheme and ":", by the grammar
// that all standards share: ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) ":".
func hasScheme(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// emit keeps one match. from and to lie in the source.
func (s *scan) emit(from, to int, url string, kind find.Kind, hyphen bool, via string) {
	m := Match{Base: s.base, Via: via, Charset: s.charset}
	m.Match = find.Match{URL: url, Start: from, End: to, Kind: kind, Hyphen: hyphen, Source: s.source}
	s.matches = append(s.matches, m)
}

// An origin is a place: what stands before it, in bytes and lines.
type origin struct{ off, lines int }

// settle hands on what was found so far: nothing that comes may stand before it,
// and no base element counts for it. It does so for what is the source itself.
func (s *scan) settle(v *view) {
	if v.up == nil {
		s.flush()
	}
}

// flush hands on what was found, in the order of the source.
func (s *scan) flush() {
	slices.SortStableFunc(s.matches, func(a, b Match) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	for _, m := range s.matches {
		m.Text = m.URL
		if text := s.root[m.Start:m.End]; m.URL != string(text) {
			m.Text = string(text)
		}
		m.Line, m.Col = s.lines.at(s.root, m.Start)
		m.Line += s.origin.lines
		m.Start += s.origin.off
		m.End += s.origin.off
		if m.Base == "" {
			m.Base = s.base // a base element counts for what stands before it, too
		}
		if !s.yield(m) {
			s.done = true
			break
		}
	}
	clear(s.matches)
	s.matches = s.matches[:0]
}

// note tells the caller of something that could not be read.
func (s *scan) note(v *view, at int, says string) {
	from, _ := v.span(at, at)
	s.f.note(Note{Source: s.source, Offset: s.origin.off + from, Says: says})
}

// damage is a note of something that should have been readable.
func (s *scan) damage(v *view, says string) { s.broken(v, 0, says) }

// broken is one of something at a place.
func (s *scan) broken(v *view, at int, says string) {
	from, _ := v.span(at, at)
	s.f.note(Note{Source: s.source, Offset: s.origin.off + from, Says: says, Damaged: true})
}

// lines finds the line and column of offsets, which come in their order.
type lines struct {
	n     int // newlines before upTo
	start int // of the line that holds upTo
	upTo  int
}

func (l *lines) at(data []byte, off int) (line, col int) {
	if off > l.upTo {
		between := data[l.upTo:off]
		if k := bytes.LastIndexByte(between, '\n'); k >= 0 {
			l.n += bytes.Count(between, newline)
			l.start = l.upTo + k + 1
		}
		l.upTo = off
	}
	return l.n + 1, off - l.start + 1
}

var newline = []byte{'\n'}
