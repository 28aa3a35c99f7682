// Package transcript plays the other side of a conversation in tests: a server
// that says what a script says and holds the client to what the script expects.
//
// A script is lines. "S:" is what the server says, "C:" what the client must
// say next, each as one line ended by CR LF; "#" begins a comment:
//
//	S: 220 ready
//	C: CWD /etc
//	S: 250 ok
//	C: RETR motd
//
// In a line, Go's escapes stand for octets that are hard to write: \t, \r, \n,
// \x00, \\. Other directions, one a line:
//
//	S-                the rest of the line without CR LF after it
//	D: text           a line on the data connection (see listen)
//	D-                text on the data connection without CR LF
//	listen            open a data connection's port; {dataport}, {p1} and {p2} are its number
//	                  and its two octets in what follows
//	enddata           end the data connection
//	close             end the connection
//	reset             end it as a crash would
//	hang              say nothing until the client goes
//
// Start with [Parse] and [Server].
package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
)

// A Step is one thing the other side does.
type Step struct {
	Do   string // "say", "want", "data", "listen", "enddata", "close", "reset", "hang"
	Text string // the octets to say; for want, the line without its end
	Line int    // in the script, from 1
}

// A Script is what a server does on one connection.
type Script []Step

// Parse reads a script. It panics when the script is not one: scripts are
// written into tests.
func Parse(text string) Script {
	var s Script
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t")
		step := Step{Line: n}
		switch {
		case line == "" || line[0] == '#':
			continue
		case prefixed(line, "S:"):
			step.Do, step.Text = "say", unescape(n, line[2:])+"\r\n"
		case prefixed(line, "S-"):
			step.Do, step.Text = "say", unescape(n, line[2:])
		case prefixed(line, "C:"):
			step.Do, step.Text = "want", unescape(n, line[2:])
		case prefixed(line, "D:"):
			step.Do, step.Text = "data", unescape(n, line[2:])+"\r\n"
		case prefixed(line, "D-"):
			step.Do, step.Text = "data", unescape(n, line[2:])
		default:
			switch word := strings.TrimSpace(line); word {
			case "listen", "enddata", "close", "reset", "hang":
				step.Do = word
			default:
				panic(fmt.Sprintf("transcript: line %d: %q is no step", n, line))
			}
		}
		s = append(s, step)
	}
	return s
}

func prefixed(line, prefix string) bool { return strings.HasPrefix(line, prefix) }

// unescape undoes Go's escapes in what stands after the mark and one space.
func unescape(n int, s string) string {
	s = strings.TrimPrefix(s, " ")
	if !strings.Contains(s, `\`) {
		return s
	}
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		panic(fmt.Sprintf("transcript: line %d: %q: %v", n, s, err))
	}
	return out
}

// A Server plays scripts.
type Server struct {
	// Listen opens a port for a data connection; a script that listens needs it.
	Listen func() (net.Listener, error)
	// Scripts are what happens on the connections, one each, in the order in
	// which they come; the last one is played again for every further one.
	Scripts []Script

	mu     sync.Mutex
	served int
	faults []error
	open   map[io.Closer]bool
	done   sync.WaitGroup
	listen net.Listener
}

// Start serves the connections that come to l, until Close.
func (s *Server) Start(l net.Listener) {
	s.listen = l
	s.open = map[io.Closer]bool{}
	s.done.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			script := s.Scripts[min(s.served, len(s.Scripts)-1)]
			s.served++
			s.open[conn] = true
			s.mu.Unlock()
			s.done.Go(func() {
				p := player{server: s, conn: conn, r: bufio.NewReader(conn)}
				if err := p.play(script); err != nil {
					s.mu.Lock()
					s.faults = append(s.faults, err)
					s.mu.Unlock()
				}
				p.close()
				s.mu.Lock()
				delete(s.open, conn)
				s.mu.Unlock()
			})
		}
	})
}

// Connections returns how many have come so far.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

// Close ends the server and every connection, waits for them, and returns how
// the clients departed from the scripts, if they did.
func (s *Server) Close() error {
	s.listen.Close()
	s.mu.Lock()
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.done.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.faults...)
}

// track has Close close c too.
func (s *Server) track(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c] = true
}

// A player plays one script on one connection.
type player struct {
	server *Server
	conn   net.Conn
	r      *bufio.Reader
	port   net.Listener
	data   net.Conn
}

func (p *player) close() {
	p.conn.Close()
	p.endData()
	if p.port != nil {
		p.port.Close()
	}
}

func (p *player) endData() {
	if p.data != nil {
		p.data.Close()
		p.data = nil
	}
}

// errStop ends a script early and is no fault.
var errStop = errors.New("stop")

// play returns what the client did against the script. That it went away is a
// fault only where the script still wants something of it.
func (p *player) play(script Script) error {
	for i, step := range script {
		if err := p.do(step); errors.Is(err, errStop) {
			for _, left := range script[i+1:] {
				if left.Do == "want" {
					return fmt.Errorf("line %d: want %q, but the client went away", left.Line, left.Text)
				}
			}
			return nil
		} else if err != nil {
			return fmt.Errorf("line %d: %w", step.Line, err)
		}
	}
	return nil
}

func (p *player) do(step Step) error {
	switch step.Do {
	case "say":
		if _, err := io.WriteString(p.conn, p.fill(step.Text)); err != nil {
			return errStop
		}
	case "want":
		line, err := p.r.ReadString('\n')
		if err != nil && line == "" {
			return fmt.Errorf("want %q, but the client went away", step.Text)
		}
		if want := p.fill(step.Text) + "\r\n"; line != want {
			return fmt.Errorf("want %q, got %q", want, line)
		}
	case "listen":
		l, err := p.server.Listen()
		if err != nil {
			return err
		}
		p.server.track(l)
		if p.port != nil {
			p.port.Close()
		}
		p.port = l
	case "data":
		if err := p.acceptData(); err != nil {
			return errStop
		}
		if _, err := io.WriteString(p.data, step.Text); err != nil {
			return errStop
		}
	case "enddata":
		if err := p.acceptData(); err != nil {
			return errStop
		}
		p.endData()
	case "close":
		p.conn.Close()
	case "reset":
		reset(p.conn)
	case "hang":
		io.Copy(io.Discard, p.r)
	default:
		panic("transcript: no step " + step.Do)
	}
	return nil
}

func (p *player) acceptData() error {
	if p.data != nil {
		return nil
	}
	if p.port == nil {
		return errors.New("no data port is open")
	}
	conn, err := p.port.Accept()
	if err != nil {
		return err
	}
	p.server.track(conn)
	p.data = conn
	return nil
}

// fill puts the data port's number into text.
func (p *player) fill(text string) string {
	if p.port == nil || !strings.Contains(text, "{") {
		return text
	}
	port := p.port.Addr().(*net.TCPAddr).Port
	return strings.NewReplacer("{dataport}", strconv.Itoa(port),
		"{p1}", strconv.Itoa(port>>8), "{p2}", strconv.Itoa(port&0xff)).Replace(text)
}

// reset ends conn without a proper end.
func reset(conn net.Conn) {
	switch c := conn.(type) {
	case interface{ Reset() error }:
		c.Reset()
	case interface{ SetLinger(int) error }:
		c.SetLinger(0)
		conn.Close()
	default:
		conn.Close()
	}
}
