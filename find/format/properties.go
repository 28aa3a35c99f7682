package format

import "bytes"

// properties reads a .properties file as java.util.Properties loads it: a key, a
// mark or blanks, and a value that goes on behind a backslash at a line's end. Any
// character may be escaped; comments have no escapes.
func (s *scan) properties(v *view) {
	b, p, reset := v.data, &piece{}, 0
	for i := 0; i < len(b) && !s.over(); {
		i = p.property(b, i)
		if i-reset > stretchLen || i >= len(b) {
			s.prose(v, p, "")
			p.text, p.runs, reset = p.text[:0], p.runs[:0], i
		}
	}
}

// property appends the logical line at b[i] and gives where the next begins.
func (p *piece) property(b []byte, i int) (next int) {
	line := lineEnd(b, i)
	if text := bytes.TrimLeft(b[i:line], " \t\f\r\n"); len(text) == 0 || text[0] == '#' || text[0] == '!' {
		p.copy(b, i, line)
		return line
	}
	i += indent(b[i:line])
	key := true
	for i < len(b) {
		if b[i] == '\\' {
			text, size := propertyEscape(b[i:])
			if size == 0 {
				return len(b) // the last byte of all
			}
			p.put(text, i, i+size)
			i += size
			continue
		}
		n := bytes.IndexAny(b[i:], "\\\r\n")
		if key {
			n = bytes.IndexAny(b[i:], "\\\r\n=: \t\f")
		}
		if n < 0 {
			n = len(b) - i
		}
		p.copy(b, i, i+n)
		if i += n; i == len(b) || b[i] == '\\' {
			continue
		}
		p.put(between, i, i+1)
		if b[i] == '\n' || b[i] == '\r' {
			return i + 1
		}
		i++
		key = false
	}
	return len(b)
}

// propertyEscape decodes the escape that b begins with.
func propertyEscape(b []byte) (text string, size int) {
	if len(b) < 2 {
		return "", 0
	}
	switch c := b[1]; c {
	case '\r', '\n':
		n := 2
		if c == '\r' && len(b) > 2 && b[2] == '\n' {
			n++
		}
		for n < len(b) && (b[n] == ' ' || b[n] == '\t' || b[n] == '\f') {
			n++
		}
		return "", n
	case 'n', 'r', 't', 'f':
		return " ", 2
	case 'u':
		if text, size := unicodeEscape(b); size >= 6 && b[2] != '{' {
			return text, size
		}
	}
	return string(b[1:2]), 2
}
