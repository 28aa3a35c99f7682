package check

import (
	"bytes"
	"iter"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"anyurl/percent"
)

// An anchorSet is the names of places.
type anchorSet map[string]bool

// anchors are the places in a document that a fragment can lead to.
type anchors struct {
	set   anchorSet
	lines int       // of a source that forges number by lines; 0: not known
	open  bool      // places but lines mean something that cannot be looked up
	built bool      // scripts build the page, and may put any place there
	words string    // what a page says, where a link leads to some text in it
	loose anchorSet // the set, loosely, where it depends on the renderer
	title *string   // of a page, found on the way; nil where nobody looked for it
	pdf   *pdfPlaces
	cut   bool // there is more of the document than was read
	part  bool // it is put together with others, which may have the place

	// what the document is, where its places cannot be looked up here at all
	opaque string
}

// A sight is what a page shows to whoever goes through it, be it for something
// else.
type sight struct {
	set   anchorSet
	title string
	links int // that people can follow
}

// anchorsOf reads the anchors of a document, by its media type or, where that
// tells nothing, by its name. Of a document that was too long to be read whole, it
// knows no more than what was read holds.
func anchorsOf(data []byte, mediaType, name string) *anchors {
	return anchorsSeen(data, mediaType, name, nil)
}

// anchorsSeen is anchorsOf for a page that somebody has gone through already, as
// it stands; seen is nil where nobody has.
func anchorsSeen(data []byte, mediaType, name string, seen *sight) *anchors {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	var read func([]byte, anchorSet) // nil: HTML
	var part func([]byte) bool       // whether it is put together with others; nil: never
	plain := false                   // anchors depend on who renders it
	switch ext := strings.ToLower(path.Ext(name)); {
	case kind == "application/pdf", kind == "" && ext == ".pdf":
		if d := pdfAnchors(data); d != nil {
			return d
		}
		return &anchors{opaque: "this PDF document"}
	case kind == "text/html", kind == "application/xhtml+xml", kind == "image/svg+xml":
	case kind == "text/markdown", kind == "" && (ext == ".md" || ext == ".markdown"):
		read, plain = markdownAnchors, true
	case kind == "text/asciidoc", kind == "text/x-asciidoc", kind == "" && (ext == ".adoc" || ext == ".asciidoc"):
		read, plain, part = asciidocAnchors, true, isPartOfBook
	case kind == "text/x-rst", kind == "text/prs.fallenstein.rst", kind == "" && (ext == ".rst" || ext == ".rest"):
		read, plain, part = rstAnchors, true, includesRST().Match
	case kind == "" && (ext == ".html" || ext == ".htm" || ext == ".xhtml" || ext == ".svg"):
	case (kind == "" || kind == "text/plain") && len(data) < maxPage && utf8.Valid(data[:min(len(data), 8<<10)]) && !bytes.Contains(data, []byte{0}):
		return &anchors{open: true, lines: bytes.Count(data, []byte("\n")) + 1}
	case kind != "":
		return &anchors{opaque: kind}
	case ext != "":
		return &anchors{opaque: "files with " + ext}
	default:
		return &anchors{opaque: "such a file"}
	}
	d := &anchors{set: anchorSet{}, cut: len(data) >= maxPage}
	if plain && d.cut {
		return d // what it holds so far may mean something else with the rest
	}
	if !plain {
		text := decoded(data, mediaType)
		if seen == nil || len(text) > 0 && &text[0] != &data[0] { // it stands in another character set
			seen = see(text)
		}
		d.set, d.title = seen.set, &seen.title
		d.built = seen.links < leastLinks && builtByScripts(text)
		return d
	}
	read(data, d.set)
	d.part = part != nil && part(data)
	d.lines = bytes.Count(data, []byte("\n")) + 1
	d.loose = anchorSet{}
	for name := range d.set {
		if name := loosely(name); name != "" {
			d.loose[name] = true
		}
	}
	return d
}

// htmlAnchors takes every id, and the name of every a.
func htmlAnchors(data []byte, set anchorSet) {
	for name := range see(data).set {
		set[name] = true
	}
}

// see goes through a page: its places are every id, and the name of every a
// ("indicated part of the document", HTML Standard, "scroll to the fragment"), and
// its title is that in front of the body.
func see(data []byte) *sight {
	s := &sight{set: anchorSet{}}
	z := html.NewTokenizer(bytes.NewReader(data))
	titled := false // it was found, or it is too late for it
	for {
		switch z.Next() {
		case html.ErrorToken:
			return s
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			isA := len(tag) == 1 && tag[0] == 'a'
			isTitle := !titled && string(tag) == "title"
			titled = titled || isTitle || string(tag) == "body"
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				if string(key) == "id" || isA && string(key) == "name" {
					s.set[string(value)] = true
				} else if isA && string(key) == "href" {
					s.links++
				}
			}
			if isTitle && z.Next() == html.TextToken {
				s.title = titleText(z.Text())
			}
		}
	}
}

// markdownAnchors takes what GitHub, GitLab and their like make of headings, the
// ids that attributes, labels and footnotes give, and the HTML that stands in the
// text. Where renderers differ, it takes them all: only what none of them makes
// is missing.
func markdownAnchors(data []byte, set anchorSet) {
	htmlAnchors(data, set)
	htmlHeadings(data, set)
	for _, named := range namedInMarkdown {
		for _, m := range named().FindAllSubmatch(data, -1) {
			set[string(m[1])] = true
		}
	}
	for _, m := range footnote().FindAllSubmatch(data, -1) {
		for _, form := range [...]string{"fn:", "fnref:", "fn-", "fnref-", "fn", "fnref"} {
			set[form+string(m[1])] = true
		}
	}
	var s slugger
	headings(data, func(text string) {
		// What follows in braces is an attribute where it is one at all.
		s.add(set, headingAttributes().ReplaceAllString(text, ""))
		if headingAttributes().MatchString(text) {
			s.add(set, text)
		}
	})
}

var (
	// namedInMarkdown are the ways to give a place a name by hand.
	namedInMarkdown = [...]func() *regexp.Regexp{
		pattern(`\{[^{}\n]*#([^\s{}#]+)[^{}\n]*\}`),      // {#id}, {: #id .class}, {/* #id */}
		pattern(`(?m)^[ \t>]*\(([^()\s]+)\)=[ \t]*\r?$`), // MyST: (label)=
	}
	footnote          = pattern(`\[\^([^\]\s]+)\]`)
	headingAttributes = pattern(`[ \t]*\{[^{}]*\}[ \t]*$`)
	shortcode         = pattern(`:[a-z0-9_+-]+:`)
	reference         = pattern(`\]\[[^\]]*\]`)
	hyphens           = pattern(`-{2,}`)
)

// longestHeading bounds what is parsed as a heading's text, in bytes.
const longestHeading = 2000

// headings gives the text of every heading in Markdown, as it is written. It
// goes by lines, and takes one in a list or a quotation, too.
func headings(data []byte, give func(string)) {
	fence := ""
	var paragraph []string
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line[:min(len(line), longestHeading)]))
		for { // out of quotations and lists
			rest := strings.TrimLeft(strings.TrimPrefix(text, ">"), " \t")
			if item := listItem().FindString(rest); item != "" && fence == "" {
				rest = rest[len(item):]
			}
			if rest == text {
				break
			}
			text = rest
		}
		switch mark := fenceMark().FindString(text); {
		case fence != "":
			if mark == text && mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) {
				fence = ""
			}
			continue
		case mark != "" && !(mark[0] == '`' && strings.Contains(text[len(mark):], "`")):
			fence, paragraph = mark, nil
			continue
		}
		switch level := strings.TrimLeft(text, "#"); {
		case text == "":
			paragraph = nil
		case len(level) < len(text) && len(text)-len(level) <= 6 && (level == "" || level[0] == ' ' || level[0] == '\t'):
			give(closing().ReplaceAllString(strings.TrimSpace(level), ""))
			paragraph = nil
		case len(paragraph) > 0 && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == ""):
			give(strings.Join(paragraph, " "))
			paragraph = nil
		case len(paragraph) < 8:
			paragraph = append(paragraph, text)
		}
	}
}

var (
	listItem  = pattern(`^([-*+]|[0-9]{1,9}[.)])[ \t]+`)
	fenceMark = pattern("^(```+|~~~+)")
	closing   = pattern(`(^|[ \t]+)#+$`)
)

// htmlHeadings takes what GitHub makes of h1 to h6 in raw HTML.
func htmlHeadings(data []byte, set anchorSet) {
	var s slugger
	var text strings.Builder
	inside := false
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			if inside && text.Len() < longestHeading {
				text.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken:
			tag, _ := z.TagName()
			if len(tag) != 2 || tag[0] != 'h' || tag[1] < '1' || tag[1] > '6' {
				continue
			}
			if inside {
				for _, lower := range lowered(strings.TrimSpace(html.UnescapeString(text.String()))) {
					s.count(set, slugOf(lower))
				}
			}
			inside = kind == html.StartTagToken
			text.Reset()
		}
	}
}

// A slugger makes the anchors of one document's headings.
type slugger struct{ seen map[string]int }

// add takes the anchors that a heading gets from one renderer or another.
func (s *slugger) add(set anchorSet, heading string) {
	texts := []string{heading}
	for _, drop := range [...]func() *regexp.Regexp{shortcode, reference} {
		if drop().MatchString(heading) {
			texts = append(texts, strings.TrimSpace(drop().ReplaceAllString(heading, "")))
		}
	}
	done := map[string]bool{}
	for slug := range slugs(texts) {
		short := hyphens().ReplaceAllString(slug, "-") // GitLab
		// An emoji leaves its space behind as a hyphen, on GitHub; elsewhere
		// it does not.
		for _, slug := range [...]string{slug, short, strings.Trim(slug, "-"), strings.Trim(short, "-")} {
			if !done[slug] {
				done[slug] = true
				s.count(set, slug)
			}
		}
	}
}

// slugs gives the slugs of what may be a heading's text, in markup.
func slugs(texts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range texts {
			for _, lower := range lowered(textOf([]byte(text))) {
				if !yield(slugOf(lower)) {
					return
				}
			}
		}
	}
}

// lowered gives the ways to write a text in lower case: character by character, as
// Go does; by Unicode's SpecialCasing without what depends on the neighbours, as
// Ruby does; and with that, as JavaScript and Python do. Most texts have but one.
func lowered(text string) []string {
	simple := strings.ToLower(text)
	if !strings.ContainsAny(text, "\u0130\u03a3") {
		return []string{simple}
	}
	text = strings.ReplaceAll(text, "\u0130", "i\u0307")
	return slices.Compact([]string{simple, strings.ToLower(text), strings.ToLower(finalSigma(text))})
}

// finalSigma writes a capital sigma at the end of a word as the small letter that
// stands there: the Unicode Standard, section 3.13, Final_Sigma.
func finalSigma(text string) string {
	runes := []rune(text)
	cased := func(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt) }
	passed := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Cf) || r == '\'' || r == '\u2019' || r == '.'
	}
	before := false // a letter that has cases stands before, but for what is passed over
	for i, r := range runes {
		if r == '\u03a3' && before {
			k := i + 1
			for k < len(runes) && passed(runes[k]) {
				k++
			}
			if k == len(runes) || !cased(runes[k]) {
				runes[i] = '\u03c2'
			}
		}
		if !passed(r) {
			before = cased(r)
		}
	}
	return string(runes)
}

// count takes a slug, with a number behind it when it was met before.
func (s *slugger) count(set anchorSet, slug string) {
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	k := s.seen[slug]
	s.seen[slug]++
	if k > 0 {
		slug += "-" + strconv.Itoa(k)
	}
	set[slug] = true
	if slug != "" && strings.Trim(slug, "0123456789") == "" {
		set["anchor-"+slug] = true // GitLab: no bare numbers
	}
}

// textOf is what a reader sees of a heading.
func textOf(heading []byte) string {
	// Behind a number sign it is one line of text, whatever it begins with.
	source := append([]byte("# "), heading...)
	var b strings.Builder
	ast.Walk(goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(n.Segment.Value(source))
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(b.String())
}

// slugOf makes a heading's anchor as GitHub does: lower case, letters, marks,
// digits, "-" and "_" stay, and a space becomes "-".
func slugOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// A finding is what looking for a fragment came to.
type finding uint8

const (
	there    finding = iota
	perhaps          // it depends on who shows the page
	foreign          // it means what a program makes of it, which is none of ours
	unlooked         // nobody here looks up places in such a document
	unseen           // a text that the page may get from a script
	beyond           // it may stand where nobody read
	without          // it may stand in another part of the whole document
	missing
)

// look says whether a fragment leads anywhere in the document.
func (d *anchors) look(fragment string) finding {
	f := d.lookRead(fragment)
	if d.cut && (f == missing || f == perhaps || f == unseen) {
		return beyond
	}
	return f
}

// lookRead is look for what was read of it. A text directive is no part of the
// fragment (Scroll To Text Fragment).
func (d *anchors) lookRead(fragment string) finding {
	fragment, directive, _ := strings.Cut(fragment, ":~:")
	text := d.lookText(directive)
	if text == unseen {
		return text
	}
	if place := d.lookPlace(fragment); place != there {
		return place
	}
	return text
}

// lookPlace is lookRead for a fragment without directives.
func (d *anchors) lookPlace(fragment string) finding {
	if fragment == "" || strings.EqualFold(fragment, "top") {
		return there // the top of the document
	}
	if d.pdf != nil {
		return d.pdf.look(fragment)
	}
	if strings.HasPrefix(fragment, "!") || strings.HasPrefix(fragment, "/") || strings.ContainsAny(fragment, "=&") {
		return foreign // for a script on the page, which we do not run; a part of an image or a film
	}
	if d.opaque != "" {
		return unlooked
	}
	if strings.HasPrefix(fragment, "svgView(") {
		return there // a view of an image, and no place in it: SVG 2, section 16.3.2
	}
	if m := lineAnchor().FindStringSubmatch(fragment); m != nil {
		// Lines are numbered by the page's script, or by the site that shows
		// the source.
		in := func(line string) bool {
			n, err := strconv.Atoi(line)
			return err == nil && 0 < n && n <= d.lines
		}
		switch {
		case d.lines == 0 && !d.set[fragment]:
			return foreign
		case d.lines == 0, in(m[1]) && (m[2] == "" || in(m[2])):
			return there
		case d.open:
			return missing
		}
	}
	if d.open {
		return unlooked
	}
	// The fragment as it stands goes first, then decoded; GitHub's own pages
	// put "user-content-" in front of the anchors that people write, and their
	// script finds them with it or without.
	decoded := percent.Decode(fragment)
	for _, name := range [...]string{fragment, decoded} {
		if d.set[name] || d.set["user-content-"+name] || d.set["user-content-"+strings.ToLower(name)] {
			return there
		}
		if bare, ok := strings.CutPrefix(name, "user-content-"); ok && d.set[bare] {
			return there
		}
	}
	if d.loose != nil && d.loose[loosely(decoded)] {
		return perhaps
	}
	if d.built {
		return unseen
	}
	if d.part {
		return without
	}
	return missing
}

// leastText is how much text a page has at least that was not made for scripts
// to fill it, in bytes.
const leastText = 200

// leastLinks is how many links a page has that leads on by itself, however little
// it says.
const leastLinks = 16

// builtByScripts reports whether a page is hardly more than its scripts.
func builtByScripts(page []byte) bool {
	return hasScript(page) && scriptFile().Match(bytes.ToLower(page)) && len(strings.TrimSpace(visible(page))) < leastText
}

// hasScript reports whether a page has a script at all. Most that are long have
// none, and are spared the rest.
func hasScript(page []byte) bool {
	const tag = "<script"
	for {
		at := bytes.IndexByte(page, '<')
		if at < 0 || len(page)-at < len(tag) {
			return false
		}
		page = page[at:]
		if strings.EqualFold(string(page[:len(tag)]), tag) {
			return true
		}
		page = page[1:]
	}
}

var scriptFile = pattern(`<script[^>]*\ssrc\s*=`)

// pattern compiles an expression when it is first asked for: most uses of this
// package look at no document that needs it.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// lineAnchor is a link to a line or some, as forges write it.
var lineAnchor = pattern(`^(?:L|lines-)([0-9]+)(?:C[0-9]+)?(?:[-:]L?([0-9]+)(?:C[0-9]+)?)?$`)

// loosely is what all renderers agree on in an anchor: its letters and digits.
func loosely(anchor string) string {
	for _, prefix := range [...]string{"user-content-", "markdown-header-", "anchor-"} {
		anchor = strings.TrimPrefix(anchor, prefix)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u03c2':
			return '\u03c3' // as it is where it does not end a word
		case r == '\u0307':
			return -1 // of a capital i with a dot, in lower case
		case unicode.In(r, unicode.L, unicode.M, unicode.N):
			return unicode.ToLower(r)
		}
		return -1
	}, anchor)
}
