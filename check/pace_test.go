package check_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/check"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

// An attentive server is several hosts, and writes down when each was asked for
// what. It leads astray in many ways.
type attentive struct {
	ports []string // of each host
	mu    sync.Mutex
	when  map[string][]time.Time
	asked map[string]int // by host, method and path
}

// newAttentive starts it: the hosts 127.0.2.1 and on.
func newAttentive(t *testing.T, hosts int) *attentive {
	a := &attentive{when: map[string][]time.Time{}, asked: map[string]int{}}
	for host := range hosts {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.2.%d:0", 1+host))
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: a}
		t.Cleanup(func() { server.Close() })
		_, port, _ := net.SplitHostPort(l.Addr().String())
		a.ports = append(a.ports, port)
		go server.Serve(l)
	}
	return a
}

func (a *attentive) url(host int, path string) string {
	return fmt.Sprintf("http://127.0.2.%d:%s%s", 1+host, a.ports[host], path)
}

func (a *attentive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	host, _, _ := net.SplitHostPort(r.Host)
	key := r.Method + " " + host + r.URL.Path
	a.mu.Lock()
	a.when[host] = append(a.when[host], now)
	a.asked[key]++
	times := a.asked[key]
	a.mu.Unlock()
	kind := strings.Split(r.URL.Path, "/")[1]
	if strings.Contains(r.URL.Path, "no-such-page") {
		kind = "made up"
	}
	switch kind {
	case "page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>A page</title><p id=here><a href="/sub/1">1</a> <a href="/sub/2">2</a> and some words to tell it by`)
	case "odd": // HEAD is not answered
		if r.Method == "HEAD" {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	case "flaky":
		if times == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	case "cut": // the connection ends without an answer, the first time
		if times == 1 {
			panic(http.ErrAbortHandler)
		}
	case "round": // within the host
		http.Redirect(w, r, "/page/end", http.StatusFound)
	case "away":
		http.Redirect(w, r, a.url(0, "/page/"+strings.ReplaceAll(host, ".", "")), http.StatusMovedPermanently)
	case "sub":
	default:
		http.NotFound(w, r)
	}
}

// apart holds that no host was asked twice within an interval, and that each was
// asked for something.
func (a *attentive) apart(t *testing.T, hosts int, interval time.Duration) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.when) != hosts {
		t.Errorf("%d hosts were asked, want %d", len(a.when), hosts)
	}
	for host, when := range a.when {
		slices.SortFunc(when, time.Time.Compare)
		for i := range when[1:] {
			if gap := when[i+1].Sub(when[i]); gap < interval {
				t.Errorf("%s: request %d came %v after the one before, want %v at least", host, i+1, gap, interval)
			}
		}
	}
}

// TestPace holds that every request to a host is a while after the one before it:
// the second question where HEAD is refused, a made-up address, robots.txt, a
// retry, redirects within the host and from others, and what net/http asks again.
// Times are the server's. An answer has come from there before the interval
// begins, so that they hold however slow the machine is.
func TestPace(t *testing.T) {
	const hosts, interval = 4, 15 * time.Millisecond
	for _, tt := range []struct {
		name    string
		workers int
		perHost int
	}{
		{"many at once", 0, 0}, {"one worker", 1, 16}, {"two workers", 2, 16}, {"one at a host", 8, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAttentive(t, hosts)
			var all []check.Link
			for host := range hosts {
				all = append(all, check.Link{URL: a.url(host, "/page/0"), Depth: 1})
				for _, kind := range []string{"page", "odd", "flaky", "cut", "round", "away", "gone"} {
					for i := range 2 {
						all = append(all, check.Link{URL: a.url(host, fmt.Sprintf("/%s/%d", kind, 1+i))})
					}
				}
				all = append(all, check.Link{URL: a.url(host, "/page/1#here")})
			}
			client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{}, builtin.Options{})}
			defer client.Close()
			pace := &check.Pace{Interval: interval}
			c := &check.Checker{Client: client, Fragments: true, Pace: pace, Pause: time.Millisecond, Workers: tt.workers, PerHost: tt.perHost}
			got := map[string]check.State{}
			summary := c.Run(t.Context(), slices.Values(all), func(r check.Result) { got[r.URL] = r.State })
			if summary.Unchecked != 0 || got[a.url(1, "/away/1")] != check.Moved || got[a.url(1, "/flaky/1")] != check.Alive || got[a.url(1, "/gone/1")] != check.Broken {
				t.Errorf("%+v", summary)
			}
			// Nobody may have the turn of a host in hand now.
			client2 := pace.Through(client)
			if r, err := client2.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(a.url(2, "/round/3"))}); err != nil {
				t.Error(err)
			} else {
				r.Body.Close()
			}
			a.apart(t, hosts, interval)
			for _, key := range []string{"HEAD 127.0.2.2/odd/1", "GET 127.0.2.2/odd/1", "GET 127.0.2.2/robots.txt", "GET 127.0.2.1/sub/1", "GET 127.0.2.1/page/127022", "GET 127.0.2.3/page/end"} {
				if head := strings.Replace(key, "GET", "HEAD", 1); a.asked[key]+a.asked[head] == 0 {
					t.Errorf("nobody asked %s", key)
				}
			}
			if n := a.asked["HEAD 127.0.2.2/flaky/1"]; n < 2 {
				t.Errorf("a flaky page was asked for %d times", n)
			}
		})
	}
}

// TestPaceOfKeptConnections: net/http asks again by itself when a connection that
// it kept ends before the answer. That is another request.
func TestPaceOfKeptConnections(t *testing.T) {
	const interval = 20 * time.Millisecond
	a := newAttentive(t, 1)
	client := &fetch.Client{Transports: builtin.Transports(&dial.Dialer{}, builtin.Options{})}
	defer client.Close()
	polite := (&check.Pace{Interval: interval}).Through(client)
	for _, path := range []string{"/sub/1", "/cut/1"} {
		r, err := polite.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(a.url(0, path))})
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	a.apart(t, 1, interval)
	if n := a.asked["GET 127.0.2.1/cut/1"]; n != 2 {
		t.Errorf("it was asked %d times; the test is not about what it is meant for", n)
	}
}

// TestPaceKeepsNobodyElse: hosts do not wait for each other, nor does a worker
// stand idle while a task waits for its host's next turn.
func TestPaceKeepsNobodyElse(t *testing.T) {
	says := map[string][]string{}
	var urls []string
	for h := range 8 {
		host := fmt.Sprintf("h%d.example", h)
		for i := range 3 {
			says[fmt.Sprintf("http://%s/%d", host, i)] = []string{"403", "200"} // asked with HEAD, then with GET
		}
		urls = append(urls, many(host, 3)...)
	}
	w := &world{says: says, slow: time.Second}
	_, summary := run(t, &check.Checker{Pace: &check.Pace{Interval: 7 * time.Second}, Trusting: true, Workers: 8}, w, urls...)
	if summary.Alive != len(urls) || len(w.asked) != 2*len(urls) {
		t.Errorf("%d requests, %+v", len(w.asked), summary)
	}
	// Six requests to each host, a second each and seven apart.
	if took := w.when[len(w.when)-1].Sub(w.when[0]); took != 40*time.Second {
		t.Errorf("the last began after %v, want 40s", took)
	}
	w = &world{says: says, slow: time.Second}
	run(t, &check.Checker{Pace: &check.Pace{Interval: 7 * time.Second}, Trusting: true, Workers: 1}, w, urls...)
	// One worker has 48 seconds' work. It has something to do while a task waits.
	if took := w.when[len(w.when)-1].Sub(w.when[0]); took > 55*time.Second {
		t.Errorf("one worker took %v", took)
	}
}

// TestPaceAndRetryAfter: a host that wants to be left alone is, and its turn goes
// to nobody meanwhile; others wait for nothing.
func TestPaceAndRetryAfter(t *testing.T) {
	w := &world{says: map[string][]string{"http://a.example/0": {"429 after 7", "200"}}}
	_, summary := run(t, &check.Checker{Pace: &check.Pace{Interval: time.Second}, Trusting: true}, w, append(many("a.example", 3), many("b.example", 3)...)...)
	if summary.Alive != 6 {
		t.Errorf("got %+v", summary)
	}
	first := w.when[slices.Index(w.asked, "HEAD http://a.example/0")]
	var after []time.Duration
	for i, key := range w.asked {
		if strings.Contains(key, "a.example") {
			after = append(after, w.when[i].Sub(first))
		} else if w.when[i].Sub(first) > 2*time.Second {
			t.Errorf("%s was asked after %v", key, w.when[i].Sub(first))
		}
	}
	slices.Sort(after)
	if want := []time.Duration{0, 7 * time.Second, 8 * time.Second, 9 * time.Second}; !slices.Equal(after, want) {
		t.Errorf("a.example was asked after %v, want %v", after, want)
	}
}

// TestMay: a turn that may not be used is given back and waited for anew, also
// where a redirect leads, and says nothing of the link; an end ends the wait.
func TestMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		refused := map[string]int{}
		may := func(host string) bool {
			mu.Lock()
			defer mu.Unlock()
			refused[host]++
			return refused[host] >= 4
		}
		leads := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
			resp := &fetch.Response{URL: req.URL, Status: 200, Body: http.NoBody}
			if req.URL.Host().String() == "a.example" {
				resp.Status, resp.Location = 302, "http://b.example/"
			}
			return resp, nil
		})
		c := &check.Checker{Client: &fetch.Client{Transports: map[string]fetch.Transport{"http": leads}}, Trusting: true, Pace: &check.Pace{Interval: time.Second, May: may}}
		var got []check.Result
		c.Run(t.Context(), links("http://a.example/"), func(r check.Result) { got = append(got, r) })
		if len(got) != 1 || got[0].State != check.Alive || got[0].Final != "http://b.example/" || refused["a.example"] != 4 || refused["b.example"] != 4 {
			t.Errorf("%+v, asked for leave %v times", got, refused)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c.Pace = &check.Pace{Interval: time.Second, May: func(string) bool { return false }}
		if summary := c.Run(ctx, links("http://a.example/"), func(r check.Result) { t.Errorf("got %+v", r) }); summary.Unchecked != 1 {
			t.Errorf("got %+v", summary)
		}
	})
}

// TestPaceOfFiles: files of this machine are no host.
func TestPaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	var urls []string
	for i := range 20 {
		u, err := check.FileURL(fmt.Sprintf("%s/%d", dir, i))
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, u.String())
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	c := &check.Checker{Pace: &check.Pace{Interval: time.Hour}}
	if summary := c.Run(ctx, links(urls...), func(check.Result) {}); summary.Broken != 20 {
		t.Errorf("got %+v", summary)
	}
}

// TestRest: whoever takes another's place leaves a whole interval first.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := &check.Pace{Interval: 5 * time.Second}
		pace.Rest()
		w, start := &world{}, time.Now()
		c := &check.Checker{Client: w, Pace: pace, Trusting: true}
		c.Run(t.Context(), links("http://a.example/"), func(check.Result) {})
		if took := w.when[0].Sub(start); took != 5*time.Second {
			t.Errorf("asked after %v", took)
		}
	})
}

// TestPaceInterrupted: an end leaves no turn in anybody's hand.
func TestPaceInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := &check.Pace{Interval: time.Second}
		for after := range 12 {
			ctx, cancel := context.WithCancel(t.Context())
			w := &world{slow: 300 * time.Millisecond, cancel: cancel, after: 1 + after, says: map[string][]string{"http://a.example/1": {"403", "200"}}}
			c := &check.Checker{Client: w, Pace: pace, Trusting: true}
			c.Run(ctx, links(append(many("a.example", 5), many("b.example", 5)...)...), func(check.Result) {})
			cancel()
		}
		for _, host := range []string{"a.example", "b.example"} {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			turn, err := pace.Turn(ctx, host)
			if err != nil {
				t.Fatalf("the turn of %s never comes: %v", host, err)
			}
			turn.End(true)
			cancel()
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := pace.Turn(ctx, "a.example"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
