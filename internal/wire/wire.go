// Package wire speaks lines: it reads and writes the CR LF protocols that FTP,
// Gopher, NNTP, SMTP, Finger and their relatives share.
//
// Everything sent goes through one writer ([Conn.Send], [WriteLine]), which
// refuses the octets that could end a line early or start a Telnet command, so
// nothing decoded from a URL can add a line to a conversation. Everything read
// has a bound ([Limits]), and every wait ends with the context. Start with
// [NewConn].
package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"anyurl/internal/quote"
)

// Octets that may never stand inside a line.
const (
	cr  = '\r'
	lf  = '\n'
	nul = 0
	iac = 0xFF // Telnet's "interpret as command", RFC 854
)

// Errors that reading gives besides the connection's own.
var (
	// ErrLong is a line longer than the limit.
	ErrLong = errors.New("the line is longer than the limit")
	// ErrTooMuch is a reply, or a conversation, larger than the limit.
	ErrTooMuch = errors.New("the reply is larger than the limit")
)

// An Unsafe is a text that cannot be sent as part of a line.
type Unsafe struct {
	Octet  byte // the octet that may not stand in a line: CR, LF, NUL or IAC
	Offset int  // where it stands in the text
}

// Error names the octet and never shows the text, which may be a password.
func (e *Unsafe) Error() string {
	name := map[byte]string{cr: "CR", lf: "LF", nul: "NUL", iac: "IAC (255)"}[e.Octet]
	return "octet " + strconv.Itoa(e.Offset) + " is " + name + ", which cannot be sent inside a line"
}

// Check reports, as an *[Unsafe], the first octet of s that may not stand in a
// line: CR, LF, NUL or IAC (octet 255).
func Check(s string) error {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case cr, lf, nul, iac:
			return &Unsafe{Octet: s[i], Offset: i}
		}
	}
	return nil
}

// WriteLine sends the parts, one after the other, and CR LF in one write. It
// sends nothing and returns an *[Unsafe] when a part fails [Check].
func WriteLine(w io.Writer, parts ...string) error {
	n := 2
	for _, p := range parts {
		if err := Check(p); err != nil {
			return err
		}
		n += len(p)
	}
	line := make([]byte, 0, n)
	for _, p := range parts {
		line = append(line, p...)
	}
	_, err := w.Write(append(line, cr, lf))
	return err
}

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Line  int   // octets of one line without its end; default 64 KiB
	Reply int64 // octets of one reply, all its lines together; default 64 KiB
}

// The defaults of [Limits].
const (
	DefaultLine  = 64 << 10
	DefaultReply = 64 << 10
)

// A Conn is one line conversation. It is not safe for use by several
// goroutines at once, except for Close.
type Conn struct {
	// Log, if not nil, is told every line sent (secrets masked) and received,
	// without its end. The text is as it came: quote it before showing it.
	Log func(sent bool, line string)

	conn   net.Conn
	r      *bufio.Reader
	limits Limits
}

// NewConn starts a conversation on conn, which the Conn then owns.
func NewConn(conn net.Conn, limits Limits) *Conn {
	if limits.Line <= 0 {
		limits.Line = DefaultLine
	}
	if limits.Reply <= 0 {
		limits.Reply = DefaultReply
	}
	return &Conn{conn: conn, r: bufio.NewReader(conn), limits: limits}
}

// Net returns the connection below, for its addresses and deadlines.
func (c *Conn) Net() net.Conn { return c.conn }

// Reader returns what has been received and not yet read, and then the rest.
func (c *Conn) Reader() *bufio.Reader { return c.r }

// Close closes the connection.
func (c *Conn) Close() error { return c.conn.Close() }

// Buffered returns how many octets have been received and not yet read.
// Before the conversation moves into TLS there must be none, or somebody in
// the middle has slipped in a reply.
func (c *Conn) Buffered() int { return c.r.Buffered() }

// Upgrade goes on over conn, usually TLS on top of what was there.
func (c *Conn) Upgrade(conn net.Conn) {
	c.conn = conn
	c.r.Reset(conn)
}

// Send sends one command line: the verb, and each argument after one space.
// An empty argument leaves its space ("CWD " is not "CWD"). Nothing is sent
// when any of them fails [Check].
func (c *Conn) Send(verb string, args ...string) error {
	return c.send(false, verb, args)
}

// SendSecret is Send for a line whose arguments no log may show.
func (c *Conn) SendSecret(verb string, args ...string) error {
	return c.send(true, verb, args)
}

func (c *Conn) send(secret bool, verb string, args []string) error {
	line := verb
	for _, a := range args {
		line += " " + a
	}
	if err := WriteLine(c.conn, line); err != nil {
		return err
	}
	if c.Log != nil {
		if secret {
			line = verb + " ***"
		}
		c.Log(true, line)
	}
	return nil
}

// ReadLine reads one line and returns it without its end, CR LF or LF alone.
// At the end of the stream it gives what is left of a last unended line with
// io.ErrUnexpectedEOF, and io.EOF when there is nothing.
func (c *Conn) ReadLine() (string, error) {
	line, err := ReadLine(c.r, c.limits.Line)
	if err == nil && c.Log != nil {
		c.Log(false, line)
	}
	return line, err
}

// ReadLine reads one line of at most limit octets from r, as [Conn.ReadLine]
// does; a longer one is [ErrLong].
func ReadLine(r *bufio.Reader, limit int) (string, error) {
	var long []byte
	for {
		part, err := r.ReadSlice(lf)
		if len(long)+len(part) > limit+2 {
			return "", ErrLong
		}
		switch {
		case err == nil:
			line := part
			if long != nil {
				line = append(long, part...)
			}
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == cr {
				line = line[:n-1]
			}
			if len(line) > limit {
				return "", ErrLong
			}
			return string(line), nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		case errors.Is(err, io.EOF):
			if long = append(long, part...); len(long) == 0 {
				return "", io.EOF
			}
			return string(long), io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

// Watch ends every wait on conn when ctx ends. The returned stop detaches ctx
// again and reports whether conn was left alone; after a false, conn is of no
// more use.
func Watch(ctx context.Context, conn interface{ SetDeadline(time.Time) error }) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		conn.SetDeadline(time.Unix(1, 0)) // any time that has passed
	})
}

// Quote returns what a server said in a form that is safe to show on one line:
// in double quotes, with control, format and undecodable characters escaped,
// and cut where it grows long.
func Quote(s string) string {
	const most = 300
	cut := ""
	if len(s) > most {
		s, cut = strings.ToValidUTF8(s[:most], ""), "…"
	}
	return `"` + quote.Text(s) + `"` + cut
}

// A Reply is an answer of the kind that FTP, SMTP and NNTP give: three digits
// and text, on one line or several (RFC 959, section 4.2).
type Reply struct {
	Code  int      // 100 to 599
	Lines []string // the text of each line; the code is taken off the first and the last
}

// Text returns the reply's text on one line.
func (r Reply) Text() string { return strings.Join(r.Lines, " ") }

// String returns the code and the text as the server gave them, lines joined
// by spaces. Quote it before showing it.
func (r Reply) String() string { return fmt.Sprintf("%03d %s", r.Code, r.Text()) }

// A Garbled is a line that is no reply of three digits and text.
type Garbled struct {
	Line string // what came instead; quote it before showing it
}

// Error shows the line, quoted.
func (e *Garbled) Error() string {
	return "the server answered " + Quote(e.Line) + ", which is no reply of three digits and text"
}

// ReadReply reads one reply, however many lines it has. A reply of several
// lines begins with the code and "-" and ends with the first line that begins
// with the same code and a space; what stands between may begin with anything.
func (c *Conn) ReadReply() (Reply, error) {
	line, err := c.ReadLine()
	if err != nil {
		return Reply{}, unexpected(err)
	}
	code, more, ok := replyCode(line)
	if !ok {
		return Reply{}, &Garbled{Line: line}
	}
	reply := Reply{Code: code, Lines: []string{strings.TrimPrefix(line[3:], " ")}}
	if !more {
		return reply, nil
	}
	reply.Lines[0] = line[4:]
	for size := int64(len(line)); ; {
		line, err := c.ReadLine()
		if err != nil {
			return Reply{}, unexpected(err)
		}
		// Each line costs its header in memory too, so an empty one is not free.
		if size += int64(len(line)) + 2; size > c.limits.Reply {
			return Reply{}, ErrTooMuch
		}
		if n, more, ok := replyCode(line); ok && n == code && !more {
			reply.Lines = append(reply.Lines, strings.TrimPrefix(line[3:], " "))
			return reply, nil
		}
		reply.Lines = append(reply.Lines, line)
	}
}

// unexpected makes an end inside a reply what it is.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// replyCode reads "123 text", "123-text" or "123" alone.
func replyCode(line string) (code int, more, ok bool) {
	if len(line) < 3 {
		return 0, false, false
	}
	for i := range 3 {
		if line[i] < '0' || line[i] > '9' {
			return 0, false, false
		}
		code = code*10 + int(line[i]-'0')
	}
	if code < 100 || code > 599 {
		return 0, false, false
	}
	if len(line) == 3 {
		return code, false, true
	}
	switch line[3] {
	case ' ':
		return code, false, true
	case '-':
		return code, true, true
	}
	return 0, false, false
}

// ReadPieces is the Read of a body that comes in pieces, as protocols of packets
// and of records send it. It reads from *piece, which is what came and was not
// read; once that is empty, next puts the next one there, or gives the error that
// ends the body, which *ended keeps.
func ReadPieces(p []byte, piece *[]byte, ended *error, next func() error) (int, error) {
	if len(p) == 0 {
		return 0, *ended
	}
	for len(*piece) == 0 {
		if *ended == nil {
			*ended = next()
		}
		if *ended != nil && len(*piece) == 0 {
			return 0, *ended
		}
	}
	n := copy(p, *piece)
	*piece = (*piece)[n:]
	return n, nil
}
