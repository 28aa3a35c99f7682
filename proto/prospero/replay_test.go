package prospero_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/prospero"
)

// A datagram is one of an exchange with a real server.
type datagram struct {
	sent bool // by the client
	what []byte
}

// exchanges reads the recorded exchanges, where they are at hand.
func exchanges(t *testing.T) map[string][]datagram {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "protocols", "captures", "prospero.txt"))
	if err != nil {
		t.Skip("the recorded exchanges are not at hand")
	}
	m := map[string][]datagram{}
	name := ""
	for line := range strings.Lines(string(text)) {
		switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
		case "##":
			name = rest
		case "C", "S":
			b, err := hex.DecodeString(rest)
			if err != nil {
				t.Fatal(err)
			}
			m[name] = append(m[name], datagram{kind == "C", b})
		}
	}
	return m
}

// masked is a datagram without the identifier of its conversation.
func masked(b []byte) []byte {
	b = slices.Clone(b)
	if len(b) >= 3 && b[0]&63 >= 3 {
		b[1], b[2] = 0, 0
	}
	return b
}

// replay plays the server's side on conn and reports what the client sent
// otherwise than recorded. The recorded identifier becomes the client's.
func replay(t *testing.T, name string, list []datagram, conn net.Conn) {
	var recorded, ours [2]byte
	b := make([]byte, 1<<16)
	for _, d := range list {
		if d.sent {
			n, err := conn.Read(b)
			if err != nil || !bytes.Equal(masked(b[:n]), masked(d.what)) {
				t.Errorf("%s: the client sent\n%q, %v, recorded is\n%q", name, b[:n], err, d.what)
				return
			}
			recorded, ours = [2]byte(d.what[1:]), [2]byte(b[1:])
			continue
		}
		p := slices.Clone(d.what)
		switch [2]byte(p[1:]) {
		case recorded:
			p[1], p[2] = ours[0], ours[1]
		case [2]byte{recorded[1], recorded[0]}:
			p[1], p[2] = ours[1], ours[0]
		}
		conn.Write(p)
	}
}

// Every recorded exchange: the client sends what the client of the time sent,
// datagram for datagram, and reads what the server answered.
func TestReplay(t *testing.T) {
	all := exchanges(t)
	ctx := context.Background()
	list := func(options, dir string, components ...string) func(*prospero.Conn) (prospero.Reply, error) {
		return func(c *prospero.Conn) (prospero.Reply, error) { return c.List(ctx, options, dir, 0, components...) }
	}
	info := func(what, name string) func(*prospero.Conn) (prospero.Reply, error) {
		return func(c *prospero.Conn) (prospero.Reply, error) { return c.Info(ctx, what, name, 0) }
	}
	raw := func(text string) func(*prospero.Conn) (prospero.Reply, error) {
		return func(c *prospero.Conn) (prospero.Reply, error) {
			b, err := c.Ask(ctx, []byte(text))
			return prospero.Reply{Text: b}, err
		}
	}
	const docs = "/srv/prospero/tree/docs"
	octets := ""
	for i := range 256 {
		octets += string([]byte{byte(i)})
	}
	numbered := func(format string, n int) (text string) {
		for i := range n {
			text += fmt.Sprintf(format, i)
		}
		return text
	}
	for name, tt := range map[string]struct {
		ask  func(*prospero.Conn) (prospero.Reply, error)
		want string // the reply in short, see brief
	}{
		"version query":                                    {raw("VERSION\n"), "text VERSION 5 P53.17May94b\n"},
		"list with all attributes":                         {list("ATTRIBUTES(#ALL)", "AFTP/pub"), "FILE readme.txt LOCALHOST(15250) AFTP/pub/readme.txt 0 SIZE=12 bytes NATIVE-OWNER=root NATIVE-GROUP=root LAST-MODIFIED=20261130085634Z UNIX-MODES=-rw-r--r-- ACCESS-METHOD=PROSPERO-CONTENTS     ACCESS-METHOD=LOCAL     ACCESS-METHOD=AFTP INTERNET-D LOCALHOST ASCII /pub/readme.txt BINARY\n"},
		"list one component":                               {list("ATTRIBUTES", docs, "hello.txt"), "FILE hello.txt LOCALHOST(15250) " + docs + "/hello.txt 0 SIZE=20 bytes NATIVE-OWNER=root NATIVE-GROUP=root LAST-MODIFIED=20261130085634Z UNIX-MODES=-rw-r--r-- ACCESS-METHOD=PROSPERO-CONTENTS     ACCESS-METHOD=LOCAL\n"},
		"list through two components":                      {list("", "/srv/prospero/tree", "docs", "hello.txt"), "FILE hello.txt LOCALHOST(15250) " + docs + "/hello.txt 0\n"},
		"list a directory with an odd file name (quoting)": {list("", docs+"/sub"), "FILE name with space & 'q'.txt LOCALHOST(15250) " + docs + "/sub/name with space & 'q'.txt 0\n"},
		"object attributes, all":                           {info("#ALL", docs+"/hello.txt"), "SIZE=20 bytes NATIVE-OWNER=root NATIVE-GROUP=root LAST-MODIFIED=20261130085634Z UNIX-MODES=-rw-r--r-- ACCESS-METHOD=PROSPERO-CONTENTS     ACCESS-METHOD=LOCAL    "},
		"object attributes of a file in the FTP area: three access methods": {info("ACCESS-METHOD+SIZE", "AFTP/pub/readme.txt"), "SIZE=12 bytes ACCESS-METHOD=PROSPERO-CONTENTS     ACCESS-METHOD=LOCAL     ACCESS-METHOD=AFTP INTERNET-D LOCALHOST ASCII /pub/readme.txt BINARY"},
		"contents, one packet":                              {info("CONTENTS", docs+"/hello.txt"), "CONTENTS=DATA hello from prospero\n"},
		"contents with quotes doubled":                      {info("CONTENTS", docs+"/quote.txt"), "CONTENTS=DATA it's a 'quoted' text\n"},
		"contents, 256 octets 00..FF":                       {info("CONTENTS", docs+"/bin.dat"), "CONTENTS=DATA " + octets},
		"contents of an empty file":                         {info("CONTENTS", docs+"/empty.txt"), "CONTENTS=DATA "},
		"contents, several packets, total only in the last": {info("CONTENTS", docs+"/big.txt"), "CONTENTS=DATA " + numbered("line %d of a text that needs more than one packet\n", 120)},
		"contents, more than 16 packets: the 16th asks for an acknowledgement, the client sends a control packet": {info("CONTENTS", docs+"/huge.txt"), "CONTENTS=DATA " + numbered("line %04d of a text that needs more than sixteen packets\n", 500)},
		"no such directory":       {list("", "AFTP/nosuch"), "failure NOT-A-DIRECTORY"},
		"no such component":       {list("", "AFTP/pub", "nothere"), "empty"},
		"no such object":          {info("CONTENTS", docs+"/nothere"), "empty"},
		"outside the served tree": {info("#ALL", "/etc/passwd"), "failure NOT-AUTHORIZED"},
		"dot-dot":                 {info("#ALL", "AFTP/../x"), "failure NOT-AUTHORIZED"},
		"unknown command":         {raw("VERSION 5 url\nBOGUS\n"), "text ERROR Unknown message: BOGUS\n"},
		"unsupported version":     {raw("VERSION 9\n"), "text VERSION-NOT-SUPPORTED TRY 1-5"},
		"a slow request: the server first sends a wait packet (sequence 0), then a reply that asks for an acknowledgement": {list("", "GOPHER-GW/localhost(9)/1/"), "failure SERVER-FAILED Gopher gateway INTERNAL: setsockopt failure: ##p1## Unprintable Error"},
		"the same datagram sent twice (a retry): the reply is sent again":                                                  {info("CONTENTS", docs+"/hello.txt"), "CONTENTS=DATA hello from prospero\n"},
		"list a directory, no attributes": {raw("VERSION 5 url\nAUTHENTICATE '' UNAUTHENTICATED anonymous\nDIRECTORY ASCII " + docs + "\nLIST '' COMPONENTS\n"),
			"text " + links("quote.txt", "empty.txt", "big.txt", "huge.txt", "hello.txt") + "LINK  L DIRECTORY sub INTERNET-D LOCALHOST(15250) ASCII '" + docs + "/sub' 0\n" + links("bin.dat")},
	} {
		e := all[name]
		if len(e) == 0 {
			t.Errorf("no exchange %q was recorded", name)
			continue
		}
		if strings.HasPrefix(name, "the same datagram") {
			e = slices.Delete(slices.Clone(e), 1, 2) // the first reply is lost, which is why it was sent twice
		}
		synctest.Test(t, func(t *testing.T) {
			mine, theirs := transcript.PacketPipe(netip.AddrPort{}, netip.AddrPort{})
			done := make(chan struct{})
			go func() {
				defer close(done)
				replay(t, name, e, theirs)
			}()
			c := prospero.NewConn(mine, prospero.Limits{})
			r, err := tt.ask(c)
			if got := brief(r, err); got != tt.want {
				t.Errorf("%s: got\n%q, want\n%q", name, got, tt.want)
			}
			<-done
			c.Close()
		})
	}
}

func links(names ...string) (text string) {
	for _, n := range names {
		text += "LINK  L FILE " + n + " INTERNET-D LOCALHOST(15250) ASCII '/srv/prospero/tree/docs/" + n + "' 0\n"
	}
	return text
}

// brief is a reply in short.
func brief(r prospero.Reply, err error) string {
	var f *prospero.Failure
	switch {
	case errors.As(err, &f):
		return "failure " + f.Said()
	case err != nil:
		return err.Error()
	case r.Empty:
		return "empty"
	case len(r.Links)+len(r.Attributes) == 0:
		return "text " + string(r.Text)
	}
	attributes := func(list []prospero.Attribute) string {
		var s []string
		for _, a := range list {
			s = append(s, a.Name+"="+strings.Join(a.Values, " "))
		}
		return strings.Join(s, " ")
	}
	if len(r.Links) == 0 {
		return attributes(r.Attributes)
	}
	text := ""
	for _, l := range r.Links {
		text += strings.TrimRight(fmt.Sprintf("%s %s %s %s %d %s", l.Target, l.Name, l.Object.Host, l.Object.Name, l.Version, attributes(l.Attributes)), " ") + "\n"
	}
	return text
}

// A URL opens with the recorded requests.
func TestReplayURL(t *testing.T) {
	answers := map[string][][]byte{}
	for _, e := range exchanges(t) {
		for _, d := range e[1:] {
			if !d.sent {
				text := string(e[0].what[e[0].what[0]&63:])
				answers[text] = append(answers[text], d.what)
			}
		}
	}
	serve := func(conn net.Conn) {
		b := make([]byte, 1<<16)
		for {
			n, err := conn.Read(b)
			if err != nil {
				return
			}
			for _, p := range answers[string(b[b[0]&63:n])] {
				p = slices.Clone(p)
				p[1], p[2] = b[1], b[2]
				conn.Write(p)
			}
		}
	}
	for _, tt := range []struct{ path, want string }{
		{"//srv/prospero/tree/docs/hello.txt", "hello from prospero\n"},
		{"//etc/passwd", "access denied"},
	} {
		synctest.Test(t, func(t *testing.T) {
			mine, theirs := transcript.PacketPipe(netip.AddrPort{}, netip.AddrPort{})
			go serve(theirs)
			defer theirs.Close()
			client := fetch.Client{Transports: map[string]fetch.Transport{"prospero": prospero.New(&dial.Dialer{
				Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return mine, nil },
			})}}
			fetchtest.Opened(t, "the Prospero server Alpha.5.3, by its recorded words", &client)
			got, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("prospero://192.0.2.1:15250" + tt.path)})
			if err != nil {
				if !errors.Is(err, fetch.ErrDenied) || tt.want != "access denied" {
					t.Errorf("%s: %v", tt.path, err)
				}
				return
			}
			defer got.Body.Close()
			var b bytes.Buffer
			if _, err := b.ReadFrom(got.Body); err != nil || b.String() != tt.want {
				t.Errorf("%s: %q, %v", tt.path, b.String(), err)
			}
		})
	}
}

// TestPeer opens what a live server has: PROSPERO_PEER=host:port/hsoname.
func TestPeer(t *testing.T) {
	peer := os.Getenv("PROSPERO_PEER")
	if peer == "" {
		t.Skip("PROSPERO_PEER=host:port/hsoname names no live server")
	}
	client := fetch.Client{Transports: map[string]fetch.Transport{"prospero": prospero.New(&dial.Dialer{})}}
	open := func(url string) (*fetch.Result, string) {
		got, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		defer got.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(got.Body); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		return got, b.String()
	}
	got, body := open("prospero://" + peer)
	if !got.Listing {
		if got.Size >= 0 && int64(len(body)) != got.Size {
			t.Errorf("%d octets came of %d", len(body), got.Size)
		}
		return
	}
	if len(got.Entries) == 0 {
		t.Fatalf("%s is an empty directory", peer)
	}
	for _, e := range got.Entries {
		if e.Type != "file" || e.URL == "" {
			continue
		}
		// The server may call itself by a name that leads elsewhere from here.
		host, _, _ := strings.Cut(peer, "/")
		_, path, _ := strings.Cut(strings.TrimPrefix(e.URL, "prospero://"), "/")
		if _, body := open("prospero://" + host + "/" + path); e.Size >= 0 && int64(len(body)) != e.Size {
			t.Errorf("%s: %d octets came of %d", e.URL, len(body), e.Size)
		}
	}
	if _, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("prospero://" + peer + "/there-is-no-such-thing")}); err == nil {
		t.Error("what is not there opens")
	}
}
