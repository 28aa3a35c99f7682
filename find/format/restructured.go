package format

import (
	"bytes"
	"strings"
)

// restructured reads reStructuredText: references in angle brackets, targets,
// directives whose argument or option is a path, and raw HTML, besides bare URLs.
func (s *scan) restructured(v *view) {
	v = s.readable(v, restructuredCode, restructuredComments)
	s.explicit(v)
	v = blanked(v, v, rawHTML)
	v = blanked(v, v, longTargets)
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
		case bytes.HasPrefix(trimmed, []byte("__ ")):
			s.reference(v, off+3, next, "target")
		case bytes.HasPrefix(trimmed, []byte(":target: ")):
			s.reference(v, off+9, next, "image target")
		default:
			s.embedded(v, i, next)
		}
		i = next
	}
}

// explicit reads what of explicit markup stands on more than its line: raw HTML,
// and targets that go on below.
func (s *scan) explicit(v *view) {
	rawHTML(v.data, func(from, to int) {
		p := &piece{}
		p.copy(v.data, from, to)
		s.nested(v.within(p), s.html)
	})
	longTargets(v.data, func(from, to int) {
		p := &piece{}
		for i := from; i < to; {
			next := min(lineEnd(v.data, i), to)
			part := bytes.TrimRight(v.data[i:next], " \t\r\n")
			part = bytes.TrimSuffix(part, []byte("\\")) // an escaped line's end is nothing
			p.copy(v.data, i+indent(part), i+len(part))
			i = next
		}
		if bytes.HasSuffix(p.text, []byte("_")) && !hasScheme(string(p.text)) {
			return // the name of another
		}
		s.link(v, p, "target")
	})
}

// rawHTML calls leave for the bodies of raw directives that hold HTML.
func rawHTML(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		at := indent(line)
		if rest, ok := bytes.CutPrefix(line[at:], []byte(".. raw:: ")); ok && bytes.Contains(rest, []byte("html")) {
			if from, to := indented(b, next, at, false); to > from {
				leave(from, to)
				next = to
			}
		}
		i = next
	}
}

// longTargets calls leave for targets that take more than a line: white space in
// them is none of theirs (reStructuredText Markup Specification, "Hyperlink
// Targets").
func longTargets(b []byte, leave func(from, to int)) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		line := bytes.TrimRight(b[i:next], " \t\r\n")
		at := indent(line)
		n := targetAt(line[at:])
		if n == 0 {
			i = next
			continue
		}
		end := next
		for end < len(b) {
			more := bytes.TrimRight(b[end:lineEnd(b, end)], " \t\r\n")
			if len(more) == 0 || indent(more) <= at || bytes.HasPrefix(more[indent(more):], []byte(".. ")) {
				break
			}
			end = lineEnd(b, end)
		}
		if end > next {
			leave(i+at+n, end)
		}
		i = end
	}
}

// targetAt is where the target stands in a line ".. _name: target", or 0.
func targetAt(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte(".. _"))
	if !ok {
		return 0
	}
	if bytes.HasPrefix(rest, []byte("`")) {
		if n := bytes.Index(rest, []byte("`:")); n > 0 {
			return 4 + n + 2
		}
		return 0
	}
	for n := 0; n < len(rest); n++ {
		if rest[n] == '\\' {
			n++
		} else if rest[n] == ':' && (n+1 == len(rest) || rest[n+1] == ' ') {
			return 4 + n + 1
		}
	}
	return 0
}

// directive reads ".. image:: path" and its like, ".. _name: target", and the first
// line of all other explicit markup.
func (s *scan) directive(v *view, from, to int) {
	line := v.data[from:to]
	if n := targetAt(line); n > 0 {
		s.reference(v, from+n, to, "target")
		return
	}
	for _, name := range []string{"image::", "figure::", "include::", "literalinclude::"} {
		if n := bytes.Index(line, []byte(name)); n >= 0 {
			if bytes.HasSuffix(bytes.TrimSpace(line), []byte(".*")) {
				return // Sphinx takes whichever of several it can show
			}
			s.reference(v, from+n+len(name), to, "directive")
			return
		}
	}
	s.embedded(v, from, to)
}

// embedded reads the targets of `text <target>`_, and of :download:`text <path>`.
func (s *scan) embedded(v *view, from, to int) {
	line := v.data[from:to]
	for at := 0; at < len(line); {
		open := bytes.IndexByte(line[at:], '<')
		if open < 0 {
			break
		}
		open += at
		end := bytes.IndexByte(line[open:], '>')
		if end < 0 {
			break
		}
		end += open
		if bytes.HasPrefix(line[end:], []byte(">`_")) || bytes.HasPrefix(line[end:], []byte(">`")) && bytes.Contains(line[at:open], []byte(":download:`")) {
			s.reference(v, from+open+1, from+end, "link")
			end += 2
		}
		at = end
	}
	s.downloads(v, from, to)
}

// downloads reads :download:`path`.
func (s *scan) downloads(v *view, from, to int) {
	const role = ":download:`"
	line := v.data[from:to]
	for at := 0; ; {
		n := bytes.Index(line[at:], []byte(role))
		if n < 0 {
			return
		}
		at += n + len(role)
		end := bytes.IndexByte(line[at:], '`')
		if end < 0 {
			return
		}
		if path := string(line[at : at+end]); !strings.ContainsAny(path, "<>") && !strings.HasPrefix(path, "/") {
			s.reference(v, from+at, from+at+end, "download")
		}
		at += end
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
