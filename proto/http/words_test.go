package http_test

import (
	"bufio"
	"net"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/http"
)

// TestWords holds that no error speaks of the library below.
func TestWords(t *testing.T) {
	for _, answer := range []string{
		"", "nonsense\r\n\r\n", "HTTP/1.1 abc no\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \x1b\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nA:", "HTTP/9.9.9 200 OK\r\n\r\n",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			for r := bufio.NewReader(conn); ; {
				if line, err := r.ReadString('\n'); err != nil || line == "\r\n" {
					break
				}
			}
			conn.Write([]byte(answer))
		}()
		tr := http.New(&dial.Dialer{})
		_, err = tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://" + l.Addr().String() + "/"), Limits: fetch.DefaultLimits()})
		l.Close()
		tr.Close()
		if err == nil {
			t.Errorf("%q is taken", answer)
			continue
		}
		for _, word := range []string{"net/http", "MIME", "EOF", "transport connection", "strconv", "bad Content"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%q: %v", answer, err)
			}
		}
	}
}
