package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/fetch"
)

// hopping leads from /0 to /3, and takes a second for each.
func hopping(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	resp := &fetch.Response{Protocol: "HTTP/1.1", Status: 200, Body: io.NopCloser(strings.NewReader("x"))}
	if n := req.URL.Path()[1] - '0'; n < 3 {
		resp.Status, resp.Location = 302, fmt.Sprintf("/%d", n+1)
	}
	return resp, nil
}

// TestTurns: a client waits before each URL on its way, tells when each has its
// answer, and what it waits counts against no limit.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		total time.Duration
		says  error
	}{{5 * time.Second, nil}, {2500 * time.Millisecond, fetch.ErrTotal}} {
		synctest.Test(t, func(t *testing.T) {
			var story []string
			start := time.Now()
			note := func(what string, u anyurl.URL) {
				story = append(story, fmt.Sprint(what, " ", u.Path(), " ", time.Since(start)))
			}
			ctx := fetch.WithTurns(t.Context(), func(ctx context.Context, u anyurl.URL) (fetch.Turn, error) {
				time.Sleep(time.Minute)
				note("ask", u)
				return fetch.Turn{Done: func() { note("done", u) }}, nil
			})
			c := &fetch.Client{Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(hopping)}, Limits: fetch.Limits{Total: tt.total}}
			r, err := c.Do(ctx, &fetch.Request{URL: anyurl.MustParse("http://h.example/0")})
			if !errors.Is(err, tt.says) {
				t.Fatalf("got %v, want %v", err, tt.says)
			}
			want := []string{"ask /0 1m0s", "done /0 1m1s", "ask /1 2m1s", "done /1 2m2s", "ask /2 3m2s", "done /2 3m3s", "ask /3 4m3s", "done /3 4m4s"}
			if err != nil {
				want = append(want[:5], "done /2 3m2.5s")
			} else {
				r.Body.Close()
			}
			if !slices.Equal(story, want) {
				t.Errorf("got %q, want %q", story, want)
			}
		})
	}
}

// TestTurnRefused: who does not get a turn does not ask.
func TestTurnRefused(t *testing.T) {
	none := errors.New("not now")
	ctx := fetch.WithTurns(t.Context(), func(context.Context, anyurl.URL) (fetch.Turn, error) { return fetch.Turn{}, none })
	c := &fetch.Client{Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
		t.Error("it was asked")
		return nil, none
	})}}
	if _, err := c.Do(ctx, &fetch.Request{URL: anyurl.MustParse("http://h.example/0")}); !errors.Is(err, none) {
		t.Errorf("got %v", err)
	}
}

// TestTurnLost: a turn that others have by the time of the request is waited for
// anew, as often as need be.
func TestTurnLost(t *testing.T) {
	given, done := 0, 0
	ctx := fetch.WithTurns(t.Context(), func(context.Context, anyurl.URL) (fetch.Turn, error) {
		given++
		mine := given
		return fetch.Turn{Done: func() { done++ }, Lost: func() bool { return mine < 3 }}, nil
	})
	c := &fetch.Client{Transports: map[string]fetch.Transport{"http": fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if err := fetch.Ready(ctx); err != nil || given != 3 || done != 2 {
			t.Errorf("%v after %d turns, %d of them done", err, given, done)
		}
		return &fetch.Response{URL: req.URL, Status: 200, Body: io.NopCloser(strings.NewReader(""))}, nil
	})}}
	if _, err := c.Do(ctx, &fetch.Request{URL: anyurl.MustParse("http://h.example/")}); err != nil || done != 3 {
		t.Errorf("%v, %d turns done", err, done)
	}
}

// TestPause: an object that waits to be read does not run out of time.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			r, w := io.Pipe()
			go func() {
				for range 4 {
					select {
					case <-time.After(time.Second):
						w.Write([]byte("x"))
					case <-ctx.Done():
						w.CloseWithError(context.Cause(ctx))
					}
				}
				w.Close()
			}()
			return &fetch.Response{URL: req.URL, Status: 200, Body: r}, nil
		})
		c := &fetch.Client{Transports: map[string]fetch.Transport{"http": slow}, Limits: fetch.Limits{Total: 5 * time.Second}}
		for _, waits := range []bool{true, false} {
			r, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://h.example/")})
			if err != nil {
				t.Fatal(err)
			}
			if waits {
				r.Pause()
			}
			time.Sleep(time.Minute)
			r.Resume()
			data, err := io.ReadAll(r.Body)
			r.Body.Close()
			if waits && (err != nil || string(data) != "xxxx") || !waits && !errors.Is(err, fetch.ErrTotal) {
				t.Errorf("it waits: %v; %q, %v", waits, data, err)
			}
			synctest.Wait()
		}
	})
}
