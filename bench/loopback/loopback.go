// Package loopback listens as many hosts on this machine, each with an address
// of its own in 127.0.0.0/8, and on no other address.
package loopback

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// Host is the address of the host with a number from 0 to 62,499: 127.0.1.1 and
// on, 250 in a row.
func Host(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 0, byte(1 + n/250), byte(1 + n%250)})
}

// Listen listens on one port of the first hosts.
func Listen(hosts int) (net.Listener, error) {
	var err error
	for range 20 { // the port that is free at the first may be taken at another
		var l *listener
		if l, err = listen(hosts); err == nil {
			return l, nil
		}
	}
	return nil, err
}

type listener struct {
	all   []net.Listener
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func listen(hosts int) (*listener, error) {
	l := &listener{conns: make(chan net.Conn), done: make(chan struct{})}
	port := uint16(0)
	for n := range hosts {
		one, err := net.Listen("tcp4", netip.AddrPortFrom(Host(n), port).String())
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("host %d: %w", n, err)
		}
		l.all = append(l.all, one)
		port = one.Addr().(*net.TCPAddr).AddrPort().Port()
	}
	for _, one := range l.all {
		go func() {
			for {
				conn, err := one.Accept()
				if err != nil {
					return
				}
				select {
				case l.conns <- conn:
				case <-l.done:
					conn.Close()
					return
				}
			}
		}()
	}
	return l, nil
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	var errs []error
	l.once.Do(func() {
		close(l.done)
		for _, one := range l.all {
			errs = append(errs, one.Close())
		}
	})
	return errors.Join(errs...)
}

// Addr is the first host's.
func (l *listener) Addr() net.Addr { return l.all[0].Addr() }
