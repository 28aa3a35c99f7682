package gopher

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxDotted is how much of a text, from its first line that begins with a dot,
// is looked at as a whole.
const maxDotted = 1 << 20

// A text reads a text item up to its end, which servers mark in three ways.
// RFC 1436, section 3.9, has a line "." at the end and doubles the dots that
// begin other lines; the server of 1993 marks the end and doubles nothing;
// today's do neither, and a line "." of theirs is part of the text. So:
//
//   - A last line that is "." is the mark, and no part of the text.
//   - Dots are un-doubled where every line that begins with a dot begins with
//     two, and the mark is there.
//   - A line "." before the end is part of the text, unless lines with doubled
//     dots, and no other dots, came before it: then the server keeps to the RFC
//     and what follows is not the text's.
type text struct {
	src   *bufio.Reader
	out   []byte
	begin bool // at the beginning of a line
	long  bool // past maxDotted: what comes is only held back at its end
	held  []byte
	err   error
}

func newText(r io.Reader) *text {
	src, ok := r.(*bufio.Reader)
	if !ok {
		src = bufio.NewReader(r)
	}
	return &text{src: src, begin: true}
}

func (t *text) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(t.out) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.fill()
	}
	n := copy(p, t.out)
	t.out = t.out[n:]
	return n, nil
}

func (t *text) fill() {
	if t.long {
		t.pass()
		return
	}
	piece, err := t.src.ReadSlice('\n')
	if t.begin && len(piece) > 0 && piece[0] == '.' {
		rest := append([]byte(nil), piece...)
		var b bytes.Buffer
		if err == nil || errors.Is(err, bufio.ErrBufferFull) {
			_, err = b.ReadFrom(io.LimitReader(t.src, maxDotted))
			if b.Len() == maxDotted {
				t.long, t.held = true, append(rest, b.Bytes()...)
				return
			}
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
		if t.err = err; err == nil {
			t.err = io.EOF
		}
		t.out = undot(append(rest, b.Bytes()...))
		return
	}
	t.out = piece
	t.begin = err == nil
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		t.err = err
	}
}

// pass hands on what comes and keeps back what may be the mark.
func (t *text) pass() {
	const mark = "\n.\r\n"
	buf := make([]byte, 32<<10)
	n, err := t.src.Read(buf)
	all := append(t.held, buf[:n]...)
	if err == nil {
		keep := min(len(mark), len(all))
		t.out, t.held = all[:len(all)-keep], append([]byte(nil), all[len(all)-keep:]...)
		return
	}
	t.err = err
	if errors.Is(err, io.EOF) {
		for _, m := range []string{mark, "\n.\n", "\n."} {
			if bytes.HasSuffix(all, []byte(m)) {
				all = all[:len(all)-len(m)+1]
				break
			}
		}
	}
	t.out = all
}

// undot ends a text that begins with a line that begins with a dot.
func undot(b []byte) []byte {
	doubled, single := 0, 0 // lines that begin with ".." and with "." alone
	for at := 0; at < len(b); {
		end := len(b)
		if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		switch line := string(bytes.TrimRight(b[at:end], "\r\n")); {
		case line == ".":
			if end == len(b) || doubled > 0 && single == 0 && bytes.HasSuffix(b[at:end], []byte("\r\n")) {
				if doubled > 0 && single == 0 {
					return undouble(b[:at])
				}
				return b[:at]
			}
			single++
		case len(line) > 1 && line[:2] == "..":
			doubled++
		case len(line) > 0 && line[0] == '.':
			single++
		}
		at = end
	}
	return b
}

// undouble takes the first dot off each line that begins with one.
func undouble(b []byte) []byte {
	out := b[:0]
	for begin := true; len(b) > 0; b = b[1:] {
		if begin && b[0] == '.' {
			begin = false
			continue
		}
		out = append(out, b[0])
		begin = b[0] == '\n'
	}
	return out
}
