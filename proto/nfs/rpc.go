package nfs

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"anyurl/internal/xdr"
)

// The programs that are called (RFC 5531, appendix C; RFC 1833).
const (
	programPortmap = 100000
	programNFS     = 100003
	programMount   = 100005
)

// overhead is what a reply may hold besides the data that were asked for.
const overhead = 64 << 10

// A caller makes ONC remote procedure calls over one TCP connection (RFC 5531),
// one after the other.
type caller struct {
	conn net.Conn
	xid  uint32
	// log, if not nil, is told in a few words what is called and how it went.
	log func(sent bool, what string)
	// uid and gid are who asks, by AUTH_SYS.
	uid, gid uint32
}

func newCaller(conn net.Conn, uid, gid uint32) *caller {
	var b [4]byte
	rand.Read(b[:])
	return &caller{conn: conn, xid: binary.BigEndian.Uint32(b[:]), uid: uid, gid: gid}
}

// A fault is a call that did not come to be answered by its procedure.
type fault struct {
	denied bool   // the call was refused before anybody looked at the procedure
	code   uint32 // accept_stat, or reject_stat and for that auth_stat
	auth   bool
	low    uint32 // versions that are there, of the mismatches
	high   uint32
}

// The accept_stat values (RFC 5531, section 9).
const (
	progUnavailable = 1
	progMismatch    = 2
	procUnavailable = 3
)

// Error says what the server answered.
func (f *fault) Error() string {
	switch {
	case f.auth:
		return "the server refuses the call: " + named(authNames, f.code, "auth_stat")
	case f.denied:
		return fmt.Sprintf("the server speaks ONC RPC %d to %d", f.low, f.high)
	case f.code == progMismatch:
		return fmt.Sprintf("the server has versions %d to %d", f.low, f.high)
	}
	return "the server answers " + named(acceptNames, f.code, "accept_stat")
}

var acceptNames = map[uint32]string{
	1: "PROG_UNAVAIL", 2: "PROG_MISMATCH", 3: "PROC_UNAVAIL", 4: "GARBAGE_ARGS", 5: "SYSTEM_ERR",
}

var authNames = map[uint32]string{
	1: "AUTH_BADCRED", 2: "AUTH_REJECTEDCRED", 3: "AUTH_BADVERF", 4: "AUTH_REJECTEDVERF", 5: "AUTH_TOOWEAK", 6: "AUTH_INVALIDRESP", 7: "AUTH_FAILED",
	13: "RPCSEC_GSS_CREDPROBLEM", 14: "RPCSEC_GSS_CTXPROBLEM",
}

func named(names map[uint32]string, code uint32, kind string) string {
	if n, ok := names[code]; ok {
		return n
	}
	return fmt.Sprintf("%s %d", kind, code)
}

// malformed is what came when it is not ONC RPC, or not NFS.
type malformed struct{ says string }

func (m *malformed) Error() string { return m.says }

// call calls a procedure with arguments and gives its results. limit is how many
// octets those may have, beside what calls bring along.
func (c *caller) call(program, version, procedure uint32, arguments []byte, limit int) (*xdr.Reader, error) {
	c.xid++
	if c.log != nil {
		c.log(true, describe(program, version, procedure))
	}
	b := xdr.Append(make([]byte, 4, 256+len(arguments)), c.xid, 0, 2, program, version, procedure)
	b = xdr.Append(b, 1, 20, 0, 0, c.uid, c.gid, 0) // AUTH_SYS: no time, no machine, no more groups
	b = xdr.Append(b, 0, 0)                         // AUTH_NONE
	b = append(b, arguments...)
	binary.BigEndian.PutUint32(b, 1<<31|uint32(len(b)-4)) // one fragment, the last (section 11)
	if _, err := c.conn.Write(b); err != nil {
		return nil, err
	}
	record, err := readRecord(c.conn, limit+overhead)
	if err != nil {
		return nil, err
	}
	r, err := results(record, c.xid)
	if c.log != nil && err != nil {
		c.log(false, err.Error())
	}
	return r, err
}

// readRecord reads a record of at most limit octets: fragments, each with its
// length before it.
func readRecord(r io.Reader, limit int) ([]byte, error) {
	var record []byte
	for empty := 0; ; {
		var mark [4]byte
		if _, err := io.ReadFull(r, mark[:]); err != nil {
			if len(record) > 0 && err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		n := binary.BigEndian.Uint32(mark[:])
		last, size := n>>31 == 1, int64(n&^(1<<31))
		if int64(len(record))+size > int64(limit) {
			return nil, &malformed{fmt.Sprintf("the server sends %d octets where at most %d can be meant", size, limit)}
		}
		if size == 0 && !last {
			if empty++; empty > 100 {
				return nil, &malformed{"the server sends fragments of nothing"}
			}
		}
		// Memory is taken for what comes, not for what is announced.
		at := len(record)
		for at+int(size) > len(record) {
			step := min(at+int(size)-len(record), 256<<10)
			record = append(record, make([]byte, step)...)
			if _, err := io.ReadFull(r, record[len(record)-step:]); err != nil {
				if err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				return nil, err
			}
		}
		if last {
			return record, nil
		}
	}
}

// results reads a reply up to the procedure's own results (section 9).
func results(record []byte, xid uint32) (*xdr.Reader, error) {
	r := xdr.NewReader(record)
	if got := r.Uint32(); got != xid || r.Uint32() != 1 {
		return nil, &malformed{"what comes is no answer to the call"}
	}
	switch r.Uint32() {
	case 0: // MSG_ACCEPTED
		r.Uint32()
		r.Opaque(400)
		code := r.Uint32()
		if r.Err() != nil {
			break
		}
		if code == 0 {
			return r, nil
		}
		f := &fault{code: code}
		if code == progMismatch {
			f.low, f.high = r.Uint32(), r.Uint32()
		}
		return nil, f
	case 1: // MSG_DENIED
		f := &fault{denied: true}
		switch r.Uint32() {
		case 0: // RPC_MISMATCH
			f.low, f.high = r.Uint32(), r.Uint32()
		case 1: // AUTH_ERROR
			f.auth, f.code = true, r.Uint32()
		default:
			return nil, &malformed{"the server refuses the call in a way that does not exist"}
		}
		if r.Err() == nil {
			return nil, f
		}
	default:
		return nil, &malformed{"what comes is no answer to the call"}
	}
	return nil, &malformed{"the answer ends too early"}
}

// ended is what a reader's error means: that what came is broken.
func ended(r *xdr.Reader) error {
	if err := r.Err(); err != nil {
		var m *malformed
		if errors.As(err, &m) {
			return m
		}
		return &malformed{"the server's answer is broken: " + err.Error()}
	}
	return nil
}

// describe says what a call is for, for a person.
func describe(program, version, procedure uint32) string {
	names := map[uint32]map[uint32]string{
		programPortmap: {3: "GETPORT"},
		programMount:   {0: "NULL", 1: "MNT", 3: "UMNT", 5: "EXPORT"},
		programNFS:     {1: "GETATTR", 3: "LOOKUP", 5: "READLINK", 6: "READ", 16: "READDIR", 17: "READDIRPLUS"},
	}
	kinds := map[uint32]string{programPortmap: "portmapper", programMount: "MOUNT", programNFS: "NFS"}
	name := names[program][procedure]
	if program == programNFS && version == 4 {
		name = "COMPOUND"
	}
	return fmt.Sprintf("%s %d: %s", kinds[program], version, name)
}
