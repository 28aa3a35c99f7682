//go:build unix

package http

import (
	"net"
	"syscall"
)

// alive reports whether a connection that waited is as it was left: the other
// side has neither ended it nor said anything that nobody asked for.
func alive(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return true // the next request shows it
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	var said error
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, said = syscall.Read(int(fd), b[:])
		return true
	})
	return err == nil && (said == syscall.EAGAIN || said == syscall.EWOULDBLOCK)
}
