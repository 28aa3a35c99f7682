package cli

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCreateThroughLinks: what a symbolic link leads to is written, in its own
// folder, whether it is there already or not; the link stays.
func TestCreateThroughLinks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		links  [][2]string // name, target
		before string      // what holds the file already; "" for none
		ends   string      // what is written
	}{
		{"to a file", [][2]string{{"link", "real"}}, "real", "real"},
		{"to nothing yet", [][2]string{{"link", "real"}}, "", "real"},
		{"into another folder", [][2]string{{"link", "other/real"}}, "other/real", "other/real"},
		{"into another folder, to nothing yet", [][2]string{{"link", "other/real"}}, "", "other/real"},
		{"by two links", [][2]string{{"link", "other/next"}, {"other/next", "../real"}}, "", "real"},
		{"by a linked folder", [][2]string{{"folder", "other/deep"}, {"other/deep/link", "../real"}}, "", "other/real"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "other/deep"), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, l := range tt.links {
				if err := os.Symlink(filepath.FromSlash(l[1]), filepath.Join(dir, l[0])); err != nil {
					t.Skip(err)
				}
			}
			if tt.before != "" {
				if err := os.WriteFile(filepath.Join(dir, tt.before), []byte("before"), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			asked := filepath.Join(dir, "link")
			if tt.links[0][0] == "folder" {
				asked = filepath.Join(dir, "folder", "link")
			}
			c := &call{ctx: t.Context(), halves: &halves{}}
			f, err := c.create(asked)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(f, "after")
			if half := filepath.Dir(f.Name()); !sameFolder(t, half, filepath.Dir(filepath.Join(dir, tt.ends))) {
				t.Errorf("it is written in %s, and cannot simply be renamed", half)
			}
			if err := f.finish(true); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, tt.ends)); string(got) != "after" {
				t.Errorf("%s holds %q, %v", tt.ends, got, err)
			}
			for _, l := range tt.links {
				if info, err := os.Lstat(filepath.Join(dir, l[0])); err != nil || info.Mode()&fs.ModeSymlink == 0 {
					t.Errorf("%s is no link any more: %v", l[0], err)
				}
			}
			if tt.before != "" {
				if info, err := os.Stat(filepath.Join(dir, tt.before)); err != nil || info.Mode().Perm() != 0o640 {
					t.Errorf("its permissions are %v, %v", info.Mode(), err)
				}
			}
		})
	}
	t.Run("in a circle", func(t *testing.T) {
		dir := t.TempDir()
		for _, l := range [][2]string{{"a", "b"}, {"b", "a"}} {
			if err := os.Symlink(l[1], filepath.Join(dir, l[0])); err != nil {
				t.Skip(err)
			}
		}
		c := &call{ctx: t.Context(), halves: &halves{}}
		if f, err := c.create(filepath.Join(dir, "a")); err == nil || statusOf(err) != statusCannot || !strings.Contains(err.Error(), filepath.Join(dir, "a")) {
			t.Errorf("%v, %v", f, err)
		}
	})
}

func sameFolder(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}
