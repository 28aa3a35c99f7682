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
	cut  bool // s ends where the text could not be read on
	opts Options

	pos   int // where the pass stands: every mark before it is done
	floor int // nothing before it may become part of a match
	reach int // how far forward at has looked

	// A part of a text is scanned up to stop: no mark there or behind it is
	// looked at. resume is where the mark that was done last led.
	stop, resume int
	stopped      bool

	domains *domains // once one is needed
	slow    bool     // the tests' wish: quick is not asked
	found   span
	joined  []byte // a wrapped URL without its white space

	// The marks of s[block:blockEnd].
	block, blockEnd int
	busy            uint64                 // the words with marks
	mark            [blockWords + 1]uint64 // behind those of the block stands an empty one

	// Lines: there are line newlines before s[counted], and, unless stale, the
	// last of them stands at lineStart-1. The newlines of a block are known once
	// it is marked; they are added when no match can begin in it any more, which
	// is when the block behind it is done.
	line, counted, lineStart int
	stale                    bool
	lines                    int   // newlines in s[block:blockEnd]
	last                     block // the block before it
	base                     int   // the offset of s[0] in the text
}

const (
	blockWords = 64
	blockLen   = 64 * blockWords

	// colonLen is how much text is searched at most before its newlines are
	// counted: what the nearest cache holds.
	colonLen = 16 << 10

	// lookBack is how much text before a mark may decide about it.
	lookBack = 1 << 10
	// lookAhead is how much text behind the reach may decide.
	lookAhead = 64
)

// A block is a stretch of s whose newlines are counted.
type block struct{ start, end, lines int }

// A span is a match in s.
type span struct {
	start, end int
	kind       Kind
	joined     bool // the URL is engine.joined
	hyphen     bool
}

// whole gives where the part of f without newlines ends that begins at start.
func (f *span) whole() int {
	if f.joined {
		return f.start
	}
	return f.end
}

// next finds the next match and leaves it in e.found. Without a match it
// reports false: e.pos is then the first byte that needs more text to be
// decided, or len(s).
func (e *engine) next() bool {
	if e.opts.Profile == UTS58 {
		return e.nextUTS58()
	}
	if !e.opts.Relaxed && !simd() {
		return e.nextColon()
	}
	for {
		for e.pos < e.blockEnd {
			// The next mark, if it is in this word or in the one behind it; which of
			// them cannot be foretold, and so is no branch.
			at := e.pos - e.block
			w := at >> 6 & (blockWords - 1)
			n := bits.TrailingZeros64(e.mark[w] >> (at & 63) << (at & 63))
			n += bits.TrailingZeros64(e.mark[w+1]) & -(n >> 6)
			if n == 128 {
				busy := e.busy >> w >> 2 << w << 2
				if busy == 0 {
					break
				}
				w = bits.TrailingZeros64(busy)
				n = bits.TrailingZeros64(e.mark[w])
			}
			p := e.block + w<<6 + n
			if !e.opts.Relaxed && !is(e.s[max(p-1, 0)], word) && p < e.stop { // at would say so
				e.pos, e.resume = p+1, p+1
				continue
			}
			if p >= e.stop || !e.eof && !e.known(p) {
				e.pos = p
				e.stopped = p >= e.stop
				return e.wait()
			}
			e.reach = p
			next, ok := 0, false
			if e.s[p+1] == '/' && !e.slow {
				next, ok = e.quick(p)
			}
			switch {
			case ok:
			case e.s[p] != '.' || e.domains == nil || !simd() || e.slow || p+41 > len(e.s):
				ok, next = e.at(p)
			default:
				if next = e.idleHead(p + 1); next == 0 { // most names are none
					ok, next = e.domainOf(p)
				}
			}
			if !e.eof && !e.known(e.reach) {
				e.pos = p
				return e.wait()
			}
			next = max(next, p+1)
			e.pos, e.resume = next, next
			if ok && e.take() {
				return true
			}
		}
		if !e.fill() {
			return false
		}
	}
}

// nextColon is next where only ":" is a mark and the library's search for a
// byte is the fastest way to one: without blocks, and newlines are counted up
// to each match, while they are still in the cache.
func (e *engine) nextColon() bool {
	limit := len(e.s)
	if !e.eof {
		limit--
	}
	limit = min(limit, e.stop)
	for e.pos < limit {
		p := e.pos
		switch {
		// One reference a line: known by what stands there, which is faster than
		// to look where it stands.
		case p+8 <= limit && e.s[p] == '\n' && e.s[p+1:p+6] == "http:":
			p += 5
		case p+8 <= limit && e.s[p] == '\n' && e.s[p+1:p+7] == "https:":
			p += 6
		default:
			if k := strings.IndexByte(e.s[p:limit], ':'); k >= 0 {
				p += k
			} else {
				p = limit
			}
		}
		if p == limit {
			e.pos = limit
			break
		}
		e.pos = p
		if p-e.counted > colonLen {
			e.countTo(p - lookBack)
		}
		if p+1 == len(e.s) || !begins(e.s[p+1]) || !is(e.s[max(p-1, 0)], word) {
			e.pos++
			continue
		}
		if !e.eof && !e.known(p) {
			return e.wait()
		}
		e.reach = p
		next, found := 0, false
		if !e.slow && e.s[p+1] == '/' {
			next, found = e.quick(p)
		}
		if !found {
			found, next = e.at(p)
		}
		if !e.eof && !e.known(e.reach) {
			return e.wait()
		}
		e.pos = max(next, p+1)
		e.resume = e.pos
		if found && e.take() {
			return true
		}
	}
	e.stopped = e.pos >= e.stop
	return e.wait()
}

// take makes e.found a match, unless it is as long as a URL is passed over at.
func (e *engine) take() bool {
	if e.found.end-e.found.start >= e.opts.MaxLen {
		return false
	}
	e.floor = e.found.end
	return true
}

// longest gives the end of what of s may belong to a reference that begins at
// start, and is the first byte too many where it is not the end of s.
func (e *engine) longest(s string, start int) int {
	if len(s)-start > e.opts.MaxLen {
		return start + e.opts.MaxLen
	}
	return len(s)
}

// known reports whether enough text is there behind s[i] to decide by:
// lookAhead bytes, or the rest of the line, over whose end nobody looks but
// with see.
func (e *engine) known(i int) bool {
	if e.cut {
		return i < len(e.s)
	}
	return i+lookAhead <= len(e.s) || i < len(e.s) && strings.IndexByte(e.s[i:], '\n') >= 0
}

// wait forgets the marks: the text behind e.pos is to be looked at again.
func (e *engine) wait() bool {
	e.block, e.blockEnd, e.lines = e.pos, e.pos, 0
	e.last = block{e.pos, e.pos, 0}
	return false
}

// fill marks the next block. Without text left it reports false.
func (e *engine) fill() bool {
	e.pos = max(e.pos, e.blockEnd)
	if e.pos >= e.stop {
		e.stopped = true
		return e.wait()
	}
	// The last byte of a window has no neighbour yet.
	limit := len(e.s)
	if !e.eof {
		limit--
	}
	if e.pos >= limit {
		return e.wait()
	}
	if q := e.last; q.end > e.pos-lookBack {
		e.countTo(e.pos - lookBack)
	} else if e.counted == q.start {
		e.line += q.lines
		e.stale = e.stale || q.lines > 0
		e.counted = q.end
	} else {
		e.countTo(q.end)
	}
	e.last = block{e.block, e.blockEnd, e.lines}
	e.block = e.pos
	n := min(limit-e.block, blockLen)
	e.blockEnd = e.block + n
	words := (n + 63) >> 6
	e.mark[words] = 0
	e.lines, e.busy = marks(e.mark[:words], e.s, e.block, n, e.opts.Relaxed)
	return true
}

// countTo counts the newlines before s[i].
func (e *engine) countTo(i int) {
	if i <= e.counted {
		return
	}
	if n, behind := newlines(e.s, e.counted, i); n > 0 {
		e.line += n
		e.lineStart = behind
		e.stale = false
	}
	e.counted = i
}

// place counts to s[i] and gives its line and column. No newline stands in
// s[i:end], which is not looked at again.
func (e *engine) place(i, end int) (line, col int) {
	if i > e.counted {
		if n, behind := gapLines(e.s, e.counted, i); n > 0 {
			e.line += n
			e.lineStart = behind
			e.stale = false
		}
	}
	e.counted = max(e.counted, end)
	if e.stale {
		e.lineStart = lastNewline(e.s[:i]) + 1
		e.stale = false
	}
	return e.line + 1, i - e.lineStart + 1
}

// match gives what is left to be said of e.found.
func (e *engine) match(keep *arena) (url, text string, line, col int) {
	f := &e.found
	line, col = e.place(f.start, f.whole())
	text = e.s[f.start:f.end]
	if keep.copies {
		text = keep.keep(text)
	}
	url = text
	if f.joined {
		url = keep.keep(string(e.joined))
	}
	return url, text, line, col
}

// at looks at the mark s[p], which quick could not read. It reports whether it
// found a match, which it leaves in e.found, and where the pass goes on.
func (e *engine) at(p int) (bool, int) {
	switch e.s[p] {
	case ':':
		if p == 0 || !is(e.s[p-1], word) {
			return false, p + 1
		}
		if e.opts.Relaxed && isHex(e.s[p-1]) {
			if end, ok := e.bracketedIP(p); ok {
				return true, end
			}
		}
		if p+1 < len(e.s) && !begins(e.s[p+1]) {
			return false, p + 1
		}
		if p+2 < len(e.s) && e.s[p+1] == '/' && e.s[p+2] == '/' {
			return e.hierarchical(p)
		}
		return e.opaque(p)
	case '@':
		return e.email(p)
	}
	return e.domain(p)
}
