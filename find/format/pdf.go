package format

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
)

// pdf reads a PDF file (ISO 32000) stream by stream, as it lies, and follows
// no reference in it, so that a file that is damaged or refers to itself costs
// no more than another: the targets of URI actions, wherever they stand, and
// the text of pages whose fonts keep to ASCII. Of what is compressed, a match
// tells the stream that holds it.
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
		dict := pdfDict(b, at, at+n)
		s.pdfActions(v, at, at+n)
		start = lineEnd(b, start)
		end := len(b)
		if m := bytes.Index(b[start:], []byte("endstream")); m >= 0 {
			end = start + m
		} else {
			s.note(v, start, "a stream of the PDF file is never closed")
		}
		s.pdfStream(v, dict, start, end)
		at = end
		if bytes.HasPrefix(b[at:], []byte("endstream")) {
			at += len("endstream")
		}
	}
	s.pdfActions(v, at, len(b))
}

// pdfDict is the dictionary before the stream at b[i], behind the last stream's
// end at b[last].
func pdfDict(b []byte, last, i int) []byte {
	from := max(last, i-8192)
	if n := bytes.LastIndex(b[from:i], []byte(" obj")); n >= 0 {
		from += n
	}
	return b[from:i]
}

// emptyZlib is zlib's data format with nothing in it: RFC 1950.
const emptyZlib = "\x78\x9c\x03\x00\x00\x00\x00\x01"

func (s *scan) pdfStream(v *view, dict []byte, from, to int) {
	has := func(name string) bool { return bytes.Contains(dict, []byte(name)) }
	if has("/Image") || has("/XRef") || has("/Length1") || has("/FontFile") || has("/ICCBased") {
		return
	}
	data := v.data[from:to]
	if has("/FlateDecode") || has("/Fl ") {
		if s.inflate == nil {
			s.inflate, _ = zlib.NewReader(strings.NewReader(emptyZlib))
		}
		r := s.inflate
		err := r.(zlib.Resetter).Reset(bytes.NewReader(data), nil)
		if err != nil {
			return
		}
		// A stream that breaks off gives what came before.
		data, err = unpack(&meter{s, r}, 2*int64(to-from), s.f.limits().Document)
		if isLimit(err) {
			s.note(v, from, err.Error())
		} else if err != nil && err != io.ErrUnexpectedEOF && len(data) == 0 {
			return
		}
	} else if has("/Filter") {
		return
	}
	// All that is found in the stream stands where the stream does.
	p := &piece{}
	p.put(string(data), from, to)
	inner := v.within(p)
	if has("/ObjStm") {
		s.pdfActions(inner, 0, len(data))
		return
	}
	if has("/Metadata") {
		s.nested(inner, s.xml)
		return
	}
	if text := pdfText(data); len(text) > 0 {
		q := &piece{}
		q.put(string(text), 0, len(data))
		s.prose(inner, q, "page")
	}
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

// pdfText gives the text that a content stream shows: ISO 32000-1, 9.4.3.
func pdfText(b []byte) []byte {
	if !bytes.Contains(b, []byte("BT")) {
		return nil
	}
	var out []byte
	var line piece  // the strings since the last operator
	odd := 0        // bytes that no ASCII font would show
	gap := func() { // a kern wide enough to be a space
		if n := len(line.text); n > 0 && line.text[n-1] != ' ' {
			line.text = append(line.text, ' ')
		}
	}
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '(':
			i = line.pdfString(b, i, len(b))
		case c == '<' && i+1 < len(b) && b[i+1] != '<':
			i = line.pdfHex(b, i, len(b))
		case c == '<':
			i += 2
		case c == '-' || '0' <= c && c <= '9' || c == '.':
			start := i
			for i++; i < len(b) && ('0' <= b[i] && b[i] <= '9' || b[i] == '.'); i++ {
			}
			if c == '-' && i-start > 3 && b[start+1] >= '2' && b[start+1] <= '9' || c == '-' && i-start > 4 {
				gap()
			}
		case isAlnum(c) || c == '\'' || c == '"' || c == '*':
			start := i
			for i++; i < len(b) && (isAlnum(b[i]) || b[i] == '*'); i++ {
			}
			switch op := string(b[start:i]); op {
			case "Tj", "TJ":
				out = append(out, line.text...)
			case "'", "\"":
				out = append(append(out, '\n'), line.text...)
			case "Td", "TD", "T*", "Tm", "ET":
				out = append(out, '\n')
			}
			line = piece{}
		default:
			i++
		}
	}
	for _, c := range out {
		if c < ' ' && c != '\n' && c != '\t' {
			odd++
		}
	}
	if odd*20 > len(out) {
		return nil // glyph numbers, not characters
	}
	return out
}
