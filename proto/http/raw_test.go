package http_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	httpproto "anyurl/proto/http"
)

// A large object goes to its file whole and in order, whether or not the socket
// was taken for it; what is cut off, too large or given up is told, and the
// transport is of use afterwards.
func TestRaw(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef\n"), 300_000) // 5 MB
	var conns atomic.Int64
	hold := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
			w.Write(large)
		case "/chunked":
			for rest := large; len(rest) > 0; {
				n, err := w.Write(rest[:min(len(rest), 100_000)])
				if err != nil {
					return // whoever asked has had enough
				}
				w.(http.Flusher).Flush()
				rest = rest[n:]
			}
		case "/cut":
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
			w.Write(large[:len(large)-1])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/held":
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
			w.Write(large[:2<<20])
			w.(http.Flusher).Flush()
			<-hold
		}
	}))
	server.Config.ConnState = func(c net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	defer close(hold)
	tr := httpproto.New(&dial.Dialer{})
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": tr}}
	defer c.Close()
	save := func(ctx context.Context, path string, limits fetch.Limits, came func(int64)) ([]byte, error) {
		t.Helper()
		got, err := c.Do(ctx, &fetch.Request{URL: anyurl.MustParse(server.URL + path), Limits: limits, Progress: came})
		if err != nil {
			return nil, err
		}
		name := filepath.Join(t.TempDir(), "out")
		out, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(out, got.Body)
		got.Body.Close()
		out.Close()
		b, readErr := os.ReadFile(name)
		if readErr != nil {
			t.Fatal(readErr)
		}
		return b, err
	}
	for range 2 {
		for _, path := range []string{"/large", "/chunked"} {
			var last int64
			b, err := save(t.Context(), path, fetch.Limits{}, func(n int64) { last = n })
			if err != nil || !bytes.Equal(b, large) || last != int64(len(large)) {
				t.Errorf("%s: %d octets, %d told, %v", path, len(b), last, err)
			}
		}
	}
	if b, err := save(t.Context(), "/cut", fetch.Limits{}, nil); !errors.Is(err, fetch.ErrTruncated) || !bytes.Equal(b, large[:len(large)-1]) {
		t.Errorf("cut off: %d octets, %v", len(b), err)
	}
	if b, err := save(t.Context(), "/chunked", fetch.Limits{MaxBody: 2_000_000}, nil); !errors.Is(err, fetch.ErrTooLarge) || len(b) > 2_000_000 {
		t.Errorf("too large: %d octets, %v", len(b), err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	if _, err := save(ctx, "/held", fetch.Limits{}, func(n int64) {
		if n > 1<<20 {
			stop(enough)
		}
	}); !errors.Is(err, enough) {
		t.Errorf("given up: %v", err)
	}
	// A small part is no reason to take the connection.
	before := conns.Load()
	if before != 5 {
		t.Errorf("%d connections: a large object, one cut off and one given up take theirs along", before)
	}
	for range 3 {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(server.URL + "/large")})
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(struct{ io.Writer }{io.Discard}, got.Body)
		got.Body.Close()
		if n != int64(len(large)) || err != nil {
			t.Errorf("by reading: %d octets, %v", n, err)
		}
	}
	if n := conns.Load() - before; n > 1 {
		t.Errorf("%d connections for three objects that were read", n)
	}
}
