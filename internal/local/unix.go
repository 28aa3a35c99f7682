//go:build unix

package local

import (
	"errors"
	"syscall"
)

// nonBlocking keeps open from waiting for a pipe's other end.
const nonBlocking = syscall.O_NONBLOCK

// isNotDir reports whether a part of a path is a file where a folder should be.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
