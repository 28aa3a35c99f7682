package gopher_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/gopher"
)

func client(config *tls.Config) *fetch.Client {
	tr := gopher.New(&dial.Dialer{TLS: config})
	return &fetch.Client{Transports: map[string]fetch.Transport{"gopher": tr, "gophers": tr}}
}

func get(t *testing.T, c *fetch.Client, url string) (*fetch.Result, string, error) {
	t.Helper()
	got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

// hello is pub/hello.txt of the tree: its lines "." and "..dots" are text.
const hello = "Hello plain text\nsecond line\n.\n..dots\nlast\n"

// find is the entry with a name.
func find(t *testing.T, got *fetch.Result, name string) fetch.Entry {
	t.Helper()
	for _, e := range got.Entries {
		if e.Name == name || strings.HasPrefix(e.Name, name+" ") {
			return e
		}
	}
	t.Errorf("no %q in %+v", name, got.Entries)
	return fetch.Entry{}
}

// TestGophernicus is against Gophernicus 3.1: no end marks, nothing doubled,
// octal escapes in selectors.
func TestGophernicus(t *testing.T) {
	program := peer.Look(t, "gophernicus", "gophernicus")
	peer.Look(t, "socat", "socat")
	tree := peer.Tree(t)
	// The port is in the menus, so it has to be known before the start.
	port := peer.Port(t)
	user := ""
	if os.Getuid() == 0 {
		user = ",su=nobody"
	}
	argv := fmt.Sprintf("EXEC:%s -nv -np -nu -nx -nm -h 127.0.0.1 -p %d -r %s", program, port, tree)
	p := peer.Start(t, exec.Command(peer.Look(t, "socat", "socat"), fmt.Sprintf("TCP-LISTEN:%d,bind=127.0.0.1,reuseaddr,fork%s", port, user), argv))
	p.Await(t, peer.Addr(port))
	base := "gopher://" + peer.Addr(port)
	c := client(nil)
	fetchtest.Opened(t, peer.Version("gophernicus"), c)

	got, _, err := get(t, c, base)
	if err != nil || !got.Listing {
		t.Fatalf("the menu: %v", err)
	}
	dir := find(t, got, "pub")
	if dir.Type != "1" {
		t.Errorf("%+v", dir)
	}
	if got, _, err = get(t, c, dir.URL); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hello.txt", "café.txt", "blob.bin"} {
		e := find(t, got, name)
		_, body, err := get(t, c, e.URL)
		want := map[string]string{"hello.txt": hello, "café.txt": "café\n", "blob.bin": string(peer.Blob())}[name]
		if e.Type == "0" {
			body = strings.ReplaceAll(body, "\r\n", "\n")
		}
		if err != nil || body != want {
			t.Errorf("%s (%s): %.80q, %v", name, e.URL, body, err)
		}
	}
	if _, body, err := get(t, c, base+"/0/pub/sub/inner.txt"); err != nil || body != "inner\r\n" {
		t.Errorf("%q, %v", body, err)
	}
	// A menu that is not there is an error item. For a text the words are the
	// text, and nothing says that they are not; and as the server exits with a
	// failure then, socat may lose what it said.
	if _, body, err := get(t, c, base+"/1/no/such/"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("a menu that is not there: %q, %v", body, err)
	}
	if _, body, err := get(t, c, base+"/0/no/such/thing"); !errors.Is(err, fetch.ErrNotFound) && !strings.HasPrefix(body, "Error: File or directory not found!") {
		t.Errorf("a text that is not there: %q, %v", body, err)
	}
	// No Gopher+ here: the plain answer does.
	if got, body, err := get(t, c, base+"/0/pub/sub/inner.txt%09%09+"); err != nil || !strings.HasPrefix(body, "inner") || got.Protocol != "gopher" {
		t.Errorf("Gopher+: %q, %v", body, err)
	}
}

// TestPygopherd is against pygopherd 3: Gopher+, raw text, and TLS and clear
// on one port.
func TestPygopherd(t *testing.T) {
	addr, pool := peer.Pygopherd(t, peer.Tree(t))
	for _, scheme := range []string{"gopher", "gophers"} {
		t.Run(scheme, func(t *testing.T) {
			base := scheme + "://" + addr
			c := client(&tls.Config{RootCAs: pool})
			fetchtest.Opened(t, peer.Version("pygopherd"), c)
			got, _, err := get(t, c, base)
			if err != nil {
				t.Fatal(err)
			}
			dir := find(t, got, "pub")
			if !strings.HasPrefix(dir.URL, base+"/") {
				t.Errorf("%+v", dir)
			}
			if got, _, err = get(t, c, dir.URL); err != nil {
				t.Fatal(err)
			}
			if _, body, err := get(t, c, find(t, got, "hello").URL); err != nil || body != hello {
				t.Errorf("%q, %v", body, err)
			}
			if _, body, err := get(t, c, base+"/9/pub/blob.bin"); err != nil || body != string(peer.Blob()) {
				t.Errorf("%d octets, %v", len(body), err)
			}
			if _, body, err := get(t, c, base+"/0/dir%20with%20space/a%20file.txt"); err != nil || body != "spaces\n" {
				t.Errorf("%q, %v", body, err)
			}
			got, body, err := get(t, c, base+"/0/pub/hello.txt%09%09+")
			if err != nil || body != hello || got.Size != int64(len(hello)) || !strings.HasSuffix(got.Protocol, "+") {
				t.Errorf("Gopher+: %q, %v", body, err)
			}
			got, body, err = get(t, c, base+"/0/pub/hello.txt%09%09!")
			if err != nil || !strings.Contains(body, "+VIEWS:") || len(got.Header["ADMIN"]) == 0 {
				t.Errorf("attributes: %q, %v", body, err)
			}
			if got, _, err = get(t, c, base+"/1/pub/sub%09%09$"); err != nil || len(got.Entries) != 1 || !strings.HasSuffix(got.Entries[0].URL, "/0/pub/sub/inner.txt") {
				t.Errorf("attributes of a menu: %+v, %v", got, err)
			}
			for _, tail := range []string{"/0/nosuch", "/9/nosuch", "/1/nosuch", "/0/nosuch%09%09+"} {
				_, _, err := get(t, c, base+tail)
				var e *fetch.Error
				if !errors.Is(err, fetch.ErrNotFound) || !errors.As(err, &e) || !strings.Contains(e.Said, "does not exist") {
					t.Errorf("%s: %v", tail, err)
				}
			}
		})
	}
	_, _, err := get(t, client(nil), "gophers://"+addr)
	var e *fetch.Error
	if !errors.As(err, &e) || e.Step != fetch.TLS {
		t.Errorf("an unknown certificate: %v", err)
	}
}

// TestPeer is against a live Gopher+ server that the environment names,
// "host:port/selector" of a text item.
func TestPeer(t *testing.T) {
	at := os.Getenv("GOPHERPLUS_PEER")
	if at == "" {
		t.Skip("GOPHERPLUS_PEER names no server")
	}
	addr, selector, _ := strings.Cut(at, "/")
	c := client(nil)
	_, plain, err := get(t, c, "gopher://"+addr+"/0/"+selector)
	if err != nil {
		t.Fatal(err)
	}
	got, body, err := get(t, c, "gopher://"+addr+"/0/"+selector+"%09%09+")
	if err != nil || got.Protocol != "gopher+" || strings.ReplaceAll(body, "\r\n", "\n") != strings.ReplaceAll(plain, "\r\n", "\n") {
		t.Errorf("Gopher+: %q, %v; plain: %q", body, err, plain)
	}
	if got, body, err = get(t, c, "gopher://"+addr+"/0/"+selector+"%09%09!"); err != nil || len(got.Header["INFO"]) == 0 {
		t.Errorf("attributes: %q, %v", body, err)
	}
}
