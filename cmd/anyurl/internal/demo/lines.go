package demo

import (
	"bufio"
	"io"
	"net"
	"strings"
	"time"
)

// patience is how long a server waits for its client to say something.
const patience = time.Minute

// longestLine is more than any client here has to say at once.
const longestLine = 4096

// A lines reads what a client says, line by line, and waits for none longer
// than patience.
type lines struct {
	conn net.Conn
	r    *bufio.Reader
}

func readLines(conn net.Conn) *lines { return &lines{conn, bufio.NewReaderSize(conn, longestLine)} }

// next gives the next line without its end. It gives none where the client is
// gone, or silent, or says more than a line may hold.
func (l *lines) next() (line string, ok bool) {
	l.conn.SetDeadline(time.Now().Add(patience))
	b, err := l.r.ReadSlice('\n')
	if err != nil {
		return "", false
	}
	return strings.TrimRight(string(b), "\r\n"), true
}

// read reads n octets that follow a line.
func (l *lines) read(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(l.r, b)
	return b, err
}
