//go:build darwin || freebsd || netbsd || openbsd

package cli

// populate leaves it to faults to map pages.
func populate([]byte) {}
