// Package ftp opens ftp and ftps URLs as RFC 1738, section 3.2, says: one CWD
// for each segment of the path, then RETR, NLST or a listing (RFC 959, RFC
// 2428, RFC 3659, RFC 4217). Start with [New], or with [Dial] for a connection
// of one's own.
//
// The client is always the one that connects, and only ever to the address
// that the control connection was vetted for: what a server says in PASV about
// the address is not looked at.
package ftp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
)

// Security is how a control connection comes to TLS.
type Security byte

// The ways of RFC 4217 and of the practice before it.
const (
	Clear    Security = iota // no TLS
	Implicit                 // TLS from the first octet
	Explicit                 // AUTH TLS after the greeting
)

var securities = [...]string{"clear", "implicit", "explicit"}

// String gives clear, implicit or explicit.
func (s Security) String() string {
	if int(s) < len(securities) {
		return securities[s]
	}
	return "unknown"
}

// Options are what a connection is made with.
type Options struct {
	// Security of the control and the data connections.
	Security Security
	// Host is the name that the server's certificate must have.
	Host string
	// Limits bound lines and replies.
	Limits wire.Limits
	// Log is told the conversation; see wire.Conn.
	Log func(sent bool, line string)
}

// A Conn is a control connection. It serves one transfer at a time. Its calls
// wait without a limit of their own: see [Conn.Watch].
type Conn struct {
	w      *wire.Conn
	dialer *dial.Dialer
	opt    Options
	host   string         // the control connection's, for the data connections of a proxy that knows the name alone
	peer   netip.AddrPort // whom we vetted, and nobody else; not valid there
	tls    *tls.Config    // for the control and the data connections; nil if clear

	features  map[string]string // nil before FEAT
	typ       byte              // the TYPE the server is in; 0 before the first
	dirs      []string          // the CWDs since the login
	noEPSV    bool
	tellsSize bool // its 150 reply says the size
	busy      bool // a transfer is under way
	unusable  bool
	began     string // the text of the reply that began the last transfer
}

// A Refusal is a reply that is not the one we hoped for.
type Refusal struct {
	Command string     // what was asked, without its argument
	Reply   wire.Reply // with the server's own words
}

// Error names the command and the code; the server's own words are in Reply.
func (e *Refusal) Error() string {
	if e.Command == "" {
		return fmt.Sprintf("the server greets with %d", e.Reply.Code)
	}
	return fmt.Sprintf("%s is answered with %d", e.Command, e.Reply.Code)
}

// fail makes a *fetch.Error of what went wrong at a step.
func fail(step string, err error) error {
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return fetch.Fail(step, err)
	}
	e := &fetch.Error{Step: step, Status: refusal.Reply.Code, Said: refusal.Reply.String(), Err: err}
	switch refusal.Reply.Code {
	case 421, 425, 450:
		e.Kind = fetch.ErrBusy
	case 426, 451:
		e.Kind = fetch.ErrTruncated
	case 430, 530, 532, 332, 331:
		e.Kind = fetch.ErrDenied
	case 550, 553:
		e.Kind = fetch.ErrNotFound
	case 500, 501, 502, 503, 504, 522:
		e.Kind = fetch.ErrUnsupported
	}
	return e
}

// Dial connects to address, "host:port", and waits for the greeting.
func Dial(ctx context.Context, d *dial.Dialer, address string, opt Options) (*Conn, error) {
	conn, peer, err := d.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, fail(fetch.Connecting, err)
	}
	c := &Conn{dialer: d, opt: opt, peer: peer}
	if c.host, _, err = net.SplitHostPort(address); err != nil {
		conn.Close()
		return nil, fail(fetch.Connecting, err)
	}
	if peer.IsValid() {
		c.host = peer.Addr().String()
	}
	if opt.Security != Clear {
		c.tls = d.TLSConfig(opt.Host)
		// Many servers take a data connection only if it resumes the control
		// connection's session: that shows that both are one client's.
		c.tls.ClientSessionCache = tls.NewLRUClientSessionCache(8)
	}
	if opt.Security == Implicit {
		if conn, err = c.secure(ctx, conn); err != nil {
			return nil, err
		}
	}
	c.w = wire.NewConn(conn, opt.Limits)
	c.w.Log = opt.Log
	stop := wire.Watch(ctx, c.w.Net())
	defer stop()
	if err := c.greet(ctx); err != nil {
		c.w.Close()
		return nil, err
	}
	return c, nil
}

// secure makes conn a TLS connection, or closes it.
func (c *Conn) secure(ctx context.Context, conn net.Conn) (net.Conn, error) {
	secure := tls.Client(conn, c.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fail(fetch.TLS, &dial.Error{Step: dial.TLS, Host: c.opt.Host, Err: err})
	}
	return secure, nil
}

// greet waits for 220, which may be announced by 120 (RFC 959, section 5.4).
func (c *Conn) greet(ctx context.Context) error {
	for range 10 {
		r, err := c.w.ReadReply()
		if err != nil {
			return fail(fetch.Greeting, err)
		}
		switch r.Code {
		case 120:
			continue
		case 220:
			if c.opt.Security == Explicit {
				return c.authTLS(ctx)
			}
			return nil
		}
		return fail(fetch.Greeting, &Refusal{Reply: r})
	}
	return fail(fetch.Greeting, wire.ErrTooMuch)
}

// authTLS moves the control connection into TLS (RFC 4217, section 4).
func (c *Conn) authTLS(ctx context.Context) error {
	if r, err := c.ask("AUTH", "TLS"); err != nil {
		return fail(fetch.TLS, err)
	} else if r.Code != 234 {
		e := fail(fetch.TLS, &Refusal{"AUTH", r}).(*fetch.Error)
		e.Hint = "the server may have no TLS; an ftp URL asks it in the clear"
		return e
	}
	if c.w.Buffered() > 0 {
		// Said in clear and heard in TLS: somebody in the middle.
		return &fetch.Error{Step: fetch.TLS, Kind: fetch.ErrMalformed, Err: errors.New("more came in clear after the server agreed on TLS")}
	}
	conn, err := c.secure(ctx, c.w.Net())
	if err != nil {
		return err
	}
	c.w.Upgrade(conn)
	return nil
}

// ask sends a command and reads its reply.
func (c *Conn) ask(verb string, args ...string) (wire.Reply, error) {
	return c.sent(c.w.Send(verb, args...))
}

// sent reads the reply to what was sent, unless that failed.
func (c *Conn) sent(err error) (wire.Reply, error) {
	if err != nil {
		var unsafe *wire.Unsafe
		c.unusable = c.unusable || !errors.As(err, &unsafe) // that one sends nothing
		return wire.Reply{}, err
	}
	return c.reply()
}

// reply reads a reply. After 421 the server closes the connection.
func (c *Conn) reply() (wire.Reply, error) {
	r, err := c.w.ReadReply()
	if err != nil || r.Code == 421 {
		c.unusable = true
	}
	return r, err
}

// Login says who we are. A password is sent only when the server asks.
func (c *Conn) Login(user, password string, hasPassword bool) error {
	asked := "USER"
	r, err := c.ask(asked, user)
	if err == nil && r.Code == 331 {
		if !hasPassword {
			return &fetch.Error{Step: fetch.Login, Status: r.Code, Said: r.String(), Kind: fetch.ErrDenied,
				Err: errors.New("the server wants a password, and the URL has none"), Hint: "give one for this host in .netrc, or in the URL"}
		}
		asked = "PASS"
		r, err = c.sent(c.w.SendSecret(asked, password))
	}
	if err != nil {
		return fail(fetch.Login, err)
	}
	switch r.Code {
	case 230, 202, 232:
	case 332, 532:
		e := fail(fetch.Login, &Refusal{asked, r}).(*fetch.Error)
		e.Hint = "the server wants an account, which a URL cannot say"
		return e
	default:
		e := fail(fetch.Login, &Refusal{asked, r}).(*fetch.Error)
		switch {
		case c.opt.Security == Clear && wantsTLS(r):
			e.Hint = "the server wants TLS, which a ftps URL asks for"
		case user == "anonymous" && e.Kind == fetch.ErrDenied:
			e.Hint = "it may be open to its users alone: give a user and a password for this host in .netrc, or in the URL"
		}
		return e
	}
	if c.opt.Security != Clear {
		// RFC 4217, section 9: the data connections too.
		for _, cmd := range [][2]string{{"PBSZ", "0"}, {"PROT", "P"}} {
			if r, err := c.ask(cmd[0], cmd[1]); err != nil {
				return fail(fetch.Login, err)
			} else if r.Code/100 != 2 {
				return fail(fetch.Login, &Refusal{cmd[0], r})
			}
		}
	}
	return nil
}

// wantsTLS reports whether a reply refuses what is said in the clear. Its code
// depends on the server: 421, 503, 530, 534, 550.
func wantsTLS(r wire.Reply) bool {
	said := strings.ToLower(r.String())
	return slices.ContainsFunc([]string{"tls", "ssl", "encrypt", "cleartext", "auth first"}, func(word string) bool { return strings.Contains(said, word) })
}

// Chdir sends one CWD (RFC 1738, section 3.2.2: also for an empty argument).
func (c *Conn) Chdir(dir string) error {
	r, err := c.ask("CWD", dir)
	if err != nil {
		return fail(fetch.Asking, err)
	}
	if r.Code != 250 && r.Code != 200 {
		err := fail(fetch.Status, &Refusal{"CWD", r}).(*fetch.Error)
		err.Err = fmt.Errorf("changing to the folder %s: %w", wire.Quote(dir), err.Err)
		return err
	}
	c.dirs = append(c.dirs, dir)
	return nil
}

// setType sends TYPE once for each change.
func (c *Conn) setType(t byte) error {
	if c.typ == t {
		return nil
	}
	r, err := c.ask("TYPE", string(rune(t)))
	if err != nil {
		return fail(fetch.Asking, err)
	}
	switch {
	case r.Code/100 == 2:
	case t == 'I' && (r.Code == 500 || r.Code == 502):
		// No TYPE at all: what such a server sends is what it has.
	default:
		return fail(fetch.Asking, &Refusal{"TYPE", r})
	}
	c.typ = t
	return nil
}

// Feature reports whether the server lists a feature (RFC 2389).
func (c *Conn) Feature(name string) (bool, error) {
	if c.features == nil {
		r, err := c.ask("FEAT")
		if err != nil {
			return false, fail(fetch.Asking, err)
		}
		c.features = map[string]string{}
		if r.Code == 211 && len(r.Lines) > 2 {
			for _, line := range r.Lines[1 : len(r.Lines)-1] {
				word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				c.features[strings.ToUpper(word)] = rest
			}
		}
	}
	_, ok := c.features[name]
	return ok, nil
}

// Size asks for a file's size in octets (RFC 3659, section 4).
func (c *Conn) Size(name string) (int64, error) {
	if err := c.setType('I'); err != nil {
		return 0, err
	}
	r, err := c.ask("SIZE", name)
	if err != nil {
		return 0, fail(fetch.Asking, err)
	}
	if r.Code == 213 {
		if n, err := strconv.ParseInt(strings.TrimSpace(r.Text()), 10, 64); err == nil && n >= 0 {
			return n, nil
		}
		return 0, fail(fetch.Status, &wire.Garbled{Line: r.String()})
	}
	return 0, fail(fetch.Status, &Refusal{"SIZE", r})
}

// ModTime asks when a file was last changed (RFC 3659, section 3).
func (c *Conn) ModTime(name string) (time.Time, error) {
	r, err := c.ask("MDTM", name)
	if err != nil {
		return time.Time{}, fail(fetch.Asking, err)
	}
	if r.Code == 213 {
		if t, ok := timeVal(strings.TrimSpace(r.Text())); ok {
			return t, nil
		}
		return time.Time{}, fail(fetch.Status, &wire.Garbled{Line: r.String()})
	}
	return time.Time{}, fail(fetch.Status, &Refusal{"MDTM", r})
}

// timeVal reads "YYYYMMDDHHMMSS[.sss]", in UTC (RFC 3659, section 2.3).
func timeVal(s string) (time.Time, bool) {
	t, err := time.Parse("20060102150405", s) // takes a fraction as well
	return t, err == nil
}

// open opens the data connection: EPSV, on IPv4 too, else PASV.
func (c *Conn) open(ctx context.Context) (net.Conn, error) {
	port, err := c.passive()
	if err != nil {
		return nil, err
	}
	conn, err := c.dialer.DialContext(dial.WithTransfer(ctx), "tcp", net.JoinHostPort(c.host, strconv.Itoa(int(port))))
	if err != nil {
		c.unusable = true // the server waits for it
		var e *fetch.Error
		if errors.As(fail(fetch.Connecting, err), &e) {
			e.Err = fmt.Errorf("the data connection: %w", err)
			return nil, e
		}
	}
	return conn, nil
}

func (c *Conn) passive() (uint16, error) {
	if !c.noEPSV {
		r, err := c.ask("EPSV")
		if err != nil {
			return 0, fail(fetch.Asking, err)
		}
		if r.Code == 229 {
			if port, ok := epsvPort(r.Text()); ok {
				return port, nil
			}
		} else if r.Code/100 != 5 {
			return 0, fail(fetch.Asking, &Refusal{"EPSV", r})
		}
		if c.peer.Addr().Is6() {
			// PASV knows IPv4 alone.
			return 0, fail(fetch.Asking, &Refusal{"EPSV", r})
		}
		c.noEPSV = true
	}
	r, err := c.ask("PASV")
	if err != nil {
		return 0, fail(fetch.Asking, err)
	}
	if r.Code != 227 {
		e := fail(fetch.Asking, &Refusal{"PASV", r}).(*fetch.Error)
		e.Hint = "the server lets nobody open a data connection, and those that a server opens are not taken here"
		return 0, e
	}
	port, ok := pasvPort(r.Text())
	if !ok {
		return 0, &fetch.Error{Step: fetch.Asking, Status: r.Code, Said: r.String(), Kind: fetch.ErrMalformed, Err: errors.New("the answer to PASV names no port")}
	}
	return port, nil
}

// epsvPort reads "(<d><d><d>port<d>)" (RFC 2428, section 3).
func epsvPort(text string) (uint16, bool) {
	_, s, ok := strings.Cut(text, "(")
	if !ok || len(s) < 6 || s[0] < 33 || s[0] > 126 || s[1] != s[0] || s[2] != s[0] {
		return 0, false
	}
	digits, rest, ok := strings.Cut(s[3:], s[:1])
	port, err := strconv.ParseUint(digits, 10, 16)
	return uint16(port), ok && strings.HasPrefix(rest, ")") && err == nil && port != 0
}

// pasvPort reads the last two of six numbers; the first four, an address, are
// not for us. RFC 1123, section 4.1.2.6: there need not be parentheses.
func pasvPort(text string) (uint16, bool) {
	start := strings.IndexAny(text, "0123456789")
	if start < 0 {
		return 0, false
	}
	s := text[start:]
	if end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != ',' && r != ' ' }); end >= 0 {
		s = s[:end]
	}
	parts := strings.Split(strings.Trim(s, ", "), ",")
	if len(parts) != 6 {
		return 0, false
	}
	var n [6]uint64
	for i, p := range parts {
		var err error
		if n[i], err = strconv.ParseUint(strings.TrimSpace(p), 10, 8); err != nil {
			return 0, false
		}
	}
	port := uint16(n[4]<<8 | n[5])
	return port, port != 0
}

// A Transfer is an object on its way: a data connection, and the reply on the
// control connection that says how it ended.
type Transfer struct {
	// Size is how many octets are to come; -1 if unknown.
	Size int64
	// Offset is where in the file they begin.
	Offset int64
	// Status is the code of the reply that began it.
	Status int

	c     *Conn
	data  net.Conn
	stop  func() bool // detaches data from the context
	sure  bool        // Size is what SIZE said, not a guess
	n     int64
	over  bool // the final reply came with the first
	ended bool
	err   error
}

// Retrieve begins a file, in the type 'I' or 'A', at an offset.
func (c *Conn) Retrieve(ctx context.Context, name string, typ byte, offset int64) (*Transfer, error) {
	if err := c.setType(typ); err != nil {
		return nil, err
	}
	size := int64(-1)
	if typ == 'I' && (!c.tellsSize || offset > 0) {
		n, err := c.Size(name)
		var e *fetch.Error
		switch {
		case err == nil:
			size = n
		case errors.As(err, &e) && e.Status != 0 && !c.unusable:
			// Many reasons, none of them final: RETR decides.
		default:
			return nil, err
		}
	}
	data, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if offset > 0 {
		r, err := c.ask("REST", strconv.FormatInt(offset, 10))
		if err != nil {
			data.Close()
			return nil, fail(fetch.Asking, err)
		}
		if r.Code != 350 {
			offset = 0 // from the beginning, then
		}
	}
	t, err := c.begin(ctx, data, "RETR", name)
	if err != nil {
		return nil, err
	}
	t.Offset = offset
	told := sizeIn150(c.began)
	switch {
	case size >= 0:
		if size == told {
			c.tellsSize = true
		}
		t.sure = true
		t.Size = max(size-offset, 0)
	case typ == 'I' && told >= 0:
		t.Size = told
	}
	return t, nil
}

// sizeIn150 finds "(1234 bytes)" at the end of the reply to RETR; -1 if it is
// not there. It is a habit of servers, not of any standard.
func sizeIn150(text string) int64 {
	i := strings.LastIndexByte(text, '(')
	if i < 0 {
		return -1
	}
	number, rest, _ := strings.Cut(text[i+1:], " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || !strings.HasPrefix(rest, "byte") {
		return -1
	}
	return n
}

// List begins a listing by the command "MLSD", "LIST" or "NLST"; an empty
// name is the current folder.
func (c *Conn) List(ctx context.Context, command, name string) (*Transfer, error) {
	if err := c.setType('A'); err != nil {
		return nil, err
	}
	data, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{name}
	if name == "" {
		args = nil
	}
	return c.begin(ctx, data, command, args...)
}

// begin sends the command of a transfer. data is the Transfer's, or closed.
func (c *Conn) begin(ctx context.Context, data net.Conn, verb string, args ...string) (*Transfer, error) {
	r, err := c.ask(verb, args...)
	switch {
	case err != nil:
		data.Close()
		return nil, fail(fetch.Asking, err)
	case r.Code/100 != 1 && r.Code != 226 && r.Code != 250:
		data.Close()
		return nil, fail(fetch.Status, &Refusal{verb, r})
	}
	c.began = r.Text()
	t := &Transfer{Size: -1, Status: r.Code, c: c, data: data, stop: wire.Watch(ctx, data), over: r.Code/100 == 2}
	if c.opt.Security != Clear {
		if t.data, err = c.secure(ctx, data); err != nil {
			t.stop()
			c.unusable = true
			return nil, err
		}
	}
	c.busy = true
	return t, nil
}

// Read reads from the data connection. io.EOF means that the server said the
// object is whole.
func (t *Transfer) Read(p []byte) (int, error) {
	if t.ended {
		return 0, t.err
	}
	n, err := t.data.Read(p)
	t.n += int64(n)
	if err != nil {
		return n, t.end(err)
	}
	return n, nil
}

// end reads the final reply, after the data connection ended with err.
func (t *Transfer) end(err error) error {
	t.ended = true
	t.stop()
	t.data.Close()
	whole := t.sure && t.n == t.Size
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
	case errors.Is(err, io.ErrUnexpectedEOF) && whole:
		// TLS without its end mark is usual here, and the size is right.
	default:
		t.c.unusable = true
		t.err = fetch.Fail(fetch.Body, err)
		return t.err
	}
	t.err = io.EOF
	if !t.over {
		if err := t.finalReply(); err != nil {
			t.c.unusable = true
			if !whole || !isLost(err) {
				t.err = err
			}
		}
	}
	if t.err == io.EOF && t.sure && t.n < t.Size {
		t.err = &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: fmt.Errorf("%d of %d octets came", t.n, t.Size)}
	}
	t.c.busy = false
	return t.err
}

// finalReply reads the reply to the transfer, past further 1xx.
func (t *Transfer) finalReply() error {
	for range 10 {
		r, err := t.c.reply()
		switch {
		case err != nil:
			e := fail(fetch.Body, err).(*fetch.Error)
			if e.Kind == nil {
				e.Kind = fetch.ErrTruncated
			}
			return e
		case r.Code/100 == 1:
			continue
		case r.Code/100 == 2:
			return nil
		}
		return fail(fetch.Body, &Refusal{"the transfer", r})
	}
	return fail(fetch.Body, wire.ErrTooMuch)
}

// isLost reports whether the connection was lost, as against a reply we read.
func isLost(err error) bool {
	var refusal *Refusal
	return !errors.As(err, &refusal)
}

// Raw returns the data connection itself, when nothing stands between it and
// the object's octets.
func (t *Transfer) Raw() (io.Reader, func(int64) error) {
	if t.ended || t.c.opt.Security != Clear {
		return nil, nil
	}
	return t.data, func(n int64) error {
		t.n += n
		if err := t.end(io.EOF); err != io.EOF {
			return err
		}
		return nil
	}
}

// Close ends the transfer. One that is not over leaves the connection of no
// more use.
func (t *Transfer) Close() error {
	if !t.ended {
		t.ended, t.err = true, net.ErrClosed
		t.stop()
		t.c.unusable = true
		return t.data.Close()
	}
	return nil
}

// at reports whether the CWDs so far are the beginning of dirs, so that the
// rest of them leads where all of them would on a new connection.
func (c *Conn) at(dirs []string) bool {
	return len(c.dirs) <= len(dirs) && slices.Equal(c.dirs, dirs[:len(c.dirs)])
}

// Watch ends every wait on the control connection when ctx ends, until stop is
// called. A stop that gives false says that it has: the Conn is of no more use.
func (c *Conn) Watch(ctx context.Context) (stop func() bool) { return wire.Watch(ctx, c.w.Net()) }

// Close says QUIT, does not wait for the answer, and closes the connection.
func (c *Conn) Close() error {
	if !c.unusable && !c.busy {
		c.w.Net().SetDeadline(time.Now().Add(time.Second))
		c.w.Send("QUIT")
	}
	return c.w.Close()
}
