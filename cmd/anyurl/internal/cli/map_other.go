//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package cli

import "io"

// mapped gives the file to be read: nothing is mapped here.
func (r *interruptible) mapped() io.ReaderAt { return r }
