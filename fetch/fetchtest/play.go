package fetchtest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
)

// At is the address at which the servers of [Play] and [Stage] are.
const At = "192.0.2.1"

// Ask is the request for a URL, changed as each of change does.
func Ask(url string, change ...func(*fetch.Request)) *fetch.Request {
	req := &fetch.Request{URL: anyurl.MustParse(url)}
	for _, f := range change {
		f(req)
	}
	return req
}

// Play has the transport that open makes ask for req at a server on [At]:port
// that holds the conversations of scripts, one with each connection: see
// [transcript.Parse]. What the transport says otherwise than is written there
// fails the test. It gives what came and its whole body, or the error of either.
// Time passes at once.
func Play(t *testing.T, port uint16, open func(*dial.Dialer) fetch.Transport, req *fetch.Request, scripts ...string) (got *fetch.Result, body string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, lerr := network.Listen(netip.AddrPortFrom(netip.MustParseAddr(At), port))
		if lerr != nil {
			t.Fatal(lerr)
		}
		var s transcript.Server
		for _, text := range scripts {
			s.Scripts = append(s.Scripts, transcript.Parse(text))
		}
		s.Start(l)
		c := client(req.URL.Scheme(), open, &network)
		c.Limits.Total = time.Minute
		got, body, err = whole(t.Context(), c, req)
		c.Close()
		synctest.Wait() // until the server has heard the last word
		if serr := s.Close(); serr != nil {
			t.Error(serr)
		}
	})
	return got, body, err
}

// A Get opens a URL of a [Stage] and reads its whole body.
type Get = func(url string, change ...func(*fetch.Request)) (*fetch.Result, string, error)

// Stage runs f with a client of the transport that open makes for a scheme, in a
// network in which each of serve has a port of [At] and gets the connections
// that are made to it; they are closed when it returns, or else when f does.
// When a Get returns, what the servers had to do is done. Time passes at once.
func Stage(t *testing.T, scheme string, open func(*dial.Dialer) fetch.Transport, serve map[uint16]func(net.Conn), f func(t *testing.T, get Get)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		var servers sync.WaitGroup
		var listeners []net.Listener
		for port, serve := range serve {
			l, err := network.Listen(netip.AddrPortFrom(netip.MustParseAddr(At), port))
			if err != nil {
				t.Fatal(err)
			}
			listeners = append(listeners, l)
			servers.Go(func() { acceptAll(l, serve) })
		}
		c := client(scheme, open, &network)
		f(t, func(url string, change ...func(*fetch.Request)) (*fetch.Result, string, error) {
			defer synctest.Wait()
			return whole(t.Context(), c, Ask(url, change...))
		})
		c.Close()
		synctest.Wait()
		for _, l := range listeners {
			l.Close()
		}
		servers.Wait()
	})
}

// Listen has serve hold each connection that is made to a port of [At], in a
// network in memory to which the dialer leads, until stop is called. It is for
// examples, which have no test to fail; a test takes [Stage].
func Listen(port uint16, serve func(net.Conn)) (d *dial.Dialer, stop func()) {
	var network transcript.Network
	l, err := network.Listen(netip.AddrPortFrom(netip.MustParseAddr(At), port))
	if err != nil {
		panic(err) // nobody else listens in a network that is new
	}
	var server sync.WaitGroup
	server.Go(func() { acceptAll(l, serve) })
	return &dial.Dialer{Connect: network.Dial}, func() {
		l.Close()
		server.Wait()
	}
}

// acceptAll serves every connection until there are no more, and then closes
// what is still open.
func acceptAll(l net.Listener, serve func(net.Conn)) {
	var open []net.Conn
	for {
		conn, err := l.Accept()
		if err != nil {
			break
		}
		open = append(open, conn)
		go func() {
			defer conn.Close()
			serve(conn)
		}()
	}
	for _, conn := range open {
		conn.Close()
	}
}

func client(scheme string, open func(*dial.Dialer) fetch.Transport, network *transcript.Network) *fetch.Client {
	return &fetch.Client{Transports: map[string]fetch.Transport{scheme: open(&dial.Dialer{Connect: network.Dial})}}
}

func whole(ctx context.Context, c *fetch.Client, req *fetch.Request) (*fetch.Result, string, error) {
	got, err := c.Do(ctx, req)
	if err != nil {
		return nil, "", err
	}
	b, err := io.ReadAll(got.Body)
	got.Body.Close()
	return got, string(b), err
}

// SaysNothing holds that a transport refuses URLs as it reads them, before it
// connects to anybody.
func SaysNothing(t *testing.T, open func(*dial.Dialer) fetch.Transport, urls ...string) {
	t.Helper()
	var network transcript.Network
	for _, url := range urls {
		req := Ask(url)
		_, _, err := whole(t.Context(), client(req.URL.Scheme(), open, &network), req)
		if e, ok := errors.AsType[*fetch.Error](err); !ok || e.Step != fetch.Reading {
			t.Errorf("%s: %v", url, err)
		}
	}
	if d := network.Dialled(); len(d) != 0 {
		t.Errorf("dialled %v", d)
	}
}
