//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package cli

import (
	"os"
	"syscall"
)

// hold keeps others from taking a half-written file for one that was left by a
// killed process, and reports whether nobody else holds it.
func hold(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
