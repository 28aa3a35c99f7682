package check

import (
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"slices"
	"strings"

	"anyurl"
	"anyurl/fetch"
	"anyurl/find/format"
)

// crawl reads the links of a page that was opened, and gives the tasks that
// come of them. Links within the page's site are followed on, up to the depth
// that was asked for, and so are those of the sitemaps that the site names. What
// an HTML page shows besides is seen where it was gone through.
func (r *run) crawl(t *target, result *fetch.Result, text pageText, sitemaps []Link) (more []task, seen *sight) {
	page := result.URL
	r.mu.Lock()
	// A stream keeps nothing, and whoever asks sees what came before.
	before := r.answer == nil && !r.entersPage(page)
	c := crawling{run: r, target: t, page: page, depth: int(t.depth) - 1, trusted: t.trusted}
	r.mu.Unlock()
	if before {
		return nil, nil
	}
	for _, link := range sitemaps {
		c.meetAt(link, c.depth+1) // it stands beside the page, and is no step of its own
	}
	if listsSitemaps(text.data) {
		c.depth++ // it is one list in several files
	}
	if result.Listing {
		for i, e := range result.Entries {
			if e.URL != "" {
				c.meet(Link{URL: e.URL, Base: page, Place: Place{Source: page.Redacted(), Line: i + 1, Col: 1}})
			}
		}
		return c.more, nil
	}
	if text.cut {
		r.note(t, page, "it is longer than "+pageSize+"; the links behind these were not followed")
	}
	seen = c.read(result, text)
	c.close()
	return c.more, seen
}

// A crawling is the way through one page.
type crawling struct {
	run     *run
	target  *target
	page    anyurl.URL
	depth   int // of the page's links: how many steps on they are followed
	trusted bool
	more    []task

	keeps     bool      // links wait until it is known whose page this is
	kept      []crossed // those that do
	canonical anyurl.URL
	several   bool // canonical links, that do not agree
}

// A crossed is a link that waits.
type crossed struct {
	link Link
	url  anyurl.URL // the zero URL where it is none
	err  error
}

// mostWaiting bounds how many links wait: a page with more of them is itself, whatever
// it says.
const mostWaiting = 10_000

// read goes through a page.
func (c *crawling) read(result *fetch.Result, text pageText) (seen *sight) {
	r := c.run
	if target := canonicalIn(result.Header); target != "" {
		link := Link{URL: target, Base: c.page, Place: Place{Source: c.page.Redacted()}}
		c.saysCanonical(link)
		c.keeps = true
		c.meet(link)
	}
	c.keeps = c.keeps || bytes.Contains(text.data, []byte("anonical")) // in whatever case
	f := format.Finder{Format: formatOf(result.Type), References: true, Code: r.checker.Code}
	f.Options.Source = c.page.Redacted()
	if f.Format == "html" {
		seen = &sight{set: anchorSet{}}
		f.Place = func(name string) { seen.set[name] = true }
		f.Title = func(text string) {
			if seen.title == "" {
				seen.title = titleText([]byte(text))
			}
		}
	}
	f.Note = func(n format.Note) { r.note(c.target, c.page, n.Says) }
	set := "" // the character set, once it is asked for
	for m := range f.Bytes(path.Base(c.page.Path()), text.data) {
		if !Follows(m) {
			continue
		}
		if seen != nil && m.Via == "a href" {
			seen.links++
		}
		link := Link{URL: m.URL, Base: c.page, Skip: Unfilled(m), Place: Place{Source: m.Source, Line: m.Line, Col: m.Col, Start: m.Start, End: m.End}}
		if m.Base != "" {
			if base, err := anyurl.ParseRef(m.Base, c.page); err == nil {
				link.Base = base
			}
		}
		if f.Format == "html" && !isASCII(link.URL) {
			if set == "" {
				set = text.charset()
			}
			link.URL = InCharset(link.URL, link.Base, set)
		}
		if m.Via == "link canonical" {
			c.saysCanonical(link)
		}
		c.meet(link)
	}
	return seen
}

// saysCanonical takes note of what a page calls itself.
func (c *crawling) saysCanonical(link Link) {
	u, err := anyurl.ParseRef(link.URL, link.Base)
	if err != nil {
		return // which the link's own verdict says
	}
	u = u.WithoutFragment()
	c.several = c.several || !c.canonical.IsZero() && c.canonical != u
	c.canonical = u
}

// meet meets a link of the page.
func (c *crawling) meet(link Link) { c.meetAt(link, c.depth) }

func (c *crawling) meetAt(link Link, depth int) {
	link.Stranger, link.Within = true, true
	u, err := anyurl.ParseRef(link.URL, link.Base)
	if err == nil && sameSite(u, c.page) {
		link.Depth = depth
		link.Stranger = !c.trusted
	}
	if c.keeps {
		c.kept = append(c.kept, crossed{link, u, err})
		if len(c.kept) == mostWaiting {
			c.keeps = false
			c.takeKept()
		}
		return
	}
	c.take(crossed{link, u, err})
}

// take hands a link on.
func (c *crawling) take(l crossed) {
	if c.run.answer != nil {
		c.target.found = append(c.target.found, l.link)
		return
	}
	if ask, asks := c.run.take(c.run.parsed(l.link, l.url, l.err)); asks {
		c.more = append(c.more, ask)
	}
}

func (c *crawling) takeKept() {
	for _, l := range c.kept {
		c.take(l)
	}
	c.kept = nil
}

// close ends the page: what of its links waits is met, unless it is a variant of one
// that was read before.
func (c *crawling) close() {
	if c.keeps && !c.several && !c.canonical.IsZero() && isVariant(c.page, c.canonical) {
		if c.run.answer != nil {
			c.target.page, c.target.canonical = c.page.String(), c.canonical.String()
		} else if !c.isNew() {
			c.kept = slices.DeleteFunc(c.kept, func(l crossed) bool { return l.err == nil && sameSite(l.url, c.page) })
		}
	}
	c.takeKept()
}

// isNew reports whether there is anything on the page that was on none of those it is
// a variant of.
func (c *crawling) isNew() bool {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	return c.run.variants.isNew(c.page, c.canonical, c.depth, func(yield func(anyurl.URL) bool) {
		for _, l := range c.kept {
			if !yield(l.url) {
				return
			}
		}
	})
}

// entersPage takes note that a page is crawled, and reports whether it is for the
// first time: several ways may lead there. The caller holds r.mu.
func (r *run) entersPage(page anyurl.URL) bool {
	before := len(r.crawled)
	if r.crawled == nil {
		r.crawled = map[string]struct{}{}
	}
	r.crawled[page.WithoutFragment().String()] = struct{}{}
	return len(r.crawled) > before
}

// note tells whoever wants to know what of a target's page could not be read.
func (r *run) note(t *target, page anyurl.URL, says string) {
	n := Note{page.Redacted(), says}
	if r.answer != nil && len(t.notes) < mostNotes {
		t.notes = append(t.notes, n)
	}
	if r.checker.Note != nil {
		r.checker.Note(n)
	}
}

// mostNotes bounds what is said of one page.
const mostNotes = 20

// listsSitemaps reports whether a page is an index of sitemaps
// (sitemaps.org, "Using Sitemap index files"), zipped or not.
func listsSitemaps(body []byte) bool {
	head := body[:min(len(body), 4<<10)]
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) { // RFC 1952, section 2.3.1
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			head, _ = io.ReadAll(io.LimitReader(z, 4<<10))
		}
	}
	return bytes.Contains(head, []byte("<sitemapindex"))
}

// crawlable reports whether an answer on the way through a site is a page: what
// people read, feeds, and sitemaps, one form of which is plain text (sitemaps.org,
// "Other Sitemap formats"). JSON is not; the interfaces of sites have no end.
func crawlable(result *fetch.Result) bool {
	kind, _, _ := strings.Cut(strings.ToLower(result.Type), ";")
	return result.Listing || strings.Contains(kind, "gzip") || kind == "" || kind == "text/plain" || formatOf(kind) != "" || strings.Contains(kind, "xml")
}

// sameSite reports whether a link stays with its page's server.
func sameSite(u, page anyurl.URL) bool {
	return u.Host() == page.Host() && u.EffectivePort() == page.EffectivePort() && u.Scheme() == page.Scheme()
}

// formatOf is the find/format name of a media type, or "" where content and
// name have to tell.
func formatOf(mediaType string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml":
		return "html"
	case "text/markdown":
		return "markdown"
	case "text/css":
		return "css"
	}
	return ""
}

// maxPage bounds what is read of a page to find its links and anchors, in
// octets.
const maxPage = 8 << 20

// pageSize is maxPage in words.
const pageSize = "8 MiB"

// A pageText is what was read of a page, in UTF-8.
type pageText struct {
	raw  []byte // as it came
	data []byte // as text
	kind string // its media type, with the character set that was said with it
	cut  bool   // there is more of it
}

// textOfPage is the text of a page that was read.
func textOfPage(result *fetch.Result, body []byte) pageText {
	p := pageText{raw: body, data: body, kind: contentType(result), cut: len(body) >= maxPage}
	if isPage(result.Type) {
		p.data = inUTF8(body, p.kind)
	}
	return p
}

// textKind is the media type of the text.
func (p pageText) textKind() string {
	if len(p.data) > 0 && &p.data[0] != &p.raw[0] {
		kind, _, _ := strings.Cut(p.kind, ";")
		return kind + "; " + utf8Charset
	}
	return p.kind
}

// charset is the one that the page is in.
func (p pageText) charset() string { return charsetOf(p.raw, p.kind) }

// readPage reads a page to look for anchors and links in it. One that is too
// long is taken as far as it was read.
func readPage(result *fetch.Result) ([]byte, error) {
	var page bytes.Buffer
	if said := result.Size; said > 0 {
		// What more than this there is to come is not a server's to say.
		page.Grow(int(min(said, 64<<10)) + bytes.MinRead)
	}
	_, err := page.ReadFrom(io.LimitReader(result.Body, maxPage))
	return page.Bytes(), err
}
