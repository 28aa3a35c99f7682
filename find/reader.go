package find

import (
	"errors"
	"io"
	"iter"
	"math"
)

// Reader finds the URLs in what r gives: the matches that [Text] would find in
// the whole, whatever the sizes of the reads. A match is given when the bytes
// that decide about it were read, which is at the latest, but in angle brackets,
// when its line was. An error of r other than io.EOF comes last, with the zero
// Match, after the matches of what was read; what the text behind might have gone
// on is no match.
//
// The memory in use is bounded by [Options.MaxLen], not by the length of the
// text or of its lines. The matches are copies and may be kept; they take a
// part of an allocation each ([Scanner] takes none).
func Reader(r io.Reader, opts Options) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		s := NewScanner(r, opts)
		keep := arena{copies: true}
		for s.Scan() {
			url, text, line, col := s.e.match(&keep)
			f := &s.e.found
			if !yield(Match{url, text, s.e.base + f.start, s.e.base + f.end, line, col, f.kind, f.hyphen, opts.Source}, nil) {
				return
			}
		}
		if s.err != nil {
			yield(Match{}, s.err)
		}
	}
}

// errCount is the error of a reader that does not keep to io.Reader's contract.
var errCount = errors.New("find: the reader gave an impossible count of bytes")

// errNoReader is the error of a stream without a reader.
var errNoReader = errors.New("find: there is no reader to read from")

// A Scanner finds the URLs in a stream without allocating anything for a match.
// [Reader] is the same as an iterator, whose matches may be kept. [NewScanner]
// makes one; the zero Scanner finds nothing, and Err says why.
type Scanner struct {
	r    io.Reader
	e    engine
	buf  []byte
	n    int // buf[:n] is the window
	err  error
	more bool // the window has nothing left to find

	window int // what it grows to
}

// Found is a match in the window of a [Scanner]: see [Match].
type Found struct {
	// URL and Text are valid until the next call of Scan.
	URL, Text []byte
	// Start and End are byte offsets into the stream, half open.
	Start, End int
	// Line and Col are where Start is, counted from 1, Col in bytes.
	Line, Col int
	// Kind says what was found.
	Kind Kind
	// Hyphen is set when a line inside the match ended in a hyphen.
	Hyphen bool
}

const (
	// windowLen is the window to begin with, streamLen that of a stream which
	// has filled it: fewer and larger reads.
	windowLen = 64 << 10
	streamLen = 256 << 10
	// readLen is the least room that a read gets.
	readLen = 16 << 10
)

// NewScanner gives a Scanner that reads r.
func NewScanner(r io.Reader, opts Options) *Scanner {
	return &Scanner{r: r, e: engine{opts: opts.withDefaults(), stop: math.MaxInt}, more: true, window: streamLen}
}

// Scan goes to the next match. It reports false at the end of the stream or
// at an error of the reader: see [Scanner.Err].
func (s *Scanner) Scan() bool {
	if s.r == nil {
		s.err = errNoReader
		return false
	}
	for {
		if !s.more {
			s.e.s = view(s.buf[:s.n])
			if s.e.next() {
				return true
			}
			s.more = true
		}
		if s.e.eof || s.e.stopped || s.err != nil {
			s.e.found = span{}
			return false
		}
		s.fill()
		s.more = false
	}
}

// Err gives the reader's error, if any; io.EOF is none.
func (s *Scanner) Err() error { return s.err }

// Found gives the match that Scan went to, and the zero Found before the first
// and behind the last.
func (s *Scanner) Found() Found {
	f := s.e.found
	if f.end == 0 {
		return Found{}
	}
	line, col := s.e.place(f.start, f.whole())
	m := Found{
		Text:   s.buf[f.start:f.end:f.end],
		Start:  s.e.base + f.start,
		End:    s.e.base + f.end,
		Line:   line,
		Col:    col,
		Kind:   f.kind,
		Hyphen: f.hyphen,
	}
	m.URL = m.Text
	if f.joined {
		m.URL = s.e.joined
	}
	return m
}

// fill drops what can decide about no further match and reads on.
func (s *Scanner) fill() {
	if len(s.buf)-s.n < readLen {
		if from := s.e.pos - 2*lookBack; from > 0 {
			s.e.place(from, from)
			s.n = copy(s.buf, s.buf[from:s.n])
			s.e.shift(from)
		}
		if size := max(windowLen, 2*len(s.buf)); len(s.buf)-s.n < readLen || s.e.base > 0 && len(s.buf) < s.window {
			if s.e.base > 0 {
				size = max(size, s.window)
			}
			buf := make([]byte, size)
			copy(buf, s.buf[:s.n])
			s.buf = buf
		}
	}
	// A long reference is looked at again only when there is much more of it, or
	// small reads would cost quadratic time.
	want := s.n + 1
	if pending := s.n - s.e.pos; pending > 256 {
		want = min(s.n+pending/2, len(s.buf))
	}
	for empty := 0; s.n < want; {
		n, err := s.r.Read(s.buf[s.n:])
		if n < 0 || n > len(s.buf)-s.n {
			n, err = 0, errCount
		}
		s.n += n
		if err == io.EOF {
			s.e.eof = true
			return
		}
		if err != nil {
			s.err, s.e.cut = err, true
			return
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			s.err, s.e.cut = io.ErrNoProgress, true
			return
		}
	}
}

// shift makes s[n] the window's first byte.
func (e *engine) shift(n int) {
	e.base += n
	e.pos -= n
	e.floor = max(e.floor-n, 0)
	e.counted -= n
	e.lineStart -= n
	e.stop -= n
	e.resume -= n
	e.wait()
	e.block = e.pos
}
