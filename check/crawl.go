package check

import (
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"anyurl"
	"anyurl/fetch"
	"anyurl/find/format"
)

// crawl reads the links of a page that was opened, and gives the tasks that
// come of them. Links within the page's site are followed on, up to the depth
// that was asked for, and so are those of the sitemaps that the site names. What
// an HTML page shows besides is seen where it was gone through.
func (r *run) crawl(t *target, result *fetch.Result, body []byte, sitemaps []Link) (more []task, seen *sight) {
	page := result.URL
	r.mu.Lock()
	if t.within && !sameSite(page, t.url) {
		r.mu.Unlock()
		return nil, nil // it leads out of the site; where one begins, the site is where that ends
	}
	if r.answer != nil {
		clear(r.crawled) // a stream keeps nothing, and whoever asks sees what came before
	}
	done := r.hasCrawled(page.WithoutFragment().String())
	depth, trusted := int(t.depth), t.trusted
	r.mu.Unlock()
	if done {
		return nil, nil // another way led here before
	}
	step := depth
	meet := func(link Link) {
		link.Stranger, link.Within = true, true
		u, err := anyurl.ParseRef(link.URL, link.Base)
		if err == nil && sameSite(u, page) {
			link.Depth = step
			link.Stranger = !trusted
		}
		if r.answer != nil {
			t.found = append(t.found, link)
			return
		}
		if ask, asks := r.take(r.parsed(link, u, err)); asks {
			more = append(more, ask)
		}
	}
	for _, link := range sitemaps {
		meet(link) // it stands beside the page, and is no step of its own
	}
	step = depth - 1
	if listsSitemaps(body) {
		step = depth // it is one list in several files
	}
	if result.Listing {
		for i, e := range result.Entries {
			if e.URL != "" {
				meet(Link{URL: e.URL, Base: page, Place: Place{Source: page.Redacted(), Line: i + 1, Col: 1}})
			}
		}
		return more, nil
	}
	if len(body) >= maxPage {
		r.note(page.Redacted(), "it is longer than "+pageSize+"; the links behind these were not followed")
	}
	f := format.Finder{Format: formatOf(result.Type), References: true, Code: r.checker.Code}
	f.Options.Source = page.Redacted()
	if f.Format == "html" {
		seen = &sight{set: anchorSet{}}
		f.Place = func(name string) { seen.set[name] = true }
		f.Title = func(text string) {
			if seen.title == "" {
				seen.title = titleText([]byte(text))
			}
		}
	}
	f.Note = func(n format.Note) { r.note(n.Source, n.Says) }
	if kind := contentType(result); isPage(result.Type) && strings.Contains(kind, "charset") && !utf8.Valid(body) {
		body = decoded(body, kind) // what the server says of it counts before what it says itself
	}
	for m := range f.Bytes(path.Base(page.Path()), body) {
		if !Follows(m) {
			continue
		}
		if seen != nil && m.Via == "a href" {
			seen.links++
		}
		link := Link{URL: m.URL, Base: page, Skip: Unfilled(m), Place: Place{Source: m.Source, Line: m.Line, Col: m.Col, Start: m.Start, End: m.End}}
		if m.Base != "" {
			if base, err := anyurl.ParseRef(m.Base, page); err == nil {
				link.Base = base
			}
		}
		meet(link)
	}
	return more, seen
}

// hasCrawled reports whether a page was crawled before. The caller holds r.mu.
func (r *run) hasCrawled(page string) bool {
	before := len(r.crawled)
	if r.crawled == nil {
		r.crawled = map[string]struct{}{}
	}
	r.crawled[page] = struct{}{}
	return len(r.crawled) == before
}

// note tells whoever wants to know what of a page could not be read.
func (r *run) note(page, says string) {
	if r.checker.Note != nil {
		r.checker.Note(page, says)
	}
}

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
