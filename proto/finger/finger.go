// Package finger opens finger URLs by the Finger protocol (RFC 1288): one line
// is asked, and what comes until the server closes is the object. Start with
// [New].
package finger

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	fingerurl "anyurl/scheme/finger"
)

// A Transport opens finger URLs.
type Transport struct {
	dialer *dial.Dialer
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"finger"} }

// Fetch asks who is there, or about a user. "user@host" in the URL's query has
// the server ask that host (RFC 1288, section 2.3, {Q2}), if it does so at all.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := fingerurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if err := wire.Check(ref.Query); err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	b := &body{conn: conn, stop: wire.Watch(ctx, conn), r: bufio.NewReader(conn)}
	if req.Trace != nil {
		req.Trace(fetch.Event{Kind: '>', Text: ref.Query})
	}
	if err := wire.WriteLine(conn, ref.Query); err != nil {
		b.Close()
		return nil, fetch.Fail(fetch.Asking, err)
	}
	if _, err := b.r.Peek(1); err != nil {
		b.Close()
		if errors.Is(err, io.EOF) {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("the server closes without an answer")}
		}
		return nil, fetch.Fail(fetch.Status, err)
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "finger", Type: "text/plain", Size: -1, Body: b}
	if req.Head() {
		b.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// A body is what the server says on its way; it owns the connection.
type body struct {
	conn net.Conn
	stop func() bool
	once sync.Once
	err  error
	r    *bufio.Reader
}

func (b *body) Read(p []byte) (int, error) { return b.r.Read(p) }

func (b *body) Close() error {
	b.once.Do(func() {
		b.stop()
		b.err = b.conn.Close()
	})
	return b.err
}
