package mid

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"anyurl/fetch"
	"anyurl/internal/wire"
)

// imap looks in the mailboxes of a server.
func (s *search) imap(ctx context.Context, box mailbox) (*fetch.Response, error) {
	conn, at, err := s.Dialer.Dial(ctx, "tcp", box.addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	if box.tls {
		secure, err := s.Dialer.StartTLS(ctx, conn, box.host)
		if err != nil {
			return nil, fetch.Fail(fetch.TLS, err)
		}
		conn = secure
	}
	stop := wire.Watch(ctx, conn)
	c := NewConn(conn, wire.Limits{Line: max(s.req.Limits.MaxLine, 0), Reply: bound(s.req.Limits.MaxHeader)})
	if trace := fetch.VeilTrace(s.req.Trace, box.user, box.password); trace != nil {
		c.Log(func(sent bool, line string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			trace(fetch.Event{Kind: kind, Text: line})
		})
	}
	resp, err := s.converse(ctx, c, box, at.IsValid() && at.Addr().IsLoopback())
	if resp == nil {
		stop()
		if err == nil {
			c.Logout()
		} else {
			c.Close()
		}
		return nil, err
	}
	resp.Protocol = "imap"
	resp.Body.(*body).close = func() error {
		stop()
		return c.Close()
	}
	return resp, nil
}

// converse logs in and looks through the mailboxes.
func (s *search) converse(ctx context.Context, c *Conn, box mailbox, loopback bool) (*fetch.Response, error) {
	if err := c.Greeting(); err != nil {
		return nil, failed(fetch.Greeting, err)
	}
	if !c.Authenticated {
		if err := s.login(ctx, c, box, loopback); err != nil {
			return nil, err
		}
	}
	names := []string{box.name}
	if box.name == "" {
		listed, err := c.List(int(min(bound(int64(s.req.Limits.MaxEntries)), 1<<20)))
		if err != nil {
			return nil, failed(fetch.Asking, err)
		}
		inbox := func(name string) bool { return strings.EqualFold(name, "INBOX") }
		names = append([]string{"INBOX"}, slices.DeleteFunc(listed, inbox)...)
	} else if name, ok := utf7(box.name); ok {
		names[0] = name
	}
	for _, name := range names {
		messages, err := c.Examine(name)
		var no *Refusal
		var unsafe *wire.Unsafe
		if box.name == "" && (errors.As(err, &no) && no.Status == "NO" || errors.As(err, &unsafe)) {
			continue // listed, and not for us to open
		}
		if err != nil {
			return nil, failed(fetch.Asking, err)
		}
		s.looked += int(messages)
		resp, err := s.inMailbox(c, messages)
		if err == errLacks {
			return nil, nil
		}
		if resp != nil || err != nil {
			return resp, failed(fetch.Asking, err)
		}
	}
	return nil, nil
}

// login says who asks, inside TLS where the server offers it; not on this
// machine, whose certificates are rarely such as can be checked, unless it
// takes no password otherwise.
func (s *search) login(ctx context.Context, c *Conn, box mailbox, loopback bool) error {
	if box.user == "" {
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Err: errors.New("the server wants a user name, and the mailbox that is configured has none")}
	}
	secure := box.tls
	if !secure {
		offered, err := c.Can("STARTTLS")
		if err != nil {
			return failed(fetch.Login, err)
		}
		disabled, err := c.Can("LOGINDISABLED")
		if err != nil {
			return failed(fetch.Login, err)
		}
		if offered && (!loopback || disabled) {
			err := c.StartTLS(ctx, func(conn net.Conn) (net.Conn, error) { return s.Dialer.StartTLS(ctx, conn, box.host) })
			if err != nil {
				return failed(fetch.TLS, err)
			}
			secure = true
		}
	}
	if !secure && !loopback && !s.ClearLogin {
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrRefused, Err: errors.New("the server offers no TLS, and a password is not sent without it")}
	}
	if err := c.Login(box.user, box.password); err != nil {
		return fetch.Veil(failed(fetch.Login, err), box.user, box.password)
	}
	return nil
}

// The sizes of the steps in which a mailbox is gone through.
const (
	identifiersAtOnce = 100
	structuresAtOnce  = 200
)

// inMailbox looks in the mailbox that is open.
func (s *search) inMailbox(c *Conn, messages uint32) (*fetch.Response, error) {
	if s.ref.Scheme == "cid" {
		return s.anywhere(c, messages)
	}
	if messages == 0 {
		return nil, nil
	}
	candidates, err := c.Search(s.ref.MessageID, int(min(bound(int64(s.req.Limits.MaxEntries)), 1<<20)))
	if err != nil {
		return nil, err
	}
	// The server finds what has the identifier in it, in any case.
	exact, near := uint32(0), uint32(0)
	for some := range slices.Chunk(candidates, identifiersAtOnce) {
		err := c.Identifiers(some, func(uid uint32, fields string) {
			h, _, _ := readHeader(fileLines{bufio.NewReader(strings.NewReader(fields))}, int64(len(fields)))
			switch c := compare(identifier(h.get("Message-ID")), s.ref.MessageID); {
			case c == same && exact == 0:
				exact = uid
			case c == alike && near == 0:
				near = uid
			}
		})
		if err != nil {
			return nil, err
		}
		if exact != 0 {
			break
		}
	}
	switch {
	case exact == 0 && near == 0:
		return nil, nil
	case exact == 0:
		exact = near
	}
	if s.ref.ContentID == "" {
		return message9051(c, exact)
	}
	return s.partOf(c, exact)
}

// message9051 answers with a message.
func message9051(c *Conn, uid uint32) (*fetch.Response, error) {
	r, size, err := c.Body(uid, "")
	if err != nil {
		return nil, err
	}
	br := bufio.NewReaderSize(r, 16<<10)
	head, _ := br.Peek(16 << 10) // what fails here fails again where the body is read
	h, _, _ := readHeader(fileLines{bufio.NewReader(bytes.NewReader(head))}, int64(len(head)))
	resp := described(h)
	resp.Type, resp.Size = "message/rfc822", size
	resp.Body = &body{Reader: br}
	return resp, nil
}

// partOf answers with a part of a message, of which no more is asked for where
// the server's description of it shows the part.
func (s *search) partOf(c *Conn, uid uint32) (*fetch.Response, error) {
	var found *section
	err := c.Structure(uid, func(_ uint32, body value) error {
		sections(body, s.wanted(&found))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if found != nil {
		return partAt(c, uid, found)
	}
	// A multipart's own Content-ID is in no description.
	r, _, err := c.Body(uid, "")
	if err != nil {
		return nil, err
	}
	br := bufio.NewReaderSize(r, 64<<10)
	limit := bound(s.req.Limits.MaxHeader)
	h, _, err := readHeader(fileLines{br}, limit)
	if err != nil {
		return nil, err
	}
	p, seen, err := findPart(h, br, s.ref.ContentID, limit)
	if err != nil {
		return nil, err
	}
	if p == nil {
		s.lacks, s.parts = true, seen
		return nil, errLacks
	}
	return ofPart(p.header, p.body, -1, nil), nil
}

// errLacks ends the search on a server that has the message without the part.
var errLacks = errors.New("the message lacks the part")

// wanted gives what looks for the Content-ID among sections.
func (s *search) wanted(found **section) func(section) bool {
	return func(one section) bool {
		if compare(identifier(one.header.get("Content-ID")), s.ref.ContentID) == other {
			return false
		}
		*found = &one
		return true
	}
}

func partAt(c *Conn, uid uint32, at *section) (*fetch.Response, error) {
	r, size, err := c.Body(uid, at.number)
	if err != nil {
		return nil, err
	}
	return ofPart(at.header, r, size, nil), nil
}

// anywhere looks for a part in every message, the latest first.
func (s *search) anywhere(c *Conn, messages uint32) (*fetch.Response, error) {
	var found *section
	of := uint32(0)
	for high := messages; high > 0; {
		low := uint32(1)
		if high > structuresAtOnce {
			low = high - structuresAtOnce + 1
		}
		err := c.Structures(low, high, func(uid uint32, body value) error {
			if uid != 0 && sections(body, s.wanted(&found)) {
				of = uid
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if found != nil {
			return partAt(c, of, found)
		}
		high = low - 1
	}
	return nil, nil
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	if err == nil {
		return nil
	}
	var no *Refusal
	var odd *notIMAP
	switch {
	case errors.As(err, &odd):
		return &fetch.Error{Step: step, Kind: fetch.ErrMalformed, Err: err}
	case errors.Is(err, errDepth), errors.Is(err, errParts):
		return &fetch.Error{Step: step, Kind: fetch.ErrTooLarge, Err: err}
	case errors.Is(err, errNoBody):
		return &fetch.Error{Step: step, Kind: fetch.ErrNotFound, Err: err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
	case !errors.As(err, &no):
		return fetch.Fail(step, err)
	}
	e := &fetch.Error{Step: step, Said: no.Text, Err: no}
	switch {
	case no.Code == "UNAVAILABLE" || no.Code == "INUSE" || no.Code == "LIMIT", no.Status == "BYE":
		e.Kind = fetch.ErrBusy
	case step == fetch.Login, no.Code == "NOPERM" || no.Code == "AUTHORIZATIONFAILED":
		e.Kind = fetch.ErrDenied
	case no.Code == "NONEXISTENT", no.Status == "NO":
		e.Kind = fetch.ErrNotFound
	}
	return e
}
