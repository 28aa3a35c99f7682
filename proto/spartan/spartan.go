// Package spartan opens spartan URLs by the Spartan protocol: one request with
// the data that the URL's query holds, one line of status, and the page up to
// the server's close. Start with [New].
package spartan

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	spartanurl "anyurl/scheme/spartan"
)

// A Transport opens spartan URLs.
type Transport struct {
	dialer *dial.Dialer
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"spartan"} }

// maxMeta bounds what stands behind the status.
const maxMeta = 1024

// Fetch asks for the page. A redirect is returned and not followed.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := spartanurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	// request = host SP path-absolute SP content-length CRLF [data]
	line := ref.Host.String() + " " + ref.Path + " " + strconv.Itoa(len(ref.Data))
	if err := wire.Check(line); err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	b := &body{conn: conn, stop: wire.Watch(ctx, conn), r: bufio.NewReader(conn)}
	resp, err := b.ask(req, line, ref.Data)
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

// ask sends the request and reads the status.
func (b *body) ask(req *fetch.Request, line, data string) (*fetch.Response, error) {
	trace := func(kind byte, text string) {
		if req.Trace != nil {
			req.Trace(fetch.Event{Kind: kind, Text: text})
		}
	}
	trace('>', line)
	// The data are octets of a length that the line tells: they may be anything.
	if _, err := io.WriteString(b.conn, line+"\r\n"+data); err != nil {
		return nil, fetch.Fail(fetch.Asking, err)
	}
	said, err := wire.ReadLine(b.r, maxMeta+2)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrTruncated, Err: errors.New("the server closes without an answer")}
		}
		return nil, fetch.Fail(fetch.Status, err)
	}
	trace('<', said)
	status, meta, ok := readStatus(said)
	if !ok {
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrMalformed, Said: said, Err: errors.New("the answer is no Spartan status")}
	}
	resp := &fetch.Response{URL: req.URL, Protocol: "spartan", Status: status, Size: -1, Body: b}
	switch status {
	case 2:
		typ, _, _ := strings.Cut(meta, ";")
		resp.Type = strings.ToLower(strings.TrimSpace(typ))
		resp.Header = map[string][]string{"Content-Type": {meta}}
		return resp, nil
	case 3:
		// An absolute path of the same host, and nothing else.
		if !isPath(meta) {
			return nil, &fetch.Error{Step: fetch.Redirect, Status: status, Kind: fetch.ErrMalformed, Said: meta, Err: errors.New("a redirect is a path of the same host, and this is none")}
		}
		resp.Location = meta
		return resp, nil
	}
	e := &fetch.Error{Step: fetch.Status, Status: status, Said: meta, Kind: fetch.ErrNotFound, Err: fmt.Errorf("the server cannot give it (%d)", status)}
	if status == 5 {
		e.Kind, e.Err = nil, errors.New("the server has an error of its own (5)")
	}
	return nil, e
}

// readStatus reads a reply's line: status SP meta.
func readStatus(line string) (status int, meta string, ok bool) {
	if len(line) < 2 || line[0] < '2' || line[0] > '5' || line[1] != ' ' {
		return 0, "", false
	}
	return int(line[0] - '0'), line[2:], true
}

// isPath reports whether a redirect stays with its host. The URL Standard reads
// "\\" as "/" for some schemes and takes tabs and line ends out, so neither may
// stand where a second "/" would name a host.
func isPath(meta string) bool {
	if !strings.HasPrefix(meta, "/") || strings.ContainsAny(meta, "\t\r\n\\") {
		return false
	}
	return !strings.HasPrefix(meta, "//")
}

// A body is the page on its way; it owns the connection.
type body struct {
	conn net.Conn
	stop func() bool
	once sync.Once
	err  error
	r    *bufio.Reader
}

func (b *body) Read(p []byte) (int, error) { return b.r.Read(p) }

func (b *body) Close() error {
	b.once.Do(func() {
		b.stop()
		b.err = b.conn.Close()
	})
	return b.err
}
