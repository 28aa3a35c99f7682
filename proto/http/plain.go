package http

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"anyurl/fetch"
)

// What plain keeps of connections that wait for another request. Each costs the
// system a socket and us a few hundred octets.
const (
	keptPerHost = 16
	keptInAll   = 2048 // a list of links may name thousands of hosts
	keptFor     = 30 * time.Second
)

// mostInterim is how many interim answers (RFC 9110, section 15.2) may come
// before the one that counts.
const mostInterim = 5

// errHeader is what a connection gives once an answer's header is over its limit.
var errHeader = errors.New("the headers exceeded their limit")

// A plain asks over HTTP/1.1 in the clear. net/http reads what stands on the wire,
// but every request is sent, and its answer read, by the goroutine that wants it,
// and a connection that waits has no buffers. net/http's own transport has two
// goroutines and their buffers for each connection, which is more than the answer
// costs where thousands of hosts are asked for something small.
type plain struct {
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	aGet, aHead      *http.Request // which nobody changes
	readers, writers sync.Pool     // of buffers, which a request has for as long as it lasts

	mu      sync.Mutex
	hosts   map[string]*plainHost
	oldest  *plainConn // of those that wait, which are a list in the order in which they began to
	newest  *plainConn
	kept    int
	shut    bool        // since Close, until the next request
	sweeper *time.Timer // runs while connections wait
}

func newPlain(dial func(ctx context.Context, network, address string) (net.Conn, error)) *plain {
	return &plain{dial: dial, aGet: &http.Request{Method: http.MethodGet}, aHead: &http.Request{Method: http.MethodHead}, hosts: map[string]*plainHost{}}
}

// A plainHost is what there is to one address.
type plainHost struct {
	address string
	open    int // connections, and those that are being opened
	idle    []*plainConn
	waiting []chan *plainConn // who gets a connection, or nil: the right to open one
}

// A plainConn is a connection. What it reads of a header counts.
type plainConn struct {
	net.Conn
	host *plainHost
	left int64 // octets that may still come
	used bool  // it has had an answer before

	since      time.Time // when it began to wait
	prev, next *plainConn
}

func (c *plainConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeader
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// roundTrip sends out, reads the answer's header, of at most maxHeader octets,
// and gives the body as it comes. There are at most perHost connections to its
// host; 0 is no bound.
func (p *plain) roundTrip(ctx context.Context, out *request, maxHeader int64, perHost int) (*http.Response, error) {
	for fresh := false; ; fresh = true {
		c, err := p.get(ctx, out.address, perHost, fresh)
		if err != nil {
			return nil, err
		}
		var in *http.Response
		if err = fetch.Ready(ctx); err == nil {
			in, err = p.ask(ctx, c, out, maxHeader)
		}
		if err == nil {
			return in, nil
		}
		p.drop(c)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !c.used {
			return nil, err
		}
		// A server may close a connection that waits whenever it likes (RFC 9112,
		// section 9.5), or still be sending what it should not have sent in answer to
		// a HEAD. Nothing that we ask does harm twice.
		if err := fetch.Again(ctx); err != nil {
			return nil, err
		}
	}
}

// ask sends out over c.
func (p *plain) ask(ctx context.Context, c *plainConn, out *request, maxHeader int64) (in *http.Response, err error) {
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	r := p.reader(c)
	defer func() {
		if err != nil {
			stop()
			p.letGo(r)
		}
	}()
	if err = p.send(c.Conn, out); err != nil {
		return nil, err
	}
	c.left = maxHeader
	to := p.asked(out.method)
	for interim := 0; ; interim++ {
		if interim > mostInterim {
			return nil, errors.New("too many 1xx answers")
		}
		// ReadResponse does not tell nothing from half an answer.
		if _, err = r.Peek(1); err != nil {
			return nil, err
		}
		if in, err = http.ReadResponse(r, to); err != nil {
			return nil, err
		}
		if in.StatusCode/100 != 1 || in.StatusCode == http.StatusSwitchingProtocols {
			break
		}
	}
	c.left = 1<<63 - 1
	b := &plainBody{ReadCloser: in.Body, ctx: ctx, pool: p, conn: c, r: r, stop: stop, left: in.ContentLength,
		keep: !in.Close && in.StatusCode != http.StatusSwitchingProtocols}
	if in.Body == http.NoBody {
		b.end(io.EOF)
	} else {
		in.Body = b
	}
	return in, nil
}

// asked is a request as far as [http.ReadResponse] looks at it: its method tells
// whether there is a body.
func (p *plain) asked(method string) *http.Request {
	switch method {
	case http.MethodGet:
		return p.aGet
	case http.MethodHead:
		return p.aHead
	}
	return &http.Request{Method: method}
}

// send writes a request.
func (p *plain) send(to io.Writer, out *request) error {
	w, ok := p.writers.Get().(*bufio.Writer)
	if !ok {
		w = bufio.NewWriterSize(nil, 2<<10)
	}
	w.Reset(to)
	err := out.write(w)
	w.Reset(nil)
	p.writers.Put(w)
	return err
}

func (p *plain) reader(from io.Reader) *bufio.Reader {
	r, ok := p.readers.Get().(*bufio.Reader)
	if !ok {
		r = bufio.NewReaderSize(nil, 8<<10)
	}
	r.Reset(from)
	return r
}

func (p *plain) letGo(r *bufio.Reader) {
	r.Reset(nil)
	p.readers.Put(r)
}

// A plainBody is an answer's body. It is a [fetch.RawBody] where it is large
// enough to be worth its connection.
type plainBody struct {
	io.ReadCloser // that of ReadResponse, which knows where the body ends
	ctx           context.Context
	pool          *plain
	left          int64 // octets still to come; negative: not known

	mu   sync.Mutex // Close may come while a Read waits
	conn *plainConn
	r    *bufio.Reader
	stop func() bool // ends the watch on the context
	keep bool        // the connection may serve another request
	over error       // what every further Read gives
}

func (b *plainBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	over := b.over
	b.mu.Unlock()
	if over != nil {
		return 0, over
	}
	n, err := b.ReadCloser.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	if err != nil {
		if err != io.EOF && b.ctx.Err() != nil {
			err = context.Cause(b.ctx)
		}
		b.end(err)
	}
	return n, err
}

// end gives the connection back, or closes it where something of the body is
// left, as why says, or nothing else is to be expected of it.
func (b *plainBody) end(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over != nil {
		return
	}
	b.over = why
	watched := b.stop()
	if why != io.EOF || !watched || !b.keep || b.r.Buffered() > 0 {
		b.pool.drop(b.conn) // and leave the buffer to a Read that may be waiting
		return
	}
	b.pool.letGo(b.r)
	b.pool.put(b.conn)
}

// Close closes the connection where the body was not read to its end.
func (b *plainBody) Close() error {
	b.end(http.ErrBodyReadAfterClose)
	return nil
}

// leastRaw is the size from which an object is worth its connection: what is
// taken from the socket itself may leave it in a state for large objects alone.
const leastRaw = 1 << 20

// Raw gives the socket, once what was read of the object with its header has
// been taken by Read: the octets of a large object then go to their file within
// the system.
func (b *plainBody) Raw() (io.Reader, func(int64) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over != nil || b.left < leastRaw && b.keep || b.left <= 0 || b.r.Buffered() > 0 {
		return nil, nil
	}
	socket, ok := b.conn.Conn.(*net.TCPConn)
	if !ok {
		return nil, nil
	}
	b.keep = false
	left := b.left
	return socket, func(moved int64) error {
		b.end(io.EOF)
		if moved < left {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
}

// Left is how many octets the object still has.
func (b *plainBody) Left() int64 { return b.left }

// get gives a connection to an address: one that waits, unless a fresh one is
// wanted, or a new one. Where there may be no more, it waits for one.
func (p *plain) get(ctx context.Context, address string, perHost int, fresh bool) (*plainConn, error) {
	h, c, turn := p.find(address, perHost, fresh)
	if turn != nil {
		select {
		case c = <-turn:
		case <-ctx.Done():
			p.leave(h, turn)
			return nil, context.Cause(ctx)
		}
	}
	if c != nil && !fresh && alive(c.Conn) {
		return c, nil
	}
	if c != nil {
		c.Close() // a new one takes its place
	}
	conn, err := p.dial(ctx, "tcp", address)
	if err != nil {
		p.gone(h)
		return nil, err
	}
	return &plainConn{Conn: conn, host: h}, nil
}

// find gives a connection that waits, a turn to wait for, or neither: then one
// may be opened.
func (p *plain) find(address string, perHost int, fresh bool) (h *plainHost, c *plainConn, turn chan *plainConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = false
	h = p.hosts[address]
	if h == nil {
		h = &plainHost{address: address}
		p.hosts[address] = h
	}
	if n := len(h.idle); n > 0 {
		c = h.idle[n-1] // the one that waited least is the likeliest to be there still
		p.unkeep(c)
		return h, c, nil
	}
	if perHost > 0 && h.open >= perHost {
		turn = make(chan *plainConn, 1)
		h.waiting = append(h.waiting, turn)
		return h, nil, turn
	}
	h.open++
	return h, nil, nil
}

// leave gives up waiting.
func (p *plain) leave(h *plainHost, turn chan *plainConn) {
	p.mu.Lock()
	i := slices.Index(h.waiting, turn)
	if i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		return
	}
	if c := <-turn; c != nil { // it came at the same time
		p.put(c)
	} else {
		p.gone(h)
	}
}

// put keeps a connection for the next request.
func (p *plain) put(c *plainConn) {
	c.used = true
	p.mu.Lock()
	defer p.mu.Unlock()
	h := c.host
	if len(h.waiting) > 0 {
		h.waiting[0] <- c
		h.waiting = h.waiting[1:]
		return
	}
	if p.shut || len(h.idle) >= keptPerHost {
		p.close(c)
		return
	}
	c.since = time.Now()
	h.idle = append(h.idle, c)
	c.prev = p.newest
	if p.newest != nil {
		p.newest.next = c
	} else {
		p.oldest = c
	}
	p.newest = c
	p.kept++
	if p.kept > keptInAll {
		first := p.oldest
		p.unkeep(first)
		p.close(first)
	}
	if p.sweeper == nil {
		p.sweeper = time.AfterFunc(keptFor, p.sweep)
	}
}

// drop closes a connection that was in use.
func (p *plain) drop(c *plainConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close(c)
}

// close closes a connection that does not wait, with the lock held.
func (p *plain) close(c *plainConn) {
	c.Close()
	p.less(c.host)
}

// gone says that a connection was not to be had.
func (p *plain) gone(h *plainHost) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.less(h)
}

// less makes room for another connection to a host, with the lock held.
func (p *plain) less(h *plainHost) {
	if len(h.waiting) > 0 {
		h.waiting[0] <- nil
		h.waiting = h.waiting[1:]
		return
	}
	if h.open--; h.open == 0 {
		delete(p.hosts, h.address)
	}
}

// unkeep takes a connection from those that wait, with the lock held.
func (p *plain) unkeep(c *plainConn) {
	h := c.host
	i := slices.Index(h.idle, c)
	h.idle = slices.Delete(h.idle, i, i+1)
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		p.oldest = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		p.newest = c.prev
	}
	c.prev, c.next = nil, nil
	p.kept--
}

// sweep closes what has waited for too long.
func (p *plain) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for p.oldest != nil && now.Sub(p.oldest.since) >= keptFor {
		c := p.oldest
		p.unkeep(c)
		p.close(c)
	}
	if p.oldest == nil {
		p.sweeper = nil
		return
	}
	p.sweeper.Reset(keptFor - now.Sub(p.oldest.since))
}

// Close closes the connections that wait, and those in use once they are done.
func (p *plain) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = true
	for p.oldest != nil {
		c := p.oldest
		p.unkeep(c)
		p.close(c)
	}
	if p.sweeper != nil {
		p.sweeper.Stop()
		p.sweeper = nil
	}
}
