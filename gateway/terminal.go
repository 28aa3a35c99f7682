package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"anyurl/fetch"
)

// The bounds of a terminal session.
const (
	sessionIdle  = 15 * time.Minute // without a key
	sessionTime  = 4 * time.Hour
	sessionFrame = 40 * time.Millisecond // the screen is sent at most so often
	sessionKeys  = 4 << 10               // octets in one message of the page's
)

// isSession reports whether a scheme names a service to talk to.
func isSession(scheme string) bool {
	return slices.Contains([]string{"telnet", "tn3270", "rlogin"}, scheme)
}

// A picture is what changed on the screen, for the page.
type picture struct {
	Rows   map[int][]run `json:"rows,omitempty"`
	Gone   []string      `json:"gone,omitempty"` // lines that left at the top
	Cursor *[2]int       `json:"cursor,omitempty"`
	Bell   bool          `json:"bell,omitempty"`
	Ended  string        `json:"ended,omitempty"`
}

// console shows the page of a session.
func (v *visit) console() {
	frame := v.frame()
	frame.Crumbs = v.crumbs()
	v.send(http.StatusOK, frame, "console", struct {
		Live  bool
		Path  string
		First string
		User  string
		Host  string
	}{v.g.client.Talks(v.url.Scheme()), v.here("terminal"), v.here("first"), masked(v.url.Username()), masked(v.url.HostPort())}, time.Time{})
}

// terminal is the session itself: keys come over a WebSocket, the screen goes
// back. The screen is kept here, so what a host writes never reaches the page
// but as characters in places.
func (v *visit) terminal() {
	g := v.g
	if !g.client.Talks(v.url.Scheme()) || !isSession(v.url.Scheme()) {
		v.fail(problem{Status: http.StatusNotImplemented, Title: "No terminal", Says: "this gateway has no terminal for it", Try: "see what the server says first"})
		return
	}
	done, err := g.limit.enter(g.clientOf(v.r))
	if err != nil {
		v.failed(err)
		return
	}
	defer done()
	if g.sessions.Add(1) > int64(g.o.Terminals) {
		g.sessions.Add(-1)
		v.failed(errAll)
		return
	}
	defer g.sessions.Add(-1)
	g.metrics.sessions.Inc()
	defer g.metrics.sessions.Dec()
	// The origin is checked against the request's Host, which is known to be ours.
	c, err := websocket.Accept(v.w, v.r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer c.CloseNow()
	c.SetReadLimit(sessionKeys)
	ctx, cancel := context.WithTimeoutCause(v.r.Context(), sessionTime, fetch.ErrTotal)
	defer cancel()
	host, err := g.client.Talk(ctx, &fetch.Request{URL: v.url}, fetch.Terminal{Name: "xterm", Size: func() (int, int) { return Columns, Rows }})
	if err != nil {
		g.metrics.outcome(v.url.Scheme(), outcome(err))
		wsjson.Write(ctx, c, picture{Ended: problemOf(err).Says})
		c.Close(websocket.StatusNormalClosure, "")
		return
	}
	defer host.Close()
	g.metrics.outcome(v.url.Scheme(), "ok")
	s := &session{screen: newScreen(), changed: make(chan struct{}, 1), host: host}
	s.keyboard = fetch.Keyboard{Session: host, Show: s.typed}
	go s.listen()
	go func() {
		defer cancel()
		s.keys(ctx, c)
	}()
	ended := s.show(ctx, c)
	wsjson.Write(ctx, c, picture{Ended: ended})
	c.Close(websocket.StatusNormalClosure, "")
}

// A session is one terminal that is open.
type session struct {
	mu      sync.Mutex
	screen  *screen
	err     error // why the host has ended
	changed chan struct{}
	host    fetch.Session

	keyboard fetch.Keyboard // of the goroutine that reads keys
}

// typed shows what the host does not.
func (s *session) typed(text []byte) {
	s.mu.Lock()
	s.screen.Write(text)
	s.mu.Unlock()
	s.redraw()
}

// redraw has the screen sent.
func (s *session) redraw() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// listen draws what the host sends.
func (s *session) listen() {
	buf := make([]byte, 8<<10)
	for {
		n, err := s.host.Read(buf)
		s.mu.Lock()
		s.screen.Write(buf[:n])
		answer := s.screen.answer
		s.screen.answer = nil
		s.err = err
		s.mu.Unlock()
		s.redraw()
		if err != nil {
			return
		}
		if len(answer) > 0 {
			s.host.Write(answer) // a host that takes nothing any more ends by itself
		}
	}
}

// keys passes on what is typed, until the page leaves or long says nothing.
func (s *session) keys(ctx context.Context, c *websocket.Conn) {
	for {
		wait, cancel := context.WithTimeout(ctx, sessionIdle)
		_, keys, err := c.Read(wait)
		cancel()
		if err != nil {
			return
		}
		if s.keyboard.Type(keys) != nil {
			return
		}
	}
}

// show sends what changes, until the host or the page ends, and says why.
func (s *session) show(ctx context.Context, c *websocket.Conn) (ended string) {
	var before [Rows][Columns]cell
	cursor := [2]int{-1, -1}
	for {
		select {
		case <-ctx.Done():
			return "the session is over"
		case <-s.changed:
		}
		s.mu.Lock()
		p := picture{Rows: map[int][]run{}, Gone: s.screen.gone, Bell: s.screen.bells > 0}
		s.screen.gone, s.screen.bells = nil, 0
		for i := range before {
			if before[i] != s.screen.grid[i] {
				before[i] = s.screen.grid[i]
				p.Rows[i] = s.screen.runs(i)
			}
		}
		at := [2]int{s.screen.row, s.screen.col}
		if s.screen.hidden {
			at = [2]int{-1, -1}
		}
		if at != cursor {
			cursor = at
			p.Cursor = &at
		}
		err := s.err
		s.mu.Unlock()
		if wsjson.Write(ctx, c, p) != nil {
			return ""
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return "the host has ended the session"
			}
			return "the session broke off: " + masked(err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(sessionFrame):
		}
	}
}
