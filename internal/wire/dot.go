package wire

import (
	"bufio"
	"errors"
	"io"
)

// A DotReader reads a text that ends with a line "." and whose other lines
// that begin with "." begin with ".." instead (RFC 3977, section 3.1.1). Lines
// come out with their ends as they were sent, the doubled dots undone. An end
// of the stream before the line "." is io.ErrUnexpectedEOF.
type DotReader struct {
	r     *bufio.Reader
	limit int    // of one line
	rest  []byte // what is left of the current piece
	begin bool   // the next piece begins a line
	size  int    // of the current line, so far
	err   error
}

// NewDotReader reads from r lines of at most limit octets; 0 is [DefaultLine].
func NewDotReader(r *bufio.Reader, limit int) *DotReader {
	if limit <= 0 {
		limit = DefaultLine
	}
	return &DotReader{r: r, limit: limit, begin: true}
}

// Read reads some of the text; io.EOF is its proper end.
func (d *DotReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(d.rest) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.fill()
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// fill takes the next piece: a line, or as much of one as the buffer holds.
func (d *DotReader) fill() {
	piece, err := d.r.ReadSlice(lf)
	ends := err == nil
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		d.err = unexpected(err)
	}
	if d.begin {
		d.size = 0
		if len(piece) > 0 && piece[0] == '.' {
			switch string(piece) {
			case ".\r\n", ".\n":
				d.err = io.EOF
				return
			}
			piece = piece[1:]
		}
	}
	if d.size += len(piece); d.size > d.limit+2 {
		d.err = ErrLong
		return
	}
	d.begin = ends
	// The slice is good until the next ReadSlice, which comes only when rest
	// is used up.
	d.rest = piece
}

// A DotWriter writes a text in the form that [DotReader] reads: line ends
// become CR LF, a dot that begins a line is doubled, and Close ends the text
// with a line ".".
type DotWriter struct {
	w    *bufio.Writer
	last byte // the octet before, as the caller gave it
	any  bool
}

// NewDotWriter writes to w. Call Close to end the text; w stays open.
func NewDotWriter(w io.Writer) *DotWriter {
	return &DotWriter{w: bufio.NewWriter(w), last: lf}
}

// Write writes some of the text.
func (d *DotWriter) Write(p []byte) (int, error) {
	for i, b := range p {
		if d.last == lf && b == '.' {
			d.w.WriteByte('.')
		}
		if b == lf && d.last != cr {
			d.w.WriteByte(cr)
		}
		if err := d.w.WriteByte(b); err != nil {
			return i, err
		}
		d.last, d.any = b, true
	}
	return len(p), nil
}

// Close ends the last line, if it is open, and the text.
func (d *DotWriter) Close() error {
	if d.any && d.last != lf {
		if d.last != cr {
			d.w.WriteByte(cr)
		}
		d.w.WriteByte(lf)
	}
	d.w.WriteString(".\r\n")
	return d.w.Flush()
}
