package dial

import (
	"context"
	"net"
)

// Socket connects to a socket in this machine's file system, as an SSH agent
// has one. No name is resolved and no address asked about: what stands in the
// file system is the user's own, and no URL names it.
func Socket(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, &Error{Step: Connecting, Host: path, Err: err}
	}
	return conn, nil
}
