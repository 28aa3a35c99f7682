package check

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"anyurl"
	"anyurl/fetch"
)

// A Pace leaves time between the requests to each host, whoever makes them: those
// to which redirects lead, for a site's rules or a made-up address, and retries
// as well. A host is asked for one thing at a time, and the Interval runs from
// when an answer has begun, or was given up: so no two requests come to a host
// any sooner after each other, however long each was on its way.
//
// Its fields are not changed after the first use. It may be shared by several
// [Checker]s.
type Pace struct {
	// Interval is the time between two requests to one host.
	Interval time.Duration
	// Elsewhere, where not nil, gives for a host that others ask as well how to
	// wait for its turn there, and nil for those that are only asked from here.
	Elsewhere func(host string) func(context.Context) (Turn, error)
	// May, where not nil, is asked of turns that were given here when they have come,
	// and again just before the request: where it says no, the turn is given back, and
	// waited for anew.
	May func(host string) bool

	slowed atomic.Bool // some host wants more time than the Interval

	mu    sync.Mutex
	own   map[string]time.Duration // of hosts that want more
	hosts map[string]*paced
	most  int       // hosts after which those are forgotten that may be
	from  time.Time // nobody is asked before
}

// A paced host is one that is asked, or was a short while ago.
type paced struct {
	asking  bool
	next    time.Time // nobody asks before
	waiting []*waiting
	timer   *time.Timer // of the first that waits
}

// A waiting is a request that waits for its turn.
type waiting struct{ grant func() }

// A Turn is the right to send a host one request.
type Turn struct {
	// End has to be called when the answer has begun, or when there will be none;
	// with false, where nothing was asked.
	End func(asked bool)
	// May, where not nil, reports whether the turn may still be used.
	May func() bool
}

// may reports whether the turn may still be used.
func (t Turn) may() bool { return t.May == nil || t.May() }

// Rest has no host asked before the Interval is over, as whoever went before in
// this place may have asked it just now.
func (p *Pace) Rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.from = time.Now().Add(p.Interval)
}

// slow leaves more time between the requests to a host from now on.
func (p *Pace) slow(host string, interval time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.own == nil || len(p.own) >= maxSites {
		p.own = map[string]time.Duration{}
	}
	p.own[host] = max(p.own[host], interval)
	p.slowed.Store(true)
	if h := p.host(host); !h.asking {
		h.next = time.Now().Add(p.own[host]) // it was asked just now
	}
}

// some reports whether there is a host whose requests have time between them.
func (p *Pace) some() bool { return p.Interval > 0 || p.slowed.Load() }

// applies reports whether a host's requests have.
func (p *Pace) applies(host string) bool {
	if p.Interval > 0 || !p.slowed.Load() {
		return p.Interval > 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.own[host] > 0
}

// Turn waits for a turn of asking a host.
func (p *Pace) Turn(ctx context.Context, host string) (Turn, error) {
	if !p.applies(host) {
		return Turn{End: func(bool) {}}, nil
	}
	if p.Elsewhere != nil && p.Interval > 0 {
		if wait := p.Elsewhere(host); wait != nil {
			return wait(ctx)
		}
	}
	granted := make(chan struct{})
	w := p.request(host, func() { close(granted) })
	select {
	case <-granted:
		return p.given(host), nil
	case <-ctx.Done():
		p.withdraw(host, w)
		return Turn{}, context.Cause(ctx)
	}
}

// given is a turn of a host that was granted here.
func (p *Pace) given(host string) Turn {
	t := Turn{End: func(asked bool) { p.end(host, asked) }}
	if p.May != nil {
		t.May = func() bool { return p.May(host) }
	}
	return t
}

// Through gives client as one that waits for its turns.
func (p *Pace) Through(client Fetcher) Fetcher {
	if p == nil {
		return client
	}
	return polite{client, p, p.Turn}
}

// refusal is how long a turn that may not be used is left alone.
const refusal = time.Second / 2

// take waits for a turn with wait that may be used. Whose a host is may change
// meanwhile, which says nothing about what is asked there.
func take(ctx context.Context, host string, wait func(context.Context, string) (Turn, error)) (Turn, error) {
	for {
		t, err := wait(ctx, host)
		if err != nil || t.may() {
			return t, err
		}
		t.End(false)
		away(ctx, func() {
			select {
			case <-ctx.Done():
			case <-time.After(refusal):
			}
		})
		if ctx.Err() != nil {
			return Turn{}, context.Cause(ctx)
		}
	}
}

// isMachine reports whether a host, as [HostOf] gives it, is one that can be asked
// too much.
func isMachine(host string) bool { return !strings.HasSuffix(host, ":") }

// request asks for a turn. grant is called when it has come, perhaps at once; the
// turn then ends with [Pace.end].
func (p *Pace) request(host string, grant func()) *waiting {
	w := &waiting{grant}
	p.mu.Lock()
	h := p.host(host)
	h.waiting = append(h.waiting, w)
	p.mu.Unlock()
	p.wake(host)
	return w
}

// host gives a host. The caller holds p.mu.
func (p *Pace) host(name string) *paced {
	h := p.hosts[name]
	if h != nil {
		return h
	}
	if len(p.hosts) >= max(p.most, 1024) {
		now := time.Now()
		for name, h := range p.hosts {
			if !h.asking && len(h.waiting) == 0 && !h.next.After(now) {
				delete(p.hosts, name)
			}
		}
		p.most = 2 * len(p.hosts)
	}
	if p.hosts == nil {
		p.hosts = map[string]*paced{}
	}
	h = &paced{next: p.from}
	p.hosts[name] = h
	return h
}

// wake gives a host's turn to the first that waits for it, or sees to it that
// this happens when its time has come.
func (p *Pace) wake(host string) {
	p.mu.Lock()
	h := p.hosts[host]
	if h == nil || h.asking || len(h.waiting) == 0 {
		p.mu.Unlock()
		return
	}
	if wait := time.Until(h.next); wait > 0 {
		if h.timer == nil {
			h.timer = time.AfterFunc(wait, func() { p.wake(host) })
		} else {
			h.timer.Reset(wait)
		}
		p.mu.Unlock()
		return
	}
	first := h.waiting[0]
	h.waiting[0] = nil
	h.waiting = h.waiting[1:]
	h.asking = true
	p.mu.Unlock()
	first.grant()
}

// end ends a turn in which the host was asked, or was not.
func (p *Pace) end(host string, asked bool) {
	p.mu.Lock()
	h := p.hosts[host]
	h.asking = false
	if asked {
		h.next = time.Now().Add(max(p.Interval, p.own[host]))
	}
	p.mu.Unlock()
	p.wake(host)
}

// withdraw takes a request for a turn back, whether it was granted or not.
func (p *Pace) withdraw(host string, w *waiting) {
	p.mu.Lock()
	h := p.hosts[host]
	for i, other := range h.waiting {
		if other == w {
			h.waiting = append(h.waiting[:i], h.waiting[i+1:]...)
			p.mu.Unlock()
			return
		}
	}
	p.mu.Unlock()
	p.end(host, false) // it was granted meanwhile
}

// A polite client waits for the turn of each of its requests.
type polite struct {
	Fetcher
	pace *Pace
	turn func(ctx context.Context, host string) (Turn, error)
}

// Do waits for the first turn itself, for whatever the Fetcher is; a [fetch.Client]
// waits for those of its redirects.
func (c polite) Do(ctx context.Context, req *fetch.Request) (*fetch.Result, error) {
	host := HostOf(req.URL)
	if !isMachine(host) || !c.pace.some() {
		return c.Fetcher.Do(ctx, req)
	}
	first, err := take(ctx, host, c.turn)
	if err != nil {
		return nil, err
	}
	used := false
	ctx = fetch.WithTurns(ctx, func(ctx context.Context, u anyurl.URL) (fetch.Turn, error) {
		t := first
		if used {
			host := HostOf(u)
			if !isMachine(host) {
				return fetch.Turn{}, nil
			}
			var err error
			if t, err = take(ctx, host, c.turn); err != nil {
				return fetch.Turn{}, err
			}
		}
		used = true
		its := fetch.Turn{Done: func() { t.End(true) }}
		if t.May != nil {
			its.Lost = func() bool { return !t.May() }
		}
		return its, nil
	})
	result, err := c.Fetcher.Do(ctx, req)
	if !used {
		refused, ok := errors.AsType[*fetch.Error](err)
		first.End(!ok || refused.Step != fetch.Gate)
	}
	return result, err
}
