package xdr_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"anyurl/internal/xdr"
)

func ExampleReader() {
	b := xdr.AppendOpaque(xdr.Append(nil, 3), "motd")
	r := xdr.NewReader(b)
	fmt.Println(r.Uint32(), r.String(255), r.Err())
	r.Uint32()
	fmt.Println(r.Err())
	// Output:
	// 3 motd <nil>
	// the data end before the value does
}

// The figures are RFC 4506's own where it has some.
func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		got  []byte
		want string
	}{
		{xdr.Append(nil, 1, 0xFFFFFFFF), "\x00\x00\x00\x01\xff\xff\xff\xff"},
		{xdr.AppendUint64(nil, 1<<32+2), "\x00\x00\x00\x01\x00\x00\x00\x02"},
		{xdr.AppendOpaque(nil, ""), "\x00\x00\x00\x00"},
		{xdr.AppendOpaque(nil, "sillyprog"), "\x00\x00\x00\x09sillyprog\x00\x00\x00"}, // section 7
		{xdr.AppendOpaque(nil, "john"), "\x00\x00\x00\x04john"},
		{xdr.AppendFixed(nil, []byte{1, 2, 3, 4, 5}), "\x01\x02\x03\x04\x05\x00\x00\x00"},
	} {
		if string(tt.got) != tt.want {
			t.Errorf("written %x, want %x", tt.got, tt.want)
		}
	}
}

func TestBounds(t *testing.T) {
	long := xdr.NewReader(xdr.AppendOpaque(nil, "five5"))
	if long.String(4); !errors.Is(long.Err(), xdr.ErrLong) {
		t.Errorf("over the limit: %v", long.Err())
	}
	// Padding belongs to the value.
	if r := xdr.NewReader([]byte("\x00\x00\x00\x01a")); r.String(9) != "" || !errors.Is(r.Err(), xdr.ErrShort) {
		t.Error("without its padding")
	}
	if r := xdr.NewReader([]byte("\xff\xff\xff\xff")); r.Opaque(1<<40) != nil || !errors.Is(r.Err(), xdr.ErrShort) {
		t.Error("announced and not there")
	}
	if r := xdr.NewReader([]byte("\x40\x00\x00\x00\x00\x00\x00\x00")); r.Count(8) != 0 || r.Err() == nil {
		t.Error("more values than the data can hold")
	}
	if r := xdr.NewReader([]byte("\x00\x00\x00\x02")); r.Bool() || r.Err() == nil {
		t.Error("2 is no boolean")
	}
	// The first error stays.
	r := xdr.NewReader(xdr.Append(nil, 7))
	r.Uint64()
	if r.Uint32() != 0 || r.Bool() || r.Fixed(0) != nil || !errors.Is(r.Err(), xdr.ErrShort) || len(r.Rest()) != 0 {
		t.Error("read on after an error")
	}
}

// What is written is read again, and what is announced takes no memory.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x05hello\x00\x00\x00"), 5)
	f.Add([]byte("\xff\xff\xff\xff"), -1)
	f.Add([]byte("\x00\x00\x00\x00"), -3) // nothing is never too much
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		r := xdr.NewReader(b)
		v := bytes.Clone(r.Opaque(limit))
		if r.Err() != nil {
			return
		}
		if len(v) > max(limit, 0) {
			t.Errorf("%d octets over the limit %d", len(v), limit)
		}
		again := xdr.NewReader(append(xdr.AppendOpaque(nil, v), r.Rest()...))
		if got := again.Opaque(limit); !bytes.Equal(got, v) || !bytes.Equal(again.Rest(), r.Rest()) {
			t.Errorf("%q is read back as %q", v, got)
		}
	})
}
