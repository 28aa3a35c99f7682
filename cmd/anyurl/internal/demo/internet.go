// Package demo is a small internet on loopback: a web server, an FTP server
// and a gopher server with a few documents each, and a text that links to all
// of them, to living and to dead ends. Start with [Start].
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
	"sync"
)

//go:embed site
var site embed.FS

// An Internet is the servers, running until it is closed.
type Internet struct {
	Web    string // host:port of the web server
	FTP    string // host:port of the FTP server
	Gopher string // host:port of the gopher server
	Closed string // host:port that nobody answers on

	stop  context.CancelFunc
	serve sync.WaitGroup
}

// Start starts the servers on free loopback ports. They end with ctx, or when
// the Internet is closed.
func Start(ctx context.Context) (*Internet, error) {
	ctx, stop := context.WithCancel(ctx)
	n := &Internet{stop: stop}
	www, pub, hole := folder("www"), folder("pub"), folder("hole")
	for _, s := range []struct {
		addr  *string
		serve func(context.Context, net.Listener)
	}{
		{&n.Web, func(ctx context.Context, l net.Listener) { serveWeb(ctx, l, www) }},
		{&n.FTP, func(ctx context.Context, l net.Listener) { serveFTP(ctx, l, pub) }},
		{&n.Gopher, func(ctx context.Context, l net.Listener) { serveGopher(ctx, l, hole) }},
	} {
		l, err := listen()
		if err != nil {
			n.Close()
			return nil, err
		}
		*s.addr = l.Addr().String()
		n.serve.Go(func() { s.serve(ctx, l) })
	}
	l, err := listen()
	if err != nil {
		n.Close()
		return nil, err
	}
	n.Closed = l.Addr().String()
	l.Close() // the port was free a moment ago, and nobody of ours takes it
	return n, nil
}

// Close stops the servers and waits until they have.
func (n *Internet) Close() {
	n.stop()
	n.serve.Wait()
}

func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(site, "site/"+name)
	if err != nil {
		panic(err) // the name is one of ours and valid
	}
	return sub
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
