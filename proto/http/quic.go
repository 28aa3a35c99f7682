package http

import (
	"context"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"anyurl/fetch"
)

// newQUIC returns what asks over HTTP/3 (RFC 9114). Its connections are
// datagrams to the one address that the dialer vetted.
func (t *Transport) newQUIC(maxHeader int64) *http3.Transport {
	return &http3.Transport{
		DisableCompression:     true, // undone here, with a limit
		MaxResponseHeaderBytes: int(min(maxHeader, math.MaxInt32)),
		Dial: func(ctx context.Context, address string, _ *tls.Config, config *quic.Config) (*quic.Conn, error) {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			conn, err := t.dialer.DialContext(ctx, "udp", address)
			if err != nil {
				return nil, err
			}
			c, err := quic.Dial(ctx, datagrams{conn}, conn.RemoteAddr(), t.dialer.TLSConfig(host, http3.NextProtoH3), config)
			if err != nil {
				conn.Close()
				return nil, err
			}
			context.AfterFunc(c.Context(), func() { conn.Close() })
			return c, nil
		},
	}
}

// datagrams is a connected socket for who wants to say each time where to.
type datagrams struct{ net.Conn }

func (d datagrams) ReadFrom(p []byte) (int, net.Addr, error) {
	n, err := d.Read(p)
	return n, d.RemoteAddr(), err
}

func (d datagrams) WriteTo(p []byte, _ net.Addr) (int, error) { return d.Write(p) }

// roundTrip asks over HTTP/3 where that is wanted, and over TCP where it is not
// or there is nobody to speak it.
func (t *Transport) roundTrip(ctx context.Context, req *fetch.Request, r *request) (*http.Response, error) {
	if err := r.valid(); err != nil {
		return nil, err
	}
	if r.scheme == "http" {
		return t.plain.roundTrip(ctx, r, bounded(req.Limits.MaxHeader), t.PerHost)
	}
	out := r.std().WithContext(inTurn(ctx))
	if t.HTTP3 {
		in, err := t.quic(req.Limits.MaxHeader).RoundTrip(out)
		if err == nil || ctx.Err() != nil || answered(err) {
			return in, err
		}
		if req.Trace != nil {
			req.Trace(fetch.Event{Kind: '*', Text: "no HTTP/3 there: " + err.Error()})
		}
	}
	return t.client(req.Limits.MaxHeader).RoundTrip(out)
}

// inTurn returns a context in which net/http waits for another turn where the one
// that it had was lost before there was a connection, or where it asks once more by
// itself, because a kept connection ended before an answer.
func inTurn(ctx context.Context) context.Context {
	asked := false
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		if asked {
			fetch.Again(ctx) // an error is that of the context, which it sees, too
		}
		asked = true
		fetch.Ready(ctx)
	}})
}

// answered reports whether err came about after there was a connection: asking
// again in another way would ask twice.
func answered(err error) bool {
	var h *http3.Error
	return errors.As(err, &h)
}

func (t *Transport) quic(maxHeader int64) *http3.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.quics[maxHeader]
	if c == nil {
		c = t.newQUIC(bounded(maxHeader))
		t.quics[maxHeader] = c
	}
	return c
}

// SetReadBuffer and SetWriteBuffer make room for what waits. How much of it
// there is, is the system's affair: a smaller buffer is slower and no fault.
func (d datagrams) SetReadBuffer(octets int) error {
	if c, ok := d.Conn.(interface{ SetReadBuffer(int) error }); ok {
		c.SetReadBuffer(octets)
	}
	return nil
}

// SetWriteBuffer: see [datagrams.SetReadBuffer].
func (d datagrams) SetWriteBuffer(octets int) error {
	if c, ok := d.Conn.(interface{ SetWriteBuffer(int) error }); ok {
		c.SetWriteBuffer(octets)
	}
	return nil
}
