package demo

import (
	"bufio"
	"context"
	"net"
	"strings"
	"time"
)

// Telnet's options and words that a 3270 needs (RFC 1576, RFC 885, RFC 1091).
const (
	telnetEOR  = 239
	telnetWont = 252
	telnetDo   = 253

	optionBinary = 0
	optionType   = 24
	optionEOR    = 25
)

// screens are shown one after the other, at each key that a terminal sends.
var screens = [...][]string{
	{"A SMALL MAINFRAME", "", "It has two screens and no work to do.", "", "Press Enter for the other one, or PF3 to leave."},
	{"THE OTHER SCREEN", "", "A screen goes over the line whole; what is typed waits for a key.", "", "Press Enter for the first one, or PF3 to leave."},
}

// serveTN3270 shows screens to a 3270 over telnet, as RFC 1576 says.
func serveTN3270(ctx context.Context, l net.Listener) {
	accept(ctx, l, func(conn net.Conn) {
		conn.SetDeadline(time.Now().Add(patience))
		r := bufio.NewReader(conn)
		conn.Write([]byte{telnetIAC, telnetDo, optionType})
		if !isTerminal(conn, r) {
			conn.Write([]byte("This is a service for 3270 terminals.\r\n"))
			return
		}
		conn.Write([]byte{telnetIAC, telnetDo, optionEOR, telnetIAC, telnetWill, optionEOR, telnetIAC, telnetDo, optionBinary, telnetIAC, telnetWill, optionBinary})
		for n := 0; ; n++ {
			conn.SetDeadline(time.Now().Add(patience))
			if _, err := conn.Write(screen(screens[n%len(screens)])); err != nil {
				return
			}
			const pf3 = 0xF3
			if key, ok := pressed(r); !ok || key == pf3 {
				return
			}
		}
	})
}

// isTerminal waits until a client has said what kind of 3270 it is, or that it
// says nothing of the kind.
func isTerminal(conn net.Conn, r *bufio.Reader) bool {
	for range longestLine {
		word, option, ok := command(r)
		switch {
		case !ok || word == telnetWont && option == optionType:
			return false
		case word == telnetWill && option == optionType:
			conn.Write([]byte{telnetIAC, telnetSB, optionType, 1, telnetIAC, telnetSE}) // SEND
		case word == telnetSB && option == optionType:
			return true
		}
	}
	return false
}

// command reads up to the next of telnet's commands, and through its
// subnegotiation; the option is 0 where it has none.
func command(r *bufio.Reader) (word, option byte, ok bool) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, 0, false
		}
		if c != telnetIAC {
			continue
		}
		if word, err = r.ReadByte(); err != nil {
			return 0, 0, false
		}
		if word < telnetSB || word == telnetIAC {
			return word, 0, true
		}
		if option, err = r.ReadByte(); err != nil {
			return 0, 0, false
		}
		if word != telnetSB {
			return word, option, true
		}
		for {
			if c, _, ok := command(r); !ok || c == telnetSE {
				return word, option, ok
			}
		}
	}
}

// pressed waits for a record of the terminal's, and gives the key that sent it:
// its first octet.
func pressed(r *bufio.Reader) (key byte, ok bool) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, false
		}
		if c != telnetIAC {
			key = c
			break
		}
		r.UnreadByte()
		if word, _, ok := command(r); !ok {
			return 0, false
		} else if word == telnetEOR {
			return 0, true
		}
	}
	for {
		if word, _, ok := command(r); !ok || word == telnetEOR {
			return key, ok
		}
	}
}

// screen is a record that clears a terminal and writes lines on it, each in a
// field that nobody types into, and frees the keyboard: Erase/Write of the 3270
// data stream.
func screen(lines []string) []byte {
	const (
		eraseWrite   = 0xF5
		freeKeyboard = 0xC2
		setAddress   = 0x11
		startField   = 0x1D
		protected    = 0x60
	)
	out := []byte{eraseWrite, freeKeyboard}
	for row, line := range lines {
		at := (row+1)*80 + 1
		out = append(out, setAddress, sixBits(at>>6), sixBits(at&63), startField, protected)
		for _, c := range []byte(line) {
			out = append(out, ebcdic(c))
		}
	}
	return append(out, telnetIAC, telnetEOR)
}

// sixBits is how a 3270 writes a number below 64 as a character.
func sixBits(n int) byte {
	c := byte(n)
	switch {
	case n == 0x21:
		return 0x61
	case n == 0, n == 0x10, n == 0x20, 0x0A <= n && n <= 0x0F, 0x1A <= n && n <= 0x1F, 0x2A <= n && n <= 0x2F, 0x3A <= n:
		return c | 0x40
	}
	return c | 0xC0
}

// ebcdic is a letter, a digit, or a mark that the screens have, in EBCDIC.
func ebcdic(c byte) byte {
	lower := c | 0x20
	shift := byte(0xC0)
	if c == lower {
		shift = 0x80
	}
	switch {
	case '0' <= c && c <= '9':
		return 0xF0 + c - '0'
	case 'a' <= lower && lower <= 'i':
		return shift + 1 + lower - 'a'
	case 'j' <= lower && lower <= 'r':
		return shift + 0x11 + lower - 'j'
	case 's' <= lower && lower <= 'z':
		return shift + 0x22 + lower - 's'
	}
	if at := strings.IndexByte(".,;", c); at >= 0 {
		return [...]byte{0x4B, 0x6B, 0x5E}[at]
	}
	return 0x40
}
