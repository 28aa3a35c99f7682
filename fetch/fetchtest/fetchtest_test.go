package fetchtest_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"testing"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/wire"
)

// plain is the least transport there can be: it sends the path as a line and
// takes a length and that many octets. It shows what the suite asks.
type plain struct{ dialer *dial.Dialer }

func (p *plain) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	conn, err := p.dialer.DialContext(ctx, "tcp", req.URL.HostPort())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	stop := wire.Watch(ctx, conn)
	fail := func(err error) (*fetch.Response, error) {
		stop()
		conn.Close()
		return nil, fetch.Fail(fetch.Asking, err)
	}
	if err := wire.WriteLine(conn, req.URL.Path()); err != nil {
		return fail(err)
	}
	r := bufio.NewReader(conn)
	line, err := wire.ReadLine(r, req.Limits.MaxLine)
	if err != nil {
		return fail(err)
	}
	n := int64(0)
	for _, c := range line {
		if c < '0' || c > '9' || n > 1<<40 {
			return fail(&wire.Garbled{Line: line})
		}
		n = n*10 + int64(c-'0')
	}
	if line == "" {
		return fail(&wire.Garbled{Line: line})
	}
	return &fetch.Response{Protocol: "plain", Size: n, Body: &counted{r: r, left: n, conn: conn, stop: stop}}, nil
}

type counted struct {
	r    io.Reader
	left int64
	conn net.Conn
	stop func() bool
}

func (c *counted) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	if c.left -= int64(n); err == io.EOF && c.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *counted) Close() error {
	c.stop()
	return c.conn.Close()
}

func TestRun(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(d *dial.Dialer) fetch.Transport { return &plain{d} },
		URL:  "plain://" + fetchtest.Host + ":4711/motd",
		Want: "hello, world, and hello again\n",
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			if line, _ := bufio.NewReader(conn).ReadString('\n'); line == "/motd\r\n" {
				io.WriteString(conn, "30\r\nhello, world, and hello again\n")
			}
		},
	})
}
