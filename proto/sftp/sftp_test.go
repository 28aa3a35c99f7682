package sftp_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	peersftp "github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/sftp"
)

func newKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// A host serves SFTP with some files in memory to joe, whose password is
// "secret" and whose key is user.
type host struct {
	key  ssh.Signer
	user ssh.PublicKey
	// small leaves out the large file.
	small bool
	// said, where it is not nil, is what the host answers with, whatever it is
	// asked.
	said []byte
}

func newHost(t testing.TB) *host { return &host{key: newKey(t)} }

// texts are what is in the files.
var texts = map[string]string{"/docs/a.txt": "hello, world\n", "/docs/big.bin": strings.Repeat("0123456789abcdef", 1<<16), "/docs/odd\nname": ""}

// bigName is the file whose making takes the peer a second.
const bigName = "/docs/big.bin"

// files makes them anew: one that was not closed is no good to the next session.
func files(big bool) peersftp.Handlers {
	h := peersftp.InMemHandler()
	h.FileCmd.Filecmd(peersftp.NewRequest("Mkdir", "/docs"))
	for name, text := range texts {
		if name == bigName && !big {
			continue
		}
		req := peersftp.NewRequest("Put", name)
		req.Flags = 0x02 | 0x08 // write, create
		w, err := h.FilePut.Filewrite(req)
		if err == nil {
			_, err = w.WriteAt([]byte(text), 0)
		}
		if err != nil {
			panic(err) // the peer's memory takes whatever it is given
		}
	}
	return h
}

func (h *host) serve(conn net.Conn) {
	config := &ssh.ServerConfig{
		PasswordCallback: func(c ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			if c.User() == "joe" && string(password) == "secret" {
				return nil, nil
			}
			return nil, errors.New("no")
		},
		PublicKeyCallback: func(c ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if h.user != nil && c.User() == "joe" && string(key.Marshal()) == string(h.user.Marshal()) {
				return nil, nil
			}
			return nil, errors.New("no")
		},
	}
	config.AddHostKey(h.key)
	server, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	defer server.Close()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { ssh.DiscardRequests(requests) })
	for n := range channels {
		channel, requests, err := n.Accept()
		if err != nil {
			return
		}
		running.Go(func() {
			for r := range requests {
				r.Reply(r.Type == "subsystem" && string(r.Payload[4:]) == "sftp", nil)
			}
		})
		if h.said != nil {
			running.Go(func() {
				channel.Write(h.said)
				channel.CloseWrite()
				io.Copy(io.Discard, channel)
				channel.Close()
			})
			continue
		}
		running.Go(func() {
			s := peersftp.NewRequestServer(channel, files(!h.small))
			s.Serve()
			s.Close()
		})
	}
}

func TestSuite(t *testing.T) {
	h := newHost(t)
	h.small = true
	fetchtest.Run(t, fetchtest.Subject{
		New:   func(d *dial.Dialer) fetch.Transport { return sftp.New(d) },
		URL:   "sftp://joe:secret@" + fetchtest.Host + "/docs/a.txt",
		Port:  22,
		Want:  "hello, world\n",
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) { h.serve(conn) },
		Head:  true,
	})
}

// open asks a host in memory for a URL.
func open(t *testing.T, h *host, tr *sftp.Transport, req *fetch.Request) (*fetch.Result, string, error) {
	t.Helper()
	var network transcript.Network
	l, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:22"))
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { h.serve(conn); conn.Close() })
		}
	})
	tr.Dialer = &dial.Dialer{Connect: network.Dial}
	c := fetch.Client{Transports: map[string]fetch.Transport{"sftp": tr}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer func() { cancel(); l.Close(); running.Wait() }()
	got, err := c.Do(ctx, req)
	if err != nil {
		return nil, "", err
	}
	b, err := io.ReadAll(got.Body)
	if closeErr := got.Body.Close(); closeErr != nil {
		t.Error(closeErr)
	}
	return got, string(b), err
}

func request(url string) *fetch.Request { return &fetch.Request{URL: anyurl.MustParse(url)} }

func TestFiles(t *testing.T) {
	h := newHost(t)
	got, body, err := open(t, h, sftp.New(nil), request("sftp://joe:secret@192.0.2.1/docs/a.txt"))
	if err != nil || body != "hello, world\n" || got.Size != 13 || got.Type != "text/plain; charset=utf-8" && got.Type != "text/plain" || got.Protocol != "sftp" {
		t.Errorf("%q, %v: %+v", body, err, got)
	}
	if got, body, err := open(t, h, sftp.New(nil), request("sftp://joe:secret@192.0.2.1/docs/big.bin")); err != nil || len(body) != 1<<20 || body != strings.Repeat("0123456789abcdef", 1<<16) || got.Size != 1<<20 {
		t.Errorf("%d octets, %v", len(body), err)
	}
	req := request("sftp://joe:secret@192.0.2.1/docs/a.txt")
	req.Offset = 7
	if got, body, err := open(t, h, sftp.New(nil), req); err != nil || body != "world\n" || got.Offset != 7 || got.Size != 6 {
		t.Errorf("from 7: %q, %v", body, err)
	}
	got, body, err = open(t, h, sftp.New(nil), request("sftp://joe:secret@192.0.2.1/docs"))
	if err != nil || !got.Listing || len(got.Entries) != 3 || body != "a.txt\nbig.bin\n\"odd\\nname\"\n" || got.URL.String() != "sftp://joe:secret@192.0.2.1/docs/" {
		t.Fatalf("%q, %v: %+v", body, err, got)
	}
	if e := got.Entries[0]; e.Name != "a.txt" || e.Type != "file" || e.Size != 13 || e.URL != "sftp://joe:secret@192.0.2.1/docs/a.txt" {
		t.Errorf("%+v", e)
	}
	if e := got.Entries[2]; e.Name != "odd\nname" || e.URL != "sftp://joe:secret@192.0.2.1/docs/odd%0Aname" {
		t.Errorf("%+v", e)
	}
	got, _, err = open(t, h, sftp.New(nil), request("sftp://joe:secret@192.0.2.1/")) // where the login begins
	if err != nil || len(got.Entries) != 1 || got.Entries[0].Name != "docs" || got.Entries[0].URL != "sftp://joe:secret@192.0.2.1/docs/" {
		t.Errorf("%v: %+v", err, got)
	}
	req = request("sftp://192.0.2.1/docs/a.txt")
	req.Auth = &fetch.Auth{User: "joe", Password: "secret", HasPassword: true}
	if _, body, err := open(t, h, sftp.New(nil), req); err != nil || body != "hello, world\n" {
		t.Errorf("credentials beside the URL: %q, %v", body, err)
	}
}

func TestFaults(t *testing.T) {
	h := newHost(t)
	req := request("sftp://joe:secret@192.0.2.1/docs/")
	req.Limits.MaxEntries = 2
	for _, tt := range []struct {
		req  *fetch.Request
		step string
		kind error
	}{
		{request("sftp://joe:secret@192.0.2.1/docs/none"), fetch.Status, fetch.ErrNotFound},
		{request("sftp://joe:secret@192.0.2.1/docs/a.txt/"), fetch.Status, fetch.ErrNotFound},
		{request("sftp://joe:wrong@192.0.2.1/docs/a.txt"), fetch.Login, fetch.ErrDenied},
		{request("sftp://192.0.2.1/docs/a.txt"), fetch.Login, fetch.ErrDenied},
		{request("sftp://joe;fingerprint=SHA256%3AAAAA:secret@192.0.2.1/docs/a.txt"), fetch.Greeting, fetch.ErrRefused},
		{req, fetch.Limit, fetch.ErrTooLarge},
	} {
		_, _, err := open(t, h, sftp.New(nil), tt.req)
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != tt.step || !errors.Is(err, tt.kind) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: %v; want %v at %s", tt.req.URL.Redacted(), err, tt.kind, tt.step)
		}
	}
}

// TestKeys logs in with a key, as an agent gives it and from a file.
func TestKeys(t *testing.T) {
	h, user := newHost(t), newKey(t)
	h.small = true
	h.user = user.PublicKey()
	tr := sftp.New(nil)
	closed := false
	tr.Agent = func() ([]ssh.Signer, io.Closer, error) {
		return []ssh.Signer{newKey(t), user}, closing(func() error { closed = true; return nil }), nil
	}
	if _, body, err := open(t, h, tr, request("sftp://joe@192.0.2.1/docs/a.txt")); err != nil || body != "hello, world\n" || !closed {
		t.Errorf("%q, %v, closed %v", body, err, closed)
	}
	_, private, _ := ed25519.GenerateKey(rand.Reader)
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "id_ed25519")
	if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, _ := ssh.NewSignerFromKey(private)
	h.user = signer.PublicKey()
	tr = sftp.New(nil)
	tr.Keys = []string{filepath.Join(t.TempDir(), "none"), name}
	tr.User = "joe"
	if _, body, err := open(t, h, tr, request("sftp://192.0.2.1/docs/a.txt")); err != nil || body != "hello, world\n" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestSocket asks an agent at a socket.
func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, private, _ := ed25519.GenerateKey(rand.Reader)
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: private}); err != nil {
		t.Fatal(err)
	}
	go func() {
		if conn, err := l.Accept(); err == nil {
			agent.ServeAgent(keys, conn)
		}
	}()
	h := newHost(t)
	h.small = true
	signer, _ := ssh.NewSignerFromKey(private)
	h.user = signer.PublicKey()
	tr := sftp.New(nil)
	tr.Agent = sftp.Socket(path)
	if _, body, err := open(t, h, tr, request("sftp://joe@192.0.2.1/docs/a.txt")); err != nil || body != "hello, world\n" {
		t.Errorf("%q, %v", body, err)
	}
	// An agent that is not there is said and passed over.
	tr.Agent = sftp.Socket(path + "none")
	req, told := request("sftp://joe@192.0.2.1/docs/a.txt"), ""
	req.Trace = func(e fetch.Event) { told += e.Text }
	if _, _, err := open(t, h, tr, req); !errors.Is(err, fetch.ErrDenied) || !strings.Contains(told, "agent does not answer") {
		t.Errorf("%v; %s", err, told)
	}
}

type closing func() error

func (c closing) Close() error { return c() }

// TestHosts is what becomes of host keys: the first is trusted and kept,
// another one refused, and the user's own file goes before.
func TestHosts(t *testing.T) {
	h, other := newHost(t), newHost(t)
	h.small, other.small = true, true
	const url = "sftp://joe:secret@192.0.2.1/docs/a.txt"
	for _, file := range []string{"", filepath.Join(t.TempDir(), "state", "ssh-hosts")} {
		tr := sftp.New(nil)
		tr.Hosts.Path = file
		for range 2 {
			if _, _, err := open(t, h, tr, request(url)); err != nil {
				t.Errorf("%q: %v", file, err)
			}
		}
		if file != "" {
			tr = sftp.New(nil) // another process
			tr.Hosts.Path = file
		}
		_, _, err := open(t, other, tr, request(url))
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Greeting || !errors.Is(err, fetch.ErrRefused) || !strings.Contains(err.Error(), "SHA256:") {
			t.Errorf("%q: another key: %v", file, err)
		}
		if file == "" {
			continue
		}
		lines, err := os.ReadFile(file)
		if want := "192.0.2.1 " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(h.key.PublicKey()))) + "\n"; string(lines) != want || err != nil {
			t.Errorf("remembered: %q, %v; want %q", lines, err, want)
		}
		tr = sftp.New(nil)
		tr.Hosts = &sftp.Hosts{Known: []string{file, filepath.Join(t.TempDir(), "none")}}
		if _, _, err := open(t, h, tr, request(url)); err != nil {
			t.Errorf("known: %v", err)
		}
		if _, _, err := open(t, other, tr, request(url)); !errors.Is(err, fetch.ErrRefused) {
			t.Errorf("known, and another key: %v", err)
		}
	}
	// What the URL says of the key goes before all else.
	print := ssh.FingerprintSHA256(h.key.PublicKey())
	md5 := "ssh-ed25519-" + strings.ReplaceAll(ssh.FingerprintLegacyMD5(h.key.PublicKey()), ":", "-")
	for _, fingerprint := range []string{strings.NewReplacer(":", "%3A", "+", "%2B", "/", "%2F").Replace(print), md5} {
		url := fmt.Sprintf("sftp://joe;fingerprint=%s:secret@192.0.2.1/docs/a.txt", fingerprint)
		if _, _, err := open(t, h, sftp.New(nil), request(url)); err != nil {
			t.Errorf("%s: %v", fingerprint, err)
		}
		if _, _, err := open(t, other, sftp.New(nil), request(url)); !errors.Is(err, fetch.ErrRefused) {
			t.Errorf("%s, and another key: %v", fingerprint, err)
		}
	}
}

func Example() {
	tr := sftp.New(&dial.Dialer{Allow: dial.Guard})
	tr.Hosts.Known = []string{"/etc/ssh/ssh_known_hosts"}
	client := fetch.Client{Transports: map[string]fetch.Transport{"sftp": tr}}
	_, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("sftp://joe@127.0.0.1/srv/docs/a.txt")})
	fmt.Println(errors.Is(err, fetch.ErrRefused)) // this machine is what the guard is for
	// Output: true
}
