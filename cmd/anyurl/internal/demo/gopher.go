package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"strings"
	"time"
)

// serveGopher serves root as RFC 1436 says: a selector on a line, and a menu
// or a text file back, then the end of the connection.
func serveGopher(ctx context.Context, l net.Listener, root fs.FS) {
	accept(ctx, l, func(conn net.Conn) {
		conn.SetDeadline(time.Now().Add(time.Minute))
		line, err := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString('\n')
		if err != nil {
			return
		}
		selector, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		w := bufio.NewWriter(conn)
		defer w.Flush()
		host, port, _ := net.SplitHostPort(l.Addr().String())
		name := strings.TrimPrefix(path.Clean("/"+selector), "/")
		if name == "" {
			name = "."
		}
		info, err := fs.Stat(root, name)
		switch {
		case err != nil:
			fmt.Fprintf(w, "3'%s' does not exist\t\terror.host\t1\r\n.\r\n", selector)
		case info.IsDir():
			entries, _ := fs.ReadDir(root, name)
			fmt.Fprint(w, "iA small hole in the ground\t\terror.host\t1\r\n")
			for _, e := range entries {
				kind := "0"
				if e.IsDir() {
					kind = "1"
				}
				fmt.Fprintf(w, "%s%s\t/%s\t%s\t%s\r\n", kind, e.Name(), path.Join(name, e.Name()), host, port)
			}
			fmt.Fprint(w, ".\r\n")
		default:
			data, _ := fs.ReadFile(root, name)
			for line := range strings.Lines(string(data)) {
				if strings.HasPrefix(line, ".") {
					w.WriteByte('.') // RFC 1436, section 3: a line of one dot ends the text
				}
				fmt.Fprintf(w, "%s\r\n", strings.TrimRight(line, "\r\n"))
			}
			fmt.Fprint(w, ".\r\n")
		}
	})
}
