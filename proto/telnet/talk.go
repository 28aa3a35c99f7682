package telnet

import (
	"context"
	"io"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	telneturl "anyurl/scheme/telnet"
)

// Talk opens the session that a telnet URL names, for a person at a terminal of
// that name and size: what is read is what the host writes, what is written is
// what the person types. Negotiation is done within, by the rules of RFC 1143.
// The user name of the URL is not sent. Errors are *[fetch.Error]; the session
// ends with ctx.
func Talk(ctx context.Context, d *dial.Dialer, u anyurl.URL, terminal string, columns, rows int) (io.ReadWriteCloser, error) {
	ref, err := telneturl.Read(u)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if ref.Scheme != "telnet" {
		return nil, &fetch.Error{Step: fetch.Asking, URL: u, Kind: fetch.ErrUnsupported, Hint: "telnet URLs can be talked to"}
	}
	conn, err := d.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	stop := wire.Watch(ctx, conn)
	c := NewConn(conn, Terminal{Name: terminal, Ours: []byte{Binary, SuppressGA, WindowSize}, Theirs: []byte{Binary, Echo, SuppressGA},
		Size: func() (uint16, uint16) { return uint16(columns), uint16(rows) }})
	return &talk{c, stop}, nil
}

// A talk is a session that ends with its context.
type talk struct {
	*Conn
	stop func() bool
}

func (t *talk) Close() error {
	t.stop()
	return t.Conn.Close()
}
