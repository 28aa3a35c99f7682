package gateway

import (
	"bytes"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"anyurl"
	"anyurl/percent"
)

// A line is one line of a capsule's page, or one block of a page that was HTML.
type line struct {
	Kind string // "p", "h1" to "h3", "link", "item", "quote", "pre", "ask"
	Text []stretch
	Link link
	Href string // of a form: what is asked
}

// gemtext reads a page of Geminispace, line by line as its specification says.
func (v *visit) gemtext(text string, frame *page) (list []line) {
	var pre []string
	inPre := false
	spartan := v.url.Scheme() == "spartan"
	title := ""
	for s := range strings.Lines(text) {
		s = readable([]byte(strings.TrimRight(s, "\n")))
		switch {
		case strings.HasPrefix(s, "```"):
			if inPre {
				list = append(list, line{Kind: "pre", Text: []stretch{{Text: strings.Join(pre, "\n")}}})
				pre = nil
			}
			inPre = !inPre
		case inPre:
			pre = append(pre, s)
		case strings.HasPrefix(s, "=>"), spartan && strings.HasPrefix(s, "=:"):
			rest := strings.TrimLeft(s[2:], " \t")
			place, name := rest, ""
			if i := strings.IndexAny(rest, " \t"); i >= 0 {
				place, name = rest[:i], strings.TrimSpace(rest[i:])
			}
			if name == "" {
				name = place
			}
			l := line{Kind: "link", Text: []stretch{{Text: masked(name)}}, Link: v.link(place)}
			if s[1] == ':' && !v.proxy { // a form would lead to the gateway, which is nobody's base there
				if u, err := anyurl.ParseRef(place, v.url); err == nil {
					l.Kind, l.Href = "ask", withoutPassword(u).String()
				}
			}
			list = append(list, l)
		case strings.HasPrefix(s, "#"):
			level := len(s) - len(strings.TrimLeft(s, "#"))
			words := strings.TrimSpace(strings.TrimLeft(s, "#"))
			if title == "" {
				title = masked(words)
			}
			list = append(list, line{Kind: []string{"h1", "h2", "h3"}[min(level, 3)-1], Text: []stretch{{Text: words}}})
		case strings.HasPrefix(s, "* "):
			list = append(list, line{Kind: "item", Text: []stretch{{Text: s[2:]}}})
		case strings.HasPrefix(s, ">"):
			list = append(list, line{Kind: "quote", Text: []stretch{{Text: strings.TrimSpace(s[1:])}}})
		case strings.TrimSpace(s) != "":
			list = append(list, line{Kind: "p", Text: []stretch{{Text: s}}})
		}
	}
	if len(pre) > 0 {
		list = append(list, line{Kind: "pre", Text: []stretch{{Text: strings.Join(pre, "\n")}}})
	}
	if title != "" {
		frame.Title = title
	}
	return list
}

// headed reports whether a page has a heading of its own above all others.
func headed(lines []line) bool {
	for _, l := range lines {
		switch l.Kind {
		case "h1":
			return true
		case "h2", "h3":
			return false
		}
	}
	return false
}

// mostLines bounds the blocks of a page that was HTML.
const mostLines = 20_000

// prose shows what a page of HTML says: its words, headings, lists and links, and
// nothing of how it looks or what it does.
func (v *visit) prose(body []byte, frame *page) []line {
	p := &prose{visit: v, kind: "p"}
	z := html.NewTokenizer(bytes.NewReader(body))
	z.SetMaxBuf(1 << 20)
	for len(p.list) < mostLines {
		if z.Next() == html.ErrorToken {
			break
		}
		p.token(z.Token())
	}
	p.flush()
	if t := strings.TrimSpace(p.title.String()); t != "" {
		frame.Title = masked(t)
	}
	return p.list
}

// plain is what a page of HTML says, as text alone.
func plain(body []byte) string {
	p := &prose{kind: "p"}
	z := html.NewTokenizer(bytes.NewReader(body))
	z.SetMaxBuf(1 << 20)
	for len(p.list) < mostLines && z.Next() != html.ErrorToken {
		p.token(z.Token())
	}
	p.flush()
	var b strings.Builder
	for _, l := range p.list {
		for _, s := range l.Text {
			b.WriteString(s.Text)
		}
		b.WriteString("\n\n")
	}
	return strings.TrimSpace(b.String())
}

// prose gathers blocks out of tags.
type prose struct {
	*visit
	list    []line
	text    []stretch
	kind    string
	link    link
	title   strings.Builder
	skip    atom.Atom // inside what is not for reading
	inTitle bool
	inPre   bool
	space   bool // the text so far ends in a space
}

func (p *prose) token(t html.Token) {
	switch t.Type {
	case html.TextToken:
		switch {
		case p.skip != 0:
		case p.inTitle:
			p.title.WriteString(t.Data)
		default:
			p.words(t.Data)
		}
	case html.StartTagToken, html.SelfClosingTagToken:
		p.begin(t)
	case html.EndTagToken:
		p.end(t.DataAtom)
	}
}

func (p *prose) begin(t html.Token) {
	if p.skip != 0 {
		return
	}
	switch t.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Svg, atom.Select, atom.Textarea, atom.Button:
		if t.Type == html.StartTagToken {
			p.skip = t.DataAtom
		}
	case atom.Title:
		p.inTitle = true
	case atom.H1, atom.H2, atom.H3:
		p.flush()
		p.kind = t.Data
	case atom.H4, atom.H5, atom.H6:
		p.flush()
		p.kind = "h3"
	case atom.Li, atom.Dt, atom.Dd:
		p.flush()
		p.kind = "item"
	case atom.Blockquote:
		p.flush()
		p.kind = "quote"
	case atom.Pre:
		p.flush()
		p.kind, p.inPre = "pre", true
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Tr, atom.Table, atom.Ul, atom.Ol, atom.Dl, atom.Hr, atom.Header, atom.Footer, atom.Nav, atom.Main, atom.Form, atom.Body:
		p.flush()
	case atom.Br:
		if p.inPre {
			p.words("\n")
		} else {
			p.add("\n")
		}
	case atom.Td, atom.Th:
		p.words(" ")
	case atom.A:
		p.link = link{}
		if place := attribute(t, "href"); place != "" && p.visit != nil {
			p.link = p.visit.link(place)
		}
	case atom.Img:
		p.picture(attribute(t, "src"), attribute(t, "alt"))
	}
}

// picture stands for an image: a word that opens it.
func (p *prose) picture(src, alt string) {
	if alt == "" && src == "" || p.visit == nil {
		return
	}
	if alt == "" {
		alt = "picture"
	}
	if keep := p.link; keep.Href == "" {
		p.link = p.visit.link(src)
		p.add("[" + readable([]byte(alt)) + "]")
		p.link = keep
		return
	}
	p.add("[" + readable([]byte(alt)) + "]")
}

func (p *prose) end(a atom.Atom) {
	if p.skip != 0 {
		if a == p.skip {
			p.skip = 0
		}
		return
	}
	switch a {
	case atom.Title:
		p.inTitle = false
	case atom.A:
		p.link = link{}
	case atom.Pre:
		p.flush()
		p.inPre = false
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Dt, atom.Dd, atom.Blockquote, atom.P, atom.Div, atom.Tr, atom.Table, atom.Section, atom.Article, atom.Ul, atom.Ol, atom.Dl:
		p.flush()
	}
}

// words adds text; outside pre, runs of white space are one space.
func (p *prose) words(s string) {
	if p.inPre {
		p.add(readable([]byte(s)))
		return
	}
	var b strings.Builder
	for _, r := range readable([]byte(s)) {
		if r == ' ' || r == '\n' || r == '\t' {
			if !p.space {
				b.WriteByte(' ')
				p.space = true
			}
			continue
		}
		p.space = false
		b.WriteRune(r)
	}
	if b.Len() > 0 {
		p.add(b.String())
	}
}

func (p *prose) add(s string) {
	if len(p.text) == 0 && strings.TrimSpace(s) == "" && !p.inPre {
		return
	}
	p.text = append(p.text, stretch{s, p.link})
	p.space = strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\n")
}

func (p *prose) flush() {
	if len(p.text) > 0 {
		p.list = append(p.list, line{Kind: p.kind, Text: p.text})
	}
	p.text, p.space = nil, true
	if !p.inPre {
		p.kind = "p"
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// input answers for a server that wants words: a capsule's status 10.
func (v *visit) input(err error) bool {
	status, said := statusOf(err)
	if v.url.Scheme() != "gemini" || status/10 != 1 {
		return false
	}
	frame := v.frame()
	frame.Crumbs = v.crumbs()
	prompt := readable([]byte(said))
	if prompt == "" {
		prompt = "The page wants to know something"
	}
	if v.proxy {
		v.isindex(form{Prompt: prompt}) // what that puts behind the "?" is what a capsule reads
		return true
	}
	v.send(200, frame, "search", form{Base: withoutPassword(v.url).String(), Prompt: prompt, Secret: status == 11}, time.Time{})
	return true
}

// asked is u with words for its server.
func asked(u anyurl.URL, words string) (anyurl.URL, error) {
	return u.WithoutFragment().WithQuery(percent.Encode(words, &percent.Component))
}
