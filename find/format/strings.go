package format

import (
	"bytes"
	"path"
	"strings"
)

// A language is how strings are written.
type language struct {
	how     escapes
	raw     string // the quotes between which a backslash is one
	doubled string // the quotes that stand for themselves when they are doubled
	triple  bool   // three quotes open a string over lines
	folds   bool   // an escaped line end takes the blanks behind it along
	joined  bool   // strings on lines that follow each other are one
	old     string // what a line may begin with in front of a string, too
}

// languageOf is what is known by a file's name.
func languageOf(format, name string) language {
	switch format {
	case "toml":
		return language{how: escapeSource, raw: "'", triple: true, folds: true}
	case "po":
		return language{how: escapeSource, joined: true, old: "#~"}
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return language{how: escapeSource, raw: "`"}
	case ".py", ".pyi":
		return language{how: escapeSource, triple: true, joined: true}
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh":
		return language{how: escapeSource, joined: true}
	case ".sql", ".vb", ".vhd":
		return language{how: escapeSource, doubled: `'"`}
	}
	return language{how: escapeSource}
}

// literals reads a program, or what writes strings as programs do.
func (s *scan) literals(v *view, l language) { s.edited(v, l.how, "", l.strings) }

// A walk goes from string to string.
type walk struct {
	language
	b     []byte
	out   []edit
	never [256]bool // quotes that nothing closes any more
}

// strings tells what is in strings: a quote of the string's own, which would end
// the URL; a line that goes on; text without escapes.
func (l language) strings(b []byte) []edit {
	if !l.joined && l.doubled == "" && bytes.IndexByte(b, '\\') < 0 {
		return nil
	}
	w := &walk{language: l, b: b}
	for i := 0; i < len(b); {
		n := bytes.IndexAny(b[i:], "'\"`")
		if n < 0 {
			break
		}
		i = w.str(i + n)
	}
	return w.out
}

// str reads the string whose quote may be b[i], and gives where to go on.
func (w *walk) str(i int) (next int) {
	b, q := w.b, w.b[i]
	raw, ok := w.opens(i)
	if !ok || q == '`' && strings.IndexByte(w.raw, q) < 0 {
		return i + 1
	}
	if mark := b[i:min(i+3, len(b))]; w.triple && len(mark) == 3 && mark[1] == q && mark[2] == q {
		return w.long(i, mark, raw)
	}
	if raw && w.never[q] {
		return i + 1
	}
	kept := len(w.out)
	own := false
	from := i + 1
	for j := from; ; {
		n := w.special(j, q, raw)
		if n < 0 {
			w.out = w.out[:kept]
			return lineEnd(b, i)
		}
		switch j = n; {
		case b[j] == q && j+1 < len(b) && b[j+1] == q && strings.IndexByte(w.doubled, q) >= 0:
			w.out = append(w.out, edit{from: j, to: j + 2, text: string(q)})
			own = true
			j += 2
		case b[j] == q:
			if raw && literal(b[from:j]) {
				w.out = append(w.out[:kept], edit{from: from, to: j, kept: true})
			}
			if m := w.goesOn(i, j); m > 0 && !raw {
				w.out = append(w.out, edit{from: j, to: m + 1})
				j = m + 1
				from = j
				continue
			}
			if own && q == '\'' && !raw {
				w.out = append(w.out, edit{})
				copy(w.out[kept+1:], w.out[kept:])
				w.out[kept] = edit{from: i, to: i + 1, text: between}
				w.out = append(w.out, edit{from: j, to: j + 1, text: between})
			}
			return j + 1
		default: // a backslash
			own = own || j+1 < len(b) && b[j+1] == q
			j = w.line(j)
		}
	}
}

// special gives the place of the next quote or backslash of a string, on its line,
// or -1. Text without escapes may go over lines.
func (w *walk) special(j int, q byte, raw bool) int {
	for ; j < len(w.b); j++ {
		switch c := w.b[j]; {
		case c == q, c == '\\' && (!raw || q != '`'):
			return j
		case c == '\n' && q != '`':
			return -1
		}
	}
	if q == '`' {
		w.never[q] = true
	}
	return -1
}

// line passes over the escape at b[i]; one of a line's end vanishes, where strings
// go over lines so.
func (w *walk) line(i int) (next int) {
	b, end := w.b, i+1
	for w.folds && end < len(b) && (b[end] == ' ' || b[end] == '\t') {
		end++
	}
	if end < len(b) && b[end] == '\r' {
		end++
	}
	if end >= len(b) || b[end] != '\n' {
		return min(i+2, len(b))
	}
	end++
	for w.folds && end < len(b) && isSpace(b[end]) {
		end++
	}
	w.out = append(w.out, edit{from: i, to: end})
	return end
}

// long reads a string between three quotes.
func (w *walk) long(i int, mark []byte, raw bool) (next int) {
	q := mark[0]
	if w.never[q] {
		return i + 3
	}
	kept, from := len(w.out), i+3
	for j := from; j < len(w.b); {
		switch c := w.b[j]; {
		case c == '\\' && raw:
			j += 2
		case c == '\\':
			j = w.line(j)
		case c == q && bytes.HasPrefix(w.b[j:], mark):
			if raw && literal(w.b[from:j]) {
				w.out = append(w.out, edit{from: from, to: j, kept: true})
			}
			return j + 3
		default:
			j++
		}
	}
	w.never[q] = true
	w.out = w.out[:kept]
	return i + 3
}

// opens reports whether the quote at b[i] may open a string, and one that knows no
// escapes: r"…" of Python and others, @"…" of C#.
func (w *walk) opens(i int) (raw, ok bool) {
	b := w.b
	raw = strings.IndexByte(w.raw, b[i]) >= 0
	if i == 0 {
		return raw, true
	}
	switch c := b[i-1]; {
	case c == '\\':
		return false, false
	case c == '@' && b[i] == '"':
		return true, true
	case !isAlnum(c) && c < 0x80:
		return raw, true
	}
	k := i
	for k > 0 && i-k < 3 && isAlnum(b[k-1]) {
		k--
	}
	switch strings.ToLower(string(b[k:i])) {
	case "b", "u", "f", "l", "u8":
		return raw, true
	case "r", "br", "rb", "fr", "rf":
		return true, true
	}
	return false, false
}

// literal reports whether the backslashes of text that knows no escapes are meant as
// such: it may hold JSON or a program, whose escapes these then are.
func literal(text []byte) bool {
	if bytes.IndexByte(text, '\\') < 0 {
		return false
	}
	for _, escape := range [...]string{`\/`, `\"`, `\u0026`, `\u003c`, `\u003d`, `\u003e`} {
		if bytes.Contains(text, []byte(escape)) {
			return false
		}
	}
	return true
}

// goesOn gives the quote with which the string b[i:j+1] goes on on a line below, or 0.
func (w *walk) goesOn(i, j int) int {
	if !w.joined || j == i+1 && w.old == "" {
		return 0
	}
	b, q := w.b, w.b[i]
	m := j + 1
	for m < len(b) && (b[m] == ' ' || b[m] == '\t' || b[m] == '\r') {
		m++
	}
	if m == len(b) || b[m] != '\n' {
		return 0
	}
	for m < len(b) && isSpace(b[m]) {
		m++
	}
	if w.old != "" && bytes.HasPrefix(b[m:], []byte(w.old)) {
		for m += len(w.old); m < len(b) && b[m] == ' '; m++ {
		}
	}
	if m >= len(b) || b[m] != q || w.triple && bytes.HasPrefix(b[m:], []byte{q, q, q}) {
		return 0
	}
	return m
}

// references tells of the ampersands that HTML in strings and in comments writes as
// references: in the value of an attribute, and where a URL is all that an element holds.
func references(b []byte) (out []edit) {
	was, ok := 0, false // up to where it is known whether HTML goes on
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '&')
		if n < 0 {
			return out
		}
		i += n
		size := ampersand(b[i:])
		if size == 0 {
			i++
			continue
		}
		k := i
		for k > was && !endsValue(b[k-1]) {
			k--
		}
		if k > was || was == 0 {
			ok = inMarkup(b, k)
		}
		if ok {
			out = append(out, edit{from: i, to: i + size, text: "&"})
		}
		i += size
		was = i
	}
}

// ampersand gives the length of a reference to an ampersand that b begins with.
func ampersand(b []byte) int {
	for _, name := range [...]string{"&amp;", "&#38;", "&#038;", "&#x26;"} {
		if bytes.HasPrefix(b, []byte(name)) {
			return len(name)
		}
	}
	return 0
}

func endsValue(c byte) bool {
	return c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`'
}

// inMarkup reports whether b[:k] ends in an attribute's quote or in a tag.
func inMarkup(b []byte, k int) bool {
	if k == 0 {
		return false
	}
	switch b[k-1] {
	case '"', '\'':
		before := bytes.TrimRight(b[max(0, k-12):k-1], "\\")
		for _, name := range [...]string{"href=", "src=", "action=", "cite=", "content=", "data=", "poster="} {
			if bytes.HasSuffix(before, []byte(name)) {
				return true
			}
		}
	case '>':
		return k > 1 && (isAlnum(b[k-2]) || b[k-2] == '"' || b[k-2] == '\'')
	}
	return false
}
