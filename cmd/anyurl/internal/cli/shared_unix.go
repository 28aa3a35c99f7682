//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// shared tells why a file is not one user's under one name, or gives "".
func shared(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return ""
	case stat.Nlink > 1:
		return "has more than one name (hard links)"
	case int(stat.Uid) != os.Geteuid():
		return "belongs to somebody else"
	}
	return ""
}
