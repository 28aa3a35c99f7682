package format

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"

	"anyurl/internal/validutf8"
)

// inUTF8 gives a document that may name its own character set as one in UTF-8:
// HTML by its meta elements (HTML Standard, "determining the character
// encoding") and XML by its declaration (XML 1.0, section 4.3.3). What is UTF-8
// already stays as it is, whatever it says of itself.
func (s *scan) inUTF8(v *view, format string) *view {
	if validutf8.Is(v.data) && bytes.IndexByte(v.data, 0x1B) < 0 {
		return v
	}
	p := &piece{}
	var at int
	switch set, name := charsetOf(v.data, format); {
	case name == "replacement":
		s.note(v, 0, "the document is in a character set that the Encoding Standard replaces; its URLs are read as ASCII")
		return v
	case name == "iso-2022-jp":
		at = p.iso2022jp(v.data)
		if format == "html" {
			s.charset = name
		}
	case validutf8.Is(v.data):
		return v
	case set != nil:
		at = p.decoded(v.data, set)
		if format == "html" {
			s.charset = name
		}
	case format == "html":
		at = p.mixed(v.data)
	default:
		return v
	}
	if at < len(v.data) {
		s.note(v, at, "the document is in no UTF-8 and too long; URLs end where others of its bytes stand, from byte "+strconv.Itoa(at)+" on")
	}
	return v.within(p)
}

// inCharset gives a document in UTF-8 whose character set is named from outside,
// by its label: by mail's or HTTP's Content-Type, which wins over what it says
// of itself. What is UTF-8 already stays as it is, and so does what is in a set
// that is not known.
func (s *scan) inCharset(v *view, label string) (in *view, known bool) {
	p, known := toUTF8(v.data, label)
	if !known && !validutf8.Is(v.data) {
		s.note(v, 0, "the character set "+strconv.Quote(label)+" is not known here; what is no UTF-8 ends a URL")
	}
	if p == nil {
		return v, known
	}
	return v.within(p), true
}

// toUTF8 decodes text that is in the character set with the label, one of the
// Encoding Standard. It gives nil where nothing is to be done; known is false
// where the set is none.
func toUTF8(b []byte, label string) (p *piece, known bool) {
	if label == "" {
		return nil, true
	}
	set, name := charset.Lookup(label)
	p = &piece{}
	switch {
	case name == "utf-16le" || name == "utf-16be":
		mark := 0
		if big, n, ok := utf16Of(b); ok && n > 0 && big == (name == "utf-16be") {
			mark = n
		}
		p.utf16(b, mark, name == "utf-16be")
		return p, true
	case name == "iso-2022-jp" && bytes.IndexByte(b, 0x1B) >= 0:
		p.iso2022jp(b)
		return p, true
	case validutf8.Is(b):
		return nil, true
	case name == "utf-8":
		return nil, true
	case set == nil || name == "replacement":
		return nil, false
	}
	p.decoded(b, set)
	return p, true
}

// charsetOf is the character set that a document names; nil where it names none,
// or UTF-8.
func charsetOf(b []byte, format string) (set encoding.Encoding, name string) {
	head := b[:min(len(b), 1024)]
	if label := xmlEncoding(head); label != "" {
		set, name = charset.Lookup(label)
	} else if format == "html" {
		certain := false
		if set, name, certain = charset.DetermineEncoding(head, ""); name == "windows-1252" && !certain {
			return nil, "" // that is what it says of a document that says nothing
		}
	}
	switch name {
	case "", "utf-8", "utf-16be", "utf-16le": // what is UTF-16 has been told by its bytes
		return nil, ""
	}
	return set, name
}

// xmlEncoding is what an XML declaration calls the encoding; "" where it does not.
func xmlEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	head, _, _ = bytes.Cut(head, []byte("?>"))
	_, value, ok := bytes.Cut(head, []byte("encoding"))
	value = bytes.TrimLeft(value, " \t\r\n=")
	if !ok || len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(value[1:], value[:1])
	if !ok {
		return ""
	}
	return string(label)
}

// decoded appends text that is in a character set of which ASCII is a part, and
// gives the place where it stopped: at the end, or where ASCII and other
// characters have taken turns too many times.
func (p *piece) decoded(b []byte, set encoding.Encoding) (end int) {
	const most = 1 << 21
	decoder := set.NewDecoder()
	var out [16]byte
	for i := 0; i < len(b); {
		if len(p.runs) >= most {
			p.copy(b, i, len(b))
			return i
		}
		from := i
		for i < len(b) && b[i] < 0x80 {
			i++
		}
		p.copy(b, from, i)
		if i == len(b) {
			break
		}
		// A character has four bytes at most, in GB 18030.
		used, made := 1, 0
		for n := 1; n <= 4 && i+n <= len(b); n++ {
			decoder.Reset()
			dst, src, err := decoder.Transform(out[:], b[i:i+n], i+n == len(b))
			if err == nil && src == n && dst > 0 {
				used, made = n, dst
				break
			}
		}
		if made == 0 {
			copy(out[:], "\uFFFD")
			made = len("\uFFFD")
		}
		p.put(string(out[:made]), i, i+used)
		i += used
	}
	return len(b)
}

// iso2022jp appends text in ISO-2022-JP (RFC 1468), whose escape sequences say what
// the bytes behind them mean, and gives the place where it stopped.
func (p *piece) iso2022jp(b []byte) (end int) {
	const most = 1 << 21
	decoder := japanese.ISO2022JP.NewDecoder()
	escape, width := "", 0 // none: ASCII
	var in [8]byte
	var out [16]byte
	for i := 0; i < len(b); {
		if len(p.runs) >= most {
			p.copy(b, i, len(b))
			return i
		}
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte("\x1b(B")), bytes.HasPrefix(rest, []byte("\x1b(J")):
			escape, width = "", 0
			i += 3
			continue
		case bytes.HasPrefix(rest, []byte("\x1b$B")), bytes.HasPrefix(rest, []byte("\x1b$@")):
			escape, width = "\x1b$B", 2
			i += 3
			continue
		case bytes.HasPrefix(rest, []byte("\x1b(I")):
			escape, width = "\x1b(I", 1
			i += 3
			continue
		}
		if b[i] == '\n' {
			escape, width = "", 0 // a line ends in ASCII, also where it was forgotten
		}
		if b[i] >= 0x80 {
			p.put("\uFFFD", i, i+1)
			i++
			continue
		}
		if width == 0 || i+width > len(b) || b[i] <= ' ' || b[i] == 0x7F {
			p.copy(b, i, i+1)
			i++
			continue
		}
		n := copy(in[:], escape)
		n += copy(in[n:], b[i:i+width])
		decoder.Reset()
		made, _, err := decoder.Transform(out[:], in[:n], true)
		if err != nil || made == 0 {
			made = copy(out[:], "\uFFFD")
		}
		p.put(string(out[:made]), i, i+width)
		i += width
	}
	return len(b)
}
