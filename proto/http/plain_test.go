package http_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	httpproto "anyurl/proto/http"
)

// A wordy server answers each request on a connection with the next of its
// answers, and closes the connection behind the last of them.
type wordy struct {
	net.Listener
	conns atomic.Int64
	heads chan string // the first line of each request
	gone  sync.WaitGroup
}

func newWordy(t *testing.T, answers ...string) *wordy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wordy{Listener: l, heads: make(chan string, 64)}
	w.gone.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.conns.Add(1)
			w.gone.Go(func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for _, answer := range answers {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					w.heads <- req.Method + " " + req.RequestURI
					io.WriteString(conn, answer)
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); w.gone.Wait() })
	return w
}

func (w *wordy) url(path string) string { return "http://" + w.Addr().String() + path }

// read asks and reads the whole body.
func read(c *fetch.Client, url string) (string, error) {
	got, err := c.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return string(b), err
}

func newClient(t *testing.T) (*fetch.Client, *httpproto.Transport) {
	tr := httpproto.New(&dial.Dialer{})
	t.Cleanup(func() { tr.Close() })
	return &fetch.Client{Transports: map[string]fetch.Transport{"http": tr}}, tr
}

const short = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

// What may serve another request and what may not.
func TestKept(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers []string
		conns   int64 // for two requests
	}{
		{"length", []string{short, short}, 1},
		{"chunked", []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", short}, 1},
		{"no body", []string{"HTTP/1.1 204 No Content\r\n\r\n", short}, 1},
		{"interim answers first", []string{"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + short, short}, 1},
		{"the server closes it", []string{short}, 2},
		{"it says so", []string{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", short}, 2},
		{"HTTP/1.0", []string{"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", short}, 2},
		{"to its end", []string{"HTTP/1.1 200 OK\r\n\r\nhi"}, 2},
		{"more than asked for", []string{short + short, short}, 2},
		{"the next answer is none", []string{short, "what?\r\n"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWordy(t, tt.answers...)
			c, _ := newClient(t)
			for range 2 {
				body, err := read(c, w.url("/"))
				if err != nil || body != "hi" && !strings.Contains(tt.answers[0], " 204 ") {
					t.Fatalf("%q, %v", body, err)
				}
			}
			if n := w.conns.Load(); n != tt.conns {
				t.Errorf("%d connections, want %d", n, tt.conns)
			}
		})
	}
}

// A body that is given up takes its connection with it, also while it is read.
func TestGivenUp(t *testing.T) {
	w := newWordy(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhi", short)
	_, tr := newClient(t)
	for range 2 {
		got, err := tr.Fetch(t.Context(), ask(w.url("/")))
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan error)
		go func() {
			_, err := io.ReadAll(got.Body)
			read <- err
		}()
		got.Body.Close()
		if err := <-read; err == nil {
			t.Error("a body that was closed is whole")
		}
	}
	if n := w.conns.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

// Where a host may have one connection only, requests wait for it, and one that
// gives up waiting leaves it to the others.
func TestOneConnection(t *testing.T) {
	var now, most, opened atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		if r.URL.Path == "/close" {
			w.Header().Set("Connection", "close")
		}
		io.WriteString(w, r.URL.Path)
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	c, tr := newClient(t)
	tr.PerHost = 1
	held, err := c.Do(t.Context(), ask(server.URL+"/held"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		path := fmt.Sprint("/", i)
		if i == 7 {
			path = "/close"
		}
		wg.Go(func() {
			if body, err := read(c, server.URL+path); body != path || err != nil {
				t.Errorf("%s: %q, %v", path, body, err)
			}
		})
	}
	enough := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	wg.Go(func() {
		if got, err := c.Do(ctx, ask(server.URL+"/left")); !errors.Is(err, enough) {
			if err == nil {
				got.Body.Close() // its turn came first, which is no fault
				return
			}
			t.Errorf("left: %v", err)
		}
	})
	stop(enough)
	if body, err := io.ReadAll(held.Body); string(body) != "/held" || err != nil {
		t.Errorf("held: %q, %v", body, err)
	}
	held.Body.Close()
	wg.Wait()
	if most.Load() != 1 || opened.Load() > 3 {
		t.Errorf("%d requests at once over %d connections", most.Load(), opened.Load())
	}
}

// An answer's header has its limits.
func TestHeaderLimits(t *testing.T) {
	for _, tt := range []struct {
		name, answer, want string
	}{
		{"long", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 5000) + "\r\nContent-Length: 2\r\n\r\nhi", "the header is larger than the limit"},
		{"long interim", "HTTP/1.1 103 Early Hints\r\nX: " + strings.Repeat("x", 5000) + "\r\n\r\n" + short, "the header is larger than the limit"},
		{"many interim", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 7) + short, "more interim answers came than the limit allows"},
	} {
		w := newWordy(t, tt.answer)
		c, _ := newClient(t)
		_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(w.url("/")), Limits: fetch.Limits{MaxHeader: 4000}})
		if !errors.Is(err, fetch.ErrTooLarge) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// Nothing that a caller hands in can add a line to a request.
func TestFieldsStayWhole(t *testing.T) {
	w := newWordy(t, short)
	c, _ := newClient(t)
	for _, header := range []map[string][]string{{"X": {"a\r\nY: b"}}, {"X\r\nY": {"a"}}, {"": {"a"}}, {"X": {"secret-a\x00"}}} {
		_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(w.url("/")), Header: header})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", header, err)
		}
	}
	if n := w.conns.Load(); n != 0 {
		t.Errorf("%d connections for what cannot be asked", n)
	}
}

// A connection that nobody wants for half a minute is closed.
func TestSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened, closed atomic.Int64
		tr := httpproto.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
			ours, theirs := net.Pipe()
			opened.Add(1)
			go func() {
				serve(theirs, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") }))
				closed.Add(1)
			}()
			return ours, nil
		}})
		c := &fetch.Client{Transports: map[string]fetch.Transport{"http": tr}}
		for i, pause := range []time.Duration{20 * time.Second, 20 * time.Second, 29 * time.Second, 31 * time.Second, 0} {
			if body, err := read(c, "http://192.0.2.1/"); body != "hi" || err != nil {
				t.Fatalf("%q, %v", body, err)
			}
			time.Sleep(pause)
			synctest.Wait()
			want := [...]int64{0, 0, 0, 1, 1}[i]
			if n := closed.Load(); n != want {
				t.Errorf("after request %d and %v: %d connections closed, want %d", i+1, pause, n, want)
			}
		}
		if n := opened.Load(); n != 2 {
			t.Errorf("%d connections, want 2", n)
		}
		tr.Close()
	})
}
