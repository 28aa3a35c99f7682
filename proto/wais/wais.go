// Package wais opens wais URLs over the 1988 profile of Z39.50 that the Wide
// Area Information Servers speak (RFC 1625; the URLs are RFC 1738's, section
// 3.9, and RFC 4156's): a search as the list of the documents it found, a
// document octet for octet, and a database as the server's own description of
// it. Start with [New]; [Conn] is the conversation alone.
package wais

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/internal/wire"
	waisurl "anyurl/scheme/wais"
)

// DefaultDocuments is how many documents a search asks for.
const DefaultDocuments = 40

// slice is how many octets of a document are asked for at once, of a server that
// did not say that its records are smaller.
const slice = 4096

// directory is the database in which a server describes its databases.
const directory = "INFO"

// A Transport opens wais URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Documents is how many documents a search asks for; 0 is
	// DefaultDocuments.
	Documents int
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"wais"} }

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Fetch opens a wais URL. Errors are *[fetch.Error]; a server's diagnostic is
// in Said, code first.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := waisurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	s := &session{t: t, ctx: ctx, req: req, ref: ref}
	resp, err := s.open()
	if err != nil {
		s.close()
		return nil, err
	}
	if _, more := resp.Body.(*body); !more {
		s.close()
	}
	resp.Protocol = "wais"
	return resp, nil
}

// A session is what one Fetch has to do with a server.
type session struct {
	t    *Transport
	ctx  context.Context
	req  *fetch.Request
	ref  waisurl.Ref
	c    *Conn
	stop func() bool
	// record is the greatest record that the server said it sends; 0 if it said
	// nothing.
	record int64
}

// slice is how many octets are asked for at once: half a record is left to
// what stands around them.
func (s *session) slice() uint64 {
	if s.record > 0 && s.record < 2*slice {
		return uint64(max(s.record/2, 1))
	}
	return slice
}

func (s *session) dial() error {
	conn, err := s.t.Dialer.DialContext(s.ctx, "tcp", s.ref.Addr())
	if err != nil {
		return fetch.Fail(fetch.Connecting, err)
	}
	s.stop = wire.Watch(s.ctx, conn)
	s.c = NewConn(conn, Limits{Message: s.req.Limits.MaxHeader, Documents: s.req.Limits.MaxEntries})
	if s.req.Trace != nil {
		s.c.Log = func(sent bool, what string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			s.req.Trace(fetch.Event{Kind: kind, Text: what})
		}
	}
	return nil
}

func (s *session) close() {
	if s.c != nil {
		s.stop()
		s.c.Close()
		s.c = nil
	}
}

// first connects and asks the first question. A server that hangs up on it
// without a word may want to be told first who asks: it is told, once.
func (s *session) first(ask func(*Conn) (Reply, error)) (Reply, error) {
	if err := s.dial(); err != nil {
		return Reply{}, err
	}
	reply, err := ask(s.c)
	if err != io.EOF || s.ctx.Err() != nil {
		return reply, failed(fetch.Asking, err)
	}
	s.close()
	if err := s.dial(); err != nil {
		return Reply{}, err
	}
	server, err := s.c.Init()
	if err != nil {
		return Reply{}, failed(fetch.Greeting, err)
	}
	if !server.Accepted {
		return Reply{}, &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Err: errors.New("the server refuses the session")}
	}
	s.record = server.MaxRecord
	reply, err = ask(s.c)
	return reply, failed(fetch.Asking, err)
}

func (s *session) open() (*fetch.Response, error) {
	switch {
	case s.ref.Doc != "":
		typ := s.ref.Types()[0]
		d := &body{s: s, database: s.ref.Database, doc: string(s.ref.Doc), typ: typ, begin: uint64(max(s.req.Offset, 0))}
		if s.ref.HasLength {
			d.length = s.ref.Length
		}
		return s.document(d, s.first)
	case s.ref.HasSearch:
		return s.search(s.ref.Database, s.ref.Search)
	}
	return s.describe()
}

// search answers with the documents that a search finds.
func (s *session) search(database, words string) (*fetch.Response, error) {
	reply, err := s.first(func(c *Conn) (Reply, error) { return c.Search(database, words, s.documents()) })
	if err != nil {
		return nil, err
	}
	if len(reply.Documents) == 0 && len(reply.Diagnostics) > 0 {
		return nil, refusal(reply.Diagnostics[0])
	}
	return s.listing(database, reply)
}

func (s *session) documents() int {
	if s.t.Documents > 0 {
		return s.t.Documents
	}
	return DefaultDocuments
}

// listing is a search's reply: a line for each document, its score, length,
// types, headline and URL.
func (s *session) listing(database string, reply Reply) (*fetch.Response, error) {
	if err := fetch.CheckEntries(len(reply.Documents), s.req.Limits); err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: s.req.URL, Type: "text/plain", Listing: true, Header: map[string][]string{}}
	var text bytes.Buffer
	for _, d := range reply.Documents {
		e := s.entry(database, d)
		e.Raw = fmt.Sprintf("%s\t%s\t%s\t%s\t%s", count(d.Score), count(d.Size), quote.Text(e.Type), quote.Text(e.Name), quote.Text(e.URL))
		text.WriteString(e.Raw)
		text.WriteByte('\n')
		resp.Entries = append(resp.Entries, e)
	}
	note(resp, reply.Diagnostics)
	resp.Size = int64(text.Len())
	resp.Body = s.whole(text.Bytes())
	return resp, nil
}

func count(n int64) string {
	if n < 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// note keeps a server's remarks about an answer that it gave all the same.
func note(resp *fetch.Response, diagnostics []Diagnostic) {
	for _, d := range diagnostics {
		resp.Header["Diagnostic"] = append(resp.Header["Diagnostic"], d.String())
	}
}

// whole is a body that is there already.
func (s *session) whole(b []byte) io.ReadCloser {
	if s.req.Head() {
		b = nil
	}
	return io.NopCloser(bytes.NewReader(b))
}

// entry is a document as a line of a listing. Its URL names the server that
// was asked and nothing of what the identifier says about servers.
func (s *session) entry(database string, d Document) fetch.Entry {
	e := fetch.Entry{Name: strings.TrimSpace(d.Headline), Type: strings.Join(d.Types, ","), Size: d.Size, Time: date(d.Date)}
	if e.Type == "URL" {
		// The headline is where it is.
		if u, err := anyurl.Parse(e.Name); err == nil {
			e.URL = u.String()
			return e
		}
	}
	if d.ID == "" {
		return e
	}
	typ := e.Type
	if strings.Trim(typ, ",") == "" {
		typ = "TEXT" // a retrieval needs one
	}
	u := (waisurl.Ref{Host: s.ref.Host, Port: s.ref.Port, Database: database, Type: typ, Doc: waisurl.DocID(d.ID)}).URL()
	// What the server says has to come back from its URL as it was.
	if r, err := waisurl.Read(u); err == nil && string(r.Doc) == d.ID && r.Type == typ {
		e.URL = u.String()
	}
	return e
}

// date reads a document's date, YYMMDD of the 1990s or YYYYMMDD; the zero time
// for "0" and for what is neither.
func date(s string) time.Time {
	for _, layout := range []string{"060102", "20060102"} {
		if t, err := time.Parse(layout, s); err == nil && len(s) == len(layout) {
			return t
		}
	}
	return time.Time{}
}

// describe answers for a database alone. The protocol has no way to open one:
// the server's directory is asked for the database's description.
func (s *session) describe() (*fetch.Response, error) {
	name := s.ref.Database
	if name == "" {
		name = directory
	}
	reply, err := s.first(func(c *Conn) (Reply, error) { return c.Search(directory, name, s.documents()) })
	if err != nil {
		return nil, err
	}
	if len(reply.Documents) == 0 && len(reply.Diagnostics) > 0 && reply.Diagnostics[0].Code != "S1" {
		return nil, refusal(reply.Diagnostics[0])
	}
	searchable := (waisurl.Ref{Host: s.ref.Host, Port: s.ref.Port, Database: s.ref.Database, HasSearch: true}).URL().String()
	for _, d := range reply.Documents {
		if !describes(d, name) {
			continue
		}
		b := &body{s: s, database: directory, doc: d.ID, typ: "WSRC", length: uint64(max(d.Size, 0)), begin: uint64(max(s.req.Offset, 0))}
		resp, err := s.document(b, func(ask func(*Conn) (Reply, error)) (Reply, error) {
			reply, err := ask(s.c)
			return reply, failed(fetch.Asking, err)
		})
		if err != nil {
			return nil, err
		}
		resp.Header["Searchable"] = []string{searchable}
		if e := s.entry(directory, d); e.URL != "" {
			resp.Header["Content-Location"] = []string{e.URL}
		}
		return resp, nil
	}
	if name == directory && len(reply.Documents) > 0 {
		return s.listing(directory, reply)
	}
	resp := &fetch.Response{URL: s.req.URL, Type: "text/plain", Header: map[string][]string{"Searchable": {searchable}}}
	text := "The server describes no database " + quote.Text(name) + ". A database is opened by a search in it:\n" + searchable + "words\n"
	note(resp, reply.Diagnostics)
	resp.Size = int64(len(text))
	resp.Body = s.whole([]byte(text))
	return resp, nil
}

// describes reports whether d is the description of a database: its headline
// begins with the database's name, without the folder it may lie in, and
// ".src".
func describes(d Document, name string) bool {
	isSource := false
	for _, typ := range d.Types {
		isSource = isSource || strings.EqualFold(typ, "WSRC")
	}
	headline, _, _ := strings.Cut(strings.TrimSpace(d.Headline), " ")
	headline = headline[strings.LastIndexByte(headline, '/')+1:]
	name = name[strings.LastIndexByte(name, '/')+1:]
	return isSource && d.ID != "" && strings.EqualFold(headline, name+".src")
}

// document answers with a document, of which the first part is got by ask.
func (s *session) document(b *body, ask func(func(*Conn) (Reply, error)) (Reply, error)) (*fetch.Response, error) {
	resp := &fetch.Response{URL: s.req.URL, Type: mediaType(b.typ), Size: -1, Header: map[string][]string{}}
	if b.length > 0 && b.begin >= b.length {
		b.begin = 0 // nothing is there: the whole comes, and says so
	}
	var reply Reply
	for {
		var err error
		b.at = b.begin
		reply, err = ask(func(c *Conn) (Reply, error) { return b.part(c) })
		if err != nil {
			return nil, err
		}
		if len(reply.Text) > 0 || b.begin == 0 {
			break
		}
		b.begin = 0
		ask = func(ask func(*Conn) (Reply, error)) (Reply, error) {
			reply, err := ask(s.c)
			return reply, failed(fetch.Asking, err)
		}
	}
	// A document without octets is told from none at all by its empty text.
	if d := reply.remark(); len(reply.Text) == 0 && len(reply.Diagnostics) > 0 && (!reply.HasText || d != nil) {
		return nil, refusal(reply.Diagnostics[0])
	}
	if !reply.HasText {
		return nil, &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrMalformed, Err: errors.New("the server answered with neither text nor a diagnostic")}
	}
	if err := b.take(reply); err != nil {
		return nil, err
	}
	for _, d := range reply.Diagnostics {
		if !d.OutOfRange() { // which only says that the end has been reached
			note(resp, []Diagnostic{d})
		}
	}
	resp.Offset = int64(b.begin)
	if b.ended {
		resp.Size = int64(len(b.text))
		resp.Body = s.whole(b.text)
		return resp, nil
	}
	if s.req.Head() {
		resp.Body = s.whole(nil)
		return resp, nil
	}
	resp.Body = b
	return resp, nil
}

// mediaType is a WAIS type as a media type.
func mediaType(typ string) string {
	switch strings.ToUpper(typ) {
	case "TEXT", "URL":
		return "text/plain"
	case "HTML":
		return "text/html"
	case "WSRC":
		return "application/x-wais-source"
	case "GIF":
		return "image/gif"
	case "TIFF":
		return "image/tiff"
	case "JPEG":
		return "image/jpeg"
	case "PICT":
		return "image/x-pict"
	case "PS":
		return "application/postscript"
	case "MPEG":
		return "video/mpeg"
	}
	return "application/octet-stream"
}

// A body is a document that comes slice by slice over one connection.
type body struct {
	s                  *session
	database, doc, typ string
	// length is how long the document is said to be, by its URL or by a
	// search; 0 if unknown. It bounds what is asked for: where the document
	// ends is the server's to say.
	length uint64
	begin  uint64
	at     uint64 // the next octet to ask for
	text   []byte // what came and was not read
	ended  bool
	err    error
	once   sync.Once
}

// end is before which octet the next slice ends.
func (b *body) end() uint64 {
	if b.length > 0 {
		return min(b.at+b.s.slice(), b.length)
	}
	return b.at + b.s.slice()
}

// part asks for the next slice.
func (b *body) part(c *Conn) (Reply, error) {
	return c.Retrieve(b.database, b.doc, b.typ, Octets, b.at, b.end())
}

// take takes a slice and sees whether it was the last. One that is shorter than
// what was asked for is no end by itself: a server's records may be smaller than
// a slice. The end is where the server says that the range leaves the document,
// or has nothing more.
func (b *body) take(reply Reply) error {
	n, asked := uint64(len(reply.Text)), b.end()-b.at
	switch d := reply.remark(); {
	case n > asked && b.at > 0:
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrMalformed, Err: fmt.Errorf("the server sent %d octets where %d were asked for", n, asked)}
	case n > asked:
		b.ended = true // it does not know slices, and sends the whole
	case n < asked && d != nil:
		return *d // it broke off
	case n < asked && len(reply.Diagnostics) > 0:
		b.ended = true
	case n == 0 && b.at < b.length:
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrTruncated, Err: fmt.Errorf("the server has nothing behind octet %d of %d", b.at, b.length)}
	case n == 0:
		b.ended = true
	}
	b.text = reply.Text
	b.at += n
	if b.length > 0 && b.at >= b.length {
		b.ended = true
	}
	return nil
}

// Read gives the document.
func (b *body) Read(p []byte) (int, error) { return wire.ReadPieces(p, &b.text, &b.err, b.next) }

// next brings the next slice, or says why there is none.
func (b *body) next() error {
	if b.ended {
		return io.EOF
	}
	reply, err := b.part(b.s.c)
	if err == nil {
		err = b.take(reply)
	}
	if err != nil {
		return failed(fetch.Body, err)
	}
	return nil
}

// Close ends the conversation.
func (b *body) Close() error {
	b.once.Do(func() {
		b.s.close()
		b.err = errors.New("read after close")
	})
	return nil
}

// refusal is a diagnostic in place of an answer.
func refusal(d Diagnostic) error {
	e := &fetch.Error{Step: fetch.Status, Said: d.String(), Err: d}
	switch {
	case d.Code == "S1":
		e.Kind = fetch.ErrNotFound
		e.Hint = "the server has other databases: search its directory, the database INFO"
	case d.OutOfRange():
		e.Kind = fetch.ErrNotFound
	}
	return e
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	if err == nil {
		return nil
	}
	var m *Malformed
	var d Diagnostic
	switch {
	case errors.As(err, &d):
		return &fetch.Error{Step: step, Said: d.String(), Err: d}
	case errors.As(err, &m):
		e := &fetch.Error{Step: step, Kind: fetch.ErrMalformed, Said: m.Head, Err: m}
		if m.Z3950 {
			e.Hint = "the server speaks Z39.50: use a z39.50s: or z39.50r: URL"
		}
		return e
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e := &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
		if step != fetch.Body {
			e.Hint = "WAIS servers do so where they cannot read a request; a document's type or identifier may be wrong"
		}
		return e
	case errors.Is(err, errTooLong), errors.Is(err, errTooMany):
		return &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: err}
	case errors.Is(err, errEncoded):
		return &fetch.Error{Step: step, Kind: fetch.ErrUnsupported, Err: err}
	case errors.Is(err, errNak):
		return &fetch.Error{Step: step, Kind: fetch.ErrMalformed, Err: err}
	}
	return fetch.Fail(step, err)
}
