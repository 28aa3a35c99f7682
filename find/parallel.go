package find

import (
	"io"
	"iter"
	"math"
	"strings"
	"sync/atomic"
)

const (
	// mostLen is how much of a text is one worker's at a time at most: as much as a
	// page of the kernel's tables describes, which one worker at a time can change.
	mostLen = 2 << 20
	// leastLen is how much it is at least: more workers than that are not begun.
	leastLen = 8 * warmUp
	// warmUp is how far before its part a worker begins: some times what decides
	// about a match, so that where the part begins it mostly stands as one that
	// read all of the text.
	warmUp = 8 << 10
	// readAhead is how much a worker reads behind its part at a time.
	readAhead = 4 << 10
)

// Parallel finds the URLs in the size bytes of r, as [Reader] does, by up to n
// workers at once; it gives the same matches in the same order. The memory in
// use is bounded by n, by [Options.MaxLen] and by what is found in 2n MiB. An
// error of r comes last, after the matches of what lies before it; where r has less
// than size bytes it is io.ErrUnexpectedEOF. A size below zero counts as none, an n
// below one as one.
//
// r must allow calls of ReadAt at the same time, as a file does.
func Parallel(r io.ReaderAt, size int64, n int, opts Options) iter.Seq2[Match, error] {
	if r == nil {
		return Reader(nil, opts)
	}
	size = max(size, 0)
	if n < 2 || size < mostLen || opts.Profile == UTS58 {
		return Reader(&partReader{s: io.NewSectionReader(r, 0, size), to: math.MaxInt, end: size}, opts)
	}
	n = workers(size, n)
	return parts{r: r, size: size, partLen: share(size, n), opts: opts}.scan(n)
}

// workers gives how many of n workers there is work for.
func workers(size int64, n int) int { return int(min(int64(n), size/leastLen)) }

// share gives how long a part is, so that none of n workers has to wait long for
// the others at the end.
func share(size int64, n int) int {
	all := int64(n) * mostLen
	if size >= 8*all {
		return mostLen // one part more or less is little
	}
	turns := (size + all - 1) / all
	return int(size / (turns * int64(n)))
}

// parts are a text divided into stretches of partLen, the last of which is
// longer.
type parts struct {
	r       io.ReaderAt // nil where mem is not
	mem     *memory
	size    int64
	partLen int
	opts    Options

	spare chan []hit    // of parts that were given, to be used again
	text  *atomic.Int64 // the length of the texts of some part before
}

func (t parts) last() int { return max(int(t.size/int64(t.partLen))-1, 0) }

// end is where part i ends; the last one ends where the text does.
func (t parts) end(i int) int {
	if i == t.last() {
		return math.MaxInt
	}
	return (i + 1) * t.partLen
}

func (t parts) scan(n int) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		t.spare, t.text = make(chan []hit, n), new(atomic.Int64)
		over := make(chan struct{})
		dealt := t.deal(n, over)
		defer func() {
			close(over)
			for made := range dealt {
				<-made
			}
		}()
		var p *part // who stands where everything before was given
		var at origin
		for i := range t.last() + 1 {
			next := <-<-dealt
			if p == nil || p.exit == next.entry {
				if p != nil {
					t.leave(p)
				}
				p = next
			} else {
				p.scan(t.end(i), p.text.Len()) // what lies further back than next began decides
			}
			if !p.give(&at, yield) {
				return
			}
			if !p.s.e.stopped {
				break // the end of the text, or an error
			}
		}
		if p.s.err != nil {
			yield(Match{}, p.s.err)
		}
	}
}

// inTurn scans one part after the other, on the goroutine of who asks.
func (t parts) inTurn() iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		p := t.from(0)
		var at origin
		for i := range t.last() + 1 {
			p.scan(t.end(i), p.text.Len())
			if !p.give(&at, yield) {
				return
			}
			if !p.s.e.stopped {
				break
			}
		}
		if p.s.err != nil {
			yield(Match{}, p.s.err)
		}
	}
}

// deal has the parts scanned, n at once and few more than that before they are
// asked for, and gives them in their order.
func (t parts) deal(n int, over chan struct{}) <-chan chan *part {
	dealt := make(chan chan *part, n)
	busy := make(chan struct{}, n)
	go func() {
		defer close(dealt)
		for i := range t.last() + 1 {
			select {
			case <-over:
				return
			case busy <- struct{}{}:
			}
			made := make(chan *part, 1)
			go func() {
				made <- t.part(i)
				<-busy
			}()
			dealt <- made
		}
	}()
	return dealt
}

// A part is a stretch of a text and what was found there.
type part struct {
	s   *Scanner
	r   *partReader // nil where mem is not
	mem *memory
	at  int // how far mem was scanned

	entry, exit state // of the engine, where the part begins and ends
	hits        []hit
	text        strings.Builder // what the hits are made of

	// Newlines from where the scanner began to where the part begins and ends,
	// and where the line begins in which it ends.
	before, lines, lineStart int
}

// A hit is a match that waits for its turn: without pointers, and as small as
// may be.
type hit struct {
	start, end, line, col int
	text                  int // the length of its texts in part.text: Match.Text,
	url                   int // and Match.URL, 0 where it is the same
	kind                  Kind
	hyphen                bool
}

// A state is what the text up to some place decides about what follows: two
// engines in the same one go on alike.
type state struct {
	pos   int // the first place for a mark
	floor int // nothing before it can be a match's, where that is near; or -1
}

// from gives a part that begins at a place.
func (t parts) from(begin int) *part {
	if t.mem != nil {
		return &part{s: t.mem.scanner(begin, t.opts), mem: t.mem, at: begin}
	}
	p := &part{r: &partReader{s: io.NewSectionReader(t.r, int64(begin), t.size-int64(begin)), at: begin, end: t.size}}
	p.s = NewScanner(p.r, t.opts)
	p.s.e.base = begin
	p.s.window = windowLen
	return p
}

// part scans part i.
func (t parts) part(i int) *part {
	from := i * t.partLen
	p := t.from(max(from-warmUp, 0))
	if from > 0 {
		p.each(from, func() bool { return true })
		p.entry = p.stand(from)
	}
	select {
	case p.hits = <-t.spare:
	default:
	}
	p.scan(t.end(i), int(t.text.Load()))
	return p
}

// leave is called with a part that is needed no more. Its text is still in use by
// whoever keeps its matches.
func (t parts) leave(p *part) {
	t.text.Store(int64(p.text.Len()))
	select {
	case t.spare <- p.hits:
	default:
	}
}

// each scans on to a place and calls hit at each match. hit reports false where
// the match is not in memory any more.
func (p *part) each(to int, hit func() bool) {
	if p.mem != nil {
		p.mem.each(p, to, hit)
		return
	}
	p.r.to = to
	for p.s.until(to); p.s.Scan() && hit(); {
	}
}

// scan goes on to a place further on. The texts of some part before had so many
// octets.
func (p *part) scan(to, octets int) {
	p.before, p.hits = p.lines, p.hits[:0]
	p.text.Reset()
	p.text.Grow(octets + octets/8)
	e := &p.s.e
	p.each(to, func() bool {
		f := &e.found
		h := hit{start: e.base + f.start, end: e.base + f.end, text: f.end - f.start, kind: f.kind, hyphen: f.hyphen}
		h.line, h.col = e.place(f.start, f.whole())
		p.text.WriteString(e.s[f.start:f.end])
		if f.joined {
			h.url = len(e.joined)
			p.text.Write(e.joined)
		}
		// Behind the place where a mapped file is cut, the rest of its page turns
		// into zeros, which no match ends with.
		if text := p.text.String(); text[len(text)-1-h.url] == 0 {
			return false
		}
		p.hits = append(p.hits, h)
		return true
	})
	if p.s.e.stopped {
		p.exit = p.stand(to)
	}
}

// stand gives the state at a place where the scanner has stopped, and counts
// the newlines up to there.
func (p *part) stand(at int) state {
	e := &p.s.e
	if !e.stopped {
		return state{-1, -1} // the text broke off
	}
	line, col := e.place(at-e.base, at-e.base)
	p.lines, p.lineStart = line-1, at-(col-1)
	s := state{pos: max(e.resume+e.base, at), floor: e.floor + e.base}
	if s.floor <= s.pos-lookBack {
		s.floor = -1
	}
	return s
}

// An origin is what lines and columns are counted from: how many newlines stand
// before a part, and where the line begins that it begins in.
type origin struct{ line, lineStart int }

// give hands on the part's matches and moves the origin to its end.
func (p *part) give(at *origin, yield func(Match, error) bool) bool {
	m := Match{Source: p.s.e.opts.Source}
	text := p.text.String()
	for i := range p.hits {
		h := &p.hits[i]
		line := h.line - 1 - p.before
		m.Line, m.Col = at.line+line+1, h.col
		if line == 0 {
			m.Col = h.start - at.lineStart + 1
		}
		m.Start, m.End, m.Kind, m.Hyphen = h.start, h.end, h.kind, h.hyphen
		m.Text, text = text[:h.text], text[h.text:]
		m.URL = m.Text
		if h.url > 0 {
			m.URL, text = text[:h.url], text[h.url:]
		}
		if !yield(m, nil) {
			return false
		}
	}
	if n := p.lines - p.before; n > 0 {
		*at = origin{at.line + n, p.lineStart}
	}
	return true
}

// until makes Scan stop before the first mark at or behind a place.
func (s *Scanner) until(at int) {
	s.e.stop = at - s.e.base
	s.e.stopped = false
	s.more = s.buf == nil
}

// A partReader reads on behind the end of a part by little at a time.
type partReader struct {
	s      *io.SectionReader
	at, to int
	end    int64 // of the text
}

func (r *partReader) Read(b []byte) (int, error) {
	if most := max(r.to-r.at, 0) + readAhead; r.to < math.MaxInt && len(b) > most {
		b = b[:most]
	}
	n, err := r.s.Read(b)
	r.at += max(n, 0)
	if err == io.EOF && int64(r.at) < r.end {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
