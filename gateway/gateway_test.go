package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"anyurl/fetch"
)

// The menus, folders and articles of a host where everything is.
var world = map[string]fetch.Response{
	"gopher://a.example/1": {Protocol: "gopher", Type: "application/gopher-menu", Listing: true, Entries: []fetch.Entry{
		{Name: "Welcome", Type: "i", Size: -1},
		{Name: "About", Type: "0", URL: "gopher://a.example/0about", Size: -1},
		{Name: "Find", Type: "7", URL: "gopher://a.example/7find", Size: -1},
		{Name: "Elsewhere", Type: "h", URL: "https://b.example/x", Size: -1},
		{Name: "Trap", Type: "h", URL: "javascript:alert(1)", Size: -1},
	}},
	"gopher://a.example/0about": {Protocol: "gopher", Type: "text/plain", Size: -1},
	"ftp://a.example/pub/": {Protocol: "ftp", Type: "text/plain", Listing: true, Entries: []fetch.Entry{
		{Name: "b.txt", Type: "file", URL: "ftp://a.example/pub/b.txt", Size: 2000, Time: time.Date(2020, 1, 2, 3, 4, 0, 0, time.UTC)},
		{Name: "a.gif", Type: "file", URL: "ftp://a.example/pub/a.gif", Size: 30},
		{Name: "sub", Type: "dir", URL: "ftp://a.example/pub/sub/", Size: -1},
	}},
	"ftp://a.example/pub/a.gif": {Protocol: "ftp", Type: "image/gif", Size: 6, ModTime: time.Date(2020, 1, 2, 3, 4, 0, 0, time.UTC)},
}

var bodies = map[string]string{
	"gopher://a.example/0about": "About a.example\r\nSee gopher://a.example/1 and javascript:alert(1) <script>alert(1)</script>\r\n",
	"ftp://a.example/pub/a.gif": "GIF89a",
}

// answers is a transport over the world.
func answers(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	key := req.URL.String()
	resp, ok := world[key]
	if !ok {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Said: "550 <b>no</b>", Err: errors.New("it has nothing there")}
	}
	resp.URL = req.URL
	if resp.Size == 0 {
		resp.Size = -1
	}
	body := bodies[key]
	if req.Offset > 0 && req.Offset <= int64(len(body)) {
		body = body[req.Offset:]
		resp.Offset = req.Offset
		resp.Size -= req.Offset
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return &resp, nil
}

// try makes a gateway over a transport for every scheme.
func try(t testing.TB, transport fetch.TransportFunc, change func(*Options)) *Gateway {
	t.Helper()
	m := map[string]fetch.Transport{}
	for _, name := range []string{"gopher", "ftp", "news", "nntp", "wais", "z39.50s", "z39.50r", "gemini", "spartan", "finger", "dict", "telnet", "data", "http", "https"} {
		m[name] = transport
	}
	o := Options{Client: &fetch.Client{Transports: m}}
	if change != nil {
		change(&o)
	}
	return New(o)
}

// ask sends one request; fields are name, value, name, value.
func ask(g *Gateway, target string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/", nil)
	r.RequestURI = target
	r.Host = "localhost:7070"
	r.RemoteAddr = "127.0.0.1:50000"
	for i := 0; i+1 < len(fields); i += 2 {
		switch fields[i] {
		case "Host":
			r.Host = fields[i+1]
		case "Method":
			r.Method = fields[i+1]
		case "From":
			r.RemoteAddr = fields[i+1]
		default:
			r.Header.Set(fields[i], fields[i+1])
		}
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

// holds fails the test unless the page has every text.
func holds(t *testing.T, w *httptest.ResponseRecorder, status int, texts ...string) {
	t.Helper()
	if w.Code != status {
		t.Errorf("status %d, want %d", w.Code, status)
	}
	for _, text := range texts {
		if !strings.Contains(w.Body.String(), text) {
			t.Errorf("the page lacks %q:\n%s", text, w.Body)
		}
	}
}

func TestPages(t *testing.T) {
	g := try(t, answers, nil)
	for _, tt := range []struct {
		target string
		status int
		has    []string
	}{
		{"/", 200, []string{"Every scheme", `href="/open?url=gopher`, "<title>anyurl</title>"}},
		{"/gopher/a.example/1", 200, []string{"Welcome", `<a href="/gopher/a.example/0about">`, `<a href="/gopher/a.example/7find">`,
			`<a href="https://b.example/x" rel="noreferrer external">`, "gopher://a.example/1", "scheme-dangerous"}},
		{"/gopher/a.example/0about", 200, []string{"About a.example", `<a href="/gopher/a.example/1">gopher://a.example/1</a>`, "&lt;script&gt;"}},
		{"/gopher/a.example/7find", 200, []string{"What to search for", `name="q"`, `value="gopher://a.example/7find"`}},
		{"/gopher/a.example/0none", 404, []string{"Not there", "it has nothing there", "reading the server&#39;s answer", "550 &lt;b&gt;no&lt;/b&gt;"}},
		{"/ftp/a.example/pub/", 200, []string{`<a href="/ftp/a.example/pub/b.txt">`, "2.0 kB", "2020-01-02 03:04", `aria-sort="ascending"`,
			`<a href="/~by-size/ftp/a.example/pub/">`, `<a href="/ftp/a.example/">a.example</a>`}},
		{"/ftp/a.example/pub/a.gif", 200, []string{`<img src="/~raw/ftp/a.example/pub/a.gif" alt="a.gif">`}},
		{"/https/b.example/x", 200, []string{"A page of the web", `href="https://b.example/x"`}},
		{"/mailto/joe@a.example?subject=Hi%20there", 200, []string{`value="joe@a.example"`, `value="Hi there"`, `action="/message"`}},
		{"/urn/isbn:0451450523", 501, []string{"read, not opened", "0451450523"}},
		{"/sftp/a.example/x", 501, []string{"Let another program open it"}},
		{"/nosuch/thing", 501, []string{"Nobody has heard of nosuch"}},
		{"/javascript/alert(1)", 403, []string{"Refused"}},
		{"/file//etc/passwd", 403, []string{"Refused"}},
		{"/telnet/a.example", 200, []string{"A service at a.example", "what it says first"}},
		{"/open?url=gopher%3A%2F%2F%5B%3A%3A1%2F1", 400, []string{"Not a URL", "URL Standard"}},
		{"/open?url=gopher.floodgap.example", 400, []string{"try gopher://gopher.floodgap.example"}},
		{"/ftp/joe:secret@a.example/", 400, []string{"A password in the address", `href="/ftp/a.example/"`}},
		{"/nowhere", 404, []string{"No such page"}},
		{"/static/style.css", 200, []string{"color-scheme"}},
		{"/healthz", 200, []string{"ok"}},
		{"/metrics", 200, []string{"anyurl_http_requests_total"}},
	} {
		t.Run(tt.target, func(t *testing.T) {
			holds(t, ask(g, tt.target), tt.status, tt.has...)
		})
	}
}

func TestSecretsStayOut(t *testing.T) {
	g := try(t, answers, nil)
	for _, target := range []string{"/ftp/joe:secret@a.example/", "/open?url=ftp%3A%2F%2Fjoe%3Asecret%40a.example%2F", "/explain?url=ftp%3A%2F%2Fjoe%3Asecret%40a.example%2F"} {
		if w := ask(g, target); strings.Contains(w.Body.String(), "secret@") || strings.Contains(w.Header().Get("Location"), "secret") {
			t.Errorf("%s shows the password:\n%s", target, w.Body)
		}
	}
}

func TestLogTarget(t *testing.T) {
	for _, tt := range []struct{ target, want string }{
		{"/gopher/a.example/1", "gopher://a.example/1"},
		{"/ftp/joe:secret@a.example/x", "ftp://joe:***@a.example/x"},
		{"/open?url=ftp%3A%2F%2Fjoe%3Asecret%40a.example%2F", "ftp://joe:***@a.example/"},
		{"/explain?url=ftp%3A%2F%2Fjoe%3Asecret%40a.example%2F", "/explain?…"},
		{"/explain?url=sftp%3A%2F%2Fjoe%3Asecre", "/explain?…"},
		{"/open?url=sftp%3A%2F%2Fjoe%3Asecret", "sftp:…"},
		{"/open?url=joe%3Asecret%40a.example", "joe:***@a.example"},
		{"/open?url=secret", "…"},
		{"/sftp/joe:secret", "sftp:…"},
		{"sftp://joe:secret", "sftp:…"},
		{"/gemini/a.example/?secret", "gemini://a.example/?…"},
		{"/http/a.example/x?token=secret#secret", "http://a.example/x?…"},
		{"/gopher/a.example/7find%09secret", "gopher://a.example/7find%09…"},
		{"/gopher/a.example/0a%09b", "gopher://a.example/0a%09b"},
		{"/wais/a.example/db?secret", "wais://a.example/db?…"},
		{"/dict/a.example/d:secret", "dict://a.example/…"},
		{"/finger/a.example/secret", "finger://a.example/…"},
		{"/z39.50s/a.example/db?secret;rs=marc", "z39.50s://a.example/db?…"},
		{"/data/text/plain,secret", "data:…"},
		{"/nosuch?x=secret", "/nosuch?…"},
		{"/search?url=gemini%3A%2F%2Fa.example&q=secret", "/search?…"},
		{"/message?body=secret", "/message?…"},
		{"/~raw/ftp/joe:secret@a.example/x", "~raw ftp://joe:***@a.example/x"},
		{"/~sure-key/ftp/a.example/x", "~sure ftp://a.example/x"},
		{"ftp://joe:secret@a.example/x", "ftp://joe:***@a.example/x"},
		{"/healthz", "/healthz"},
		{"/\x1b[2J", `/\u{1b}[2J`},
	} {
		if got := logTarget(tt.target); got != tt.want {
			t.Errorf("%q is logged as %q, want %q", tt.target, got, tt.want)
		}
	}
}

func TestTypedAddresses(t *testing.T) {
	g := try(t, answers, nil)
	for _, tt := range []struct{ input, to string }{
		{"gopher%3A%2F%2Fa.example%2F1", "/gopher/a.example/1"},
		{"%20GOPHER%3A%2F%2Fa.example%2F1", "/gopher/a.example/1"},
	} {
		w := ask(g, "/open?url="+tt.input)
		if w.Code != 303 || w.Header().Get("Location") != tt.to {
			t.Errorf("%s: %d, to %q, want %s", tt.input, w.Code, w.Header().Get("Location"), tt.to)
		}
	}
	// What is read as something else than it looks is shown before it is opened.
	holds(t, ask(g, `/open?url=http%3A%5C%5Ca.example%5Cx`), 403, "Look before you open", "http://a.example/x", "backslash")
}

func TestSortedFolders(t *testing.T) {
	g := try(t, answers, nil)
	for _, tt := range []struct{ view, want string }{
		{"", "sub a.gif b.txt"},
		{"~by-size/", "sub a.gif b.txt"},
		{"~by-size-down/", "b.txt a.gif sub"},
		{"~by-name-down/", "sub b.txt a.gif"}, // folders stay in front,
		{"~by-type/", "sub b.txt a.gif"},
		{"~by-time-down/", "b.txt a.gif sub"},
	} {
		body := ask(g, "/"+tt.view+"ftp/a.example/pub/").Body.String()
		var got []string
		for rest := body; ; {
			i := strings.Index(rest, "<tr><td class=\"name\"><a href=\"/ftp/a.example/pub/")
			if i < 0 {
				break
			}
			rest = rest[i:]
			_, rest, _ = strings.Cut(rest, "<bdi>")
			name, _, _ := strings.Cut(rest, "</bdi>")
			got = append(got, name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.view, got, tt.want)
		}
	}
}

func TestWhoMayAsk(t *testing.T) {
	g := try(t, answers, func(o *Options) { o.Hosts = []string{"gate.example"} })
	for _, tt := range []struct {
		name   string
		target string
		status int
		fields []string
	}{
		{"localhost", "/healthz", 200, nil},
		{"an address", "/healthz", 200, []string{"Host", "192.0.2.7:7070"}},
		{"an IPv6 address", "/healthz", 200, []string{"Host", "[::1]:7070"}},
		{"a name of ours", "/healthz", 200, []string{"Host", "gate.example"}},
		{"a name bound anew", "/healthz", 421, []string{"Host", "rebound.example:7070"}},
		{"a picture in a page elsewhere", "/gopher/a.example/1", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}},
		{"a frame in a page elsewhere", "/gopher/a.example/1", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}},
		{"a link in a page elsewhere", "/gopher/a.example/1", 200, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
		{"a page fetched ahead of a click", "/gopher/a.example/1", 403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Purpose", "prefetch"}},
		{"our own script", "/explain?url=x", 200, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}},
		{"a form that posts", "/", 405, []string{"Method", "POST"}},
		{"a tunnel", "a.example:443", 405, []string{"Method", "CONNECT"}},
		{"the proxy, from here", "gopher://a.example/1", 200, nil},
		{"the proxy, from elsewhere", "gopher://a.example/1", 403, []string{"From", "198.51.100.7:1"}},
		{"a robot", "/robots.txt", 200, nil},
		{"a loop", "gopher://a.example/1", 508, []string{"Via", "1.1 x, 1.1 " + g.name}},
		{"the web through the proxy", "http://b.example/", 403, nil},
		{"its own address in absolute form", "http://gate.example/healthz", 200, []string{"Host", "gate.example"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if w := ask(g, tt.target, tt.fields...); w.Code != tt.status {
				t.Errorf("status %d, want %d\n%s", w.Code, tt.status, w.Body)
			}
		})
	}
}

func TestDangerNeedsAClick(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	opened := 0
	g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		opened++
		return &fetch.Response{URL: req.URL, Type: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	}, func(o *Options) { o.Now = func() time.Time { return now } })
	const trap = "/ftp/bank.example@b.example/x"
	w := ask(g, trap)
	holds(t, w, 403, "Look before you open", "userinfo-looks-like-host")
	if opened != 0 {
		t.Fatal("it was opened before anybody said so")
	}
	_, rest, _ := strings.Cut(w.Body.String(), `<a class="danger" href="`)
	sure, _, _ := strings.Cut(rest, `"`)
	if !strings.HasPrefix(sure, "/~sure-") {
		t.Fatalf("the page offers %q", sure)
	}
	if w := ask(g, sure, "From", "192.0.2.9:1"); w.Code != 403 || opened != 0 {
		t.Errorf("somebody else's confirmation: %d, opened %d times", w.Code, opened)
	}
	if w := ask(g, strings.Replace(sure, "b.example", "c.example", 1)); w.Code != 403 || opened != 0 {
		t.Errorf("a confirmation for another URL: %d, opened %d times", w.Code, opened)
	}
	holds(t, ask(g, sure), 200, "hello")
	now = now.Add(11 * time.Minute)
	if w := ask(g, sure); w.Code != 403 {
		t.Errorf("an old confirmation: %d", w.Code)
	}
}

func TestGuard(t *testing.T) {
	g := try(t, func(context.Context, *fetch.Request) (*fetch.Response, error) {
		t.Error("it was opened")
		return nil, errors.New("no")
	}, nil)
	for _, u := range []string{"/gopher/127.0.0.1/1", "/gopher/localhost/1", "/ftp/10.0.0.1/", "/gopher/a.example:25/1", "/gopher/a.example/0x%0D%0AQUIT",
		"/gopher/0x7f.1/1", "/gopher/[::ffff:127.0.0.1]/1", "/ftp/169.254.169.254/"} {
		holds(t, ask(g, u), 403, "Refused")
		holds(t, ask(g, strings.Replace(u[1:], "/", "://", 1)), 403, "Refused")
	}
}

// The files of the machine that it runs on are no part of a gateway, unless it
// is told so.
func TestOwnFiles(t *testing.T) {
	files := func(o *Options) { o.Client.Transports["file"], o.Client.Transports["afs"] = opened, opened }
	g := try(t, opened, files)
	if g.opens("file") || g.opens("afs") || !g.opens("ftp") {
		t.Errorf("it opens %q", g.opened())
	}
	g = try(t, opened, func(o *Options) {
		files(o)
		o.Schemes = []string{"afs"}
	})
	if !g.opens("afs") || g.opens("ftp") {
		t.Errorf("told so, it opens %q", g.opened())
	}
}

// opened is a transport that is never asked.
var opened fetch.TransportFunc = func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, errors.New("no") }

func TestLimits(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	g := try(t, answers, func(o *Options) {
		o.Now, o.Rate, o.Burst = func() time.Time { return now }, 1, 2
	})
	for i, want := range []int{404, 404, 429} {
		if w := ask(g, "/gopher/a.example/0none"); w.Code != want {
			t.Errorf("request %d: %d, want %d", i, w.Code, want)
		}
	}
	if w := ask(g, "/gopher/a.example/0none", "From", "192.0.2.1:9"); w.Code != 404 {
		t.Errorf("another client: %d", w.Code)
	}
	now = now.Add(time.Second)
	if w := ask(g, "/gopher/a.example/0none"); w.Code != 404 {
		t.Errorf("a second later: %d", w.Code)
	}
}

// TestLargeListings holds that a page has the beginning of a listing, and says so.
func TestLargeListings(t *testing.T) {
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if got := req.Limits.MaxListing; got != 4<<20 {
			t.Errorf("a listing may have %d octets", got)
		}
		entries := make([]fetch.Entry, shownEntries+1)
		for i := range entries {
			entries[i] = fetch.Entry{Name: fmt.Sprint("file-", i), Type: "file", URL: "ftp://a.example/x", Size: -1}
		}
		return &fetch.Response{URL: req.URL, Type: "text/plain", Size: -1, Listing: true, Entries: entries, Body: io.NopCloser(strings.NewReader("listing"))}, nil
	}, nil)
	w := ask(g, "/ftp/a.example/")
	holds(t, w, 200, "first 10000 of 10001 entries", "<bdi>file-9999</bdi>")
	if strings.Contains(w.Body.String(), "<bdi>file-10000</bdi>") {
		t.Error("the page has more than it says")
	}
}

func TestCache(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	opened := 0
	g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		opened++
		return answers(ctx, req)
	}, func(o *Options) { o.Now = func() time.Time { return now } })
	first := ask(g, "/gopher/a.example/1")
	again := ask(g, "/gopher/a.example/1")
	if opened != 1 || again.Body.String() != first.Body.String() {
		t.Errorf("opened %d times", opened)
	}
	if w := ask(g, "/gopher/a.example/1", "If-None-Match", first.Header().Get("Etag")); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("a copy that still holds: %d, %d octets", w.Code, w.Body.Len())
	}
	ask(g, "/gopher/a.example/1", "Cache-Control", "no-cache") // a page that its reader reloads
	if opened != 2 {
		t.Errorf("a reload: opened %d times", opened)
	}
	now = now.Add(2 * time.Minute)
	ask(g, "/gopher/a.example/1")
	if opened != 3 {
		t.Errorf("what is old was not opened anew: %d", opened)
	}
}

func TestProxy(t *testing.T) {
	g := try(t, answers, nil)
	t.Run("a menu", func(t *testing.T) {
		w := ask(g, "gopher://a.example/1", "Accept", "text/html, */*")
		holds(t, w, 200, `<a href="gopher://a.example/0about">`, "<style>")
		if strings.Contains(w.Body.String(), `href="/`) || strings.Contains(w.Body.String(), "javascript:") {
			t.Errorf("a link that a proxy's client cannot follow:\n%s", w.Body)
		}
	})
	t.Run("a menu as it came", func(t *testing.T) {
		w := ask(g, "gopher://a.example/1", "Accept", "application/gopher-menu")
		if typ := w.Header().Get("Content-Type"); w.Code != 200 || typ != "application/gopher-menu" {
			t.Errorf("%d %s", w.Code, typ)
		}
	})
	t.Run("a text", func(t *testing.T) {
		w := ask(g, "gopher://a.example/0about")
		if w.Body.String() != bodies["gopher://a.example/0about"] || w.Header().Get("Content-Type") != "text/plain" {
			t.Errorf("%s: %q", w.Header().Get("Content-Type"), w.Body)
		}
	})
	t.Run("a range", func(t *testing.T) {
		w := ask(g, "ftp://a.example/pub/a.gif", "Range", "bytes=3-4")
		if w.Code != 206 || w.Body.String() != "89" || w.Header().Get("Content-Range") != "bytes 3-4/6" {
			t.Errorf("%d %q %s", w.Code, w.Body, w.Header().Get("Content-Range"))
		}
	})
	t.Run("a condition", func(t *testing.T) {
		w := ask(g, "ftp://a.example/pub/a.gif", "If-Modified-Since", "Thu, 02 Jan 2020 03:04:00 GMT")
		if w.Code != 304 {
			t.Errorf("%d", w.Code)
		}
		if w := ask(g, "ftp://a.example/pub/a.gif", "If-Modified-Since", "Thu, 02 Jan 2020 03:03:59 GMT"); w.Code != 200 || w.Header().Get("Last-Modified") != "Thu, 02 Jan 2020 03:04:00 GMT" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
	t.Run("what is not there", func(t *testing.T) {
		w := ask(g, "ftp://a.example/none")
		want := "Not there: it has nothing there\nurl: ftp://a.example/none\nwhere: reading the server's answer\nthe server said: 550 <b>no</b>\n" +
			"what to try: go up: the menu or the folder above may show where it is now\n"
		if w.Code != 404 || w.Body.String() != want || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%d %v\n%s", w.Code, w.Header(), w.Body)
		}
		holds(t, ask(g, "ftp://a.example/none", "Accept", "text/html, */*"), 404, "<h1>Not there</h1>")
	})
	t.Run("the end of an object", func(t *testing.T) {
		w := ask(g, "ftp://a.example/pub/a.gif", "Range", "bytes=-2")
		if w.Code != 206 || w.Body.String() != "9a" || w.Header().Get("Content-Range") != "bytes 4-5/6" {
			t.Errorf("%d %q %s", w.Code, w.Body, w.Header().Get("Content-Range"))
		}
	})
	t.Run("behind the end of an object", func(t *testing.T) {
		w := ask(g, "ftp://a.example/pub/a.gif", "Range", "bytes=6-7")
		if w.Code != 416 || w.Header().Get("Content-Range") != "bytes */6" {
			t.Errorf("%d %s", w.Code, w.Header().Get("Content-Range"))
		}
	})
}

func TestProxyOfTheWeb(t *testing.T) {
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if via := req.Header["Via"]; len(via) != 1 || !strings.HasPrefix(via[0], "1.1 anyurl-") {
			t.Errorf("asked with Via %q", via)
		}
		resp := &fetch.Response{URL: req.URL, Protocol: "HTTP/1.1", Status: 200, Type: "text/html", Size: 5, Body: io.NopCloser(strings.NewReader("hello")),
			Header: map[string][]string{"Content-Type": {"text/html; charset=koi8-r"}, "Etag": {`"x"`}}}
		switch req.URL.Path() {
		case "/gone":
			resp.Status = 410
		case "/old":
			resp.Status, resp.Location = 301, "/new"
		}
		return resp, nil
	}, func(o *Options) { o.HTTP = true })
	for _, tt := range []struct {
		url, name, value string
		status           int
	}{
		{"http://b.example/", "Content-Type", "text/html; charset=koi8-r", 200},
		{"http://b.example/", "Etag", `"x"`, 200},
		{"http://b.example/", "Content-Security-Policy", "", 200}, // the site's own, and it has none
		{"http://b.example/gone", "Content-Length", "5", 410},
		{"http://b.example/old", "Location", "http://b.example/new", 302},
	} {
		w := ask(g, tt.url)
		if w.Code != tt.status || w.Header().Get(tt.name) != tt.value {
			t.Errorf("%s: %d, %s %q, want %d and %q", tt.url, w.Code, tt.name, w.Header().Get(tt.name), tt.status, tt.value)
		}
	}
	holds(t, ask(g, "/http/b.example/gone"), 410, "hello")
}

// TestSlow holds that a server which says nothing, and one that stops in the
// middle, cost no more than their limits.
func TestSlow(t *testing.T) {
	wait := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
	g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path() == "/0half" {
			return &fetch.Response{URL: req.URL, Protocol: "gopher", Type: "text/plain", Size: -1,
				Body: io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("the first half ", 50)), readFunc(func([]byte) (int, error) { return 0, wait(ctx) })))}, nil
		}
		return nil, wait(ctx)
	}, func(o *Options) {
		o.Limits = fetch.Limits{FirstByte: 10 * time.Millisecond, Idle: 10 * time.Millisecond}
	})
	holds(t, ask(g, "/gopher/a.example/0never"), 504, "No answer in time", "no answer within the time limit")
	holds(t, ask(g, "/gopher/a.example/0half"), 200, "the first half", "The object broke off here")
	holds(t, ask(g, "gopher://a.example/0never"), 504)
}

// readFunc is a function as an io.Reader.
type readFunc func([]byte) (int, error)

func (r readFunc) Read(p []byte) (int, error) { return r(p) }

func TestObjectsDoNothing(t *testing.T) {
	for _, typ := range []string{"text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "text/xml"} {
		g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Type: typ, Size: -1, Body: io.NopCloser(strings.NewReader("<script>alert(1)</script>"))}, nil
		}, nil)
		w := ask(g, "/~raw/gopher/a.example/hx")
		if got := w.Header().Get("Content-Type"); got != "text/plain; charset=utf-8" {
			t.Errorf("%s is given as %s", typ, got)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "sandbox;") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", typ, w.Header())
		}
	}
}

// A sink takes an answer and keeps nothing.
type sink struct{ h http.Header }

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

func BenchmarkCached(b *testing.B) {
	m := map[string]fetch.Transport{"gopher": fetch.TransportFunc(answers)}
	g := New(Options{Client: &fetch.Client{Transports: m}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	r := httptest.NewRequest("GET", "/gopher/a.example/1", nil)
	r.Host, r.RemoteAddr = "localhost:7070", "127.0.0.1:50000"
	b.ReportAllocs()
	for b.Loop() {
		g.ServeHTTP(&sink{http.Header{}}, r)
	}
}
