package check_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"anyurl/check"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

// serve runs a server for a test.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// ask checks links by asking servers that are there.
func ask(t *testing.T, c *check.Checker, limits fetch.Limits, all ...check.Link) (results []check.Result, summary check.Summary) {
	t.Helper()
	client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{}, builtin.Options{PerHost: 16}), Limits: limits}
	defer client.Close()
	c.Client = client
	summary = c.Run(t.Context(), slices.Values(all), func(r check.Result) { results = append(results, r) })
	return results, summary
}

// TestDrip: a server that never ends what it says is waited for as long as the
// limits say, and its link is a line in the report like any other. What drips is
// the header, the body, or the body of a redirect.
func TestDrip(t *testing.T) {
	drip := func(w io.Writer, flush func(), ended <-chan struct{}) {
		for n := 0; ; n++ {
			if _, err := fmt.Fprintf(w, "X-Drop-%d: x\r\n", n); err != nil {
				return
			}
			flush()
			select {
			case <-time.After(time.Millisecond):
			case <-ended:
				return
			}
		}
	}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		flush := w.(http.Flusher).Flush
		switch r.URL.Path {
		case "/header":
			conn, buffered, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			fmt.Fprint(buffered, "HTTP/1.1 200 OK\r\n")
			drip(buffered, func() { buffered.Flush() }, nil)
		case "/body", "/away":
			w.Header().Set("Content-Type", "text/html")
			if r.URL.Path == "/away" {
				w.Header().Set("Location", "/fine")
				w.WriteHeader(http.StatusFound)
			}
			if r.Method == "GET" {
				flush()
				drip(w, flush, r.Context().Done())
			}
		case "/fine":
			fmt.Fprint(w, "<p id=x>fine")
		default:
			http.NotFound(w, r)
		}
	})
	for _, tt := range []struct {
		path   string
		state  check.State
		reason string
	}{
		{"/header", check.Unsure, "time limit"},
		{"/body#x", check.Unsure, "time limit"},
		{"/fine#x", check.Alive, ""},
	} {
		c := &check.Checker{Retries: -1, Fragments: true, Trusting: true}
		limits := fetch.Limits{Total: 300 * time.Millisecond, MaxHeader: 1 << 30}
		if tt.state == check.Alive {
			limits.Total = time.Minute // so that no slow machine fails it
		}
		results, summary := ask(t, c, limits, check.Link{URL: url + tt.path})
		if len(results) != 1 || summary.Unchecked != 0 {
			t.Fatalf("%s: %d results, %+v", tt.path, len(results), summary)
		}
		if r := results[0]; r.State != tt.state || !strings.Contains(r.Reason, tt.reason) {
			t.Errorf("%s: %s: %s", tt.path, r.State, r.Reason)
		}
	}
	// What a redirect says for itself is not read to an end that never comes.
	results, _ := ask(t, &check.Checker{Retries: -1, Fragments: true, Trusting: true}, fetch.Limits{Total: time.Minute}, check.Link{URL: url + "/away#x"})
	if len(results) != 1 || results[0].State != check.Alive {
		t.Errorf("/away: %+v", results)
	}
}

// TestLongPage: of a page of 100 MB only the beginning is read, as many times as
// it has to be, and the rest of its places and links are said to be unknown.
func TestLongPage(t *testing.T) {
	const size = 100 << 20
	filler := bytes.Repeat([]byte("<p>All work and no play.\n"), 4096)
	var sent, asked atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			if r.Method != "GET" {
				return
			}
			asked.Add(1)
			fmt.Fprint(w, "<title>Long</title><h1 id=first>Long</h1><a href=/near>near</a>\n")
			for n := 0; n < size; {
				m, err := w.Write(filler)
				n += m
				sent.Add(int64(m))
				if err != nil {
					return
				}
			}
			fmt.Fprint(w, "<a href=/far>far</a><p id=last>The end")
		case "/near":
			fmt.Fprint(w, "near")
		default:
			http.NotFound(w, r)
		}
	})
	var notes []string
	c := &check.Checker{Fragments: true, Note: func(n check.Note) { notes = append(notes, n.Page+": "+n.Says) }}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	results, summary := ask(t, c, fetch.Limits{}, check.Link{URL: url + "/", Depth: 2}, check.Link{URL: url + "/#first"}, check.Link{URL: url + "/#last"})
	runtime.ReadMemStats(&after)
	got := map[string]check.Result{}
	for _, r := range results {
		got[strings.TrimPrefix(r.URL, url)] = r
	}
	for path, state := range map[string]check.State{"/": check.Alive, "/#first": check.Alive, "/#last": check.Unsure, "/near": check.Alive} {
		if got[path].State != state {
			t.Errorf("%s: %s (%s), want %s", path, got[path].State, got[path].Reason, state)
		}
	}
	if want := "the page has no place called #last in its first 8 MiB, and no more is read of it"; got["/#last"].Reason != want {
		t.Errorf("#last: %s", got["/#last"].Reason)
	}
	if len(results) != 4 || summary.Broken != 0 {
		t.Errorf("%+v", summary)
	}
	if want := url + "/: it is longer than 8 MiB; the links behind these were not followed"; len(notes) != 1 || notes[0] != want {
		t.Errorf("notes: %q", notes)
	}
	// What the system holds for the two ends comes on top of what is read.
	if n := asked.Load(); sent.Load() > n*(32<<20) {
		t.Errorf("%d octets were taken in %d answers", sent.Load(), n)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 150<<20 {
		t.Errorf("%d MiB were allocated in all", used>>20)
	}
}

// TestManyLinksOnOnePage: every link of a page has its place in the report, and
// each of the few targets is asked for once.
func TestManyLinksOnOnePage(t *testing.T) {
	const targets = 50
	total := 200_000
	asked := [targets]atomic.Int64{}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/":
			b := new(bytes.Buffer)
			for i := range total {
				fmt.Fprintf(b, "<a href=%d>x</a>\n", i%targets)
			}
			w.Write(b.Bytes())
		default:
			var n int
			fmt.Sscanf(r.URL.Path, "/%d", &n)
			asked[n].Add(1)
			if n == 7 {
				http.NotFound(w, r)
			}
		}
	})
	all := []check.Link{{URL: url + "/", Depth: 1}}
	if !testing.Short() {
		// The page holds no more than is read of one; a list may.
		for i := range 1_000_000 {
			all = append(all, check.Link{URL: fmt.Sprintf("%s/%d", url, i%targets), Place: check.Place{Source: "list", Line: i + 1}})
		}
	}
	results, summary := ask(t, &check.Checker{Trusting: true}, fetch.Limits{}, all...)
	if want := total + len(all); summary.Links != want || summary.Unique != targets+1 || summary.Broken != 1 || summary.Alive != targets || summary.Unchecked != 0 {
		t.Errorf("%+v, want %d links", summary, want)
	}
	each := total/targets + (len(all)-1)/targets
	for _, r := range results {
		if r.URL != url+"/" && len(r.Sources) != each {
			t.Errorf("%s: %d places, want %d", r.URL, len(r.Sources), each)
		}
	}
	for n := range asked {
		if got := asked[n].Load(); got > 2 || got > 1 && n != 7 { // what HEAD says is gone is asked for with GET
			t.Errorf("/%d was asked for %d times", n, got)
		}
	}
}

// TestRedirectMaze: redirects that never come to an end, each to a place of its
// own or in a circle, are followed as far as the limit says, once with each
// method, and are broken links; pages that link to ever more pages are read as
// deep as was asked.
func TestRedirectMaze(t *testing.T) {
	var asked atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		kind, number, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		fmt.Sscan(number, &n)
		if kind != "robots.txt" {
			asked.Add(1)
		}
		switch kind {
		case "endless":
			http.Redirect(w, r, fmt.Sprintf("/endless/%d", n+1), http.StatusFound)
		case "growing":
			http.Redirect(w, r, r.URL.Path+"/"+strings.Repeat("x", 100), http.StatusMovedPermanently)
		case "circle":
			http.Redirect(w, r, fmt.Sprintf("/circle/%d", (n+1)%3), http.StatusFound)
		case "itself":
			http.Redirect(w, r, r.URL.Path, http.StatusPermanentRedirect)
		case "pages":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<a href=/pages/%d>on</a> <a href=/pages/%d>on</a>", 2*n, 2*n+1)
		default:
			http.NotFound(w, r)
		}
	})
	for _, tt := range []struct {
		path   string
		depth  int
		reason string
		asked  int64 // requests at most
	}{
		{"/endless/0", 0, "more than 20", 2 * 21},
		{"/growing", 0, "more than 20", 2 * 21},
		{"/circle/0", 0, "leads back to", 2 * 3},
		{"/itself", 0, "leads back to", 2},
		{"/endless/0", 9, "more than 20", 21},
	} {
		asked.Store(0)
		results, _ := ask(t, &check.Checker{}, fetch.Limits{}, check.Link{URL: url + tt.path, Depth: tt.depth})
		if len(results) != 1 {
			t.Fatalf("%s: %d results", tt.path, len(results))
		}
		r := results[0]
		if r.State != check.Broken || !strings.Contains(r.Reason, tt.reason) || len(r.Evidence) == 0 {
			t.Errorf("%s: %s: %s; %q", tt.path, r.State, r.Reason, r.Evidence)
		}
		if n := asked.Load(); n > tt.asked {
			t.Errorf("%s: %d requests, want at most %d", tt.path, n, tt.asked)
		}
	}
	asked.Store(0)
	_, summary := ask(t, &check.Checker{Trusting: true}, fetch.Limits{}, check.Link{URL: url + "/pages/1", Depth: 4})
	if want := 1 + 2 + 4 + 8 + 16; summary.Unique != want || summary.Alive != want || asked.Load() > int64(want) {
		t.Errorf("pages without end: %+v, %d requests", summary, asked.Load())
	}
}

// TestUnaskedPart: a part of an object that nobody asked for is proof that the
// object is there, whether its links are followed or not.
func TestUnaskedPart(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/range" {
			w.Header().Set("Content-Range", "bytes 0-3/9")
		}
		w.WriteHeader(http.StatusPartialContent)
		fmt.Fprint(w, "part")
	})
	var links []check.Link
	for i, path := range []string{"/", "/range", "/#x", "/deep"} {
		links = append(links, check.Link{URL: url + path, Depth: i / 3})
	}
	results, _ := ask(t, &check.Checker{Fragments: true}, fetch.Limits{}, links...)
	if len(results) != len(links) {
		t.Fatalf("%d results for %d links", len(results), len(links))
	}
	for _, r := range results {
		if want := check.Alive; r.State != want && !strings.HasSuffix(r.URL, "#x") || r.State == check.Broken || r.Status != http.StatusPartialContent {
			t.Errorf("%s: %v, %d, %s", r.URL, r.State, r.Status, r.Reason)
		}
	}
}

// TestCharsetOfTheServer: a page's links and anchors are read by the character
// set that its server names, before the one that it names itself.
func TestCharsetOfTheServer(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=koi8-r")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, "<meta charset=iso-8859-1><a href='\xd1.html#\xd1'>x</a>") // я
		case "/я.html":
			fmt.Fprint(w, "<p id=\xd1>x")
		default:
			http.NotFound(w, r)
		}
	})
	results, _ := ask(t, &check.Checker{Fragments: true}, fetch.Limits{}, check.Link{URL: url + "/", Depth: 1})
	if len(results) != 2 || results[0].State != check.Alive || results[1].State != check.Alive {
		t.Errorf("%+v", results)
	}
}
