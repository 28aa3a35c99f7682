package format

import "bytes"

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
				s.reference(v, start, end, macro)
			}
			i = max(end, start)
		}
	}
}
