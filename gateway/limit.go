package gateway

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A limiter holds what each client, and all together, may have opened. What is
// served from the cache costs nobody anything and is not counted.
type limiter struct {
	mu       sync.Mutex
	rate     rate.Limit
	burst    int
	together int
	all      int
	now      func() time.Time
	open     int
	clients  map[netip.Addr]*share
	swept    time.Time
}

// A share is one client's.
type share struct {
	bucket *rate.Limiter
	open   int
	last   time.Time
}

// Why a client has to wait.
var (
	errRate     = errors.New("you have asked for more than is opened for one client in this time")
	errTogether = errors.New("as much is being opened for you as is opened at once for one client")
	errAll      = errors.New("as much is being opened as this gateway opens at once")
)

func newLimiter(o Options) *limiter {
	return &limiter{rate: rate.Limit(o.Rate), burst: o.Burst, together: o.Together, all: o.All, now: o.Now, clients: map[netip.Addr]*share{}}
}

// network is whom an address is counted with: of IPv6 somebody has a /64 at
// least.
func network(a netip.Addr) netip.Addr {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// enter counts one object that is opened for a client; done ends it.
func (l *limiter) enter(client netip.Addr) (done func(), err error) {
	client = network(client)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.sweep(now)
	s := l.clients[client]
	if s == nil {
		s = &share{bucket: rate.NewLimiter(l.rate, l.burst)}
		l.clients[client] = s
	}
	s.last = now
	switch {
	case l.open >= l.all:
		return nil, errAll
	case s.open >= l.together:
		return nil, errTogether
	case !s.bucket.AllowN(now, 1):
		return nil, errRate
	}
	s.open++
	l.open++
	var once sync.Once
	return func() {
		once.Do(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			s.open--
			l.open--
		})
	}, nil
}

// sweep forgets, once a minute, the clients whose buckets are full again.
func (l *limiter) sweep(now time.Time) {
	if now.Sub(l.swept) < time.Minute {
		return
	}
	l.swept = now
	full := time.Duration(float64(l.burst)/float64(l.rate)*float64(time.Second)) + time.Second
	for a, s := range l.clients {
		if s.open == 0 && now.Sub(s.last) > full {
			delete(l.clients, a)
		}
	}
}

// busy is how many objects are being opened.
func (l *limiter) busy() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}
