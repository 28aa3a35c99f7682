package mid_test

import (
	"context"
	"net"
	"net/netip"

	"anyurl/dial"
)

// pipe is a dialer whose one connection is conn, at an address that is not
// this machine's.
func pipe(conn net.Conn) *dial.Dialer {
	return &dial.Dialer{
		Resolver: elsewhere{},
		Connect:  func(context.Context, string, netip.AddrPort) (net.Conn, error) { return conn, nil },
	}
}

type elsewhere struct{}

func (elsewhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
}
