package find

import (
	"math/bits"
	"strings"
)

// An engine finds matches in s. It is one pass: marks notes the bytes that may
// stand inside a reference (":" before what may follow a scheme, "." and "@"
// between the letters of a host), 64 a word; at looks around such a byte; the
// pass goes on behind what at took.
type engine struct {
	s    string
	eof  bool // s ends where the text ends
	opts Options

	pos   int // where the pass stands: every mark before it is done
	floor int // nothing before it may become part of a match
	reach int // how far forward at has looked

	found  span
	joined []byte // a wrapped URL without its white space

	// The marks of s[block:blockEnd].
	block, blockEnd, words int
	word                   int    // the word in hand
	bits                   uint64 // what is left of it
	mark                   [blockWords]uint64

	// Lines: there are line newlines before s[counted], and the last of
	// them stands at lineStart-1.
	line, counted, lineStart int
	base                     int // the offset of s[0] in the text
}

const (
	blockWords = 64
	blockLen   = 64 * blockWords

	// lookBack is how much text before a mark may decide about it.
	lookBack = 1 << 10
	// lookAhead is how much text behind the reach may decide.
	lookAhead = 64
)

// A span is a match in s.
type span struct {
	start, end int
	kind       Kind
	joined     bool // the URL is engine.joined
	hyphen     bool
}

// next finds the next match and leaves it in e.found. Without a match it
// reports false: e.pos is then the first byte that needs more text to be
// decided, or len(s).
func (e *engine) next() bool {
	for {
		for e.bits != 0 {
			p := e.block + e.word<<6 + bits.TrailingZeros64(e.bits)
			if p < e.pos {
				e.bits &= e.bits - 1
				continue
			}
			if !e.known(p) {
				e.pos = p
				return e.wait()
			}
			e.reach = p
			ok, next := e.at(p)
			if !e.known(e.reach) {
				e.pos = p
				return e.wait()
			}
			e.bits &= e.bits - 1
			if next <= p {
				next = p + 1
			}
			e.pos = next
			if ok {
				e.floor = e.found.end
				if w := (next - e.block) >> 6; w > e.word {
					e.seek(w)
				}
				return true
			}
			if w := (next - e.block) >> 6; w > e.word {
				e.seek(w)
			}
		}
		for e.word++; e.word < e.words && e.mark[e.word] == 0; e.word++ {
		}
		if e.word < e.words {
			e.bits = e.mark[e.word]
			continue
		}
		if !e.fill() {
			return false
		}
	}
}

// known reports whether enough text is there behind s[i] to decide by: all of
// it, lookAhead bytes, or the rest of the line, over whose end nobody looks but
// with see.
func (e *engine) known(i int) bool {
	return e.eof || i+lookAhead <= len(e.s) || i < len(e.s) && strings.IndexByte(e.s[i:], '\n') >= 0
}

// seek makes word w the one in hand.
func (e *engine) seek(w int) {
	e.word, e.bits = w, 0
	if w < e.words {
		e.bits = e.mark[w]
	}
}

// wait forgets the marks: the text behind e.pos is to be looked at again.
func (e *engine) wait() bool {
	e.words, e.word, e.bits = 0, 0, 0
	e.block, e.blockEnd = e.pos, e.pos
	return false
}

// fill marks the next block. Without text left it reports false.
func (e *engine) fill() bool {
	e.pos = max(e.pos, e.blockEnd)
	// The last byte of a window has no neighbour yet.
	limit := len(e.s)
	if !e.eof {
		limit--
	}
	if e.pos >= limit {
		return e.wait()
	}
	e.countTo(e.pos - lookBack) // while it is at hand; a match may yet begin behind it
	e.block = e.pos
	n := min(limit-e.block, blockLen)
	e.blockEnd = e.block + n
	e.words = (n + 63) >> 6
	marks(e.mark[:e.words], e.s, e.block, n, e.opts.Relaxed)
	e.seek(0)
	e.word = 0
	return true
}

// countTo counts the newlines before s[i].
func (e *engine) countTo(i int) {
	if i <= e.counted {
		return
	}
	part := e.s[e.counted:i]
	if n := strings.Count(part, "\n"); n > 0 {
		e.line += n
		e.lineStart = e.counted + strings.LastIndexByte(part, '\n') + 1
	}
	e.counted = i
}

// match makes a Match of e.found.
func (e *engine) match(keep *arena) Match {
	f := e.found
	e.countTo(f.start)
	m := Match{
		Text:   e.s[f.start:f.end],
		Start:  e.base + f.start,
		End:    e.base + f.end,
		Line:   e.line + 1,
		Col:    f.start - e.lineStart + 1,
		Kind:   f.kind,
		Hyphen: f.hyphen,
		Source: e.opts.Source,
	}
	if keep.copies {
		m.Text = keep.keep(m.Text)
	}
	m.URL = m.Text
	if f.joined {
		m.URL = keep.keep(string(e.joined))
	}
	return m
}

// at looks at the mark s[p]. It reports whether it found a match, which it
// leaves in e.found, and where the pass goes on.
func (e *engine) at(p int) (bool, int) {
	switch e.s[p] {
	case ':':
		if p == 0 || !is(e.s[p-1], word) {
			return false, p + 1
		}
		if strings.HasPrefix(e.s[p+1:], "//") {
			return e.hierarchical(p)
		}
		return e.opaque(p)
	case '@':
		return e.email(p)
	}
	return e.domain(p)
}
