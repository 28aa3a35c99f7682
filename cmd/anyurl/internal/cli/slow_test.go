package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl/fetch"
	"anyurl/gateway"
	"anyurl/internal/transcript"
)

// An endless is a body without an end, which says when it is closed.
type endless struct {
	ctx    context.Context
	closed chan time.Time
}

func (e *endless) Read(p []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, e.ctx.Err()
	}
	return copy(p, strings.Repeat("x", len(p))), nil
}

func (e *endless) Close() error {
	select {
	case e.closed <- time.Now():
	default:
	}
	return nil
}

// TestSlowClients holds that a client costs no more than its limits, whatever it
// leaves undone. Its time is not the clock's.
func TestSlowClients(t *testing.T) {
	for _, tt := range []struct {
		name  string
		talk  func(c net.Conn) // what it says
		most  time.Duration    // when it is left at the latest
		holds bool             // an object, which is closed by then
	}{
		{"says nothing", func(net.Conn) {}, 11 * time.Second, false},
		{"says a field letter by letter", func(c net.Conn) {
			io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
			for {
				if _, err := io.WriteString(c, "x"); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, 12 * time.Second, false},
		{"says no more after an answer", func(c net.Conn) { io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") }, 2*time.Minute + time.Second, false},
		{"promises a body and sends none", func(c net.Conn) {
			io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
		}, 3 * time.Minute, false},
		{"takes nothing of an object", func(c net.Conn) { io.WriteString(c, "GET gopher://a.example/9x HTTP/1.1\r\nHost: a.example\r\n\r\n") }, 2*time.Minute + time.Second, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed := make(chan time.Time, 1)
				opens := fetch.TransportFunc(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
					return &fetch.Response{URL: req.URL, Protocol: "gopher", Type: "application/octet-stream", Size: -1, Body: &endless{ctx, closed}}, nil
				})
				client := &fetch.Client{Transports: map[string]fetch.Transport{"gopher": opens}}
				var network transcript.Network
				at := netip.MustParseAddrPort("127.0.0.1:7070")
				l, err := network.Listen(at)
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error, 1)
				c := &call{ctx: ctx}
				go func() {
					done <- c.listen(l, gateway.New(gateway.Options{Client: client}), slog.New(slog.DiscardHandler))
				}()
				conn, err := network.Dial(ctx, "tcp", at)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				left := make(chan time.Time, 1)
				var talking sync.WaitGroup
				talking.Go(func() { tt.talk(conn) })
				if tt.holds {
					left = closed
				} else {
					go func() {
						_, err := io.Copy(io.Discard, conn)
						if err != nil && !errors.Is(err, io.EOF) {
							t.Logf("it ends by %v", err)
						}
						left <- time.Now()
					}()
				}
				select {
				case at := <-left:
					if took := at.Sub(began); took > tt.most {
						t.Errorf("it is left after %v, and not by %v", took, tt.most)
					}
				case <-time.After(time.Hour):
					t.Error("it is never left")
				}
				conn.Close()
				stop()
				talking.Wait()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
