// Package mid opens mid and cid URLs (RFC 2392): a message by its Message-ID, or
// a part of one by its Content-ID, from where its user keeps mail: files of this
// machine, an IMAP server (RFC 9051) or, for messages, a news server. A URL
// names no place to look. Start with [New]; [Conn] is the conversation with an
// IMAP server alone.
//
// Nothing is marked as read, moved or written. Where several messages have one
// identifier, the first that is met is taken.
package mid

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/mail"
	"strings"
	"sync"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	midurl "anyurl/scheme/mid"
)

// A Transport opens mid and cid URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Places are where mail is looked for, in this order: a file that holds one
	// message, an mbox, a Maildir with its folders, a folder of .eml files, or an
	// IMAP mailbox as imap://user:password@host/INBOX, imaps for TLS from the
	// start. Without a mailbox all of the server's are searched.
	Places []string
	// News asks a news server for a message, where no place has it. Nil asks none.
	News func(ctx context.Context, req *fetch.Request, messageID string) (*fetch.Response, error)
	// ClearLogin permits sending a password without TLS to another machine.
	ClearLogin bool
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"mid", "cid"} }

// New returns a Transport that looks at places and connects through d.
func New(d *dial.Dialer, places ...string) *Transport { return &Transport{Dialer: d, Places: places} }

// A search is one URL's way through the places.
type search struct {
	*Transport
	req    *fetch.Request
	ref    midurl.Ref
	looked int      // messages
	parts  []string // Content-IDs of the message that lacks the wanted one
	lacks  bool     // the message is there, and the part is not
	near   bool     // a message was passed whose identifier is the wanted one but for case
}

// Fetch opens a mid or cid URL: cid in the message that the request's base
// names, where it names one, else in all.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := midurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if ref.Scheme == "cid" && req.Base.Scheme() == "mid" {
		// The message that the URL stands in is the one whose part it means.
		base, err := midurl.Read(req.Base)
		if err != nil {
			return nil, fetch.Fail(fetch.Reading, err)
		}
		ref = midurl.Ref{Scheme: "mid", MessageID: base.MessageID, ContentID: ref.ContentID}
	}
	s := &search{Transport: t, req: req, ref: ref}
	resp, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	resp.URL = req.URL
	if req.Head() {
		resp.Body.Close()
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// places looks everywhere. A place that fails keeps nobody from looking at the
// next; what it failed with is told if none has the object.
func (s *search) places(ctx context.Context) (*fetch.Response, error) {
	var first error
	for _, place := range s.Places {
		resp, err := s.place(ctx, place)
		if resp != nil {
			return resp, nil
		}
		if ctx.Err() != nil {
			return nil, fetch.Fail(fetch.Asking, context.Cause(ctx))
		}
		if first == nil {
			first = err
		}
	}
	asked := s.News != nil && s.ref.ContentID == ""
	if asked && !s.lacks {
		resp, err := s.News(ctx, s.req, s.ref.MessageID)
		if resp != nil {
			return resp, nil
		}
		if first == nil && !errors.Is(err, fetch.ErrNotFound) {
			first = err
		}
	}
	switch {
	case first != nil:
		return nil, first
	case len(s.Places) == 0 && !asked:
		return nil, &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported,
			Err:  errors.New("the URL names no place to look, and no mailbox is configured"),
			Hint: "name one with --mail or in the environment variable MAIL or MAILDIR: a file, a Maildir, imap://user:password@host/INBOX"}
	case s.lacks:
		e := &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrNotFound, Err: errors.New("the message is there, and has no part with this Content-ID")}
		if len(s.parts) > 0 {
			e.Hint = "it has " + strings.Join(s.parts, ", ")
		}
		return nil, e
	}
	return nil, &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrNotFound, Err: fmt.Errorf("none of the %d messages looked at has it", s.looked)}
}

// place looks at one place; nil and nil say that it is not there.
func (s *search) place(ctx context.Context, place string) (*fetch.Response, error) {
	if strings.HasPrefix(place, "imap://") || strings.HasPrefix(place, "imaps://") {
		box, err := readMailbox(place)
		if err != nil {
			return nil, err
		}
		return s.imap(ctx, box)
	}
	// An exact identifier goes before one that is the wanted one but for the case
	// of its right side, wherever in the mailbox it stands.
	s.near = false
	resp, err := s.files(ctx, place, same)
	if resp == nil && err == nil && s.near {
		resp, err = s.files(ctx, place, alike)
	}
	if err != nil {
		err = unread(place, err)
	}
	return resp, err
}

// unread says why mail on this machine could not be read.
func unread(place string, err error) error {
	e := &fetch.Error{Step: fetch.Asking, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Err, e.Kind = fmt.Errorf("the mailbox %s that is configured is not there", wire.Quote(place)), fetch.ErrNotFound
	case errors.Is(err, fs.ErrPermission):
		e.Kind = fetch.ErrDenied
	case errors.Is(err, errDepth), errors.Is(err, errParts), errors.Is(err, wire.ErrTooMuch):
		e.Kind = fetch.ErrTooLarge
	}
	return e
}

// files looks at messages on this machine.
func (s *search) files(ctx context.Context, place string, how int) (resp *fetch.Response, err error) {
	limit := bound(s.req.Limits.MaxHeader)
	counts := how == same
	err = each(ctx, place, limit, func(m *message) (bool, error) {
		if counts {
			s.looked++
		}
		if s.ref.Scheme == "mid" {
			c := compare(identifier(m.header.get("Message-ID")), s.ref.MessageID)
			s.near = s.near || c == alike
			if c < how {
				return false, nil
			}
			if s.ref.ContentID == "" {
				resp = whole(m)
				return true, nil
			}
		}
		p, seen, err := findPart(m.header, m.body, s.ref.ContentID, limit)
		if p != nil {
			resp = ofPart(p.header, p.body, -1, m.close)
			return true, nil
		}
		if s.ref.Scheme == "mid" {
			s.lacks, s.parts = true, seen
		}
		if errors.Is(err, errDepth) || errors.Is(err, errParts) || errors.Is(err, wire.ErrTooMuch) {
			if s.ref.Scheme == "mid" {
				return false, err
			}
			err = nil // a message that is made badly does not hide the others
		}
		return false, err
	})
	return resp, err
}

// bound is a limit in which negative means none.
func bound(limit int64) int64 {
	if limit < 0 {
		return 1 << 30
	}
	return limit
}

// whole answers with a message.
func whole(m *message) *fetch.Response {
	resp := described(m.header)
	resp.Type, resp.Size = "message/rfc822", m.size
	resp.Body = &body{Reader: io.MultiReader(bytes.NewReader(m.raw), m.body), close: m.close}
	return resp
}

// ofPart answers with a part.
func ofPart(h header, content io.Reader, size int64, end func() error) *fetch.Response {
	resp := described(h)
	resp.Type, _ = h.contentType()
	r, exact, known := decoded(h.encoding(), content)
	if !known {
		resp.Type = "application/octet-stream" // RFC 2045, section 6.4
		resp.Header["Content-Transfer-Encoding"] = []string{h.get("Content-Transfer-Encoding")}
	}
	if resp.Size = -1; exact {
		resp.Size = size
	}
	resp.Body = &body{Reader: r, close: end}
	return resp
}

// described tells of a message or a part what its header says.
func described(h header) *fetch.Response {
	resp := &fetch.Response{Protocol: "file", Header: map[string][]string{}}
	for _, name := range []string{"Subject", "From", "Date", "Message-ID", "References", "Content-Type", "Content-ID", "Content-Disposition", "Content-Description"} {
		if v := h.get(name); v != "" {
			resp.Header[name] = []string{v}
		}
	}
	if t, err := mail.ParseDate(h.get("Date")); err == nil {
		resp.ModTime = t
	}
	if _, params, err := mime.ParseMediaType(h.get("Content-Disposition")); err == nil && params["filename"] != "" {
		resp.Header["Filename"] = []string{params["filename"]} // RFC 2183; RFC 2231 undone
	}
	return resp
}

// A body is an object that is read from a file or a server.
type body struct {
	io.Reader
	close func() error
	once  sync.Once
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	if err == io.ErrUnexpectedEOF {
		return n, &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: err}
	}
	var corrupt base64.CorruptInputError
	if errors.As(err, &corrupt) || strings.HasPrefix(err.Error(), "quotedprintable: ") {
		return n, &fetch.Error{Step: fetch.Body, Kind: fetch.ErrMalformed, Err: errors.New("what came is not in the transfer encoding that it says it is in")}
	}
	return n, fetch.Fail(fetch.Body, err)
}

// Close lets go of the file or the server.
func (b *body) Close() error {
	b.once.Do(func() { b.close() })
	return nil
}
