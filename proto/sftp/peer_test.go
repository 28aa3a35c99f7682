package sftp_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/sftp"
)

// TestOpenSSH is against OpenSSH's own server.
func TestOpenSSH(t *testing.T) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	key := newKey(t)
	addr, user := peer.SSHD(t, pem.EncodeToMemory(block), string(ssh.MarshalAuthorizedKey(key.PublicKey())))
	tree := peer.Tree(t)
	hosts := &sftp.Hosts{}
	get := func(path string) (*fetch.Result, string, error) {
		tr := &sftp.Transport{Dialer: &dial.Dialer{}, Hosts: hosts, Agent: func() ([]ssh.Signer, io.Closer, error) { return []ssh.Signer{newKey(t), key}, nil, nil }}
		c := fetch.Client{Transports: map[string]fetch.Transport{"sftp": tr}}
		fetchtest.Opened(t, peer.Version("openssh-server"), &c)
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("sftp://" + user + "@" + addr + path)})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	got, body, err := get(tree + "/pub/")
	if err != nil || !got.Listing || len(got.Entries) == 0 || body == "" {
		t.Fatalf("%q, %v: %+v", body, err, got)
	}
	files := 0
	for _, e := range got.Entries {
		_, path, _ := strings.Cut(e.URL, addr)
		if e.Type != "file" {
			continue
		}
		files++
		if file, body, err := get(path); err != nil || int64(len(body)) != e.Size || file.Size != e.Size {
			t.Errorf("%q: %d octets, %v; the listing says %d", e.Name, len(body), err, e.Size)
		}
	}
	if files == 0 {
		t.Errorf("no file in %+v", got.Entries)
	}
	if got, body, err := get(tree + "/pub/blob.bin"); err != nil || body != string(peer.Blob()) {
		t.Errorf("%d octets, %v: %+v", len(body), err, got)
	}
	if _, _, err := get(tree + "/none"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, _, err := get("/dev/null"); !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("a device: %v", err)
	}
	if _, _, err := get("/"); err != nil { // where the login begins
		t.Error(err)
	}
}
