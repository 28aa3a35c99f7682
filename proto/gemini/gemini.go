// Package gemini opens gemini URLs by the Gemini network protocol: a request of
// one line inside TLS, a line of status, and the page up to TLS's end.
//
// A certificate that a known authority vouches for is trusted; any other is on
// its first use, and remembered: see [Hosts]. Start with [New].
package gemini

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	geminiurl "anyurl/scheme/gemini"
)

// A Transport opens gemini URLs, each on a connection of its own.
type Transport struct {
	dialer *dial.Dialer
	hosts  *Hosts
}

// New returns a Transport that connects through d and remembers certificates
// in hosts; nil is for as long as the Transport lives.
func New(d *dial.Dialer, hosts *Hosts) *Transport {
	if hosts == nil {
		hosts = &Hosts{}
	}
	return &Transport{dialer: d, hosts: hosts}
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"gemini"} }

// maxMeta bounds what stands behind the status (Gemini, "Responses").
const maxMeta = 1024

// Fetch asks for the page. A redirect is returned and not followed; what the
// server wants typed is an error whose Said is the question.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := geminiurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	line := ref.Request()
	if err := wire.Check(line); err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	secure, err := t.trusting(ref.Addr()).StartTLS(ctx, marked{conn}, ref.Host.Unbracketed())
	if err != nil {
		return nil, at(fetch.TLS, untrusted(err))
	}
	b := &body{conn: secure, stop: wire.Watch(ctx, secure), r: bufio.NewReader(secure)}
	resp, err := b.ask(req, line)
	if err != nil {
		b.Close()
		return nil, err
	}
	if req.Head() {
		b.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// trusting is the dialer with our own idea of certificates.
func (t *Transport) trusting(addr string) *dial.Dialer {
	d := *t.dialer
	config := t.dialer.TLSConfig("")
	if !config.InsecureSkipVerify { // whoever set that wants nothing verified
		roots := config.RootCAs
		config.InsecureSkipVerify = true // here it means: not in the usual way
		also := config.VerifyConnection
		config.VerifyConnection = func(cs tls.ConnectionState) error {
			if err := t.verify(addr, roots, cs); err != nil {
				return err
			}
			if also != nil {
				return also(cs)
			}
			return nil
		}
	}
	d.TLS = config
	return &d
}

// verify trusts whom an authority vouches for, and else who was there before.
func (t *Transport) verify(addr string, roots *x509.CertPool, cs tls.ConnectionState) error {
	if len(cs.PeerCertificates) == 0 {
		return errors.New("the server shows no certificate")
	}
	cert := cs.PeerCertificates[0]
	between := x509.NewCertPool()
	for _, c := range cs.PeerCertificates[1:] {
		between.AddCert(c)
	}
	if _, err := cert.Verify(x509.VerifyOptions{DNSName: cs.ServerName, Roots: roots, Intermediates: between}); err == nil {
		return nil
	}
	return t.hosts.check(addr, cert, time.Now())
}

// untrusted says what to do about a certificate that has changed.
func untrusted(err error) error {
	err = fetch.Fail(fetch.TLS, err)
	var changed *Changed
	var e *fetch.Error
	if errors.As(err, &changed) && errors.As(err, &e) {
		e.Kind = fetch.ErrRefused
		e.Hint = "ask whoever runs it; the new certificate's SHA-256 is " + changed.Now
		if changed.Remembers != "" {
			e.Here = "the new certificate is accepted once the line of " + changed.Addr + " is gone from " + changed.Remembers
		}
	}
	return err
}

// at is err as it is met at a step, also where the connection has ended.
func at(step string, err error) error {
	var e *fetch.Error
	if errors.As(fetch.Fail(step, err), &e) {
		own := *e
		own.Step = step
		return &own
	}
	return err
}

// ask sends the request and reads the status.
func (b *body) ask(req *fetch.Request, line string) (*fetch.Response, error) {
	trace := func(kind byte, text string) {
		if req.Trace != nil {
			req.Trace(fetch.Event{Kind: kind, Text: text})
		}
	}
	trace('>', line)
	if err := wire.WriteLine(b.conn, line); err != nil {
		return nil, fetch.Fail(fetch.Asking, err)
	}
	said, err := wire.ReadLine(b.r, maxMeta+3)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrTruncated, Err: errors.New("the server closes without an answer")}
		}
		return nil, at(fetch.Status, err)
	}
	trace('<', said)
	status, meta, ok := readStatus(said)
	if !ok {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Said: said, Err: errors.New("the answer is no Gemini status")}
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "gemini", Status: status, Size: -1, Body: b}
	switch status / 10 {
	case 2:
		if meta == "" {
			meta = "text/gemini; charset=utf-8" // the specification's default
		}
		typ, _, _ := strings.Cut(meta, ";")
		resp.Type = strings.ToLower(strings.TrimSpace(typ))
		resp.Header = map[string][]string{"Content-Type": {meta}}
		return resp, nil
	case 3:
		if meta == "" {
			return nil, &fetch.Error{Step: fetch.Redirect, Status: status, Kind: fetch.ErrMalformed, Err: errors.New("a redirect to nowhere")}
		}
		resp.Location, resp.Permanent = meta, status == 31
		return resp, nil
	}
	return nil, refusal(status, meta)
}

// readStatus reads a reply's line: 2DIGIT SP meta. Some leave the space out
// where there is no meta.
func readStatus(line string) (status int, meta string, ok bool) {
	if len(line) < 2 || line[0] < '1' || line[0] > '6' || line[1] < '0' || line[1] > '9' || len(line) > 2 && line[2] != ' ' {
		return 0, "", false
	}
	return int(line[0]-'0')*10 + int(line[1]-'0'), strings.TrimSpace(line[2:]), true
}

// refusal is a status that brings no page: Gemini, "Status codes", where the
// second digit only tells more.
func refusal(status int, meta string) error {
	e := &fetch.Error{Step: fetch.Status, Status: status, Said: meta}
	switch {
	case status/10 == 1:
		e.Kind, e.Err, e.Hint = fetch.ErrDenied, fmt.Errorf("the server wants something typed (%d)", status), `write it, percent-encoded, behind "?" in the URL`
		if status == 11 {
			e.Hint += "; it is meant to stay secret"
		}
	case status == 41, status == 44:
		e.Kind, e.Err = fetch.ErrBusy, fmt.Errorf("the server wants to be asked again later (%d)", status)
	case status/10 == 4:
		e.Kind, e.Err = fetch.ErrBusy, fmt.Errorf("the server cannot give it now (%d)", status)
	case status == 51:
		e.Kind, e.Err = fetch.ErrNotFound, errors.New("the server has nothing there (51)")
	case status == 52:
		e.Kind, e.Err = fetch.ErrNotFound, errors.New("it is gone for good (52)")
	case status == 53:
		e.Kind, e.Err = fetch.ErrDenied, errors.New("the server is not that host's (53)")
	case status/10 == 5:
		e.Err = fmt.Errorf("the server will never give it (%d)", status)
	default:
		e.Kind, e.Err = fetch.ErrDenied, fmt.Errorf("the server wants a certificate of ours (%d), and we have none", status)
	}
	return e
}

// A body is the page on its way; it owns the connection. A page whose end TLS
// does not mark may have been cut by anybody, so it is not taken for whole.
type body struct {
	conn *tls.Conn
	stop func() bool
	once sync.Once
	err  error
	r    *bufio.Reader
}

func (b *body) Read(p []byte) (int, error) { return b.r.Read(p) }

// marked makes the end of the connection an error: inside it, TLS has an end of
// its own, which crypto/tls does not insist on.
type marked struct{ net.Conn }

func (m marked) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		err = &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: errors.New("the connection ends without the mark that TLS has for it"),
			Hint: "what came may be cut, or the server careless"}
	}
	return n, err
}

func (b *body) Close() error {
	b.once.Do(func() {
		b.stop()
		// TLS would say goodbye first, and wait for that.
		b.err = b.conn.NetConn().Close()
	})
	return b.err
}
