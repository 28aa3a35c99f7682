// Package http opens http and https URLs, over HTTP/1.1 and HTTP/2 (RFC 9110,
// RFC 9112, RFC 9113). It is the standard library's client with its own ideas
// taken away: nothing is followed, no cookie is kept, no proxy is guessed from
// the environment, and compression is undone here, under limits. Start with
// [New].
package http

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	httpurl "anyurl/scheme/http"
)

// UserAgent is what requests call themselves unless their header says otherwise.
const UserAgent = "anyurl/1"

// A Transport opens http and https URLs. Close it to let go of idle connections.
type Transport struct {
	dialer *dial.Dialer

	mu      sync.Mutex
	clients map[int64]*http.Transport // by header limit, which net/http has per transport
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport {
	return &Transport{dialer: d, clients: map[int64]*http.Transport{}}
}

// Close closes the connections that wait for another request.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.clients {
		c.CloseIdleConnections()
	}
	return nil
}

// client returns the net/http transport for a header limit.
func (t *Transport) client(maxHeader int64) *http.Transport {
	if maxHeader < 0 {
		maxHeader = math.MaxInt64 / 4 // net/http adds to it
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.clients[maxHeader]
	if c == nil {
		c = &http.Transport{
			DialContext: t.dialer.DialContext,
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
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			ReadBufferSize:         32 << 10,
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
	out, err := request(ctx, req, ref)
	if err != nil {
		return nil, fetch.Fail(fetch.Asking, err)
	}
	trace(req, '>', out.Method+" "+ref.Target(), out.Header)
	in, err := t.client(req.Limits.MaxHeader).RoundTrip(out)
	if err != nil {
		return nil, failed(err)
	}
	trace(req, '<', in.Proto+" "+in.Status, in.Header)
	resp, err := response(req, in)
	if err != nil {
		in.Body.Close()
		return nil, err
	}
	return resp, nil
}

// request writes req for net/http. Its URL is put together from the reading's
// parts, so that the octets on the wire are those that were vetted.
func request(ctx context.Context, req *fetch.Request, ref httpurl.Ref) (*http.Request, error) {
	header := http.Header{}
	for name, values := range req.Header {
		for _, v := range values {
			header.Add(name, v)
		}
	}
	set := func(name, value string) {
		if _, ok := header[name]; !ok {
			header.Set(name, value)
		}
	}
	set("User-Agent", UserAgent)
	set("Accept", "*/*")
	if req.Offset > 0 {
		header.Set("Range", "bytes="+strconv.FormatInt(req.Offset, 10)+"-")
		header.Set("Accept-Encoding", "identity")
		if req.Validator != "" {
			header.Set("If-Range", req.Validator)
		}
	}
	set("Accept-Encoding", "gzip, deflate")
	switch auth := req.Auth; {
	case auth != nil:
		set("Authorization", basic(auth.User, auth.Password))
	case ref.HasUser:
		set("Authorization", basic(ref.User, ref.Password))
	}
	method := http.MethodGet
	if req.Method != "" {
		method = req.Method
	}
	out := &http.Request{
		Method:     method,
		URL:        target(req.URL, ref),
		Host:       req.URL.HostPort(),
		Header:     header,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
	}
	return out.WithContext(ctx), nil
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// target is the URL in net/http's type. It would encode a path anew and lose
// octets that the URL Standard leaves alone, such as "|", so the path goes in
// as what it calls opaque. A path that begins with "//" would be taken for a
// host there: it goes in whole, in absolute form (RFC 9112, section 3.2.2).
func target(of anyurl.URL, ref httpurl.Ref) *url.URL {
	u := &url.URL{Scheme: "http", Host: ref.Addr(), Opaque: ref.Path, RawQuery: ref.Query, ForceQuery: ref.HasQuery}
	if ref.TLS {
		u.Scheme = "https"
	}
	if strings.HasPrefix(ref.Path, "//") {
		u.Opaque = "//" + of.HostPort() + ref.Path
	}
	return u
}

// failed says at which step net/http gave up.
func failed(err error) error {
	var own *dial.Error
	if errors.As(err, &own) {
		return fetch.Fail(fetch.Connecting, own)
	}
	e := &fetch.Error{Step: fetch.Status, Err: err}
	text := err.Error()
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Err = fetch.ErrTruncated, errors.New("the connection was closed before an answer")
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind = fetch.ErrTruncated
	case errors.As(err, &record):
		e.Step, e.Kind = fetch.TLS, fetch.ErrMalformed
	// net/http has no types for these two.
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "too many 1xx"):
		e.Step, e.Kind = fetch.Limit, fetch.ErrTooLarge
	case strings.Contains(text, "malformed"), strings.Contains(text, "invalid"), strings.Contains(text, "multiple Content-Length"):
		e.Kind = fetch.ErrMalformed
	}
	return e
}

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
	if when, err := http.ParseTime(in.Header.Get("Last-Modified")); err == nil {
		resp.ModTime = when
	}
	switch in.StatusCode {
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		resp.Location, resp.Permanent = in.Header.Get("Location"), true
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
		resp.Location = in.Header.Get("Location")
	case http.StatusPartialContent:
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

// trace shows a request or an answer, without what is secret in it.
func trace(req *fetch.Request, kind byte, first string, header http.Header) {
	if req.Trace == nil {
		return
	}
	req.Trace(fetch.Event{Kind: kind, Text: first})
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, v := range header[name] {
			switch name {
			case "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie":
				v = "***"
			}
			req.Trace(fetch.Event{Kind: kind, Text: name + ": " + v})
		}
	}
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"http", "https"} }
