package dial

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// Associate is [Dialer.Dial] over UDP for protocols whose servers answer from
// another port than they are asked at, as TFTP's do (RFC 1350, section 4). What
// it gives sends to address until an answer comes, and from then on to where
// that came from. It hears nobody but the host that was vetted, at any port
// until the first answer and at that one port then.
func (d *Dialer) Associate(ctx context.Context, network, address string) (net.Conn, netip.AddrPort, error) {
	return d.dial(ctx, network, address, associate)
}

func associate(_ context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	// The port is any, and the address that of the family the host has.
	network = strings.TrimRight(network, "46") + "4"
	if addr.Addr().Is6() {
		network = strings.TrimRight(network, "46") + "6"
	}
	conn, err := net.ListenUDP(network, nil)
	if err != nil {
		return nil, err
	}
	return &association{UDPConn: conn, peer: addr}, nil
}

// An association is a socket that belongs to one host.
type association struct {
	*net.UDPConn
	mu    sync.Mutex
	peer  netip.AddrPort
	heard bool // peer is where an answer came from
}

// Read reads one datagram of the host.
func (a *association) Read(p []byte) (int, error) {
	for {
		n, from, err := a.ReadFromUDPAddrPort(p)
		if err != nil {
			return n, err
		}
		from = netip.AddrPortFrom(from.Addr().Unmap().WithZone(""), from.Port())
		a.mu.Lock()
		ours := from == a.peer || !a.heard && from.Addr() == a.peer.Addr()
		if ours {
			a.peer, a.heard = from, true
		}
		a.mu.Unlock()
		if ours {
			return n, nil
		}
	}
}

// Write sends one datagram to the host.
func (a *association) Write(p []byte) (int, error) {
	return a.WriteToUDPAddrPort(p, a.at())
}

func (a *association) at() netip.AddrPort {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.peer
}

// RemoteAddr is where the next datagram goes.
func (a *association) RemoteAddr() net.Addr { return net.UDPAddrFromAddrPort(a.at()) }
