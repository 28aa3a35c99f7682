package format

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
)

// pdf reads a PDF file (ISO 32000) object by object, as they lie, and takes the
// table of them for nothing, so that a file that is damaged or refers to itself
// costs no more than another: the targets of URI actions, wherever they stand, and
// the text of pages in fonts that say what their codes are, or keep to ASCII. Of
// what is compressed, a match tells the head of the object that holds it ("7 0
// obj").
func (s *scan) pdf(v *view) {
	b := v.data
	if bytes.Contains(b, []byte("/Encrypt")) {
		s.note(v, 0, "the PDF file is encrypted; only what stands in the clear is read")
	}
	// What is missing here is what every PDF file begins and ends with (ISO 32000-1,
	// 7.5.2 and 7.5.5).
	switch {
	case s.over():
	case !bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")):
		s.damage(v, "it is no PDF file")
	case !bytes.Contains(b, []byte("startxref")):
		s.damage(v, "the PDF file breaks off")
	}
	o := newPDFObjects()
	var pages []pdfStream
	at := 0
	for !s.over() {
		n := bytes.Index(b[at:], []byte("stream"))
		if n < 0 {
			break
		}
		start := at + n + len("stream")
		if !bytes.HasPrefix(b[start:], []byte("\n")) && !bytes.HasPrefix(b[start:], []byte("\r\n")) {
			at = start
			continue
		}
		p := pdfStreamAt(b, at, at+n)
		s.pdfActions(v, at, at+n)
		p.from = lineEnd(b, start)
		p.to = len(b)
		if m := bytes.Index(b[p.from:], []byte("endstream")); m >= 0 {
			p.to = p.from + m
		} else {
			s.note(v, p.from, "a stream of the PDF file is never closed")
		}
		o.add(b[at:at+n], b[p.from:p.to])
		if p.has("/ObjStm") {
			s.pdfStream(v, o, p)
		} else {
			pages = append(pages, p)
		}
		at = p.to
		if bytes.HasPrefix(b[at:], []byte("endstream")) {
			at += len("endstream")
		}
	}
	s.pdfActions(v, at, len(b))
	o.add(b[at:], nil)
	o.link()
	for _, p := range pages {
		if s.over() {
			return
		}
		s.pdfStream(v, o, p)
	}
}

// A pdfStream is a stream of a file.
type pdfStream struct {
	dict     []byte // the dictionary before it
	head     span   // "7 0 obj"
	number   int    // of its object
	from, to int
}

func (p *pdfStream) has(name string) bool { return bytes.Contains(p.dict, []byte(name)) }

// pdfStreamAt reads what stands before the stream at b[i], behind the last stream's
// end at b[last].
func pdfStreamAt(b []byte, last, i int) pdfStream {
	from := max(last, i-8192)
	p := pdfStream{head: span{i, i + len("stream")}, number: -1}
	if n := bytes.LastIndex(b[from:i], []byte(" obj")); n >= 0 {
		from += n
		if number, start, ok := objectHead(b, from+1); ok {
			p.number, p.head = number, span{start, from + len(" obj")}
		}
	}
	p.dict = b[from:i]
	return p
}

// emptyZlib is zlib's data format with nothing in it: RFC 1950.
const emptyZlib = "\x78\x9c\x03\x00\x00\x00\x00\x01"

func (s *scan) pdfStream(v *view, o *pdfObjects, p pdfStream) {
	if p.has("/Image") || p.has("/XRef") || p.has("/Length1") || p.has("/FontFile") || p.has("/ICCBased") {
		return
	}
	filters := pdfFilters(p.dict)
	data, known, err := s.decoded(v.data[p.from:p.to], filters)
	if err != nil {
		s.note(v, p.from, err.Error())
	}
	if !known {
		s.note(v, p.from, "a stream of the PDF file is in a coding that is not read: "+strings.Join(filters, ", "))
		return
	}
	within := func(text []byte) *view {
		q := &piece{}
		if len(filters) == 0 && len(text) == len(data) {
			q.copy(v.data, p.from, p.to)
		} else {
			q.put(string(text), p.head.from, p.head.to)
		}
		return v.within(q)
	}
	switch {
	case p.has("/ObjStm"):
		o.unpacked(p.dict, data)
		s.pdfActions(within(data), 0, len(data))
	case p.has("/Metadata"):
		s.nested(within(data), s.xml)
	default:
		names, ok := o.users[p.number]
		if !ok {
			names = o.names
		}
		if text := s.pdfText(o, data, names); len(text) > 0 {
			q := &piece{}
			q.put(string(text), p.head.from, p.head.to)
			s.prose(v, q, "page")
		}
	}
}

// zlib is a reader of zlib's format, one at a time for all streams of a file.
func (s *scan) zlib(r io.Reader) (io.Reader, error) {
	if s.inflate == nil {
		s.inflate, _ = zlib.NewReader(strings.NewReader(emptyZlib))
	}
	return s.inflate, s.inflate.(zlib.Resetter).Reset(r, nil)
}

// pdfActions finds the targets of URI actions, /URI (string), in v.data[from:to].
func (s *scan) pdfActions(v *view, from, to int) {
	b := v.data
	for at := from; at < to && !s.over(); {
		n := bytes.Index(b[at:to], []byte("/URI"))
		if n < 0 {
			return
		}
		i := at + n + len("/URI")
		at = i
		for i < to && isSpace(b[i]) {
			i++
		}
		if i == to {
			return
		}
		p := &piece{}
		switch b[i] {
		case '(':
			at = p.pdfString(b, i, to)
		case '<':
			if i+1 < to && b[i+1] == '<' {
				continue
			}
			at = p.pdfHex(b, i, to)
		default:
			continue
		}
		s.link(v, p, "URI action")
	}
}

// pdfString reads a literal string: ISO 32000-1, 7.3.4.2. It gives where it ends.
func (p *piece) pdfString(b []byte, i, to int) int {
	depth := 1
	for i++; i < to; {
		switch c := b[i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\\':
			n := 2
			switch {
			case i+1 >= to:
				return to
			case '0' <= b[i+1] && b[i+1] <= '7':
				code := 0
				n = 1
				for n < 4 && i+n < to && '0' <= b[i+n] && b[i+n] <= '7' {
					code = code<<3 | int(b[i+n]-'0')
					n++
				}
				p.put(string([]byte{byte(code)}), i, i+n)
			case b[i+1] == '\n':
			case b[i+1] == '\r':
				if i+2 < to && b[i+2] == '\n' {
					n = 3
				}
			case strings.IndexByte("nrtbf", b[i+1]) >= 0:
				p.put(" ", i, i+2)
			default:
				p.put(string(b[i+1]), i, i+2)
			}
			i += n
			continue
		}
		p.copy(b, i, i+1)
		i++
	}
	return to
}

// pdfHex reads a hexadecimal string: ISO 32000-1, 7.3.4.3.
func (p *piece) pdfHex(b []byte, i, to int) int {
	start, n, value := i+1, 0, byte(0)
	for i++; i < to && b[i] != '>'; i++ {
		d, ok := unhex(b[i])
		if !ok {
			continue
		}
		if n++; n%2 == 1 {
			start, value = i, d
			continue
		}
		p.put(string([]byte{value<<4 | d}), start, i+1)
	}
	return min(i+1, to)
}
