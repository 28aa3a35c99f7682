package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An answer is what the site says to one path.
type answer struct {
	status   int // 0: 200
	kind     string
	body     string
	location string
	slow     time.Duration
	headless bool // HEAD is answered 405, as by servers that do not know it
	flaky    int  // the status of the first answer, where the second is another
}

// A site is what is served, and the truth about it.
type site struct {
	origin  string // "http://127.0.0.1:PORT"
	answers map[string]answer
	soft    string // a folder where every path has the one page
	links   int
	inOrder []string        // those of a list
	targets map[string]bool // what the pages link to, without fragments
	broken  map[string]bool // the links that lead nowhere, fragments included
	suspect map[string]bool // those that answer, though what was meant is gone
	random  *rand.Rand
}

const (
	pages  = 2000
	leaves = 11_900
	perRow = 45 // pages a section
)

func newSite(origin string, flaky bool) *site {
	s := &site{
		origin: origin, answers: map[string]answer{}, soft: "/soft/", random: rand.New(rand.NewPCG(17, 38)),
		targets: map[string]bool{}, broken: map[string]bool{}, suspect: map[string]bool{},
	}
	if flaky {
		s.flakySite()
		return s
	}
	s.leaves()
	for i := range pages {
		s.page(i)
	}
	s.sections()
	s.constructs()
	return s
}

// href counts a link and gives it as it is written.
func (s *site) href(path string) string {
	s.links++
	url := path
	if strings.HasPrefix(path, "/") {
		url = s.origin + path
	}
	target, _, _ := strings.Cut(url, "#")
	s.targets[target] = true
	return path
}

// far is href for what only a server can answer, with scheme and host.
func (s *site) far(path string) string {
	s.href(path)
	return s.origin + path
}

// dead is href for what is broken.
func (s *site) dead(path string) string {
	if strings.HasPrefix(path, "/") {
		s.broken[s.origin+path] = true
	} else {
		s.broken[path] = true
	}
	return s.href(path)
}

// A leaf's kind depends on its number alone: those below the sum of the counts
// are special.
var special = []struct {
	kind  string
	count int
}{
	{"404", 420}, {"410", 40}, {"500", 30}, {"to404", 40}, {"loop", 10}, {"refused", 10},
	{"301", 200}, {"302", 150}, {"chain", 50}, {"slow", 60}, {"headless", 60}, {"soft", 60}, {"image", 1500}, {"query", 300}, {"escaped", 200},
}

func kindOf(leaf int) string {
	// Spread over the pages by a step that has no factor in common with the count.
	n := leaf * 13 % leaves
	for _, k := range special {
		if n < k.count {
			return k.kind
		}
		n -= k.count
	}
	return "page"
}

const filler = "<p>Some words that stand here so that the page has a length, as pages have.</p>\n"

func (s *site) leaves() {
	for i := range leaves {
		path := leafPath(i)
		switch kindOf(i) {
		case "410":
			s.answers[path] = answer{status: 410, kind: "text/html", body: "gone"}
		case "500":
			s.answers[path] = answer{status: 500, kind: "text/html", body: "out of order"}
		case "to404":
			s.answers[path] = answer{status: 302, location: fmt.Sprintf("/nowhere/%d", i)}
		case "loop":
			s.answers[path] = answer{status: 302, location: path + "b"}
			s.answers[path+"b"] = answer{status: 302, location: path}
		case "301":
			s.answers[path] = answer{status: 301, location: fmt.Sprintf("/new/%d.html", i)}
			s.answers[fmt.Sprintf("/new/%d.html", i)] = html("new place", filler)
		case "302":
			s.answers[path] = answer{status: 302, location: "/new/today.html"}
		case "chain":
			s.answers[path] = answer{status: 302, location: path + "b"}
			s.answers[path+"b"] = answer{status: 302, location: path + "c"}
			s.answers[path+"c"] = answer{status: 307, location: "/new/today.html"}
		case "slow":
			a := html("slow", filler)
			a.slow = 200 * time.Millisecond
			s.answers[path] = a
		case "headless":
			a := html("no HEAD here", filler)
			a.headless = true
			s.answers[path] = a
		case "image":
			s.answers[path] = answer{kind: "image/png", body: "\x89PNG\r\n\x1a\n"}
		case "page", "query", "escaped":
			s.answers[path] = html(fmt.Sprintf("leaf %d", i), strings.Repeat(filler, 5))
		}
	}
	s.answers["/new/today.html"] = html("today", filler)
}

func html(title, body string) answer {
	return answer{kind: "text/html; charset=utf-8", body: "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>" + title + "</title></head>\n<body>\n" + body + "</body></html>\n"}
}

func leafPath(i int) string {
	switch kindOf(i) {
	case "image":
		return fmt.Sprintf("/i/%d.png", i)
	case "query":
		return fmt.Sprintf("/q/item?n=%d&x=1", i)
	case "escaped":
		return fmt.Sprintf("/l/caf%%C3%%A9%%20%d.html", i)
	case "soft":
		return fmt.Sprintf("/soft/%d.html", i)
	}
	return fmt.Sprintf("/l/%d.html", i)
}

// leafLink writes the element that links to a leaf.
func (s *site) leafLink(i int) string {
	path := leafPath(i)
	a := func(href string) string {
		return `<a href="` + strings.ReplaceAll(href, "&", "&amp;") + `">a leaf</a>`
	}
	switch kindOf(i) {
	case "404":
		return a(s.dead(path))
	case "410", "500", "to404", "loop":
		s.broken[s.origin+path] = true
		return a(s.far(path))
	case "refused":
		return a(s.dead(strings.Replace(s.origin, "127.0.0.1", "127.0.0.2", 1) + "/" + fmt.Sprint(i)))
	case "301", "302", "chain", "slow", "headless", "query":
		return a(s.far(path))
	case "soft":
		s.suspect[s.origin+path] = true
		return a(s.far(path))
	case "image":
		return `<img alt="" src="` + s.href(path) + `">`
	}
	return a(s.href(path))
}

// page writes page i: its way up and on, its own leaves, leaves of others, and
// places in other pages.
func (s *site) page(i int) {
	var b strings.Builder
	link := func(path, text string) { fmt.Fprintf(&b, "<a href=%q>%s</a>\n", s.href(path), text) }
	link("/", "home")
	link(fmt.Sprintf("/s/%d.html", i/perRow), "up")
	link(pagePath((i+1)%pages), "on")
	for section := range 4 {
		fmt.Fprintf(&b, "<h2 id=s%d>Part %d</h2>\n%s", section, section, filler)
	}
	for leaf := i; leaf < leaves; leaf += pages {
		b.WriteString(s.leafLink(leaf) + "\n")
	}
	for range 28 {
		b.WriteString(s.leafLink(s.random.IntN(leaves)) + "\n")
	}
	for range 12 {
		link(fmt.Sprintf("%s#s%d", pagePath(s.random.IntN(pages)), s.random.IntN(4)), "a part")
	}
	if i%40 == 0 {
		fmt.Fprintf(&b, "<a href=%q>no such part</a>\n", s.dead(pagePath(s.random.IntN(pages))+"#none"))
	}
	if i%40 == 1 {
		fmt.Fprintf(&b, "<a href=%q>nor here</a>\n", s.dead(pagePath(i)+"#nowhere-"+fmt.Sprint(i)))
	}
	s.answers[pagePath(i)] = html(fmt.Sprintf("Page %d", i), b.String())
}

func pagePath(i int) string { return fmt.Sprintf("/p/%d.html", i) }

func (s *site) sections() {
	var index strings.Builder
	for section := 0; section*perRow < pages; section++ {
		path := fmt.Sprintf("/s/%d.html", section)
		fmt.Fprintf(&index, "<a href=%q>section %d</a>\n", s.href(path), section)
		var b strings.Builder
		for i := section * perRow; i < min(pages, (section+1)*perRow); i++ {
			fmt.Fprintf(&b, "<a href=%q>page %d</a>\n", s.href(pagePath(i)), i)
		}
		s.answers[path] = html(fmt.Sprintf("Section %d", section), b.String())
	}
	fmt.Fprintf(&index, "<a href=%q>ways to write a link</a>\n<a href=%q>with a base</a>\n", s.href("/c/ways.html"), s.href("/c/base.html"))
	s.answers["/"] = html("The site", index.String())
}

// constructs are the ways to link that one program or another gets wrong: each
// once to what is there and once to what is not.
func (s *site) constructs() {
	var b strings.Builder
	there := func(name string) string {
		path := "/c/there/" + name
		if _, ok := s.answers[path]; !ok {
			s.answers[path] = answer{kind: "image/png", body: "\x89PNG\r\n\x1a\n"}
		}
		return s.href(path)
	}
	gone := func(name string) string { return s.dead("/c/gone/" + name) }
	both := func(format, name string) {
		fmt.Fprintf(&b, format+"\n", there(name))
		fmt.Fprintf(&b, format+"\n", gone(name))
	}
	both(`<svg><image href="%s"/></svg>`, "svg-image.png")
	both(`<svg><image xlink:href="%s"/></svg>`, "svg-xlink.png")
	s.answers["/c/there/sprite.svg"] = answer{kind: "image/svg+xml", body: `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="icon"/></svg>`}
	fmt.Fprintf(&b, "<svg><use href=\"%s#icon\"/></svg>\n", there("sprite.svg"))
	fmt.Fprintf(&b, "<svg><use href=\"%s\"/></svg>\n", s.dead("/c/there/sprite.svg#none"))
	fmt.Fprintf(&b, "<svg><use href=\"%s#icon\"/></svg>\n", strings.TrimSuffix(s.dead("/c/gone/sprite.svg#icon"), "#icon"))
	both(`<img alt="" srcset="%s 1x">`, "srcset-one.png")
	fmt.Fprintf(&b, "<img alt=\"\" srcset=\"%s 1x, %s 2x,%s 3x\">\n", there("set-1.png"), there("set-2.png"), gone("set-3.png"))
	both(`<picture><source srcset="%s"><img alt="" src="/c/there/svg-image.png"></picture>`, "source.png")
	both(`<map name=m><area alt="" shape=default href="%s"></map>`, "area.png")
	both(`<video poster="%s"></video>`, "poster.png")
	both(`<video><source src="%s"></video>`, "video.mp4")
	both(`<video><track src="%s"></video>`, "track.vtt")
	both(`<object data="%s"></object>`, "object.png")
	both(`<embed src="%s">`, "embed.png")
	both(`<iframe src="%s"></iframe>`, "frame.png")
	both(`<input type=image alt="" src="%s">`, "input.png")
	both(`<div style="background: url(%s)"></div>`, "style-attribute.png")
	both(`<style>p { background: url("%s") }</style>`, "style-element.png")
	both(`<style>@import "%s";</style>`, "import.css")
	both(`<blockquote cite="%s">words</blockquote>`, "cite.html")
	both(`<link rel=preload as=image imagesrcset="%s 1x">`, "preload.png")
	both(`<script src="%s"></script>`, "script.js")
	both(`<A HREF=%s>upper case, no quotes</A>`, "upper.html")
	both("<a href=\" %s\n\">white space around</a>", "space.html")
	for _, name := range []string{"script.js", "import.css", "cite.html", "upper.html", "space.html", "track.vtt"} {
		s.answers["/c/there/"+name] = answer{kind: map[string]string{".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".vtt": "text/vtt"}[filepath.Ext(name)], body: "\n"}
	}
	fmt.Fprintf(&b, "<meta http-equiv=refresh content=\"3600; url=%s\">\n", there("refresh.html"))
	fmt.Fprintf(&b, "<meta http-equiv=refresh content=\"3600; url=%s\">\n", gone("refresh.html"))
	s.answers["/c/there/refresh.html"] = html("refreshed", filler)
	// A style sheet that links on.
	fmt.Fprintf(&b, "<link rel=stylesheet href=%q>\n", s.href("/c/style.css"))
	s.answers["/c/style.css"] = answer{kind: "text/css", body: fmt.Sprintf("@import url(%s);\n@import '%s';\nbody { background: url(%s) }\np { background: url('%s') }\n",
		there("sheet.css"), gone("sheet.css"), there("sheet.png"), gone("sheet.png"))}
	s.answers["/c/there/sheet.css"] = answer{kind: "text/css", body: "\n"}
	// Places in the page.
	here := "/c/ways.html"
	b.WriteString(filler + "<p id=by-id>x</p><a name=by-name>y</a><p id=\"café\">z</p><p id=\"a b\">w</p>\n")
	for _, fragment := range []string{"", "top", "TOP", "by-id", "by-name", "caf%C3%A9", "café", "a%20b", ":~:text=Some%20words", "by-id:~:text=x"} {
		s.href(here)
		fmt.Fprintf(&b, "<a href=\"#%s\">here</a>\n", fragment)
	}
	for _, fragment := range []string{"by-Id", "no-name", "caf%C3%A8"} {
		s.dead(here + "#" + fragment)
		fmt.Fprintf(&b, "<a href=\"#%s\">not here</a>\n", fragment)
	}
	b.WriteString("<img alt=\"\" src=\"data:image/png;base64,iVBORw0KGgo=\"><a href=\"data:,hello\">data</a>\n")
	b.WriteString("<a href=\"mailto:someone@example.com\">mail</a><a href=\"tel:+15550100\">call</a><a href=\"javascript:void(0)\">run</a>\n")
	b.WriteString("<!-- <a href=\"/c/gone/in-a-comment.html\">no link</a> -->\n")
	b.WriteString("<link rel=preconnect href=\"http://127.0.0.2:7\"><link rel=dns-prefetch href=\"//127.0.0.2:7\">\n")
	s.answers[here] = html("Ways to write a link", b.String())
	s.answers["/c/base.html"] = answer{kind: "text/html", body: fmt.Sprintf("<!doctype html><html><head><title>Base</title><base href=%q></head><body><a href=\"based.html\">x</a><a href=\"not-based.html\">y</a><a href=\"/c/there/cite.html\">z</a></body></html>\n", "/c/there/")}
	s.answers["/c/there/based.html"] = html("based", filler)
	s.href("/c/there/based.html")
	s.dead("/c/there/not-based.html")
}

// flakySite is small, as its waits are long: what fails once, and what is slow.
func (s *site) flakySite() {
	var index strings.Builder
	for i := range 400 {
		path := fmt.Sprintf("/l/%d.html", i)
		a := html("leaf", filler)
		switch {
		case i%20 == 3:
			a.flaky = 503
		case i%20 == 7:
			a.flaky = 429
		case i%40 == 11:
			a.flaky = -1 // the connection is closed without an answer
		case i%40 == 13:
			a.flaky = 502
		case i%20 == 17:
			a.slow = 2 * time.Second
		case i%20 == 19:
			s.dead(path)
			s.links--
			fmt.Fprintf(&index, "<a href=%q>a leaf</a>\n", s.origin+path)
			s.links++
			continue
		}
		s.answers[path] = a
		fmt.Fprintf(&index, "<a href=%q>a leaf</a>\n", s.far(path))
	}
	s.answers["/"] = html("A flaky site", index.String())
}

// write puts what a web server would have as files under dir, for programs that
// read folders.
func (s *site) write(dir string) error {
	for path, a := range s.answers {
		if a.status != 0 || a.flaky != 0 || strings.Contains(path, "?") {
			continue
		}
		if path == "/" {
			path = "/index.html"
		}
		path = strings.NewReplacer("%C3%A9", "é", "%20", " ").Replace(path)
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(a.body), 0o644); err != nil {
			return err
		}
	}
	return nil
}
