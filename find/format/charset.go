package format

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"anyurl/internal/validutf8"
)

// inUTF8 gives a document that may name its own character set as one in UTF-8:
// HTML by its meta elements (HTML Standard, "determining the character
// encoding") and XML by its declaration (XML 1.0, section 4.3.3). What is UTF-8
// already stays as it is, whatever it says of itself.
func (s *scan) inUTF8(v *view, format string) *view {
	if validutf8.Is(v.data) {
		return v
	}
	p := &piece{}
	var at int
	switch set, name := charsetOf(v.data, format); {
	case name == "iso-2022-jp" || name == "replacement":
		s.note(v, 0, "the document is in "+name+", whose bytes mean now this and now that; its URLs are read as ASCII")
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
