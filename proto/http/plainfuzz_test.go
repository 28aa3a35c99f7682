package http_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	httpproto "anyurl/proto/http"
)

// FuzzPlain: an answer is read as net/http reads it, and nothing of what stands
// behind it is ever taken for the answer to another request.
func FuzzPlain(f *testing.F) {
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\x7f\x00\r\nhello\r\n0\r\nX: y\r\nns",
		"HTTP/1.0 200 OK\r\n\r\nto the end",
		"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
		"HTTP/1.1 200 OK\r\nX : y\r\n\r\n", "HTTP/1.1 200\r\n\r\n", "ICY 200 OK\r\n\r\n", "", "\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
	} {
		f.Add(answer)
	}
	const fresh = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfresh"
	f.Fuzz(func(t *testing.T, answer string) {
		if len(answer) > 4<<10 {
			return
		}
		var network transcript.Network
		l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:80"))
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan struct{})
		serve := func(conn net.Conn) {
			defer conn.Close()
			in := bufio.NewReader(conn)
			for {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				if req.RequestURI == "/first" {
					if io.WriteString(conn, answer); !ends(answer) {
						return // what has no end of its own ends so
					}
					continue
				}
				io.WriteString(conn, fresh)
			}
		}
		go func() {
			defer close(over)
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go serve(conn)
			}
		}()
		tr := httpproto.New(&dial.Dialer{Connect: network.Dial})
		defer tr.Close()
		c := fetch.Client{Transports: map[string]fetch.Transport{"http": tr}, Limits: fetch.Limits{MaxHops: 1}}
		if got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://192.0.2.1/first"), Header: map[string][]string{"Accept-Encoding": {"identity"}}}); err == nil {
			body, err := io.ReadAll(got.Body)
			got.Body.Close()
			if !strings.Contains(answer, "\r\n\r\n") && !strings.Contains(answer, "\n\n") && !strings.Contains(answer, "\n\r\n") {
				t.Errorf("a header without an end is taken: %q", answer)
			}
			if want, status, ok := standard(answer); ok && err == nil && len(got.Hops) == 0 && (status != got.Status || !bytes.Equal(body, want)) {
				t.Errorf("%q: %d %q, and not %d %q", answer, got.Status, body, status, want)
			}
		}
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://192.0.2.1/second")})
		if err != nil {
			t.Errorf("after %q: %v", answer, err)
		} else {
			body, err := io.ReadAll(got.Body)
			got.Body.Close()
			if string(body) != "fresh" || err != nil {
				t.Errorf("after %q the next answer is %q, %v", answer, body, err)
			}
		}
		l.Close()
		<-over
	})
}

// standard is how net/http reads an answer, past those that are interim.
func standard(answer string) (body []byte, status int, ok bool) {
	r := bufio.NewReader(strings.NewReader(answer))
	for {
		in, err := http.ReadResponse(r, &http.Request{Method: http.MethodGet})
		if err != nil {
			return nil, 0, false
		}
		if in.StatusCode/100 == 1 {
			continue
		}
		body, err = io.ReadAll(in.Body)
		return body, in.StatusCode, err == nil
	}
}

// ends reports whether an answer is whole without the connection's end.
func ends(answer string) bool {
	in, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), &http.Request{Method: http.MethodGet})
	if err != nil || in.StatusCode/100 == 1 || in.ContentLength < 0 && len(in.TransferEncoding) == 0 {
		return false
	}
	_, err = io.Copy(io.Discard, in.Body)
	return err == nil
}
