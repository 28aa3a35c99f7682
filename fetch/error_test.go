package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
)

// TestVeil: what a server says again of a login is not shown, nor traced.
func TestVeil(t *testing.T) {
	refuses := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		req.Trace(fetch.Event{Kind: '<', Text: "no, joe:p%ss is am9lOnAlc3M="})
		return nil, &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Said: "no p%ss here", Err: errors.New("530 p%ss")}
	})
	c := &fetch.Client{Transports: map[string]fetch.Transport{"ftp": refuses}}
	for _, req := range []*fetch.Request{
		{URL: anyurl.MustParse("ftp://joe:p%25ss@h.example/")},
		{URL: anyurl.MustParse("ftp://h.example/"), Auth: &fetch.Auth{User: "joe", Password: "p%ss"}},
	} {
		var heard string
		req.Trace = func(e fetch.Event) { heard += e.Text }
		_, err := c.Do(t.Context(), req)
		e, ok := errors.AsType[*fetch.Error](err)
		if !ok || e.Said != "no *** here" || heard != "no, joe:*** is ***" || e.Err.Error() != "530 ***" || !errors.Is(err, fetch.ErrDenied) {
			t.Errorf("%v, heard %q", err, heard)
		}
	}
}

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
