package format

import (
	"bufio"
	"bytes"
	"io"
	"math"
)

// mbox reads the messages of an mbox: each begins with a line "From " that
// stands first or behind an empty line (RFC 4155).
func (s *scan) mbox(v *view) {
	b, start, blank := v.data, -1, true
	for i := 0; i < len(b) && !s.over(); {
		next := lineEnd(b, i)
		line := b[i:next]
		if blank && parts(b[i:]) || start < 0 && bytes.HasPrefix(line, from) {
			if start >= 0 {
				s.bodyPart(v, start, i)
				s.settle(v)
			}
			start = next
		}
		blank = empty(line)
		i = next
	}
	if start >= 0 {
		s.bodyPart(v, start, len(b))
	}
}

var from = []byte("From ")

func empty(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }

// parts reports whether b begins with a line that parts the messages of an mbox:
// "From ", an address and a date, in which there is a time; or without one, where
// a header field follows.
func parts(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("From ")) {
		return false
	}
	next := lineEnd(b, 0)
	for i := 6; i+2 < next; i++ {
		if b[i] == ':' && isDigit(b[i-1]) && isDigit(b[i+1]) && isDigit(b[i+2]) {
			return true
		}
	}
	name, value, ok := bytes.Cut(b[next:lineEnd(b, next)], []byte(":"))
	return ok && len(name) > 0 && !bytes.ContainsAny(name, " \t") && !bytes.HasPrefix(value, []byte("//"))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// mailbox reads the messages of an mbox as they come: one is held at a time, up to
// Limits.Document.
func (f *Finder) mailbox(name string, r *bufio.Reader, yield func(Match, error) bool) {
	s := f.scan(name, func(m Match) bool { return yield(m, nil) })
	box := &mailbox{r: r, most: int(min(f.limits().Document, math.MaxInt))}
	for !s.over() && box.next() {
		s.origin, s.lines, s.root = box.at, lines{}, box.message
		v := &view{data: box.message}
		if box.cut {
			s.note(v, 0, "a message is larger than the limit of "+sizeText(int64(box.most))+" for a document and is read up to there")
		}
		s.nested(v, s.mail)
		s.flush()
	}
	if box.err != io.EOF && !s.done {
		yield(Match{}, box.err)
	}
}

// A mailbox takes the messages of an mbox from a reader.
type mailbox struct {
	r    *bufio.Reader
	most int

	message []byte // without the line that parts it from the one before
	at      origin // where it begins
	cut     bool   // it was longer

	pos  origin // what was read
	in   bool   // the line that begins a message was read
	tail bool   // a line goes on that was too long for the buffer
	err  error  // of r, once it came
}

// next takes the next message. It reports false behind the last.
func (b *mailbox) next() bool {
	for !b.in {
		// What stands in front of the first message is none.
		line := b.line()
		if len(line) == 0 {
			return false
		}
		b.in = bytes.HasPrefix(line, from)
	}
	b.in, b.cut, b.at, b.message = false, false, b.pos, nil
	for blank := false; ; {
		whole := !b.tail
		line := b.line()
		if len(line) == 0 {
			return true
		}
		start := len(b.message)
		b.message = append(b.message, line...)
		if line = b.message[start:]; blank && b.parts(line) {
			b.message, b.in = b.message[:start], true
			return true
		}
		blank = whole && empty(line)
		if len(b.message) > b.most {
			b.message, b.cut = b.message[:start], true
		}
	}
}

// parts is the function, for a line and what comes behind it.
func (b *mailbox) parts(line []byte) bool {
	if !bytes.HasPrefix(line, from) || parts(line) {
		return bytes.HasPrefix(line, from)
	}
	behind, _ := b.r.Peek(1 << 10)
	return parts(append(bytes.Clone(line), behind...))
}

// line reads the next line, or a part of a very long one. It holds until the next
// call.
func (b *mailbox) line() []byte {
	if b.err != nil {
		return nil
	}
	line, err := b.r.ReadSlice('\n')
	b.tail = err == bufio.ErrBufferFull
	if err != nil && !b.tail {
		b.err = err
	}
	b.pos.off += len(line)
	b.pos.lines += bytes.Count(line, newline)
	return line
}
