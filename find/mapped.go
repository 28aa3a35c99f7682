package find

import (
	"errors"
	"iter"
	"runtime/debug"
	"strings"
	"unsafe"
)

// Mapped finds the URLs in a file that is mapped into memory, or in any other text
// that lies there, by up to n workers at once (one, where n is less): the same
// matches as [Text] and [Reader] give, in the same order. They are copies.
//
// ahead, if not nil, hears of each stretch of the text before it is looked at,
// several workers' at the same time, and of some bytes twice. An error of it ends
// the search. What may happen to a file while it lies in memory ends it as well:
// where another program cuts it short, what is cut off cannot be read, and the
// error is [ErrGone]. An error comes last, after matches of what lies before it.
func Mapped(text []byte, n int, opts Options, ahead func(from, to int) error) iter.Seq2[Match, error] {
	if ahead == nil {
		ahead = func(int, int) error { return nil }
	}
	t := parts{mem: &memory{text, ahead}, size: int64(len(text)), opts: opts}
	switch {
	case opts.Profile == UTS58:
		t.partLen = max(len(text), 1) // it goes to the end
	case n < 2 || len(text) < mostLen:
		t.partLen = mostLen
	default:
		n = workers(t.size, n)
		t.partLen = share(t.size, n)
		return t.scan(n)
	}
	return t.inTurn()
}

// ErrGone is the error of [Mapped] where the memory is gone.
var ErrGone = errors.New("the file was cut short while it was read, or cannot be read there")

// stretchLen is how much of a text in memory is looked at in one go: what is
// checked of it beforehand brings it into a near cache.
const stretchLen = 128 << 10

// A memory is a text that lies in memory which may go away.
type memory struct {
	text  []byte
	ahead func(from, to int) error
}

// scanner gives a scanner whose window is all of the text from a place on.
func (m *memory) scanner(begin int, opts Options) *Scanner {
	s := NewScanner(strings.NewReader(""), opts)
	s.e.base, s.e.eof = begin, true
	s.buf, s.n, s.more = m.text[begin:], len(m.text)-begin, false
	return s
}

// each is part.each for a text in memory.
func (m *memory) each(p *part, to int, hit func() bool) {
	old := debug.SetPanicOnFault(true) // of this goroutine alone
	defer debug.SetPanicOnFault(old)
	defer func() {
		if v := recover(); v != nil {
			if !m.fault(v) {
				panic(v)
			}
			p.s.err, p.s.e.stopped = ErrGone, false
		}
	}()
	for {
		end := to
		if next := p.at + stretchLen; next < min(to, len(m.text)) && p.s.e.opts.Profile != UTS58 {
			end = next
		}
		if err := m.ahead(p.at, min(end, len(m.text))); err != nil {
			p.s.err, p.s.e.stopped = err, false
			return
		}
		for p.s.until(end); p.s.Scan(); {
			if !hit() {
				p.s.err, p.s.e.stopped = ErrGone, false
				return
			}
		}
		if !p.s.e.stopped {
			return
		}
		if p.at = end; end == to {
			return
		}
	}
}

// fault reports whether a panic is that of a read of memory that is not there.
func (m *memory) fault(v any) bool {
	at, ok := v.(interface{ Addr() uintptr })
	if !ok {
		return false
	}
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(m.text)))
	return begin <= at.Addr() && at.Addr()-begin < uintptr(len(m.text))
}
