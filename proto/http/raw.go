package http

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"anyurl/fetch"
)

// leastRaw is the size from which an object is worth its connection: what is
// taken from the socket itself cannot go back to those that are kept.
const leastRaw = 1 << 20

// errTaken is what net/http is told when it would read from a connection that
// was taken from it.
var errTaken = errors.New("the connection was taken over")

// A tap is a connection that can be taken from net/http once it has read an
// answer's header: the octets of a large object then go from the socket to
// their file within the system, which its reader would stand in the way of.
type tap struct {
	net.Conn

	mu     sync.Mutex
	taken  bool
	closed bool // net/http has let go of it
}

func (c *tap) Read(p []byte) (int, error) {
	c.mu.Lock()
	taken := c.taken
	c.mu.Unlock()
	if taken {
		return 0, errTaken
	}
	return c.Conn.Read(p)
}

// Close closes the connection, unless it was taken.
func (c *tap) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.taken {
		return nil
	}
	return c.Conn.Close()
}

// take takes the connection from net/http. It is too late where that has let
// go of it.
func (c *tap) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.taken = true
	}
	return c.taken
}

// tapped returns a context in which a request tells over which tap it went.
func tapped(ctx context.Context) (context.Context, func() *tap) {
	var mu sync.Mutex
	var last *tap
	asked := false
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if asked {
			// net/http asks once more by itself where a kept connection ended before
			// an answer. An error is that of the context, which it sees, too.
			fetch.Again(ctx)
		}
		mu.Lock()
		defer mu.Unlock()
		asked = true
		last, _ = info.Conn.(*tap)
	}}
	return httptrace.WithClientTrace(ctx, trace), func() *tap {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// A rawBody is the body of a large answer with a length, over a connection in
// the clear. It is a [fetch.RawBody].
type rawBody struct {
	io.ReadCloser // net/http's
	ctx           context.Context
	tap           *tap
	left          int64 // octets still to come
	taken         bool  // from net/http
	empty         bool  // what net/http had read already has been given
	stop          func() bool
}

// newRawBody gives in's body as one that can be moved, where it is such; else
// as it is.
func newRawBody(ctx context.Context, in *http.Response, c *tap) io.ReadCloser {
	if c == nil || in.Body == http.NoBody || in.ProtoMajor != 1 || in.ContentLength < leastRaw {
		return in.Body
	}
	if _, ok := c.Conn.(*net.TCPConn); !ok {
		return in.Body
	}
	return &rawBody{ReadCloser: in.Body, ctx: ctx, tap: c, left: in.ContentLength}
}

func (b *rawBody) Read(p []byte) (int, error) {
	if b.empty {
		return 0, errTaken
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.taken && errors.Is(err, errTaken) {
		b.empty = true
		return n, nil
	}
	return n, err
}

// Raw takes the connection. What net/http has read of the object already comes
// by Read first.
func (b *rawBody) Raw() (io.Reader, func(int64) error) {
	if !b.taken && (b.left == 0 || !b.tap.take()) {
		return nil, nil
	}
	b.taken = true
	if !b.empty {
		return nil, nil
	}
	if b.stop == nil {
		b.stop = context.AfterFunc(b.ctx, func() { b.tap.Conn.SetReadDeadline(time.Unix(1, 0)) })
	}
	left := b.left
	return b.tap.Conn, func(moved int64) error {
		if moved < left {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
}

// Left is how many octets the object still has.
func (b *rawBody) Left() int64 { return b.left }

// Close closes the connection if it was taken, and else leaves it to net/http.
func (b *rawBody) Close() error {
	err := b.ReadCloser.Close()
	if b.stop != nil {
		b.stop()
	}
	if b.taken {
		b.tap.Conn.Close()
	}
	return err
}
