package gateway

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/internal/quote"
	"anyurl/scheme"
	"anyurl/scheme/known"
)

//go:embed page/*.html
var pageFiles embed.FS

//go:embed static
var staticFiles embed.FS

// pages are the templates and what they need.
type pages struct {
	t       *template.Template
	assets  map[string]asset
	style   template.CSS
	inlined string // the policy of a page that carries its style
}

// An asset is a file of ours that pages name.
type asset struct {
	body    []byte
	typ     string
	version string
}

func newPages() *pages {
	p := &pages{assets: map[string]asset{}}
	types := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
	files, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err) // they are built in
	}
	for _, f := range files {
		body, err := staticFiles.ReadFile("static/" + f.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		_, ending, _ := strings.Cut(f.Name(), ".")
		p.assets[f.Name()] = asset{body, types[ending], base64.RawURLEncoding.EncodeToString(sum[:6])}
	}
	p.style = template.CSS(p.assets["style.css"].body)
	sum := sha256.Sum256([]byte(p.style))
	p.inlined = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src *; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
	p.t = template.Must(template.New("").Funcs(template.FuncMap{
		"static": func(name string) string { return "/static/" + name + "?v=" + p.assets[name].version },
		"safe":   quote.Text,
		"octets": octets,
		"day":    day,
		"first":  firstSentence,
		"count":  count,
		"href":   func(s string) template.URL { return template.URL(s) },
		"style":  func() template.CSS { return p.style },
	}).ParseFS(pageFiles, "page/*.html"))
	return p
}

// static answers with a file of ours.
func (p *pages) static(w http.ResponseWriter, r *http.Request, name string) bool {
	a, ok := p.assets[name]
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", a.typ)
	h.Set("Etag", `"`+a.version+`"`)
	h["Cross-Origin-Resource-Policy"] = ownSite
	h.Set("Cache-Control", "public, max-age=3600")
	if r.URL.RawQuery == "v="+a.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
	return true
}

// A page is what the frame around every content needs.
type page struct {
	Title    string
	Shown    string // the URL it stands for, masked and escaped
	Crumbs   []crumb
	Scheme   *scheme.Scheme
	Reading  []row
	Findings []audit.Finding
	Alerts   []audit.Finding // those to see before anything else
	Facts    []row           // about the object
	Notes    []string
	Actions  []choice
	Form     *form
	Headed   bool // the content has a heading of its own
	Proxy    bool
	Tour     bool   // there is one
	Typed    string // what the address field holds
	Content  template.HTML
}

// A row is a name and what it stands for.
type row struct{ Name, Value string }

// A crumb is one step of the way to where a page is.
type crumb struct{ Name, Href string }

// A choice is something to do.
type choice struct{ Href, Name string }

// write puts content into its frame.
func (p *pages) write(frame *page, name string, content any) ([]byte, error) {
	var b bytes.Buffer
	if err := p.t.ExecuteTemplate(&b, name, content); err != nil {
		return nil, err
	}
	frame.Content = template.HTML(b.String())
	b.Reset()
	if err := p.t.ExecuteTemplate(&b, "frame", frame); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// send writes a page. Where keep is set and all went well, it is kept for the
// next who asks for the same.
func (v *visit) send(status int, frame *page, name string, content any, keep time.Time) {
	if a := v.write(status, frame, name, content, keep); a != nil {
		a.send(v.w, v.r, v.g.o.Now())
	}
}

// write makes a page; nil is one that could not be made, which is answered for.
func (v *visit) write(status int, frame *page, name string, content any, keep time.Time) *answer {
	frame.Proxy, frame.Tour = v.proxy, v.g.o.Tour != nil
	frame.Headed = slices.Contains([]string{"problem", "ask", "outside", "unopened", "binary", "letter", "console", "mail"}, name)
	if lines, ok := content.([]line); ok {
		frame.Headed = headed(lines)
	}
	body, err := v.g.pages.write(frame, name, content)
	if err != nil {
		v.g.o.Log.Error("a page could not be written", "page", name, "error", masked(err.Error()))
		http.Error(v.w, "the page could not be written", http.StatusInternalServerError)
		return nil
	}
	rules := policy
	if v.proxy {
		rules = v.g.pages.inlined
	}
	a := newAnswer(status, body, rules)
	a.logged = logTarget(v.r.RequestURI)
	if a.expires = keep; !keep.IsZero() && status == http.StatusOK && !v.proxy && len(v.views) == 0 {
		v.g.cache.put("page "+v.target, a, int64(cap(body)), keep)
	}
	return a
}

// frame is the page about the URL of the visit.
func (v *visit) frame() *page {
	p := &page{Shown: masked(v.url.String()), Typed: masked(v.url.String()), Findings: v.findings, Reading: reading(v.url)}
	p.Title = p.Shown
	if s, ok := known.Lookup(v.url.Scheme()); ok {
		p.Scheme = &s
	}
	passes := v.g.o.Gate(v.url) == nil
	for _, f := range v.findings {
		if f.Severity >= audit.Warning && !(f.Blocks && passes) && !(f.Code == "scheme-unexpected" && v.g.opens(v.url.Scheme())) {
			p.Alerts = append(p.Alerts, f)
		}
	}
	return p
}

// reading is what the scheme makes of a URL, or the rule that it breaks.
func reading(u anyurl.URL) []row {
	s, ok := known.Lookup(u.Scheme())
	if !ok || s.Read == nil {
		return parts(u)
	}
	ref, err := s.Read(u)
	if err != nil {
		return append(parts(u), row{"rule broken", masked(err.Error())})
	}
	text, err := json.Marshal(ref)
	if err != nil {
		return parts(u)
	}
	rows := rowsOf(text)
	if len(rows) == 0 {
		return parts(u)
	}
	return rows
}

// parts is a URL by the URL Standard alone.
func parts(u anyurl.URL) (rows []row) {
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, row{name, masked(value)})
		}
	}
	add("scheme", u.Scheme())
	add("user", u.Username())
	add("host", u.HostPort())
	add("path", u.Path())
	add("query", u.Query())
	add("fragment", u.Fragment())
	return rows
}

// rowsOf reads a JSON object in the order in which it is written.
func rowsOf(text []byte) (rows []row) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return rows
		}
		name, _ := t.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return rows
		}
		switch {
		case name == "password":
			rows = append(rows, row{name, quote.Hidden})
		case string(value) == "null", string(value) == `""`, string(value) == "false", isHas(name):
		default:
			rows = append(rows, row{spaced(name), valueOf(value)})
		}
	}
	return rows
}

// isHas tells the fields that say whether another is there: "hasUser".
func isHas(name string) bool {
	rest, ok := strings.CutPrefix(name, "has")
	return ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

// spaced is a field's name as words: "messageId" is "message id".
func spaced(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r |= 0x20
		}
		b.WriteRune(r)
	}
	return b.String()
}

// valueOf is a JSON value for a person.
func valueOf(v json.RawMessage) string {
	if string(v) == "true" {
		return "yes"
	}
	var s string
	if json.Unmarshal(v, &s) == nil {
		return masked(s)
	}
	var list []string
	if json.Unmarshal(v, &list) == nil {
		for i, s := range list {
			list[i] = "“" + masked(s) + "”"
		}
		return strings.Join(list, ", ")
	}
	return masked(string(v))
}

// octets is a size for a person.
func octets(n int64) string {
	switch {
	case n < 0:
		return ""
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 999_500:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	case n < 999_500_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
	return strconv.FormatFloat(float64(n)/1e9, 'f', 1, 64) + " GB"
}

// day is a time for a person; "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// count is a number of things, in words.
func count(n int, one, many string) string { return counted(uint64(n), one, many) }

// counted is count for a number that a server gave.
func counted(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatUint(n, 10) + " " + many
}

// firstSentence is as much of a text as a card has room for.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
