// Package nfs reads from a Go NFS server that others wrote: version 3 and MOUNT
// at one port, without a list of exports and without a public file handle.
package nfs_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	gonfs "github.com/willscott/go-nfs"
	"github.com/willscott/go-nfs/helpers"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/nfs"
)

// serve serves a file system, and ends with the test.
func serve(t *testing.T, fs billy.Filesystem) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gonfs.Log.SetLevel(gonfs.PanicLevel) // it tells every procedure that it has not
	done := make(chan struct{})
	go func() {
		defer close(done)
		gonfs.Serve(l, helpers.NewCachingHandler(helpers.NewNullAuthHandler(fs), 4096))
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}

func TestGoNFS(t *testing.T) {
	tree := t.TempDir()
	large := bytes.Repeat([]byte("a line of a large file\n"), 50_000)
	for name, text := range map[string][]byte{"hello.txt": []byte("hello\n"), "sub/large": large, "sub/caf\u00e9": []byte("x"), "empty": nil} {
		file := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 700 {
		if err := os.WriteFile(filepath.Join(tree, "sub", fmt.Sprintf("a file of a long enough name %03d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	addr := serve(t, osfs.New(tree))
	client := fetch.Client{Transports: map[string]fetch.Transport{"nfs": nfs.New(&dial.Dialer{})}}
	get := func(path string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
		req := &fetch.Request{URL: anyurl.MustParse("nfs://" + addr + path)}
		for _, c := range change {
			c(req)
		}
		got, err := client.Do(t.Context(), req)
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	for path, want := range map[string]string{"/hello.txt": "hello\n", "/sub/large": string(large), "/sub/caf%C3%A9": "x", "/empty": ""} {
		got, body, err := get(path)
		if err != nil || body != want || got.Size != int64(len(want)) || got.Protocol != "NFS 3" {
			t.Errorf("%s: %d octets of %d, %v", path, len(body), len(want), err)
		}
	}
	if _, body, err := get("/sub/large", func(r *fetch.Request) { r.Offset = 1_000_001 }); err != nil || body != string(large[1_000_001:]) {
		t.Errorf("from octet 1000001: %d octets, %v", len(body), err)
	}
	got, _, err := get("/sub")
	if err != nil || len(got.Entries) != 702 {
		t.Errorf("a folder of 702: %v", err)
	}
	if _, _, err := get("/nothing"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
}
