package nfs_test

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sort"
	"strings"

	"anyurl/internal/xdr"
)

// A fake is an NFS server with a tree in memory: files by their paths, a folder
// for everything that has something below it. Handles are paths.
type fake struct {
	files map[string]string // "/pub/hello.txt"; a value that begins with "->" is a symbolic link
	v4    bool
	v3    bool
	// public are the paths of the public handles of versions 4 and 3; "" is none.
	public4, public3 string
	// exports are what MOUNT gives; nil is no MOUNT at all.
	exports []string
	// noList leaves EXPORT out, noPlus READDIRPLUS.
	noList, noPlus bool
	// mountAt is what the portmapper says; 0 is no portmapper.
	mountAt uint32
	// answer, if not nil, may take a call for itself: results with the
	// accept_stat before them, or nil.
	answer func(program, version, procedure uint32, args []byte) []byte
	// busy is how many operations are answered with DELAY first.
	busy int
	// short is how many octets a READ gives at most; 0 is all.
	short int
	// page is how many entries a READDIR gives; 0 is all.
	page int

	calls []string
}

func (f *fake) serve(conn net.Conn) {
	for {
		var mark [4]byte
		if _, err := io.ReadFull(conn, mark[:]); err != nil {
			return
		}
		call := make([]byte, binary.BigEndian.Uint32(mark[:])&^(1<<31))
		if _, err := io.ReadFull(conn, call); err != nil {
			return
		}
		r := xdr.NewReader(call)
		xid, kind, version := r.Uint32(), r.Uint32(), r.Uint32()
		program, programVersion, procedure := r.Uint32(), r.Uint32(), r.Uint32()
		r.Uint32()
		r.Opaque(400)
		r.Uint32()
		r.Opaque(400)
		if r.Err() != nil || kind != 0 || version != 2 {
			return
		}
		reply := xdr.Append(nil, xid, 1, 0, 0, 0)
		result := []byte(nil)
		if f.answer != nil {
			result = f.answer(program, programVersion, procedure, r.Rest())
		}
		if result == nil {
			result = f.result(program, programVersion, procedure, r)
		}
		reply = append(reply, result...)
		// Two fragments: a record is what they are together.
		half := len(reply) / 2
		out := xdr.Append(nil, uint32(half))
		out = append(out, reply[:half]...)
		out = xdr.Append(out, 1<<31|uint32(len(reply)-half))
		conn.Write(append(out, reply[half:]...))
	}
}

func (f *fake) result(program, version, procedure uint32, r *xdr.Reader) []byte {
	switch program {
	case 100000:
		if f.mountAt != 0 && version == 2 && procedure == 3 {
			return xdr.Append(nil, 0, f.mountAt)
		}
	case 100003:
		if low, high := uint32(3), uint32(4); f.v3 || f.v4 {
			if !f.v3 {
				low = 4
			}
			if !f.v4 {
				high = 3
			}
			if version < low || version > high {
				return xdr.Append(nil, 2, low, high)
			}
			if version == 4 {
				return append(xdr.Append(nil, 0), f.compound(r)...)
			}
			return f.three(procedure, r)
		}
	case 100005:
		if f.exports != nil && version == 3 {
			return f.mount(procedure, r)
		}
	}
	return xdr.Append(nil, 1)
}

// kind is what stands at a path, 0 for nothing.
func (f *fake) kind(path string) uint32 {
	if text, ok := f.files[path]; ok {
		if strings.HasPrefix(text, "->") {
			return 5
		}
		return 1
	}
	if len(f.children(path)) > 0 {
		return 2
	}
	return 0
}

func (f *fake) children(path string) (names []string) {
	prefix := strings.TrimSuffix(path, "/") + "/"
	for p := range f.files {
		if rest, ok := strings.CutPrefix(p, prefix); ok {
			name, _, _ := strings.Cut(rest, "/")
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	sort.Sort(sort.Reverse(sort.StringSlice(names))) // in no order a client could count on
	return names
}

func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }

// look is LOOKUP of one name.
func (f *fake) look(dir, name string) (string, uint32) {
	switch {
	case f.kind(dir) == 5:
		return "", 10029
	case f.kind(dir) != 2:
		return "", 20
	case strings.Contains(name, "/"):
		return "", 10040
	}
	if p := join(dir, name); f.kind(p) != 0 {
		return p, 0
	}
	return "", 2
}

func (f *fake) attributes4(path string, words []uint32) []byte {
	v := []byte{}
	bits := []uint32{0, 0}
	if words[0]&(1<<1) != 0 {
		bits[0] |= 1 << 1
		v = xdr.Append(v, f.kind(path))
	}
	if words[0]&(1<<4) != 0 {
		bits[0] |= 1 << 4
		v = xdr.AppendUint64(v, uint64(len(f.files[path])))
	}
	if len(words) > 1 && words[1]&(1<<21) != 0 {
		bits[1] |= 1 << 21
		v = xdr.Append(xdr.AppendUint64(v, 946684800), 0)
	}
	return xdr.AppendOpaque(xdr.Append(nil, 2, bits[0], bits[1]), v)
}

func bitmap(r *xdr.Reader) (words []uint32) {
	for range r.Count(4) {
		words = append(words, r.Uint32())
	}
	return words
}

func (f *fake) compound(r *xdr.Reader) []byte {
	r.Opaque(100)
	minor := r.Uint32()
	var results []byte
	n, status, handle := uint32(0), uint32(0), ""
	for range r.Uint32() {
		op := r.Uint32()
		var result []byte
		status = 0
		switch op {
		case 22:
			handle = r.String(128)
		case 23:
			if handle = f.public4; handle == "" {
				status = 10004
			}
		case 24:
			handle = "/"
		case 15:
			name := r.String(255)
			if f.busy > 0 {
				f.busy--
				status = 10008
			} else {
				handle, status = f.look(handle, name)
			}
			f.calls = append(f.calls, "LOOKUP "+name)
		case 10:
			result = xdr.AppendOpaque(nil, handle)
		case 9:
			result = f.attributes4(handle, bitmap(r))
		case 27:
			result = xdr.AppendOpaque(nil, f.files[handle][2:])
		case 25:
			r.Fixed(16)
			text, eof, st := f.read(handle, r.Uint64(), r.Uint32())
			if status = st; st == 0 {
				result = xdr.AppendOpaque(xdr.Append(nil, eof), text)
			}
		case 26:
			cookie := r.Uint64()
			r.Fixed(8)
			r.Uint64()
			words := bitmap(r)
			result = f.list(handle, cookie, func(i uint64, name string) []byte {
				b := xdr.AppendOpaque(xdr.AppendUint64(nil, i), name)
				return append(b, f.attributes4(join(handle, name), words)...)
			})
		default:
			status = 10044
		}
		if minor != 0 {
			status = 10021
		}
		n++
		results = append(xdr.Append(results, op, status), result...)
		if status != 0 {
			break
		}
	}
	return append(xdr.Append(nil, status, 0, n), results...)
}

func (f *fake) read(path string, offset uint64, count uint32) (text string, eof, status uint32) {
	if f.kind(path) != 1 {
		return "", 0, 21
	}
	all := f.files[path]
	if strings.HasPrefix(all, "secret") {
		return "", 0, 13
	}
	if offset >= uint64(len(all)) {
		return "", 1, 0
	}
	n := min(uint64(count), uint64(len(all))-offset)
	if f.short > 0 {
		n = min(n, uint64(f.short))
	}
	if offset+n == uint64(len(all)) {
		eof = 1
	}
	return all[offset : offset+n], eof, 0
}

// list is a folder's page, with each entry as one writes it.
func (f *fake) list(dir string, cookie uint64, one func(i uint64, name string) []byte) []byte {
	b := make([]byte, 8)
	names := append([]string{".", ".."}, f.children(dir)...)
	end := len(names)
	if f.page > 0 {
		end = min(end, int(cookie)+f.page)
	}
	for i := int(cookie); i < end; i++ {
		b = append(xdr.Append(b, 1), one(uint64(i+1), names[i])...)
	}
	eof := uint32(0)
	if end == len(names) {
		eof = 1
	}
	return xdr.Append(b, 0, eof)
}

func (f *fake) attributes3(path string) []byte {
	b := xdr.Append(nil, f.kind(path), 0o644, 1, 0, 0)
	b = xdr.AppendUint64(b, uint64(len(f.files[path])))
	b = append(b, make([]byte, 8+8+8+8+8)...)
	return xdr.Append(b, 946684800, 0, 0, 0)
}

func (f *fake) three(procedure uint32, r *xdr.Reader) []byte {
	handle := r.String(64)
	fail := func(status uint32) []byte { return xdr.Append(nil, 0, status, 0) }
	if handle == "" && f.public3 == "" {
		return fail(10001)
	}
	f.calls = append(f.calls, map[uint32]string{1: "GETATTR", 3: "LOOKUP", 5: "READLINK", 6: "READ", 16: "READDIR", 17: "READDIRPLUS"}[procedure])
	switch procedure {
	case 1:
		return append(xdr.Append(nil, 0, 0), f.attributes3(handle)...)
	case 3:
		name := r.String(1024)
		path, status := "", uint32(0)
		if handle == "" { // a whole path
			if path = join(f.public3, name); name == "." {
				path = f.public3
			} else if name[0] == '/' {
				path = "/" + strings.Trim(name, "/")
			}
			if f.kind(path) == 0 {
				status = 2
			}
		} else {
			path, status = f.look(handle, name)
		}
		if status != 0 {
			return fail(status)
		}
		b := xdr.AppendOpaque(xdr.Append(nil, 0, 0), path)
		if f.noPlus { // a server may leave attributes out
			return xdr.Append(b, 0, 0)
		}
		return xdr.Append(append(xdr.Append(b, 1), f.attributes3(path)...), 0)
	case 5:
		return xdr.AppendOpaque(xdr.Append(nil, 0, 0, 0), f.files[handle][2:])
	case 6:
		text, eof, status := f.read(handle, r.Uint64(), r.Uint32())
		if status != 0 {
			return fail(status)
		}
		return xdr.AppendOpaque(xdr.Append(nil, 0, 0, 0, uint32(len(text)), eof), text)
	case 16, 17:
		if procedure == 17 && f.noPlus {
			return fail(10004)
		}
		cookie := r.Uint64()
		return append(xdr.Append(nil, 0, 0, 0), f.list(handle, cookie, func(i uint64, name string) []byte {
			b := xdr.AppendUint64(xdr.AppendOpaque(xdr.AppendUint64(nil, 7), name), i)
			if procedure == 17 {
				b = append(xdr.Append(b, 1), f.attributes3(join(handle, name))...)
				b = xdr.AppendOpaque(xdr.Append(b, 1), join(handle, name))
			}
			return b
		})...)
	}
	return xdr.Append(nil, 3)
}

func (f *fake) mount(procedure uint32, r *xdr.Reader) []byte {
	switch procedure {
	case 0:
		return xdr.Append(nil, 0)
	case 1:
		path := r.String(1024)
		f.calls = append(f.calls, "MNT "+path)
		if !slices.Contains(f.exports, path) {
			return xdr.Append(nil, 0, 13)
		}
		return xdr.Append(xdr.AppendOpaque(xdr.Append(nil, 0, 0), path), 1, 1)
	case 3:
		f.calls = append(f.calls, "UMNT "+r.String(1024))
		return xdr.Append(nil, 0)
	case 5:
		if f.noList {
			break
		}
		b := xdr.Append(nil, 0)
		for _, e := range f.exports {
			b = xdr.AppendOpaque(xdr.Append(b, 1), e)
			b = xdr.Append(xdr.AppendOpaque(xdr.Append(b, 1), "everybody"), 0)
		}
		return xdr.Append(b, 0)
	}
	return xdr.Append(nil, 3)
}
