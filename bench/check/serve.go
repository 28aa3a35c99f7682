package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"anyurl/bench/loopback"
)

// A server serves a site on loopback, and counts.
type server struct {
	*http.Server
	listener net.Listener
	site     atomic.Pointer[site]
	asked    atomic.Int64 // requests
	open     atomic.Int64 // connections that are open
	most     atomic.Int64 // and the most at once
	mu       sync.Mutex
	once     map[string]bool // flaky paths that have failed
}

// start listens: as that many hosts, or with 0 at 127.0.0.1 alone.
func start(hosts int) (*server, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if hosts > 0 {
		l.Close()
		l, err = loopback.Listen(hosts)
	}
	if err != nil {
		return nil, err
	}
	s := &server{listener: l}
	s.Server = &http.Server{Handler: s, ConnState: func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			n := s.open.Add(1)
			for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
			}
		case http.StateClosed, http.StateHijacked:
			s.open.Add(-1)
		}
	}}
	go s.Serve(l)
	return s, nil
}

func (s *server) port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// reset begins a new count, and has flaky paths fail anew.
func (s *server) reset() {
	s.asked.Store(0)
	s.most.Store(0)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = map[string]bool{}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	site := s.site.Load()
	if site == nil { // the list: every path with an odd hundred is missing
		var n int
		if fmt.Sscanf(r.URL.Path, "/%d", &n); n%100 == 7 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintln(w, "here")
		return
	}
	a, ok := site.answers[r.URL.RequestURI()]
	switch {
	case !ok && len(r.URL.Path) > len(site.soft) && r.URL.Path[:len(site.soft)] == site.soft:
		a = html("Sorry", "<h1>Sorry, what you look for is not here any more</h1>"+filler)
	case !ok:
		http.NotFound(w, r)
		return
	}
	if a.flaky != 0 && s.first(r.URL.Path) {
		if a.flaky < 0 {
			panic(http.ErrAbortHandler)
		}
		if a.flaky == 429 {
			w.Header().Set("Retry-After", "1")
		}
		http.Error(w, "not now", a.flaky)
		return
	}
	time.Sleep(a.slow)
	if a.headless && r.Method == http.MethodHead {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if a.location != "" {
		w.Header().Set("Location", a.location)
	}
	if a.kind != "" {
		w.Header().Set("Content-Type", a.kind)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	w.Write([]byte(a.body))
}

// first reports whether a path is asked for the first time.
func (s *server) first(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.once[path] {
		return false
	}
	s.once[path] = true
	return true
}
