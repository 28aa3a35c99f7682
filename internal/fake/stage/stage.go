// Package stage puts servers on a network in memory and a fetch.Client before
// them, so that a test sees a protocol as those do who open URLs. It belongs in
// a synctest bubble: time there passes when everybody waits, so a retry after
// minutes costs nothing, and a goroutine that is left behind fails the test.
// Start with [New].
package stage

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
)

// A Stage is a network, the servers on it, and a client.
type Stage struct {
	// Client opens URLs on the stage. The test sets what it speaks before it is
	// first used.
	Client fetch.Client
	// Dialer is what transports connect through.
	Dialer dial.Dialer

	t       testing.TB
	network transcript.Network
	hosts   map[string]netip.Addr
	done    sync.WaitGroup

	mu    sync.Mutex
	open  []interface{ Close() error }
	ended bool
}

// New sets up an empty stage. Everything on it has ended when the test has.
func New(t testing.TB) *Stage {
	s := &Stage{t: t, hosts: map[string]netip.Addr{}}
	s.Dialer = dial.Dialer{Resolver: s, Connect: s.network.Dial}
	s.Client.AllowPort = func(string, uint16) bool { return true }
	t.Cleanup(s.end)
	return s
}

// Serve has serve answer every connection to a port of a host; over UDP that is
// the other end of one socket's datagrams. The connection is closed when serve
// returns.
func (s *Stage) Serve(host string, port uint16, serve func(net.Conn)) {
	s.t.Helper()
	if _, known := s.hosts[host]; !known {
		s.hosts[host] = netip.AddrFrom4([4]byte{192, 0, 2, byte(len(s.hosts) + 1)})
	}
	l, err := s.network.Listen(netip.AddrPortFrom(s.hosts[host], port))
	if err != nil {
		s.t.Fatal(err)
	}
	s.keep(l)
	s.done.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.keep(conn)
			s.done.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
}

// Addr is the address of a host that serves.
func (s *Stage) Addr(host string) netip.Addr { return s.hosts[host] }

// Dialled is how many connections have been asked for.
func (s *Stage) Dialled() int { return len(s.network.Dialled()) }

// LookupNetIP knows the hosts that serve.
func (s *Stage) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if a, ok := s.hosts[host]; ok {
		return []netip.Addr{a}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func (s *Stage) keep(c interface{ Close() error }) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		c.Close()
		return
	}
	s.open = append(s.open, c)
}

func (s *Stage) end() {
	s.Client.Close()
	s.mu.Lock()
	s.ended = true
	open := s.open
	s.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
	s.done.Wait()
}
