package fetch_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"anyurl/dial"
	"anyurl/fetch"
)

// TestFailHungUp: who goes away is the same to who reads and to who writes, and
// is told from a connection that never was.
func TestFailHungUp(t *testing.T) {
	broken := func(no syscall.Errno) error { return &net.OpError{Op: "write", Net: "tcp", Err: no} }
	for _, tt := range []struct {
		step string
		err  error
		want error
	}{
		{fetch.Greeting, io.EOF, fetch.ErrTruncated},
		{fetch.Greeting, broken(syscall.EPIPE), fetch.ErrTruncated},
		{fetch.Greeting, broken(syscall.ECONNRESET), fetch.ErrTruncated},
		{fetch.Body, fmt.Errorf("a line: %w", io.ErrUnexpectedEOF), fetch.ErrTruncated},
		{fetch.Body, broken(syscall.ETIMEDOUT), nil},
		{fetch.Asking, &dial.Error{Step: dial.Connecting, Host: "h.example", Err: broken(syscall.ECONNRESET)}, nil},
		{fetch.Asking, &dial.Error{Step: dial.TLS, Host: "h.example", Err: io.EOF}, nil},
	} {
		err := fetch.Fail(tt.step, tt.err)
		e, ok := errors.AsType[*fetch.Error](err)
		if !ok || e.Kind != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s, %v: the kind %v, wanted %v", tt.step, tt.err, e.Kind, tt.want)
		}
	}
}
