package format

import (
	"bytes"
	"strings"
)

// ical reads iCalendar and vCard: folded lines are joined (RFC 5545, section
// 3.1), escapes decoded.
func (s *scan) ical(v *view) {
	p := &piece{}
	b := v.data
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		end := next
		for end > i && (b[end-1] == '\n' || b[end-1] == '\r') {
			end--
		}
		if next < len(b) && (b[next] == ' ' || b[next] == '\t') {
			p.copy(b, i, end)
			i = next + 1 // the fold and its one blank vanish
			continue
		}
		p.copy(b, i, next)
		i = next
	}
	s.escaped(v.within(p), escapeICal, "")
}

// restructured reads reStructuredText: references in angle brackets, targets,
// and directives whose argument is a path, besides bare URLs.
func (s *scan) restructured(v *view) {
	v = s.readable(v, restructuredCode, restructuredComments)
	b := v.data
	s.escaped(v, escapeMarkup, "")
	if !s.f.References {
		return
	}
	for i := 0; i < len(b) && !s.over(); {
		next := lineEnd(b, i)
		line := b[i:next]
		trimmed := bytes.TrimLeft(line, " \t")
		off := i + len(line) - len(trimmed)
		switch {
		case bytes.HasPrefix(trimmed, []byte(".. ")):
			s.directive(v, off, next)
		default:
			s.embedded(v, i, next)
		}
		i = next
	}
}

// directive reads ".. image:: path", ".. figure:: path", ".. include:: path"
// and ".. _name: target".
func (s *scan) directive(v *view, from, to int) {
	line := v.data[from:to]
	for _, name := range []string{"image::", "figure::", "include::", "literalinclude::"} {
		if n := bytes.Index(line, []byte(name)); n >= 0 {
			s.reference(v, from+n+len(name), to, "directive")
			return
		}
	}
	if bytes.HasPrefix(line, []byte(".. _")) {
		if n := bytes.Index(line, []byte(": ")); n >= 0 {
			s.reference(v, from+n+2, to, "target")
		}
	}
}

// embedded reads the target of `text <target>`_.
func (s *scan) embedded(v *view, from, to int) {
	line := v.data[from:to]
	for at := 0; at < len(line); {
		open := bytes.IndexByte(line[at:], '<')
		if open < 0 {
			return
		}
		open += at
		end := bytes.Index(line[open:], []byte(">`_"))
		if end < 0 {
			return
		}
		s.reference(v, from+open+1, from+open+end, "link")
		at = open + end + 3
	}
}

// reference reads data[from:to] as a relative reference; a URL in it was found
// as one already.
func (s *scan) reference(v *view, from, to int, via string) {
	p := &piece{}
	p.copy(v.data, from, to)
	start, end := p.trim()
	if start == end || hasScheme(string(p.text[start:end])) || bytes.HasSuffix(p.text[start:end], []byte("_")) {
		return
	}
	s.link(v, p, via)
}

// asciidoc reads AsciiDoc: macros whose target is a path, besides bare URLs.
func (s *scan) asciidoc(v *view) {
	v = s.readable(v, asciidocCode, asciidocComments)
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
	if !s.f.References {
		return
	}
	names := asciidocNames(b)
	for _, macro := range []string{"link:", "image::", "image:", "include::", "xref:", "video::", "audio::"} {
		for i := 0; i < len(b) && !s.over(); {
			n := bytes.Index(b[i:], []byte(macro))
			if n < 0 {
				break
			}
			start := i + n + len(macro)
			end := start
			for end < len(b) && b[end] != '[' && !isSpace(b[end]) {
				end++
			}
			if end < len(b) && b[end] == '[' && end > start && b[start] != ':' && (i+n == 0 || !isAlnum(b[i+n-1])) {
				s.macro(v, names, start, end, macro)
			}
			i = max(end, start)
		}
	}
}

// macro reads the target of an AsciiDoc macro. What Antora's documents name by
// its family or version ("partial$a.adoc", "1.0@a::b.adoc") is no path.
func (s *scan) macro(v *view, names map[string]string, start, end int, macro string) {
	target := v.data[start:end]
	if bytes.HasPrefix(target, []byte("++")) && bytes.HasSuffix(target, []byte("++")) && len(target) > 4 {
		start, end = start+2, end-2 // passed through as it is
		target = v.data[start:end]
	}
	if macro != "link:" && bytes.ContainsAny(target, "$@") {
		return
	}
	p := &piece{}
	dir := names["imagesdir"]
	within := dir != "" && strings.HasPrefix(macro, "image") && target[0] != '/' && target[0] != '{' && !hasScheme(string(target))
	if within {
		p.put(strings.TrimSuffix(dir, "/")+"/", start, start)
	}
	if !p.filledIn(v.data, start, end, names) && !within {
		s.reference(v, start, end, macro)
		return
	}
	s.link(v, p, macro)
}

// The most that attributes may add to a document.
const (
	mostNames  = 1000    // attributes
	mostOfName = 128     // octets, with its braces
	mostFilled = 8 << 10 // octets of a target
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
	for at := start; at < end; {
		n := bytes.IndexByte(b[at:end], '{')
		if n < 0 {
			p.copy(b, at, end)
			break
		}
		p.copy(b, at, at+n)
		at += n
		size := bytes.IndexByte(b[at:min(end, at+mostOfName)], '}') + 1
		value, known := "", false
		if size > 0 {
			value, known = names[string(b[at+1:at+size-1])]
		}
		if !known || len(p.text)+len(value) > mostFilled {
			p.copy(b, at, at+1)
			at++
			continue
		}
		p.put(value, at, at+size)
		at, filled = at+size, true
	}
	return filled
}
