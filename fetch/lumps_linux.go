package fetch

import (
	"io"
	"net"
	"syscall"
)

// lump is how much a fast socket gathers before whoever waits for it is woken.
const lump = 512 << 10

// inLumps says whether a wait for src ends at its next octet or only when there
// is a lump of them, the end, or no room for more. Where a sender and this
// process take turns on few processors, waking up for each segment costs a good
// part of the copy itself.
func inLumps(src io.Reader, on bool) {
	if r, ok := src.(*rush); ok {
		setLump(r.fd, on)
		return
	}
	conn, ok := src.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) { setLump(int(fd), on) })
}

func setLump(fd int, on bool) {
	least := 1
	if on {
		least = lump
	}
	// Where this fails, the socket wakes for every octet, as sockets do.
	syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, least)
}
