// Package prospero opens prospero URLs: names in the directory service of that
// name, version 5, asked over ARDP, which is datagrams made reliable (RFC 4157;
// RFC 1738, section 3.11). A directory is the list of its links. An object is
// its contents, where the directory server has those itself; else the server's
// word of how it is to be had, by FTP or Gopher or another protocol, which is a
// redirect for the caller to weigh. Start with [New]; [Conn] is the
// conversation alone.
package prospero

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/internal/wire"
	prosperourl "anyurl/scheme/prospero"
)

// A Transport opens prospero URLs.
type Transport struct {
	// Dialer connects, by UDP.
	Dialer *dial.Dialer
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"prospero"} }

// New returns a Transport that asks through d.
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// maxMessage bounds a reply, which is read whole, whatever MaxBody says.
const maxMessage = 64 << 20

// Fetch opens a prospero URL. Errors are *[fetch.Error]; a server's refusal is
// in Said, code first.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := prosperourl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	if len(ref.Fields) > 0 {
		// They would say which object is meant, and no document says how they
		// are sent: another object than the one meant is no answer.
		return nil, &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported, Err: fmt.Errorf("the field %s has no form in the protocol", strconv.Quote(ref.Fields[0].Name)),
			Hint: "of the fields of a prospero URL only OBJECT-VERSION can be asked for"}
	}
	resp, err := t.ask(ctx, req, ref, "udp")
	if errors.Is(err, syscall.ECONNREFUSED) && ref.Host.Kind() == anyurl.HostDomain {
		// Sending finds no address better than another, and the first may be of
		// a family that the server does not listen at.
		if again, e := t.ask(ctx, req, ref, "udp4"); e == nil {
			resp, err = again, nil
		}
	}
	var to *Moved
	if errors.As(err, &to) && to.Addr.Port() != 0 {
		ref.Port = to.Addr.Port()
		if ref.Host, err = anyurl.ParseHost(to.Addr.Addr().String(), false); err == nil {
			resp = redirect(ref.URL())
		}
	}
	if err != nil {
		return nil, failed(ctx, err)
	}
	resp.URL, resp.Protocol = req.URL, "prospero"
	return resp, nil
}

// ask asks the server, at one of its addresses.
func (t *Transport) ask(ctx context.Context, req *fetch.Request, ref prosperourl.Ref, network string) (*fetch.Response, error) {
	conn, err := t.Dialer.DialContext(ctx, network, ref.Addr())
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	defer conn.Close()
	defer wire.Watch(ctx, conn)()
	message := int64(maxMessage)
	if l := req.Limits.MaxBody; l >= 0 && l < (maxMessage-1<<20)/2 {
		message = 2*l + 1<<20 // quotation marks are doubled, and attributes come with it
	}
	s := &session{ctx: ctx, req: req, ref: ref, c: NewConn(conn, Limits{Message: message})}
	if req.Trace != nil {
		s.c.Log = func(sent bool, what string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			req.Trace(fetch.Event{Kind: kind, Text: what})
		}
	}
	return s.open()
}

// A session is what one Fetch has to do with a server.
type session struct {
	ctx context.Context
	req *fetch.Request
	ref prosperourl.Ref
	c   *Conn
}

// open asks what the name is, and then for what it is.
func (s *session) open() (*fetch.Response, error) {
	info, err := s.c.Info(s.ctx, "#ALL", s.ref.Name, s.ref.Version)
	var f *Failure
	switch {
	case errors.As(err, &f) && f.Code == "NOT-FOUND":
		// So say servers of directories that exist only while they are asked.
	case err != nil:
		return nil, err
	}
	if resp, err := s.moved(info); resp != nil || err != nil {
		return resp, err
	}
	for _, a := range info.Attributes {
		if a.Name == "CONTENTS" {
			return s.object(info, info)
		}
	}
	methods := Methods(info.Attributes)
	for _, m := range methods {
		if m.Name == contents {
			return s.contents(info)
		}
	}
	if len(methods) > 0 {
		return s.elsewhere(info, methods)
	}
	list, err := s.c.List(s.ctx, "ATTRIBUTES", s.ref.Name, s.ref.Version)
	if errors.As(err, &f) && f.Code == "NOT-A-DIRECTORY" {
		if len(info.Attributes) == 0 {
			return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Said: f.Said(), Err: errors.New("it is neither an object nor a directory")}
		}
		return s.contents(info)
	}
	if err != nil {
		return nil, err
	}
	if resp, err := s.moved(list); resp != nil || err != nil {
		return resp, err
	}
	if len(list.Unresolved) > 0 {
		return nil, &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrMalformed, Err: errors.New("the server leaves a part of the name to be resolved that was not asked for")}
	}
	return s.listing(info, list)
}

// moved is word of where to ask instead; nil where the reply is the answer.
func (s *session) moved(r Reply) (*fetch.Response, error) {
	if r.Forwarded == nil {
		return nil, nil
	}
	u, ok := r.Forwarded.Object.URL(r.Forwarded.Version)
	if !ok {
		return nil, &fetch.Error{Step: fetch.Redirect, Kind: fetch.ErrUnsupported, Said: cut(r.Forwarded.Object.Host + " " + r.Forwarded.Object.Name),
			Err: errors.New("the server sends us to an object that has no URL")}
	}
	return redirect(u), nil
}

func redirect(u anyurl.URL) *fetch.Response {
	return &fetch.Response{Size: -1, Location: u.String(), Body: io.NopCloser(strings.NewReader(""))}
}

// contents asks for the object itself.
func (s *session) contents(info Reply) (*fetch.Response, error) {
	if s.req.Head() {
		return s.response(info, -1), nil
	}
	r, err := s.c.Info(s.ctx, "CONTENTS", s.ref.Name, s.ref.Version)
	if err != nil {
		return nil, err
	}
	if resp, err := s.moved(r); resp != nil || err != nil {
		return resp, err
	}
	return s.object(info, r)
}

// object is the contents that a reply holds.
func (s *session) object(info, r Reply) (*fetch.Response, error) {
	for _, a := range r.Attributes {
		if a.Name != "CONTENTS" {
			continue
		}
		if len(a.Values) != 2 || a.Values[0] != "DATA" {
			return nil, &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrUnsupported, Err: errors.New("the contents come in a form that is not known here"), Said: cut(strings.Join(a.Values, " "))}
		}
		data := a.Values[1]
		resp := s.response(info, int64(len(data)))
		if resp.Type == "" {
			resp.Type = fetch.TypeByContent([]byte(data[:min(len(data), 512)]))
		}
		if s.req.Head() {
			return resp, nil
		}
		if off := s.req.Offset; off > 0 && off <= int64(len(data)) {
			data, resp.Offset = data[off:], off
			resp.Size = int64(len(data))
		}
		resp.Body = io.NopCloser(strings.NewReader(data))
		return resp, nil
	}
	return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New("the server has no contents of it")}
}

func cut(s string) string { return s[:min(len(s), 200)] }

// response is what the attributes say of the object. size is how large it is,
// if that is known better than the attributes do.
func (s *session) response(info Reply, size int64) *fetch.Response {
	resp := &fetch.Response{Size: size, Header: map[string][]string{}, Body: io.NopCloser(strings.NewReader(""))}
	name := s.ref.Name[strings.LastIndexByte(s.ref.Name, '/')+1:]
	resp.Type = fetch.TypeByName(name)
	said, t := facts(info.Attributes)
	resp.ModTime = t
	if size < 0 {
		resp.Size = said
	}
	for _, a := range info.Attributes {
		if a.Name != "CONTENTS" {
			resp.Header[a.Name] = append(resp.Header[a.Name], strings.Join(a.Values, " "))
		}
	}
	return resp
}

// facts are an object's size, -1 if it is not said in octets, and the time it
// was last changed.
func facts(attributes []Attribute) (size int64, t time.Time) {
	size = -1
	for _, a := range attributes {
		value := strings.Join(a.Values, " ")
		switch a.Name {
		case "SIZE":
			digits, bytes := strings.CutSuffix(value, " bytes")
			if n, err := strconv.ParseInt(digits, 10, 64); bytes && err == nil && n >= 0 {
				size = n
			}
		case "LAST-MODIFIED":
			t, _ = time.Parse("20060102150405Z", value)
		}
	}
	return size, t
}

// elsewhere sends the caller where the object is to be had by another protocol.
// A path on the server's own disk is the last resort, and the caller will
// hardly go there.
func (s *session) elsewhere(info Reply, methods []Method) (*fetch.Response, error) {
	of := Object{Host: s.ref.Host.String(), Name: s.ref.Name}
	var names []string
	var local *fetch.Response
	for _, m := range methods {
		names = append(names, strconv.Quote(m.Name))
		u, ok := m.URL(of)
		switch {
		case ok && m.Name == "LOCAL":
			local = redirect(u)
		case ok:
			return redirect(u), nil
		}
	}
	if local != nil {
		return local, nil
	}
	return nil, &fetch.Error{Step: fetch.Asking, Kind: fetch.ErrUnsupported, Err: fmt.Errorf("the object is to be had by %s, which has no URL", strings.Join(names, ", "))}
}

// listing is a directory: a line for each link, its target, size, name and URL.
func (s *session) listing(info, list Reply) (*fetch.Response, error) {
	if err := fetch.CheckEntries(len(list.Links), s.req.Limits); err != nil {
		return nil, err
	}
	resp := s.response(info, -1)
	resp.Type, resp.Listing = "text/plain", true
	var text bytes.Buffer
	for _, l := range list.Links {
		e := entry(l)
		size := "-"
		if e.Size >= 0 {
			size = fmt.Sprint(e.Size)
		}
		e.Raw = quote.Text(l.Target) + "\t" + size + "\t" + quote.Text(l.Name) + "\t" + quote.Text(e.URL)
		text.WriteString(e.Raw + "\n")
		resp.Entries = append(resp.Entries, e)
	}
	if len(list.Warnings) > 0 {
		resp.Header["Warning"] = list.Warnings
	}
	resp.Size = int64(text.Len())
	if !s.req.Head() {
		resp.Body = io.NopCloser(&text)
	}
	return resp, nil
}

// entry is a link as a line of a listing.
func entry(l Link) fetch.Entry {
	e := fetch.Entry{Name: l.Name, Type: "other"}
	e.Size, e.Time = facts(l.Attributes)
	switch l.Target {
	case "FILE":
		e.Type = "file"
	case "DIRECTORY", "DIRECTORY+FILE":
		e.Type, e.Size = "dir", -1
	case "SYMBOLIC":
		e.Type = "link"
	case "EXTERNAL":
		e.Type = "file"
		// There is no Prospero server behind it, only what the methods say.
		for _, m := range Methods(l.Attributes) {
			if u, ok := m.URL(l.Object); ok && m.Name != "LOCAL" {
				e.URL = u.String()
				break
			}
		}
		return e
	}
	if u, ok := l.Object.URL(l.Version); ok && l.Object.Host != "NULL" {
		e.URL = u.String()
	}
	return e
}

// failed says in fetch's words why it failed.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fetch.Fail(fetch.Asking, context.Cause(ctx))
	}
	e := &fetch.Error{Step: fetch.Asking, Err: err}
	var f *Failure
	var m *Malformed
	var moved *Moved
	switch {
	case errors.As(err, &f):
		e.Step, e.Said = fetch.Status, cut(f.Said())
		switch f.Code {
		case "NOT-FOUND":
			e.Kind = fetch.ErrNotFound
		case "NOT-AUTHORIZED", "AUTHENTICATION-REQUIRED":
			e.Kind = fetch.ErrDenied
			e.Hint = "the server shows part of its tree to everybody, often below AFTP/"
		case "VERSION-NOT-SUPPORTED":
			e.Kind = fetch.ErrUnsupported
		}
	case errors.As(err, &m):
		e.Kind, e.Said = fetch.ErrMalformed, m.Head
	case errors.As(err, &moved): // to no port
		e.Kind = fetch.ErrMalformed
	case errors.Is(err, errNoAnswer):
		e.Hint = "nothing says whether a Prospero server is there: UDP has no connection"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Step, e.Err = fetch.Connecting, errors.New("nothing listens there")
	case errors.Is(err, errRefused):
		e.Kind = fetch.ErrBusy
	case errors.Is(err, errVersion):
		e.Kind = fetch.ErrUnsupported
	case errors.Is(err, errTooLong), errors.Is(err, errTooMany):
		e.Step, e.Kind = fetch.Limit, fetch.ErrTooLarge
	default:
		return fetch.Fail(fetch.Asking, err)
	}
	return e
}
