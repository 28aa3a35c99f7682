package format

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"anyurl/find"
)

// A taskBox is a task list item's marker only where white space follows, as GFM
// (section 5.3) has it. The library takes the text of "[x](url)" for one.
type taskBox struct{ parser.InlineParser }

// Parse reads a marker, or nothing.
func (b taskBox) Parse(parent ast.Node, block text.Reader, ctx parser.Context) ast.Node {
	if line, _ := block.PeekLine(); len(line) > 3 && !util.IsSpace(line[3]) {
		return nil
	}
	return b.InlineParser.Parse(parent, block, ctx)
}

// markdown reads CommonMark with GitHub's tables, strikethrough and task lists.
// Links, images, reference definitions, autolinks, raw HTML and bare URLs in
// text count; code does not, unless asked for.
func (s *scan) markdown(v *view) {
	data := v.data
	body := frontMatter(data)
	if body > 0 {
		p := &piece{}
		p.copy(data, 0, body)
		s.escaped(v.within(p), escapeSource, "front matter")
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(taskBox{extension.NewTaskCheckBoxParser()}, 0)))).Parser()
	ctx := parser.NewContext() // the references that were defined so far
	told := false
	var blocks coded
	for body < len(data) && !s.over() {
		n, parse := cutMarkdown(data[body:])
		if parse {
			m := markdownWalk{scan: s, v: v, parser: md, src: data[body : body+n : body+n], body: body, blocks: blocks}
			m.block(md.Parse(text.NewReader(m.src), parser.WithContext(ctx)))
			m.flush()
			blocks = m.blocks
		} else {
			if !told {
				s.note(v, body, "a part with more brackets or marks in one paragraph than can be parsed is read as plain text")
				told = true
			}
			p := &piece{}
			p.copy(data, body, body+n)
			s.prose(v, p, "")
		}
		body += n
	}
}

// frontMatter is the length of the YAML or TOML block that many site
// generators put before a page, 0 without one.
func frontMatter(b []byte) int {
	for _, fence := range []string{"---", "+++"} {
		if !bytes.HasPrefix(b, []byte(fence)) {
			continue
		}
		first := bytes.IndexByte(b, '\n')
		if first < 0 || len(bytes.TrimSpace(b[len(fence):first])) > 0 {
			return 0
		}
		for i := first + 1; i < len(b); {
			n := bytes.IndexByte(b[i:], '\n')
			line, next := b[i:], len(b)
			if n >= 0 {
				line, next = b[i:i+n], i+n+1
			}
			if string(bytes.TrimRight(line, " \t\r")) == fence {
				return next
			}
			i = next
		}
	}
	return 0
}

type markdownWalk struct {
	*scan
	v      *view
	parser parser.Parser
	src    []byte // the chunk of the document that is read
	body   int    // where src begins in v.data
	run    *piece // the text gathered so far
	note   bool   // src is a footnote's

	blocks coded // by HTML blocks
	phrase coded // by these and by HTML in the paragraph that is read
}

// block walks a block node and all below it, in the order of the source.
func (m *markdownWalk) block(n ast.Node) {
	if m.done {
		return
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		if m.code {
			m.verbatim(n.Lines(), "code")
		}
		return
	case *ast.HTMLBlock:
		p := &piece{}
		lines := n.Lines()
		for i := range lines.Len() {
			m.segment(p, lines.At(i))
		}
		if n.HasClosure() {
			m.segment(p, n.ClosureLine)
		}
		m.htmlFrom(m.v.within(p), &m.blocks)
		return
	case *ast.LinkReferenceDefinition:
		if bytes.HasPrefix(n.Label, []byte("^")) && !m.note {
			m.footnote(n)
			return
		}
		m.remark(n)
		m.destination(n.Destination, n.Pos(), "reference")
		return
	case *ast.Paragraph, *ast.TextBlock:
		if lines := n.Lines(); lines.Len() > 0 {
			m.braced(m.v, m.body+lines.At(0).Start, m.body+lines.At(lines.Len()-1).Stop)
		}
	}
	m.phrase = m.blocks
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeInline {
			m.inline(c)
		} else {
			m.flush()
			m.block(c)
			m.phrase = m.blocks
		}
	}
	m.flush()
	// What a paragraph opens ends with it, and it may end what a block opened.
	m.blocks = coded{pre: min(m.blocks.pre, m.phrase.pre), phrase: min(m.blocks.phrase, m.phrase.phrase)}
}

// footnote reads a footnote of one word or one link, which CommonMark takes for
// the definition of a reference: everybody who has footnotes reads them first.
func (m *markdownWalk) footnote(n *ast.LinkReferenceDefinition) {
	at, ok := m.offset(n.Destination, n.Pos())
	if !ok {
		return
	}
	if at > 0 && m.src[at-1] == '<' {
		at--
	}
	end := lineEnd(m.src, at)
	note := markdownWalk{scan: m.scan, v: m.v, parser: m.parser, src: m.src[at:end:end], body: m.body + at, note: true}
	note.block(m.parser.Parse(text.NewReader(note.src)))
	note.flush()
}

// inline walks an inline node. Text is gathered, so that a URL may go on
// behind an emphasis mark that CommonMark took for text.
func (m *markdownWalk) inline(n ast.Node) {
	if m.done {
		return
	}
	switch n := n.(type) {
	case *ast.Text:
		if m.run == nil {
			m.run = &piece{}
		}
		m.unescapeMarkdown(m.run, n.Segment)
		if n.SoftLineBreak() || n.HardLineBreak() {
			m.run.put("\n", m.body+n.Segment.Stop, m.body+min(n.Segment.Stop+1, len(m.src)))
		}
		return
	case *ast.CodeSpan:
		m.flush()
		if m.code {
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					p := &piece{}
					m.segment(p, t.Segment)
					m.prose(m.v, p, "code")
				}
			}
		}
		return
	case *ast.Link:
		m.flush()
		// A reference's destination counts where it is defined.
		if n.Reference == nil {
			m.destination(n.Destination, n.Pos(), "link")
		}
		// Inside a link's text only images can still point anywhere.
		m.images(n)
		return
	case *ast.Image:
		m.flush()
		if n.Reference == nil {
			m.destination(n.Destination, n.Pos(), "image")
		}
		m.images(n)
		return
	case *ast.AutoLink:
		m.flush()
		label := n.Label(m.src)
		if at, ok := m.offset(label, n.Pos()); ok {
			if len(label) > len("URL:") && bytes.EqualFold(label[:len("URL:")], []byte("URL:")) {
				at, label = at+len("URL:"), label[len("URL:"):] // RFC 3986, appendix C
			}
			p := &piece{}
			p.copy(m.v.data, m.body+at, m.body+at+len(label))
			// "<URL:" is RFC 1738's mark, not a scheme.
			if bytes.Contains(label, []byte("://")) && !bytes.EqualFold(label[:4], []byte("URL:")) {
				m.link(m.v, p, "autolink") // whole, be it a URL with a mistake in it
			} else {
				m.prose(m.v, p, "autolink")
			}
		}
		return
	case *ast.RawHTML:
		m.flush()
		p := &piece{}
		for i := range n.Segments.Len() {
			m.segment(p, n.Segments.At(i))
		}
		m.htmlFrom(m.v.within(p), &m.phrase)
		return
	case *xast.TaskCheckBox:
		return
	}
	// Emphasis and its like stand between the runs of text that they part.
	m.flush()
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.inline(c)
	}
	m.flush()
}

func (m *markdownWalk) images(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if _, ok := c.(*ast.Image); ok {
			m.inline(c)
		} else if c.HasChildren() {
			m.images(c)
		}
	}
}

// flush reads the text gathered so far.
func (m *markdownWalk) flush() {
	if m.run == nil {
		return
	}
	p := m.run
	m.run = nil
	if m.code || !m.phrase.any() {
		m.autolinks(p)
	}
}

// autolinks is prose by the rules that GFM has for its extended autolinks
// (section 6.9), where they say more than what text has.
func (m *markdownWalk) autolinks(p *piece) {
	if len(p.text) == 0 || m.over() {
		return
	}
	done := 0
	for l := range find.Text(p.text, m.f.Options) {
		if len(m.matches)&0xff == 0 && m.over() {
			return
		}
		if l.Start < done || addressGoesOn(p.text, l) {
			continue
		}
		if done = pastParenthesis(p.text, l.Start, l.End); done > l.End {
			l.End, l.URL = done, string(p.text[l.Start:done])
		}
		from, to := m.v.span(p.source(l.Start, l.End))
		m.emit(from, to, l.URL, l.Kind, l.Hyphen, "")
	}
}

// addressGoesOn reports whether a mail address, or a URL that is one, is none
// since "-" or "_" ends what it stands in: GFM, section 6.9.
func addressGoesOn(text []byte, l find.Match) bool {
	if l.Kind != find.Email && !(l.Kind == find.URL && isAddress(l.URL)) {
		return false
	}
	i := l.End
	for i < len(text) && (text[i] == '-' || text[i] == '_') {
		i++
	}
	return i > l.End && !(i < len(text) && isAlnum(text[i])) && !bytes.ContainsAny([]byte(l.URL), "?/")
}

func isAddress(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return strings.EqualFold(scheme, "mailto") || strings.EqualFold(scheme, "xmpp")
}

// pastParenthesis gives the end of an autolink that was ended by a ")" which
// nothing in it opens. Parentheses are counted only where a link ends in one
// (GFM, section 6.9), so that it goes on where more of it follows; a link that
// has none is left to the sentence, which may have opened one before it.
func pastParenthesis(text []byte, start, end int) int {
	if end == len(text) || text[end] != ')' || bytes.IndexByte(text[start:end], '(') < 0 {
		return end
	}
	to := end
	for to < len(text) && !isSpace(text[to]) && text[to] != '<' {
		if to++; to-end > longTail {
			return end
		}
	}
	if bytes.Contains(text[end:to], []byte("://")) {
		return end // another one
	}
	excess := bytes.Count(text[start:to], []byte(")")) - bytes.Count(text[start:to], []byte("("))
	for ; to > end; to-- {
		switch c := text[to-1]; {
		case strings.IndexByte("?!.,:*_~'\"", c) >= 0:
		case c == ')' && excess > 0:
			excess--
		default:
			return to
		}
	}
	return end
}

// longTail is how much more of a link there may be behind a parenthesis.
const longTail = 1 << 10

// remark tells of a comment that is written as a definition nobody refers to:
// [//]: # (text).
func (m *markdownWalk) remark(n *ast.LinkReferenceDefinition) {
	if label := string(n.Label); label != "//" && label != "comment" || m.f.Comment == nil {
		return
	}
	if at, ok := m.offset(n.Title, n.Pos()); ok {
		from := m.body + max(0, bytes.LastIndexByte(m.src[:at], '['))
		to := m.body + min(len(m.src), at+len(n.Title)+1) // with its quote or parenthesis
		m.comment(m.v, from, to)
	}
}

func (m *markdownWalk) verbatim(lines *text.Segments, via string) {
	p := &piece{}
	for i := range lines.Len() {
		m.segment(p, lines.At(i))
	}
	m.prose(m.v, p, via)
}

func (m *markdownWalk) segment(p *piece, seg text.Segment) {
	p.copy(m.v.data, m.body+seg.Start, m.body+seg.Stop)
}

// unescapeMarkdown appends a segment with its backslash escapes and character
// references decoded: CommonMark, sections 2.4 and 2.5.
func (m *markdownWalk) unescapeMarkdown(p *piece, seg text.Segment) {
	b, i, end := m.v.data, m.body+seg.Start, m.body+seg.Stop
	for i < end {
		n := bytes.IndexAny(b[i:end], `\&`)
		if n < 0 {
			break
		}
		p.copy(b, i, i+n)
		i += n
		if b[i] == '\\' && i+1 < end && isPunct(b[i+1]) {
			p.put(string(b[i+1]), i, i+2)
			i += 2
			continue
		}
		if b[i] == '&' {
			text, known := charref(b[i:end], false)
			// GFM, section 6.9: what looks like a reference at the end of an
			// autolink is none of its, whether there is such a one or not.
			if size := entityLike(b[i:end]); size > 0 && m.endsHere(i+size, end) && (known == 0 || strings.IndexByte("<>\"'", text[0]) < 0) {
				p.put(" ", i, i+size)
				i += size
				continue
			}
			if known > 0 && b[i+known-1] == ';' {
				p.put(text, i, i+known)
				i += known
				continue
			}
		}
		p.copy(b, i, i+1)
		i++
	}
	p.copy(b, i, end)
}

// endsHere reports whether text that reaches up to i goes no further as a URL.
func (m *markdownWalk) endsHere(i, end int) bool {
	return i == end || isSpace(m.v.data[i]) || m.v.data[i] == '<'
}

// entityLike is the length of "&", alphanumerics and ";" that b begins with.
func entityLike(b []byte) int {
	i := 1
	for i < len(b) && isAlnum(b[i]) {
		i++
	}
	if i > 1 && i < len(b) && b[i] == ';' {
		return i + 1
	}
	return 0
}

// destination reads a link's destination, which the parser gives as a slice of
// the source.
func (m *markdownWalk) destination(dest []byte, from int, via string) {
	if len(dest) == 0 {
		return
	}
	at, ok := m.offset(dest, from)
	if !ok {
		return
	}
	p := &piece{}
	m.unescapeMarkdown(p, text.NewSegment(at, at+len(dest)))
	m.link(m.v, p, via)
}

// offset finds where in the source a slice of it begins. A slice that shares
// the source's memory tells by its capacity; one that was put together anew is
// looked for behind from.
func (m *markdownWalk) offset(part []byte, from int) (int, bool) {
	if len(part) == 0 {
		return 0, false
	}
	if at := cap(m.src) - cap(part); at >= 0 && at+len(part) <= len(m.src) && &m.src[at] == &part[0] {
		return at, true
	}
	from = min(max(from, 0), len(m.src))
	if n := bytes.Index(m.src[from:], part); n >= 0 {
		return from + n, true
	}
	return 0, false
}
