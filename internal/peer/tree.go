package peer

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Blob is the content of pub/blob.bin in a [Tree]: 3000 octets of every kind.
func Blob() []byte {
	b := make([]byte, 3000)
	for i := range b {
		b[i] = byte(i*i>>3 ^ i)
	}
	return b
}

// Tree makes a folder of documents for file servers and returns its path. Any
// user may read it and nobody but its owner may write: some servers refuse to
// serve anything else.
//
//	pub/hello.txt            a text with a line "." and a line "..dots"
//	pub/nonl.txt             a text without a final line end
//	pub/page.html, pub/pic.gif, pub/blob.bin, pub/big.txt
//	pub/café.txt, pub/a;b.txt
//	pub/sub/inner.txt
//	dir with space/a file.txt
func Tree(t testing.TB) string {
	t.Helper()
	base := t.TempDir()
	Open(t, base)
	root := filepath.Join(base, "tree")
	for name, content := range map[string][]byte{
		"pub/hello.txt":             []byte("Hello plain text\nsecond line\n.\n..dots\nlast\n"),
		"pub/nonl.txt":              []byte("no final line end"),
		"pub/page.html":             []byte("<!DOCTYPE html><title>page</title><a href=hello.txt>hello</a>\n"),
		"pub/pic.gif":               []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"),
		"pub/blob.bin":              Blob(),
		"pub/big.txt":               bytes.Repeat([]byte("the same line over and over\n"), 4000),
		"pub/café.txt":              []byte("café\n"),
		"pub/a;b.txt":               []byte("semicolon\n"),
		"pub/sub/inner.txt":         []byte("inner\n"),
		"dir with space/a file.txt": []byte("spaces\n"),
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Open lets any user into a test's temporary folder, whose parents are closed
// to others, for servers that give up their user.
func Open(t testing.TB, dir string) {
	t.Helper()
	for ; dir != filepath.Dir(dir) && dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
