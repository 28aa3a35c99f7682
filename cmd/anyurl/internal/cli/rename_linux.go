package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew gives a file its name, unless that is another's. Some file systems
// cannot see to that themselves; a name is then looked for first.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM): // EPERM: of system calls that a container forbids
		return renameFree(from, to)
	case err != nil:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
