package format

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// htmlURL says which attributes hold a URL, and on which elements ("*": any):
// the HTML Standard's index of attributes ("Valid URL potentially surrounded
// by spaces"), with the obsolete ones that pages still carry.
func htmlURL(element, attribute string) bool {
	switch attribute {
	case "href", "src", "cite", "background", "formaction", "xlink:href":
		return true
	case "action":
		return element == "form"
	case "data", "classid", "archive":
		return element == "object"
	case "codebase":
		return element == "object" || element == "applet"
	case "longdesc":
		return element == "img" || element == "iframe" || element == "frame"
	case "manifest":
		return element == "html"
	case "poster":
		return element == "video"
	case "profile":
		return element == "head"
	case "usemap":
		return element == "img" || element == "input" || element == "object"
	case "icon":
		return element == "menuitem"
	case "data-src", "data-original", "data-lazy-src": // what scripts put into src when it comes into sight
		switch element {
		case "img", "iframe", "source", "video", "audio", "embed":
			return true
		}
	}
	return false
}

// html reads a page with the HTML Standard's tokenizer. Attributes and text are
// read with their character references decoded; text in code is left out.
func (s *scan) html(v *view) { s.htmlFrom(v, &coded{}) }

// A coded is how many elements are open whose text is code.
type coded struct {
	pre    int
	phrase int // code, kbd and samp, within pre or without
}

func (c *coded) any() bool { return c.pre+c.phrase > 0 }

// start and end tell of tags.
func (c *coded) start(name string) {
	switch name {
	case "pre", "listing":
		c.pre++
	case "code", "kbd", "samp":
		c.phrase++
	}
}

func (c *coded) end(name string) {
	switch name {
	case "pre", "listing":
		// What was left open in it ends with it for people, if not for the parser.
		c.pre, c.phrase = max(0, c.pre-1), 0
	case "code", "kbd", "samp":
		c.phrase = max(0, c.phrase-1)
	}
}

// htmlFrom reads a page or a part of one that begins within what code says, and
// leaves there what holds at the part's end.
func (s *scan) htmlFrom(v *view, code *coded) {
	data := v.data
	z := html.NewTokenizer(bytes.NewReader(data))
	off := 0
	var inside, kind string // the element whose raw text comes next, and its type
	page := v.up == nil     // and no document within another
	head := true
	var flow []stretch // text that nothing parts for who reads the page
	for !s.over() {
		// The tokenizer holds a token twice over: long text is kept from it.
		if n := longText(data[off:]); n > 0 && !rawText(inside) {
			if s.code || !code.any() {
				flow = append(flow, stretch{off, off + n})
			}
			off += n
			z = html.NewTokenizer(bytes.NewReader(data[off:]))
			continue
		}
		tt := z.Next()
		from := off
		off += len(z.Raw())
		switch tt {
		case html.ErrorToken:
			if from < len(data) && bytes.IndexByte(data[from:], '<') == 0 {
				s.note(v, from, "the page ends inside a tag")
			}
			s.flow(v, flow)
			return
		case html.TextToken:
			if inside == "title" && page && head && s.f.Title != nil {
				p := &piece{}
				p.unescape(data, from, off, false)
				s.f.Title(string(p.text))
			}
			switch {
			case rawText(inside):
				s.rawText(v, from, off, inside, kind)
			case s.code || !code.any():
				flow = append(flow, stretch{from, off})
			}
		case html.CommentToken:
			s.comment(v, from, off)
		case html.StartTagToken, html.SelfClosingTagToken:
			t := parseTag(data, from, off)
			if !inFlow(t.name) {
				s.flow(v, flow)
				flow = flow[:0]
			}
			if page && s.f.Place != nil {
				s.places(&t)
			}
			head = head && t.name != "body"
			s.htmlTag(v, &t)
			inside = ""
			if tt == html.StartTagToken {
				code.start(t.name)
				inside, kind = t.name, strings.ToLower(strings.TrimSpace(t.value("type")))
			}
		case html.EndTagToken:
			name := tagName(data[from+2 : off])
			if !inFlow(name) {
				s.flow(v, flow)
				flow = flow[:0]
			}
			code.end(name)
			inside = ""
		}
	}
}

// longText is the length of the text that data begins with, where it is long, or 0.
func longText(data []byte) int {
	const long = 1 << 20
	if len(data) <= long || bytes.IndexByte(data[:long], '<') >= 0 {
		return 0
	}
	if n := bytes.IndexByte(data, '<'); n >= 0 {
		return n
	}
	return len(data)
}

// rawText reports whether the tokenizer reads the content of an element as text
// up to its end tag.
func rawText(element string) bool {
	switch element {
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp":
		return true
	}
	return false
}

// places tells of the places that a tag gives names to: "indicated part of the
// document" (HTML Standard, "scroll to the fragment").
func (s *scan) places(t *tag) {
	for i := range t.attrs {
		if a := &t.attrs[i]; a.name == "id" || a.name == "name" && t.name == "a" {
			s.f.Place(string(a.value.text))
		}
	}
}

// A stretch is a part of a page, from and to a place.
type stretch struct{ from, to int }

// inFlow reports whether a tag leaves the word whole that it stands in: of what
// HTML calls phrasing, what sets letters off from their neighbours, as those
// do that show what was searched for, and nothing that stands for itself.
func inFlow(element string) bool {
	switch element {
	case "b", "bdi", "bdo", "big", "em", "font", "i", "mark", "nobr", "small", "span", "strong", "tt", "u", "wbr":
		return true
	}
	return false
}

// flow reads text that stands in several stretches of a page.
func (s *scan) flow(v *view, parts []stretch) {
	silent := true
	for _, part := range parts {
		silent = silent && s.noProse(v.data[part.from:part.to])
	}
	if silent {
		return
	}
	p := &piece{}
	for _, part := range parts {
		p.unescape(v.data, part.from, part.to, false)
	}
	s.prose(v, p, "")
}

// rawText reads the content of an element that the tokenizer takes for text up to
// its end tag.
func (s *scan) rawText(v *view, from, to int, inside, kind string) {
	p := &piece{}
	switch inside {
	case "script":
		p.copy(v.data, from, to)
		switch {
		case kind == "application/ld+json", kind == "importmap", kind == "speculationrules", strings.HasSuffix(kind, "json"):
			s.escaped(v.within(p), escapeJSON, "script")
		case kind == "text/html", kind == "text/template", kind == "text/x-template":
			s.nested(v.within(p), s.html)
		case s.code:
			s.escaped(v.within(p), escapeSource, "script")
		}
	case "style":
		p.copy(v.data, from, to)
		s.css(v.within(p))
	case "noscript", "noembed", "noframes", "iframe":
		// The tokenizer gives these as raw text; a person without scripts sees a page.
		p.copy(v.data, from, to)
		s.nested(v.within(p), s.html)
	case "textarea", "xmp", "plaintext":
		if s.code {
			s.flow(v, []stretch{{from, to}})
		}
	default: // title
		s.flow(v, []stretch{{from, to}})
	}
}

// nested reads a document within a document, as deep as the limit allows.
func (s *scan) nested(v *view, read func(*view)) {
	if s.depth >= s.f.limits().Depth {
		s.tooDeep(v)
		return
	}
	s.depth++
	read(v)
	s.depth--
}

// A tag is one start tag and its attributes.
type tag struct {
	name  string
	attrs []attr
}

// An attr is one attribute: its name in lower case, and its value with
// character references decoded.
type attr struct {
	name  string
	value piece
	bare  bool // no value is written
}

func (t *tag) value(name string) string {
	for i := range t.attrs {
		if t.attrs[i].name == name {
			return string(t.attrs[i].value.text)
		}
	}
	return ""
}

// parseTag reads the start tag data[from:to], "<" and ">" included, as the HTML
// Standard's tokenizer does from the tag name state on.
func parseTag(data []byte, from, to int) tag {
	i := from + 1
	end := to
	if end > i && data[end-1] == '>' {
		end--
	}
	start := i
	for i < end && !isSpace(data[i]) && data[i] != '/' {
		i++
	}
	t := tag{name: strings.ToLower(string(data[start:i]))}
	for i < end {
		// Before attribute name state.
		if isSpace(data[i]) || data[i] == '/' {
			i++
			continue
		}
		start = i
		i++ // a leading "=" is part of the name
		for i < end && !isSpace(data[i]) && data[i] != '/' && data[i] != '=' {
			i++
		}
		a := attr{name: strings.ToLower(string(data[start:i])), bare: true}
		j := i
		for j < end && isSpace(data[j]) {
			j++
		}
		if j < end && data[j] == '=' {
			a.bare = false
			for j++; j < end && isSpace(data[j]); j++ {
			}
			i = j
			if i < end && (data[i] == '"' || data[i] == '\'') {
				stop := bytes.IndexByte(data[i+1:end], data[i])
				if stop < 0 {
					stop = end - i - 1
				}
				a.value.unescape(data, i+1, i+1+stop, true)
				i = min(end, i+stop+2)
			} else {
				start = i
				for i < end && !isSpace(data[i]) {
					i++
				}
				a.value.unescape(data, start, i, true)
			}
		}
		t.attrs = append(t.attrs, a)
	}
	return t
}

func (s *scan) htmlTag(v *view, t *tag) {
	content := false
	for i := range t.attrs {
		a := &t.attrs[i]
		if a.bare {
			continue
		}
		via := t.name + " " + a.name
		switch {
		case t.name == "base" && a.name == "href":
			// The first base element of a document counts: HTML Standard, 4.2.3.
			if s.base == "" {
				start, end := a.value.trim()
				s.base = string(a.value.text[start:end])
			}
			s.link(v, &a.value, via)
		case a.name == "srcset", a.name == "imagesrcset", a.name == "data-srcset" && (t.name == "img" || t.name == "source"):
			s.srcset(v, &a.value, via)
		case a.name == "ping", a.name == "itemtype", a.name == "itemid":
			s.linkList(v, &a.value, via)
		case a.name == "style":
			s.css(v.within(&a.value))
		case t.name == "meta" && a.name == "content":
			if content {
				continue // of two attributes with one name the first counts
			}
			content = true
			s.metaContent(v, t, &a.value)
		case a.name == "srcdoc" && t.name == "iframe":
			s.nested(v.within(&a.value), s.html)
		case t.name == "param" && a.name == "value":
			s.prose(v, &a.value, via)
		case htmlURL(t.name, a.name):
			switch {
			case t.name == "link" && a.name == "href":
				via = linkVia(t.value("rel"))
			case t.name == "form" && a.name == "action" && strings.EqualFold(t.value("method"), "post"):
				via = "form action post" // what is sent there is no question
			}
			s.link(v, &a.value, via)
		case strings.HasPrefix(a.name, "xmlns"), strings.HasSuffix(a.name, "schemalocation"):
			// A namespace's name is no link.
		case bytes.Contains(a.value.text, []byte(":")):
			s.prose(v, &a.value, via)
		}
	}
}

// linkVia says what a link element's href is: for some types of link it names
// a server to get ready for, and nothing is asked for there; for one, the page itself.
func linkVia(rel string) string {
	for word := range strings.FieldsSeq(strings.ToLower(rel)) {
		if word == "preconnect" || word == "dns-prefetch" || word == "canonical" {
			return "link " + word
		}
	}
	return "link href"
}

// metaContent reads <meta content>: a refresh's target, or whatever URL stands
// in it (Open Graph and its kin).
func (s *scan) metaContent(v *view, t *tag, p *piece) {
	if !strings.EqualFold(strings.TrimSpace(t.value("http-equiv")), "refresh") {
		s.prose(v, p, "meta content")
		return
	}
	// HTML Standard, 4.2.5.3, the shared declarative refresh steps.
	b, i := p.text, 0
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	for i < len(b) && (b[i] >= '0' && b[i] <= '9' || b[i] == '.') {
		i++
	}
	for i < len(b) && (isSpace(b[i]) || b[i] == ';' || b[i] == ',') {
		i++
	}
	if len(b)-i >= 3 && strings.EqualFold(string(b[i:i+3]), "url") {
		j := i + 3
		for j < len(b) && isSpace(b[j]) {
			j++
		}
		if j < len(b) && b[j] == '=' {
			for j++; j < len(b) && isSpace(b[j]); j++ {
			}
			i = j
		}
	}
	end := len(b)
	if i < end && (b[i] == '"' || b[i] == '\'') {
		quote := b[i]
		i++
		if n := bytes.IndexByte(b[i:], quote); n >= 0 {
			end = i + n
		}
	}
	s.link(v, p.slice(i, end), "meta refresh")
}

// srcset reads the image candidates of HTML Standard, 4.8.4.2.2.
func (s *scan) srcset(v *view, p *piece, via string) {
	b := p.text
	for i := 0; i < len(b); {
		for i < len(b) && (isSpace(b[i]) || b[i] == ',') {
			i++
		}
		start := i
		for i < len(b) && !isSpace(b[i]) {
			i++
		}
		end := i
		if end > start && b[end-1] == ',' {
			for end > start && b[end-1] == ',' {
				end--
			}
			s.link(v, p.slice(start, end), via)
			continue
		}
		s.link(v, p.slice(start, end), via)
		// Descriptors up to a comma outside parentheses.
		for depth := 0; i < len(b); i++ {
			if b[i] == '(' {
				depth++
			} else if b[i] == ')' && depth > 0 {
				depth--
			} else if b[i] == ',' && depth == 0 {
				break
			}
		}
	}
}

// linkList reads URLs with white space between them.
func (s *scan) linkList(v *view, p *piece, via string) {
	b := p.text
	for i := 0; i < len(b); {
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		start := i
		for i < len(b) && !isSpace(b[i]) {
			i++
		}
		s.link(v, p.slice(start, i), via)
	}
}
