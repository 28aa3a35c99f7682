// Package z3950 opens z39.50r and z39.50s URLs over Z39.50-1995 (ISO 23950;
// the URLs are RFC 2056's): a record by its identifier, and a session as what
// the server says of itself, with the records found where the URL names one.
// MARC and other structured records are written as lines. Start with [New];
// [Conn] is the association alone.
package z3950

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/ber"
	"anyurl/internal/quote"
	"anyurl/internal/wire"
	z3950url "anyurl/scheme/z3950"
)

// DefaultRecords is how many of a session's records a listing holds.
const DefaultRecords = 20

// preferred are the record syntaxes that are asked for, best first, where the
// URL names none.
var preferred = []string{syntaxXML, syntaxMARC21, syntaxSUTRS, syntaxGRS1}

// A Transport opens z39.50r, z39.50s and z39.50 URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Records is how many of a session's records a listing holds; 0 is
	// DefaultRecords.
	Records int
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"z39.50r", "z39.50s", "z39.50"} }

// New returns a Transport that connects through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// Fetch opens a z39.50r, z39.50s or z39.50 URL. A record in MARC comes as
// lines of text, unless the request's Accept field names application/marc:
// then it comes octet for octet. Errors are *[fetch.Error]; a diagnostic's
// number is in Status, what the server adds to it in Said.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := z3950url.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	s := &session{t: t, req: req, ref: ref, syntaxes: preferred}
	if len(ref.Syntaxes) > 0 {
		s.syntaxes = nil
		for _, name := range ref.Syntaxes {
			if oid := syntaxOID(name); oid != "" {
				s.syntaxes = append(s.syntaxes, oid)
			}
		}
		if len(s.syntaxes) == 0 {
			return nil, &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported,
				Err:  fmt.Errorf("no record syntax is called %s", wire.Quote(strings.Join(ref.Syntaxes, "+"))),
				Hint: "name one as in rs=marc, rs=xml or rs=sutrs, or by its object identifier"}
		}
	}
	conn, err := t.Dialer.DialContext(ctx, "tcp", ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	stop := wire.Watch(ctx, conn)
	// A record is held whole: it may be as large as a body, and no larger than
	// the default.
	limit := int64(DefaultMessage)
	if m := req.Limits.MaxBody; m > 0 && m < limit {
		limit = m + 64<<10
	}
	s.c = NewConn(conn, limit)
	if req.Trace != nil {
		s.c.Log = func(sent bool, what string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			req.Trace(fetch.Event{Kind: kind, Text: what})
		}
	}
	resp, err := s.open()
	stop()
	s.c.Close()
	if err != nil {
		return nil, err
	}
	resp.URL, resp.Protocol = req.URL, "z39.50"
	if req.Head() {
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return resp, nil
}

// A session is what one Fetch has to do with a server.
type session struct {
	t        *Transport
	req      *fetch.Request
	ref      z3950url.Ref
	syntaxes []string
	c        *Conn
	server   Server
	text     bytes.Buffer // the report
}

func (s *session) open() (*fetch.Response, error) {
	user, password := "", ""
	if s.req.Auth != nil {
		user, password = s.req.Auth.User, s.req.Auth.Password
	}
	var err error
	if s.server, err = s.c.Init(user, password); err != nil {
		return nil, failed(fetch.Greeting, err)
	}
	if !s.server.Accepted {
		e := &fetch.Error{Step: fetch.Login, Kind: fetch.ErrDenied, Err: errors.New("the server refuses the session")}
		if user == "" {
			e.Hint = "it may want a user name and a password"
		}
		return nil, e
	}
	if s.ref.Scheme == "z39.50r" {
		return s.retrieve()
	}
	return s.session()
}

// retrieve answers with the record that a z39.50r URL names.
func (s *session) retrieve() (*fetch.Response, error) {
	hits, _, err := s.search(UseDocID, UseLocalNumber)
	if err != nil {
		return nil, err
	}
	if hits == 0 {
		return nil, notFound()
	}
	list, err := s.present(1)
	if err != nil {
		return nil, err
	}
	r := list[0]
	resp := &fetch.Response{Header: s.header(r)}
	if hits > 1 {
		resp.Header["Hits"] = []string{fmt.Sprint(hits)}
		s.remark(fmt.Sprintf("%d records have that identifier; this is the first", hits))
	}
	text, typ := r.Readable()
	if s.wants("application/marc") && isMARC(r.Syntax) {
		text, typ = r.Octets, "application/marc"
	}
	resp.Type = typ
	resp.Size = int64(len(text))
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return resp, nil
}

func notFound() error {
	return &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("no record has that identifier")}
}

func (s *session) remark(text string) {
	if s.req.Trace != nil {
		s.req.Trace(fetch.Event{Kind: '*', Text: text})
	}
}

// wants reports whether the request's Accept field names a media type.
func (s *session) wants(typ string) bool {
	for name, values := range s.req.Header {
		if strings.EqualFold(name, "Accept") && slices.ContainsFunc(values, func(v string) bool { return strings.Contains(strings.ToLower(v), typ) }) {
			return true
		}
	}
	return false
}

func (s *session) header(r Record) map[string][]string {
	h := map[string][]string{"Record-Syntax": {r.Syntax}}
	if r.Database != "" {
		h["Database"] = []string{r.Database}
	}
	return h
}

// search looks for the URL's docid by each Use attribute in turn, until the
// server knows one of them and, unless it is the last, finds something by it.
// RFC 2056 does not say which attribute a docid is: Doc-id is the one of that
// name, and a server without that index is asked for its local number.
func (s *session) search(uses ...int64) (hits, use int64, err error) {
	databases := s.ref.Databases
	if len(databases) == 0 {
		databases = []string{"Default"} // no rule, but what servers call the one they have
	}
	var refused error
	known := false
	for _, use := range uses {
		hits, err := s.c.Search(databases, Query{Attributes: []Attribute{{1, use}}, Term: s.ref.DocID})
		var d *Diagnostic
		switch {
		case errors.As(err, &d) && d.Set == bib1Diags && d.Code == 114:
			refused = err
			continue
		case err != nil:
			return 0, 0, failed(fetch.Asking, err)
		case hits > 0 || use == UseDocID && s.ref.Scheme == "z39.50r":
			// What the index of identifiers does not hold is not there: a local
			// number that looks the same would be another record.
			return hits, use, nil
		}
		known = true
	}
	if known {
		refused = nil // there is an index, and nothing in it
	}
	return 0, 0, failed(fetch.Asking, refused)
}

// present gets the first records of the result, in the first syntax that the
// server has them in.
func (s *session) present(count int64) ([]Record, error) {
	var last error
	for _, syntax := range s.syntaxes {
		list, err := s.presentAs(count, syntax)
		if err == nil {
			return list, nil
		}
		last = err
		var d *Diagnostic
		if !errors.As(err, &d) || !noSyntax(d) {
			break
		}
	}
	return nil, failed(fetch.Asking, last)
}

// noSyntax reports whether a diagnostic says that the record is not to be had
// in the syntax that was asked for.
func noSyntax(d *Diagnostic) bool {
	return d.Set == bib1Diags && (d.Code == 227 || d.Code == 238 || d.Code == 239)
}

// presentAs gets records in one syntax. Without an element set in the URL the
// full one is asked for, and where there is no such set, whatever there is.
// Servers say that there is none in more than one way: Bib-1's is 25, YAZ's
// test server has 14.
func (s *session) presentAs(count int64, syntax string) ([]Record, error) {
	sets := []string{s.ref.ElementSet}
	if s.ref.ElementSet == "" {
		sets = []string{"F", ""}
	}
	var last error
	for _, set := range sets {
		list, err := s.c.Present(1, count, set, syntax)
		switch {
		case err == nil && len(list) == 0:
			return nil, &Malformed{Why: "a present's answer without a record"}
		case err == nil && list[0].Diagnostic == nil:
			return list, nil
		case err == nil:
			last = list[0].Diagnostic
		default:
			last = err
		}
		var d *Diagnostic
		if !errors.As(last, &d) || d.Set != bib1Diags || d.Code != 14 && d.Code != 24 && d.Code != 25 && d.Code != 100 {
			break
		}
	}
	return nil, last
}

// session answers for a z39.50s URL.
func (s *session) session() (*fetch.Response, error) {
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&s.text, "%s: %s\n", name, quote.Text(value))
		}
	}
	line("server", s.ref.Addr())
	line("implementation", strings.Join(strings.Fields(s.server.Name+" "+s.server.Version), " "))
	if s.server.ProtocolVersion > 0 {
		line("protocol version", fmt.Sprint(s.server.ProtocolVersion))
	}
	line("options", strings.Join(s.server.Options, ", "))
	line("databases", strings.Join(s.ref.Databases, ", "))
	resp := &fetch.Response{Type: "text/plain", Header: map[string][]string{}}
	if s.ref.HasDocID && s.ref.DocID != "" {
		if err := s.found(resp); err != nil {
			return nil, err
		}
	}
	resp.Size = int64(s.text.Len())
	resp.Body = io.NopCloser(bytes.NewReader(s.text.Bytes()))
	return resp, nil
}

// found looks for what a session's URL names, by identifier or else by any
// word, and lists it.
func (s *session) found(resp *fetch.Response) error {
	hits, use, err := s.search(UseDocID, UseLocalNumber, UseAny)
	if err != nil {
		return err
	}
	if hits == 0 {
		return notFound()
	}
	by := map[int64]string{UseDocID: "identifier", UseLocalNumber: "local number", UseAny: "word"}[use]
	fmt.Fprintf(&s.text, "found by %s: %d\n", by, hits)
	many := int64(DefaultRecords)
	if s.t.Records > 0 {
		many = int64(s.t.Records)
	}
	list, err := s.present(min(hits, many))
	if err != nil {
		return err
	}
	if err := fetch.CheckEntries(len(list), s.req.Limits); err != nil {
		return err
	}
	ids, err := s.identify(list)
	if err != nil {
		return err
	}
	resp.Listing = true
	resp.Header = s.header(list[0])
	resp.Header["Hits"] = []string{fmt.Sprint(hits)}
	for i, r := range list {
		if r.Diagnostic != nil {
			fmt.Fprintf(&s.text, "\n%d: %v\n", i+1, r.Diagnostic)
			continue
		}
		text, _ := r.Readable()
		e := fetch.Entry{Name: r.Title(), Type: syntaxName(r.Syntax), Size: int64(len(r.Octets)), URL: s.url(r, ids[i])}
		if r.Value != nil {
			e.Size = -1
		}
		if hits == 1 && e.URL == "" {
			e.URL = s.url(r, s.ref.DocID)
		}
		if e.Name == "" {
			e.Name = ids[i]
		}
		e.Raw = fmt.Sprintf("%d: %s\t%s", i+1, quote.Text(e.Name), quote.Text(e.URL))
		resp.Entries = append(resp.Entries, e)
		fmt.Fprintf(&s.text, "\n%s\n", e.Raw)
		s.text.Write(text)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			s.text.WriteByte('\n')
		}
	}
	return nil
}

// identify gives each record's own number. Where a syntax does not tell it,
// MARC may, if the server has it and the records are the same in it.
func (s *session) identify(list []Record) ([]string, error) {
	ids := make([]string, len(list))
	missing := false
	for i, r := range list {
		ids[i] = r.ID()
		missing = missing || ids[i] == "" && !isMARC(r.Syntax)
	}
	if !missing {
		return ids, nil
	}
	marc, err := s.c.Present(1, int64(len(list)), "", syntaxMARC21)
	var d *Diagnostic
	if errors.As(err, &d) {
		return ids, nil // the records are there; only their URLs are not
	}
	if err != nil {
		return nil, failed(fetch.Asking, err)
	}
	for i := range min(len(marc), len(ids)) {
		if ids[i] == "" && marc[i].Diagnostic == nil {
			ids[i] = marc[i].ID()
		}
	}
	return ids, nil
}

// url opens a record again.
func (s *session) url(r Record, id string) string {
	if id == "" {
		return ""
	}
	ref := s.ref
	ref.Scheme, ref.DocID, ref.HasDocID = "z39.50r", id, true
	if r.Database != "" && slices.Contains(ref.Databases, r.Database) {
		ref.Databases = []string{r.Database}
	}
	u := ref.URL()
	if back, err := z3950url.Read(u); err != nil || back.DocID != id {
		return ""
	}
	return u.String()
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	if err == nil {
		return nil
	}
	var d *Diagnostic
	var closed *Closed
	var m *Malformed
	switch {
	case errors.As(err, &d):
		e := &fetch.Error{Step: fetch.Status, Status: int(d.Code), Said: d.Text, Err: d}
		if d.Set != bib1Diags {
			return e
		}
		switch d.Code {
		case 109, 235, 13:
			e.Kind = fetch.ErrNotFound
		case 15, 101, 236, 1010, 1011, 1012, 1013, 1014:
			e.Kind = fetch.ErrDenied
		case 2, 31:
			e.Kind = fetch.ErrBusy
		case 114:
			e.Kind = fetch.ErrUnsupported
			e.Hint = "the database has no index of identifiers; a z39.50s: URL looks for words, too"
		case 3, 24, 25, 107, 110, 111, 113, 115, 117, 118, 121, 123, 227, 238, 239:
			e.Kind = fetch.ErrUnsupported
		}
		if d.Code == 238 || d.Code == 239 || d.Code == 227 {
			e.Hint = "the server may have the record in another syntax: rs=marc, rs=xml, rs=sutrs"
		}
		return e
	case errors.As(err, &closed):
		e := &fetch.Error{Step: step, Status: int(closed.Reason), Said: closed.Text, Err: closed}
		if closed.Reason == 5 {
			e.Kind = fetch.ErrDenied
		}
		return e
	case errors.As(err, &m):
		e := &fetch.Error{Step: step, Kind: fetch.ErrMalformed, Said: m.Head, Err: m}
		if m.WAIS {
			e.Hint = "the server may speak WAIS: use a wais: URL"
		}
		return e
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
	case errors.Is(err, ber.ErrTooLarge):
		return &fetch.Error{Step: fetch.Limit, Kind: fetch.ErrTooLarge, Err: fmt.Errorf("a reply is %w", fetch.ErrTooLarge)}
	case errors.Is(err, errSend):
		return &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported, Err: err}
	}
	return fetch.Fail(step, err)
}
