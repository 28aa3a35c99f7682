package demo

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"time"
)

// serveRlogin is the telnet service by another way in (RFC 1282): the client says
// two names and its terminal, each ended by NUL, and whatever they are, it is let
// in. The server echoes.
func serveRlogin(ctx context.Context, l net.Listener) {
	accept(ctx, l, func(conn net.Conn) {
		conn.SetDeadline(time.Now().Add(patience))
		r := bufio.NewReaderSize(conn, longestLine)
		for range 4 { // one NUL stands before the first name
			if _, err := r.ReadSlice(0); err != nil {
				return
			}
		}
		if _, err := conn.Write([]byte{0}); err != nil {
			return
		}
		converse(conn, func() (string, bool) { return echoed(conn, r) })
	})
}

// echoed reads a line from a client that sends each key, and shows it what it
// types.
func echoed(conn net.Conn, r *bufio.Reader) (line string, ok bool) {
	var typed []byte
	for {
		conn.SetDeadline(time.Now().Add(patience))
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return "", false
		case c == '\r' || c == '\n':
			_, err = io.WriteString(conn, "\r\n")
			return string(typed), err == nil
		case c == 3 || c == 4: // what a shell ends at
			return "", false
		case c == 8 || c == 0x7f:
			if len(typed) > 0 {
				typed = typed[:len(typed)-1]
				_, err = io.WriteString(conn, "\b \b")
			}
		case c >= ' ' && len(typed) < longestLine:
			typed = append(typed, c)
			_, err = conn.Write([]byte{c})
		}
		if err != nil {
			return "", false
		}
	}
}

// converse is what the service says to each line.
func converse(conn io.Writer, next func() (line string, ok bool)) {
	io.WriteString(conn, "\x1b[1;32mA small service\x1b[0m on loopback. It knows three words: help, time, bye.\r\n\r\n> ")
	for {
		line, ok := next()
		if !ok {
			return
		}
		say := ""
		switch word := strings.ToLower(strings.Trim(line, "\x00 ")); word {
		case "":
		case "help":
			say = "help, time, bye. Whatever else you say comes back to you.\r\n"
		case "time":
			say = "It is " + time.Now().Format("15:04") + " here.\r\n"
		case "bye", "quit", "exit":
			io.WriteString(conn, "Goodbye.\r\n")
			return
		default:
			say = "You said: " + oneLine(line) + "\r\n"
		}
		if _, err := io.WriteString(conn, say+"> "); err != nil {
			return
		}
	}
}
