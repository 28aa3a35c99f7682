package mid

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"

	"anyurl/internal/wire"
)

// The bounds of a message's form. No mail is nested so deep; what is was made
// to exhaust whoever looks into it.
const (
	maxDepth = 50
	maxParts = 10_000
)

var (
	errDepth = fmt.Errorf("the message has parts nested more than %d deep", maxDepth)
	errParts = fmt.Errorf("the message has more than %d parts", maxParts)
)

// A part is a part of a message, its body still to be read.
type part struct {
	header header
	body   io.Reader // as it was sent: see decoded
}

// A walk goes through a message once, part by part, and keeps no more of it
// than a line. It ends at the part that it is looking for.
type walk struct {
	r          *bufio.Reader
	want       string   // a Content-ID
	headLimit  int64    // octets of one part's header
	boundaries []string // of the multiparts that are open, the outermost first
	hit        int      // the boundary that was met, an index; -1 for none
	closed     bool     // it was one that closes
	end        string   // the end of the line before, which may be the boundary's
	joined     []byte   // what next gives, where that is more than one piece
	begun      bool     // whether the next octet is inside a line
	parts      int
	seen       []string // Content-IDs on the way, for whoever asks in vain
	err        error    // what ended the message
}

// maxSeen is how many Content-IDs an error names.
const maxSeen = 8

// findPart looks in a message for the part with a Content-ID, also in the
// messages that it holds. h is its header and r what follows; nil is returned
// when it has none.
func findPart(h header, r *bufio.Reader, want string, headLimit int64) (*part, []string, error) {
	w := &walk{r: r, want: want, headLimit: headLimit, hit: -1}
	p, err := w.entity(h, 0)
	return p, w.seen, err
}

// entity looks at one part and what it holds. Afterwards, if it found nothing,
// all of it has been read, up to a boundary or the end.
func (w *walk) entity(h header, depth int) (*part, error) {
	if w.parts++; w.parts > maxParts {
		return nil, errParts
	}
	if depth > maxDepth {
		return nil, errDepth
	}
	if id := identifier(h.get("Content-ID")); id != "" {
		if compare(id, w.want) != other {
			return &part{h, &piece{w: w}}, nil
		}
		if len(w.seen) < maxSeen {
			w.seen = append(w.seen, id)
		}
	}
	kind, params := h.contentType()
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		return w.multipart(params["boundary"], depth)
	case (kind == "message/rfc822" || kind == "message/global") && asIs(h.encoding()): // RFC 2046, section 5.2.1, allows no other
		inner, _, err := readHeader(w, w.headLimit)
		if err != nil && err != errBoundary && err != io.EOF {
			return nil, err
		}
		return w.entity(inner, depth+1)
	}
	return nil, w.skip()
}

// multipart looks at the parts between the lines of a boundary: RFC 2046,
// section 5.1.
func (w *walk) multipart(boundary string, depth int) (*part, error) {
	own := len(w.boundaries)
	w.boundaries = append(w.boundaries, boundary)
	defer func() { w.boundaries = w.boundaries[:own] }()
	if err := w.skip(); err != nil { // the preamble
		return nil, err
	}
	for w.hit == own && !w.closed {
		w.hit = -1
		h, _, err := readHeader(w, w.headLimit)
		if err != nil && err != errBoundary && err != io.EOF { // those leave a part without a body
			return nil, err
		}
		found, err := w.entity(h, depth+1)
		if found != nil || err != nil {
			// The boundaries stay with the part that is to be read.
			if found != nil {
				if p, ok := found.body.(*piece); ok && p.boundaries == nil {
					p.boundaries = append([]string(nil), w.boundaries...)
				}
			}
			return found, err
		}
	}
	if w.hit == own { // the epilogue
		w.hit = -1
		w.boundaries = w.boundaries[:own]
		return nil, w.skip()
	}
	return nil, w.failure()
}

// failure is the error that ended the message, if one did.
func (w *walk) failure() error {
	if w.err == io.EOF {
		return nil
	}
	return w.err
}

// skip reads up to the next boundary or the end.
func (w *walk) skip() error {
	for w.hit < 0 {
		if _, err := w.next(); err != nil {
			return w.failure()
		}
	}
	return nil
}

// errBoundary is given in place of a line that is a boundary of an open
// multipart; which one is in hit.
var errBoundary = errors.New("a boundary")

// next gives the next octets of the part: a line without its end, whose end the
// next call gives in front, since the line end before a boundary belongs to it.
func (w *walk) next() ([]byte, error) {
	if w.hit >= 0 {
		return nil, errBoundary
	}
	if w.err != nil {
		return nil, w.err
	}
	line, err := w.r.ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		w.err = err
		if len(line) == 0 {
			if out := w.end; out != "" && err == io.EOF {
				w.end = ""
				return []byte(out), nil
			}
			return nil, err
		}
	}
	if !w.begun && w.isBoundary(line) {
		w.end = ""
		return nil, errBoundary
	}
	w.begun = err != nil
	before := w.end
	if w.end = ""; !w.begun {
		w.end = "\n"
		if bytes.HasSuffix(line, []byte("\r\n")) {
			w.end = "\r\n"
		}
	}
	line = line[:len(line)-len(w.end)]
	if before == "" {
		return line, nil
	}
	w.joined = append(append(w.joined[:0], before...), line...)
	return w.joined, nil
}

// isBoundary notes and reports whether a line is "--" and the boundary of an
// open multipart, the innermost that fits: RFC 2046, section 5.1.1. A boundary
// of an outer one ends the inner ones, too.
func (w *walk) isBoundary(line []byte) bool {
	if len(w.boundaries) == 0 || len(line) < 3 || line[0] != '-' || line[1] != '-' {
		return false
	}
	text := strings.TrimRight(string(line[2:]), " \t\r\n")
	for i := len(w.boundaries) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(text, w.boundaries[i]); ok && (rest == "" || rest == "--") {
			w.hit, w.closed = i, rest == "--"
			return true
		}
	}
	return false
}

// line gives a line of a part's header.
func (w *walk) line(most int) ([]byte, error) {
	var out []byte
	for {
		got, err := w.next()
		if err != nil {
			if len(out) > 0 && err == io.EOF {
				return out, nil
			}
			return nil, err
		}
		out = append(out, got...)
		if len(out) > most {
			return nil, wire.ErrTooMuch
		}
		if !w.begun {
			out = append(out, w.end...)
			w.end = ""
			return out, nil
		}
	}
}

// A piece is the body of the part that was found. It ends at the next boundary;
// where there should be one and the message ends first, it was cut off.
type piece struct {
	w          *walk
	boundaries []string // those that were open
	rest       []byte
	err        error
}

func (p *piece) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		if p.boundaries != nil {
			p.w.boundaries = p.boundaries
		}
		p.rest, p.err = p.w.next()
		switch {
		case p.err == errBoundary:
			p.err = io.EOF
		case p.err == io.EOF && len(p.boundaries) > 0:
			p.err = io.ErrUnexpectedEOF
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// asIs reports whether a transfer encoding changes nothing.
func asIs(encoding string) bool {
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// decoded gives a body without its transfer encoding: RFC 2045, section 6. One
// in an encoding that is not known is left as it is, and its type with it
// (section 6.4); known says so. exact is set where no octet changes.
func decoded(encoding string, body io.Reader) (r io.Reader, exact, known bool) {
	switch {
	case asIs(encoding):
		return body, true, true
	case encoding == "base64":
		return base64.NewDecoder(base64.RawStdEncoding, &alphabet{r: body}), false, true
	case encoding == "quoted-printable":
		return quotedprintable.NewReader(bufio.NewReaderSize(body, 64<<10)), false, true
	}
	return body, true, false
}

// alphabet leaves of a base64 text what is of its alphabet: RFC 2045, section
// 6.8, has everything else ignored. The padding is of no need to a decoder that
// knows the end.
type alphabet struct{ r io.Reader }

func (a *alphabet) Read(p []byte) (int, error) {
	for {
		n, err := a.r.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil || len(p) == 0 {
			return kept, err
		}
	}
}
