package dial_test

import (
	"errors"
	"io"
	"net"
	"path/filepath"
	"testing"

	"anyurl/dial"
)

func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	conn, err := dial.Socket(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got, err := io.ReadAll(conn); string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_, err = dial.Socket(t.Context(), path+"none")
	var e *dial.Error
	if !errors.As(err, &e) || e.Step != dial.Connecting {
		t.Errorf("%v", err)
	}
}
