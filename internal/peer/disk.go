package peer

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// SmallDisk mounts a file system of its own that holds so many octets, and
// gives its folder. It takes root; a test without is skipped, and fails if
// servers are required.
func SmallDisk(t testing.TB, size int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+strconv.Itoa(size)); err != nil {
		if os.Getenv(Required) == "required" {
			t.Fatalf("a small disk cannot be had: %v", err)
		}
		t.Skipf("a small disk cannot be had: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}
