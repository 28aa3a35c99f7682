package transcript

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// PacketPipe returns the two ends of a connected pair of UDP sockets in
// memory, at the addresses a and b: each Write is one datagram, and so is each
// Read, which cuts what does not fit. None is lost or moved; a test that wants
// that meddles in between. What is sent to an end that is closed is gone, and
// the next Read of the sender is refused, as it is on a machine where nobody
// listens.
func PacketPipe(a, b netip.AddrPort) (net.Conn, net.Conn) {
	x := &packetEnd{local: net.UDPAddrFromAddrPort(a), remote: net.UDPAddrFromAddrPort(b)}
	y := &packetEnd{local: net.UDPAddrFromAddrPort(b), remote: net.UDPAddrFromAddrPort(a)}
	x.wake, y.wake = sync.NewCond(&x.mu), sync.NewCond(&y.mu)
	x.peer, y.peer = y, x
	return x, y
}

// packetQueue is how many datagrams may wait; a sender waits for room, so that
// one that sends without end uses up no memory.
const packetQueue = 256

// A packetEnd is one end of a PacketPipe. Its lock guards what it receives.
type packetEnd struct {
	local, remote net.Addr
	peer          *packetEnd

	mu      sync.Mutex
	wake    *sync.Cond
	queue   [][]byte
	refused bool // what was sent last met nobody
	closed  atomic.Bool
	read    deadline
	write   deadline // of those who send to this end
}

func (e *packetEnd) fault(op string, err error) error {
	return &net.OpError{Op: op, Net: "udp", Source: e.local, Addr: e.remote, Err: err}
}

func (e *packetEnd) Read(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch {
		case e.closed.Load():
			return 0, e.fault("read", net.ErrClosed)
		case e.read.passed:
			return 0, e.fault("read", os.ErrDeadlineExceeded)
		case len(p) == 0:
			return 0, nil
		case len(e.queue) > 0:
			n := copy(p, e.queue[0])
			e.queue = e.queue[1:]
			e.wake.Broadcast()
			return n, nil
		case e.refused:
			e.refused = false
			return 0, e.fault("read", syscall.ECONNREFUSED)
		}
		e.wake.Wait()
	}
}

func (e *packetEnd) Write(p []byte) (int, error) {
	to := e.peer
	to.mu.Lock()
	for len(to.queue) >= packetQueue && !to.closed.Load() && !to.write.passed && !e.closed.Load() {
		to.wake.Wait()
	}
	late, gone := to.write.passed, to.closed.Load()
	if !late && !gone && !e.closed.Load() {
		to.queue = append(to.queue, append([]byte(nil), p...))
		to.wake.Broadcast()
	}
	to.mu.Unlock()
	switch {
	case e.closed.Load():
		return 0, e.fault("write", net.ErrClosed)
	case late:
		return 0, e.fault("write", os.ErrDeadlineExceeded)
	case gone:
		e.mu.Lock()
		e.refused = true
		e.wake.Broadcast()
		e.mu.Unlock()
	}
	return len(p), nil
}

func (e *packetEnd) Close() error {
	if e.closed.Swap(true) {
		return e.fault("close", net.ErrClosed)
	}
	e.SetDeadline(time.Time{}) // wakes whoever waits, on both ends, and stops the timers
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queue = nil
	return nil
}

func (e *packetEnd) LocalAddr() net.Addr  { return e.local }
func (e *packetEnd) RemoteAddr() net.Addr { return e.remote }

func (e *packetEnd) SetDeadline(t time.Time) error {
	e.SetReadDeadline(t)
	return e.SetWriteDeadline(t)
}

func (e *packetEnd) SetReadDeadline(t time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.read.set(&e.mu, e.wake, t)
	return nil
}

func (e *packetEnd) SetWriteDeadline(t time.Time) error {
	e.peer.mu.Lock()
	defer e.peer.mu.Unlock()
	e.peer.write.set(&e.peer.mu, e.peer.wake, t)
	return nil
}
