package dial_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"anyurl/dial"
)

// TestHandshake: why there is no TLS is said in plain words.
func TestHandshake(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	go func() {
		for {
			conn, err := plain.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "220 hello\r\n")
			go func() { io.Copy(io.Discard, conn); conn.Close() }()
		}
	}()
	strange := httptest.NewUnstartedServer(nil)
	strange.StartTLS()
	defer strange.Close()
	for _, tt := range []struct{ addr, says string }{
		{plain.Addr().String(), "does not speak TLS on this port"},
		{strange.Listener.Addr().String(), "signed by nobody who is trusted here"},
	} {
		var d dial.Dialer
		conn, err := d.DialContext(t.Context(), "tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.StartTLS(t.Context(), conn, "example.com")
		var e *dial.Error
		if !errors.As(err, &e) || e.Step != dial.TLS || !strings.Contains(e.Cause(), tt.says) {
			t.Errorf("%v, want %q in it", err, tt.says)
		}
		if clear, ok := errors.AsType[tls.RecordHeaderError](err); ok != strings.Contains(tt.says, "speak") || ok && string(clear.RecordHeader[:3]) != "220" {
			t.Errorf("%v wraps %v", err, clear)
		}
	}
}
