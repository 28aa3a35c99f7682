package demo

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"strings"
)

// serveFinger tells about the people in root, a file for each, as RFC 1288 says:
// a line asked, a text back. An empty line asks who there is.
func serveFinger(ctx context.Context, l net.Listener, root fs.FS) {
	accept(ctx, l, func(conn net.Conn) {
		line, ok := readLines(conn).next()
		if !ok {
			return
		}
		name := strings.TrimSpace(line)
		if long, ok := strings.CutPrefix(name, "/W"); ok { // RFC 1288, section 2.3: tell more
			name = strings.TrimSpace(long)
		}
		switch {
		case name == "":
			people, _ := fs.ReadDir(root, ".")
			fmt.Fprint(conn, "Who is here:\r\n\r\n")
			for _, p := range people {
				fmt.Fprintf(conn, "  %s\r\n", p.Name())
			}
		case strings.Contains(name, "@"):
			fmt.Fprint(conn, "Nobody is asked elsewhere from here.\r\n") // section 3.2.1: forwarding may be refused
		default:
			text, err := fs.ReadFile(root, strings.ToLower(name))
			if err != nil {
				fmt.Fprint(conn, "Nobody of that name is here.\r\n")
				return
			}
			conn.Write(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
		}
	})
}
