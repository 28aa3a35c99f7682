package nfs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"anyurl/internal/xdr"
)

// The procedures of NFS version 3 that are used (RFC 1813, section 3).
const (
	procGetattr     = 1
	procLookup      = 3
	procReadlink    = 5
	procRead        = 6
	procReaddir     = 16
	procReaddirplus = 17
)

// v3 is a server by version 3. Where the walk begins is the business of those
// who have a v3 in them.
type v3 struct {
	c     *caller
	plain bool // the server has no READDIRPLUS
}

func (v *v3) call(procedure uint32, arguments []byte, limit int) (*xdr.Reader, error) {
	r, err := v.c.call(programNFS, 3, procedure, arguments, limit)
	if err != nil {
		return nil, err
	}
	status := Status(r.Uint32())
	if err := ended(r); err != nil {
		return nil, err
	}
	if status != ok {
		return nil, status
	}
	return r, nil
}

// readFattr3 reads a fattr3 (section 2.6).
func readFattr3(r *xdr.Reader) (a attributes) {
	a.kind = kind(r.Uint32())
	r.Fixed(16) // mode, links, user, group
	a.size = size(r)
	r.Fixed(8 + 8 + 8 + 8 + 8) // used, device, file system, number, read
	a.time = moment(int64(r.Uint32()), r.Uint32())
	r.Fixed(8) // status changed
	return a
}

// readPostOp reads a post_op_attr: attributes that may be left out.
func readPostOp(r *xdr.Reader) (a attributes, there bool) {
	a.size = -1
	if r.Bool() {
		return readFattr3(r), true
	}
	return a, false
}

func (v *v3) getattr(handle []byte) (node, error) {
	r, err := v.call(procGetattr, xdr.AppendOpaque(nil, handle), overhead)
	if err != nil {
		return node{}, err
	}
	n := node{handle: handle, attributes: readFattr3(r)}
	return n, ended(r)
}

// find is LOOKUP, by a handle; the public one is of no octets, and takes a
// whole path for a name (RFC 2055, section 4).
func (v *v3) find(handle []byte, name string) (node, error) {
	r, err := v.call(procLookup, xdr.AppendOpaque(xdr.AppendOpaque(nil, handle), name), overhead)
	if err != nil {
		return node{}, err
	}
	n := node{handle: append([]byte(nil), r.Opaque(64)...)}
	var told bool
	n.attributes, told = readPostOp(r)
	if err := ended(r); err != nil {
		return node{}, err
	}
	if !told {
		return v.getattr(n.handle)
	}
	return n, nil
}

func (v *v3) lookup(in node, name string) (node, error) { return v.find(in.handle, name) }

func (v *v3) readlink(n node) (string, error) {
	r, err := v.call(procReadlink, xdr.AppendOpaque(nil, n.handle), overhead)
	if err != nil {
		return "", err
	}
	readPostOp(r)
	return r.String(maxLink), ended(r)
}

func (v *v3) read(n node, offset uint64, count uint32) (data []byte, eof bool, err error) {
	r, err := v.call(procRead, xdr.Append(xdr.AppendUint64(xdr.AppendOpaque(nil, n.handle), offset), count), int(count))
	if err != nil {
		return nil, false, err
	}
	readPostOp(r)
	told := r.Uint32()
	eof = r.Bool()
	data = r.Opaque(int(count))
	if r.Err() == nil && int(told) != len(data) {
		return nil, false, &malformed{"the server tells another number of octets than it sends"}
	}
	return data, eof, ended(r)
}

func (v *v3) list(n node, from place) (entries []entry, next place, eof bool, err error) {
	if !v.plain {
		entries, next, eof, err = v.page(procReaddirplus, n, from)
		var f *fault
		if !is(err, errNotSupported) && !(errors.As(err, &f) && f.code == procUnavailable) {
			return entries, next, eof, err
		}
		v.plain = true
	}
	return v.page(procReaddir, n, from)
}

// page reads a page of a directory, with the entries' attributes or without.
func (v *v3) page(procedure uint32, n node, from place) (entries []entry, next place, eof bool, err error) {
	plus := procedure == procReaddirplus
	b := append(xdr.AppendUint64(xdr.AppendOpaque(nil, n.handle), from.cookie), from.verifier[:]...)
	b = xdr.Append(b, readdirSize/4)
	if plus {
		b = xdr.Append(b, readdirSize)
	}
	r, err := v.call(procedure, b, readdirSize)
	if err != nil {
		return nil, from, false, err
	}
	readPostOp(r)
	next = from
	copy(next.verifier[:], r.Fixed(8))
	for r.Bool() {
		e := entry{attributes: attributes{size: -1}}
		r.Uint64() // the file's number
		e.name = r.String(maxName)
		next.cookie = r.Uint64()
		if plus {
			e.attributes, _ = readPostOp(r)
			if r.Bool() {
				r.Opaque(64)
			}
		}
		if err := ended(r); err != nil {
			return nil, from, false, err
		}
		entries = append(entries, e)
	}
	eof = r.Bool()
	return entries, next, eof, ended(r)
}

// webNFS is version 3 by the public file handle (RFC 2055).
type webNFS struct{ v3 }

func (v *webNFS) begin(absolute bool, parts []string) (node, []string, error) {
	path := strings.Join(parts, "/")
	switch {
	case absolute:
		path = "/" + path
	case path == "":
		path = "."
	case path[0] >= 0x80:
		// The server would read on in its own way (RFC 2055, section 6.1).
		return node{}, nil, errNoEntry
	}
	for _, p := range parts {
		if strings.Contains(p, "/") {
			return node{}, nil, errNoEntry // it would be two
		}
	}
	n, err := v.find(nil, path)
	if len(parts) > 1 && is(err, errNoEntry, errNotDir, errSymlink, errInvalid) {
		// Not every server goes along a symbolic link for the client: from here
		// on part by part.
		path = "."
		if absolute {
			path = "/"
		}
		n, err := v.find(nil, path)
		return n, parts, err
	}
	return n, nil, err
}

func (v *webNFS) String() string { return "NFS 3 by the public file handle" }

func (v *webNFS) close(context.Context) {}

// mounted is version 3 by the MOUNT protocol (RFC 1813, appendix I).
type mounted struct {
	v3
	mount   *caller
	exports []string // nil if the server does not tell
	paths   []string // what was mounted
}

const procNull, procMnt, procUmnt, procExport = 0, 1, 3, 5

// ask asks whether the protocol is there, and for the list of exports, which
// may be missing.
func (v *mounted) ask(limit int) error {
	if _, err := v.mount.call(programMount, 3, procNull, nil, overhead); err != nil {
		return err
	}
	r, err := v.mount.call(programMount, 3, procExport, nil, 1<<20)
	var f *fault
	if errors.As(err, &f) && !f.denied {
		return nil
	}
	if err != nil {
		return err
	}
	for n := 0; r.Bool(); n++ {
		if v.exports = append(v.exports, r.String(1024)); n > limit {
			return &malformed{"the server exports without end"}
		}
		for r.Bool() {
			r.Opaque(255) // a group of machines
		}
	}
	return ended(r)
}

// begin mounts the export that the path lies in, which is the longest of those
// that begin it. Without a list of them the root is tried, and then further
// down: there are servers that mount their root whatever they are asked for.
func (v *mounted) begin(absolute bool, parts []string) (node, []string, error) {
	first := error(errNoEntry)
	for i := range len(parts) + 1 {
		n := i
		if v.exports != nil {
			n = len(parts) - i
		}
		path := "/" + strings.Join(parts[:n], "/")
		if v.exports != nil && !slices.ContainsFunc(v.exports, func(e string) bool { return strings.TrimRight(e, "/") == strings.TrimRight(path, "/") }) {
			continue
		}
		handle, err := v.mnt(path)
		if err == nil {
			root, err := v.getattr(handle)
			return root, parts[n:], err
		}
		var s Status
		if !errors.As(err, &s) {
			return node{}, nil, err
		}
		if first == error(errNoEntry) || s == errAccess || s == errPermission {
			first = s
		}
	}
	return node{}, nil, first
}

func (v *mounted) mnt(path string) ([]byte, error) {
	r, err := v.mount.call(programMount, 3, procMnt, xdr.AppendOpaque(nil, path), overhead)
	if err != nil {
		return nil, err
	}
	if status := Status(r.Uint32()); status != ok {
		return nil, status
	}
	handle := append([]byte(nil), r.Opaque(64)...)
	if err := ended(r); err != nil {
		return nil, err
	}
	v.paths = append(v.paths, path)
	return handle, nil
}

// close has the server forget the mounts, which it keeps a list of for people
// to look at. It does not wait long for a word that changes nothing.
func (v *mounted) close(ctx context.Context) {
	v.mount.conn.SetDeadline(time.Now().Add(2 * time.Second))
	for _, p := range v.paths {
		if ctx.Err() != nil {
			break
		}
		if _, err := v.mount.call(programMount, 3, procUmnt, xdr.AppendOpaque(nil, p), overhead); err != nil {
			break
		}
	}
	if v.mount.conn != v.c.conn {
		v.mount.conn.Close()
	}
}

func (v *mounted) String() string { return "NFS 3" }

// port asks a portmapper where a program is (RFC 1833, section 3).
func port(c *caller, program, version uint32) (uint16, error) {
	r, err := c.call(programPortmap, 2, 3, xdr.Append(nil, program, version, 6, 0), overhead)
	if err != nil {
		return 0, err
	}
	n := r.Uint32()
	if err := ended(r); err != nil {
		return 0, err
	}
	if n > 0xFFFF {
		return 0, &malformed{"the portmapper names a port that does not exist"}
	}
	return uint16(n), nil
}
