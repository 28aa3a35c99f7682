// Package gopher opens gopher and gophers URLs (RFC 1436, RFC 4266, and the
// Gopher+ description of 1993), as the servers of then and of now speak it.
// Start with [New].
package gopher

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	gopherurl "anyurl/scheme/gopher"
)

// A Transport opens gopher and gophers URLs, each on a connection of its own.
type Transport struct {
	dialer *dial.Dialer
}

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{dialer: d} }

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"gopher", "gophers"} }

// Fetch asks for the item. An item that only names another place, such as a
// web page or a telnet session, is answered with that place and no connection.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := gopherurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if place := elsewhere(ref.Type, ref.Selector, ref.Addr()); place != "" {
		return &fetch.Response{URL: req.URL, Protocol: "gopher", Size: -1, Location: place, Body: io.NopCloser(strings.NewReader(""))}, nil
	}
	request, err := requestFor(ref)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	conn, err := t.dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	if ref.TLS {
		secure, err := t.dialer.StartTLS(ctx, conn, ref.Host.Unbracketed())
		if err != nil {
			return nil, fetch.Fail(fetch.TLS, err)
		}
		conn = secure
	}
	x := &exchange{conn: conn, stop: wire.Watch(ctx, conn), r: bufio.NewReaderSize(closing{conn}, 8<<10), req: req, ref: ref}
	if req.Trace != nil {
		for line := range strings.SplitSeq(strings.TrimSuffix(string(request), "\r\n"), "\r\n") {
			req.Trace(fetch.Event{Kind: '>', Text: line})
		}
	}
	// The sending side stays open: some servers drop the reply when it closes.
	if _, err := conn.Write(request); err != nil {
		x.Close()
		return nil, fetch.Fail(fetch.Asking, err)
	}
	resp, err := x.answer()
	if err != nil {
		x.Close()
		return nil, fetch.Fail(fetch.Status, err)
	}
	if req.Head() {
		resp.Body.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// requestFor is the request's octets: the selector, the search, the Gopher+
// string, with one TAB before each that is there (RFC 1738, section 3.4.3,
// wants two before a Gopher+ string; the server of 1993 does not).
func requestFor(ref gopherurl.Ref) ([]byte, error) {
	if ref.Type == '2' { // a CSO name server speaks RFC 2378
		return cso(ref)
	}
	parts := []string{ref.Selector}
	if ref.HasSearch {
		parts = append(parts, "\t", ref.Search)
	}
	var b bytes.Buffer
	plus := ref.Plus
	if plus == "" {
		err := wire.WriteLine(&b, parts...)
		return b.Bytes(), err
	}
	if plus == "?" { // RFC 1738, section 3.4.9: the item has a form; ask for it
		plus = "!+ASK"
	}
	// The answers to a form are lines of their own. The reading has seen to it
	// that they are nothing else.
	first, answers, form := strings.Cut(plus, "\r\n")
	if err := wire.WriteLine(&b, append(parts, "\t", first)...); err != nil {
		return nil, err
	}
	if form {
		for line := range strings.SplitSeq(strings.TrimSuffix(answers, "\r\n"), "\r\n") {
			if err := wire.WriteLine(&b, line); err != nil {
				return nil, err
			}
		}
	}
	return b.Bytes(), nil
}

// cso asks a name server one thing and says goodbye.
func cso(ref gopherurl.Ref) ([]byte, error) {
	var b bytes.Buffer
	ask := "siteinfo"
	if ref.HasSearch {
		ask = "query " + ref.Search
	}
	if err := wire.WriteLine(&b, ask); err != nil {
		return nil, err
	}
	err := wire.WriteLine(&b, "quit")
	return b.Bytes(), err
}

// elsewhere is the URL of an item that is not on this server at all; "" for
// the others.
func elsewhere(typ gopherurl.Type, selector, addr string) string {
	switch typ {
	case 'h':
		for _, mark := range []string{"URL:", "/URL:", "GET URL:", "GET /URL:"} {
			if place, ok := strings.CutPrefix(selector, mark); ok {
				return place
			}
		}
	case '8', 'T':
		scheme := map[gopherurl.Type]string{'8': "telnet", 'T': "tn3270"}[typ]
		u, err := anyurl.Parse(scheme + "://" + addr + "/")
		if err != nil {
			return ""
		}
		if selector != "" { // RFC 1436, section 3.8: the login name
			if v, err := u.WithUsername(selector); err == nil {
				u = v
			}
		}
		return u.String()
	}
	return ""
}

// closing makes TLS without its end mark an end: most servers just close, and
// the protocol has no other end to tell it by.
type closing struct{ net.Conn }

func (c closing) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if _, secure := c.Conn.(*tls.Conn); secure && errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// An exchange is one request under way; it is the connection's owner.
type exchange struct {
	conn net.Conn
	stop func() bool
	once sync.Once
	err  error
	r    *bufio.Reader
	req  *fetch.Request
	ref  gopherurl.Ref
}

func (x *exchange) Close() error {
	x.once.Do(func() {
		x.stop()
		x.err = x.conn.Close()
	})
	return x.err
}

// answer reads as much as tells what is coming.
func (x *exchange) answer() (*fetch.Response, error) {
	resp := &fetch.Response{URL: x.req.URL, Protocol: "gopher", Type: mediaType(x.ref), Size: -1}
	if x.ref.TLS {
		resp.Protocol = "gophers"
	}
	head, err := x.r.Peek(1)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("the server closes without an answer: it has nothing there")}
		}
		return nil, err
	}
	if head[0] == '+' || head[0] == '-' {
		sign, n, ok, err := x.plusHeader()
		if err != nil {
			return nil, err
		}
		if ok {
			if sign == '-' {
				return x.refusal(resp, n)
			}
			resp.Protocol += "+"
			return x.plus(resp, n)
		}
	}
	if head[0] == '3' {
		if err := x.isError(); err != nil {
			return nil, err
		}
	}
	return x.plain(resp, x.r)
}

// plusHeader takes "+n", "-n" and CR LF off the reply, if that is how it begins:
// n octets follow, or a text ended by "." (-1), or all up to the end (-2). One
// that was asked for and breaks off is an error, and no object.
func (x *exchange) plusHeader() (sign byte, n int64, ok bool, err error) {
	const longest = 24
	for i := 2; i <= longest; i++ {
		head, err := x.r.Peek(i)
		if err != nil {
			if begun := x.ref.Plus != "" && strings.Trim(string(head[1:]), "-0123456789\r") == ""; begun && errors.Is(err, io.EOF) {
				return 0, 0, false, io.ErrUnexpectedEOF
			}
			return 0, 0, false, unlessEnd(err)
		}
		if head[i-1] != '\n' {
			continue
		}
		text := strings.TrimSuffix(string(head[1:i-1]), "\r")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < -2 || text[0] == '+' {
			return 0, 0, false, nil
		}
		sign = head[0]
		if x.ref.Plus == "" {
			// Nobody asked for Gopher+, so this may be an item's own first
			// line, unless an error's code follows.
			head, err := x.r.Peek(i + 2)
			if sign == '+' || err != nil || head[i] < '1' || head[i] > '3' || head[i+1] != ' ' {
				return 0, 0, false, unlessEnd(err)
			}
		}
		x.r.Discard(i)
		return sign, n, true, nil
	}
	return 0, 0, false, nil
}

// unlessEnd is err, but for the end: a short reply is a reply.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// refusal reads a Gopher+ error: a code and whom to ask, then words. Servers of
// 1993 give one even to a request that had no Gopher+ in it.
func (x *exchange) refusal(resp *fetch.Response, n int64) (*fetch.Response, error) {
	limit := int64(4 << 10)
	if n >= 0 && n < limit {
		limit = n
	}
	words, err := io.ReadAll(io.LimitReader(x.r, limit))
	if err != nil && len(words) == 0 {
		return nil, err
	}
	text := strings.TrimRight(string(words), "\r\n.")
	first, rest, _ := strings.Cut(text, "\n")
	e := &fetch.Error{Step: fetch.Status, Said: strings.TrimSpace(text), Kind: fetch.ErrNotFound, Err: errors.New("the server refuses")}
	switch code, _, _ := strings.Cut(strings.TrimSpace(first), " "); code {
	case "1":
		e.Status, e.Err = 1, errors.New("the item is not available")
	case "2":
		e.Status, e.Kind, e.Err = 2, fetch.ErrBusy, errors.New("the server wants to be asked again later")
	case "3":
		e.Status, e.Err = 3, errors.New("the item has moved")
		for line := range strings.Lines(rest) {
			if entry := x.entry(strings.TrimRight(line, "\r\n")); entry.URL != "" {
				resp.Status, resp.Location, resp.Permanent = 3, entry.URL, true
				resp.Body = &body{exchange: x, r: strings.NewReader("")}
				return resp, nil
			}
		}
	}
	return nil, e
}

// isError looks whether the whole reply is one menu line of type 3, which is
// how a server without Gopher+ says no, whatever kind of item was asked for.
func (x *exchange) isError() error {
	head, err := x.r.Peek(4 << 10)
	if err == nil {
		return nil // too long for that
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	first, rest, _ := strings.Cut(string(head), "\n")
	f := strings.Split(strings.TrimSuffix(first, "\r"), "\t")
	if rest = strings.TrimRight(rest, "\r\n"); rest != "" && rest != "." && !x.menu() || len(f) < 4 {
		return nil
	}
	if _, err := strconv.ParseUint(f[3], 10, 16); err != nil {
		return nil
	}
	return &fetch.Error{Step: fetch.Status, Status: 3, Kind: fetch.ErrNotFound, Said: f[0][1:], Err: errors.New("the server answers with an error item")}
}

// menu reports whether the item is a list of items.
func (x *exchange) menu() bool {
	switch x.ref.Type {
	case '1', '7', '+':
		return true
	}
	return false
}

// plain is a reply without Gopher+.
func (x *exchange) plain(resp *fetch.Response, r io.Reader) (*fetch.Response, error) {
	switch x.ref.Type {
	case '1', '7', '+':
		return x.listing(resp, r)
	case '0', '6':
		resp.Body = &body{exchange: x, r: newText(r)}
	case '2':
		resp.Body = &body{exchange: x, r: r}
	default:
		resp.Body = &body{exchange: x, r: r, raw: r == x.r}
	}
	return resp, nil
}

// plus is a reply with a Gopher+ header.
func (x *exchange) plus(resp *fetch.Response, n int64) (*fetch.Response, error) {
	var r io.Reader = x.r
	switch {
	case n >= 0:
		r = &exactly{r: x.r, left: n}
		resp.Size = n
	case n == -1:
		r = newText(x.r)
	}
	switch view := x.ref.Plus[1:]; x.ref.Plus[0] {
	case '!', '?', '$':
		resp.Type = "text/plain"
		return x.attributes(resp, r)
	case '+':
		view, _, _ = strings.Cut(view, "\t")
		if typ, _, _ := strings.Cut(view, " "); typ != "" {
			resp.Type = strings.ToLower(typ)
		} else if x.menu() {
			return x.listing(resp, r)
		}
		if strings.HasPrefix(resp.Type, "application/gopher") {
			return x.listing(resp, r)
		}
	}
	resp.Body = &body{exchange: x, r: r}
	return resp, nil
}

// listing reads a menu whole.
func (x *exchange) listing(resp *fetch.Response, r io.Reader) (*fetch.Response, error) {
	raw, err := fetch.ReadListing(r, x.req.Limits)
	if err != nil {
		return nil, fetch.Fail(fetch.Body, err)
	}
	resp.Listing = true
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "." {
			break
		}
		if line == "" {
			continue
		}
		resp.Entries = append(resp.Entries, x.entry(line))
		if err := fetch.CheckEntries(len(resp.Entries), x.req.Limits); err != nil {
			return nil, err
		}
	}
	x.whole(resp, raw)
	return resp, nil
}

// whole makes raw the body of a response whose connection is not needed more.
func (x *exchange) whole(resp *fetch.Response, raw []byte) {
	x.Close()
	resp.Size = int64(len(raw))
	resp.Body = io.NopCloser(bytes.NewReader(raw))
}

// attributes reads Gopher+ attribute blocks whole: of one item, whose blocks
// become the Header, or of all items of a menu, which become the Entries.
func (x *exchange) attributes(resp *fetch.Response, r io.Reader) (*fetch.Response, error) {
	raw, err := fetch.ReadListing(r, x.req.Limits)
	if err != nil {
		return nil, fetch.Fail(fetch.Body, err)
	}
	resp.Listing = x.ref.Plus[0] == '$'
	header := map[string][]string{}
	block := ""
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "+"):
			name, value, _ := strings.Cut(line[1:], ":")
			block = strings.ToUpper(strings.TrimSpace(name))
			value = strings.TrimPrefix(value, " ")
			if block == "INFO" && resp.Listing {
				resp.Entries = append(resp.Entries, x.entry(value))
				if err := fetch.CheckEntries(len(resp.Entries), x.req.Limits); err != nil {
					return nil, err
				}
			}
			header[block] = append(header[block], nonEmpty(value)...)
		case strings.HasPrefix(line, " ") && block != "":
			header[block] = append(header[block], line[1:])
		}
	}
	if !resp.Listing {
		resp.Header = header
	}
	x.whole(resp, raw)
	return resp, nil
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// An exactly is a reply whose length was told.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	if e.left -= int64(n); errors.Is(err, io.EOF) && e.left > 0 {
		err = &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: fmt.Errorf("%d octets fewer came than were told", e.left)}
	}
	return n, err
}

// A body is an item on its way.
type body struct {
	*exchange
	r   io.Reader
	raw bool // the octets are the connection's own
}

func (b *body) Read(p []byte) (int, error) {
	return b.r.Read(p)
}

// Raw returns the connection, once what was looked at has been read.
func (b *body) Raw() (io.Reader, func(int64) error) {
	if _, secure := b.conn.(*tls.Conn); !b.raw || secure || b.exchange.r.Buffered() > 0 {
		return nil, nil
	}
	return b.conn, func(int64) error { return nil }
}
