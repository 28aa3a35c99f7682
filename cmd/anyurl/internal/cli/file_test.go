//go:build linux

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestCreateNameless writes to a link that leads to a file without a name, as
// /dev/stdout does where standard output was deleted: the link stays.
func TestCreateNameless(t *testing.T) {
	dir := t.TempDir()
	gone, err := os.Create(filepath.Join(dir, "gone"))
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(fmt.Sprintf("/proc/self/fd/%d", gone.Fd()), link); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone.Name()); err != nil {
		t.Fatal(err)
	}
	f, err := (&call{ctx: t.Context()}).create(link)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := f.finish(true); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	got := make([]byte, 10)
	if n, _ := gone.ReadAt(got, 0); string(got[:n]) != "hello" {
		t.Errorf("%q", got[:n])
	}
}
