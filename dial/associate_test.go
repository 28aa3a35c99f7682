package dial_test

import (
	"errors"
	"net"
	"testing"

	"anyurl/dial"
)

// An association hears its host at any port, then at the one that answered.
func TestAssociate(t *testing.T) {
	listen := func(at string) net.PacketConn {
		c, err := net.ListenPacket("udp", at)
		if err != nil {
			t.Skipf("%s: %v", at, err) // not every system has all of 127.0.0.0/8
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	wellKnown, answers, third, other := listen("127.0.0.1:0"), listen("127.0.0.1:0"), listen("127.0.0.1:0"), listen("127.0.0.2:0")
	d := dial.Dialer{}
	conn, at, err := d.Associate(t.Context(), "udp", wellKnown.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if at.String() != wellKnown.LocalAddr().String() || conn.RemoteAddr().String() != at.String() {
		t.Errorf("associated with %v, %v", at, conn.RemoteAddr())
	}
	b := make([]byte, 16)
	conn.Write([]byte("hello"))
	n, from, err := wellKnown.ReadFrom(b)
	if err != nil || string(b[:n]) != "hello" {
		t.Fatalf("%q, %v", b[:n], err)
	}
	other.WriteTo([]byte("stranger"), from.(*net.UDPAddr))
	answers.WriteTo([]byte("answer"), from)
	if n, err = conn.Read(b); err != nil || string(b[:n]) != "answer" {
		t.Errorf("heard %q, %v", b[:n], err)
	}
	third.WriteTo([]byte("third"), from)
	wellKnown.WriteTo([]byte("late"), from)
	answers.WriteTo([]byte("again"), from)
	if n, err = conn.Read(b); err != nil || string(b[:n]) != "again" {
		t.Errorf("heard %q, %v", b[:n], err)
	}
	conn.Write([]byte("thanks"))
	if n, _, err = answers.ReadFrom(b); err != nil || string(b[:n]) != "thanks" {
		t.Errorf("the answerer heard %q, %v", b[:n], err)
	}
	d.Allow = dial.Guard
	var refused *dial.Refused
	if _, _, err := d.Associate(t.Context(), "udp", wellKnown.LocalAddr().String()); !errors.As(err, &refused) {
		t.Errorf("the guard lets it pass: %v", err)
	}
}
