package fetch

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Retry asks again when a server was busy or a connection broke before its
// answer was there. It is a Transport around another.
type Retry struct {
	Transport
	// Attempts is how often to ask in all; below 2 it is asked once.
	Attempts int
	// Base is the first wait, which then doubles; 0 is half a second. Each wait
	// is cut at random to between half of it and all of it.
	Base time.Duration
	// Most bounds one wait, the server's own Retry-After too: a longer wish is
	// not waited for but handed on. 0 is 30 seconds.
	Most time.Duration
	// Wait waits; nil is a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// Fetch asks, and asks again where that is of use.
func (t *Retry) Fetch(ctx context.Context, req *Request) (*Response, error) {
	base, most := t.Base, t.Most
	if base <= 0 {
		base = time.Second / 2
	}
	if most <= 0 {
		most = 30 * time.Second
	}
	for n := 1; ; n++ {
		resp, err := t.Transport.Fetch(ctx, req)
		if n >= t.Attempts || ctx.Err() != nil {
			return resp, err
		}
		pause, again := wantsRetry(resp, err)
		if !again {
			return resp, err
		}
		if pause == 0 {
			pause = min(base<<min(n-1, 20), most)
			pause = pause/2 + rand.N(pause/2+1)
		}
		if pause > most {
			return resp, err
		}
		if resp != nil {
			discard(resp.Body)
		}
		if req.Trace != nil {
			req.Trace(Event{Kind: '*', Text: "asking again in " + pause.Round(time.Millisecond).String()})
		}
		wait := t.Wait
		if wait == nil {
			wait = sleep
		}
		if err := wait(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// Close lets go of the connections that the inner transport keeps.
func (t *Retry) Close() error {
	if c, ok := t.Transport.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// wantsRetry reports whether asking again may help, and how long the server
// wants to be left alone, 0 if it does not say.
func wantsRetry(resp *Response, err error) (pause time.Duration, again bool) {
	if err != nil {
		return 0, errors.Is(err, ErrBusy) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
			(errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) && !errors.Is(err, ErrMalformed)
	}
	switch resp.Status {
	case 429, 503:
	default:
		return 0, false
	}
	for name, values := range resp.Header {
		if strings.EqualFold(name, "Retry-After") && len(values) > 0 {
			if s, err := strconv.ParseInt(strings.TrimSpace(values[0]), 10, 32); err == nil && s > 0 {
				return time.Duration(s) * time.Second, true
			}
		}
	}
	return 0, strings.HasPrefix(resp.Protocol, "HTTP/")
}
