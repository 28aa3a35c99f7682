package check

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"anyurl"
	"anyurl/fetch"
)

// strangers are what hosts answer for addresses that nobody ever gave out. A
// host that has a page for those says nothing about a link with the same page.
type strangers struct {
	mu      sync.Mutex
	folders map[string]*once[*likeness] // by site and folder
	sites   map[string]int              // folders asked about, by site
}

// mostFolders is how many folders of a site are asked for a made-up address:
// what a server does for all of its space, the first ones show.
const mostFolders = 4

// A likeness is what two pages are compared by.
type likeness struct {
	glance
	url    string              // what was asked
	final  string              // where it was found
	sum    [sha256.Size]byte   // of its octets
	size   int                 // of them
	parked bool                // it offers the domain
	words  map[uint64]struct{} // of the page, without those that differ with the address
}

// A glance is what a page says at the first look.
type glance struct {
	title string // as it stands
	short string // all it says, where that is little and it has no title
}

// glanceAt takes the title that a page is known to have, or looks for the little
// that it says.
func glanceAt(title string, body []byte) glance {
	g := glance{title: title}
	if title == "" && len(body) <= leastText {
		g.short = visible(body)
	}
	return g
}

// doubt looks behind a good answer: whether the page is about something that is
// gone. It leaves v alone where nothing says so. The title is that of body, where
// somebody has read it already.
func (r *run) doubt(ctx context.Context, client Fetcher, t *target, result *fetch.Result, body []byte, title *string, v *verdict) {
	if r.checker.Trusting || result.Status != 200 || !isText(result.Type) || !isWeb(result.URL) {
		return
	}
	if body != nil {
		if title == nil {
			found := titleOf(body)
			title = &found
		}
		if why := glanceAt(*title, body).confesses(); why != "" {
			v.State, v.Reason = Unsure, why
			return
		}
	}
	made := r.strangers.ask(ctx, client, t.url)
	if made == nil {
		return
	}
	said := "GET " + made.url + ", a made-up address: 200 at " + made.final
	if made.final != made.url && made.final == result.URL.Redacted() && made.final != t.url.Redacted() {
		t.evidence = append(t.evidence, said)
		v.State, v.Reason = Unsure, "it leads where a made-up address on this server leads, too"
		return
	}
	var page *likeness
	if body != nil {
		page = newLikeness(t.url, result.URL, body)
	} else {
		if page = getPage(ctx, client, t.url); page == nil {
			return
		}
		if why := page.confesses(); why != "" {
			v.State, v.Reason = Unsure, why
			return
		}
	}
	switch same := page.like(made); {
	case same && page.parked:
		v.State, v.Reason = Unsure, "the domain looks parked: every address has one page, and that offers it for sale"
	case same && !isFront(t.url):
		v.State, v.Reason = Unsure, "the server has the same page for a made-up address"
	default:
		return
	}
	t.evidence = append(t.evidence, said)
}

func isPage(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

// isText reports whether what a server has to say for itself may come as such.
func isText(mediaType string) bool {
	return isPage(mediaType) || mediaType == "text/plain"
}

func isWeb(u anyurl.URL) bool { return u.Scheme() == "http" || u.Scheme() == "https" }

// mostKept is how many folders' answers are kept; behind that, all are asked for
// anew.
const mostKept = 1 << 12

// ask gives what a host says to a made-up address beside u; nil where it says,
// as it should, that there is no such thing.
func (s *strangers) ask(ctx context.Context, client Fetcher, u anyurl.URL) *likeness {
	site := u.Scheme() + "://" + u.HostPort()
	folder := u.Path()[:strings.LastIndexByte(u.Path(), '/')+1]
	s.mu.Lock()
	if s.folders == nil || len(s.folders) >= mostKept {
		s.folders, s.sites = map[string]*once[*likeness]{}, map[string]int{}
	}
	answer := s.folders[site+folder]
	isNew := answer == nil
	if isNew {
		if s.sites[site] >= mostFolders {
			s.mu.Unlock()
			return nil
		}
		s.sites[site]++
		answer = newOnce[*likeness]()
		s.folders[site+folder] = answer
	}
	s.mu.Unlock()
	return answer.get(ctx, isNew, func() *likeness {
		made, err := u.WithoutQuery().WithPath(folder + madeUp() + path.Ext(u.Path()))
		if err != nil {
			return nil
		}
		return getPage(ctx, client, made)
	})
}

// madeUp is a name that nobody gave to anything.
func madeUp() string { return "no-such-page-" + strings.ToLower(rand.Text()[:12]) }

// getPage gets a page to compare; nil where there is none.
func getPage(ctx context.Context, client Fetcher, u anyurl.URL) *likeness {
	result, err := client.Do(ctx, &fetch.Request{URL: u, Method: "GET"})
	if err != nil {
		return nil
	}
	defer finish("GET", result.Body)
	if result.Status != 200 || !isText(result.Type) {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(result.Body, maxLook))
	if err != nil {
		return nil
	}
	return newLikeness(u, result.URL, body)
}

// maxLook bounds what is read of a page to compare it, in octets.
const maxLook = 256 << 10

// newLikeness takes what a page is compared by: its title, and the words of its
// source but for those with digits in them, which clocks and counters write,
// and those of its address, which pages like to repeat.
func newLikeness(u, final anyurl.URL, body []byte) *likeness {
	body = body[:min(len(body), maxLook)]
	l := &likeness{url: u.Redacted(), final: final.Redacted(), glance: glanceAt(titleOf(body), body), words: map[uint64]struct{}{}}
	l.sum, l.size = sha256.Sum256(body), len(body)
	own := map[string]bool{}
	for _, text := range [...]string{u.String(), final.String()} {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), noLetter) {
			own[word] = true
		}
	}
	body = bytes.ToLower(body)
	l.parked = offers(string(body))
	for word := range bytes.FieldsFuncSeq(body, noLetter) {
		if len(l.words) == mostWords {
			break
		}
		if !own[string(word)] && !bytes.ContainsAny(word, "0123456789") {
			h := fnv.New64a()
			h.Write(word)
			l.words[h.Sum64()] = struct{}{}
		}
	}
	return l
}

// mostWords bounds what is kept of a page.
const mostWords = 4096

func noLetter(r rune) bool {
	return r < 0x80 && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}

// like reports whether two pages are one: the same octets, or with one title, and all but one in
// twenty of their words in both.
func (l *likeness) like(m *likeness) bool {
	if l.size > 0 && l.size == m.size && l.sum == m.sum {
		return true
	}
	if l.title != m.title || len(l.words) == 0 {
		return false
	}
	both := 0
	for word := range l.words {
		if _, ok := m.words[word]; ok {
			both++
		}
	}
	return both*20 >= (len(l.words)+len(m.words)-both)*19
}

// confesses says how a page tells that what was meant is not there, or "".
func (l glance) confesses() string {
	title, where := strings.ToLower(l.title), "the page is there, and its title is"
	if l.title == "" {
		title, where = strings.ToLower(l.short), "the page is there, and all it says is"
	}
	words := strings.FieldsFunc(title, noLetter)
	// The number says nothing by itself: a page may be the 404th, or about it.
	gone := slices.Contains(words, "404") && (slices.Contains(words, "error") || len(words) == 1)
	for _, phrase := range notThere {
		gone = gone || strings.Contains(title, phrase)
	}
	if gone && len(words) <= 12 {
		return fmt.Sprintf("%s %q", where, strings.TrimSpace(cmp.Or(l.title, l.short)))
	}
	if l.title != "" && offers(title) {
		return fmt.Sprintf("the domain looks parked: the page's title is %q", l.title)
	}
	return ""
}

// notThere is what the titles of such pages say.
var notThere = [...]string{
	"page not found", "404 not found", "file not found", "document not found", "page does not exist", "page doesn't exist", "page no longer available",
	"seite nicht gefunden", "page introuvable", "page non trouvée", "página no encontrada", "página não encontrada", "pagina non trovata",
	"pagina niet gevonden", "sidan hittades inte", "siden blev ikke fundet", "strona nie została znaleziona", "страница не найдена", "ページが見つかりません", "页面不存在", "找不到页面",
}

// offers reports whether a text, in lower case, is what stands on parked domains.
func offers(text string) bool {
	for _, words := range [...]string{"domain is for sale", "domain for sale", "buy this domain", "domain is parked", "parked domain", "domain parking", "domain may be for sale", "domain has expired", "domain name is for sale"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// titleOf gives a page's title, on one line.
func titleOf(body []byte) string {
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "title" {
				if z.Next() != html.TextToken {
					return ""
				}
				return titleText(z.Text())
			} else if string(name) == "body" {
				return ""
			}
		}
	}
}

// titleText is a title on one line, as far as it is looked at.
func titleText(raw []byte) string {
	text := strings.Join(strings.Fields(string(raw)), " ")
	return strings.ToValidUTF8(text[:min(len(text), 200)], "")
}
