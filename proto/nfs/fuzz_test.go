package nfs

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"testing"

	"anyurl/internal/xdr"
)

// echo is a connection whose other end answers every call with the same
// results.
type echo struct {
	net.Conn
	results []byte
	out     bytes.Buffer
}

func (e *echo) Write(b []byte) (int, error) {
	reply := append(append(bytes.Clone(b[4:8]), 0, 0, 0, 1), e.results...)
	e.out.Write(xdr.Append(nil, 1<<31|uint32(len(reply))))
	e.out.Write(reply)
	return len(b), nil
}

func (e *echo) Read(p []byte) (int, error) { return e.out.Read(p) }

// accepted is what stands between a reply's head and the procedure's results.
const accepted = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// No answer makes the client fall, and what it gives was sent.
func FuzzAnswer(f *testing.F) {
	attributes := string(xdr.Append(nil, 2, 0x12, 1<<21, 24, 1, 0, 5, 0, 946684800, 0))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 5, 23, 0, 15, 0, 15, 0, 10, 0, 1, 7<<24, 9, 0)) + attributes))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 2, 22, 0, 25, 0, 1, 2)) + "hi\x00\x00"))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 2, 22, 0, 27, 0, 3)) + "../\x00"))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 2, 22, 0, 26, 0, 0, 0, 1, 0, 1, 1)) + "a\x00\x00\x00" + attributes + "\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 1, 7<<24, 0, 0))))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 2, 1, 2)) + "hi\x00\x00"))
	f.Add([]byte(accepted + string(xdr.Append(nil, 0, 0, 0, 0, 1, 0, 7, 1)) + "a\x00\x00\x00" + string(xdr.Append(nil, 0, 1, 0, 0, 0, 1))))
	f.Add([]byte(accepted + string(xdr.Append(nil, 1, 4)) + "/pub" + string(xdr.Append(nil, 0, 0))))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x03"))
	f.Add([]byte("\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05"))
	f.Fuzz(func(t *testing.T, results []byte) {
		if len(results) > 1<<16 {
			return
		}
		c := func() *caller { return newCaller(&echo{results: results}, Nobody, Nobody) }
		n := node{handle: []byte("x")}
		for _, w := range []way{&v4{c: c()}, &webNFS{v3{c: c()}}, &mounted{v3: v3{c: c()}, mount: c(), exports: nil}} {
			if n, rest, err := w.begin(false, []string{"a", "b"}); err == nil && (len(n.handle) > 128 || len(rest) > 2) {
				t.Errorf("%v begins at %x with %q", w, n.handle, rest)
			}
			w.lookup(n, "a")
			if s, err := w.readlink(n); err == nil && !bytes.Contains(results, []byte(s)) {
				t.Errorf("%v: a link to %q", w, s)
			}
			if data, _, err := w.read(n, 0, 100); err == nil && (len(data) > 100 || !bytes.Contains(results, data)) {
				t.Errorf("%v: read %q", w, data)
			}
			if entries, _, _, err := w.list(n, place{}); err == nil {
				for _, e := range entries {
					if !bytes.Contains(results, []byte(e.name)) {
						t.Errorf("%v: an entry %q", w, e.name)
					}
				}
			}
		}
		(&mounted{mount: c()}).ask(100)
		port(c(), programMount, 3)
	})
}

// Records come whole whatever their fragments are, and no larger than allowed.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x02ab\x80\x00\x00\x01c"))
	f.Add([]byte("\xff\xff\xff\xffx"))
	f.Add(bytes.Repeat([]byte{0, 0, 0, 0}, 200))
	f.Fuzz(func(t *testing.T, b []byte) {
		record, err := readRecord(bytes.NewReader(b), 64)
		if err != nil {
			return
		}
		if len(record) > 64 {
			t.Errorf("%d octets came", len(record))
		}
		// Cut into fragments of three octets it is the same record.
		var again bytes.Buffer
		rest := record
		for len(rest) > 3 {
			again.Write(binary.BigEndian.AppendUint32(nil, 3))
			again.Write(rest[:3])
			rest = rest[3:]
		}
		again.Write(binary.BigEndian.AppendUint32(nil, 1<<31|uint32(len(rest))))
		again.Write(rest)
		if got, err := readRecord(&again, 64); err != nil || !bytes.Equal(got, record) {
			t.Errorf("%q is read back as %q, %v", record, got, err)
		}
		if _, err := again.ReadByte(); err != io.EOF {
			t.Error("octets are left over")
		}
	})
}
