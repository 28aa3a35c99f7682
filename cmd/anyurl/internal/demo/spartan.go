package demo

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"
	"time"

	"anyurl/percent"
)

// serveSpartan serves root as the Spartan specification says: "HOST PATH LENGTH"
// on a line, so many octets, and a status line and a document back. What is said
// at /echo comes back from there.
func serveSpartan(ctx context.Context, l net.Listener, root fs.FS) {
	accept(ctx, l, func(conn net.Conn) {
		in := readLines(conn)
		line, ok := in.next()
		if !ok {
			return
		}
		words := strings.Split(line, " ")
		if len(words) != 3 {
			fmt.Fprint(conn, "4 a request is HOST PATH LENGTH\r\n")
			return
		}
		n, err := strconv.Atoi(words[2])
		if err != nil || n < 0 || n > longestLine {
			fmt.Fprint(conn, "4 that is too much\r\n")
			return
		}
		conn.SetDeadline(time.Now().Add(patience))
		said, err := in.read(n)
		at := percent.Decode(words[1])
		switch {
		case err != nil:
		case at == "/echo":
			fmt.Fprintf(conn, "2 text/gemini\r\n# You said\n\n> %s\n", oneLine(string(said)))
		case at == "/old":
			fmt.Fprint(conn, "3 /garden.gmi\r\n")
		default:
			name, text, ok := page(root, at, "index.gmi")
			if !ok {
				fmt.Fprint(conn, "4 there is no such page\r\n")
				return
			}
			fmt.Fprintf(conn, "2 %s\r\n%s", typeOf(name), text)
		}
	})
}
