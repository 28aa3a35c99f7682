package dial_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"anyurl/dial"
	"anyurl/internal/transcript"
	"anyurl/ipclass"
)

// names is a resolver with fixed answers; each look-up takes the next one.
type names struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   []string
}

func (n *names) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, network+" "+host)
	all, ok := n.answers[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, a := range all[0] {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	if len(all) > 1 {
		n.answers[host] = all[1:]
	}
	return addrs, nil
}

func ExampleDialer() {
	d := dial.Dialer{
		Resolver: &names{answers: map[string][][]string{"inside.example": {{"10.0.0.1"}}}},
		Allow:    dial.Guard,
	}
	_, err := d.DialContext(context.Background(), "tcp", "inside.example:80")
	var refused *dial.Refused
	fmt.Println(err)
	fmt.Println(errors.As(err, &refused), refused.Class)
	// Output:
	// connecting "inside.example:80": the guard refuses 10.0.0.1, which is a private address
	// true private
}

func TestGuard(t *testing.T) {
	for _, tt := range []struct {
		addr string
		want ipclass.Class // Public: allowed
	}{
		{"8.8.8.8", ipclass.Public},
		{"2606:4700::1111", ipclass.Public},
		{"127.0.0.1", ipclass.Loopback},
		{"0.5.5.5", ipclass.Unspecified},
		{"10.0.0.1", ipclass.Private},
		{"100.64.1.1", ipclass.CGNAT},
		{"169.254.169.254", ipclass.Metadata},
		{"::1", ipclass.Loopback},
		{"fd00::1", ipclass.Private},
		{"fe80::1", ipclass.LinkLocal},
		{"255.255.255.255", ipclass.Broadcast},
		{"224.0.0.1", ipclass.Multicast},
	} {
		err := dial.Guard("h.example", netip.AddrPortFrom(netip.MustParseAddr(tt.addr), 80))
		var refused *dial.Refused
		if errors.As(err, &refused) == tt.want.Public() {
			t.Errorf("%s: %v", tt.addr, err)
		} else if refused != nil && refused.Class != tt.want {
			// 0.0.0.0/8 is "this network": which word it gets is ipclass's to say.
			if tt.addr != "0.5.5.5" {
				t.Errorf("%s: refused as %v, want %v", tt.addr, refused.Class, tt.want)
			}
		}
	}
	// IPv4 inside IPv6 is no way round.
	for _, a := range []string{"::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::"} {
		if dial.Guard("h.example", netip.AddrPortFrom(netip.MustParseAddr(a), 80)) == nil {
			t.Errorf("%s is allowed", a)
		}
	}
}

// attempts records connections; addresses in refuse fail, those in silent
// never answer.
type attempts struct {
	mu     sync.Mutex
	to     []string
	refuse []string
	silent []string
	opened int
	closed int
}

func (a *attempts) connect(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
	a.mu.Lock()
	a.to = append(a.to, addr.String())
	a.mu.Unlock()
	switch {
	case slices.Contains(a.refuse, addr.String()):
		return nil, &net.OpError{Op: "dial", Net: network, Addr: net.TCPAddrFromAddrPort(addr), Err: syscall.ECONNREFUSED}
	case slices.Contains(a.silent, addr.String()):
		<-ctx.Done()
		return nil, ctx.Err()
	}
	x, y := transcript.Pipe(netip.MustParseAddrPort("192.0.2.9:1"), addr)
	y.Close()
	a.mu.Lock()
	a.opened++
	a.mu.Unlock()
	return &counted{x, a}, nil
}

type counted struct {
	net.Conn
	of *attempts
}

func (c *counted) Close() error {
	c.of.mu.Lock()
	c.of.closed++
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// public stands for Guard with the few addresses of these tests.
func public(host string, ap netip.AddrPort) error { return dial.Guard(host, ap) }

func TestDial(t *testing.T) {
	for _, tt := range []struct {
		name    string
		address string
		answers map[string][][]string
		refuse  []string
		silent  []string
		to      []string // what is dialled, in order
		at      string   // the connection's address; "" for an error
		step    string
		took    time.Duration
	}{
		{name: "an address", address: "8.8.8.8:80", to: []string{"8.8.8.8:80"}, at: "8.8.8.8:80"},
		{name: "an IPv6 address", address: "[2606:4700::1111]:80", to: []string{"[2606:4700::1111]:80"}, at: "[2606:4700::1111]:80"},
		{name: "a mapped address is the IPv4 address", address: "[::ffff:8.8.8.8]:80", to: []string{"8.8.8.8:80"}, at: "8.8.8.8:80"},
		{name: "a mapped loopback", address: "[::ffff:127.0.0.1]:80", step: "connecting"},
		{name: "a name", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8"}}},
			to: []string{"8.8.8.8:70"}, at: "8.8.8.8:70"},
		{name: "one look-up decides", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8"}, {"127.0.0.1"}}},
			to: []string{"8.8.8.8:70"}, at: "8.8.8.8:70"},
		{name: "a refused address is no fallback", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8", "127.0.0.1"}}},
			refuse: []string{"8.8.8.8:70"}, to: []string{"8.8.8.8:70"}, step: "connecting"},
		{name: "every address is classified", address: "a.test:70", answers: map[string][][]string{"a.test": {{"10.0.0.1", "10.0.0.2", "8.8.8.8"}}},
			to: []string{"8.8.8.8:70"}, at: "8.8.8.8:70"},
		{name: "the next address after a refusal", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8", "9.9.9.9"}}},
			refuse: []string{"8.8.8.8:70"}, to: []string{"8.8.8.8:70", "9.9.9.9:70"}, at: "9.9.9.9:70"},
		{name: "families alternate", address: "a.test:70", answers: map[string][][]string{"a.test": {{"2606:4700::1", "2606:4700::2", "8.8.8.8"}}},
			refuse: []string{"[2606:4700::1]:70", "8.8.8.8:70"}, to: []string{"[2606:4700::1]:70", "8.8.8.8:70", "[2606:4700::2]:70"}, at: "[2606:4700::2]:70"},
		{name: "silence lets the next begin", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8", "9.9.9.9"}}},
			silent: []string{"8.8.8.8:70"}, to: []string{"8.8.8.8:70", "9.9.9.9:70"}, at: "9.9.9.9:70", took: 250 * time.Millisecond},
		{name: "the same address twice", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8", "::ffff:8.8.8.8"}}},
			refuse: []string{"8.8.8.8:70"}, to: []string{"8.8.8.8:70"}, step: "connecting"},
		{name: "all silent", address: "a.test:70", answers: map[string][][]string{"a.test": {{"8.8.8.8", "9.9.9.9"}}},
			silent: []string{"8.8.8.8:70", "9.9.9.9:70"}, to: []string{"8.8.8.8:70", "9.9.9.9:70"}, step: "connecting", took: dial.DefaultTimeout},
		{name: "no such name", address: "b.test:70", step: "resolving"},
		{name: "a name without an address", address: "a.test:70", answers: map[string][][]string{"a.test": {{}}}, step: "resolving"},
		{name: "no host", address: ":70", step: "resolving"},
		{name: "no port", address: "8.8.8.8:0", step: "resolving"},
		{name: "a service name is no port", address: "8.8.8.8:http", step: "resolving"},
		{name: "a zone", address: "[fe80::1%eth0]:70", step: "resolving"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &attempts{refuse: tt.refuse, silent: tt.silent}
				r := &names{answers: tt.answers}
				d := dial.Dialer{Resolver: r, Allow: public, Connect: a.connect}
				start := time.Now()
				conn, at, err := d.Dial(t.Context(), "tcp", tt.address)
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				synctest.Wait()
				if !slices.Equal(a.to, tt.to) {
					t.Errorf("dialled %q, want %q", a.to, tt.to)
				}
				if len(r.asked) > 1 {
					t.Errorf("looked up %q", r.asked)
				}
				if tt.step != "" {
					var e *dial.Error
					if !errors.As(err, &e) || e.Step != tt.step {
						t.Errorf("got %v, want an error while %s", err, tt.step)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if at.String() != tt.at || conn.RemoteAddr().String() != tt.at {
					t.Errorf("connected to %v (%v), want %s", at, conn.RemoteAddr(), tt.at)
				}
				conn.Close()
				if a.opened != a.closed {
					t.Errorf("%d connections opened, %d closed", a.opened, a.closed)
				}
			})
		})
	}
}

func TestAllowSeesOneName(t *testing.T) {
	for _, address := range []string{"a.test:80", "A.TEST:80", "a.test.:80"} {
		var saw string
		d := dial.Dialer{
			Resolver: &names{answers: map[string][][]string{"a.test": {{"8.8.8.8"}}, "A.TEST": {{"8.8.8.8"}}, "a.test.": {{"8.8.8.8"}}}},
			Allow:    func(host string, _ netip.AddrPort) error { saw = host; return nil },
			Connect:  (&attempts{}).connect,
		}
		conn, err := d.DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if saw != "a.test" {
			t.Errorf("%s: Allow saw %q", address, saw)
		}
	}
}

func TestFamily(t *testing.T) {
	for network, want := range map[string]string{"tcp": "ip a.test", "tcp4": "ip4 a.test", "udp6": "ip6 a.test", "udp": "ip a.test"} {
		r := &names{answers: map[string][][]string{"a.test": {{"8.8.8.8"}}}}
		d := dial.Dialer{Resolver: r, Connect: (&attempts{}).connect}
		if conn, err := d.DialContext(t.Context(), network, "a.test:1"); err != nil {
			t.Error(err)
		} else {
			conn.Close()
		}
		if len(r.asked) != 1 || r.asked[0] != want {
			t.Errorf("%s asks for %q, want %q", network, r.asked, want)
		}
	}
}

// A datagram's way is vetted as a connection's is: one look-up, the guard, and a
// socket that hears nobody but that address.
func TestUDP(t *testing.T) {
	r := &names{answers: map[string][][]string{"a.test": {{"10.0.0.1", "8.8.8.8"}, {"127.0.0.1"}}}}
	a := &attempts{}
	d := dial.Dialer{Resolver: r, Allow: dial.Guard, Connect: a.connect}
	if conn, at, err := d.Dial(t.Context(), "udp", "a.test:1525"); err != nil || at.String() != "8.8.8.8:1525" {
		t.Errorf("%v, %v", at, err)
	} else {
		conn.Close()
	}
	var refused *dial.Refused
	if _, err := d.DialContext(t.Context(), "udp", "a.test:1525"); !errors.As(err, &refused) || !slices.Equal(a.to, []string{"8.8.8.8:1525"}) || len(r.asked) != 2 {
		t.Errorf("%v after %v and %v", err, a.to, r.asked)
	}
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	conn, err := (&dial.Dialer{}).DialContext(t.Context(), "udp", server.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if conn.RemoteAddr().String() != server.LocalAddr().String() {
		t.Errorf("connected to %v", conn.RemoteAddr())
	}
	stranger, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	stranger.WriteTo([]byte("stranger"), conn.LocalAddr())
	server.WriteTo([]byte("server"), conn.LocalAddr())
	b := make([]byte, 16)
	if n, err := conn.Read(b); err != nil || string(b[:n]) != "server" {
		t.Errorf("heard %q, %v", b[:n], err)
	}
}

func TestCancelAndTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &attempts{silent: []string{"8.8.8.8:1"}}
		d := dial.Dialer{Connect: a.connect}
		start := time.Now()
		_, err := d.DialContext(dial.WithTimeout(t.Context(), time.Second), "tcp", "8.8.8.8:1")
		if !errors.Is(err, dial.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		time.AfterFunc(time.Second, func() { cancel(why) })
		if _, err := d.DialContext(ctx, "tcp", "8.8.8.8:1"); !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
	})
}
