package http_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	httpproto "anyurl/proto/http"
)

func ExampleNewForward() {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Method+" "+r.RequestURI)
	}))
	defer proxy.Close()

	f := httpproto.NewForward(&dial.Dialer{}, dial.Proxy{Kind: "http", Address: proxy.Listener.Addr().String()})
	client := fetch.Client{Transports: map[string]fetch.Transport{"gopher": f}}
	defer client.Close()
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("gopher://gopher.example/1/news")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	// Output:
	// GET gopher://gopher.example/1/news
}

// What the proxy hears, octet for octet: RFC 9112, section 3.2.2.
func TestForward(t *testing.T) {
	for _, tt := range []struct {
		url   string
		auth  *fetch.Auth
		proxy dial.Proxy
		line  string
		host  string
		more  string // fields before the last ones
	}{
		{url: "http://a.example/x|y?q#f", line: "http://a.example/x|y?q", host: "a.example"},
		{url: "http://a.example:8080//x?", line: "http://a.example:8080//x?", host: "a.example:8080"},
		// user info of http is a header field, and never stands in the URL
		{url: "http://u:pw@a.example/", line: "http://a.example/", host: "a.example", more: "C: Authorization: Basic dTpwdw==\n"},
		{url: "ftp://a.example/%2Fetc/motd;type=a", line: "ftp://a.example/%2Fetc/motd;type=a", host: "a.example"},
		// where the proxy has to log in, the URL says how
		{url: "ftp://u:pw@a.example/f", line: "ftp://u:pw@a.example/f", host: "a.example"},
		{url: "ftp://a.example/f", auth: &fetch.Auth{User: "u@h", Password: "p:w", HasPassword: true}, line: "ftp://u%40h:p%3Aw@a.example/f", host: "a.example"},
		{url: "gopher://a.example/1x%09y%0D%0A", line: "gopher://a.example/1x%09y%0D%0A", host: "a.example"},
		{url: "wais://a.example:210/db?two words", line: "wais://a.example:210/db?two%20words", host: "a.example:210"},
		{url: "news:comp test", line: "news:comp%20test", host: "10.0.0.9:3128"}, // nothing else could stand there
		{url: "http://a.example/", proxy: dial.Proxy{User: "me", Password: "secret"}, line: "http://a.example/", host: "a.example",
			more: "C: Proxy-Authorization: Basic bWU6c2VjcmV0\n"},
	} {
		var network transcript.Network
		l, err := network.Listen(netip.MustParseAddrPort("10.0.0.9:3128"))
		if err != nil {
			t.Fatal(err)
		}
		// net/http writes Host and User-Agent first and the rest in order.
		accept := "application/vnd.anyurl.listing, */*;q=0.9"
		if strings.HasPrefix(tt.url, "http:") {
			accept = "*/*"
		}
		script := "C: GET " + tt.line + " HTTP/1.1\nC: Host: " + tt.host + "\nC: User-Agent: anyurl/1\nC: Accept: " + accept + "\nC: Accept-Encoding: gzip, deflate\n" +
			tt.more + "C:\nS: HTTP/1.1 200 OK\nS: Content-Type: text/plain\nS: Content-Length: 5\nS:\nS- hello"
		s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(script)}}
		s.Start(l)
		tt.proxy.Kind, tt.proxy.Address = "http", "10.0.0.9:3128"
		f := httpproto.NewForward(&dial.Dialer{Connect: network.Dial}, tt.proxy)
		var said strings.Builder
		resp, err := f.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(tt.url), Auth: tt.auth, Limits: fetch.DefaultLimits(),
			Trace: func(e fetch.Event) { said.WriteString(string(e.Kind) + e.Text + "\n") }})
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
		} else {
			b, err := io.ReadAll(resp.Body)
			if string(b) != "hello" || err != nil || resp.URL.String() != anyurl.MustParse(tt.url).String() || resp.Type != "text/plain" || resp.Protocol != "HTTP/1.1" {
				t.Errorf("%s: %q, %v, %+v", tt.url, b, err, resp)
			}
			resp.Body.Close()
		}
		for _, secret := range []string{"pw@", "secret", "bWU6", "dTpwd", "p%3Aw"} {
			if strings.Contains(said.String(), secret) {
				t.Errorf("%s: the conversation shows %q:\n%s", tt.url, secret, said.String())
			}
		}
		f.Close()
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", tt.url, err)
		}
	}
}

// The guard holds for what is asked, however it is written.
func TestForwardVets(t *testing.T) {
	asked := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer proxy.Close()
	p := dial.Proxy{Kind: "http", Address: proxy.Listener.Addr().String()} // itself at an internal address
	for _, url := range []string{"http://127.0.0.1/", "http://0x7f.1/", "gopher://127.1/", "gopher://%31%32%37.0.0.1/", "ftp://localhost/", "wais://[::1]/db",
		"gopher://127%E3%80%820%E3%80%820%E3%80%821/"} {
		for _, trust := range []bool{false, true} {
			f := httpproto.NewForward(&dial.Dialer{Allow: dial.Guard, TrustProxy: trust}, p)
			_, err := f.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Limits: fetch.DefaultLimits()})
			if !errors.Is(err, fetch.ErrRefused) {
				t.Errorf("%s: %v", url, err)
			}
			f.Close()
		}
	}
	if asked > 0 {
		t.Errorf("the proxy was asked %d times", asked)
	}
}

func TestForwardFails(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(407) }))
	defer proxy.Close()
	for _, tt := range []struct {
		proxy dial.Proxy
		step  string
		want  string
	}{
		{dial.Proxy{Kind: "http", Address: proxy.Listener.Addr().String()}, fetch.Connecting, "wants a login"},
		{dial.Proxy{Kind: "http", Address: proxy.Listener.Addr().String(), User: "me", Password: "hunter2"}, fetch.Connecting, "refuses the login"},
		{dial.Proxy{Kind: "https", Address: proxy.Listener.Addr().String(), User: "me", Password: "hunter2"}, fetch.TLS, "by the proxy 127.0.0.1:"},
		{dial.Proxy{Kind: "http", Address: "127.0.0.1:1"}, fetch.Connecting, "by the proxy 127.0.0.1:1: connection refused"},
	} {
		f := httpproto.NewForward(&dial.Dialer{}, tt.proxy)
		_, err := f.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("http://a.example/"), Limits: fetch.DefaultLimits()})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v, want %s: %s", err, tt.step, tt.want)
		}
		f.Close()
	}
}

// TestForwardListing takes a listing from a proxy that hands it on as one, and
// nothing else for one.
func TestForwardListing(t *testing.T) {
	entries := []fetch.Entry{{Name: "a\xe9", URL: "ftp://a.example/a%E9", Type: "file", Size: 3, Time: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Raw: "-rw a\xe9"},
		{Name: "<b>", Type: "i", Size: -1, Raw: "i<b>\tx"}}
	var text bytes.Buffer
	if err := fetch.WriteEntries(&text, entries); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		url, typ string
		listing  bool
	}{
		{"ftp://a.example/", fetch.ListingType, true},
		{"http://a.example/", fetch.ListingType, false}, // whoever has a page on the web may call it so
		{"ftp://a.example/x.json", "application/json", false},
	} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", tt.typ)
			w.Write(text.Bytes())
		}))
		f := httpproto.NewForward(&dial.Dialer{}, dial.Proxy{Kind: "http", Address: proxy.Listener.Addr().String()})
		resp, err := f.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(tt.url), Limits: fetch.DefaultLimits()})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.Listing != tt.listing {
			t.Errorf("%s: %+v, %v", tt.url, resp, err)
		}
		want := text.String()
		if tt.listing {
			want = "-rw a\xe9\r\ni<b>\tx\r\n"
			entries[0].Name = "a\ufffd"
			if !slices.Equal(resp.Entries, entries) {
				t.Errorf("%+v", resp.Entries)
			}
		}
		if string(body) != want {
			t.Errorf("%s: %q, want %q", tt.url, body, want)
		}
		f.Close()
		proxy.Close()
	}
	if _, err := fetch.ReadEntries(text.Bytes(), fetch.Limits{MaxEntries: 1}); !errors.Is(err, fetch.ErrTooLarge) {
		t.Errorf("two entries where one is allowed: %v", err)
	}
	if _, err := fetch.ReadEntries([]byte("{\"name\":1}"), fetch.Limits{}); err == nil {
		t.Error("that is no listing")
	}
}
