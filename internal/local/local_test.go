//go:build unix

package local_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/local"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "motd"), []byte("hello\n"), 0o666)
	url := func(_ bool, names ...string) anyurl.URL {
		return anyurl.MustParse("x://here/" + strings.Join(names, "/"))
	}
	for _, name := range []string{"", "motd"} {
		resp, err := local.Open(&fetch.Request{Limits: fetch.DefaultLimits()}, local.Place{Path: filepath.Join(dir, name), Name: name, Roots: []string{dir}, URL: url})
		if err != nil {
			fmt.Println(err)
			return
		}
		io.Copy(os.Stdout, resp.Body)
		resp.Body.Close()
		for _, e := range resp.Entries {
			fmt.Println(e.Type, e.URL)
		}
	}
	// Output:
	// motd
	// file x://here/motd
	// hello
}

// Of several roots the one counts that the path lies below.
func TestRoots(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(b, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		roots []string
		kind  error
	}{
		{nil, nil}, {[]string{a, b}, nil}, {[]string{b}, nil}, {[]string{a}, fetch.ErrRefused},
	} {
		resp, err := local.Open(&fetch.Request{}, local.Place{Path: filepath.Join(b, "x"), Name: "x", Roots: tt.roots})
		if !errors.Is(err, tt.kind) {
			t.Errorf("below %q: %v", tt.roots, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
}
