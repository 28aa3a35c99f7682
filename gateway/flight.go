package gateway

import (
	"context"
	"errors"
	"sync"
)

// flights are the objects that are being opened, so that those who ask for one of
// them meanwhile wait for it, and its server is asked once.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// A flight is one object that is being opened.
type flight struct {
	key     string
	done    chan struct{} // closed once the rest is set
	object  *object
	err     error
	waiting int // how many still want it
	cancel  context.CancelFunc
}

// errAbandoned is what those get who waited for somebody who did not come back.
var errAbandoned = errors.New("the object could not be opened")

// open gives the object of a key. Where it is being opened already, that is waited
// for; otherwise enter says whether its client may have it opened, and open is
// called. It goes on for as long as anybody waits, whoever has begun it.
func (f *flights) open(ctx context.Context, key string, enter func() (done func(), err error), open func(context.Context) (*object, error)) (*object, error) {
	f.mu.Lock()
	if one := f.all[key]; one != nil {
		one.waiting++
		f.mu.Unlock()
		select {
		case <-one.done:
			return one.object, one.err
		case <-ctx.Done():
			f.leave(one)
			return nil, ctx.Err()
		}
	}
	left, err := enter()
	if err != nil {
		f.mu.Unlock()
		return nil, err
	}
	defer left()
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	one := &flight{key: key, done: make(chan struct{}), err: errAbandoned, waiting: 1, cancel: cancel}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	f.all[key] = one
	f.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { f.leave(one) })
	defer func() {
		stop()
		cancel()
		f.forget(one)
		close(one.done)
	}()
	one.object, one.err = open(own)
	return one.object, one.err
}

// leave ends the waiting of one; nobody opens what nobody waits for.
func (f *flights) leave(one *flight) {
	f.mu.Lock()
	one.waiting--
	last := one.waiting == 0
	f.mu.Unlock()
	if last {
		f.forget(one)
		one.cancel()
	}
}

// forget has the next who asks begin anew.
func (f *flights) forget(one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all[one.key] == one {
		delete(f.all, one.key)
	}
}
