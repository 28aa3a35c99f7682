package telnet

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"

	"anyurl/fetch"
	"anyurl/internal/wire"
	telneturl "anyurl/scheme/telnet"
)

// Talk begins a session for a person at a terminal. Nothing of the URL's user
// name is sent: the caller tells it to the user.
func (t *Transport) Talk(ctx context.Context, req *fetch.Request, term fetch.Terminal) (fetch.Session, error) {
	ref, err := telneturl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	line := line{ctx: ctx, conn: conn, stop: wire.Watch(ctx, conn)}
	var s fetch.Session
	switch ref.Scheme {
	case "rlogin":
		s, err = line.rlogin(term)
	case "tn3270":
		s = newBlockSession(&line, NewConn(conn, blocks), term, trace(req))
	default:
		s, err = line.telnet(term, ref.Port == telneturl.Port, trace(req))
	}
	if err != nil {
		line.Close()
		return nil, failed(err)
	}
	return s, nil
}

// trace tells a request's Trace of the negotiation; nil where nobody listens.
func trace(req *fetch.Request) func(sent bool, message string) {
	if req.Trace == nil {
		return nil
	}
	return func(sent bool, message string) {
		kind := byte('<')
		if sent {
			kind = '>'
		}
		req.Trace(fetch.Event{Kind: kind, Text: message})
	}
}

// A line is the connection of a session, which ends with its context.
type line struct {
	ctx  context.Context
	conn net.Conn
	stop func() bool
	once sync.Once
	err  error // of closing
}

func (l *line) Close() error {
	l.once.Do(func() {
		l.stop()
		l.err = l.conn.Close()
	})
	return l.err
}

// cause is why reading or writing failed: the context's end and our own
// closing go before what they brought about.
func (l *line) cause(err error) error {
	switch {
	case err == nil:
		return nil
	case l.ctx.Err() != nil:
		return context.Cause(l.ctx)
	case errors.Is(err, net.ErrClosed):
		return io.EOF
	}
	return err
}

// A dialogue is a Telnet session in lines or characters.
type dialogue struct {
	*line
	tn *Conn
}

// telnet begins one. Where the port is Telnet's own, we ask for what a terminal
// wants; elsewhere may be a service that speaks no Telnet, and we wait to be
// asked (RFC 1123, section 3.2.1 leaves it to the client).
func (l *line) telnet(term fetch.Terminal, ask bool, log func(bool, string)) (fetch.Session, error) {
	own := Terminal{Name: typeName(term.Name), Ours: []byte{Binary, SuppressGA}, Theirs: []byte{Binary, Echo, SuppressGA}}
	if term.Size != nil {
		own.Size = func() (uint16, uint16) {
			columns, rows := term.Size()
			return clamp(columns), clamp(rows)
		}
	}
	tn := NewConn(l.conn, own)
	tn.lasting, tn.Log = true, log
	if ask {
		if err := errors.Join(tn.Ask(SuppressGA, false), tn.Ask(TerminalType, true)); err != nil {
			return nil, l.cause(err)
		}
	}
	return &dialogue{l, tn}, nil
}

func clamp(n int) uint16 { return uint16(min(max(n, 0), 0xFFFF)) }

// typeName is a terminal's name as RFC 1091 writes it: upper case, of letters,
// digits and hyphens, at most 40 of them.
func typeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '/', r == '+', r == '.', r == '_':
			return r
		}
		return -1
	}, name)
	if name == "" {
		return "DUMB"
	}
	return name[:min(len(name), 40)]
}

func (d *dialogue) Read(p []byte) (int, error) {
	n, err := d.tn.Read(p)
	return n, d.cause(err)
}

func (d *dialogue) Write(p []byte) (int, error) {
	n, err := d.tn.Write(p)
	return n, d.cause(err)
}

// Echoes reports whether the server has taken on the option ECHO.
func (d *dialogue) Echoes() bool { return d.tn.echoed.Load() }

// Resize tells the window's size where the server has asked for it.
func (d *dialogue) Resize() error {
	if !d.tn.windowed.Load() {
		return nil
	}
	_, err := d.conn.Write(d.tn.window())
	return d.cause(err)
}

// A remote is an rlogin session: octets both ways, and the server echoes. Its
// requests for the window's size are urgent data, which do not reach us.
type remote struct{ *line }

// rlogin begins one as nobody, so that the server asks for a name (RFC 1282:
// the client's user, the server's user and the terminal, each ended by NUL).
func (l *line) rlogin(term fetch.Terminal) (fetch.Session, error) {
	name := strings.ToLower(typeName(term.Name))
	if _, err := io.WriteString(l.conn, "\x00\x00\x00"+name+"/38400\x00"); err != nil {
		return nil, l.cause(err)
	}
	var answer [1]byte
	if _, err := io.ReadFull(l.conn, answer[:]); err != nil {
		return nil, l.cause(err)
	}
	if answer[0] == 0 {
		return remote{l}, nil
	}
	said, err := io.ReadAll(io.LimitReader(l.conn, 1<<10))
	if err != nil {
		return nil, l.cause(err)
	}
	return nil, refused(answer[0], said)
}

func (r remote) Read(p []byte) (int, error) {
	n, err := r.conn.Read(p)
	return n, r.cause(err)
}

func (r remote) Write(p []byte) (int, error) {
	n, err := r.conn.Write(p)
	return n, r.cause(err)
}

// Echoes is always so.
func (remote) Echoes() bool { return true }

// Resize does nothing: a server has to ask, and does it where we cannot hear.
func (remote) Resize() error { return nil }
