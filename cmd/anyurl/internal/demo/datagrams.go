package demo

import (
	"context"
	"errors"
	"net"
)

// datagrams hands each datagram to answer, one after the other, until ctx ends.
// An empty one says nothing and is passed over.
func datagrams(ctx context.Context, conn net.PacketConn, answer func(datagram []byte, from net.Addr)) {
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	b := make([]byte, 1<<16)
	for {
		n, from, err := conn.ReadFrom(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil && n > 0 {
			answer(append([]byte(nil), b[:n]...), from)
		}
	}
}
