package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
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

// serve serves a site: it prints its port, and for a list that of a page which
// links to all of it. To a line of its standard input it answers with a line: to
// "reset" once there is a new count, and to "counts" with the requests and the
// most connections at once since then.
func serve(name string) error {
	hosts := 0
	if name == "list" {
		hosts = listHosts
	}
	srv, err := start(hosts)
	if err != nil {
		return err
	}
	defer srv.Close()
	index := srv
	if name == "list" {
		if index, err = start(0); err != nil {
			return err
		}
		defer index.Close()
		page := newSite(origin(index.port()), true)
		var links strings.Builder
		for _, u := range list(srv.port()).inOrder {
			fmt.Fprintf(&links, "<a href=%q>x</a>\n", u)
		}
		page.answers = map[string]answer{"/": html("A list", links.String())}
		index.site.Store(page)
	} else {
		srv.site.Store(newSite(origin(srv.port()), name == "flaky"))
	}
	srv.reset()
	fmt.Println(srv.port(), index.port())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if lines.Text() == "reset" {
			srv.reset()
		}
		fmt.Println(srv.asked.Load(), srv.most.Load())
	}
	return lines.Err()
}

// A serving is a process that serves a site.
type serving struct {
	cmd         *exec.Cmd
	to          io.WriteCloser
	from        *bufio.Reader
	port, index int
}

// begin starts one.
func begin(name string) (*serving, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &serving{cmd: exec.Command(self, "-serve", name)}
	s.cmd.Stderr = os.Stderr
	if s.to, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.from = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = fmt.Fscanln(s.from, &s.port, &s.index)
	return s, err
}

func (s *serving) end() {
	s.to.Close()
	s.cmd.Wait()
}

func (s *serving) reset() error {
	_, _, err := s.ask("reset")
	return err
}

func (s *serving) counts() (requests, most int64, err error) { return s.ask("counts") }

func (s *serving) ask(what string) (requests, most int64, err error) {
	if _, err = fmt.Fprintln(s.to, what); err == nil {
		_, err = fmt.Fscanln(s.from, &requests, &most)
	}
	return requests, most, err
}

// reset begins a new count, and has flaky paths fail anew. The connections of the
// program before are gone by then, or soon will be.
func (s *server) reset() {
	for range 200 {
		if s.open.Load() == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.asked.Store(0)
	s.most.Store(0)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = map[string]bool{}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	site := s.site.Load()
	if site == nil { // the list: one in a hundred is missing, and what is not of it
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || n%100 == 7 {
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
