package nfs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"anyurl/internal/xdr"
)

// The operations of NFS version 4.0 that are used (RFC 7530, section 16).
const (
	opGetattr   = 9
	opGetfh     = 10
	opLookup    = 15
	opPutfh     = 22
	opPutpubfh  = 23
	opPutrootfh = 24
	opRead      = 25
	opReaddir   = 26
	opReadlink  = 27
)

// The attributes that are asked for, by number (section 5).
const (
	attrType       = 1
	attrSize       = 4
	attrRdattrErr  = 11
	attrTimeModify = 53
)

// wanted is the bitmap of those for one object.
var wanted = [2]uint32{1<<attrType | 1<<attrSize, 1 << (attrTimeModify - 32)}

// v4 is a server by version 4.0, which has everything in one protocol.
type v4 struct{ c *caller }

// compound is one COMPOUND under way: its operations, and then their results.
type compound struct {
	b   []byte
	ops []uint32
	r   *xdr.Reader
	at  int // operations whose results have been begun
}

func (m *compound) add(op uint32) *compound {
	m.ops = append(m.ops, op)
	m.b = xdr.Append(m.b, op)
	return m
}

func (m *compound) handle(h []byte) *compound {
	m.add(opPutfh)
	m.b = xdr.AppendOpaque(m.b, h)
	return m
}

func (m *compound) attributes() *compound {
	m.add(opGetattr)
	m.b = xdr.Append(m.b, 2, wanted[0], wanted[1])
	return m
}

// errOther is the answer to a call of version 4 that is none: a status alone, as
// servers give it that know version 3 and do not look which one is called.
var errOther = errors.New("the server takes a call of version 4 for another")

// send sends the compound; next then gives the results one by one.
func (v *v4) send(m *compound, limit int) error {
	args := xdr.Append(nil, 0, 0, uint32(len(m.ops))) // no tag, minor version 0
	r, err := v.c.call(programNFS, 4, 1, append(args, m.b...), limit)
	if err != nil {
		return err
	}
	status := Status(r.Uint32())
	if r.Err() == nil && len(r.Rest()) == 0 && status != ok {
		return errOther
	}
	r.Opaque(1024) // the tag
	n := r.Uint32()
	if err := ended(r); err != nil {
		return err
	}
	if int(n) > len(m.ops) {
		return &malformed{"the server answers more operations than were asked for"}
	}
	if n == 0 && status != ok {
		return status // of the compound itself
	}
	if n == 0 {
		return &malformed{"the server answers no operation"}
	}
	m.r = r
	return nil
}

// next begins the next operation's results. Its status is the error.
func (m *compound) next() error {
	if m.at == len(m.ops) {
		return &malformed{"the server answers too few operations"}
	}
	op, status := m.r.Uint32(), Status(m.r.Uint32())
	if err := ended(m.r); err != nil {
		return err
	}
	if op != m.ops[m.at] {
		return &malformed{fmt.Sprintf("the server answers operation %d where %d was asked for", op, m.ops[m.at])}
	}
	m.at++
	if status != ok {
		return status
	}
	return nil
}

// node reads the results of GETFH and GETATTR.
func (m *compound) node() (n node, err error) {
	if err := m.next(); err != nil {
		return n, err
	}
	n.handle = append([]byte(nil), m.r.Opaque(128)...)
	if err := m.next(); err != nil {
		return n, err
	}
	n.attributes, _, err = readAttributes(m.r)
	if err != nil {
		return n, err
	}
	return n, ended(m.r)
}

// readAttributes reads a fattr4 (section 3.3.7): a bitmap, and the values of
// the attributes whose bits are set, in their order. failed is rdattr_error.
func readAttributes(r *xdr.Reader) (a attributes, failed Status, err error) {
	a.size = -1
	var bits [2]uint32
	for i := range r.Count(4) {
		if w := r.Uint32(); i < 2 {
			bits[i] = w
		} else if w != 0 {
			return a, 0, &malformed{"the server tells attributes that were not asked for"}
		}
	}
	v := xdr.NewReader(r.Opaque(1 << 12))
	for word := range 2 {
		for bit := range 32 {
			if bits[word]>>bit&1 == 0 {
				continue
			}
			switch word*32 + bit {
			case attrType:
				a.kind = kind(v.Uint32())
			case attrSize:
				a.size = size(v)
			case attrRdattrErr:
				failed = Status(v.Uint32())
			case attrTimeModify:
				sec, nsec := int64(v.Uint64()), v.Uint32()
				a.time = moment(sec, nsec)
			default:
				return a, 0, &malformed{"the server tells attributes that were not asked for"}
			}
		}
	}
	if err := ended(r); err != nil {
		return a, 0, err
	}
	return a, failed, ended(v)
}

// size reads a length in octets.
func size(r *xdr.Reader) int64 {
	n := r.Uint64()
	if n > 1<<62 {
		r.Fail(xdr.ErrLong)
		return -1
	}
	return int64(n)
}

// moment is a time that a server tells; the zero time for one beyond the years
// that people write.
func moment(sec int64, nsec uint32) time.Time {
	if sec < -1<<36 || sec > 1<<36 || nsec >= 1e9 || sec == 0 && nsec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, int64(nsec)).UTC()
}

// begin puts the public file handle, or the root's for an absolute path, and
// looks all parts up in one go; where a link or something else is in the way,
// the parts are left for the caller to take one by one.
func (v *v4) begin(absolute bool, parts []string) (node, []string, error) {
	op := uint32(opPutpubfh)
	if absolute {
		op = opPutrootfh
	}
	m := new(compound).add(op)
	n, err := v.walk(m, parts)
	if op == opPutpubfh && m.at == 1 && is(err, errNotSupported, errNoEntry, errBadHandle, errStale, errServerFault) {
		// A server may have no public handle; its root is then the next best.
		op = opPutrootfh
		n, err = v.walk(new(compound).add(op), parts)
	}
	if len(parts) > 0 && is(err, errSymlink, errNotDir) {
		n, err = v.walk(new(compound).add(op), nil)
		return n, parts, err
	}
	return n, nil, err
}

// walk looks parts up from where a compound begins.
func (v *v4) walk(m *compound, parts []string) (n node, err error) {
	for _, p := range parts {
		m.add(opLookup)
		m.b = xdr.AppendOpaque(m.b, p)
	}
	if err := v.send(m.add(opGetfh).attributes(), overhead); err != nil {
		return n, err
	}
	for range len(m.ops) - 2 {
		if err := m.next(); err != nil {
			return n, err
		}
	}
	return m.node()
}

func (v *v4) lookup(in node, name string) (node, error) {
	return v.walk(new(compound).handle(in.handle), []string{name})
}

func (v *v4) readlink(n node) (string, error) {
	m := new(compound).handle(n.handle).add(opReadlink)
	if err := v.do(m, overhead); err != nil {
		return "", err
	}
	return m.r.String(maxLink), ended(m.r)
}

// do sends a compound of a handle and one operation, and begins the results of
// that.
func (v *v4) do(m *compound, limit int) error {
	if err := v.send(m, limit); err != nil {
		return err
	}
	for range m.ops {
		if err := m.next(); err != nil {
			return err
		}
	}
	return nil
}

func (v *v4) read(n node, offset uint64, count uint32) (data []byte, eof bool, err error) {
	m := new(compound).handle(n.handle).add(opRead)
	m.b = append(m.b, make([]byte, 16)...) // the anonymous stateid (section 9.1.4.3)
	m.b = xdr.Append(xdr.AppendUint64(m.b, offset), count)
	if err := v.do(m, int(count)); err != nil {
		return nil, false, err
	}
	eof = m.r.Bool()
	data = m.r.Opaque(int(count))
	return data, eof, ended(m.r)
}

func (v *v4) list(n node, from place) (entries []entry, next place, eof bool, err error) {
	m := new(compound).handle(n.handle).add(opReaddir)
	m.b = xdr.AppendUint64(m.b, from.cookie)
	m.b = append(m.b, from.verifier[:]...)
	m.b = xdr.Append(m.b, readdirSize/4, readdirSize, 2, wanted[0]|1<<attrRdattrErr, wanted[1])
	if err := v.do(m, readdirSize); err != nil {
		return nil, from, false, err
	}
	next = from
	copy(next.verifier[:], m.r.Fixed(8))
	for m.r.Bool() {
		var e entry
		next.cookie = m.r.Uint64()
		e.name = m.r.String(maxName)
		if err := ended(m.r); err != nil {
			return nil, from, false, err
		}
		if e.attributes, _, err = readAttributes(m.r); err != nil {
			return nil, from, false, err
		}
		entries = append(entries, e)
	}
	eof = m.r.Bool()
	return entries, next, eof, ended(m.r)
}

func (v *v4) String() string { return "NFS 4.0" }

func (v *v4) close(context.Context) {}
