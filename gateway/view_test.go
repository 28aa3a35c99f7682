package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"anyurl"
	"anyurl/audit"
	"anyurl/fetch"
)

// TestNoSuchView refuses what no page links to.
func TestNoSuchView(t *testing.T) {
	g := try(t, answers, nil)
	for _, view := range []string{"by-nope", "by-name-up", "nope", "before-0", "before-x", "before--1", "raw~nope"} {
		holds(t, ask(g, "/~"+view+"/gopher/a.example/0about"), http.StatusNotFound, "No such view", `href="/gopher/a.example/0about"`)
	}
	for _, view := range []string{"by-name", "by-size-down", "first", "before-7", "raw"} {
		holds(t, ask(g, "/~"+view+"/gopher/a.example/0about"), http.StatusOK)
	}
}

// TestOtherSpellings leads to the page from what people write.
func TestOtherSpellings(t *testing.T) {
	g := try(t, answers, nil)
	if w := ask(g, "/GOPHER/a.example/1?x"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/gopher/a.example/1?x" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	holds(t, ask(g, "/gopher"), http.StatusNotFound, "names a scheme alone", `href="/open?url=gopher%3A%2F%2F`)
	holds(t, ask(g, "/NOSCHEME/x"), http.StatusNotFound, "No such page")
	holds(t, ask(g, "/nothing"), http.StatusNotFound, "No such page")
	holds(t, ask(g, "/static/nothing"), http.StatusNotFound, "No such file")
}

// A long group has articles 1001 to 3000, of which 10 come at once.
func longGroup(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	high := uint64(3000)
	if req.Before > 0 {
		high = min(high, req.Before-1)
	}
	low := high - 9
	resp := &fetch.Response{URL: req.URL, Protocol: "nntp", Type: "text/plain", Listing: true, Size: -1,
		Header: map[string][]string{"Content-Range": {fmt.Sprintf("articles %d-%d/1990", low, high)}}}
	body := ""
	for n := low; n <= high; n++ {
		raw := fmt.Sprintf("%d\tSubject %d\tjoe@a.example\tx\t<%d@a.example>\t\t1\t1", n, n, n)
		resp.Entries = append(resp.Entries, fetch.Entry{Name: fmt.Sprintf("Subject %d", n), Type: "article", URL: fmt.Sprintf("news:%d@a.example", n), Raw: raw})
		body += raw + "\r\n"
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

// TestLongGroup walks through a group that is too long for a page.
func TestLongGroup(t *testing.T) {
	g := try(t, longGroup, nil)
	w := ask(g, "/news/a.group")
	holds(t, w, http.StatusOK, "Articles 2991 to 3000, of 1990 articles in the group.", `<a href="/~before-2991/news/a.group">older</a>`, "Subject 3000")
	if strings.Contains(w.Body.String(), "newer") {
		t.Error("there are none newer than the latest")
	}
	holds(t, ask(g, "/~before-2991/news/a.group"), http.StatusOK, "Articles 2981 to 2990", "Subject 2981",
		`<a href="/~before-2981/news/a.group">older</a>`, `<a href="/~before-3001/news/a.group">newer</a>`, `<a href="/news/a.group">the latest</a>`,
		`href="/~before-2991~raw/news/a.group"`)
	holds(t, ask(g, "/~before-2991~raw/news/a.group"), http.StatusOK, "2981\tSubject 2981")
	holds(t, ask(g, "/news/a.group"), http.StatusOK, "Subject 3000") // and not the other page, which is kept as well
	w = ask(g, "news:a.group", "Accept", "text/html")
	holds(t, w, http.StatusOK, "Articles 2991 to 3000, of 1990 articles in the group.")
	if strings.Contains(w.Body.String(), "before-") {
		t.Error("a proxy's page leads to the gateway's")
	}
}

// TestReadingForPeople has no word of a programmer's in it.
func TestReadingForPeople(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"ftp://joe:secret@a.example/x", "host=a.example user=joe password=***"},
		{"ftps://a.example/x", "tls=yes"},
		{"mid:a@b.example/c@d.example", "message id=a@b.example content id=c@d.example"},
	} {
		var all []string
		for _, r := range reading(anyurl.MustParse(tt.url)) {
			all = append(all, r.Name+"="+r.Value)
		}
		got := strings.Join(all, " ")
		for _, want := range strings.Split(tt.want, " ") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s lacks %s", tt.url, got, want)
			}
		}
		for _, word := range []string{"hasUser", "hasPassword", "false", "true", "messageId"} {
			if strings.Contains(got, word) {
				t.Errorf("%s: %s", tt.url, got)
			}
		}
	}
}

// TestFlagOfRefusal holds that a link is flagged for what it will be refused for.
func TestFlagOfRefusal(t *testing.T) {
	g := try(t, answers, func(o *Options) {
		o.Gate = func(u anyurl.URL) error { // loopback is allowed, and other protocols' ports are not
			for _, f := range audit.InspectURL(u) {
				if f.Code == "port-crosses-protocol" {
					return &audit.Refusal{URL: u, Finding: f}
				}
			}
			return nil
		}
	})
	v := &visit{g: g, url: anyurl.MustParse("gopher://a.example/1")}
	for url, want := range map[string]string{
		"gopher://127.0.0.1:25/1": "port-crosses-protocol",
		"telnet://127.0.0.1:23/":  "",
		"gopher://127.0.0.1/1":    "",
	} {
		if l := v.link(url); l.Warn != want {
			t.Errorf("%s: flagged %q, want %q", url, l.Warn, want)
		}
	}
}

// TestFolderOfFiles shows where files may be opened to who asks for others.
func TestFolderOfFiles(t *testing.T) {
	root := anyurl.MustParse("file:///srv/docs/")
	g := try(t, nil, func(o *Options) {
		o.Files, o.Schemes = root, []string{"file"}
		o.Gate = func(anyurl.URL) error { return nil }
		o.Client.Transports["file"] = fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
			return nil, &fetch.Error{Step: fetch.Gate, Kind: fetch.ErrRefused, Err: fmt.Errorf("it is not below a folder that may be read")}
		})
	})
	holds(t, ask(g, "/file//etc/passwd"), http.StatusForbidden, "files are opened below file:///srv/docs/ alone", `href="/file//srv/docs/"`)
	holds(t, ask(g, "/"), http.StatusOK, `<code>file:///srv/docs/</code>`, `href="/open?url=file%3A%2F%2F%2Fsrv%2Fdocs%2F"`)
}

// TestProxyForms has no form of the gateway's in what a proxy's client reads: it
// would lead to the URL's own host.
func TestProxyForms(t *testing.T) {
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path() == "/ask" {
			return nil, &fetch.Error{Step: fetch.Status, Status: 10, Kind: fetch.ErrDenied, Said: "Say something"}
		}
		return &fetch.Response{URL: req.URL, Type: "text/gemini", Size: -1, Body: io.NopCloser(strings.NewReader("=: /say Say something\n"))}, nil
	}, func(o *Options) { o.Gate = func(anyurl.URL) error { return nil } })
	for target, want := range map[string]string{
		"gemini://a.example/ask": `<isindex prompt="Say something: ">`,
		"spartan://a.example/":   `href="spartan://a.example/say"`,
	} {
		w := ask(g, target, "Accept", "text/html")
		holds(t, w, http.StatusOK, want)
		if strings.Contains(w.Body.String(), "<form") {
			t.Errorf("%s: a form of the gateway's:\n%s", target, w.Body)
		}
	}
	holds(t, ask(g, "/gemini/a.example/ask"), http.StatusOK, `action="/search"`)
}

// TestProxyForTheWeb says how the web comes through, where it does not.
func TestProxyForTheWeb(t *testing.T) {
	holds(t, ask(try(t, answers, nil), "http://b.example/", "Host", "b.example"), http.StatusForbidden, "opens no http URLs", "--http")
	holds(t, ask(try(t, answers, nil), "urn:isbn:1"), http.StatusForbidden, "opens no urn URLs")
}
