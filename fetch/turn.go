package fetch

import (
	"context"
	"sync"
	"time"

	"anyurl"
)

// A Wait waits until a URL may be asked for. done is called when its answer has
// begun, or when there will be none.
type Wait func(ctx context.Context, u anyurl.URL) (done func(), err error)

type (
	waitKey struct{}
	turnKey struct{}
)

// WithTurns returns a context in which a [Client] waits before each URL that it
// asks for, those that redirects lead to as well. What it waits counts against no
// limit.
func WithTurns(ctx context.Context, wait Wait) context.Context {
	return context.WithValue(ctx, waitKey{}, wait)
}

// A turn is one URL's.
type turn struct {
	wait Wait
	url  anyurl.URL

	mu   sync.Mutex
	done func()
}

func (t *turn) end() {
	t.mu.Lock()
	done := t.done
	t.done = nil
	t.mu.Unlock()
	if done != nil {
		done()
	}
}

// await waits for the turn of asking for u, and gives the context in which that
// is done. end ends the turn.
func await(ctx context.Context, u anyurl.URL, clock *countdown) (within context.Context, end func(), err error) {
	wait, _ := ctx.Value(waitKey{}).(Wait)
	if wait == nil {
		return ctx, func() {}, nil
	}
	clock.stop()
	done, err := wait(ctx, u)
	clock.start()
	if err != nil {
		return ctx, func() {}, err
	}
	t := &turn{wait: wait, url: u, done: done}
	return context.WithValue(ctx, turnKey{}, t), t.end, nil
}

// Again is called by a [Transport] that is about to ask for its URL once more: it
// waits for the next turn where there are turns.
func Again(ctx context.Context) error {
	t, _ := ctx.Value(turnKey{}).(*turn)
	if t == nil {
		return nil
	}
	t.end()
	done, err := t.wait(ctx, t.url)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = done
	return nil
}

// A countdown calls a function when so much time has passed, but for the time in
// which it was stopped.
type countdown struct {
	timer *time.Timer // nil: it never ends
	left  time.Duration
	since time.Time
}

// countDown begins a countdown.
func countDown(d time.Duration, f func()) *countdown {
	return &countdown{timer: time.AfterFunc(d, f), left: d, since: time.Now()}
}

func (c *countdown) stop() {
	if c.timer != nil && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

func (c *countdown) start() {
	if c.timer != nil {
		c.since = time.Now()
		c.timer.Reset(max(0, c.left))
	}
}

// end ends it for good.
func (c *countdown) end() {
	if c.timer != nil {
		c.timer.Stop()
	}
}
