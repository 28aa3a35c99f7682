package demo

import (
	"context"
	"net"
	"time"
)

// The octets of telnet's own commands (RFC 854).
const (
	telnetSE   = 240
	telnetSB   = 250
	telnetWill = 251
	telnetDont = 254
	telnetIAC  = 255
)

// serveTelnet talks to whoever connects, as RFC 854 says, at a terminal that
// echoes and edits its lines by itself: every option is refused.
func serveTelnet(ctx context.Context, l net.Listener) {
	accept(ctx, l, func(conn net.Conn) {
		conn.SetDeadline(time.Now().Add(patience))
		converse(conn, readLines(&telnetConn{Conn: conn}).next)
	})
}

// A telnetConn takes telnet's commands out of what a client sends, and refuses
// what they offer or ask for.
type telnetConn struct {
	net.Conn
	state byte // what the last octet was, where it was part of a command
	sub   bool // within a subnegotiation, which is passed over
}

func (c *telnetConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		kept := 0
		for _, b := range p[:n] {
			if c.plain(b) {
				p[kept] = b
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

// plain reports whether an octet is the client's text.
func (c *telnetConn) plain(b byte) bool {
	state := c.state
	c.state = 0
	switch {
	case state >= telnetWill && state <= telnetDont:
		// WILL and DO are answered by DONT and WONT; their opposites need nothing.
		switch state {
		case telnetWill:
			c.Conn.Write([]byte{telnetIAC, telnetDont, b})
		case telnetWill + 2: // DO
			c.Conn.Write([]byte{telnetIAC, telnetWill + 1, b})
		}
		return false
	case state == telnetIAC:
		switch {
		case b == telnetSB:
			c.sub = true
		case b == telnetSE:
			c.sub = false
		case b >= telnetWill && b <= telnetDont:
			c.state = b
		case b == telnetIAC:
			return !c.sub
		}
		return false
	case b == telnetIAC:
		c.state = b
		return false
	}
	return !c.sub
}
