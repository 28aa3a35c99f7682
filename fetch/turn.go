package fetch

import (
	"context"
	"sync"
	"time"

	"anyurl"
)

// A Wait waits until a URL may be asked for.
type Wait func(ctx context.Context, u anyurl.URL) (Turn, error)

// A Turn is the right to ask for a URL once.
type Turn struct {
	// Done is called when the answer has begun, or when there will be none.
	Done func()
	// Lost, where not nil, reports whether the right has gone to others since it
	// was given. It is asked just before the request is written.
	Lost func() bool
}

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

	mu sync.Mutex
	Turn
}

func (t *turn) end() {
	t.mu.Lock()
	done := t.Done
	t.Turn = Turn{}
	t.mu.Unlock()
	if done != nil {
		done()
	}
}

// isLost reports whether others have the right by now.
func (t *turn) isLost() bool {
	t.mu.Lock()
	lost := t.Lost
	t.mu.Unlock()
	return lost != nil && lost()
}

// await waits for the turn of asking for u, and gives the context in which that
// is done. end ends the turn.
func await(ctx context.Context, u anyurl.URL, clock *countdown) (within context.Context, end func(), err error) {
	wait, _ := ctx.Value(waitKey{}).(Wait)
	if wait == nil {
		return ctx, func() {}, nil
	}
	clock.stop()
	its, err := wait(ctx, u)
	clock.start()
	if err != nil {
		return ctx, func() {}, err
	}
	t := &turn{wait: wait, url: u, Turn: its}
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
	its, err := t.wait(ctx, t.url)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Turn = its
	return nil
}

// Ready is called by a [Transport] that has its connection, just before it writes
// its request: a turn that was lost meanwhile is waited for anew.
func Ready(ctx context.Context) error {
	t, _ := ctx.Value(turnKey{}).(*turn)
	for t != nil && t.isLost() {
		if err := Again(ctx); err != nil {
			return err
		}
	}
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

// stop reports whether it ran.
func (c *countdown) stop() bool {
	ran := c.timer != nil && c.timer.Stop()
	if ran {
		c.left -= time.Since(c.since)
	}
	return ran
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
