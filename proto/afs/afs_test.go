//go:build unix

package afs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/proto/afs"
)

func Example() {
	root, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	os.MkdirAll(filepath.Join(root, "cs.example", "doc"), 0o777)
	os.WriteFile(filepath.Join(root, "cs.example", "doc", "README"), []byte("hello from afs\n"), 0o666)

	client := fetch.Client{Transports: map[string]fetch.Transport{"afs": afs.New(root)}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("afs://cs.example/doc/README")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	// Output: hello from afs
}

// tree makes a folder that looks as an AFS client's does and returns its path.
func tree(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	root := filepath.Join(base, "afs")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"afs/cs.example/doc/readme": "read me\n", "afs/cs.example/doc/a b;c": "x", "afs/other.example/file": "other\n", "secret": "no", "afs/plain": "x",
	} {
		file := filepath.Join(base, name)
		must(os.MkdirAll(filepath.Dir(file), 0o777))
		must(os.WriteFile(file, []byte(text), 0o666))
	}
	must(os.Symlink("cs.example", filepath.Join(root, "cs")))
	must(os.Symlink(filepath.Join(root, "other.example"), filepath.Join(root, "cs.example", "other"))) // absolute, as a cell's own are
	must(os.Symlink("../../../secret", filepath.Join(root, "cs.example", "doc", "out")))
	must(os.Symlink("/etc", filepath.Join(root, "cs.example", "etc")))
	must(os.Symlink("round", filepath.Join(root, "cs.example", "round")))
	must(syscall.Mkfifo(filepath.Join(root, "cs.example", "pipe"), 0o666))
	return root
}

func get(t *testing.T, root, url string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	req := &fetch.Request{URL: anyurl.MustParse(url)}
	for _, f := range change {
		f(req)
	}
	c := fetch.Client{Transports: map[string]fetch.Transport{"afs": afs.New(root)}}
	fetchtest.Opened(t, "a tree of this machine that stands in for /afs", &c)
	got, err := c.Do(t.Context(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

func TestFetch(t *testing.T) {
	root := tree(t)
	for _, tt := range []struct {
		url, want string
		kind      error
	}{
		{url: "afs://cs.example/doc/readme", want: "read me\n"},
		{url: "afs://CS.example/doc/readme", want: "read me\n"},
		{url: "afs://cs/doc/readme", want: "read me\n"},
		{url: "afs://cs.example/doc/a%20b;c", want: "x"},
		{url: "afs://cs.example/other/file", want: "other\n"}, // another cell
		{url: "afs://cs.example/doc/out", kind: fetch.ErrRefused},
		{url: "afs://cs.example/etc/passwd", kind: fetch.ErrRefused},
		{url: "afs://cs.example/pipe", kind: fetch.ErrRefused},
		{url: "afs://cs.example/doc/nothing", kind: fetch.ErrNotFound},
		{url: "afs://cs.example/doc/readme/", kind: fetch.ErrNotFound},
		{url: "afs://cs.example/doc/readme/x", kind: fetch.ErrNotFound},
		{url: "afs://nowhere.example/x", kind: fetch.ErrNotFound},
	} {
		got, body, err := get(t, root, tt.url)
		var e *fetch.Error
		if tt.kind != nil {
			if !errors.Is(err, tt.kind) || !errors.As(err, &e) || strings.Contains(err.Error(), root) {
				t.Errorf("%s: %v, want %v", tt.url, err, tt.kind)
			}
			continue
		}
		if err != nil || body != tt.want || got.Protocol != "afs" || got.Size != int64(len(body)) {
			t.Errorf("%s: %q, %v", tt.url, body, err)
		}
	}
	if _, _, err := get(t, root, "afs://cs.example/round"); err == nil {
		t.Error("a link to itself opens")
	}
	if _, _, err := get(t, root, "afs://nowhere.example/x"); !strings.Contains(err.Error(), "knows no such cell") {
		t.Error(err)
	}
	for _, bad := range []string{"afs://cs.example/a%2F..%2Fb", "afs://cs.example:80/x", "afs://.cs.example/x", "afs://cs.example/..%2f..%2fsecret"} {
		var e *fetch.Error
		if _, _, err := get(t, root, bad); !errors.As(err, &e) || e.Step != fetch.Reading && e.Step != fetch.Gate {
			t.Errorf("%s: %v", bad, err)
		}
	}
	got, body, err := get(t, root, "afs://cs.example/doc/readme", func(r *fetch.Request) { r.Offset = 5 })
	if err != nil || body != "me\n" || got.Offset != 5 {
		t.Errorf("from octet 5: %q, %v", body, err)
	}
	got, body, err = get(t, root, "afs://cs.example")
	if err != nil || body != "doc/\netc\nother\npipe\nround\n" || !got.Listing || got.URL.String() != "afs://cs.example/" && got.URL.String() != "afs://cs.example" {
		t.Fatalf("%q, %v, %v", body, err, got)
	}
	var urls []string
	for _, e := range got.Entries {
		urls = append(urls, e.URL)
	}
	if !slices.Equal(urls[:3], []string{"afs://cs.example/doc/", "afs://cs.example/etc", "afs://cs.example/other"}) {
		t.Errorf("%q", urls)
	}
}

// Without a client the answer says so, and not that the file is missing.
func TestNoClient(t *testing.T) {
	for _, root := range []string{filepath.Join(t.TempDir(), "afs"), filepath.Join(tree(t), "plain")} {
		_, _, err := get(t, root, "afs://cs.example/doc/readme")
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Connecting || !errors.Is(err, fetch.ErrUnsupported) || errors.Is(err, fetch.ErrNotFound) || !strings.Contains(err.Error(), "no AFS client") || e.Hint == "" {
			t.Errorf("%v", err)
		}
	}
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(*dial.Dialer) fetch.Transport { return afs.New(tree(t)) },
		URL:  "afs://cs.example/doc/readme",
		Want: "read me\n",
		Head: true,
	})
}
