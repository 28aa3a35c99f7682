package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Network is a small internet in memory: its Listen and Dial behave as TCP
// on one machine does, with buffers, deadlines and half-closed connections,
// but touch no socket, so tests inside a synctest bubble may use it. The zero
// value is ready.
type Network struct {
	mu        sync.Mutex
	listeners map[netip.AddrPort]*listener
	next      uint16
	dialled   []netip.AddrPort
}

// Listen opens a listener at addr; port 0 is any free one.
func (n *Network) Listen(addr netip.AddrPort) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if addr.Port() == 0 {
		n.next++
		addr = netip.AddrPortFrom(addr.Addr(), 40000+n.next)
	}
	if n.listeners[addr] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE}
	}
	if n.listeners == nil {
		n.listeners = map[netip.AddrPort]*listener{}
	}
	l := &listener{network: n, addr: addr, queue: make(chan net.Conn, 64), closed: make(chan struct{})}
	n.listeners[addr] = l
	return l, nil
}

// Dial connects to a listener; for the network "udp" what it gives and what
// Accept gives are the ends of a [PacketPipe]. An address nobody listens at
// refuses.
func (n *Network) Dial(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dialled = append(n.dialled, addr)
	l := n.listeners[addr]
	if l == nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	n.next++
	pipe := Pipe
	if strings.HasPrefix(network, "udp") {
		pipe = PacketPipe
	}
	ours, theirs := pipe(netip.AddrPortFrom(addr.Addr(), 10000+n.next), addr)
	select {
	case l.queue <- theirs:
		return ours, nil
	default:
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
}

// Dialled returns every address that Dial was asked for, in order.
func (n *Network) Dialled() []netip.AddrPort {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]netip.AddrPort(nil), n.dialled...)
}

type listener struct {
	network *Network
	addr    netip.AddrPort
	queue   chan net.Conn
	once    sync.Once
	closed  chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, net.ErrClosed
	case c := <-l.queue:
		return c, nil
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		l.network.mu.Lock()
		delete(l.network.listeners, l.addr)
		l.network.mu.Unlock()
		close(l.closed)
		for {
			select {
			case c := <-l.queue:
				c.Close()
			default:
				return
			}
		}
	})
	return nil
}

func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.addr) }

// Pipe returns the two ends of a connection in memory, at the addresses a and
// b. Unlike net.Pipe it has buffers, so both ends may write first.
func Pipe(a, b netip.AddrPort) (net.Conn, net.Conn) {
	ab, ba := newStream(), newStream()
	x := &end{in: ba, out: ab, local: net.TCPAddrFromAddrPort(a), remote: net.TCPAddrFromAddrPort(b)}
	y := &end{in: ab, out: ba, local: net.TCPAddrFromAddrPort(b), remote: net.TCPAddrFromAddrPort(a)}
	return x, y
}

// window is how many octets may be under way in one direction.
const window = 64 << 10

// A stream is one direction of a connection.
type stream struct {
	mu   sync.Mutex
	wake *sync.Cond
	buf  []byte
	err  error // the writer's end: io.EOF or a reset; read after buf
	gone bool  // the reader's end is closed
	read deadline
	wrt  deadline
}

func newStream() *stream {
	s := &stream{}
	s.wake = sync.NewCond(&s.mu)
	return s
}

// A deadline wakes its stream when it passes.
type deadline struct {
	timer  *time.Timer
	passed bool
}

func (s *stream) set(d *deadline, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.set(&s.mu, s.wake, t)
}

// set has the deadline pass at t; the zero time is never. mu, which guards d,
// is held, and wake is told.
func (d *deadline) set(mu *sync.Mutex, wake *sync.Cond, t time.Time) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.passed = false
	switch left := time.Until(t); {
	case t.IsZero():
	case left <= 0:
		d.passed = true
	default:
		var timer *time.Timer
		timer = time.AfterFunc(left, func() {
			mu.Lock()
			defer mu.Unlock()
			if d.timer == timer {
				d.passed = true
				wake.Broadcast()
			}
		})
		d.timer = timer
	}
	wake.Broadcast()
}

// An end is one end of a connection.
type end struct {
	in, out       *stream
	local, remote net.Addr
	mu            sync.Mutex
	closed        bool
}

func (e *end) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

func (e *end) fault(op string, err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return &net.OpError{Op: op, Net: "tcp", Source: e.local, Addr: e.remote, Err: err}
}

func (e *end) Read(p []byte) (int, error) {
	s := e.in
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case e.isClosed():
			return 0, e.fault("read", net.ErrClosed)
		case s.read.passed:
			return 0, e.fault("read", os.ErrDeadlineExceeded)
		case len(p) == 0:
			return 0, nil
		case len(s.buf) > 0:
			n := copy(p, s.buf)
			s.buf = s.buf[n:]
			s.wake.Broadcast()
			return n, nil
		case s.err != nil:
			return 0, e.fault("read", s.err)
		}
		s.wake.Wait()
	}
}

func (e *end) Write(p []byte) (int, error) {
	s := e.out
	s.mu.Lock()
	defer s.mu.Unlock()
	done := 0
	for {
		switch {
		case e.isClosed():
			return done, e.fault("write", net.ErrClosed)
		case s.gone:
			return done, e.fault("write", syscall.EPIPE)
		case s.err != nil:
			return done, e.fault("write", syscall.EPIPE)
		case s.wrt.passed:
			return done, e.fault("write", os.ErrDeadlineExceeded)
		case done == len(p):
			return done, nil
		case len(s.buf) < window:
			n := min(window-len(s.buf), len(p)-done)
			s.buf = append(s.buf, p[done:done+n]...)
			done += n
			s.wake.Broadcast()
			continue
		}
		s.wake.Wait()
	}
}

// CloseWrite ends what this end says and leaves it listening.
func (e *end) CloseWrite() error {
	e.finish(io.EOF)
	return nil
}

func (e *end) finish(err error) {
	s := e.out
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.wake.Broadcast()
}

func (e *end) Close() error { return e.close(io.EOF) }

// Reset closes the connection so that the other end sees it reset.
func (e *end) Reset() error {
	e.out.mu.Lock()
	e.out.buf = nil
	e.out.mu.Unlock()
	return e.close(syscall.ECONNRESET)
}

func (e *end) close(err error) error {
	e.mu.Lock()
	was := e.closed
	e.closed = true
	e.mu.Unlock()
	if was {
		return e.fault("close", net.ErrClosed)
	}
	e.finish(err)
	e.SetDeadline(time.Time{})
	s := e.in
	s.mu.Lock()
	s.gone, s.buf = true, nil
	s.wake.Broadcast()
	s.mu.Unlock()
	return nil
}

func (e *end) LocalAddr() net.Addr  { return e.local }
func (e *end) RemoteAddr() net.Addr { return e.remote }

func (e *end) SetDeadline(t time.Time) error {
	e.SetReadDeadline(t)
	return e.SetWriteDeadline(t)
}

func (e *end) SetReadDeadline(t time.Time) error {
	e.in.set(&e.in.read, t)
	return nil
}

func (e *end) SetWriteDeadline(t time.Time) error {
	e.out.set(&e.out.wrt, t)
	return nil
}

// String shows both ends, for a failing test's message.
func (e *end) String() string { return fmt.Sprintf("%v → %v", e.local, e.remote) }
