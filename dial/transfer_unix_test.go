//go:build unix

package dial_test

import (
	"context"
	"net"
	"syscall"
	"testing"

	"anyurl/dial"
)

// TestTransfer: a connection for one object is not asked whether anybody is
// there, and others are.
func TestTransfer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		alive bool
	}{
		{"kept", t.Context(), true},
		{"for one object", dial.WithTransfer(t.Context()), false},
	} {
		conn, err := new(dial.Dialer).DialContext(tt.ctx, "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		raw, err := conn.(*net.TCPConn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		var on int
		raw.Control(func(fd uintptr) { on, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_KEEPALIVE) })
		if err != nil || (on != 0) != tt.alive {
			t.Errorf("%s: SO_KEEPALIVE is %d, %v", tt.name, on, err)
		}
		conn.Close()
	}
}
