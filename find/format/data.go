package format

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// notebook reads a Jupyter notebook: cells of Markdown as Markdown, everything
// else as the JSON it is. A notebook that is not shaped like one is JSON.
func (s *scan) notebook(v *view) {
	p := &jsonParser{b: v.data}
	spans, ok := p.cells()
	if !ok {
		s.escaped(v, escapeJSON, "")
		return
	}
	at := 0
	for _, c := range spans {
		s.jsonStretch(v, at, c.from)
		at = c.to
		text := &piece{}
		for _, str := range c.strings {
			raw := &piece{}
			raw.unbackslash(v.data, str.from, str.to, escapeJSON)
			text.add(raw, 0, len(raw.text), 0)
		}
		s.nested(v.within(text), s.markdown)
	}
	s.jsonStretch(v, at, len(v.data))
}

func (s *scan) jsonStretch(v *view, from, to int) {
	p := &piece{}
	p.copy(v.data, from, to)
	s.escaped(v.within(p), escapeJSON, "")
}

type span struct{ from, to int }

// A cell is the "source" of a Markdown cell: where the value stands, and the
// strings in it.
type cell struct {
	span
	strings []span
}

// A jsonParser walks JSON without building it, for where things stand.
type jsonParser struct {
	b []byte
	i int
}

// maxJSONDepth bounds how deep a walk goes; deeper is no notebook.
const maxJSONDepth = 64

// cells finds the sources of Markdown cells of a notebook.
func (p *jsonParser) cells() ([]cell, bool) {
	var out []cell
	ok := p.object(0, func(key string) bool {
		if key != "cells" {
			return p.skip(0)
		}
		return p.array(0, func() bool {
			var kind string
			var src cell
			ok := p.object(1, func(key string) bool {
				switch key {
				case "cell_type":
					at := p.i
					if !p.skip(1) {
						return false
					}
					kind = strings.Trim(string(bytes.TrimSpace(p.b[at:p.i])), `"`)
					return true
				case "source":
					p.space()
					src = cell{span: span{p.i, p.i}}
					ok := p.stringsAt(&src)
					src.to = p.i
					return ok
				}
				return p.skip(1)
			})
			if ok && kind == "markdown" && len(src.strings) > 0 {
				out = append(out, src)
			}
			return ok
		})
	})
	return out, ok
}

// stringsAt reads a string or an array of strings.
func (p *jsonParser) stringsAt(c *cell) bool {
	if p.i < len(p.b) && p.b[p.i] == '"' {
		from := p.i + 1
		if !p.str() {
			return false
		}
		c.strings = append(c.strings, span{from, p.i - 1})
		return true
	}
	return p.array(1, func() bool {
		p.space()
		if p.i == len(p.b) || p.b[p.i] != '"' {
			return false
		}
		from := p.i + 1
		if !p.str() {
			return false
		}
		c.strings = append(c.strings, span{from, p.i - 1})
		return true
	})
}

func (p *jsonParser) space() {
	for p.i < len(p.b) && isSpace(p.b[p.i]) {
		p.i++
	}
}

func (p *jsonParser) take(c byte) bool {
	p.space()
	if p.i < len(p.b) && p.b[p.i] == c {
		p.i++
		return true
	}
	return false
}

// str passes over a string.
func (p *jsonParser) str() bool {
	if !p.take('"') {
		return false
	}
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case '\\':
			p.i++
		case '"':
			p.i++
			return true
		}
		p.i++
	}
	p.i = len(p.b)
	return false
}

func (p *jsonParser) object(depth int, member func(key string) bool) bool {
	if depth > maxJSONDepth || !p.take('{') {
		return false
	}
	if p.take('}') {
		return true
	}
	for {
		p.space()
		from := p.i + 1
		if !p.str() {
			return false
		}
		key := string(p.b[from : p.i-1])
		if !p.take(':') || !member(key) {
			return false
		}
		if p.take('}') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}

func (p *jsonParser) array(depth int, item func() bool) bool {
	if depth > maxJSONDepth || !p.take('[') {
		return false
	}
	if p.take(']') {
		return true
	}
	for {
		if !item() {
			return false
		}
		if p.take(']') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}

// skip passes over any value.
func (p *jsonParser) skip(depth int) bool {
	p.space()
	if p.i == len(p.b) {
		return false
	}
	switch p.b[p.i] {
	case '"':
		return p.str()
	case '{':
		return p.object(depth+1, func(string) bool { return p.skip(depth + 1) })
	case '[':
		return p.array(depth+1, func() bool { return p.skip(depth + 1) })
	}
	from := p.i
	for p.i < len(p.b) && (isAlnum(p.b[p.i]) || p.b[p.i] == '-' || p.b[p.i] == '+' || p.b[p.i] == '.') {
		p.i++
	}
	return p.i > from
}

// warc reads the records of a WARC file (ISO 28500): each record's target is a
// URL by its header, and what was fetched is read as what it is.
func (s *scan) warc(v *view) {
	b := v.data
	for i := 0; i < len(b) && !s.over(); {
		if !bytes.HasPrefix(b[i:], []byte("WARC/")) {
			i = lineEnd(b, i)
			continue
		}
		if !s.entry(v) {
			return
		}
		i = lineEnd(b, i)
		length, kind, target := -1, "", ""
		for i < len(b) {
			end := lineEnd(b, i)
			line := bytes.TrimRight(b[i:end], "\r\n")
			if len(line) == 0 {
				i = end
				break
			}
			name, value, _ := bytes.Cut(line, []byte(":"))
			text := string(bytes.TrimSpace(value))
			switch strings.ToLower(string(name)) {
			case "content-length":
				length = atoi(text)
			case "warc-type":
				kind = text
			case "warc-target-uri":
				at := i + len(line) - len(bytes.TrimLeft(value, " \t"))
				p := &piece{}
				p.copy(b, at, i+len(line))
				p = p.slice(angled(p.text))
				target = string(p.text)
				s.link(v, p, "warc target")
			}
			i = end
		}
		switch {
		case length < 0:
			s.note(v, i, "a WARC record gives no length")
			continue // with what begins like a record
		case length > len(b)-i:
			s.broken(v, i, "a WARC record is cut short")
			length = len(b) - i
		}
		switch kind {
		case "response", "resource", "conversion":
			p := &piece{}
			p.copy(b, i, i+length)
			s.apart(func() {
				s.nested(v.within(p), func(v *view) { s.httpMessage(v, target, kind == "response") })
			})
		}
		i += length
	}
}

// angled cuts the angle brackets that WARC 1.0's printed grammar asks for.
func angled(b []byte) (int, int) {
	if len(b) > 1 && b[0] == '<' && b[len(b)-1] == '>' {
		return 1, len(b) - 1
	}
	return 0, len(b)
}

// httpMessage reads a response as HTTP/1.1 writes it, or a bare body. It came
// from the URL target.
func (s *scan) httpMessage(v *view, target string, response bool) {
	if !response || !bytes.HasPrefix(v.data, []byte("HTTP/")) {
		s.read(v, s.f.formatOf("", v.data), "")
		return
	}
	start := lineEnd(v.data, 0)
	p := &piece{}
	p.copy(v.data, start, len(v.data))
	inner := v.within(p)
	h, body := s.headers(inner)
	q := &piece{}
	if !h.chunked || !q.chunks(p.text, body) {
		q = &piece{} // crawlers that take chunks apart leave the field
		q.copy(p.text, body, len(p.text))
	}
	s.given = h.params["charset"]
	format := byMediaType(h.kind)
	if coding := contentCoding(h.codings); coding != "" {
		s.coded(inner.within(q), coding, target, format)
		return
	}
	if format == "" {
		format = s.f.formatOf("", q.text)
	}
	s.read(inner.within(q), format, "")
}

// contentCoding gives the coding of a body that came in one, by HTTP's name for
// it; "" where there is none.
func contentCoding(codings []string) string {
	switch c := strings.Join(codings, ", "); c {
	case "identity":
		return ""
	case "x-gzip":
		return "gzip"
	default:
		return c
	}
}

// coded reads a body in a content coding (RFC 9110, section 8.4.1), whose name is
// the last part of the URL that it came from.
func (s *scan) coded(v *view, coding, target, format string) {
	switch coding {
	case "gzip", "zstd", "deflate":
	default:
		s.note(v, 0, "the body is in a coding that is not read: "+coding)
		return
	}
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	name := path.Base(target)
	if ext := ending(format); !strings.HasSuffix(strings.ToLower(name), ext) {
		name += ext
	}
	if isCoded(v.data, coding) {
		s.compressed(v, coding, name)
		return
	}
	s.read(v, s.f.formatOf(name, v.data), name) // decoded by the crawler, which left the field
}

// isCoded reports whether a body begins as one in the coding does.
func isCoded(b []byte, coding string) bool {
	switch coding {
	case "gzip":
		return bytes.HasPrefix(b, []byte("\x1f\x8b"))
	case "zstd":
		return bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd"))
	}
	return len(b) > 1 && b[0]&0x0F == 8 && (int(b[0])<<8|int(b[1]))%31 == 0 // RFC 1950, section 2.2
}

// ending gives the ending of a file's name by which its format is known again.
func ending(format string) string {
	switch format {
	case "html", "css", "json", "xml", "pdf":
		return "." + format
	case "source":
		return ".js"
	case "markdown":
		return ".md"
	case "text":
		return ".txt"
	}
	return ""
}

// chunks appends the data of chunks (RFC 9112, section 7.1) that begin at
// data[i], as far as they go. It reports false where there are none.
func (p *piece) chunks(data []byte, i int) bool {
	for any := false; ; any = true {
		end := lineEnd(data, i)
		size, _, _ := bytes.Cut(bytes.TrimRight(data[i:end], "\r\n"), []byte(";"))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 31)
		if err != nil || n == 0 {
			return any || err == nil
		}
		p.copy(data, end, min(end+int(n), len(data)))
		if len(data)-end < int(n) {
			return true
		}
		i = min(lineEnd(data, end+int(n)), len(data))
	}
}

// atoi is a decimal number, or -1.
func atoi(s string) int {
	if s == "" || len(s) > 18 {
		return -1
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
