//go:build linux || darwin || freebsd

package find

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMappedCutShort holds that a file which another program cuts short while it
// is searched costs an error and not the process.
func TestMappedCutShort(t *testing.T) {
	line := "see http://a.example/x, or not\n"
	for _, opts := range []Options{{}, {Relaxed: true}} {
		for _, n := range []int{1, 3} {
			name := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(name, []byte(strings.Repeat(line, 200_000)), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			text, err := syscall.Mmap(int(f.Fd()), 0, 200_000*len(line), syscall.PROT_READ, syscall.MAP_SHARED)
			f.Close()
			if err != nil {
				t.Skip("no file can be mapped here: ", err)
			}
			count, last := 0, error(nil)
			for m, err := range Mapped(text, n, opts, func(from, to int) error {
				if to > 3<<20 {
					return os.Truncate(name, 100)
				}
				return nil
			}) {
				if last = err; err == nil {
					if count++; m.URL != "http://a.example/x" {
						t.Fatalf("match %d is %q", count, m.URL)
					}
				}
			}
			if last != ErrGone || count >= 200_000 {
				t.Errorf("%+v, %d at once: %d matches and %v, want fewer than 200000 and %v", opts, n, count, last, ErrGone)
			}
			if err := syscall.Munmap(text); err != nil {
				t.Error(err)
			}
		}
	}
}
