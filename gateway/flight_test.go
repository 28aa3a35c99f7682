package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"anyurl/fetch"
)

// TestOneFlight has many ask for the same text at once: its server is asked once,
// and nobody is told to wait.
func TestOneFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return answers(ctx, req)
		}, func(o *Options) { o.Burst, o.Together = 1, 1 })
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() { holds(t, ask(g, "/gopher/a.example/0about"), http.StatusOK, "About a.example") })
		}
		all.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

// TestFlightGoesOn holds that an object comes for those who still wait, when who
// asked first has gone; and is given up when nobody waits any more.
func TestFlightGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights
		ended := make(chan error, 1)
		open := func(ctx context.Context) (*object, error) {
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			ended <- ctx.Err()
			return &object{cut: true}, ctx.Err()
		}
		free := func() (func(), error) { return func() {}, nil }
		busy := func() (func(), error) { return nil, errRate }
		one, leave := context.WithCancel(t.Context())
		go f.open(one, "x", free, open)
		synctest.Wait()
		second := make(chan error, 1)
		go func() {
			o, err := f.open(t.Context(), "x", busy, open)
			if err == nil && !o.cut {
				err = fmt.Errorf("another object")
			}
			second <- err
		}()
		synctest.Wait()
		leave()
		if err := <-second; err != nil {
			t.Errorf("the second: %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("it was given up: %v", err)
		}
		// Now alone.
		alone, leave := context.WithCancel(t.Context())
		go f.open(alone, "x", free, open)
		synctest.Wait()
		leave()
		if err := <-ended; err != context.Canceled {
			t.Errorf("nobody waits, and it goes on: %v", err)
		}
		synctest.Wait()
		if len(f.all) != 0 {
			t.Errorf("%d are left", len(f.all))
		}
		if _, err := f.open(t.Context(), "x", busy, open); err != errRate {
			t.Errorf("a client who may not: %v", err)
		}
	})
}

// A dripping body gives a line every half a second, and for ever.
type dripping struct {
	ctx context.Context
	n   int
}

func (d *dripping) Read(b []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(500 * time.Millisecond):
	}
	d.n++
	return copy(b, fmt.Sprintf("line %d\r\n", d.n)), nil
}

func (d *dripping) Close() error { return nil }

// TestSlowServer holds that a page of what comes slowly shows what has come.
func TestSlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := try(t, func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: req.URL, Type: "text/plain", Size: -1, Body: &dripping{ctx: ctx}}, nil
		}, nil)
		begin := time.Now()
		w := ask(g, "/gopher/a.example/0drip")
		holds(t, w, http.StatusOK, "The server is slow: this is what came in 10 seconds.", "line 1\nline 2\n", "line 20\n")
		if took := time.Since(begin); took != 10500*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		if _, kept := g.cache.object("gopher://a.example/0drip"); kept || strings.Contains(w.Header().Get("Cache-Control"), "max-age") {
			t.Error("half a text is kept")
		}
	})
}

// TestBusyServer holds that what comes at once is whole, however much it is.
func TestBusyServer(t *testing.T) {
	g := try(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Type: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader(strings.Repeat("line\r\n", 10_000)))}, nil
	}, nil)
	w := ask(g, "/gopher/a.example/0much")
	if n := strings.Count(w.Body.String(), "line\n"); n < 9_999 || strings.Contains(w.Body.String(), "slow") {
		t.Errorf("%d lines", n)
	}
}
