package gemini_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
	"anyurl/proto/gemini"
)

// certificate makes one that vouches for itself, from 1990 until the year given.
func certificate(until int) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "capsule.example"}, DNSNames: []string{fetchtest.Host},
		NotBefore: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(until, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// serve takes one request inside TLS and answers it; cut leaves TLS's end out.
func serve(conn net.Conn, cert tls.Certificate, cut bool, answer func(request string) string) {
	c := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{cert}, Time: func() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }})
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	io.WriteString(c, answer(strings.TrimSuffix(line, "\r\n")))
	if !cut {
		c.CloseWrite()
	}
}

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:1965"))
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			serve(conn, certificate(2100), false, func(string) string { return "20 text/gemini; lang=en\r\n# Tulips\n" })
			conn.Close()
		}
	}()

	client := fetch.Client{Transports: map[string]fetch.Transport{"gemini": gemini.New(&dial.Dialer{Connect: network.Dial}, nil)}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("gemini://192.0.2.1/garden")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%d %s %q\n", got.Status, got.Type, body)
	// Output:
	// 20 text/gemini "# Tulips\n"
}

func TestSuite(t *testing.T) {
	cert := certificate(2100)
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return gemini.New(d, nil) }, URL: "gemini://" + fetchtest.Host + ":1965/a?b", Want: "# A page\n", Head: true,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			serve(conn, cert, false, func(request string) string {
				if request != "gemini://"+fetchtest.Host+"/a?b" {
					return "59 what\r\n"
				}
				return "20 text/gemini\r\n# A page\n"
			})
		},
	})
}

// get fetches url from a server that answers each request with its cert; every
// connection gets the next one, the last one over and over.
func get(t *testing.T, tr func(*dial.Dialer) fetch.Transport, url string, cut bool, certs []tls.Certificate, answer func(string) string) (got *fetch.Result, body string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, lerr := network.Listen(netip.MustParseAddrPort("192.0.2.1:1965"))
		if lerr != nil {
			t.Fatal(lerr)
		}
		go func() {
			for i := 0; ; i++ {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				serve(conn, certs[min(i, len(certs)-1)], cut, answer)
				conn.Close()
			}
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"gemini": tr(&dial.Dialer{Connect: network.Dial})}}
		if got, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)}); err == nil {
			var b []byte
			b, err = io.ReadAll(got.Body)
			body = string(b)
			got.Body.Close()
		}
		l.Close()
		synctest.Wait()
	})
	return got, body, err
}

func plain(d *dial.Dialer) fetch.Transport { return gemini.New(d, nil) }

func TestStatus(t *testing.T) {
	certs := []tls.Certificate{certificate(2100)}
	pages := map[string]string{
		"gemini://192.0.2.1/":       "31 /new\r\n",
		"gemini://192.0.2.1/new":    "20 \r\nhere",
		"gemini://192.0.2.1/bare":   "20\r\nbare",
		"gemini://192.0.2.1/lines":  "20 TEXT/PLAIN;charset=iso-8859-1\r\na\r\nb\r\n",
		"gemini://192.0.2.1/?a%20b": "30 gemini://192.0.2.1/lines\r\n",
	}
	for _, tt := range []struct {
		tail, body, typ string
		hops            int
	}{
		{"", "here", "text/gemini", 2},
		{"/bare", "bare", "text/gemini", 1},
		{"/lines", "a\r\nb\r\n", "text/plain", 1},
		{"?a%20b", "a\r\nb\r\n", "text/plain", 2},
		{"/lines#fragment", "a\r\nb\r\n", "text/plain", 1}, // which is not sent
	} {
		got, body, err := get(t, plain, "gemini://192.0.2.1"+tt.tail, false, certs, func(r string) string { return pages[r] })
		if err != nil || body != tt.body || got.Type != tt.typ || len(got.Hops) != tt.hops {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
	for _, tt := range []struct {
		say    string
		kind   error
		status int
		said   string
	}{
		{"10 your name?\r\n", fetch.ErrDenied, 10, "your name?"},
		{"11 your word?\r\n", fetch.ErrDenied, 11, "your word?"},
		{"30\r\n", fetch.ErrMalformed, 30, ""},
		{"40 later\r\n", fetch.ErrBusy, 40, "later"},
		{"41 down\r\n", fetch.ErrBusy, 41, "down"},
		{"44 60\r\n", fetch.ErrBusy, 44, "60"},
		{"50 never\r\n", nil, 50, "never"},
		{"51 nothing\r\n", fetch.ErrNotFound, 51, "nothing"},
		{"52 gone\r\n", fetch.ErrNotFound, 52, "gone"},
		{"53 not mine\r\n", fetch.ErrDenied, 53, "not mine"},
		{"60 who are you\r\n", fetch.ErrDenied, 60, "who are you"},
		{"70 what\r\n", fetch.ErrMalformed, 0, "70 what"},
		{"2 text/plain\r\n", fetch.ErrMalformed, 0, "2 text/plain"},
		{"200 OK\r\n", fetch.ErrMalformed, 0, "200 OK"},
		{"HTTP/1.1 400 Bad Request\r\n", fetch.ErrMalformed, 0, "HTTP/1.1 400 Bad Request"},
		{"20 " + strings.Repeat("x", 1100) + "\r\n", fetch.ErrTooLarge, 0, ""},
		{"20 half", nil, 0, ""},
		{"", fetch.ErrTruncated, 0, ""},
		{"30 spartan://192.0.2.1/\r\n", fetch.ErrRefused, 0, "spartan://192.0.2.1/"},
	} {
		_, _, err := get(t, plain, "gemini://192.0.2.1/", false, certs, func(string) string { return tt.say })
		var e *fetch.Error
		if !errors.As(err, &e) || e.Status != tt.status || e.Said != tt.said || tt.kind != nil && !errors.Is(err, tt.kind) {
			t.Errorf("%.40q: %v", tt.say, err)
		}
	}
	// The page came, but nobody says that it is all of it.
	if _, body, err := get(t, plain, "gemini://192.0.2.1/", true, certs, func(string) string { return "20 text/plain\r\nhalf" }); !errors.Is(err, fetch.ErrTruncated) || body != "half" {
		t.Errorf("cut: %q, %v", body, err)
	}
}

func TestTrust(t *testing.T) {
	one, two, over := certificate(2100), certificate(2100), certificate(1999)
	page := func(string) string { return "20 text/plain\r\npage" }
	twice := func(string) string { return "30 /again\r\n" }
	file := filepath.Join(t.TempDir(), "state", "hosts")
	remember := func(d *dial.Dialer) fetch.Transport { return gemini.New(d, &gemini.Hosts{Path: file}) }
	try := func(tr func(*dial.Dialer) fetch.Transport, certs ...tls.Certificate) error {
		n := 0
		_, _, err := get(t, tr, "gemini://192.0.2.1/", false, certs, func(r string) string {
			if n++; n < len(certs) {
				return twice(r)
			}
			return page(r)
		})
		return err
	}
	var changed *gemini.Changed
	if err := try(plain, one, one); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if err := try(plain, one, two); !errors.As(err, &changed) || !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("another: %v", err)
	}
	if err := try(remember, one); err != nil {
		t.Error(err)
	}
	if err := try(remember, one); err != nil {
		t.Errorf("remembered: %v", err)
	}
	err := try(remember, two)
	var e *fetch.Error
	if !errors.As(err, &changed) || !errors.As(err, &e) || e.Step != fetch.TLS || strings.Contains(e.Hint, file) || !strings.Contains(e.Here, file) || !strings.Contains(e.Hint, changed.Now) {
		t.Errorf("another than remembered: %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "192.0.2.1:1965 "+changed.Was+" 2100-01-01T00:00:00Z\n" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	// One whose predecessor has run out is a first use.
	if err := os.WriteFile(file, []byte("# by hand\n\n192.0.2.1:1965 00 1999-12-31T00:00:00Z\nother.example:1965 00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := try(remember, two); err != nil {
		t.Errorf("after the end: %v", err)
	}
	if err := try(remember, one); !errors.As(err, &changed) {
		t.Errorf("and then another: %v", err)
	}
	if err := try(plain, over); err == nil || errors.As(err, &changed) && changed.Now == "" {
		t.Errorf("one that has run out: %v", err)
	}
	// An authority's word goes before what is remembered.
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(one.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(leaf)
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:1965"))
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				serve(conn, one, false, page)
				conn.Close()
			}
		}()
		hosts := filepath.Join(t.TempDir(), "hosts")
		tr := gemini.New(&dial.Dialer{Connect: network.Dial, Resolver: names{}, TLS: &tls.Config{RootCAs: pool}}, &gemini.Hosts{Path: hosts})
		c := fetch.Client{Transports: map[string]fetch.Transport{"gemini": tr}}
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("gemini://" + fetchtest.Host + "/")})
		if err != nil {
			t.Error(err)
		} else {
			got.Body.Close()
		}
		if _, err := os.Stat(hosts); err == nil {
			t.Error("it is remembered")
		}
		l.Close()
		synctest.Wait()
	})
}

type names struct{}

func (names) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
}

// live fetches from a real server.
func live(t *testing.T, server, url string) (*fetch.Result, string, error) {
	t.Helper()
	c := fetch.Client{Transports: map[string]fetch.Transport{"gemini": gemini.New(&dial.Dialer{}, nil)}}
	fetchtest.Opened(t, server, &c)
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

// TestPygopherd is against pygopherd 3, whose one port speaks Gemini inside TLS.
// It ends a page without TLS's mark, so its pages come, and are not taken for
// whole.
func TestPygopherd(t *testing.T) {
	addr, _ := peer.Pygopherd(t, peer.Tree(t))
	_, body, err := live(t, peer.Version("pygopherd"), "gemini://"+addr+"/pub/sub/inner.txt")
	if body != "inner\n" || !errors.Is(err, fetch.ErrTruncated) {
		t.Errorf("%q, %v", body, err)
	}
	if _, _, err := live(t, peer.Version("pygopherd"), "gemini://"+addr+"/nosuch"); !errors.Is(err, fetch.ErrNotFound) {
		t.Error(err)
	}
}

// TestMollyBrown is against Molly Brown, with a certificate that only it
// vouches for. It listens at every address, and cannot be told to do otherwise,
// so it gets a network of its own.
func TestMollyBrown(t *testing.T) {
	program := peer.Look(t, "molly-brown", "molly-brown")
	dir, tree, port := t.TempDir(), peer.Tree(t), peer.Port(t)
	_, cert, key, _ := peer.Certificate(t)
	conf := filepath.Join(dir, "conf")
	text := fmt.Sprintf("Port = %d\nHostname = \"127.0.0.1\"\nCertPath = %q\nKeyPath = %q\nDocBase = %q\nAccessLog = \"-\"\nErrorLog = \"-\"\n", port, cert, key, tree)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	base := "gemini://" + peer.Enclosed(t, port, program, "-c", conf)
	got, body, err := live(t, peer.Version("molly-brown"), base+"/pub/hello.txt")
	if err != nil || !strings.HasPrefix(body, "Hello plain text\n") || got.Type != "text/plain" || got.Status != 20 {
		t.Errorf("%q, %v", body, err)
	}
	if _, body, err = live(t, peer.Version("molly-brown"), base+"/pub/blob.bin"); err != nil || body != string(peer.Blob()) {
		t.Errorf("%d octets, %v", len(body), err)
	}
	if got, body, err = live(t, peer.Version("molly-brown"), base+"/pub"); err != nil || got.Type != "text/gemini" || !strings.Contains(body, "hello.txt") {
		t.Errorf("%q, %v", body, err)
	}
	if _, body, err = live(t, peer.Version("molly-brown"), base+"/dir%20with%20space/a%20file.txt"); err != nil || body != "spaces\n" {
		t.Errorf("%q, %v", body, err)
	}
	if _, _, err = live(t, peer.Version("molly-brown"), base+"/nosuch"); !errors.Is(err, fetch.ErrNotFound) {
		t.Error(err)
	}
}
