//go:build !unix

package cli

import "os"

// watchSize never tells anything: this system has no signal for it.
func watchSize() (resized <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal)
	return ch, func() { close(ch) }
}
