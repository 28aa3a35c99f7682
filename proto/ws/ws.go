// Package ws opens ws and wss URLs by the WebSocket protocol (RFC 6455): the
// opening handshake, and what the server says first. What is fetched is that
// first message; a server that says none has an empty object, and the
// response's header tells what it agreed to. Start with [New].
//
// [Conn] stands on its own and reads one message after the other.
package ws

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	wsurl "anyurl/scheme/ws"
)

// DefaultQuiet is how long a server has for its first message.
const DefaultQuiet = 2 * time.Second

// A Transport opens ws and wss URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Quiet is how long the server may take to begin its first message before
	// it is taken to have none; 0 is DefaultQuiet.
	Quiet time.Duration
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"ws", "wss"} }

// Fetch opens the WebSocket and waits for its first message. A redirect is
// returned and not followed. Fields of the request's header are sent along, as
// Sec-WebSocket-Protocol may have to be.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := wsurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	h, err := newHandshake(req, ref)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	if ref.TLS {
		conn, err = t.secure(ctx, conn, ref)
		if err != nil {
			return nil, fetch.Fail(fetch.TLS, err)
		}
	}
	b := &body{conn: conn, stop: wire.Watch(ctx, conn)}
	resp, err := t.open(ctx, req, h, b)
	if err != nil {
		b.Close()
		return nil, err
	}
	if resp.Body == nil {
		b.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

func (t *Transport) secure(ctx context.Context, conn net.Conn, ref wsurl.Ref) (net.Conn, error) {
	secure, err := t.Dialer.StartTLS(ctx, conn, ref.Host.Unbracketed(), "http/1.1")
	if err != nil {
		return nil, err
	}
	return secure, nil
}

// open shakes hands and waits for the first message. The response has no Body
// where there is nothing to read.
func (t *Transport) open(ctx context.Context, req *fetch.Request, h *handshake, b *body) (*fetch.Response, error) {
	if req.Trace != nil {
		for _, line := range h.lines {
			req.Trace(fetch.Event{Kind: '>', Text: line})
		}
	}
	if _, err := io.WriteString(b.conn, strings.Join(h.lines, "\r\n")+"\r\n\r\n"); err != nil {
		return nil, fetch.Fail(fetch.Asking, err)
	}
	r := bufio.NewReader(b.conn)
	a, err := readAnswer(r, req)
	if err != nil {
		return nil, fetch.Fail(fetch.Status, err)
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "websocket", Status: a.status, Header: a.header}
	if a.status != 101 {
		if resp.Location = first(a.header["Location"]); a.status/100 == 3 && resp.Location != "" {
			resp.Permanent = a.status == 301 || a.status == 308
			return resp, nil
		}
		return nil, a.refusal()
	}
	if err := h.agrees(a); err != nil {
		return nil, err
	}
	if req.Head() {
		resp.Size = -1
		return resp, nil
	}
	c := &Conn{conn: b.conn, r: r}
	quiet := t.Quiet
	if quiet <= 0 {
		quiet = DefaultQuiet
	}
	b.conn.SetReadDeadline(time.Now().Add(quiet))
	if ctx.Err() != nil { // whose own deadline was just moved
		return nil, fetch.Fail(fetch.Body, context.Cause(ctx))
	}
	kind, err := c.Next()
	b.conn.SetReadDeadline(time.Time{})
	if ctx.Err() != nil {
		return nil, fetch.Fail(fetch.Body, context.Cause(ctx))
	}
	var closed *Closed
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && !c.within(), errors.As(err, &closed) && closed.normal():
		return resp, nil // it says nothing
	case err != nil:
		return nil, failed(err)
	}
	resp.Size, resp.Type = -1, "application/octet-stream"
	if kind == Text {
		resp.Type = "text/plain"
	}
	if c.last {
		resp.Size = c.left
	}
	b.c = c
	resp.Body = b
	return resp, nil
}

// failed says what kind of failure one of a Conn is.
func failed(err error) error {
	var violation *Violation
	var closed *Closed
	switch {
	case errors.As(err, &violation):
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrMalformed, Err: err}
	case errors.As(err, &closed):
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Status: closed.Code, Said: closed.Reason, Err: fmt.Errorf("the server closes the WebSocket (%d)", closed.Code)}
	case errors.Is(err, io.EOF):
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: errors.New("the connection ends without the WebSocket's close")}
	}
	return fetch.Fail(fetch.Body, err)
}

// A handshake is the client's side of the opening: RFC 6455, section 4.1.
type handshake struct {
	lines     []string // of the request
	key       string
	protocols []string // that were offered
}

// own are the fields that are the handshake's, and nobody else's.
var own = []string{"Host", "Upgrade", "Connection", "Sec-Websocket-Key", "Sec-Websocket-Version", "Sec-Websocket-Extensions", "Content-Length", "Transfer-Encoding"}

func newHandshake(req *fetch.Request, ref wsurl.Ref) (*handshake, error) {
	var nonce [16]byte
	rand.Read(nonce[:])
	h := &handshake{key: base64.StdEncoding.EncodeToString(nonce[:])}
	h.lines = []string{
		"GET " + ref.Target() + " HTTP/1.1",
		"Host: " + req.URL.HostPort(),
		"Upgrade: websocket",
		"Connection: Upgrade",
		"Sec-WebSocket-Key: " + h.key,
		"Sec-WebSocket-Version: 13",
	}
	if req.Auth != nil {
		h.lines = append(h.lines, "Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(req.Auth.User+":"+req.Auth.Password)))
	}
	names := make([]string, 0, len(req.Header))
	for name := range req.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		n := canonical(name)
		switch {
		case slices.Contains(own, n):
			continue
		case !isToken(name):
			return nil, fmt.Errorf("%s is no name of a field", wire.Quote(name))
		}
		for _, v := range req.Header[name] {
			if n == "Sec-Websocket-Protocol" {
				h.protocols = append(h.protocols, tokens(v)...)
			}
			h.lines = append(h.lines, name+": "+v)
		}
	}
	for _, line := range h.lines {
		if err := wire.Check(line); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// accept is what the server makes of the key: section 4.2.2, step 5.4.
func (h *handshake) accept() string {
	sum := sha1.Sum([]byte(h.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// agrees holds a 101 answer to section 4.1: a server that does not mean a
// WebSocket, or means another, is not spoken to.
func (h *handshake) agrees(a answer) error {
	bad := func(format string, args ...any) error {
		return &fetch.Error{Step: fetch.Status, Status: a.status, Kind: fetch.ErrMalformed, Err: fmt.Errorf(format, args...)}
	}
	upgrade, connection := tokens(strings.Join(a.header["Upgrade"], ",")), tokens(strings.Join(a.header["Connection"], ","))
	switch {
	case len(upgrade) != 1 || !strings.EqualFold(upgrade[0], "websocket"):
		return bad("the server changes to another protocol than WebSocket")
	case !slices.ContainsFunc(connection, func(s string) bool { return strings.EqualFold(s, "upgrade") }):
		return bad("the server's answer lacks the field Connection: Upgrade")
	case len(a.header["Sec-Websocket-Accept"]) != 1 || a.header["Sec-Websocket-Accept"][0] != h.accept():
		return bad("the server's answer is not to this handshake: Sec-WebSocket-Accept is not what the key makes")
	case len(tokens(strings.Join(a.header["Sec-Websocket-Extensions"], ","))) > 0:
		return bad("the server uses extensions that nobody offered")
	}
	chosen := a.header["Sec-Websocket-Protocol"]
	if len(chosen) > 1 || len(chosen) == 1 && !slices.Contains(h.protocols, chosen[0]) {
		return bad("the server chose a subprotocol that nobody offered: %s", wire.Quote(strings.Join(chosen, ", ")))
	}
	return nil
}

// An answer is the server's side of the opening.
type answer struct {
	status int
	line   string
	header map[string][]string
}

// readAnswer reads a status line and header fields: RFC 9112, sections 4 and 5.
func readAnswer(r *bufio.Reader, req *fetch.Request) (answer, error) {
	limit, left := req.Limits.MaxLine, req.Limits.MaxHeader
	if limit <= 0 {
		limit = wire.DefaultLine
	}
	if left <= 0 {
		left = wire.DefaultReply
	}
	read := func() (string, error) {
		line, err := wire.ReadLine(r, int(min(int64(limit), left)))
		if left -= int64(len(line)) + 2; err == nil && left <= 0 {
			err = wire.ErrTooMuch
		}
		if err == nil && req.Trace != nil {
			req.Trace(fetch.Event{Kind: '<', Text: line})
		}
		return line, err
	}
	malformed := func(line, why string) error {
		return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Said: line, Err: errors.New(why)}
	}
	a := answer{header: map[string][]string{}}
	var err error
	if a.line, err = read(); err != nil {
		if errors.Is(err, io.EOF) {
			err = &fetch.Error{Step: fetch.Status, Kind: fetch.ErrTruncated, Err: errors.New("the server closes without an answer")}
		}
		return a, err
	}
	version, rest, _ := strings.Cut(a.line, " ")
	code, _, _ := strings.Cut(rest, " ")
	a.status, err = strconv.Atoi(code)
	if !strings.HasPrefix(version, "HTTP/1.") || len(code) != 3 || err != nil || a.status < 100 || a.status > 599 {
		return a, malformed(a.line, "the answer is no HTTP status line")
	}
	for {
		line, err := read()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return a, err
		}
		if line == "" {
			return a, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return a, malformed(line, "a line of the answer is no header field")
		}
		name = canonical(name)
		a.header[name] = append(a.header[name], strings.Trim(value, " \t"))
	}
}

// refusal is an answer that opens nothing.
func (a answer) refusal() error {
	e := &fetch.Error{Step: fetch.Status, Status: a.status, Said: a.line, Err: fmt.Errorf("the server opens no WebSocket there (%d)", a.status)}
	switch a.status {
	case 401, 403, 407:
		e.Kind = fetch.ErrDenied
	case 404, 410:
		e.Kind = fetch.ErrNotFound
	case 426:
		e.Kind = fetch.ErrUnsupported
		if v := first(a.header["Sec-Websocket-Version"]); v != "" {
			e.Hint = "it speaks version " + wire.Quote(v) + "; this is version 13"
		}
	case 429, 503:
		e.Kind = fetch.ErrBusy
	case 400:
		e.Hint = `a subprotocol may be wanted: -H "Sec-WebSocket-Protocol: NAME"; or an origin: -H "Origin: https://HOST"`
	default:
		if a.status/100 == 2 {
			e.Hint = "an http URL may open what is there"
		}
	}
	return e
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// tokens takes a list apart at its commas: RFC 9110, section 5.6.1.
func tokens(s string) (list []string) {
	for t := range strings.SplitSeq(s, ",") {
		if t = strings.Trim(t, " \t"); t != "" {
			list = append(list, t)
		}
	}
	return list
}

// isToken reports whether s is a token: RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

// canonical writes a field's name as net/http does: "Sec-Websocket-Key".
func canonical(name string) string {
	b, up := []byte(name), true
	for i, c := range b {
		switch {
		case up && 'a' <= c && c <= 'z':
			b[i] = c - 0x20
		case !up && 'A' <= c && c <= 'Z':
			b[i] = c + 0x20
		}
		up = c == '-'
	}
	return string(b)
}

// A body is the first message; it owns the connection.
type body struct {
	conn net.Conn
	stop func() bool
	c    *Conn // nil before there is a message
	once sync.Once
	err  error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.c.Read(p)
	if err != nil && err != io.EOF {
		err = failed(err)
	}
	return n, err
}

// Close says goodbye, does not wait for the answer, and closes the connection.
func (b *body) Close() error {
	b.once.Do(func() {
		if b.stop() && b.c != nil {
			b.conn.SetDeadline(time.Now().Add(time.Second))
			b.c.SendClose(1000)
		}
		b.err = b.conn.Close()
		if b.c != nil && b.c.whole {
			b.err = nil // the object came whole
		}
	})
	return b.err
}
