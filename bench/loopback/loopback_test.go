package loopback

import (
	"net"
	"testing"
)

func TestListen(t *testing.T) {
	l, err := Listen(300)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, n := range []int{0, 249, 250, 299} {
		conn, err := net.Dial("tcp", net.JoinHostPort(Host(n).String(), port))
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Accept()
		if err != nil || got.RemoteAddr().String() != conn.LocalAddr().String() {
			t.Errorf("host %d: %v", n, err)
		}
		conn.Close()
		got.Close()
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("it listens on")
	}
	if Host(250).String() != "127.0.2.1" {
		t.Error(Host(250))
	}
}
