//go:build linux

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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

// TestCreateNew: a name that was free when the file was begun, and is taken when
// it is whole, stays whose it is.
func TestCreateNew(t *testing.T) {
	for _, tt := range []struct {
		name  string
		place func(from, to string) error
	}{{"by the system", renameNew}, {"by a look", renameFree}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			free, taken := filepath.Join(dir, "free"), filepath.Join(dir, "taken")
			for _, name := range []string{free, taken, filepath.Join(dir, "from1"), filepath.Join(dir, "from2")} {
				if name != free {
					if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := tt.place(filepath.Join(dir, "from1"), free); err != nil {
				t.Errorf("a free name: %v", err)
			}
			if err := tt.place(filepath.Join(dir, "from2"), taken); !errors.Is(err, fs.ErrExist) {
				t.Errorf("a taken name: %v", err)
			}
			if got, err := os.ReadFile(taken); string(got) != taken {
				t.Errorf("what had the name is %q now, %v", got, err)
			}
		})
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "object")
	f, err := (&call{ctx: t.Context(), halves: &halves{}}).createNew(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.finish(true); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestSweep: what a killed process left of a file goes when the file is written
// again; what another process is writing, and what only looks like it, stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report.html")
	for _, left := range []string{".report.html.0badcafe.part", ".report.html.notahex!.part", ".report.html.abc.part", ".other.html.0badcafe.part", "report.html.0badcafe.part", ".report.html.00c0ffee.part"} {
		if err := os.WriteFile(filepath.Join(dir, left), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if left == ".report.html.00c0ffee.part" {
			continue // it was made just now, and its process may be about to hold it
		}
		if err := os.Chtimes(filepath.Join(dir, left), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	c := &call{ctx: t.Context(), halves: new(halves)}
	first, err := c.create(name)
	if err != nil {
		t.Fatal(err)
	}
	second, err := (&call{ctx: t.Context(), halves: new(halves)}).create(name) // another run at the same time
	if err != nil {
		t.Fatal(err)
	}
	if err := second.finish(false); err != nil {
		t.Fatal(err)
	}
	if err := first.finish(true); err != nil {
		t.Errorf("the file under way was taken away: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := ".other.html.0badcafe.part .report.html.00c0ffee.part .report.html.abc.part .report.html.notahex!.part report.html report.html.0badcafe.part"
	slices.Sort(names)
	if got := strings.Join(names, " "); got != want {
		t.Errorf("there are %s, want %s", got, want)
	}
}
