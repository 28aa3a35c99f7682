package dial_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl/dial"
	"anyurl/internal/transcript"
)

func TestProxy(t *testing.T) {
	const address = "proxy.test:1080"
	for _, tt := range []struct {
		name   string
		proxy  dial.Proxy
		target string
		allow  bool
		trust  bool
		valid  bool   // the address that comes back; as allow where that is set and the proxy is not trusted
		want   string // what the proxy hears, in turns
		says   []string
		err    string // a part of the error; "" for a connection
	}{
		// RFC 1928, sections 3 to 6
		{name: "socks5h, a name", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70",
			want: "\x05\x01\x00|\x05\x01\x00\x03\x06a.test\x00\x46", says: []string{"\x05\x00", "\x05\x00\x00\x01\x01\x02\x03\x04\x00\x01"}},
		{name: "socks5, an address found here", proxy: dial.Proxy{Kind: "socks5"}, target: "a.test:70", valid: true,
			want: "\x05\x01\x00|\x05\x01\x00\x01\x08\x08\x08\x08\x00\x46", says: []string{"\x05\x00", "\x05\x00\x00\x03\x02ab\x00\x01"}},
		{name: "socks5h, a vetted address", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70", allow: true,
			want: "\x05\x01\x00|\x05\x01\x00\x01\x08\x08\x08\x08\x00\x46", says: []string{"\x05\x00", "\x05\x00\x00\x03\x02ab\x00\x01"}},
		{name: "socks5h, a trusted proxy's look-up", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70", allow: true, trust: true,
			want: "\x05\x01\x00|\x05\x01\x00\x03\x06a.test\x00\x46", says: []string{"\x05\x00", "\x05\x00\x00\x03\x02ab\x00\x01"}},
		{name: "a trusted proxy, an internal address", proxy: dial.Proxy{Kind: "http"}, target: "10.0.0.1:70", allow: true, trust: true, err: "the guard refuses"},
		{name: "a trusted proxy, its own machine", proxy: dial.Proxy{Kind: "http"}, target: "a.LocalHost.:70", allow: true, trust: true, err: "the guard refuses"},
		{name: "socks5, a trusted proxy that looks nothing up", proxy: dial.Proxy{Kind: "socks5"}, target: "inside.test:70", allow: true, trust: true, err: "the guard refuses"},
		{name: "socks5, a vetted address", proxy: dial.Proxy{Kind: "socks5"}, target: "a.test:70", allow: true,
			want: "\x05\x01\x00|\x05\x01\x00\x01\x08\x08\x08\x08\x00\x46", says: []string{"\x05\x00", "\x05\x00\x00\x03\x02ab\x00\x01"}},
		{name: "socks5, a refused address", proxy: dial.Proxy{Kind: "socks5"}, target: "inside.test:70", allow: true, err: "the guard refuses"},
		{name: "socks5, a login", proxy: dial.Proxy{Kind: "socks5", User: "u", Password: "pw"}, target: "[2001:db8::1]:70", valid: true,
			want: "\x05\x02\x00\x02|\x01\x01u\x02pw|\x05\x01\x00\x04\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x46",
			says: []string{"\x05\x02", "\x01\x00", "\x05\x00\x00\x04aaaaaaaaaaaaaaaa\x00\x01"}},
		{name: "socks5, a refused login", proxy: dial.Proxy{Kind: "socks5h", User: "u", Password: "pw"}, target: "a.test:70",
			want: "\x05\x02\x00\x02|\x01\x01u\x02pw", says: []string{"\x05\x02", "\x01\x01"}, err: "refuses the login"},
		{name: "socks5, no login to give", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70", want: "\x05\x01\x00", says: []string{"\x05\xff"}, err: "another kind"},
		{name: "socks5, nobody there", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70",
			want: "\x05\x01\x00|\x05\x01\x00\x03\x06a.test\x00\x46", says: []string{"\x05\x00", "\x05\x05\x00\x01"}, err: "connection refused"},
		{name: "socks5, another protocol", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70", want: "\x05\x01\x00", says: []string{"HTTP/1.1 400\r\n\r\n"}, err: "does not speak SOCKS"},
		// RFC 9110, section 9.3.6
		{name: "http", proxy: dial.Proxy{Kind: "http"}, target: "a.test:70", want: "CONNECT a.test:70 HTTP/1.1\r\nHost: a.test:70\r\n\r\n", says: []string{"HTTP/1.1 200 OK\r\nX: y\r\n\r\n"}},
		{name: "http, a login", proxy: dial.Proxy{Kind: "http", User: "Aladdin", Password: "open sesame"}, target: "a.test:70",
			want: "CONNECT a.test:70 HTTP/1.1\r\nHost: a.test:70\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n", says: []string{"HTTP/1.0 200 OK\r\n\r\n"}},
		{name: "http, a vetted address", proxy: dial.Proxy{Kind: "http"}, target: "a.test:70", allow: true, want: "CONNECT 8.8.8.8:70 HTTP/1.1\r\nHost: 8.8.8.8:70\r\n\r\n", says: []string{"HTTP/1.1 200 OK\r\n\r\n"}},
		{name: "http, refused", proxy: dial.Proxy{Kind: "http"}, target: "a.test:70", want: "CONNECT a.test:70 HTTP/1.1\r\nHost: a.test:70\r\n\r\n", says: []string{"HTTP/1.1 403 \x1b[2J\r\n\r\n"}, err: `"403 \x1b[2J"`},
		{name: "http, another protocol", proxy: dial.Proxy{Kind: "http"}, target: "a.test:70", want: "CONNECT a.test:70 HTTP/1.1\r\nHost: a.test:70\r\n\r\n", says: []string{"220 ready\r\n\r\n"}, err: "does not speak HTTP"},
		{name: "http, endless", proxy: dial.Proxy{Kind: "http"}, target: "a.test:70", want: "CONNECT a.test:70 HTTP/1.1\r\nHost: a.test:70\r\n\r\n", says: []string{"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 9000)}, err: "longer than the limit"},
		{name: "http, two lines", proxy: dial.Proxy{Kind: "http"}, target: "a\r\nb:70", err: "cannot stand in a request line"},
		{name: "silence", proxy: dial.Proxy{Kind: "socks5h"}, target: "a.test:70", want: "\x05\x01\x00", says: []string{""}, err: "within the time limit"},
		{name: "no such kind", proxy: dial.Proxy{Kind: "socks4"}, target: "a.test:70", err: "no kind of proxy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var network transcript.Network
				l, err := network.Listen(netip.MustParseAddrPort("10.0.0.9:1080"))
				if err != nil {
					t.Fatal(err)
				}
				heard := make(chan string, 1)
				go func() {
					all := ""
					defer func() { heard <- all }()
					conn, err := l.Accept()
					if err != nil {
						return
					}
					defer conn.Close()
					for i, say := range tt.says {
						turn := strings.Split(tt.want, "|")[i]
						buf := make([]byte, len(turn))
						n, _ := io.ReadFull(conn, buf)
						if all += string(buf[:n]); i < len(tt.says)-1 {
							all += "|"
						}
						io.WriteString(conn, say)
					}
					if tt.err == "" {
						io.WriteString(conn, "220 from the target")
					}
					io.Copy(io.Discard, conn)
				}()
				p := tt.proxy
				p.Address = address
				d := dial.Dialer{
					Resolver: &names{answers: map[string][][]string{"proxy.test": {{"10.0.0.9"}}, "a.test": {{"8.8.8.8"}}, "inside.test": {{"10.0.0.1"}}}},
					Connect:  network.Dial,
					Proxy:    func(string, uint16) (dial.Proxy, bool) { return p, true },
				}
				if tt.allow {
					d.Allow = dial.Guard
					d.TrustProxy = tt.trust
				}
				conn, at, err := d.Dial(dial.WithTimeout(t.Context(), 5*time.Second), "tcp", tt.target)
				if tt.err != "" {
					var e *dial.Error
					if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\x1b\r\n") {
						t.Errorf("got %v", err)
					}
				} else if err != nil {
					t.Error(err)
				} else {
					got := make([]byte, 19)
					if n, _ := io.ReadFull(conn, got); string(got[:n]) != "220 from the target" {
						t.Errorf("read %q", got[:n])
					}
					if at.IsValid() != (tt.valid || tt.allow && !tt.trust) {
						t.Errorf("at %v", at)
					}
					conn.Close()
				}
				l.Close()
				if got := <-heard; got != tt.want {
					t.Errorf("the proxy heard %q, want %q", got, tt.want)
				}
				for _, ap := range network.Dialled() {
					if ap.String() != "10.0.0.9:1080" {
						t.Errorf("dialled %v", ap)
					}
				}
			})
		})
	}
	// Who needs no proxy goes straight; datagrams go past none.
	a := &attempts{}
	d := dial.Dialer{Connect: a.connect, Proxy: func(host string, _ uint16) (dial.Proxy, bool) { return dial.Proxy{}, host != "8.8.8.8" }}
	for _, network := range []string{"tcp", "udp"} {
		conn, err := d.DialContext(t.Context(), network, "8.8.8.8:1")
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	if _, err := d.DialContext(t.Context(), "udp", "9.9.9.9:1"); !errors.Is(err, dial.ErrNoDatagrams) {
		t.Errorf("datagrams past a proxy: %v", err)
	}
	if !slices.Equal(a.to, []string{"8.8.8.8:1", "8.8.8.8:1"}) {
		t.Errorf("dialled %q", a.to)
	}
}

func TestVet(t *testing.T) {
	for _, tt := range []struct {
		host  string
		trust bool
		want  string // a part of the error; "" for none
	}{
		{"a.test", false, ""},
		{"inside.test", false, "the guard refuses 10.0.0.1"},
		{"both.test", false, "the guard refuses 10.0.0.1"}, // the proxy may take either
		{"nowhere.test", false, "no such host"},
		{"::1", false, "the guard refuses ::1"},
		{"inside.test", true, ""}, // the proxy knows
		{"nowhere.test", true, ""},
		{"10.0.0.1", true, "the guard refuses 10.0.0.1"},
		{"::ffff:10.0.0.1", true, "the guard refuses 10.0.0.1"},
		{"localhost", true, "the guard refuses 127.0.0.1"},
		{"x.localhost", true, "the guard refuses 127.0.0.1"},
	} {
		d := dial.Dialer{
			Resolver:   &names{answers: map[string][][]string{"a.test": {{"8.8.8.8"}}, "inside.test": {{"10.0.0.1"}}, "both.test": {{"8.8.8.8", "10.0.0.1"}}}},
			Allow:      dial.Guard,
			TrustProxy: tt.trust,
			Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
				t.Errorf("%s: connected", tt.host)
				return nil, errors.New("no")
			},
		}
		err := d.Vet(t.Context(), tt.host, 80)
		var e *dial.Error
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || !errors.As(err, &e)) {
			t.Errorf("%s: %v, want %q", tt.host, err, tt.want)
		}
	}
	if err := new(dial.Dialer).Vet(t.Context(), "127.0.0.1", 80); err != nil {
		t.Errorf("nobody decides: %v", err)
	}
}

// A proxy over TLS is who its certificate says, and the target's own settings
// are not the proxy's.
func TestProxyTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "CONNECT" || r.Host != "a.test:70" {
			t.Errorf("%s %s", r.Method, r.Host)
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nhello")
		conn.Close()
	}))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that is to fail
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	for _, tt := range []struct {
		config *tls.Config
		well   bool
	}{{&tls.Config{RootCAs: roots, ServerName: "a.test"}, true}, {&tls.Config{InsecureSkipVerify: true}, false}, {nil, false}} {
		d := dial.Dialer{TLS: tt.config, Proxy: func(string, uint16) (dial.Proxy, bool) {
			return dial.Proxy{Kind: "https", Address: s.Listener.Addr().String()}, true
		}}
		conn, err := d.DialContext(t.Context(), "tcp", "a.test:70")
		if (err == nil) != tt.well {
			t.Errorf("%v", err)
		}
		if err == nil {
			if hello, err := io.ReadAll(conn); string(hello) != "hello" {
				t.Errorf("%q, %v", hello, err)
			}
			conn.Close()
		}
	}
}

func ExampleProxy() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:3128"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse("C: CONNECT gopher.example:70 HTTP/1.1\nC: Host: gopher.example:70\nC:\nS: HTTP/1.1 200 OK\nS:\nS- hello")}}
	s.Start(l)
	d := dial.Dialer{Connect: network.Dial, Proxy: func(string, uint16) (dial.Proxy, bool) {
		return dial.Proxy{Kind: "http", Address: "192.0.2.1:3128"}, true
	}}
	conn, err := d.DialContext(context.Background(), "tcp", "gopher.example:70")
	if err != nil {
		fmt.Println(err)
		return
	}
	hello := make([]byte, 5)
	io.ReadFull(conn, hello)
	conn.Close()
	fmt.Println(string(hello))
	// Output:
	// hello
}
