package demo

import (
	"context"
	"fmt"
	"net"
	"strings"
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
		fmt.Fprint(conn, "\x1b[1;32mA small service\x1b[0m on loopback. It knows three words: help, time, bye.\r\n\r\n> ")
		in := readLines(&telnetConn{Conn: conn})
		for {
			line, ok := in.next()
			if !ok {
				return
			}
			switch word := strings.ToLower(strings.Trim(line, "\x00 ")); word {
			case "":
			case "help":
				fmt.Fprint(conn, "help, time, bye. Whatever else you say comes back to you.\r\n")
			case "time":
				fmt.Fprintf(conn, "It is %s here.\r\n", time.Now().Format("15:04"))
			case "bye", "quit", "exit":
				fmt.Fprint(conn, "Goodbye.\r\n")
				return
			default:
				fmt.Fprintf(conn, "You said: %s\r\n", oneLine(line))
			}
			fmt.Fprint(conn, "> ")
		}
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
