package telnet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/telnet"
)

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:23"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		S: Library catalogue
		S- login: \xff\xf9
		close
	`)}}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"telnet": telnet.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("telnet://guest@192.0.2.1/")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%q, user %q\n", body, got.Header[telnet.SuggestedUser])
	// Output:
	// "Library catalogue\r\nlogin: ", user ["guest"]
}

// A part is one turn of a server that speaks octets: what it says, and what
// the client has to answer, octet for octet, before the next.
type part struct{ say, want string }

// play is a server's side; what goes wrong is an error.
func play(conn net.Conn, parts []part) error {
	for i, p := range parts {
		if _, err := io.WriteString(conn, p.say); err != nil && p.want == "" {
			return nil // the client has heard enough
		}
		got := make([]byte, len(p.want))
		n, err := io.ReadFull(conn, got)
		if err != nil || string(got) != p.want {
			return fmt.Errorf("part %d: the client says %x, want %x (%v)", i+1, got[:n], p.want, err)
		}
	}
	return nil
}

// session fetches url from a server that plays the parts, and then closes or
// keeps silent; whatever else the client says is what it should not.
func session(t *testing.T, url string, hold bool, parts ...part) (got *fetch.Result, body string, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		u := anyurl.MustParse(url)
		port := u.EffectivePort()
		if port == 0 {
			port = map[string]uint16{"telnet": 23, "tn3270": 23, "rlogin": 513}[u.Scheme()]
		}
		l, lerr := network.Listen(netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port))
		if lerr != nil {
			t.Fatal(lerr)
		}
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			if err := play(conn, parts); err != nil {
				t.Error(err)
				return
			}
			if hold {
				if rest, _ := io.ReadAll(conn); len(rest) > 0 {
					t.Errorf("the client says %x besides", rest)
				}
			}
		}()
		tr := telnet.New(&dial.Dialer{Connect: network.Dial})
		c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": tr, "tn3270": tr, "rlogin": tr}}
		if u.Scheme() == "rlogin" { // of which no package has a server that talks to strangers' ports
			fetchtest.Opened(t, "our own stand-in", &c)
		}
		start := time.Now()
		got, err = c.Do(t.Context(), &fetch.Request{URL: u})
		if err == nil {
			var b []byte
			b, err = io.ReadAll(got.Body)
			body = string(b)
			got.Body.Close()
		}
		took = time.Since(start)
		l.Close()
		synctest.Wait()
	})
	return got, body, took, err
}

// TestNegotiation: RFC 854, RFC 1091, RFC 1143. The long one is how a telnetd
// of today begins.
func TestNegotiation(t *testing.T) {
	for _, tt := range []struct {
		name  string
		parts []part
		body  string
	}{
		{"a telnetd of today", []part{
			{"\xff\xfb\x25\xff\xfb\x26\xff\xfd\x18\xff\xfd\x20\xff\xfd\x23\xff\xfd\x27\xff\xfd\x24",
				"\xff\xfe\x25\xff\xfe\x26\xff\xfb\x18\xff\xfc\x20\xff\xfc\x23\xff\xfc\x27\xff\xfc\x24"},
			{"\xff\xfa\x18\x01\xff\xf0", "\xff\xfa\x18\x00DUMB\xff\xf0"},
			{"\xff\xfb\x03\xff\xfd\x01\xff\xfd\x22\xff\xfd\x1f\xff\xfb\x05\xff\xfd\x21", "\xff\xfd\x03\xff\xfc\x01\xff\xfc\x22\xff\xfc\x1f\xff\xfe\x05\xff\xfc\x21"},
			{"WELCOME\r\n", ""},
		}, "WELCOME\r\n"},
		{"no Telnet at all", []part{{"220 ready\r\n", ""}}, "220 ready\r\n"},
		{"confirmations are not answered", []part{{"\xff\xfb\x01", "\xff\xfd\x01"}, {"\xff\xfb\x01\xff\xfb\x01x", ""}}, "x"},
		{"an option ends", []part{{"\xff\xfb\x01", "\xff\xfd\x01"}, {"\xff\xfc\x01", "\xff\xfe\x01"}, {"\xff\xfc\x01x", ""}}, "x"},
		{"what is off need not be ended", []part{{"\xff\xfc\x01\xff\xfe\x18x", ""}}, "x"},
		{"refused once", []part{{"\xff\xfd\x63\xff\xfd\x63\xff\xfd\x63", "\xff\xfc\x63"}, {"x", ""}}, "x"},
		{"and again when something has changed", []part{{"\xff\xfd\x63", "\xff\xfc\x63"}, {"x\xff\xfd\x63", "\xff\xfc\x63"}}, "x"},
		{"a terminal type that nobody agreed on", []part{{"\xff\xfa\x18\x01\xff\xf0x", ""}}, "x"},
		{"no variable is told", []part{{"\xff\xfd\x27\xff\xfd\x24", "\xff\xfc\x27\xff\xfc\x24"}, {"\xff\xfa\x27\x01\xff\xf0x", ""}}, "x"},
		{"split anywhere", []part{{"\xff", ""}, {"\xfd", ""}, {"\x18", "\xff\xfb\x18"}, {"\xff\xfa", ""}, {"\x18\x01\xff", ""}, {"\xf0", "\xff\xfa\x18\x00DUMB\xff\xf0"}, {"x", ""}}, "x"},
		{"a subnegotiation broken off", []part{{"\xff\xfa\x18\x01\xff\xfd\x18", "\xff\xfb\x18"}, {"x", ""}}, "x"},
		{"octet 255", []part{{"a\xff\xffb", ""}}, "a\xffb"},
		{"CR NUL, and NUL alone", []part{{"a\r\x00b\x00c\r\n", ""}}, "a\rbc\r\n"},
		{"in binary NUL is data", []part{{"\xff\xfb\x00", "\xff\xfd\x00"}, {"a\r\x00b", ""}}, "a\r\x00b"},
		{"commands without a meaning here", []part{{"a\xff\xf1\xff\xf2\xff\xf9\xff\xefb\xff\x07c", ""}}, "abc"},
	} {
		for _, hold := range []bool{false, true} {
			got, body, took, err := session(t, "telnet://192.0.2.1", hold, tt.parts...)
			if err != nil || body != tt.body {
				t.Errorf("%s: %q, %v; want %q", tt.name, body, err, tt.body)
				continue
			}
			if got.Type != "text/plain" || got.Protocol != "telnet" {
				t.Errorf("%s: %q, %q", tt.name, got.Type, got.Protocol)
			}
			if took > telnet.DefaultQuiet {
				t.Errorf("%s: took %v", tt.name, took)
			}
		}
	}
}

// TestNothingIsSent: RFC 4248, section 2, on user names; neither goes out, nor
// is a session begun for what cannot be one.
func TestNothingIsSent(t *testing.T) {
	got, body, _, err := session(t, "telnet://guest:secret@192.0.2.1:2323/", true, part{"login: ", ""})
	if err != nil || body != "login: " || got.Header[telnet.SuggestedUser][0] != "guest" {
		t.Errorf("%q, %+v, %v", body, got, err)
	}
	fetchtest.SaysNothing(t, func(d *dial.Dialer) fetch.Transport { return telnet.New(d) }, "telnet://192.0.2.1/path", "telnet://u%0D%0A:p@192.0.2.1/", "telnet:192.0.2.1")
}

func TestTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:23"))
		defer l.Close()
		go func() {
			if conn, err := l.Accept(); err == nil {
				play(conn, []part{{"\xff\xfd\x18\xff\xfd\x63", "\xff\xfb\x18\xff\xfc\x63"}, {"\xff\xfa\x18\x01\xff\xf0x", ""}})
				conn.Close()
			}
		}()
		var events []string
		c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": telnet.New(&dial.Dialer{Connect: network.Dial})}}
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("telnet://joe:secret@192.0.2.1"), Trace: func(e fetch.Event) {
			events = append(events, string(e.Kind)+" "+e.Text)
		}})
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		want := []string{`* the URL suggests the user name "joe", which is not sent`, "< DO TERMINAL-TYPE", "> WILL TERMINAL-TYPE", "< DO 99", "> WONT 99", "< SB TERMINAL-TYPE", "> SB TERMINAL-TYPE IS DUMB"}
		if !slices.Equal(events, want) {
			t.Errorf("got %q", events)
		}
	})
}

// TestBounds: what a server may cost.
func TestBounds(t *testing.T) {
	flood := strings.Repeat("\xff\xfd\x63", 5000)
	for _, tt := range []struct {
		name, say string
		kind      error
	}{
		{"negotiation", flood, fetch.ErrMalformed},
		{"negotiation, with text between", strings.Repeat("\xff\xfd\x63x", 5000), fetch.ErrMalformed},
		{"a subnegotiation", "\xff\xfa" + strings.Repeat("\x18", 5000), fetch.ErrMalformed},
		{"NUL", strings.Repeat("\x00", 2<<20), fetch.ErrMalformed},
		{"nothing", "", fetch.ErrTruncated},
		{"half a command", "\xff", fetch.ErrTruncated},
	} {
		// The answers to a flood are part of what is bounded, so the server
		// here reads none.
		_, _, _, err := session(t, "telnet://192.0.2.1", false, part{tt.say, ""})
		var e *fetch.Error
		if !errors.Is(err, tt.kind) || !errors.As(err, &e) || e.Step == "" {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// A server that goes on and on is cut.
	if _, body, _, err := session(t, "telnet://192.0.2.1", false, part{strings.Repeat("x", telnet.DefaultOctets), ""}, part{"y", ""}); err != nil || int64(len(body)) != telnet.DefaultOctets {
		t.Errorf("%d octets, %v", len(body), err)
	}
}

// TestTime: a server that drips is heard for a while.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:23"))
		defer l.Close()
		go func() {
			if conn, err := l.Accept(); err == nil {
				for err == nil {
					_, err = io.WriteString(conn, "x")
					time.Sleep(time.Second)
				}
				conn.Close()
			}
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": telnet.New(&dial.Dialer{Connect: network.Dial})}}
		start := time.Now()
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("telnet://192.0.2.1")})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if took := time.Since(start); err != nil || len(body) < 7 || took > telnet.DefaultTime {
			t.Errorf("%q in %v, %v", body, took, err)
		}
		time.Sleep(2 * time.Second) // for the server to notice
	})
}

func TestRlogin(t *testing.T) {
	hello := part{"", "\x00\x00\x00dumb/9600\x00"} // RFC 1282, no names
	if got, body, _, err := session(t, "rlogin://joe@192.0.2.1", true, hello, part{"\x00Password: ", ""}); err != nil || body != "Password: " || got.Protocol != "rlogin" || got.Header[telnet.SuggestedUser][0] != "joe" {
		t.Errorf("%q, %v", body, err)
	}
	_, _, _, err := session(t, "rlogin://192.0.2.1", false, hello, part{"\x01Permission denied.\r\n", ""})
	var e *fetch.Error
	if !errors.Is(err, fetch.ErrDenied) || !errors.As(err, &e) || e.Said != "Permission denied." || e.Step != fetch.Login {
		t.Errorf("%v", err)
	}
}

func TestSuite(t *testing.T) {
	t.Run("telnet", func(t *testing.T) {
		fetchtest.Run(t, fetchtest.Subject{
			New: func(d *dial.Dialer) fetch.Transport { return telnet.New(d) }, URL: "telnet://" + fetchtest.Host + ":23/", Want: "Welcome.\r\nlogin: ", Head: true, EndsByClose: true, AnythingGoes: true,
			Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
				if play(conn, []part{{"\xff\xfd\x18", "\xff\xfb\x18"}, {"\xff\xfa\x18\x01\xff\xf0", "\xff\xfa\x18\x00DUMB\xff\xf0"}, {"Welcome.\r\nlogin: ", ""}}) == nil {
					io.Copy(io.Discard, conn)
				}
			},
		})
	})
	t.Run("rlogin", func(t *testing.T) {
		fetchtest.Run(t, fetchtest.Subject{
			New: func(d *dial.Dialer) fetch.Transport { return telnet.New(d) }, URL: "rlogin://" + fetchtest.Host + ":513/", Want: "Password: ", Head: true, EndsByClose: true, AnythingGoes: true,
			Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
				play(conn, []part{{"", "\x00\x00\x00dumb/9600\x00"}, {"\x00Password: ", ""}})
			},
		})
	})
	t.Run("tn3270", func(t *testing.T) {
		fetchtest.Run(t, fetchtest.Subject{
			New: func(d *dial.Dialer) fetch.Transport { return telnet.New(d) }, URL: "tn3270://" + fetchtest.Host + ":23/", Want: "HELLO\n", Head: true, EndsByClose: true, AnythingGoes: true,
			Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
				if play(conn, append(slices.Clone(into3270), part{"\xf5\xc2\xc8\xc5\xd3\xd3\xd6\xff\xef", ""})) == nil {
					io.Copy(io.Discard, conn)
				}
			},
		})
	})
}

// TestConn: what is asked for, and what is sent.
func TestConn(t *testing.T) {
	ours, theirs := net.Pipe()
	said := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, theirs)
		said <- b.String()
	}()
	c := telnet.NewConn(ours, telnet.Terminal{Theirs: []byte{telnet.SuppressGA}})
	c.Ask(telnet.SuppressGA, false)
	c.Ask(telnet.SuppressGA, false) // asked for already
	c.Drop(telnet.Echo, false)      // off already
	c.Ask(telnet.Binary, true)
	c.Write([]byte("a\xffb\r\nc\rd"))
	if c.On(telnet.SuppressGA, false) || c.Net() != ours {
		t.Error("on before the server has agreed")
	}
	c.Close()
	if got, want := <-said, "\xff\xfd\x03\xff\xfb\x00a\xff\xffb\r\nc\r\x00d"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// FuzzConn: whatever a server says, text comes out within bounds, and answers
// that are no more than asked.
func FuzzConn(f *testing.F) {
	for _, s := range []string{"hello\r\n", "\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0x", "\xff\xfa\x18\xff\xff\xff\xf0", "\xff\xfb\x19\xff\xfd\x19\xff\xef", "\xff", "\xff\xfa", "\xff\xfd\x1f"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		conn := &oneWay{r: bytes.NewReader(said)}
		c := telnet.NewConn(conn, telnet.Terminal{Name: "X", Ours: []byte{telnet.Binary}, Theirs: []byte{telnet.Echo}, Size: func() (uint16, uint16) { return 255, 24 }})
		got, _ := io.ReadAll(c)
		if len(got) > len(said) {
			t.Errorf("%d octets came of %d", len(got), len(said))
		}
		if conn.w.Len() > 4*len(said)+16 {
			t.Errorf("%d octets answer %d", conn.w.Len(), len(said))
		}
	})
}

// oneWay is a connection with what was said on it.
type oneWay struct {
	net.Conn
	r *bytes.Reader
	w bytes.Buffer
}

func (o *oneWay) Read(p []byte) (int, error)  { return o.r.Read(p) }
func (o *oneWay) Write(p []byte) (int, error) { return o.w.Write(p) }
