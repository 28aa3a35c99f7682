// Package nntp opens news, nntp and snews URLs over NNTP (RFC 3977): an article
// by its message-id or its number, a group as the list of its latest articles,
// a pattern as the list of the groups that match. Start with [New]; [Conn] is
// the conversation alone.
package nntp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"sync"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	news "anyurl/scheme/news"
)

// DefaultArticles is how many of a group's articles a listing holds.
const DefaultArticles = 100

// A Transport opens news, nntp and snews URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Server is the reader's own, "host" or "host:port", for URLs that name
	// none; nearly every news URL names none. "" leaves those unanswered.
	Server string
	// Articles is how many of a group's latest articles a listing holds; 0 is
	// DefaultArticles.
	Articles int
	// ClearLogin permits sending a password without TLS.
	ClearLogin bool
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"news", "nntp", "snews"} }

// New returns a Transport that connects through d. server is the reader's own
// news server and may be "".
func New(d *dial.Dialer, server string) *Transport { return &Transport{Dialer: d, Server: server} }

// Fetch opens a news, nntp or snews URL.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := news.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	return t.open(ctx, req, ref)
}

// Message opens the article with a message-id, without its brackets, from the
// reader's own server, whatever the scheme of the request's URL: a mail message
// may be one, too.
func (t *Transport) Message(ctx context.Context, req *fetch.Request, id string) (*fetch.Response, error) {
	return t.open(ctx, req, news.Ref{Scheme: "news", MessageID: id})
}

func (t *Transport) open(ctx context.Context, req *fetch.Request, ref news.Ref) (*fetch.Response, error) {
	if req.Offset > 0 {
		// NNTP has no way to ask for the rest: the whole comes, and says so.
		whole := *req
		whole.Offset = 0
		req = &whole
	}
	addr, err := t.addr(ref)
	if err != nil {
		return nil, err
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	if ref.TLS() {
		secure, err := t.Dialer.StartTLS(ctx, conn, hostOf(addr))
		if err != nil {
			return nil, fetch.Fail(fetch.TLS, err)
		}
		conn = secure
	}
	stop := wire.Watch(ctx, conn)
	c := NewConn(conn, wire.Limits{Line: max(req.Limits.MaxLine, 0), Reply: max(req.Limits.MaxHeader, 0)})
	if req.Trace != nil {
		c.Log(func(sent bool, line string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			req.Trace(fetch.Event{Kind: kind, Text: line})
		})
	}
	resp, err := t.converse(ctx, c, req, ref, addr)
	if err != nil {
		stop()
		c.Close()
		return nil, err
	}
	if b, ok := resp.Body.(*body); ok {
		b.stop = stop // the article is still to come
	} else {
		stop()
		c.Quit()
	}
	resp.Protocol = "nntp"
	return resp, nil
}

// addr is the server to ask.
func (t *Transport) addr(ref news.Ref) (string, error) {
	if a := ref.Addr(); a != "" {
		return a, nil
	}
	if t.Server == "" {
		return "", &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported,
			Err:  errors.New("the URL names no news server, and none is configured"),
			Hint: "name one in the environment variable NNTPSERVER, or in the URL, as in news://news.example/" + strings.TrimPrefix(ref.URL().String(), ref.Scheme+":")}
	}
	if _, _, err := net.SplitHostPort(t.Server); err == nil {
		return t.Server, nil
	}
	port := news.Port
	if ref.TLS() {
		port = news.PortTLS
	}
	return net.JoinHostPort(strings.Trim(t.Server, "[]"), strconv.Itoa(port)), nil
}

func hostOf(addr string) string {
	host, _, _ := net.SplitHostPort(addr)
	return host
}

// converse asks for what ref points at.
func (t *Transport) converse(ctx context.Context, c *Conn, req *fetch.Request, ref news.Ref, addr string) (*fetch.Response, error) {
	if err := c.Greeting(); err != nil {
		return nil, failed(fetch.Greeting, err)
	}
	if err := c.Reader(); err != nil {
		return nil, failed(fetch.Greeting, err)
	}
	user, password, has := ref.User, ref.Password, ref.HasUser
	if req.Auth != nil {
		user, password, has = req.Auth.User, req.Auth.Password, true
	}
	if has {
		if err := t.login(ctx, c, ref, addr, user, password); err != nil {
			return nil, err
		}
	}
	switch {
	case ref.MessageID != "":
		return t.article(c, req, ref, "<"+ref.MessageID+">")
	case ref.HasNumber:
		if _, err := c.Group(ref.Group); err != nil {
			return nil, failed(fetch.Asking, err)
		}
		return t.article(c, req, ref, strconv.FormatUint(ref.Number, 10))
	case strings.ContainsAny(ref.Group, "*?"):
		return t.groups(c, req, ref)
	}
	return t.group(c, req, ref)
}

// login says who asks, inside TLS where the server offers it.
func (t *Transport) login(ctx context.Context, c *Conn, ref news.Ref, addr, user, password string) error {
	secure := ref.TLS()
	if !secure {
		if err := c.Capabilities(); err != nil {
			return failed(fetch.Login, err)
		}
		if c.Can("STARTTLS") {
			err := c.StartTLS(ctx, func(conn net.Conn) (net.Conn, error) { return t.Dialer.StartTLS(ctx, conn, hostOf(addr)) })
			if err != nil {
				return failed(fetch.TLS, err)
			}
			secure = true
		}
	}
	if !secure && !t.ClearLogin {
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrRefused,
			Err: errors.New("the server offers no TLS, and a password is not sent without it")}
	}
	if err := c.Login(user, password); err != nil {
		return failed(fetch.Login, err)
	}
	return nil
}

// article answers with one article.
func (t *Transport) article(c *Conn, req *fetch.Request, ref news.Ref, which string) (*fetch.Response, error) {
	ask := c.Article
	if req.Head() {
		ask = c.Head
	}
	r, err := ask(which)
	if err != nil {
		return nil, failed(fetch.Asking, err)
	}
	resp := &fetch.Response{URL: req.URL, Type: "message/rfc822", Size: -1}
	br := bufio.NewReaderSize(r, 16<<10)
	head, err := br.Peek(16 << 10)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, failed(fetch.Body, err)
	}
	resp.Header = map[string][]string{}
	for _, name := range []string{"Subject", "From", "Date", "Message-ID", "Newsgroups", "References", "Content-Type"} {
		if v := fieldOf(head, name); v != "" {
			resp.Header[name] = []string{v}
		}
	}
	resp.ModTime = date(fieldOf(head, "Date"))
	if id := strings.Trim(fieldOf(head, "Message-ID"), "<> "); id != "" && ref.HasNumber {
		// Numbers differ from server to server: the article's own name is its
		// message-id.
		if u := (news.Ref{Scheme: "news", MessageID: id}).URL(); !u.IsZero() {
			resp.Header["Content-Location"] = []string{u.String()}
		}
	}
	if req.Head() {
		if _, err := io.Copy(io.Discard, br); err != nil {
			return nil, failed(fetch.Body, err)
		}
		resp.Body = io.NopCloser(strings.NewReader(""))
		return resp, nil
	}
	resp.Body = &body{Reader: br, c: c}
	return resp, nil
}

// A body is an article that still comes.
type body struct {
	*bufio.Reader
	c    *Conn
	stop func() bool
	done bool
	once sync.Once
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		b.done = true
	} else if err == io.ErrUnexpectedEOF {
		err = &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: err}
	}
	return n, err
}

// Close ends the conversation, politely if the article was read whole. How a
// conversation ends that nobody needs any more is no error of the article's.
func (b *body) Close() error {
	b.once.Do(func() {
		if b.stop() && b.done {
			b.c.Quit()
		} else {
			b.c.Close()
		}
	})
	return nil
}

// group answers with the latest articles of a group, or the latest before the
// number that is asked for. Where there are more, the header's Content-Range says
// so: "articles 49901-50000/50000", which are the numbers of those that are listed,
// and how many the group has.
func (t *Transport) group(c *Conn, req *fetch.Request, ref news.Ref) (*fetch.Response, error) {
	g, err := c.Group(ref.Group)
	if err != nil {
		return nil, failed(fetch.Asking, err)
	}
	l := &listing{limit: req.Limits.MaxEntries, octets: req.Limits.MaxBody}
	var left map[string][]string
	if !g.Empty() {
		many := uint64(DefaultArticles)
		if t.Articles > 0 {
			many = uint64(t.Articles)
		}
		low, high := latest(g, many, req.Before)
		if low > g.Low || high < g.High {
			left = map[string][]string{"Content-Range": {fmt.Sprintf("articles %d-%d/%d", low, high, g.Count)}}
		}
		each := func(a Article) error {
			e := fetch.Entry{Name: a.Subject, Type: "article", Size: a.Octets, Time: date(a.Date), Raw: a.Raw}
			if a.MessageID != "" {
				e.URL = (news.Ref{Scheme: "news", Host: ref.Host, Port: ref.Port, MessageID: a.MessageID}).URL().String()
			}
			return l.add(e)
		}
		if low <= high {
			if err := c.Overview(low, high, each); err != nil {
				return nil, failed(fetch.Body, err)
			}
		}
	}
	resp := l.response(req.URL)
	resp.Header = left
	return resp, nil
}

// latest is the span of the numbers of a group's latest articles, so many of them;
// of those before a number, unless that is 0. It is empty, with high below low,
// where the group begins at that number or after it.
func latest(g Group, many, before uint64) (low, high uint64) {
	low, high = g.Low, g.High
	if before > 0 {
		high = min(high, max(before, low)-1)
	}
	if high >= low && high-low >= many {
		low = high - many + 1
	}
	return low, high
}

// groups answers with the groups that match a pattern.
func (t *Transport) groups(c *Conn, req *fetch.Request, ref news.Ref) (*fetch.Response, error) {
	l := &listing{limit: req.Limits.MaxEntries, octets: req.Limits.MaxBody}
	err := c.List(ref.Group, func(g Group, line string) error {
		return l.add(fetch.Entry{Name: g.Name, Type: "group", Size: -1, Raw: line,
			URL: (news.Ref{Scheme: ref.Scheme, Host: ref.Host, Port: ref.Port, Group: g.Name}).URL().String()})
	})
	if err != nil {
		return nil, failed(fetch.Body, err)
	}
	return l.response(req.URL), nil
}

// A listing gathers entries and, as its body, the lines as they came.
type listing struct {
	entries []fetch.Entry
	raw     bytes.Buffer
	limit   int
	octets  int64
}

func (l *listing) add(e fetch.Entry) error {
	if l.limit > 0 && len(l.entries) >= l.limit || l.octets > 0 && int64(l.raw.Len()+len(e.Raw)) > l.octets {
		return &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: errors.New("the list has more entries or octets than the limit"),
			Hint: "ask for fewer with a pattern, as in news:comp.*"}
	}
	l.entries = append(l.entries, e)
	l.raw.WriteString(e.Raw)
	l.raw.WriteString("\r\n")
	return nil
}

func (l *listing) response(u anyurl.URL) *fetch.Response {
	return &fetch.Response{URL: u, Type: "text/plain", Size: int64(l.raw.Len()), Listing: true, Entries: l.entries,
		Body: io.NopCloser(bytes.NewReader(l.raw.Bytes()))}
}

// date reads a Date field; the zero time if it is none.
func date(s string) time.Time {
	t, err := mail.ParseDate(s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
		}
		return fetch.Fail(step, err)
	}
	e := &fetch.Error{Step: step, Status: r.Code, Said: r.Text, Err: r}
	switch r.Code {
	case 411, 420, 421, 422, 423, 430:
		e.Kind = fetch.ErrNotFound
	case 480, 481, 482, 483, 502:
		e.Kind = fetch.ErrDenied
		if r.Code == 480 {
			e.Hint = "the server wants a user name and a password"
		}
	case 400, 403:
		e.Kind = fetch.ErrBusy
	case 500, 501, 503:
		e.Kind = fetch.ErrUnsupported
	}
	return e
}
