// Package nfs opens nfs URLs (RFC 2224): files and folders of an NFS server, read
// and never written. It asks by version 4.0 from the public file handle (RFC
// 7530), then by version 3 from its public file handle (WebNFS, RFC 2055), then
// by version 3 and the MOUNT protocol (RFC 1813), whichever of them the server
// knows. Start with [New].
package nfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	nfsurl "anyurl/scheme/nfs"
)

const (
	maxLink     = 4096 // octets of a symbolic link
	maxName     = 1024 // octets of a name in a folder
	maxLinks    = 40   // symbolic links on the way
	readSize    = 128 << 10
	readdirSize = 64 << 10
)

// Nobody is the user and the group that asks, if the caller says nothing else:
// what everybody may read can be read.
const Nobody = 65534

// portmapPort is the portmapper's.
const portmapPort = 111

// A Transport opens nfs URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// UID and GID are who asks, by AUTH_SYS, which the server believes or not.
	UID, GID uint32
	// NoPortmap keeps it from asking the portmapper where MOUNT is.
	NoPortmap bool
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"nfs"} }

// New returns a Transport that connects through d and asks as [Nobody].
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d, UID: Nobody, GID: Nobody} }

// A kind says what something is: ftype3 and nfs_ftype4 agree.
type kind uint32

const (
	regular   kind = 1
	directory kind = 2
	symlink   kind = 5
)

func (k kind) String() string {
	switch k {
	case regular:
		return "a file"
	case directory:
		return "a folder"
	case 3, 4:
		return "a device"
	case symlink:
		return "a symbolic link"
	case 6:
		return "a socket"
	case 7:
		return "a pipe"
	}
	return "something unknown"
}

type attributes struct {
	kind kind
	size int64 // -1 if unknown
	time time.Time
}

// A node is a thing on the server.
type node struct {
	handle []byte
	attributes
}

type entry struct {
	name string
	attributes
}

// A place is how far a folder has been read.
type place struct {
	cookie   uint64
	verifier [8]byte
}

// A way is a version of the protocol, and where it begins.
type way interface {
	// begin finds where a path begins, and the parts that are left to look up.
	begin(absolute bool, parts []string) (node, []string, error)
	lookup(in node, name string) (node, error)
	readlink(n node) (string, error)
	read(n node, offset uint64, count uint32) (data []byte, eof bool, err error)
	list(n node, from place) (entries []entry, next place, eof bool, err error)
	close(ctx context.Context)
	String() string
}

// Fetch opens a file, or lists a folder. Errors are *[fetch.Error]; Status is
// the server's own number (nfsstat4, nfsstat3).
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	ref, err := nfsurl.Read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	s := &session{t: t, ctx: ctx, req: req, ref: ref}
	resp, err := s.open()
	if err != nil {
		s.close()
		return nil, failed(fetch.Asking, err)
	}
	if _, more := resp.Body.(*body); !more {
		s.close()
	}
	resp.Protocol = s.way.String()
	return resp, nil
}

// A session is what one Fetch has to do with a server.
type session struct {
	t    *Transport
	ctx  context.Context
	req  *fetch.Request
	ref  nfsurl.Ref
	addr netip.AddrPort
	main *caller
	way  way
	stop []func() bool
}

// dial connects to the server, the first time by its name, then at the address
// that was vetted.
func (s *session) dial(port uint16) (*caller, error) {
	var conn net.Conn
	var err error
	if s.main == nil {
		conn, s.addr, err = s.t.Dialer.Dial(s.ctx, "tcp", s.ref.Addr())
	} else {
		host := s.ref.Host.Unbracketed()
		if s.addr.IsValid() {
			host = s.addr.Addr().String()
		}
		conn, err = s.t.Dialer.DialContext(s.ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(int(port))))
	}
	if err != nil {
		return nil, fetch.Fail(fetch.Connecting, err)
	}
	s.stop = append(s.stop, wire.Watch(s.ctx, conn))
	c := newCaller(conn, s.t.UID, s.t.GID)
	if s.req.Trace != nil {
		c.log = func(sent bool, what string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			s.req.Trace(fetch.Event{Kind: kind, Text: what})
		}
	}
	return c, nil
}

func (s *session) close() {
	if s.way != nil {
		s.way.close(s.ctx)
	}
	for _, stop := range s.stop {
		stop()
	}
	if s.main != nil {
		s.main.conn.Close()
	}
}

// open finds what the URL names, by the first way that the server knows.
func (s *session) open() (*fetch.Response, error) {
	var err error
	if s.main, err = s.dial(s.ref.Port); err != nil {
		return nil, err
	}
	n, err := s.find()
	if m, mounts := s.way.(*mounted); mounts && len(s.ref.Parts) == 0 && is(err, errNoEntry) && len(m.exports) > 0 {
		return s.exports(m.exports)
	}
	if err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: s.req.URL, Size: -1, ModTime: n.time, Body: io.NopCloser(strings.NewReader(""))}
	switch {
	case n.kind == directory:
		return resp, s.folder(resp, n)
	case n.kind != regular:
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrUnsupported, Err: fmt.Errorf("it is %s, and only files and folders are opened", n.kind)}
	case s.ref.Dir:
		return nil, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: errors.New(`it is a file, and the URL's final "/" says folder`)}
	}
	return resp, s.file(resp, n)
}

// find resolves the path by each way in turn.
func (s *session) find() (node, error) {
	s.way = &v4{c: s.main}
	n, err := s.resolve()
	var f *fault
	switch {
	case errors.As(err, &f) && !f.denied && (f.code == progMismatch || f.code == progUnavailable || f.code == procUnavailable):
	case is(err, errMinorVersion), err == errOther:
	default:
		return n, err
	}
	if f != nil && f.code == progUnavailable {
		return n, err // no NFS at all
	}
	s.way = &webNFS{v3{c: s.main}}
	n, second := s.resolve()
	var status Status
	if !errors.As(second, &status) {
		if errors.As(second, &f) {
			return n, err // the first answer says more: which versions there are
		}
		return n, second
	}
	// Servers of today have no public handle in version 3, and say so in more
	// than one way.
	if err := s.mountWay(); err != nil {
		if is(second, errBadHandle, errStale, errNotSupported) {
			return n, err
		}
		return n, second
	}
	return s.resolve()
}

// mountWay finds the MOUNT protocol: at the same port, where small servers have
// it, else where the portmapper says.
func (s *session) mountWay() error {
	m := &mounted{v3: v3{c: s.main}, mount: s.main}
	err := m.ask(s.entries())
	var f *fault
	if errors.As(err, &f) && !f.denied && !s.t.NoPortmap {
		err = s.portmapped(m)
	}
	if err != nil {
		return err
	}
	s.way = m
	return nil
}

func (s *session) portmapped(m *mounted) error {
	c, err := s.dial(portmapPort)
	if err != nil {
		return unmounted(err)
	}
	p, err := port(c, programMount, 3)
	c.conn.Close()
	if err != nil {
		return err
	}
	if p == 0 {
		return unmounted(errors.New("the portmapper knows of none"))
	}
	if m.mount, err = s.dial(p); err != nil {
		return unmounted(err)
	}
	if err := m.ask(s.entries()); err != nil {
		m.mount.conn.Close()
		return err
	}
	return nil
}

// unmounted is that there is no MOUNT protocol to be found.
func unmounted(err error) error {
	var own *fetch.Error
	if errors.As(err, &own) && (own.Kind != nil || own.Step != fetch.Connecting) {
		return err
	}
	return &fetch.Error{Step: fetch.Connecting, Err: fmt.Errorf("the server has neither NFS 4 nor a public file handle, and its MOUNT protocol is not to be found: %v", err)}
}

func (s *session) entries() int {
	if n := s.req.Limits.MaxEntries; n > 0 {
		return n
	}
	return fetch.DefaultLimits().MaxEntries
}

// resolve walks the path, and what its symbolic links stand for. Those are the
// server's: they lead about its own tree and nowhere else.
func (s *session) resolve() (node, error) {
	absolute, parts := s.ref.Absolute, s.ref.Parts
	for links := 0; ; links++ {
		if links > maxLinks {
			return node{}, &fetch.Error{Step: fetch.Status, Kind: fetch.ErrNotFound, Err: fmt.Errorf("more than %d symbolic links", maxLinks)}
		}
		var n node
		var rest []string
		err := s.patient(func() (err error) {
			n, rest, err = s.way.begin(absolute, parts)
			return err
		})
		if err != nil {
			return n, err
		}
		done := slices.Clone(parts[:len(parts)-len(rest)])
		for len(rest) > 0 && n.kind != symlink {
			err := s.patient(func() (err error) {
				n, err = s.way.lookup(n, rest[0])
				return err
			})
			if err != nil {
				return n, err
			}
			done, rest = append(done, rest[0]), rest[1:]
		}
		if n.kind != symlink {
			return n, nil
		}
		target, err := s.way.readlink(n)
		if err != nil {
			return n, err
		}
		if strings.IndexByte(target, 0) >= 0 || target == "" {
			return n, &malformed{"the server has a symbolic link that leads nowhere"}
		}
		done = done[:max(0, len(done)-1)]
		if target[0] == '/' {
			absolute, done = true, nil
		}
		for p := range strings.SplitSeq(target, "/") {
			switch p {
			case "", ".":
			case "..":
				done = done[:max(0, len(done)-1)]
			default:
				done = append(done, p)
			}
		}
		parts = append(done, rest...)
		if len(parts) > 1000 {
			return n, &malformed{"the server's symbolic links make a path without end"}
		}
	}
}

// patient asks again where the server wants time: it has just been started, or
// fetches from a slow place.
func (s *session) patient(ask func() error) error {
	wait := time.Second
	for try := 1; ; try++ {
		err := ask()
		if !is(err, errDelay, errGrace) || try == 5 {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-s.ctx.Done():
			timer.Stop()
			return context.Cause(s.ctx)
		case <-timer.C:
		}
		wait *= 2
	}
}

// file makes a file the response's body.
func (s *session) file(resp *fetch.Response, n node) error {
	resp.Size = n.size
	name := ""
	if len(s.ref.Parts) > 0 {
		name = s.ref.Parts[len(s.ref.Parts)-1]
	}
	resp.Type = fetch.TypeByName(name)
	b := &body{s: s, n: n}
	if s.req.Offset > 0 && s.req.Offset <= n.size {
		resp.Offset = s.req.Offset
		resp.Size = n.size - s.req.Offset
		b.at = uint64(s.req.Offset)
	}
	if s.req.Head() {
		return nil
	}
	if err := b.more(); err != nil {
		return err
	}
	if resp.Type == "" && resp.Offset == 0 {
		resp.Type = fetch.TypeByContent(b.data[:min(len(b.data), 512)])
	}
	resp.Body = b
	return nil
}

// A body is a file that is read call by call.
type body struct {
	s    *session
	n    node
	at   uint64 // the next octet to ask for
	data []byte // what came and was not read
	eof  bool
	err  error
	once sync.Once
}

// more asks for the next octets.
func (b *body) more() error {
	var data []byte
	var eof bool
	err := b.s.patient(func() (err error) {
		data, eof, err = b.s.way.read(b.n, b.at, readSize)
		return err
	})
	if err != nil {
		return err
	}
	b.data, b.eof = data, eof || len(data) == 0
	b.at += uint64(len(data))
	return nil
}

// Read gives the file.
func (b *body) Read(p []byte) (int, error) { return wire.ReadPieces(p, &b.data, &b.err, b.next) }

// next brings the next octets, or says why there are none.
func (b *body) next() error {
	switch {
	case b.eof && b.n.size >= 0 && b.at < uint64(b.n.size):
		return io.ErrUnexpectedEOF // it ends before the size that was told
	case b.eof:
		return io.EOF
	}
	if err := b.more(); err != nil {
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

// folder makes a folder the response's entries, sorted by the octets of their
// names. The body is their names, one a line, quoted where they hold what a
// line cannot.
func (s *session) folder(resp *fetch.Response, n node) error {
	resp.Listing, resp.Type = true, "text/plain"
	ref := s.ref
	if !ref.Dir {
		ref.Dir = true
		if u := ref.URL(); !u.IsZero() {
			resp.URL = u
		}
	}
	if s.req.Head() {
		return nil
	}
	var from place
	for {
		var some []entry
		var next place
		var eof bool
		err := s.patient(func() (err error) {
			some, next, eof, err = s.way.list(n, from)
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range some {
			if e.name != "." && e.name != ".." {
				resp.Entries = append(resp.Entries, line(ref, e))
			}
		}
		if err := fetch.CheckEntries(len(resp.Entries), s.req.Limits); err != nil {
			return err
		}
		if eof {
			break
		}
		if len(some) == 0 || next == from {
			return &malformed{"the server's folder does not end"}
		}
		from = next
	}
	slices.SortFunc(resp.Entries, func(a, b fetch.Entry) int { return strings.Compare(a.Name, b.Name) })
	var text strings.Builder
	for _, e := range resp.Entries {
		text.WriteString(e.Raw + "\n")
	}
	resp.Size = int64(text.Len())
	resp.Body = io.NopCloser(strings.NewReader(text.String()))
	return nil
}

// exports is what a server has that does not export its root: a folder of the
// paths that it does export.
func (s *session) exports(paths []string) (*fetch.Response, error) {
	if err := fetch.CheckEntries(len(paths), s.req.Limits); err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: s.req.URL, Type: "text/plain", Listing: true, Size: -1, Body: io.NopCloser(strings.NewReader(""))}
	var text strings.Builder
	for _, path := range paths {
		ref := s.ref
		ref.Parts, ref.Dir = strings.FieldsFunc(path, func(r rune) bool { return r == '/' }), true
		e := fetch.Entry{Name: path, Type: "dir", Size: -1, Raw: fetch.Line(path)}
		if u := ref.URL(); !u.IsZero() {
			e.URL = u.String()
		}
		text.WriteString(e.Raw + "\n")
		resp.Entries = append(resp.Entries, e)
	}
	if !s.req.Head() {
		resp.Size = int64(text.Len())
		resp.Body = io.NopCloser(strings.NewReader(text.String()))
	}
	return resp, nil
}

// line is an entry as a line of a listing.
func line(ref nfsurl.Ref, e entry) fetch.Entry {
	l := fetch.Entry{Name: e.name, Type: "other", Size: -1, Time: e.time, Raw: fetch.Line(e.name)}
	switch e.kind {
	case regular:
		l.Type, l.Size = "file", e.size
	case directory:
		l.Type = "dir"
	case symlink:
		l.Type = "link"
	}
	if ref.Dir = l.Type == "dir"; ref.Dir {
		l.Raw += "/"
	}
	if strings.ContainsAny(e.name, "/\x00") || e.name == "" || len(e.name) > 255 {
		return l // no name that a URL could open
	}
	ref.Parts = append(ref.Parts[:len(ref.Parts):len(ref.Parts)], e.name)
	if u := ref.URL(); !u.IsZero() {
		l.URL = u.String()
	}
	return l
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	var s Status
	var f *fault
	var m *malformed
	switch {
	case err == nil:
		return nil
	case errors.As(err, &s):
		e := s.fault()
		if step == fetch.Body {
			e.Step = step
		}
		return e
	case errors.As(err, &f):
		e := &fetch.Error{Step: step, Status: int(f.code), Err: f}
		switch {
		case f.auth:
			e.Kind = fetch.ErrDenied
			e.Hint = "some servers want a client's port below 1024, or Kerberos, neither of which is done here"
		case f.code == progMismatch || f.code == progUnavailable || f.code == procUnavailable || f.denied:
			e.Kind = fetch.ErrUnsupported
			e.Hint = "NFS 4.0 and NFS 3 are spoken here"
		}
		return e
	case errors.As(err, &m):
		return &fetch.Error{Step: step, Kind: fetch.ErrMalformed, Err: m}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
	}
	return fetch.Fail(step, err)
}
