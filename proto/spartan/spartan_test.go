package spartan_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
	"anyurl/proto/spartan"
)

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:300"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		C: 192.0.2.1 /garden 0
		S: 2 text/gemini; lang=en
		S: # Tulips
		close
	`)}}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"spartan": spartan.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("spartan://192.0.2.1/garden")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%s %q\n", got.Type, body)
	// Output:
	// text/gemini "# Tulips\r\n"
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return spartan.New(d) }, URL: "spartan://" + fetchtest.Host + ":300/a?data", Want: "# A page\n",
		Head: true, EndsByClose: true,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			r := bufio.NewReader(conn)
			if line, err := r.ReadString('\n'); err != nil || line != fetchtest.Host+" /a 4\r\n" {
				return
			}
			data := make([]byte, 4)
			if _, err := io.ReadFull(r, data); err == nil && string(data) == "data" {
				io.WriteString(conn, "2 text/gemini\r\n# A page\n")
			}
		},
	})
}

// get fetches url from a server that plays the scripts, one a connection.
func get(t *testing.T, url string, scripts ...string) (got *fetch.Result, body string, err error) {
	t.Helper()
	return fetchtest.Play(t, 300, func(d *dial.Dialer) fetch.Transport { return spartan.New(d) }, fetchtest.Ask(url), scripts...)
}

func TestRequest(t *testing.T) {
	for _, tt := range []struct{ tail, sent string }{
		{"", "192.0.2.1 / 0"},
		{"/a%20b/c", "192.0.2.1 /a%20b/c 0"},
		{"/a?", "192.0.2.1 /a 0"},
		{"/a?two%0D%0Alines", "192.0.2.1 /a 10\nC: two"}, // and "lines", which no line end follows
		{"/a?caf%C3%A9", "192.0.2.1 /a 5"},
	} {
		if _, body, err := get(t, "spartan://192.0.2.1"+tt.tail, "C: "+tt.sent+"\nS: 2 text/plain\nS: ok\nclose"); err != nil || body != "ok\r\n" {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
}

func TestStatus(t *testing.T) {
	got, body, err := get(t, "spartan://192.0.2.1/a", "C: 192.0.2.1 /a 0\nS: 3 /b?c\nclose", "C: 192.0.2.1 /b 1\nS: 2 TEXT/PLAIN;charset=utf-8\nS: here\nclose")
	if err != nil || body != "here\r\n" || len(got.Hops) != 2 || got.Type != "text/plain" || got.Header["Content-Type"][0] != "TEXT/PLAIN;charset=utf-8" {
		t.Errorf("%q, %v", body, err)
	}
	for _, tt := range []struct {
		say  string
		kind error
		step string
	}{
		{"S: 4 no such page", fetch.ErrNotFound, fetch.Status},
		{"S: 5 out of memory", nil, fetch.Status},
		{"S: 3 https://elsewhere.example/", fetch.ErrMalformed, fetch.Redirect},
		{"S: 3 //elsewhere.example/", fetch.ErrMalformed, fetch.Redirect},
		{"S: 200 OK", fetch.ErrMalformed, fetch.Status},
		{"S: 1 what?", fetch.ErrMalformed, fetch.Status},
		{"S:", fetch.ErrMalformed, fetch.Status},
		{"S- 2 text/pl", nil, fetch.Status},
		{"", fetch.ErrTruncated, fetch.Status},
	} {
		_, _, err := get(t, "spartan://192.0.2.1/a", "C: 192.0.2.1 /a 0\n"+tt.say+"\nclose")
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind) {
			t.Errorf("%s: %v", tt.say, err)
		}
	}
}

// TestPygopherd is against pygopherd 3, whose one port speaks Spartan, too.
func TestPygopherd(t *testing.T) {
	addr, _ := peer.Pygopherd(t, peer.Tree(t))
	c := fetch.Client{Transports: map[string]fetch.Transport{"spartan": spartan.New(&dial.Dialer{})}}
	fetchtest.Opened(t, peer.Version("pygopherd"), &c)
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("spartan://" + addr + "/pub/sub/inner.txt")})
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	got.Body.Close()
	if err != nil || string(body) != "inner\n" || got.Type != "text/plain" {
		t.Errorf("%q, %q, %v", got.Type, body, err)
	}
	if _, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("spartan://" + addr + "/nosuch")}); !errors.Is(err, fetch.ErrNotFound) {
		t.Error(err)
	}
}
