// Package telnet opens telnet, tn3270 and rlogin URLs: what the server says
// first, bounded in time and size, is the object; at a terminal, a session with
// the service ([Transport.Talk]). It speaks
// Telnet (RFC 854) with options by the rules of RFC 1143, the 3270 data stream
// over it (RFC 1576), and rlogin (RFC 1282).
//
// The user name in a URL is advice for a person, and is told in the Response's
// Header; neither it nor the password is ever sent. Start with [New]; [Conn] is
// a Telnet session alone, and [Screen] a 3270 screen.
package telnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	telneturl "anyurl/scheme/telnet"
)

// The defaults of a [Transport].
const (
	DefaultQuiet  = 2 * time.Second
	DefaultTime   = 8 * time.Second
	DefaultOctets = 64 << 10
)

// SuggestedUser is the Header field that holds the user name of the URL.
const SuggestedUser = "Suggested-User"

// A Transport opens telnet, tn3270 and rlogin URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Quiet is how long the server may say nothing, once it has said something,
	// before what it said is taken to be all; 0 is DefaultQuiet.
	Quiet time.Duration
	// Time is how long, from the first octet on, what it says belongs to the
	// object; 0 is DefaultTime.
	Time time.Duration
	// Octets is how many octets of text belong to the object; 0 is
	// DefaultOctets.
	Octets int64
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"telnet", "tn3270", "rlogin"} }

// The terminals that we are.
var (
	// A dumb one sends no answers to what a server draws.
	lines = Terminal{Name: "DUMB", Ours: []byte{Binary, SuppressGA}, Theirs: []byte{Binary, Echo, SuppressGA}}
	// RFC 1576, section 2: a colour display of 24 rows and 80 columns with
	// extended attributes, and the three options of 3270 mode.
	blocks = Terminal{Name: "IBM-3279-2-E", Ours: []byte{Binary, EndOfRecord, SuppressGA}, Theirs: []byte{Binary, Echo, EndOfRecord, SuppressGA}}
)

// Fetch connects and gives what the server says first.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := telneturl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if req.Trace != nil && ref.HasUser {
		req.Trace(fetch.Event{Kind: '*', Text: "the URL suggests the user name " + wire.Quote(ref.User) + ", which is not sent"})
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	s := &session{ctx: ctx, conn: conn, stop: wire.Watch(ctx, conn), quiet: t.Quiet, time: t.Time, left: t.Octets}
	if s.quiet <= 0 {
		s.quiet = DefaultQuiet
	}
	if s.time <= 0 {
		s.time = DefaultTime
	}
	if s.left <= 0 {
		s.left = DefaultOctets
	}
	resp := &fetch.Response{URL: req.URL, Protocol: ref.Scheme, Type: "text/plain", Size: -1}
	if ref.HasUser {
		resp.Header = map[string][]string{SuggestedUser: {ref.User}}
	}
	switch ref.Scheme {
	case "tn3270":
		err = s.screen(req, resp)
	case "rlogin":
		err = s.rlogin(req, resp)
	default:
		s.telnet(lines, req)
		err = s.begin(resp)
	}
	if err != nil {
		s.Close()
		return nil, failed(err)
	}
	if req.Head() {
		s.Close()
		resp.Size = -1
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// failed says what kind of failure err is.
func failed(err error) error {
	var e *fetch.Error
	if errors.As(err, &e) {
		return err
	}
	e = &fetch.Error{Step: fetch.Greeting, Err: err}
	switch {
	case errors.Is(err, io.EOF):
		e.Kind, e.Err = fetch.ErrTruncated, errors.New("the server closes and has said nothing")
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Err = fetch.ErrTruncated, errors.New("the server closes inside a Telnet command")
	case errors.Is(err, ErrFlood), errors.Is(err, ErrSub), errors.Is(err, ErrNoText):
		e.Kind = fetch.ErrMalformed
	}
	return e
}

// A session is what one server says, within bounds; it is the connection's
// owner and the Body.
type session struct {
	ctx   context.Context
	conn  net.Conn
	stop  func() bool
	once  sync.Once
	err   error // of closing
	r     io.Reader
	tn    *Conn
	quiet time.Duration
	time  time.Duration
	until time.Time // zero before the first octet
	left  int64
	first []byte // what was read to see that there is something
	ended error  // what every further Read gives
}

func (s *session) Close() error {
	s.once.Do(func() {
		s.stop()
		s.err = s.conn.Close()
	})
	return s.err
}

// telnet makes it a Telnet session.
func (s *session) telnet(t Terminal, req *fetch.Request) {
	s.tn = NewConn(s.conn, t)
	s.r = s.tn
	s.tn.Log = trace(req)
}

// begin waits for the first text, for as long as the context lets it.
func (s *session) begin(resp *fetch.Response) error {
	buf := make([]byte, 4<<10)
	n, err := s.r.Read(buf)
	if n == 0 {
		return s.cause(err)
	}
	s.first = buf[:n]
	s.until = time.Now().Add(s.time)
	resp.Body = s
	return nil
}

// cause is why a read failed: the context's end goes before what it brought
// about.
func (s *session) cause(err error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return err
}

// patience sets the time that the next octet has. It reports false when the
// time for all of them is over.
func (s *session) patience() bool {
	now := time.Now()
	if !now.Before(s.until) {
		return false
	}
	at := now.Add(s.quiet)
	if at.After(s.until) {
		at = s.until
	}
	s.conn.SetReadDeadline(at)
	if s.ctx.Err() != nil { // it may have set its deadline before we set ours
		s.conn.SetReadDeadline(time.Unix(1, 0))
	}
	return true
}

// Read gives what the server says until it closes, falls quiet, or has said
// enough.
func (s *session) Read(p []byte) (int, error) {
	if s.ended != nil {
		return 0, s.ended
	}
	if len(p) == 0 {
		return 0, nil
	}
	if s.left == 0 {
		s.ended = io.EOF
		return 0, s.ended
	}
	p = p[:min(int64(len(p)), s.left)]
	n := 0
	var err error
	if len(s.first) > 0 {
		n = copy(p, s.first)
		s.first = s.first[n:]
	} else if !s.patience() {
		err = io.EOF
	} else if n, err = s.r.Read(p); errors.Is(err, os.ErrDeadlineExceeded) && s.ctx.Err() == nil {
		err = io.EOF // quiet
	}
	s.left -= int64(n)
	if err != nil {
		s.ended = io.EOF
		if !errors.Is(err, io.EOF) {
			s.ended = failedAt(fetch.Body, s.cause(err))
		}
		if n == 0 {
			return 0, s.ended
		}
	}
	return n, nil
}

func failedAt(step string, err error) error {
	err = failed(err)
	var e *fetch.Error
	if errors.As(err, &e) && e.Step == fetch.Greeting {
		e.Step = step
	}
	return err
}

// rlogin begins a session as nobody: RFC 1282 has the client say two user names
// and the terminal, each ended by NUL, and the names stay empty.
func (s *session) rlogin(req *fetch.Request, resp *fetch.Response) error {
	if req.Trace != nil {
		req.Trace(fetch.Event{Kind: '>', Text: "no user names, terminal dumb/9600"})
	}
	if _, err := io.WriteString(s.conn, "\x00\x00\x00dumb/9600\x00"); err != nil {
		return s.cause(err)
	}
	var answer [1]byte
	if _, err := io.ReadFull(s.conn, answer[:]); err != nil {
		return s.cause(err)
	}
	s.r = s.conn
	if answer[0] == 0 {
		return s.begin(resp)
	}
	// Anything else begins words in which it is refused.
	s.until = time.Now().Add(s.time)
	s.left = min(s.left, 1<<10)
	said, err := io.ReadAll(s)
	if err != nil {
		return err
	}
	return refused(answer[0], said)
}

// refused is what an rlogin server says instead of the octet 0: the octet 1, or
// the first of its words.
func refused(first byte, said []byte) error {
	if first != 1 {
		said = append([]byte{first}, said...)
	}
	return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Said: strings.TrimSpace(string(said)), Err: errors.New("the server refuses the session")}
}

// brief is how long a host whose screen is complete may go on to say nothing.
const brief = 500 * time.Millisecond

// screen reads records until the keyboard is free and the host quiet, and
// makes the screen the object. A host that never goes into 3270 mode is a
// telnet service, and what it says is the object.
func (s *session) screen(req *fetch.Request, resp *fetch.Response) error {
	s.telnet(blocks, req)
	var screen Screen
	var words, rec []byte
	shown := false
	for {
		if s.tn.r.Buffered() == 0 && !s.until.IsZero() && !s.patience() {
			break
		}
		b, event, err := s.tn.next()
		if err != nil {
			if s.ctx.Err() != nil || s.until.IsZero() {
				return s.cause(err)
			}
			if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, io.EOF) {
				break // quiet, or closed
			}
			return err
		}
		if event != nothing && s.until.IsZero() {
			s.until = time.Now().Add(s.time)
		}
		if !s.tn.blockMode() {
			if event == text {
				if words = append(words, b); int64(len(words)) >= s.left {
					break
				}
			}
			continue
		}
		switch event {
		case text:
			if len(rec) == maxRecord {
				return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrTooLarge, Err: errLongRecord}
			}
			rec = append(rec, b)
		case record:
			reply, err := screen.Apply(rec)
			if err != nil {
				return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Err: err}
			}
			if len(reply) > 0 {
				if err := s.tn.writeRecord(reply); err != nil {
					return s.cause(err)
				}
			}
			shown = shown || screen.Written()
			if screen.Free() { // what the host had to show is there
				s.quiet = min(s.quiet, brief)
			}
			rec = rec[:0]
		}
	}
	object := []byte(screen.Text())
	if !shown {
		object = words
		resp.Protocol = "telnet"
		if len(words) == 0 {
			return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrTruncated, Err: errors.New("the host shows nothing")}
		}
	}
	s.Close()
	resp.Size = int64(len(object))
	resp.Body = io.NopCloser(bytes.NewReader(object))
	return nil
}
