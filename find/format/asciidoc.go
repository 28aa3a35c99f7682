package format

import (
	"bytes"
	"strings"
)

// An asciidoctor reads one AsciiDoc document.
type asciidoctor struct {
	*scan
	v     *view
	names map[string]string // its attributes
	room  int               // octets that attributes may still add
}

// asciidoc reads AsciiDoc: macros and cross references, whose target may be a path,
// and URLs, also where they begin with an attribute.
func (s *scan) asciidoc(v *view) {
	v = s.readable(v, asciidocCode, asciidocComments)
	v = blanked(v, v, asciidocEscapes)
	a := &asciidoctor{scan: s, v: v, names: asciidocNames(v.data), room: mostAdded}
	v = blanked(v, v, a.prefixes)
	a.v = v
	a.filledURLs()
	b := v.data
	p := &piece{}
	at := 0
	for i := range b {
		// A URL's attribute list begins where its text does; an IPv6 host's
		// bracket stands behind the slashes.
		if b[i] == '[' && (i == 0 || b[i-1] != '/') {
			p.copy(b, at, i)
			p.put(" ", i, i+1)
			at = i + 1
		}
	}
	p.copy(b, at, len(b))
	s.escaped(v.within(p), escapeMarkup, "")
	if s.f.References {
		for _, macro := range []string{"link:", "image::", "image:", "icon:", "include::", "xref:", "video::", "audio::"} {
			a.macros(macro)
		}
		a.shorthands()
	}
}

// asciidocEscapes calls leave for what a backslash keeps from being a macro or a URL.
func asciidocEscapes(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(b[i+1:], []byte("<<")) {
			leave(i, i+3)
			continue
		}
		if hasScheme(string(b[i+1 : min(len(b), i+32)])) {
			end := i + 1
			for end < len(b) && b[end] != '[' && !isSpace(b[end]) {
				end++
			}
			leave(i, end)
			i = end - 1
		}
	}
}

// prefixes calls leave for the values of attributes that other links begin with:
// they are no links by themselves.
func (a *asciidoctor) prefixes(b []byte, leave func(from, to int)) {
	used := a.used()
	at := 0
	for line := range bytes.Lines(b) {
		if line[0] == ':' && len(line) <= mostFilled {
			name, _, ok := bytes.Cut(line[1:], []byte(": "))
			if ok && used[string(name)] && hasScheme(a.names[string(name)]) {
				leave(at+len(name)+3, at+len(line))
			}
		}
		at += len(line)
	}
}

// used are the attributes that the document has a place for.
func (a *asciidoctor) used() map[string]bool {
	used := map[string]bool{}
	b := a.v.data
	for i := 0; i < len(b); i++ {
		if b[i] != '{' {
			continue
		}
		if n := bytes.IndexByte(b[i:min(len(b), i+mostOfName)], '}'); n > 0 {
			if _, known := a.names[string(b[i+1:i+n])]; known {
				used[string(b[i+1:i+n])] = true
			}
		}
	}
	return used
}

// near is what of b follows start on its line, within a bound.
func near(b []byte, start int) []byte {
	b = b[start:min(len(b), start+mostFilled)]
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	return b
}

// filledURLs reads URLs that begin with an attribute: {site}/page[text].
func (a *asciidoctor) filledURLs() {
	b := a.v.data
	for i := 0; i < len(b) && !a.over(); i++ {
		if b[i] != '{' || i > 0 && (b[i-1] == ':' || b[i-1] == '\\' || b[i-1] == '/' || isAlnum(b[i-1])) {
			continue
		}
		n := bytes.IndexByte(b[i:min(len(b), i+mostOfName)], '}')
		if n < 0 || !strings.Contains(a.names[string(b[i+1:i+n])], "://") {
			continue
		}
		end := i + n + 1
		for end < len(b) && !isSpace(b[end]) && bytes.IndexByte([]byte("[]<>|\"`"), b[end]) < 0 {
			end++
		}
		if end == len(b) || b[end] != '[' { // it ends where other text would end it
			end = i + len(bytes.TrimRight(b[i:end], ".,;:!?')*_"))
		}
		p := &piece{}
		if a.fill(p, i, end) {
			a.link(a.v, p, "link:")
		}
		i = end - 1
	}
}

// fill appends the document from start to end with its attributes filled in, and
// reports whether there was one.
func (a *asciidoctor) fill(p *piece, start, end int) bool {
	names := a.names
	if a.room <= 0 {
		names = nil
	}
	before := len(p.text)
	filled := p.filledIn(a.v.data, start, end, names)
	if filled {
		a.room -= len(p.text) - before
	}
	return filled
}

// macros reads all macros of a name.
func (a *asciidoctor) macros(macro string) {
	b := a.v.data
	for i := 0; i < len(b) && !a.over(); {
		n := bytes.Index(b[i:], []byte(macro))
		if n < 0 {
			break
		}
		start := i + n + len(macro)
		end := start
		if bytes.HasPrefix(b[start:], []byte("++")) { // passed through as it is, blanks and all
			if n := bytes.Index(near(b, start+2), []byte("++[")); n > 0 {
				end = start + 2 + n + 2
			}
		}
		for end < len(b) && b[end] != '[' && !isSpace(b[end]) {
			end++
		}
		if end < len(b) && b[end] == '[' && end > start && b[start] != ':' && (i+n == 0 || !isAlnum(b[i+n-1])) {
			a.macro(macro, start, end)
		}
		i = max(end, start)
	}
}

// macro reads a macro's target. What Antora's documents name by its family or
// version ("partial$a.adoc", "1.0@a::b.adoc") is no path.
func (a *asciidoctor) macro(macro string, start, end int) {
	b := a.v.data
	if strings.HasPrefix(macro, "image") || macro == "icon:" {
		a.imageLink(end)
	}
	if macro == "icon:" {
		return // its target is a name
	}
	if target := b[start:end]; bytes.HasPrefix(target, []byte("++")) && bytes.HasSuffix(target, []byte("++")) && len(target) > 4 {
		start, end = start+2, end-2
	}
	target := b[start:end]
	if macro != "link:" && bytes.ContainsAny(target, "$@") {
		return
	}
	if macro == "xref:" {
		a.crossReference(start, end, bytes.IndexByte(target, '.') >= 0)
		return
	}
	p := &piece{}
	dir := a.names["imagesdir"]
	within := dir != "" && strings.HasPrefix(macro, "image") && target[0] != '/' && target[0] != '{' && !hasScheme(string(target))
	if within {
		p.put(strings.TrimSuffix(dir, "/")+"/", start, start)
	}
	if !a.fill(p, start, end) && !within {
		a.reference(a.v, start, end, macro)
		return
	}
	a.link(a.v, p, macro)
}

// imageLink reads where an image leads whose attribute list begins at open:
// link=target, with quotes or without.
func (a *asciidoctor) imageLink(open int) {
	b := a.v.data
	list := near(b, open)
	if n := bytes.IndexByte(list, ']'); n >= 0 {
		list = list[:n]
	}
	n := bytes.Index(list, []byte("link="))
	if n < 1 || isAlnum(list[n-1]) || list[n-1] == '-' {
		return
	}
	start := n + len("link=")
	end := len(list)
	if start < end && (list[start] == '"' || list[start] == '\'') {
		quote := list[start]
		start++
		if k := bytes.IndexByte(list[start:], quote); k >= 0 {
			end = start + k
		}
	} else if k := bytes.IndexByte(list[start:], ','); k >= 0 {
		end = start + k
	}
	switch string(bytes.TrimSpace(list[start:end])) {
	case "", "self", "none":
		return
	}
	p := &piece{}
	if a.fill(p, open+start, open+end) {
		a.link(a.v, p, "image link:")
		return
	}
	a.reference(a.v, open+start, open+end, "image link:")
}

// shorthands reads <<id>>, <<file.adoc#id>> and <<id,text>>.
func (a *asciidoctor) shorthands() {
	b := a.v.data
	for i := 0; i < len(b) && !a.over(); {
		n := bytes.Index(b[i:], []byte("<<"))
		if n < 0 {
			return
		}
		start := i + n + 2
		line := near(b, start)
		size := bytes.Index(line, []byte(">>"))
		if size <= 0 || line[0] == '<' || i+n > 0 && isAlnum(b[i+n-1]) { // 1<<2 is arithmetic
			i = start
			continue
		}
		target := line[:size]
		i = start + size
		if k := bytes.IndexByte(target, ','); k >= 0 {
			target = target[:k]
		}
		end := start + len(bytes.TrimRight(target, " \t"))
		start += len(target) - len(bytes.TrimLeft(target, " \t"))
		if start < end && !bytes.ContainsAny(b[start:end], "$@<>\"") {
			a.crossReference(start, end, bytes.HasSuffix(b[start:end], []byte(".adoc")))
		}
	}
}

// crossReference reads a cross reference's target: a document, a place in one, or a
// place in this one (AsciiDoc Language Documentation, "Cross References"). A
// document may lack its ending where a place in it follows.
func (a *asciidoctor) crossReference(start, end int, document bool) {
	b := a.v.data
	p := &piece{}
	switch at := bytes.IndexByte(b[start:end], '#'); {
	case at > 0:
		a.fill(p, start, start+at)
		if name := p.text[bytes.LastIndexByte(p.text, '/')+1:]; bytes.IndexByte(name, '.') < 0 && bytes.IndexByte(name, '}') < 0 {
			p.put(".adoc", start+at, start+at)
		}
		if start+at+1 < end { // "file#" is the file
			p.copy(b, start+at, end)
		}
	case at == 0 || document || hasScheme(string(b[start:end])):
		a.fill(p, start, end)
	default:
		p.put("#", start, start)
		a.fill(p, start, end)
	}
	if text := string(p.text); text != "" && !hasScheme(text) {
		a.link(a.v, p, "xref:")
	}
}

// The most that attributes may add to a document.
const (
	mostAdded  = 1 << 20 // octets in all
	mostNames  = 1000    // attributes
	mostOfName = 128     // octets, with its braces
	mostFilled = 4 << 10 // octets of a target
)

// asciidocNames are the attributes that an AsciiDoc document sets, ":name: value"
// on a line, in terms of those before them. The first setting counts.
func asciidocNames(b []byte) map[string]string {
	names := map[string]string{}
	for line := range bytes.Lines(b) {
		if line[0] != ':' || len(line) > mostFilled || len(names) == mostNames {
			continue
		}
		name, value, ok := bytes.Cut(line[1:], []byte(": "))
		if _, set := names[string(name)]; !ok || set || !isAsciidocName(name) {
			continue
		}
		value = bytes.TrimSpace(value)
		p := &piece{}
		p.filledIn(value, 0, len(value), names)
		names[string(name)] = string(p.text)
	}
	return names
}

func isAsciidocName(name []byte) bool {
	for i, c := range name {
		if !isAlnum(c) && c != '_' && (c != '-' || i == 0) {
			return false
		}
	}
	return len(name) > 0
}

// filledIn appends b from start to end with the attributes that are known in the
// place of their names in braces, and reports whether there was one.
func (p *piece) filledIn(b []byte, start, end int, names map[string]string) (filled bool) {
	p.replacing(b, start, end, '{', func(at int) (string, int) {
		size := bytes.IndexByte(b[at:min(end, at+mostOfName)], '}') + 1
		if size == 0 {
			return "", 0
		}
		value, known := names[string(b[at+1:at+size-1])]
		if !known || len(p.text)+len(value) > mostFilled {
			return "", 0
		}
		filled = true
		return value, size
	})
	return filled
}
