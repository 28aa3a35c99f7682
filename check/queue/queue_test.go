package queue_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"anyurl"
	"anyurl/check"
	"anyurl/check/queue"
	"anyurl/fetch"
)

// serve starts a NATS server with JetStream within this process; port 0 is one that
// is free.
func serve(t *testing.T, port int) *server.Server {
	t.Helper()
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { end(s) })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server takes no connections")
	}
	return s
}

func end(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

func connect(t *testing.T, s *server.Server, o queue.Options) *queue.Conn {
	t.Helper()
	c, err := queue.Connect(t.Context(), s.ClientURL(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// work has a worker of its own connection answer until the function that it gives
// is called, which returns what came of it.
func work(t *testing.T, s *server.Server, o queue.Options, c *check.Checker) (stop func() error) {
	t.Helper()
	conn := connect(t, s, o)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- conn.Work(ctx, c) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() {
			cancel()
			err = <-done
		})
		return err
	}
	t.Cleanup(func() { stop() })
	return stop
}

// A web is asked by workers. "gone" is not there, "page" has links, "busy" wants to
// be left alone for a second the first time, and "/to/X/N" leads to host X.
type web struct {
	mu    sync.Mutex
	asked map[string]int
	when  map[string][]time.Time // by host
	first map[string]time.Time   // by URL
	last  map[string]time.Time
}

func newWeb() *web {
	return &web{asked: map[string]int{}, when: map[string][]time.Time{}, first: map[string]time.Time{}, last: map[string]time.Time{}}
}

func (w *web) client() *fetch.Client {
	return &fetch.Client{Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(w.fetch)}}
}

func (w *web) fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	now, url, host := time.Now(), req.URL.String(), req.URL.Host().String()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[url]++
	w.when[host] = append(w.when[host], now)
	if w.asked[url] == 1 {
		w.first[url] = now
	}
	w.last[url] = now
	body := ""
	resp := &fetch.Response{URL: req.URL, Protocol: "HTTP/1.1", Status: 200, Type: "text/html"}
	switch path := strings.Split(req.URL.Path(), "/"); {
	case url == "http://kept.example/robots.txt":
		resp.Type, body = "text/plain", "User-agent: *\nDisallow: /page/"
	case strings.Contains(url, "gone"), strings.HasSuffix(url, "robots.txt"):
		resp.Status = 404
	case path[1] == "canonical":
		body = `<link rel=canonical href=canonical><a href=x>x</a>`
	case path[1] == "to":
		resp.Status, resp.Location = 302, "http://"+path[2]+"/"+path[3]
	case path[1] == "page":
		for i := range 1200 { // more than one message holds
			body += fmt.Sprintf("<a href=/sub/%d>x</a>\n", i)
		}
	case path[1] == "busy" && w.asked[url] == 1:
		resp.Status, resp.Header = 429, map[string][]string{"Retry-After": {"1"}}
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

// stream has an asker ask for URLs until all have an answer.
func stream(t *testing.T, a *queue.Asker, urls ...string) (answers map[int64]check.Answer) {
	t.Helper()
	answers = map[int64]check.Answer{}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	all := make(chan struct{})
	open := a.Stream(ctx, func(yield func(check.Question) bool) {
		for q := range questions(urls...) {
			if !yield(q) {
				return
			}
		}
		select {
		case <-all:
		case <-ctx.Done():
		}
	}, func(got check.Answer) {
		if _, twice := answers[got.ID]; twice {
			t.Errorf("question %d has two answers", got.ID)
		}
		answers[got.ID] = got
		if len(answers) == len(urls) {
			close(all)
		}
	})
	if open != 0 {
		t.Errorf("%d questions have no answer", open)
	}
	return answers
}

// questions number URLs from 1.
func questions(urls ...string) iter.Seq[check.Question] {
	return func(yield func(check.Question) bool) {
		for i, url := range urls {
			if !yield(check.Question{ID: int64(1 + i), Links: []check.Link{{URL: url, Place: check.Place{Source: "a.md", Line: 1 + i}}}}) {
				return
			}
		}
	}
}

func urls(n int, format string) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i%7, i))
	}
	return all
}

// TestAnswers: each question has one answer, whole and with its places, whoever of
// several workers gave it; what nobody has to be asked for is decided here.
func TestAnswers(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	checker := &check.Checker{Client: w.client(), Trusting: true}
	for range 3 {
		work(t, s, queue.Options{}, checker)
	}
	all := append(urls(300, "http://h%d.example/%d"), urls(20, "http://h%d.example/gone/%d")...)
	all = append(all, "http://[::", "http://skipped.example/")
	local := &check.Checker{Skip: func(text string, _ anyurl.URL) string {
		if strings.Contains(text, "skipped") {
			return "so"
		}
		return ""
	}}
	got := stream(t, &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: local}, all...)
	for i, url := range all {
		want := check.Alive
		switch {
		case strings.Contains(url, "gone"), strings.Contains(url, "["):
			want = check.Broken
		case strings.Contains(url, "skipped"):
			want = check.Skipped
		}
		r := got[int64(1+i)].Results
		if len(r) != 1 || r[0].URL != url || r[0].State != want || !slices.Equal(r[0].Sources, []check.Place{{Source: "a.md", Line: 1 + i}}) {
			t.Fatalf("%s: got %+v", url, r)
		}
		if want == check.Alive && w.asked[url] != 1 {
			t.Errorf("%s was asked for %d times", url, w.asked[url])
		}
	}
}

// TestFound: what stands on a page comes back, however much it is.
func TestFound(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	work(t, s, queue.Options{}, &check.Checker{Client: w.client(), Trusting: true})
	a := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	a.Stream(ctx, func(yield func(check.Question) bool) {
		yield(check.Question{ID: 1, Links: []check.Link{{URL: "http://a.example/page/1", Depth: 2}}})
		<-ctx.Done()
	}, func(got check.Answer) {
		defer stop()
		if len(got.Found) != 1200 {
			t.Errorf("%d links were found, want 1200", len(got.Found))
		}
		for i, l := range got.Found {
			if want := fmt.Sprintf("http://a.example/sub/%d", i); l.URL != want || l.Depth != 1 || !l.Within || l.Place.Line != 1+i || l.Place.Source != "http://a.example/page/1" {
				t.Fatalf("link %d is %+v", i, l)
			}
		}
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Error("there is no answer")
	}
}

// TestNotes: what a worker has to say of a page, and what that calls itself, reaches
// whoever asked.
func TestNotes(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	work(t, s, queue.Options{}, &check.Checker{Client: w.client(), Trusting: true})
	var notes []check.Note
	a := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{Note: func(n check.Note) { notes = append(notes, n) }}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	canonical := map[int64]string{}
	a.Stream(ctx, func(yield func(check.Question) bool) {
		yield(check.Question{ID: 1, Links: []check.Link{{URL: "http://kept.example/page/1", Depth: 2}}})
		yield(check.Question{ID: 2, Links: []check.Link{{URL: "http://a.example/canonical?s=1", Depth: 2}}})
		<-ctx.Done()
	}, func(got check.Answer) {
		if canonical[got.ID] = got.Page + " " + got.Canonical; len(canonical) == 2 {
			stop()
		}
	})
	if want := []check.Note{{Page: "http://kept.example/page/1", Says: "none of its links were followed: robots.txt keeps us from that"}}; !slices.Equal(notes, want) {
		t.Errorf("got %q, want %q", notes, want)
	}
	if canonical[1] != " " || canonical[2] != "http://a.example/canonical?s=1 http://a.example/canonical" {
		t.Errorf("got %v", canonical)
	}
}

// TestRetryAfter: a question whose host wants to be left alone goes back into the
// queue, and is answered when its time has come, by whoever has the partition then.
func TestRetryAfter(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	checker := &check.Checker{Client: w.client(), Trusting: true, Defer: 500 * time.Millisecond, Patience: time.Millisecond}
	work(t, s, queue.Options{}, checker)
	url := "http://a.example/busy/1"
	got := stream(t, &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}, url)
	if r := got[1].Results; len(r) != 1 || r[0].State != check.Alive {
		t.Errorf("got %+v", r)
	}
	if wait := w.last[url].Sub(w.first[url]); w.asked[url] != 2 || wait < time.Second {
		t.Errorf("it was asked for %d times, the last %v after the first", w.asked[url], wait)
	}
}

// TestBegunAgain: whoever goes on in the place of an asker that was killed asks what
// that one asked, and the queue has it once.
func TestBegunAgain(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	all := urls(100, "http://h%d.example/%d")
	for range 3 {
		a := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}
		ctx, stop := context.WithCancel(t.Context())
		if open := a.Stream(ctx, func(yield func(check.Question) bool) {
			for q := range questions(all...) {
				yield(q)
			}
			await(t, s, len(all))
			stop() // nobody works yet
		}, func(check.Answer) { t.Error("who answers?") }); open != len(all) {
			t.Errorf("%d questions are open, want %d", open, len(all))
		}
	}
	other := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "another", Local: &check.Checker{}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	answers := 0
	last := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}
	if open := last.Stream(ctx, func(yield func(check.Question) bool) {
		for q := range questions(all...) {
			yield(q)
		}
		await(t, s, len(all))
		work(t, s, queue.Options{}, &check.Checker{Client: w.client(), Trusting: true}) // what came before is gone
		<-ctx.Done()
	}, func(check.Answer) {
		if answers++; answers == len(all) {
			stop()
		}
	}); open != 0 {
		t.Errorf("%d questions have no answer", open)
	}
	for _, url := range all {
		if w.asked[url] != 1 {
			t.Errorf("%s was asked for %d times", url, w.asked[url])
		}
	}
	if got := stream(t, other, all[0]); got[1].Results[0].State != check.Alive {
		t.Errorf("another job: %+v", got)
	}
}

// await waits until so many questions are in the queue.
func await(t *testing.T, s *server.Server, n int) {
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for have := 0; have != n; {
		tasks, err := js.Stream(t.Context(), "ANYURL_TASKS")
		if err != nil {
			t.Fatal(err)
		}
		have = int(tasks.CachedInfo().State.Msgs)
	}
}

// TestEmptied: a server that comes back without anything has it all again.
func TestEmptied(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	all := urls(200, "http://h%d.example/%d")
	a := &queue.Asker{Conn: connect(t, s, queue.Options{Patience: 4 * time.Minute}), Job: "x", Local: &check.Checker{}}
	_, text, _ := net.SplitHostPort(strings.TrimPrefix(s.ClientURL(), "nats://"))
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	began := make(chan struct{})
	go func() {
		defer close(began)
		<-asked
		end(s)
		work(t, serve(t, port), queue.Options{}, &check.Checker{Client: w.client(), Trusting: true})
	}()
	got := map[int64]bool{}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	open := a.Stream(ctx, func(yield func(check.Question) bool) {
		for q := range questions(all...) {
			yield(q)
		}
		close(asked)
		<-ctx.Done()
	}, func(answer check.Answer) {
		if got[answer.ID] = true; len(got) == len(all) {
			stop()
		}
	})
	<-began
	if open != 0 || len(got) != len(all) {
		t.Errorf("%d answers to %d questions", len(got), len(all))
	}
}

// TestLost: a server that does not come back ends both sides.
func TestLost(t *testing.T) {
	s := serve(t, 0)
	o := queue.Options{Patience: 300 * time.Millisecond}
	worker := connect(t, s, o)
	worked := make(chan error, 1)
	go func() { worked <- worker.Work(context.Background(), &check.Checker{Client: newWeb().client()}) }()
	conn := connect(t, s, o)
	ctx, stop := conn.Within(t.Context())
	defer stop()
	end(s)
	(&queue.Asker{Conn: conn, Job: "x", Local: &check.Checker{}}).Stream(ctx, func(yield func(check.Question) bool) {
		for q := range questions(urls(100, "http://h%d.example/%d")...) {
			if !yield(q) {
				return
			}
		}
		<-ctx.Done()
	}, func(check.Answer) { t.Error("who answers?") })
	if err := conn.Err(); !errors.Is(err, queue.ErrLost) {
		t.Errorf("the asker: %v", err)
	}
	if err := <-worked; !errors.Is(err, queue.ErrLost) {
		t.Errorf("the worker: %v", err)
	}
}

// TestTurns: hosts are asked by two workers in their turns, also where a redirect
// leads from one worker's host to another's.
func TestTurns(t *testing.T) {
	const interval = 40 * time.Millisecond
	s, w := serve(t, 0), newWeb()
	checker := &check.Checker{Client: w.client(), Trusting: true, Pace: &check.Pace{Interval: interval}}
	for range 2 {
		work(t, s, queue.Options{Lease: 3 * time.Second}, checker)
	}
	var all []string
	for i := range 84 {
		switch host := i % 7; i % 3 {
		case 0:
			all = append(all, fmt.Sprintf("http://h%d.example/%d", host, i))
		default:
			all = append(all, fmt.Sprintf("http://h%d.example/to/h%d.example/%d", host, (host+i)%7, 1000+i))
		}
	}
	got := stream(t, &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}, all...)
	for _, answer := range got {
		if answer.Results[0].State != check.Alive {
			t.Errorf("got %+v", answer.Results[0])
		}
	}
	apart(t, w, interval)
	if n := len(w.when["h0.example"]); n < 15 {
		t.Errorf("a host was asked %d times", n)
	}
}

// apart holds that no host of a web was asked sooner than an interval after the last
// time.
func apart(t *testing.T, w *web, interval time.Duration) {
	t.Helper()
	for host, when := range w.when {
		slices.SortFunc(when, time.Time.Compare)
		for i := range when[1:] {
			if gap := when[i+1].Sub(when[i]); gap < interval {
				t.Errorf("%s: request %d of %d came %v after the one before", host, i+1, len(when), gap)
			}
		}
	}
}

// TestLeave: a worker that ends gives its partitions and questions to the others at
// once, and nothing is lost.
func TestLeave(t *testing.T) {
	s, w := serve(t, 0), newWeb()
	checker := &check.Checker{Client: w.client(), Trusting: true, Pace: &check.Pace{Interval: 5 * time.Millisecond}}
	leave := work(t, s, queue.Options{}, checker)
	all := urls(400, "http://h%d.example/%d")
	work(t, s, queue.Options{}, checker)
	a := &queue.Asker{Conn: connect(t, s, queue.Options{}), Job: "x", Local: &check.Checker{}}
	got := map[int64]bool{}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	a.Stream(ctx, func(yield func(check.Question) bool) {
		for q := range questions(all...) {
			yield(q)
		}
		<-ctx.Done()
	}, func(answer check.Answer) {
		got[answer.ID] = true
		if len(got) == 100 {
			go leave()
		}
		if len(got) == len(all) {
			stop()
		}
	})
	if len(got) != len(all) {
		t.Errorf("%d answers to %d questions", len(got), len(all))
	}
	apart(t, w, 5*time.Millisecond)
}
