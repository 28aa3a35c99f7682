package finger_test

import (
	"io"
	"net/netip"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
)

// FuzzFetch: one line is asked, whatever the URL says, and what the server
// answers comes as it is.
func FuzzFetch(f *testing.F) {
	f.Add("/joe", "Plan:\r\n tulips\r\n")
	f.Add("/%2FW%20joe@b.example", "\x1b[2J\x00\xff")
	f.Add("/joe%0D%0Aann", "x")
	f.Add("/%FF%F4", "x")
	f.Add("/%EF%BF%BD", "x") // U+FFFD, which is no octet 255
	f.Add("", "")
	f.Fuzz(func(t *testing.T, tail, answer string) {
		u, err := anyurl.Parse("finger://192.0.2.1" + tail)
		if err != nil || u.HostPort() != "192.0.2.1" || len(answer) > 1<<16 {
			return
		}
		var network transcript.Network
		l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:79"))
		if err != nil {
			t.Fatal(err)
		}
		asked := make(chan string, 1)
		go func() {
			defer close(asked)
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			var line []byte
			for one := make([]byte, 1); len(line) == 0 || line[len(line)-1] != '\n'; {
				if _, err := conn.Read(one); err != nil {
					break
				}
				line = append(line, one[0])
			}
			io.WriteString(conn, answer)
			asked <- string(line)
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"finger": open(&dial.Dialer{Connect: network.Dial})}}
		got, err := c.Do(t.Context(), &fetch.Request{URL: u})
		var body []byte
		if err == nil {
			body, err = io.ReadAll(got.Body)
			got.Body.Close()
		}
		l.Close()
		if line, ok := <-asked; ok {
			text, whole := strings.CutSuffix(line, "\r\n")
			if !whole || strings.ContainsAny(text, "\r\n\x00") || strings.IndexByte(text, 0xFF) >= 0 {
				t.Errorf("%q asks %q", u, line)
			}
			if err == nil && string(body) != answer || err != nil && answer != "" {
				t.Errorf("%q gives %q of %q, %v", u, body, answer, err)
			}
		} else if err == nil {
			t.Errorf("%q gives %q, and nobody was asked", u, body)
		}
	})
}
