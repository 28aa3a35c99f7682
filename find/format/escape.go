package format

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// An escapes is a language's way with the backslash.
type escapes uint8

const (
	// escapeJSON is RFC 8259, section 7.
	escapeJSON escapes = iota
	// escapeSource is what JavaScript, C, Go, Java, Python, YAML's and TOML's
	// double-quoted strings and most others have in common.
	escapeSource
	// escapeLaTeX is LaTeX's: the backslash quotes one of its own characters.
	escapeLaTeX
	// escapeICal is RFC 5545, section 3.3.11.
	escapeICal
	// escapeMarkup is reStructuredText's and AsciiDoc's: the backslash quotes
	// punctuation.
	escapeMarkup
)

// escaped reads text in which a backslash escapes: its escapes are decoded and
// the rest is read as it stands, so that both the strings and the comments of a
// program are seen.
func (s *scan) escaped(v *view, how escapes, via string) {
	s.edited(v, how, via, func([]byte) []edit { return nil })
}

// An edit says what b[from:to] stands for where the backslash does not tell: text
// or, where kept is set, itself, with no escapes in it.
type edit struct {
	from, to int
	text     string
	kept     bool
}

// edited reads text with escapes, as escaped does, of which edits tells what is not
// to be read as it stands.
func (s *scan) edited(v *view, how escapes, via string, edits func(b []byte) []edit) {
	p := &piece{}
	for from := 0; from < len(v.data) && !s.over(); {
		to := stretchEnd(v.data, from)
		p.text, p.runs = p.text[:0], p.runs[:0]
		p.edit(v.data, from, to, how, edits(v.data[from:to]))
		whole := p
		if refs := references(p.text); len(refs) > 0 {
			whole = &piece{}
			at := 0
			for _, e := range refs {
				whole.add(p, at, e.from, 0)
				from, to := p.source(e.from, e.to)
				whole.put(e.text, from, to)
				at = e.to
			}
			whole.add(p, at, len(p.text), 0)
		}
		s.prose(v, whole, via)
		from = to
	}
}

// edit appends b[from:to], its escapes decoded, with the edits in it, which count
// from there.
func (p *piece) edit(b []byte, from, to int, how escapes, edits []edit) {
	i := from
	for _, e := range edits {
		p.unbackslash(b, i, from+e.from, how)
		i = from + e.to
		if e.kept {
			p.copy(b, from+e.from, i)
		} else {
			p.put(e.text, from+e.from, i)
		}
	}
	p.unbackslash(b, i, to, how)
}

// stretchLen is how much of a document with escapes is read at a time, at least:
// the way back to the source takes memory for each escape.
const stretchLen = 1 << 20

// stretchEnd gives a place behind b[from] at which no URL stands: behind an empty
// line or, where there is none, a line, a line that is written as an escape, a
// quotation mark, or the whole.
func stretchEnd(b []byte, from int) int {
	if len(b)-from <= 2*stretchLen {
		return len(b)
	}
	at := from + stretchLen
	near := b[at : at+stretchLen]
	if i := bytes.LastIndex(near, []byte("\n\n")); i >= 0 {
		return at + i + 2
	}
	if i := bytes.LastIndexByte(near, '\n'); i >= 0 && i > 0 && near[i-1] != '\\' {
		return at + i + 1
	}
	if i := bytes.LastIndex(near, []byte(`\n`)); i > 0 && near[i-1] != '\\' {
		return at + i + 2
	}
	for i := at; i < len(b); i++ {
		if (b[i] == '\n' || b[i] == '"') && b[i-1] != '\\' {
			return i + 1
		}
	}
	return len(b)
}

// unbackslash appends b[from:to], its escapes decoded.
func (p *piece) unbackslash(b []byte, from, to int, how escapes) {
	p.replacing(b, from, to, '\\', func(i int) (string, int) { return backslash(b[i:to], how) })
}

// replacing appends b[from:to]. For each mark, means gives the text that stands for so
// many bytes from there on; 0 leaves the mark as it is.
func (p *piece) replacing(b []byte, from, to int, mark byte, means func(at int) (text string, size int)) {
	for i := from; i < to; {
		n := bytes.IndexByte(b[i:to], mark)
		if n < 0 {
			p.copy(b, i, to)
			return
		}
		p.copy(b, i, i+n)
		i += n
		text, size := means(i)
		if size == 0 {
			p.copy(b, i, i+1)
			i++
			continue
		}
		p.put(text, i, i+size)
		i += size
	}
}

// backslash decodes the escape that b begins with. A size of 0 says that there
// is none.
func backslash(b []byte, how escapes) (text string, size int) {
	if len(b) < 2 {
		return "", 0
	}
	c := b[1]
	switch how {
	case escapeLaTeX:
		switch c {
		case '%', '#', '&', '_', '$', '{', '}', '~', '^':
			if (c == '~' || c == '^') && bytes.HasPrefix(b[2:], []byte("{}")) {
				return string(c), 4
			}
			return string(c), 2
		}
		if name := []byte(`\textasciitilde`); bytes.HasPrefix(b, name) {
			n := len(name)
			if bytes.HasPrefix(b[n:], []byte("{}")) {
				n += 2
			}
			return "~", n
		}
		return "", 0
	case escapeICal:
		switch c {
		case ',', ';', '\\':
			return string(c), 2
		case 'n', 'N':
			return "\n", 2
		}
		return "", 0
	case escapeMarkup:
		if isPunct(c) {
			return string(c), 2
		}
		return "", 0
	}
	switch c {
	case '/', '"', '\\', '\'', '`', '&':
		if how == escapeJSON && (c == '\'' || c == '`' || c == '&') {
			return "", 0
		}
		return string(c), 2
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't', 'b', 'f', 'v':
		if c == 'v' && how == escapeJSON {
			return "", 0
		}
		return "\t", 2
	case 'u':
		return unicodeEscape(b)
	case 'x':
		if how == escapeSource && len(b) >= 4 {
			hi, ok1 := unhex(b[2])
			lo, ok2 := unhex(b[3])
			if ok1 && ok2 {
				return string(rune(hi<<4 | lo)), 4
			}
		}
	case '\n':
		if how == escapeSource { // the line goes on
			return "", 0
		}
	}
	return "", 0
}

// unicodeEscape decodes \uXXXX, with its other half where it is a surrogate,
// and \u{X…}.
func unicodeEscape(b []byte) (string, int) {
	if len(b) > 3 && b[2] == '{' {
		r := rune(0)
		for i := 3; i < len(b) && i < 11; i++ {
			if b[i] == '}' && i > 3 {
				return string(r), i + 1
			}
			d, ok := unhex(b[i])
			if !ok {
				break
			}
			r = r<<4 | rune(d)
		}
		return "", 0
	}
	r, ok := hex4(b, 2)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hex4(b, 8); ok {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					return string(full), 12
				}
			}
		}
		r = utf8.RuneError
	}
	return string(r), 6
}

func hex4(b []byte, i int) (rune, bool) {
	if len(b) < i+4 {
		return 0, false
	}
	r := rune(0)
	for _, c := range b[i : i+4] {
		d, ok := unhex(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// isPunct reports whether c is ASCII punctuation, as CommonMark defines it.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
