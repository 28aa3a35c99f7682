//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSize tells when the terminal's size has changed, until stop is called.
func watchSize() (resized <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGWINCH)
	return ch, func() { signal.Stop(ch); close(ch) }
}
