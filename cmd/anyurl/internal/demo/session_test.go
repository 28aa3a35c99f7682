package demo_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// said sends what a client says and gives all that comes back until the server
// ends the conversation.
func said(t *testing.T, addr, say string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, say); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRlogin: RFC 1282; what is typed comes back, corrected as it is.
func TestRlogin(t *testing.T) {
	n := start(t)
	got := said(t, n.Rlogin, "\x00me\x00you\x00vt100/9600\x00hullo\x7f\x7f\x7fllo\rbye\r")
	if !strings.HasPrefix(got, "\x00\x1b[1;32mA small service") || !strings.HasSuffix(got, "> hullo\b \b\b \b\b \bllo\r\nYou said: hullo\r\n> bye\r\nGoodbye.\r\n") {
		t.Errorf("%q", got)
	}
}

// TestTN3270: RFC 1576; Enter brings the other screen, PF3 ends.
func TestTN3270(t *testing.T) {
	n := start(t)
	const into = "\xff\xfb\x18\xff\xfa\x18\x00IBM-3279-2-E\xff\xf0\xff\xfb\x19\xff\xfd\x19\xff\xfb\x00\xff\xfd\x00"
	got := said(t, n.TN3270, into+"\x7d\x40\x40\xff\xef"+"\xf3\x40\x40\xff\xef")
	const other = "\x1d\x60\xe3\xc8\xc5\x40\xd6\xe3\xc8\xc5\xd9" // THE OTHER
	if strings.Count(got, "\xf5\xc2\x11") != 2 || !strings.Contains(got, other) || !strings.HasSuffix(got, "\xff\xef") {
		t.Errorf("%q", got)
	}
	if got := said(t, n.TN3270, "\xff\xfc\x18"); !strings.HasSuffix(got, "This is a service for 3270 terminals.\r\n") {
		t.Errorf("to no terminal: %q", got)
	}
}
