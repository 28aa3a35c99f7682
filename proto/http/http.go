// Package http opens http and https URLs, over HTTP/1.1, HTTP/2 and, where that is
// asked for, HTTP/3 (RFC 9110, RFC 9112 to 9114). It is the standard library's client with its own ideas
// taken away: nothing is followed, no cookie is kept, no proxy is guessed from
// the environment, and compression is undone here, under limits. Start with
// [New].
package http

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go/http3"

	"anyurl/dial"
	"anyurl/fetch"
	httpurl "anyurl/scheme/http"
)

// UserAgent is what requests call themselves unless their header says otherwise.
const UserAgent = "anyurl/1"

// A Transport opens http and https URLs. Close it to let go of idle connections.
type Transport struct {
	// PerHost is the most connections to one host; 0 is no bound. A request
	// beyond it waits for one. It is set before the first request.
	PerHost int
	// HTTP3 asks https servers over HTTP/3 (RFC 9114), and those that do not
	// speak it over TCP. It is set before the first request.
	HTTP3 bool

	dialer *dial.Dialer
	plain  *plain // what is asked without TLS

	mu      sync.Mutex
	clients map[int64]*http.Transport  // what is asked with it, by header limit, which net/http has per transport
	quics   map[int64]*http3.Transport // the same over HTTP/3
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport {
	return &Transport{dialer: d, plain: newPlain(d.DialContext), clients: map[int64]*http.Transport{}, quics: map[int64]*http3.Transport{}}
}

// Close closes the connections that wait for another request.
func (t *Transport) Close() error {
	t.plain.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.clients {
		c.CloseIdleConnections()
	}
	for _, c := range t.quics {
		c.CloseIdleConnections()
	}
	return nil
}

// bounded gives a header limit that net/http can add to; 0 is its default, 10 MiB.
func bounded(maxHeader int64) int64 {
	switch {
	case maxHeader < 0:
		return math.MaxInt64 / 4
	case maxHeader == 0:
		return 10 << 20
	}
	return maxHeader
}

// client returns the net/http transport for https and a header limit.
func (t *Transport) client(maxHeader int64) *http.Transport {
	maxHeader = bounded(maxHeader)
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.clients[maxHeader]
	if c == nil {
		c = &http.Transport{
			DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := t.dialer.DialContext(ctx, network, address)
				if err != nil {
					return nil, err
				}
				host, _, err := net.SplitHostPort(address)
				if err != nil {
					conn.Close()
					return nil, err
				}
				secure, err := t.dialer.StartTLS(ctx, conn, host, "h2", "http/1.1")
				if err != nil {
					return nil, err
				}
				return secure, nil
			},
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // undone here, with a limit
			MaxIdleConns:           256,  // over all hosts; a list of links may name thousands
			MaxIdleConnsPerHost:    16,
			MaxConnsPerHost:        t.PerHost,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			ReadBufferSize:         8 << 10, // a header and a small page; what is large is not read through it
		}
		t.clients[maxHeader] = c
	}
	return c
}

// Fetch asks for the object once. A status such as 404 is an answer, not an error.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := httpurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	auth := req.Auth
	if auth == nil && ref.HasUser {
		auth = &fetch.Auth{User: ref.User, Password: ref.Password}
	}
	return t.exchange(ctx, req, newRequest(req, auth, "*/*").to(req.URL, ref), ref.Target())
}

// exchange sends out, whose target is shown as said, and reads what comes.
func (t *Transport) exchange(ctx context.Context, req *fetch.Request, out *request, shown string) (*fetch.Response, error) {
	if req.Trace != nil {
		trace(req, '>', out.method+" "+shown, out.header())
	}
	in, err := t.roundTrip(ctx, req, out)
	if err != nil {
		return nil, failed(err)
	}
	if req.Trace != nil {
		trace(req, '<', in.Proto+" "+in.Status, in.Header)
	}
	resp, err := response(req, in)
	if err != nil {
		in.Body.Close()
		return nil, err
	}
	return resp, nil
}

// failed says at which step net/http gave up.
func failed(err error) error {
	var own *dial.Error
	if errors.As(err, &own) {
		return fetch.Fail(fetch.Connecting, own)
	}
	e := &fetch.Error{Step: fetch.Status, Err: err}
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Err = fetch.ErrTruncated, &worded{"the connection was closed before an answer", err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Err = fetch.ErrTruncated, &worded{"the connection was closed within the answer's header", err}
	case errors.As(err, &record):
		e.Step, e.Kind, e.Err = fetch.TLS, fetch.ErrMalformed, &worded{"what came is no TLS", err}
	default:
		for _, f := range faults {
			if strings.Contains(err.Error(), f.has) {
				e.Step, e.Kind, e.Err = f.step, f.kind, &worded{f.says, err}
				break
			}
		}
	}
	return e
}

// faults are what net/http has no types for, by what its words have in them.
var faults = [...]struct {
	has, step string
	kind      error
	says      string
}{
	{"headers exceeded", fetch.Limit, fetch.ErrTooLarge, "the header is larger than the limit"},
	{"header list too large", fetch.Limit, fetch.ErrTooLarge, "the header is larger than the limit"},
	{"too many 1xx", fetch.Limit, fetch.ErrTooLarge, "more interim answers came than the limit allows"},
	{"HTTP response to HTTPS client", fetch.TLS, fetch.ErrMalformed, "the server speaks plain HTTP here"},
	{"malformed HTTP", fetch.Status, fetch.ErrMalformed, "what came is no HTTP answer"},
	{"malformed MIME header", fetch.Status, fetch.ErrMalformed, "the answer's header has a line that is no field (RFC 9112, section 5)"},
	{"invalid header", fetch.Status, fetch.ErrMalformed, "the answer's header has a field that is none (RFC 9110, section 5.5)"},
	{"Content-Length", fetch.Status, fetch.ErrMalformed, "the answer's Content-Length is not one number (RFC 9112, section 6.3)"},
	{"transfer encoding", fetch.Status, fetch.ErrMalformed, "the answer's Transfer-Encoding is not chunked (RFC 9112, section 6.1)"},
	{"malformed", fetch.Status, fetch.ErrMalformed, "what came is no HTTP answer"},
	{"invalid", fetch.Status, fetch.ErrMalformed, "what came is no HTTP answer"},
	{"http2:", fetch.Status, fetch.ErrMalformed, "the server breaks a rule of HTTP/2 (RFC 9113)"},
	{"stream error", fetch.Status, fetch.ErrTruncated, "the server ended the HTTP/2 stream"},
	{"server closed idle connection", fetch.Status, fetch.ErrTruncated, "the connection was closed before an answer"},
	{"transport connection broken", fetch.Status, fetch.ErrTruncated, "the connection broke before an answer"},
}

// A worded error says in our words what net/http says in its own.
type worded struct {
	says string
	err  error
}

func (e *worded) Error() string { return e.says }
func (e *worded) Unwrap() error { return e.err }

// response reads what came.
func response(req *fetch.Request, in *http.Response) (*fetch.Response, error) {
	resp := &fetch.Response{
		URL:      req.URL,
		Protocol: in.Proto,
		Status:   in.StatusCode,
		Type:     essence(in.Header.Get("Content-Type")),
		Size:     in.ContentLength,
		Header:   in.Header,
		Body:     in.Body,
	}
	if text := in.Header.Get("Last-Modified"); text != "" {
		if when, err := http.ParseTime(text); err == nil {
			resp.ModTime = when
		}
	}
	switch in.StatusCode {
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		resp.Location, resp.Permanent = in.Header.Get("Location"), true
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
		resp.Location = in.Header.Get("Location")
	case http.StatusPartialContent:
		if req.Head() {
			break // nothing of it was to come
		}
		first, _, ok := contentRange(in.Header.Get("Content-Range"))
		if !ok || req.Offset == 0 || first != req.Offset {
			return nil, &fetch.Error{Step: fetch.Status, Status: in.StatusCode, Kind: fetch.ErrMalformed,
				Said: in.Header.Get("Content-Range"), Err: fmt.Errorf("part of the object came, but not the part from octet %d", req.Offset)}
		}
		resp.Offset = first
	case http.StatusRequestedRangeNotSatisfiable:
		// Nothing is left when the object ends where we want to go on.
		if _, size, ok := contentRange(in.Header.Get("Content-Range")); ok && req.Offset > 0 && size == req.Offset {
			in.Body.Close()
			resp.Offset, resp.Size, resp.Body = req.Offset, 0, http.NoBody
			return resp, nil
		}
	}
	if req.Head() {
		return resp, nil
	}
	return resp, expand(req, resp)
}

// contentRange reads "bytes 5-9/10" and "bytes */10" (RFC 9110, section 14.4).
// An unknown part is -1.
func contentRange(s string) (first, size int64, ok bool) {
	s, ok = strings.CutPrefix(s, "bytes ")
	span, total, ok2 := strings.Cut(s, "/")
	if !ok || !ok2 {
		return 0, 0, false
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return -1
		}
		return n
	}
	from, _, _ := strings.Cut(span, "-")
	first, size = number(from), number(total)
	return first, size, first >= 0 || size >= 0
}

// essence is a media type without its parameters, in lower case.
func essence(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// trace shows a request or an answer, without what is secret in it, to a Trace
// that is there.
func trace(req *fetch.Request, kind byte, first string, header http.Header) {
	req.Trace(fetch.Event{Kind: kind, Text: first})
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, v := range header[name] {
			if isSecret(name) {
				v = "***"
			}
			req.Trace(fetch.Event{Kind: kind, Text: name + ": " + v})
		}
	}
}

// isSecret reports whether a field's value is nobody else's business, as far as
// its name tells.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "cookie", "key", "token", "secret", "password", "session", "credential"} {
		if strings.Contains(name, word) && name != "www-authenticate" && name != "proxy-authenticate" {
			return true
		}
	}
	return false
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"http", "https"} }
