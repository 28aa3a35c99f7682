package ftp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	ftpurl "anyurl/scheme/ftp"
)

// AnonymousPassword is what an anonymous login gives as its password: something
// like a mail address, as RFC 1738, section 3.2.1, asks, and nobody's.
const AnonymousPassword = "anonymous@anyurl.invalid"

// How long and how many connections are kept for the next request.
const (
	keepTime = 15 * time.Second
	keepMost = 32
)

// A Transport opens ftp and ftps URLs. Close it to let go of idle connections.
//
// A connection serves a second URL only where its folder is the one that the
// URL's CWDs would lead to from the login, or on the way there; otherwise the
// working directory could mislead (RFC 1738, section 3.2.5).
type Transport struct {
	dialer *dial.Dialer

	// Explicit decides whether a ftps URL means AUTH TLS after the greeting
	// rather than TLS from the first octet. Nil means: on port 21, yes, and where a
	// server greets in the clear. Nothing else is ever said in the clear.
	Explicit func(port uint16) bool

	mu     sync.Mutex
	idle   []*idle
	greets map[string]bool // the addresses of those that greeted in the clear
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"ftp", "ftps"} }

// A who is whose connection it is. Two URLs share one only if all of it is equal.
type who struct {
	address, user, password string
	security                Security
}

type idle struct {
	who   who
	conn  *Conn
	timer *time.Timer
}

// Close closes the connections that wait for another request.
func (t *Transport) Close() error {
	t.mu.Lock()
	all := t.idle
	t.idle = nil
	t.mu.Unlock()
	for _, i := range all {
		i.timer.Stop()
		i.conn.Close()
	}
	return nil
}

// take returns an idle connection that can go on to dirs, the nearest one.
func (t *Transport) take(w who, dirs []string) *Conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	best := -1
	for i, c := range t.idle {
		if c.who == w && c.conn.at(dirs) && (best < 0 || len(c.conn.dirs) >= len(t.idle[best].conn.dirs)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	c := t.idle[best]
	t.idle = append(t.idle[:best], t.idle[best+1:]...)
	c.timer.Stop()
	return c.conn
}

// keep puts a connection aside for the next request.
func (t *Transport) keep(w who, c *Conn) {
	c.w.Log = nil
	i := &idle{who: w, conn: c}
	t.mu.Lock()
	i.timer = time.AfterFunc(keepTime, func() {
		t.mu.Lock()
		for n, x := range t.idle {
			if x == i {
				t.idle = append(t.idle[:n], t.idle[n+1:]...)
				break
			}
		}
		t.mu.Unlock()
		c.Close()
	})
	t.idle = append(t.idle, i)
	var old *idle
	if len(t.idle) > keepMost {
		old = t.idle[0]
		t.idle = t.idle[1:]
	}
	t.mu.Unlock()
	if old != nil && old.timer.Stop() {
		old.conn.Close()
	}
}

// A lease is a connection in use for one request.
type lease struct {
	t      *Transport
	who    who
	conn   *Conn
	reused bool
	stop   func() bool
}

// done gives the connection back, or closes it when it is of no more use.
func (l *lease) done() {
	if l.conn == nil {
		return
	}
	c := l.conn
	l.conn = nil
	if !l.stop() {
		c.unusable = true
	}
	if c.unusable || c.busy {
		c.Close()
		return
	}
	l.t.keep(l.who, c)
}

// Fetch opens the file or the folder that the URL names.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := ftpurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	w := who{address: ref.Addr(), user: "anonymous", password: AnonymousPassword}
	hasPassword := true
	switch {
	case ref.HasUser:
		w.user, w.password, hasPassword = ref.User, ref.Password, ref.HasPassword
		if req.Auth != nil && !hasPassword && req.Auth.User == ref.User {
			w.password, hasPassword = req.Auth.Password, req.Auth.HasPassword
		}
	case req.Auth != nil:
		w.user, w.password, hasPassword = req.Auth.User, req.Auth.Password, req.Auth.HasPassword
	}
	if ref.TLS {
		w.security = Implicit
		if t.Explicit != nil && t.Explicit(ref.Port) || t.Explicit == nil && (ref.Port == ftpurl.Port || t.greeted(w.address)) {
			w.security = Explicit
		}
	}
	for {
		l := &lease{t: t, who: w, conn: t.take(w, ref.Dirs)}
		l.reused = l.conn != nil
		resp, err := t.once(ctx, l, req, ref, hasPassword)
		if err == nil {
			return resp, nil
		}
		again := l.reused && l.conn != nil && l.conn.unusable && isGone(err) && ctx.Err() == nil
		l.done()
		if t.Explicit == nil && w.security == Implicit && isGreeting(err) && ctx.Err() == nil {
			t.greet(w.address)
			w.security = Explicit
			continue
		}
		if !again {
			return nil, err
		}
		// The server had closed a connection that we kept; that says nothing.
	}
}

// isGreeting reports whether a server was to begin with TLS, and greeted.
func isGreeting(err error) bool {
	var clear tls.RecordHeaderError
	return errors.As(err, &clear) && (bytes.HasPrefix(clear.RecordHeader[:], []byte("220")) || bytes.HasPrefix(clear.RecordHeader[:], []byte("120")))
}

// greeted reports whether a server is known to greet in the clear.
func (t *Transport) greeted(address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.greets[address]
}

// greet remembers that one does. What is forgotten is found out again.
func (t *Transport) greet(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.greets == nil || len(t.greets) >= keepMost {
		t.greets = map[string]bool{}
	}
	t.greets[address] = true
}

// isGone reports whether the other end had closed or lost the connection.
func isGone(err error) bool {
	var e *fetch.Error
	if errors.As(err, &e) && e.Status == 421 {
		return true
	}
	return dial.HungUp(err)
}

// once does it on one connection. On an error the lease is the caller's still.
func (t *Transport) once(ctx context.Context, l *lease, req *fetch.Request, ref ftpurl.Ref, hasPassword bool) (*fetch.Response, error) {
	log := logger(req)
	if l.conn == nil {
		conn, err := Dial(ctx, t.dialer, l.who.address, Options{
			Security: l.who.security,
			Host:     ref.Host.Unbracketed(),
			Limits:   wire.Limits{Line: req.Limits.MaxLine, Reply: reply(req.Limits.MaxHeader)},
			Log:      log,
		})
		if err != nil {
			return nil, err
		}
		l.conn = conn
		l.stop = conn.Watch(ctx)
		if err := conn.Login(l.who.user, l.who.password, hasPassword); err != nil {
			conn.unusable = true
			return nil, err
		}
	} else {
		l.conn.w.Log = log
		l.stop = l.conn.Watch(ctx)
	}
	for _, dir := range ref.Dirs[len(l.conn.dirs):] {
		if err := l.conn.Chdir(dir); err != nil {
			return nil, err
		}
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "ftp", Size: -1, Body: nothing}
	if l.who.security != Clear {
		resp.Protocol = "ftps"
	}
	switch {
	case ref.Type == ftpurl.Dir:
		return resp, t.list(ctx, l, req, resp, ref, "NLST")
	case ref.Name == "":
		return resp, t.list(ctx, l, req, resp, ref, "")
	}
	err := t.file(ctx, l, req, resp, ref)
	var e *fetch.Error
	if err == nil || ref.Type != ftpurl.Unsaid || l.conn == nil || l.conn.unusable || !errors.As(err, &e) || e.Status != 550 {
		return resp, err
	}
	// Perhaps the name is a folder's. If not, the file's error is the one to tell.
	if cerr := l.conn.Chdir(ref.Name); cerr != nil {
		return nil, err
	}
	ref.Dirs = append(ref.Dirs[:len(ref.Dirs):len(ref.Dirs)], ref.Name)
	ref.Name = ""
	if u := ref.URL(); !u.IsZero() {
		resp.URL = u
	}
	lerr := t.list(ctx, l, req, resp, ref, "")
	var refusal *Refusal
	if errors.As(lerr, &refusal) {
		return nil, err
	}
	return resp, lerr
}

// reply is a limit for one reply: the usual one, or less.
func reply(maxHeader int64) int64 {
	if maxHeader > 0 && maxHeader < wire.DefaultReply {
		return maxHeader
	}
	return wire.DefaultReply
}

// nothing is the body of a response that has none.
var nothing = io.NopCloser(strings.NewReader(""))

// file begins the file's transfer, or asks about it.
func (t *Transport) file(ctx context.Context, l *lease, req *fetch.Request, resp *fetch.Response, ref ftpurl.Ref) error {
	typ := byte('I')
	if ref.Type == ftpurl.ASCII {
		typ = 'A'
	}
	resp.Type = fetch.TypeByName(ref.Name)
	if resp.Type == "" && typ == 'A' {
		resp.Type = "text/plain"
	}
	if req.Head() {
		known, err := t.head(l, resp, ref.Name)
		if known || err != nil {
			if err == nil {
				l.done()
			}
			return err
		}
	}
	if req.When && resp.ModTime.IsZero() {
		// A server without MDTM is none the worse for it; what is not there, RETR says.
		when, err := l.conn.ModTime(ref.Name)
		if err != nil && l.conn.unusable {
			return err
		}
		resp.ModTime = when
	}
	tr, err := l.conn.Retrieve(ctx, ref.Name, typ, req.Offset)
	if err != nil {
		return err
	}
	resp.Status, resp.Offset, resp.Size = tr.Status, tr.Offset, tr.Size
	b := &body{Transfer: tr, lease: l}
	if req.Head() {
		// The server cannot say, but it began to send: it is there.
		b.Close()
		return nil
	}
	if resp.Type == "" {
		if resp.Type, err = b.peek(); err != nil {
			b.Close()
			return err
		}
	}
	resp.Body = b
	return nil
}

// head asks what a HEAD wants to know; known is false when the server has no
// way to tell.
func (t *Transport) head(l *lease, resp *fetch.Response, name string) (known bool, err error) {
	size, err := l.conn.Size(name)
	var e *fetch.Error
	switch {
	case err == nil:
		resp.Size, resp.Status = size, 213
	case errors.As(err, &e) && (e.Status == 500 || e.Status == 502) && !l.conn.unusable:
		return false, nil
	default:
		return true, err
	}
	if when, err := l.conn.ModTime(name); err == nil {
		resp.ModTime = when
	} else if l.conn.unusable {
		return true, err
	}
	return true, nil
}

// list fetches a listing whole and takes it apart. The command "" is the best
// that the server has.
func (t *Transport) list(ctx context.Context, l *lease, req *fetch.Request, resp *fetch.Response, ref ftpurl.Ref, command string) error {
	resp.Listing = true
	resp.Type = "text/plain"
	if req.Head() {
		l.done() // the CWDs found it
		return nil
	}
	if command == "" {
		command = "LIST"
		mlst, err := l.conn.Feature("MLST")
		if err != nil {
			return err
		}
		if mlst {
			command = "MLSD"
		}
	}
	tr, err := l.conn.List(ctx, command, ref.Name)
	var e *fetch.Error
	if command == "MLSD" && errors.As(err, &e) && e.Kind == fetch.ErrUnsupported && !l.conn.unusable {
		command = "LIST"
		tr, err = l.conn.List(ctx, command, ref.Name)
	}
	if errors.As(err, &e) && isEmpty(command, e) {
		l.done()
		resp.Size = 0
		return nil
	}
	if err != nil {
		return err
	}
	defer tr.Close()
	resp.Status = tr.Status
	raw, err := fetch.ReadListing(tr, req.Limits)
	if err == nil {
		resp.Entries, err = parse(command, raw, ref, req.Limits)
	}
	if err != nil {
		return fail(fetch.Body, err)
	}
	tr.Close()
	l.done()
	resp.Size = int64(len(raw))
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	return nil
}

// isEmpty reports whether a refused listing means that there is nothing to
// list: some servers say 450 or 550 for that.
func isEmpty(command string, e *fetch.Error) bool {
	if e.Status == 450 {
		return true
	}
	said := strings.ToLower(e.Said)
	return e.Status == 550 && (strings.Contains(said, "no files") || command == "NLST" && strings.Contains(said, "empty"))
}

// A body is a Transfer that gives its connection back when it is over.
type body struct {
	*Transfer
	lease *lease
	head  []byte // what peek took
	err   error  // what peek met
	once  sync.Once
}

// peek looks at the first octets to guess the type.
func (b *body) peek() (string, error) {
	buf := make([]byte, 512)
	n, err := b.Transfer.Read(buf)
	if err != nil && err != io.EOF {
		return "", err
	}
	b.head, b.err = buf[:n], err
	return fetch.TypeByContent(b.head), nil
}

func (b *body) Read(p []byte) (int, error) {
	if len(b.head) > 0 {
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	}
	if b.err != nil {
		b.release()
		return 0, b.err
	}
	n, err := b.Transfer.Read(p)
	if err != nil {
		b.release()
	}
	return n, err
}

func (b *body) Raw() (io.Reader, func(int64) error) {
	if len(b.head) > 0 || b.err != nil {
		return nil, nil
	}
	src, end := b.Transfer.Raw()
	if src == nil {
		return nil, nil
	}
	return src, func(n int64) error {
		err := end(n)
		b.release()
		return err
	}
}

func (b *body) release() { b.once.Do(b.lease.done) }

func (b *body) Close() error {
	err := b.Transfer.Close()
	b.release()
	return err
}

// logger passes the conversation on to the request's trace.
func logger(req *fetch.Request) func(bool, string) {
	if req.Trace == nil {
		return nil
	}
	return func(sent bool, line string) {
		kind := byte('<')
		if sent {
			kind = '>'
		}
		req.Trace(fetch.Event{Kind: kind, Text: line})
	}
}
