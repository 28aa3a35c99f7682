// Package xdr reads and writes the External Data Representation (RFC 4506): units
// of four octets, big-endian, in which ONC RPC and NFS speak. Start with
// [Reader], which never gives more than it was given, and [Append] and its kin.
package xdr

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrShort is data that end before the value does.
var ErrShort = errors.New("the data end before the value does")

// ErrLong is a value that is longer than the reader was told to expect.
var ErrLong = errors.New("the value is longer than allowed")

// A Reader takes values off the front of data. The first error stays: what is
// read after it is zero, so that a whole structure can be read and Err asked
// once at its end.
type Reader struct {
	data []byte
	err  error
}

// NewReader reads from data, which it does not copy.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Err is the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Rest is what has not been read.
func (r *Reader) Rest() []byte { return r.data }

// Fail makes err the reader's error, if it has none yet.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err, r.data = err, nil
	}
}

// take takes n octets and what pads them to four.
func (r *Reader) take(n int) []byte {
	padded := n + (4-n&3)&3
	if r.err != nil || n < 0 || padded > len(r.data) {
		r.Fail(ErrShort)
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[padded:]
	return b
}

// Uint32 reads an unsigned integer, or an enumeration (section 4.2, 4.3).
func (r *Reader) Uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// Uint64 reads an unsigned hyper integer (section 4.5).
func (r *Reader) Uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// Bool reads a boolean (section 4.4); what is neither 0 nor 1 is an error.
func (r *Reader) Bool() bool {
	n := r.Uint32()
	if n > 1 {
		r.Fail(fmt.Errorf("%d is no boolean", n))
	}
	return n == 1
}

// Fixed reads opaque data of a known length (section 4.9). They share the
// reader's memory.
func (r *Reader) Fixed(n int) []byte { return r.take(n) }

// Opaque reads opaque data of at most limit octets, none where that is
// negative, length first (section 4.10). They share the reader's memory.
func (r *Reader) Opaque(limit int) []byte {
	n := r.Uint32()
	if r.err == nil && uint64(n) > uint64(max(limit, 0)) {
		r.Fail(ErrLong)
	}
	return r.take(int(n))
}

// String reads a string of at most limit octets (section 4.11).
func (r *Reader) String(limit int) string { return string(r.Opaque(limit)) }

// Count reads the length of an array of values that are at least size octets
// each (section 4.13). One that the data cannot hold is an error at once.
func (r *Reader) Count(size int) int {
	n := r.Uint32()
	if r.err == nil && uint64(n)*uint64(max(size, 1)) > uint64(len(r.data)) {
		r.Fail(ErrShort)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// Append writes unsigned integers.
func Append(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// AppendUint64 writes an unsigned hyper integer.
func AppendUint64(b []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(b, v) }

// AppendFixed writes opaque data whose length both sides know.
func AppendFixed[T string | []byte](b []byte, v T) []byte {
	b = append(b, v...)
	return append(b, make([]byte, (4-len(v)&3)&3)...)
}

// AppendOpaque writes opaque data or a string, length first.
func AppendOpaque[T string | []byte](b []byte, v T) []byte {
	return AppendFixed(Append(b, uint32(len(v))), v)
}
