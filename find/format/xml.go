package format

import (
	"bytes"
	"strings"
)

// xml reads any XML: its attributes and its text, character references decoded.
// Namespace names are no links. Entities that a document type declares are not
// expanded, so that none can grow.
func (s *scan) xml(v *view) {
	b := v.data
	run := &piece{}
	flush := func(via string) {
		if len(run.text) > 0 {
			s.prose(v, run, via)
			run = &piece{}
		}
	}
	var element string
	for i := 0; i < len(b) && !s.over(); {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			n = len(b) - i
		}
		run.unescape(b, i, i+n, false)
		if i += n; i >= len(b) {
			break
		}
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			end, next := until(b, i+9, "]]>")
			// Feeds carry pages in CDATA sections.
			p := &piece{}
			p.copy(b, i+9, end)
			if looksLikeHTML(p.text) {
				flush(element)
				s.nested(v.within(p), s.html)
			} else {
				run.copy(b, i+9, end)
			}
			i = next
		case bytes.HasPrefix(rest, []byte("<!--")):
			flush(element)
			from := i
			_, i = until(b, i+4, "-->")
			s.comment(v, from, i)
		case bytes.HasPrefix(rest, []byte("<?")):
			flush(element)
			end, next := until(b, i+2, "?>")
			if bytes.HasPrefix(rest, []byte("<?xml-stylesheet")) {
				t := parseTag(b, i+1, end)
				s.xmlTag(v, &t)
			}
			i = next
		case bytes.HasPrefix(rest, []byte("<!")):
			flush(element)
			i = doctypeEnd(b, i)
		default:
			end := tagEnd(b, i)
			name := tagName(b[i+1 : end])
			if !inRun(name) {
				if looksEscaped(run.text) {
					// RSS descriptions hold pages, escaped once.
					s.nested(v.within(run), s.html)
					run = &piece{}
				}
				flush(element)
				element = strings.TrimPrefix(name, "/")
			}
			if rest[min(1, len(rest)-1)] != '/' {
				t := parseTag(b, i, end)
				s.xmlTag(v, &t)
			}
			i = end
		}
	}
	flush(element)
}

// xmlTag reads an element's attributes.
func (s *scan) xmlTag(v *view, t *tag) {
	external := t.name == "relationship" && strings.EqualFold(t.value("targetmode"), "external")
	for i := range t.attrs {
		a := &t.attrs[i]
		_, local, ok := strings.Cut(a.name, ":")
		if !ok {
			local = a.name
		}
		via := t.name + " " + a.name
		switch {
		case strings.HasPrefix(a.name, "xmlns"), local == "schemalocation", local == "nonamespaceschemalocation":
		case local == "href", local == "src":
			s.link(v, &a.value, via)
		case local == "base" && a.name == "xml:base":
			s.link(v, &a.value, via)
		case t.name == "relationship" && local == "target":
			// Office documents: parts of the package are no links, targets
			// outside of it are.
			if external {
				s.link(v, &a.value, via)
			}
		case t.name == "relationship" && local == "type":
			// Names, in the shape of URLs.
		case local == "url", local == "uri", local == "action", local == "poster", local == "data":
			s.link(v, &a.value, via)
		default:
			if bytes.IndexByte(a.value.text, ':') >= 0 {
				s.prose(v, &a.value, via)
			}
		}
	}
}

// inRun reports whether a tag stands within a run of text rather than beside
// it: office documents part a paragraph wherever its formatting changes.
func inRun(name string) bool {
	name = strings.TrimPrefix(name, "/")
	prefix, local, ok := strings.Cut(name, ":")
	if !ok {
		return false
	}
	switch prefix {
	case "w", "a":
		switch local {
		case "p", "br", "tab", "tc", "tr", "tbl", "instrtext", "hyperlink", "cr", "body":
			return false
		}
		return true
	case "text":
		return local == "span"
	}
	return false
}

func tagName(b []byte) string {
	i := 0
	for i < len(b) && !isSpace(b[i]) && b[i] != '>' && (b[i] != '/' || i == 0) {
		i++
	}
	return strings.ToLower(string(b[:i]))
}

// tagEnd is where the tag at b[i] ends, its ">" included; quoted values may
// hold one.
func tagEnd(b []byte, i int) int {
	quote := byte(0)
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(b)
}

// doctypeEnd is where the declaration at b[i] ends; a document type may hold an
// internal subset in brackets.
func doctypeEnd(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

// until finds mark at or behind i: where it begins and where it ends.
func until(b []byte, i int, mark string) (end, next int) {
	if i > len(b) {
		return len(b), len(b)
	}
	if n := bytes.Index(b[i:], []byte(mark)); n >= 0 {
		return i + n, i + n + len(mark)
	}
	return len(b), len(b)
}

// looksLikeHTML reports whether text holds a tag that a page would.
func looksLikeHTML(b []byte) bool {
	for _, mark := range []string{"<a ", "<p>", "<p ", "<img ", "<div", "<br", "</"} {
		if bytes.Contains(b, []byte(mark)) {
			return true
		}
	}
	return false
}

// looksEscaped reports whether text, decoded once, is a page again.
func looksEscaped(b []byte) bool { return bytes.IndexByte(b, '<') >= 0 && looksLikeHTML(b) }
