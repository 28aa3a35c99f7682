package check_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/check"
	"anyurl/dial"
	"anyurl/fetch"
)

// A world answers requests: by method and URL, what to say each time; the last
// of them is said from then on.
type world struct {
	mu     sync.Mutex
	says   map[string][]string // "HEAD http://a.example/": "404", "301 /b", "dns", "refused", …
	slow   time.Duration       // each answer takes so long
	body   string              // of every answer, as HTML
	bodies map[string]string   // of some, by URL
	types  map[string]string   // of some, by URL; the rest is HTML
	asked  []string
	when   []time.Time
	now    map[string]int // requests running, by host
	most   map[string]int // the most of these at once
	cancel func()
	after  int // requests after which cancel is called
}

func (w *world) Do(ctx context.Context, req *fetch.Request) (*fetch.Result, error) {
	host := req.URL.Host().String()
	key := req.Method + " " + req.URL.String()
	w.mu.Lock()
	w.asked = append(w.asked, key)
	w.when = append(w.when, time.Now())
	if w.now == nil {
		w.now, w.most = map[string]int{}, map[string]int{}
	}
	w.now[host]++
	w.most[host] = max(w.most[host], w.now[host])
	says := w.says[key]
	if says == nil {
		says = w.says[req.URL.String()]
	}
	say := "200"
	if len(says) > 0 {
		say = says[0]
	}
	if len(says) > 1 {
		k := key
		if w.says[k] == nil {
			k = req.URL.String()
		}
		w.says[k] = says[1:]
	}
	if w.cancel != nil && len(w.asked) == w.after {
		w.cancel()
	}
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.now[host]--
		w.mu.Unlock()
	}()
	if w.slow > 0 {
		select {
		case <-time.After(w.slow):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	result, err := answer(req.URL, say)
	if body := cmp.Or(w.bodies[req.URL.String()], w.body); err == nil && body != "" {
		kind := cmp.Or(w.types[req.URL.String()], "text/html")
		result.Type, _, _ = strings.Cut(kind, ";")
		result.Body = io.NopCloser(strings.NewReader(body))
		if result.Type != kind {
			result.Header = map[string][]string{"Content-Type": {kind}}
		}
	}
	return result, err
}

// answer says what a world says: "200", "301 /b 200" for a permanent redirect,
// "302 /b 200" for another, "429 after 5", "login", or the name of an error.
func answer(u anyurl.URL, say string) (*fetch.Result, error) {
	fail := func(step string, kind, err error) (*fetch.Result, error) {
		return nil, &fetch.Error{Step: step, URL: u, Kind: kind, Err: err}
	}
	switch say {
	case "dns":
		return fail(fetch.Resolving, nil, &net.DNSError{Err: "no such host", Name: u.Host().String(), IsNotFound: true})
	case "resolver":
		return fail(fetch.Resolving, nil, &net.DNSError{Err: "server misbehaving", Name: u.Host().String(), IsTemporary: true})
	case "refused":
		return fail(fetch.Connecting, nil, syscall.ECONNREFUSED)
	case "proxy":
		return fail(fetch.Connecting, nil, &dial.Error{Step: dial.Connecting, Host: "a.example:80", Proxy: "127.0.0.1:9", Err: syscall.ECONNREFUSED})
	case "handles":
		return fail(fetch.Connecting, nil, syscall.EMFILE)
	case "cookies":
		return fail(fetch.Redirect, fetch.ErrLoop, fmt.Errorf("%w; %w", fetch.ErrLoop, fetch.ErrCookie))
	case "unreachable":
		return fail(fetch.Connecting, nil, syscall.ENETUNREACH)
	case "timeout":
		return fail(fetch.Asking, nil, fetch.ErrFirstByte)
	case "no connection":
		return fail(fetch.Connecting, nil, os.ErrDeadlineExceeded)
	case "reset":
		return fail(fetch.Asking, nil, syscall.ECONNRESET)
	case "tls":
		return fail(fetch.TLS, nil, errors.New("handshake failure"))
	case "loop":
		return fail(fetch.Redirect, fetch.ErrLoop, fetch.ErrLoop)
	case "gate":
		return fail(fetch.Gate, fetch.ErrRefused, errors.New("a private address"))
	case "unsupported":
		return fail(fetch.Asking, fetch.ErrUnsupported, errors.New("nothing here opens it"))
	case "550":
		return nil, &fetch.Error{Step: fetch.Status, URL: u, Status: 550, Kind: fetch.ErrNotFound}
	case "530":
		return nil, &fetch.Error{Step: fetch.Login, URL: u, Status: 530, Kind: fetch.ErrDenied}
	case "450":
		return nil, &fetch.Error{Step: fetch.Status, URL: u, Status: 450, Kind: fetch.ErrBusy}
	}
	result := &fetch.Result{Response: &fetch.Response{URL: u, Protocol: "HTTP/1.1", Body: io.NopCloser(strings.NewReader(""))}}
	words := strings.Fields(say)
	for len(words) > 1 && strings.HasPrefix(words[0], "3") {
		var status int
		fmt.Sscan(words[0], &status)
		result.Hops = append(result.Hops, fetch.Hop{URL: result.URL.String(), Status: status, Location: words[1], Permanent: status == 301 || status == 308})
		next, err := result.URL.Resolve(words[1])
		if err != nil {
			panic(err)
		}
		result.URL = next
		words = words[2:]
	}
	fmt.Sscan(words[0], &result.Status)
	if len(words) == 3 && words[1] == "after" {
		result.Header = map[string][]string{"Retry-After": {words[2]}}
	}
	result.Hops = append(result.Hops, fetch.Hop{URL: result.URL.String(), Status: result.Status})
	return result, nil
}

// links gives links that stand in one text.
func links(urls ...string) func(func(check.Link) bool) {
	return func(yield func(check.Link) bool) {
		for i, u := range urls {
			if !yield(check.Link{URL: u, Place: check.Place{Source: "t", Line: i + 1, Col: 1}}) {
				return
			}
		}
	}
}

// run checks links in a bubble of its own, in which waiting takes no time.
func run(t *testing.T, c *check.Checker, w *world, urls ...string) (results []check.Result, summary check.Summary) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c.Client = w
		summary = c.Run(t.Context(), links(urls...), func(r check.Result) { results = append(results, r) })
	})
	return results, summary
}

func ExampleChecker_Run() {
	// A real Client would ask the network.
	client := &world{says: map[string][]string{"http://b.example/": {"404"}}}
	c := &check.Checker{Client: client}
	summary := c.Run(context.Background(), links("http://a.example/", "http://b.example/"), func(r check.Result) {
		if r.State == check.Broken {
			fmt.Println(r.URL, r.Reason)
		}
	})
	fmt.Println(summary.Unique, "URLs,", summary.Broken, "broken")
	// Output:
	// http://b.example/ 404 not found
	// 2 URLs, 1 broken
}

func TestVerdicts(t *testing.T) {
	const u = "http://a.example/x"
	for _, tt := range []struct {
		say   string
		state check.State
		asked string // the methods, in order
		final string
	}{
		{"200", check.Alive, "HEAD", ""},
		{"204", check.Alive, "HEAD", ""},
		{"HEAD 405, GET 200", check.Alive, "HEAD GET", ""},
		{"HEAD 404, GET 200", check.Alive, "HEAD GET", ""},
		{"HEAD 500, GET 200", check.Alive, "HEAD GET", ""},
		{"HEAD reset, GET 200", check.Alive, "HEAD GET", ""},
		{"HEAD unsupported, GET 200", check.Alive, "HEAD GET", ""},
		{"404", check.Broken, "HEAD GET", ""},
		{"410", check.Broken, "HEAD GET", ""},
		{"403", check.Unsure, "HEAD GET", ""},
		{"401", check.Unsure, "HEAD", ""},
		{"451", check.Unsure, "HEAD GET", ""},
		{"402", check.Unsure, "HEAD GET", ""},
		{"418", check.Unsure, "HEAD GET", ""},
		{"999", check.Unsure, "HEAD GET", ""},
		{"999; 200", check.Alive, "HEAD GET", ""},
		{"501", check.Unsure, "HEAD GET", ""},
		{"300", check.Unsure, "HEAD GET", ""},
		{"302", check.Unsure, "HEAD GET", ""},
		{"422", check.Broken, "HEAD GET", ""},
		{"500", check.Broken, "HEAD GET GET", ""},
		{"502", check.Broken, "HEAD GET GET GET", ""},
		{"500; 200", check.Alive, "HEAD GET", ""},
		{"503; 200", check.Alive, "HEAD HEAD", ""},
		{"503", check.Unsure, "HEAD HEAD HEAD", ""},
		{"429 after 5; 200", check.Alive, "HEAD HEAD", ""},
		{"429 after 3600", check.Unsure, "HEAD", ""}, // longer than anybody's patience
		{"429", check.Unsure, "HEAD HEAD HEAD", ""},
		{"301 /y 200", check.Moved, "HEAD", "http://a.example/y"},
		{"308 /y 302 /z 200", check.Moved, "HEAD", "http://a.example/z"},
		{"302 /y 200", check.Alive, "HEAD", "http://a.example/y"},
		{"302 /y 301 /z 200", check.Alive, "HEAD", "http://a.example/z"},
		{"301 /y 404", check.Broken, "HEAD GET", "http://a.example/y"},
		{"301 / 200", check.Unsure, "HEAD", "http://a.example/"},
		{"302 /index.html 200", check.Unsure, "HEAD", "http://a.example/index.html"},
		{"302 /login?next=/x 200", check.Unsure, "HEAD", "http://a.example/login?next=/x"},
		{"302 http://id.example/sso/sign-in.php 200", check.Unsure, "HEAD", "http://id.example/sso/sign-in.php"},
		{"loop", check.Broken, "HEAD GET", ""},
		{"dns; 200", check.Alive, "HEAD HEAD", ""},
		{"dns", check.Broken, "HEAD HEAD HEAD", ""},
		{"resolver", check.Unsure, "HEAD HEAD HEAD", ""},
		{"refused; 200", check.Alive, "HEAD HEAD", ""},
		{"refused", check.Broken, "HEAD HEAD", ""},
		{"proxy", check.Unsure, "HEAD HEAD HEAD", ""},
		{"handles", check.Unsure, "HEAD HEAD HEAD", ""},
		{"cookies", check.Unsure, "HEAD GET", ""},
		{"unreachable", check.Unsure, "HEAD HEAD HEAD", ""},
		{"HEAD timeout, GET 200", check.Alive, "HEAD GET", ""},
		{"HEAD timeout, GET 404", check.Broken, "HEAD GET", ""},
		{"timeout; timeout; 200", check.Alive, "HEAD GET GET", ""},
		{"timeout", check.Unsure, "HEAD GET GET GET", ""},
		{"no connection", check.Unsure, "HEAD HEAD HEAD", ""},
		{"reset; 200", check.Alive, "HEAD GET", ""},
		{"reset", check.Broken, "HEAD GET GET GET", ""},
		{"tls", check.Broken, "HEAD HEAD HEAD", ""},
		{"gate", check.Blocked, "HEAD", ""},
		{"unsupported", check.Skipped, "HEAD GET", ""},
		{"550", check.Broken, "HEAD GET", ""},
		{"530", check.Unsure, "HEAD", ""},
		{"450; 200", check.Alive, "HEAD HEAD", ""},
	} {
		w := &world{says: map[string][]string{}}
		if strings.HasPrefix(tt.say, "HEAD ") {
			head, get, _ := strings.Cut(tt.say, ", ")
			w.says["HEAD "+u] = []string{strings.TrimPrefix(head, "HEAD ")}
			w.says["GET "+u] = []string{strings.TrimPrefix(get, "GET ")}
		} else {
			w.says[u] = strings.Split(tt.say, "; ")
		}
		results, _ := run(t, &check.Checker{}, w, u)
		if len(results) != 1 {
			t.Fatalf("%s: %d results", tt.say, len(results))
		}
		r := results[0]
		asked := strings.ReplaceAll(strings.Join(w.asked, " "), " "+u, "")
		if r.State != tt.state || asked != tt.asked || r.Final != tt.final {
			t.Errorf("%s: got %s (%s) at %q after %s, want %s at %q after %s", tt.say, r.State, r.Reason, r.Final, asked, tt.state, tt.final, tt.asked)
		}
		if (r.State != check.Alive) != (r.Reason != "") {
			t.Errorf("%s: %s needs a reason, and only what is alive has none: %q", tt.say, r.State, r.Reason)
		}
		if r.State == check.Broken && len(r.Evidence) == 0 {
			t.Errorf("%s: broken without evidence", tt.say)
		}
	}
}

// TestNoNames holds that a name that is not there is no evidence where none is,
// that this is asked once, and told once; and that one name which resolves shows
// that names do.
func TestNoNames(t *testing.T) {
	for _, tt := range []struct {
		known                bool // the resolver knows the names that all know
		c                    string
		lost, unsure, broken int
	}{
		{true, "dns", 0, 0, 3},
		{false, "dns", 3, 3, 0},
		{false, "resolver", 2, 3, 0},
		{false, "404", 0, 0, 3}, // a network of its own
		{false, "tls", 0, 0, 3},
	} {
		w := &world{says: map[string][]string{"http://a.example/": {"dns"}, "http://b.example/": {"dns"}, "http://0c.example/": {tt.c}}}
		asked, lost := 0, 0
		c := &check.Checker{Retries: -1, Workers: 1, Resolves: func(context.Context) bool { asked++; return tt.known }, Nameless: func(n int) { lost += n }}
		results, summary := run(t, c, w, "http://0c.example/", "http://a.example/", "http://b.example/")
		if asked != 1 || lost != tt.lost || summary.Unsure != tt.unsure || summary.Broken != tt.broken {
			t.Errorf("%+v: asked %d times, %d lost, %+v; %+v", tt, asked, lost, summary, results)
		}
	}
}

func TestAccept(t *testing.T) {
	w := &world{says: map[string][]string{"http://a.example/": {"403"}, "http://b.example/": {"404"}}}
	c := &check.Checker{Accept: func(status int) bool { return status == 403 }}
	_, summary := run(t, c, w, "http://a.example/", "http://b.example/")
	if summary.Alive != 1 || summary.Broken != 1 {
		t.Errorf("got %+v", summary)
	}
}

func TestMovedSaysWhere(t *testing.T) {
	w := &world{says: map[string][]string{"http://a.example/x": {"301 /y 301 /z 302 /w 200"}}}
	results, _ := run(t, &check.Checker{}, w, "http://a.example/x")
	// The last step is not for good, so what is for good is /z.
	if got, want := results[0].Reason, "moved for good to http://a.example/z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnceEach(t *testing.T) {
	w := &world{}
	results, summary := run(t, &check.Checker{}, w,
		"http://a.example/", "HTTP://A.example:80", "http://a.example/#part", "http://a.example/", "http://b.example/")
	slices.Sort(w.asked)
	if got, want := strings.Join(w.asked, ", "), "HEAD http://a.example/, HEAD http://b.example/"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	places := map[string]int{}
	for _, r := range results {
		places[r.URL] = len(r.Sources)
	}
	if want := map[string]int{"http://a.example/": 3, "http://a.example/#part": 1, "http://b.example/": 1}; fmt.Sprint(places) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", places, want)
	}
	if summary.Links != 5 || summary.Unique != 3 || summary.Alive != 3 {
		t.Errorf("got %+v", summary)
	}
}

func TestByRule(t *testing.T) {
	w := &world{}
	c := &check.Checker{Skip: func(_ string, u anyurl.URL) string {
		if u.Scheme() == "mailto" {
			return "mail addresses are not asked"
		}
		return ""
	}}
	results, summary := run(t, c, w, "mailto:a@b.example", "http://[::1/")
	if len(w.asked) != 0 {
		t.Errorf("asked %v", w.asked)
	}
	if results[0].State != check.Skipped || results[1].State != check.Broken || results[1].URL != "http://[::1/" || results[1].From != "rule" {
		t.Errorf("got %+v", results)
	}
	if summary.Skipped != 1 || summary.Broken != 1 {
		t.Errorf("got %+v", summary)
	}
}

func TestLocal(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b c.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	base, err := check.FileURL(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	var c check.Checker // asks nobody
	got := map[string]check.State{}
	var links []check.Link
	want := map[string]check.State{}
	for _, tt := range []struct {
		ref   string
		state check.State
	}{
		{"a.md", check.Alive}, {"#part", check.Alive}, {"b%20c.md", check.Alive}, {"b c.md?x", check.Alive}, {".", check.Alive},
		{"nope.md", check.Broken}, {"a.md/x", check.Broken}, {"A%2Fb", check.Broken}, {"file://elsewhere.example/a.md", check.Skipped},
	} {
		links = append(links, check.Link{URL: tt.ref, Base: base})
		u, err := base.Resolve(tt.ref)
		if err != nil {
			t.Fatal(err)
		}
		want[u.String()] = tt.state
	}
	c.Run(t.Context(), slices.Values(links), func(r check.Result) {
		got[r.URL] = r.State
		if r.From != "file" {
			t.Errorf("%s is from %q", r.URL, r.From)
		}
	})
	for u, state := range want {
		if got[u] != state {
			t.Errorf("%s: got %s, want %s", u, got[u], state)
		}
	}
}

// TestFragments holds that pages are read once for all their fragments, and
// only when asked.
func TestFragments(t *testing.T) {
	w := &world{body: `<h1 id="here">x</h1>`}
	urls := []string{"http://a.example/#here", "http://a.example/#gone", "http://a.example/", "http://a.example/#top"}
	results, summary := run(t, &check.Checker{Fragments: true, Trusting: true}, w, urls...)
	if got, want := strings.Join(w.asked, ", "), "GET http://a.example/"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	if summary.Alive != 3 || summary.Broken != 1 {
		t.Errorf("got %+v", summary)
	}
	for _, r := range results {
		if r.State == check.Broken && (r.URL != "http://a.example/#gone" || r.Reason != "the page has no place called #gone") {
			t.Errorf("got %+v", r)
		}
	}
	// A place is called by its name, and not as it is written in a URL.
	results, _ = run(t, &check.Checker{Fragments: true, Trusting: true}, w, "http://a.example/#%C3%BCber%20uns", "http://a.example/#%FF")
	for _, r := range results {
		if r.Reason != "the page has no place called #über uns" && r.Reason != "the page has no place called #%FF" {
			t.Errorf("got %+v", r)
		}
	}
	w = &world{}
	if _, summary := run(t, &check.Checker{}, w, urls...); summary.Alive != 4 || len(w.asked) != 1 {
		t.Errorf("without Fragments: %+v after %v", summary, w.asked)
	}
}

// TestFragmentMetLate holds that a page which was asked with HEAD is read when
// a link to a place in it comes, and that its mentions have one verdict each.
func TestFragmentMetLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{body: `<h1 id="here">x</h1>`}
		late := func(yield func(check.Link) bool) {
			for _, u := range []string{"http://a.example/", "http://a.example/#here", "http://a.example/#gone", "http://a.example/"} {
				if !yield(check.Link{URL: u}) {
					return
				}
				time.Sleep(time.Second)
			}
		}
		got := map[string]check.State{}
		summary := (&check.Checker{Client: w, Fragments: true, Trusting: true}).Run(t.Context(), late, func(r check.Result) {
			if got[r.URL] != "" {
				t.Errorf("%s has two verdicts", r.URL)
			}
			got[r.URL] = r.State
		})
		if got, want := strings.Join(w.asked, ", "), "HEAD http://a.example/, GET http://a.example/"; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if got["http://a.example/"] != check.Alive || got["http://a.example/#here"] != check.Alive || got["http://a.example/#gone"] != check.Broken {
			t.Errorf("got %v", got)
		}
		if summary.Unique != 3 || summary.Links != 4 || summary.Unchecked != 0 {
			t.Errorf("got %+v", summary)
		}
	})
}

// TestDepth follows a site's pages as deep as it is asked to, and no further.
func TestDepth(t *testing.T) {
	pages := map[string]string{
		"http://a.example/":           `<a href=1>1</a> <a href="#x">x</a> <a href="http://b.example/">b</a> <a href="http://10.0.0.1/">in</a> <a href="file:///etc/passwd">f</a> <a href="afs://cell.example/x">f</a> <img src="pic.png">`,
		"http://a.example/1":          `<a href="2">2</a> <a href="/">back</a> <a href="private/x">p</a>`,
		"http://a.example/2":          `<a href="3">3</a>`,
		"http://a.example/3":          `<a href="4">4</a>`,
		"http://b.example/":           `<a href="not-asked">n</a>`,
		"http://a.example/private/x":  `<a href="not-asked-either">n</a>`,
		"http://a.example/robots.txt": "User-agent: *\nDisallow: /private/",
	}
	for depth, want := range map[int]string{
		0: "/",
		1: "/ /1 /pic.png b",
		2: "/ /1 /2 /pic.png /private/x b",
		3: "/ /1 /2 /3 /pic.png /private/x b",
		9: "/ /1 /2 /3 /4 /pic.png /private/x b",
	} {
		w := &world{bodies: pages}
		var results []check.Result
		var summary check.Summary
		synctest.Test(t, func(t *testing.T) {
			guarded := &world{says: map[string][]string{"http://10.0.0.1/": {"gate"}}, bodies: pages}
			c := &check.Checker{Client: w, Guarded: guarded, Trusting: true}
			link := check.Link{URL: "http://a.example/", Depth: depth}
			summary = c.Run(t.Context(), slices.Values([]check.Link{link}), func(r check.Result) { results = append(results, r) })
			w.asked = append(w.asked, guarded.asked...)
		})
		var asked []string
		for _, key := range w.asked {
			_, u, _ := strings.Cut(key, " ")
			if !strings.HasSuffix(u, "/robots.txt") && u != "http://10.0.0.1/" {
				asked = append(asked, strings.NewReplacer("http://a.example", "", "http://b.example/", "b").Replace(u))
			}
		}
		slices.Sort(asked)
		if got := strings.Join(asked, " "); got != want {
			t.Errorf("depth %d: asked %s, want %s", depth, got, want)
		}
		if depth > 0 && (summary.Blocked != 3 || summary.Broken != 0 || summary.Unchecked != 0) {
			t.Errorf("depth %d: %+v; the internal address and the files must be blocked", depth, summary)
		}
		for _, r := range results {
			if depth > 1 && r.URL == "http://a.example/" && len(r.Sources) != 2 {
				t.Errorf("depth %d: / stands at %v, want the argument and the way back", depth, r.Sources)
			}
		}
	}
}

// TestWhereASiteBegins holds that the site whose links are followed is the one where
// the first URL ends, and that a check which follows none says why.
func TestWhereASiteBegins(t *testing.T) {
	const linked = `<a href="/dead">d</a>`
	for _, tt := range []struct {
		name, start, says, kind, robots string
		dead                            bool
		note                            string
	}{
		{"another host", "http://a.example/", "301 http://www.b.example/ 200", "text/html", "", true, ""},
		{"for now alone", "http://a.example/", "302 http://www.b.example/home 200", "text/html", "", true, ""},
		{"the front page", "http://a.example/en", "302 / 200", "text/html", "", true, ""},
		{"a login", "http://a.example/x", "302 /login 200", "text/html", "", false, "it leads to a login"},
		{"robots.txt", "http://a.example/", "200", "text/html", "User-agent: *\nDisallow: /", false, "robots.txt keeps us from that"},
		{"a sitemap of lines", "http://a.example/map.txt", "200", "text/plain", "", true, ""},
		{"JSON", "http://a.example/api", "200", "application/json", "", true, ""},
		{"an image", "http://a.example/x.png", "200", "image/png", "", false, "nothing here reads image/png"},
		{"rate limit", "http://a.example/", "429", "text/html", "", false, "the server wants to be asked less often"},
		{"broken", "http://a.example/", "404", "text/html", "", false, ""},
		{"no scheme of ours", "http://a.example/", "unsupported", "text/html", "", false, "request: nothing here opens it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			end := anyurl.MustParse(tt.start)
			if words := strings.Fields(tt.says); len(words) > 1 {
				end, _ = end.Resolve(words[1])
			}
			dead, _ := end.Resolve("/dead")
			robots, _ := end.Resolve("/robots.txt")
			body := linked
			switch tt.kind {
			case "text/plain":
				body = dead.String() + "\n"
			case "application/json":
				body = `{"next": "` + dead.String() + `"}`
			case "image/png":
				body = "\x89PNG\r\n\x1a\n\x00\x00" + dead.String()
			}
			w := &world{
				says:   map[string][]string{tt.start: {tt.says}, dead.String(): {"404"}},
				bodies: map[string]string{tt.start: body, robots.String(): tt.robots},
				types:  map[string]string{tt.start: tt.kind},
			}
			if tt.robots == "" {
				w.says[robots.String()] = []string{"404"}
			}
			got, notes := map[string]check.State{}, []string(nil)
			synctest.Test(t, func(t *testing.T) {
				c := &check.Checker{Client: w, Trusting: true, Note: func(n check.Note) { notes = append(notes, n.Page+": "+n.Says) }}
				c.Run(t.Context(), slices.Values([]check.Link{{URL: tt.start, Depth: 9}}), func(r check.Result) { got[r.URL] = r.State })
			})
			if want := map[bool]check.State{true: check.Broken}[tt.dead]; got[dead.String()] != want {
				t.Errorf("the link on its page is %q, want %q; all: %v", got[dead.String()], want, got)
			}
			want := []string(nil)
			if tt.note != "" {
				want = []string{tt.start + ": none of its links were followed: " + tt.note}
			}
			if fmt.Sprint(notes) != fmt.Sprint(want) {
				t.Errorf("notes %q, want %q", notes, want)
			}
		})
	}
}

// TestLeadsOut holds that a page of the site which leads to another host is the
// end of the way there.
func TestLeadsOut(t *testing.T) {
	w := &world{
		says:   map[string][]string{"http://a.example/out": {"301 http://b.example/in 200"}, "http://b.example/dead": {"404"}},
		bodies: map[string]string{"http://a.example/": `<a href="/out">o</a>`, "http://a.example/out": `<a href="/dead">d</a>`},
	}
	synctest.Test(t, func(t *testing.T) {
		c := &check.Checker{Client: w, Trusting: true}
		summary := c.Run(t.Context(), slices.Values([]check.Link{{URL: "http://a.example/", Depth: 9}}), func(check.Result) {})
		if summary.Alive != 1 || summary.Moved != 1 || summary.Broken != 0 {
			t.Errorf("got %+v", summary)
		}
	})
}

// TestDamagedPage tells that a page whose links are followed breaks off.
func TestDamagedPage(t *testing.T) {
	w := &world{bodies: map[string]string{"http://a.example/": `<a href="1">1</a> <a href="2`}}
	var notes []string
	synctest.Test(t, func(t *testing.T) {
		c := &check.Checker{Client: w, Trusting: true, Note: func(n check.Note) { notes = append(notes, n.Page+": "+n.Says) }}
		c.Run(t.Context(), slices.Values([]check.Link{{URL: "http://a.example/", Depth: 1}}), func(check.Result) {})
	})
	if want := []string{"http://a.example/: the page ends inside a tag"}; !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
}

// many gives n URLs on a host.
func many(host string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://%s/%d", host, i))
	}
	return urls
}

func TestFewAtOnce(t *testing.T) {
	w := &world{slow: time.Second}
	urls := slices.Concat(many("a.example", 20), many("b.example:81", 20), many("b.example:82", 20))
	_, summary := run(t, &check.Checker{PerHost: 3, Workers: 6}, w, urls...)
	if summary.Alive != 60 {
		t.Errorf("got %+v", summary)
	}
	if w.most["a.example"] != 3 || w.most["b.example"] != 3 {
		t.Errorf("at once: %v, want 3 each", w.most)
	}
	// b.example's 40 requests of a second go in threes, and nobody waits for a.example.
	if took := w.when[59].Sub(w.when[0]); took != 13*time.Second {
		t.Errorf("the last began after %v, want 13s", took)
	}
}

func TestInterval(t *testing.T) {
	w := &world{}
	run(t, &check.Checker{Pace: &check.Pace{Interval: time.Second}}, w, slices.Concat(many("a.example", 5), many("b.example", 5))...)
	last := map[string]time.Time{}
	for i, key := range w.asked {
		host := strings.Split(key, "/")[2]
		if gap := w.when[i].Sub(last[host]); gap < time.Second {
			t.Errorf("%s after %v", key, gap)
		}
		last[host] = w.when[i]
	}
	if took := w.when[9].Sub(w.when[0]); took != 4*time.Second {
		t.Errorf("it took %v; hosts must not wait for each other", took)
	}
}

func TestRetryAfterHoldsTheHost(t *testing.T) {
	w := &world{slow: 10 * time.Millisecond, says: map[string][]string{"http://a.example/0": {"429 after 7", "200"}}}
	_, summary := run(t, &check.Checker{PerHost: 1}, w, append(many("a.example", 3), "http://b.example/")...)
	if summary.Alive != 4 {
		t.Errorf("got %+v", summary)
	}
	refused := w.when[slices.Index(w.asked, "HEAD http://a.example/0")].Add(w.slow)
	for i, key := range w.asked {
		after := w.when[i].Sub(refused)
		if strings.Contains(key, "a.example") && after > 0 && after < 7*time.Second {
			t.Errorf("%s was asked %v after a.example wanted to be left alone for 7s", key, after)
		}
		if strings.Contains(key, "b.example") && after > 0 {
			t.Errorf("b.example was kept waiting for a.example")
		}
	}
}

func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &world{slow: time.Second, cancel: cancel, after: 7}
		c := &check.Checker{Client: w, PerHost: 1}
		n := 0
		summary := c.Run(ctx, links(many("a.example", 100)...), func(check.Result) { n++ })
		// Six were answered when the seventh was asked.
		if n != 6 || summary.Alive != 6 || summary.Unchecked != 94 || summary.Unique != 100 {
			t.Errorf("%d results, %+v", n, summary)
		}
	})
}

// TestInterruptWhileLinksCome ends a run whose links never end.
func TestInterruptWhileLinksCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &world{cancel: cancel, after: 500}
		c := &check.Checker{Client: w}
		n := 0
		c.Run(ctx, func(yield func(check.Link) bool) {
			for i := 0; ; i++ {
				if !yield(check.Link{URL: fmt.Sprintf("http://a.example/%d", i)}) {
					return
				}
			}
		}, func(check.Result) { n++ })
		if n < 400 || n > 500 {
			t.Errorf("%d results of 500 requests", n)
		}
	})
}

// TestNothingIsLost puts many flaky targets through a narrow door.
func TestNothingIsLost(t *testing.T) {
	w := &world{slow: time.Millisecond, says: map[string][]string{}}
	var urls []string
	for h := range 20 {
		for _, u := range many(fmt.Sprintf("h%d.example", h), 50) {
			urls = append(urls, u)
			w.says[u] = [][]string{{"200"}, {"503", "200"}, {"429 after 2", "200"}, {"timeout", "timeout", "200"}, {"404"}}[len(urls)%5]
		}
	}
	var calls, last int
	c := &check.Checker{Workers: 7, PerHost: 2, Pace: &check.Pace{Interval: 5 * time.Millisecond}, Progress: func(done, known int) {
		calls++
		last = done
	}}
	results, summary := run(t, c, w, urls...)
	seen := map[string]bool{}
	for _, r := range results {
		seen[r.URL] = true
	}
	if len(results) != 1000 || len(seen) != 1000 || summary.Alive != 800 || summary.Broken != 200 || summary.Unchecked != 0 {
		t.Errorf("%d results for %d URLs: %+v", len(results), len(seen), summary)
	}
	if calls != 1000 || last != 1000 {
		t.Errorf("progress was told %d times, and %d at last", calls, last)
	}
}

// TestSitemapsOfRobots: what a site's robots.txt names as its sitemaps belongs to
// the site, and its pages are those of the next step.
func TestSitemapsOfRobots(t *testing.T) {
	w := &world{bodies: map[string]string{
		"http://a.example/":           `<a href="/linked">x</a>`,
		"http://a.example/robots.txt": "User-agent: *\nDisallow: /no\n\nsitemap: /maps/1.xml # ours\nSitemap: http://b.example/2.xml\nSitemap:\n",
		"http://a.example/maps/1.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/hidden</loc></url></urlset>`,
	}, types: map[string]string{"http://a.example/maps/1.xml": "text/xml", "http://a.example/robots.txt": "text/plain"}}
	var got []string
	(&check.Checker{Client: w, Trusting: true}).Run(t.Context(), func(yield func(check.Link) bool) {
		yield(check.Link{URL: "http://a.example/", Depth: 2})
	}, func(r check.Result) {
		text := r.URL
		if len(r.Sources) != 1 {
			t.Errorf("%s stands at %v", text, r.Sources)
		}
		if p := r.Sources[0]; p.Line > 0 {
			text += fmt.Sprintf(" %s:%d:%d", p.Source, p.Line, p.Col)
		}
		got = append(got, text)
	})
	slices.Sort(got)
	want := []string{
		"http://a.example/", "http://a.example/hidden http://a.example/maps/1.xml:1:71", "http://a.example/linked http://a.example/:1:10",
		"http://a.example/maps/1.xml http://a.example/robots.txt:4:10", "http://b.example/2.xml http://a.example/robots.txt:5:10",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestSitemaps holds that an index of sitemaps is one list with its parts, that
// parts may be zipped, and that a namespace is no link.
func TestSitemaps(t *testing.T) {
	const ns = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprintf(z, `<?xml version="1.0"?><urlset %s><url><loc>http://a.example/two</loc></url></urlset>`, ns)
	z.Close()
	w := &world{bodies: map[string]string{
		"http://a.example/sitemap.xml": `<?xml version="1.0"?><sitemapindex ` + ns + `><sitemap><loc>http://a.example/1.xml</loc></sitemap><sitemap><loc>http://a.example/2.xml.gz</loc></sitemap></sitemapindex>`,
		"http://a.example/1.xml":       `<urlset ` + ns + `><url><loc>http://a.example/one?a=1&amp;b=2</loc></url></urlset>`,
		"http://a.example/2.xml.gz":    zipped.String(),
	}, types: map[string]string{"http://a.example/sitemap.xml": "application/xml", "http://a.example/1.xml": "text/xml", "http://a.example/2.xml.gz": "application/gzip"}}
	c := &check.Checker{Client: w, Trusting: true}
	var got []string
	c.Run(t.Context(), func(yield func(check.Link) bool) {
		yield(check.Link{URL: "http://a.example/sitemap.xml", Depth: 1})
	}, func(r check.Result) { got = append(got, r.URL) })
	slices.Sort(got)
	want := "http://a.example/1.xml http://a.example/2.xml.gz http://a.example/one?a=1&b=2 http://a.example/sitemap.xml http://a.example/two"
	if strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// follow checks a site's pages from its front page on.
func follow(t *testing.T, c *check.Checker, w *world, start string, depth int) (states map[string]check.State, notes []string) {
	t.Helper()
	states = map[string]check.State{}
	synctest.Test(t, func(t *testing.T) {
		c.Client, c.Trusting = w, true
		var mu sync.Mutex
		c.Note = func(n check.Note) {
			mu.Lock()
			defer mu.Unlock()
			notes = append(notes, n.Page+": "+n.Says)
		}
		c.Run(t.Context(), slices.Values([]check.Link{{URL: start, Depth: depth}}), func(r check.Result) { states[r.URL] = r.State })
	})
	slices.Sort(notes)
	return states, notes
}

// TestRobotsKeepUs tells of each page that robots.txt keeps from being read, and
// leaves it unasked where that is wanted.
func TestRobotsKeepUs(t *testing.T) {
	for _, tt := range []struct {
		robots, says string
		notes        []string
	}{
		{"User-agent: *\nDisallow: /in", "200", []string{"http://a.example/in: none of its links were followed: robots.txt keeps us from that"}},
		{"", "500", []string{"http://a.example/: none of its links were followed: robots.txt could not be read, which keeps us from all of the site: 500 internal server error"}},
		{"", "loop", []string{"http://a.example/: none of its links were followed: robots.txt could not be read, which keeps us from all of the site: redirect: redirect loop"}},
		{"", "404", nil},
	} {
		for _, unasked := range []bool{false, true} {
			w := &world{
				says: map[string][]string{"http://a.example/robots.txt": {tt.says}, "http://a.example/dead": {"404"}},
				bodies: map[string]string{
					"http://a.example/": `<a href="/in">i</a>`, "http://a.example/in": `<a href="/dead">d</a>`, "http://a.example/robots.txt": tt.robots,
				},
			}
			states, notes := follow(t, &check.Checker{NoRobots: unasked}, w, "http://a.example/", 9)
			want, dead := tt.notes, check.State("")
			if unasked || want == nil {
				want, dead = nil, check.Broken
			}
			if fmt.Sprint(notes) != fmt.Sprint(want) || states["http://a.example/dead"] != dead {
				t.Errorf("%s %q, unasked %t: %q, the dead link is %q; want %q", tt.says, tt.robots, unasked, notes, states["http://a.example/dead"], want)
			}
			if asked := slices.ContainsFunc(w.asked, func(key string) bool { return strings.HasSuffix(key, "/robots.txt") }); asked == unasked {
				t.Errorf("unasked %t, but asked %t", unasked, asked)
			}
		}
	}
}

// TestCrawlDelay leaves a site the time that its robots.txt asks for, up to a bound,
// with one question at a time; others have theirs.
func TestCrawlDelay(t *testing.T) {
	for _, tt := range []struct {
		says string
		want time.Duration
		note string
	}{
		{"3", 3 * time.Second, "robots.txt asks for 3s between two requests, which are left"},
		{"0.5", time.Second / 2, "robots.txt asks for 500ms between two requests, which are left"},
		{"86400", 10 * time.Second, "robots.txt asks for 24h0m0s between two requests; 10s are left"},
		{"-1", 0, ""}, {"NaN", 0, ""}, {"soon", 0, ""},
	} {
		body := `<a href="http://b.example/1">b</a> <a href="http://b.example/2">b</a>`
		for i := range 6 {
			body += fmt.Sprintf(`<a href="/%d">x</a>`, i)
		}
		w := &world{slow: time.Millisecond, bodies: map[string]string{
			"http://a.example/": body, "http://a.example/robots.txt": "User-agent: *\nCrawl-delay: " + tt.says,
		}}
		_, notes := follow(t, &check.Checker{}, w, "http://a.example/", 2)
		want := []string(nil)
		if tt.note != "" {
			want = []string{"http://a.example/: " + tt.note}
		}
		if !slices.Equal(notes, want) {
			t.Errorf("%s: notes %q, want %q", tt.says, notes, want)
		}
		last, total := map[string]time.Time{}, map[string]time.Duration{}
		for i, key := range w.asked {
			host := strings.Split(key, "/")[2]
			if gap := w.when[i].Sub(last[host]); !last[host].IsZero() {
				total[host] += gap
				if host == "a.example" && i > 1 && gap < tt.want {
					t.Errorf("%s: %s after %v", tt.says, key, gap)
				}
			}
			last[host] = w.when[i]
		}
		if total["a.example"] > 6*(tt.want+time.Second/10) || total["b.example"] > time.Second/10 {
			t.Errorf("%s: %v in all", tt.says, total)
		}
	}
}

// TestPageInCharset asks for queries in the page's own character set, and for paths in
// UTF-8, as browsers do.
func TestPageInCharset(t *testing.T) {
	for name, page := range map[string]struct{ kind, body string }{
		"by its header":  {"text/html; charset=iso-8859-1", "<a href='/caf\xe9?q=\xe9'>x</a><p id='\xfc'>"},
		"by itself":      {"text/html", "<meta charset=windows-1252><a href='/caf\xe9?q=\xe9'>x</a><p id='\xfc'>"},
		"by a reference": {"text/html; charset=iso-8859-1", "<a href='/caf&eacute;?q=&eacute;'>x</a><p id='&uuml;'>"},
	} {
		w := &world{bodies: map[string]string{"http://a.example/": page.body, "http://a.example/robots.txt": ""}, types: map[string]string{"http://a.example/": page.kind}}
		c := &check.Checker{Fragments: true}
		follow(t, c, w, "http://a.example/", 1)
		if !slices.Contains(w.asked, "HEAD http://a.example/caf%C3%A9?q=%E9") {
			t.Errorf("%s: asked %q", name, w.asked)
		}
	}
}

// TestStubs takes pages that only lead on for the redirects that they stand for, where
// they are read.
func TestStubs(t *testing.T) {
	stub := func(to string) string {
		return `<title>Redirecting</title><link rel=canonical href="` + to + `"><meta http-equiv=refresh content="0; url=` + to + `"><a href="` + to + `">go</a>`
	}
	for _, tt := range []struct {
		body, says, fragment string
		want                 check.State
		reason               string
	}{
		{stub("/new"), "200", "#sec", check.Moved, "moved for good to http://a.example/new"},
		{stub("/new"), "200", "#gone", check.Unsure, "the page does not say what the link leads to; a script may put it there"},
		{stub("/new"), "404", "#sec", check.Broken, "the page only leads on to http://a.example/new: 404 not found"},
		{stub("/new"), "503", "#sec", check.Unsure, "the page only leads on to http://a.example/new: the service is out of order for now"},
		{stub("/new"), "301 /newer 200", "#sec", check.Moved, "moved for good to http://a.example/newer"},
		{stub("/new"), "302 /newer 200", "#sec", check.Moved, "moved for good to http://a.example/new"},
		{`<script>location.replace("/new"+location.hash)</script>`, "200", "#sec", check.Alive, ""},
		{`<script>location.replace("/new"+location.hash)</script>`, "404", "#sec", check.Broken, "the page only leads on to http://a.example/new: 404 not found"},
		{stub("/"), "200", "#sec", check.Unsure, "it leads to the front page now; what stood there may be gone"},
		{stub("/login"), "200", "#sec", check.Unsure, "the page only leads on to http://a.example/login: it leads to a login"},
		{stub("http://10.0.0.1/"), "200", "", check.Alive, ""}, // the guard does not go on
		{stub("/old?1"), "200", "#sec", check.Moved, "moved for good to http://a.example/old?1"},
	} {
		bodies := map[string]string{"http://a.example/old": tt.body}
		for _, u := range []string{"http://a.example/new", "http://a.example/newer", "http://a.example/", "http://a.example/old?1"} {
			bodies[u] = `<h1 id=sec>New</h1>`
		}
		says := map[string][]string{"http://a.example/new": {tt.says}}
		w := &world{says: says, bodies: bodies}
		guarded := &world{says: map[string][]string{"http://10.0.0.1/": {"gate"}}}
		results, _ := run(t, &check.Checker{Guarded: guarded, Fragments: true, Trusting: true}, w, "http://a.example/old#"+cmp.Or(strings.TrimPrefix(tt.fragment, "#"), "top"))
		if r := results[0]; r.State != tt.want || r.Reason != tt.reason {
			t.Errorf("%q, %s: got %s, %q, want %s, %q", tt.body, tt.says, r.State, r.Reason, tt.want, tt.reason)
		}
	}

	// Files are no different.
	dir := t.TempDir()
	for name, text := range map[string]string{"to.html": stub("new.html"), "dead.html": stub("gone.html"), "web.html": stub("http://b.example/"), "root.html": stub("/new/"), "new.html": `<h1 id=sec>New</h1>`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	base, err := check.FileURL(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]check.State{
		"to.html": check.Alive, "to.html#sec": check.Alive, "to.html#gone": check.Unsure, "dead.html": check.Broken, "dead.html#sec": check.Broken,
		"web.html": check.Alive, "web.html#sec": check.Unsure, "root.html": check.Alive, "root.html#sec": check.Unsure,
	} {
		(&check.Checker{Fragments: true}).Run(t.Context(), slices.Values([]check.Link{{URL: ref, Base: base}}), func(r check.Result) {
			if r.State != want {
				t.Errorf("%s: got %s, %q, want %s", ref, r.State, r.Reason, want)
			}
		})
	}

	// Where one begins the site is where it leads; and a circle ends.
	w := &world{says: map[string][]string{"http://a.example/en/dead": {"404"}}, bodies: map[string]string{
		"http://a.example/": stub("/en/"), "http://a.example/en/": `<a href=dead>d</a><a href=/1>1</a>`,
		"http://a.example/1": stub("/2"), "http://a.example/2": stub("/1"), "http://a.example/robots.txt": "",
	}}
	states, _ := follow(t, &check.Checker{}, w, "http://a.example/", 9)
	if states["http://a.example/"] != check.Alive || states["http://a.example/en/dead"] != check.Broken || len(w.asked) > 20 {
		t.Errorf("got %v after %q", states, w.asked)
	}
}
