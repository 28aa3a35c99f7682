// Package demo is a small internet on loopback: a server for every protocol,
// with a few documents each, a text that links to all of them, to living and to
// dead ends, and a tour of the schemes. Start with [Start].
//
// The servers serve the documents that are built in, to this machine alone,
// and change nothing.
package demo

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"sync"

	"anyurl/dial"
)

//go:embed site
var site embed.FS

// An Internet is the servers, running until it is closed. Each field is where
// one of them listens, host:port.
type Internet struct {
	Web      string
	FTP      string
	Gopher   string
	News     string
	Finger   string
	Gemini   string
	Spartan  string
	Dict     string
	Telnet   string
	WAIS     string
	Library  string // Z39.50
	SFTP     string
	Rlogin   string
	TN3270   string
	LDAP     string
	WS       string
	Prospero string // by datagrams
	TFTP     string // by datagrams
	Closed   string // nobody answers there

	stop  context.CancelFunc
	serve sync.WaitGroup
	ports ports
}

// Start starts the servers on free loopback ports. They end with ctx, or when
// the Internet is closed.
func Start(ctx context.Context) (*Internet, error) {
	ctx, stop := context.WithCancel(ctx)
	n := &Internet{stop: stop}
	over := func(serve func(context.Context, net.Listener, fs.FS), folder string) func(context.Context, net.Listener) {
		root := sub(folder)
		return func(ctx context.Context, l net.Listener) { serve(ctx, l, root) }
	}
	for _, s := range []struct {
		addr  *string
		serve func(context.Context, net.Listener)
	}{
		{&n.Web, over(serveWeb, "www")},
		{&n.FTP, func(ctx context.Context, l net.Listener) { serveFTP(ctx, l, sub("pub"), &n.ports) }},
		{&n.Gopher, over(serveGopher, "hole")},
		{&n.News, over(serveNews, "news")},
		{&n.Finger, over(serveFinger, "people")},
		{&n.Gemini, over(serveGemini, "capsule")},
		{&n.Spartan, over(serveSpartan, "spartan")},
		{&n.Dict, over(serveDict, "dict")},
		{&n.Telnet, serveTelnet},
		{&n.Rlogin, serveRlogin},
		{&n.TN3270, serveTN3270},
		{&n.WAIS, over(serveWAIS, "wais")},
		{&n.Library, over(serveLibrary, "library")},
		{&n.SFTP, over(serveSFTP, "vault")},
		{&n.LDAP, over(serveLDAP, "directory")},
		{&n.WS, serveWS},
	} {
		l, err := net.Listen("tcp", loopback)
		if err != nil {
			n.Close()
			return nil, err
		}
		*s.addr = n.ports.open(l.Addr())
		n.serve.Go(func() { s.serve(ctx, l) })
	}
	for _, s := range []struct {
		addr  *string
		serve func(context.Context, net.PacketConn)
	}{
		{&n.Prospero, func(ctx context.Context, conn net.PacketConn) { serveProspero(ctx, conn, sub("prospero")) }},
		{&n.TFTP, func(ctx context.Context, conn net.PacketConn) { serveTFTP(ctx, conn, sub("boot"), &n.ports) }},
	} {
		conn, err := net.ListenPacket("udp", loopback)
		if err != nil {
			n.Close()
			return nil, err
		}
		*s.addr = n.ports.open(conn.LocalAddr())
		n.serve.Go(func() { s.serve(ctx, conn) })
	}
	closed, free, err := refusing()
	if err != nil {
		n.Close()
		return nil, err
	}
	n.Closed = n.ports.open(closed)
	n.serve.Go(func() { <-ctx.Done(); free() })
	return n, nil
}

// refusing keeps a port at which connections are refused: it is one end of a
// connection, so that nobody can begin to listen there.
func refusing() (addr net.Addr, free func(), err error) {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	here, err := new(dial.Dialer).DialContext(context.Background(), "tcp", l.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	there, err := l.Accept()
	if err != nil {
		here.Close()
		return nil, nil, err
	}
	return here.LocalAddr(), func() { here.Close(); there.Close() }, nil
}

// Close stops the servers and waits until they have.
func (n *Internet) Close() {
	n.stop()
	n.serve.Wait()
}

// Has reports whether an address is one of the internet's: of its servers, or
// of a data connection that one of them waits for.
func (n *Internet) Has(ap netip.AddrPort) bool {
	return ap.Addr().Unmap() == netip.AddrFrom4([4]byte{127, 0, 0, 1}) && n.ports.has(ap.Port())
}

// loopback is where servers listen, on a port of the system's choice.
const loopback = "127.0.0.1:0"

// ports are those that are ours, for as long as they are.
type ports struct {
	mu  sync.Mutex
	set map[uint16]bool
}

// open notes that a port is ours, and gives the address as it is written.
func (p *ports) open(a net.Addr) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.set == nil {
		p.set = map[uint16]bool{}
	}
	p.set[netip.MustParseAddrPort(a.String()).Port()] = true
	return a.String()
}

func (p *ports) close(a net.Addr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.set, netip.MustParseAddrPort(a.String()).Port())
}

func (p *ports) has(port uint16) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set[port]
}

// sub is a folder of what is built in.
func sub(name string) fs.FS {
	root, err := fs.Sub(site, "site/"+name)
	if err != nil {
		panic(err) // the name is one of ours and valid
	}
	return root
}

// accept hands each connection to serve, in a goroutine of its own, until ctx
// ends; then it closes them and waits.
func accept(ctx context.Context, l net.Listener, serve func(net.Conn)) {
	var conns sync.WaitGroup
	defer conns.Wait()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		conns.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			serve(conn)
		})
	}
}
