package nntp_test

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	"anyurl/proto/nntp"
)

// FuzzAnswers: whatever a server answers to an article's, a group's and a list's
// request, in whichever order, what comes of it was sent, and no more entries
// than were asked for.
func FuzzAnswers(f *testing.F) {
	for _, answers := range []string{
		"220 0 <a@b>\r\nSubject: x\r\n y\r\nDate: Mon, 30 Nov 2026 08:52:07 +0000\r\n\r\n..\r\nhello\r\n.\r\n",
		"211 3 5 9 a.group\r\n224 follows\r\n5\tOne\ta\td\t<five@a.example>\t\t10\t1\r\n7\r\n\r\nx\ty\r\n.\r\n",
		"211 18446744073709551615 0 18446744073709551615 a.group\r\n224 x\r\n18446744073709551615\ta\r\n.\r\n",
		"211 0 1 0\r\n420 none\r\n",
		"215 list\r\na.group 9 5 y\r\n\r\n.hidden\r\n..b 18446744073709551615 0 m\r\n.\r\n",
		"500 what\r\n500 what\r\n215\r\nx\r\n.\r\n",
		"211 1 1 1\r\n500\r\n503\r\n",
		"430 no\r\n", "480 login\r\n381\r\n281\r\n", "22", "2200\r\n", "220 \n.\n", "220 x\r\nhalf",
	} {
		f.Add(answers)
	}
	f.Fuzz(func(t *testing.T, answers string) {
		if len(answers) > 1<<15 {
			return
		}
		for _, url := range []string{"nntp://192.0.2.1/a.group", "nntp://192.0.2.1/a.group/7", "news://192.0.2.1/one@a.example", "news://192.0.2.1/*"} {
			var network transcript.Network
			l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:119"))
			if err != nil {
				t.Fatal(err)
			}
			var server net.Conn
			over := make(chan struct{})
			go func() {
				defer close(over)
				if server, err = l.Accept(); err != nil {
					return
				}
				defer server.Close()
				go io.Copy(io.Discard, server)
				io.WriteString(server, "200 ready\r\n200 ok\r\n"+answers)
			}()
			c := fetch.Client{Transports: map[string]fetch.Transport{"nntp": nntp.New(&dial.Dialer{Connect: network.Dial}, ""), "news": nntp.New(&dial.Dialer{Connect: network.Dial}, "")},
				Limits: fetch.Limits{MaxEntries: 50}}
			got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
			if err == nil {
				body, _ := io.ReadAll(got.Body)
				got.Body.Close()
				for line := range bytes.Lines(body) {
					if line := string(bytes.TrimRight(line, "\r\n")); !strings.Contains(answers, line) {
						t.Errorf("%s: %q was not sent", url, line)
					}
				}
				if len(got.Entries) > 50 {
					t.Errorf("%s: %d entries", url, len(got.Entries))
				}
				for _, e := range got.Entries {
					if _, err := anyurl.Parse(e.URL); e.URL != "" && err != nil {
						t.Errorf("%s: an entry's URL %q: %v", url, e.URL, err)
					}
				}
			} else if _, ok := err.(*fetch.Error); !ok || strings.ContainsAny(err.Error(), "\r\n\x1b\x00") {
				t.Errorf("%s: %T %q", url, err, err)
			}
			l.Close()
			<-over
		}
	})
}
