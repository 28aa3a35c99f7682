package ber_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"anyurl/internal/ber"
)

func ExampleRead() {
	// [22] { [31] "1", [30] 1, … } with an indefinite length, then another value.
	r := bufio.NewReader(strings.NewReader("\xb6\x80\x9f\x1f\x011\x9e\x01\x01\x00\x00\x05\x00"))
	v, err := ber.Read(r, ber.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := v.Field(31)
	start, _ := v.Field(30)
	n, _ := start.Int()
	fmt.Printf("[%d] %s %d\n", v.Tag, name.Text(), n)
	fmt.Printf("%x\n", v.Append(nil))
	// Output:
	// [22] 1 1
	// b6079f1f01319e0101
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The encodings of X.690 and of the notes of real Z39.50 traffic.
func TestEncodings(t *testing.T) {
	for _, tt := range []struct {
		v    ber.Value
		want string
	}{
		{ber.Int(ber.Universal, ber.TagInteger, 0), "02 01 00"}, // X.690, 8.3
		{ber.Int(ber.Universal, ber.TagInteger, 127), "02 01 7f"},
		{ber.Int(ber.Universal, ber.TagInteger, 128), "02 02 00 80"},
		{ber.Int(ber.Universal, ber.TagInteger, -128), "02 01 80"},
		{ber.Int(ber.Universal, ber.TagInteger, -129), "02 02 ff 7f"},
		{ber.Int(ber.Universal, ber.TagInteger, -1<<63), "02 08 80 00 00 00 00 00 00 00"},
		{ber.Int(ber.Universal, ber.TagInteger, 1<<63-1), "02 08 7f ff ff ff ff ff ff ff"},
		{ber.Bool(ber.Universal, ber.TagBoolean, true), "01 01 ff"}, // 8.2, and 11.1 for the value
		{ber.Bits(ber.Context, 3, 0, 1, 2), "83 02 05 e0"},          // 8.6
		{ber.Bits(ber.Context, 4, 0, 1, 14), "84 03 01 c0 02"},
		{ber.Bits(ber.Context, 4), "84 01 00"}, // 8.6.2.3
		{ber.OID(ber.Universal, ber.TagOID, "1.2.840.10003.3.1"), "06 07 2a 86 48 ce 13 03 01"},
		{ber.OID(ber.Context, 104, "1.2.840.10003.5.101"), "9f 68 07 2a 86 48 ce 13 05 65"},
		{ber.OID(ber.Universal, ber.TagOID, "2.999.3"), "06 03 88 37 03"}, // 8.19.5, example
		{ber.String(ber.Context, 105, "garden"), "9f 69 06 67 61 72 64 65 6e"},
		{ber.Of(ber.Universal, ber.TagSequence, ber.Int(ber.Context, 120, 1)), "30 04 9f 78 01 01"},
		{ber.String(ber.Universal, ber.TagOctetString, strings.Repeat("x", 200)), "04 81 c8" + strings.Repeat("78", 200)},
		{ber.String(ber.Universal, ber.TagOctetString, strings.Repeat("x", 300)), "04 82 01 2c" + strings.Repeat("78", 300)},
		{ber.Value{Class: ber.Application, Tag: 1 << 20, Octets: []byte{}}, "5f c0 80 00 00"},
	} {
		want := unhex(t, tt.want)
		if got := tt.v.Append(nil); !bytes.Equal(got, want) {
			t.Errorf("%+v is written %x, want %x", tt.v, got, want)
		}
		got, err := ber.Parse(want, ber.Limits{})
		if err != nil || !reflect.DeepEqual(got, tt.v) {
			t.Errorf("%x is read %+v, %v", want, got, err)
		}
	}
}

func TestAccessors(t *testing.T) {
	read := func(s string) ber.Value {
		v, err := ber.Parse(unhex(t, s), ber.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := read("24 80 04 03 61 62 63 24 03 04 01 64 00 00").Text(); got != "abcd" { // 8.7.3
		t.Errorf("segments give %q", got)
	}
	if s, ok := read("06 03 88 37 03").OID(); !ok || s != "2.999.3" {
		t.Errorf("%q %v", s, ok)
	}
	if got := read("84 03 00 e9 a2").Bits(); !reflect.DeepEqual(got, []int{0, 1, 2, 4, 7, 8, 10, 14}) {
		t.Errorf("%v", got)
	}
	if n, ok := read("02 01 80").Int(); !ok || n != -128 {
		t.Errorf("%d %v", n, ok)
	}
	if !read("8c 01 01").Bool() || read("8c 01 00").Bool() {
		t.Error("a boolean is misread")
	}
	for _, none := range []string{"02 00", "22 03 02 01 01", "02 09 01 00 00 00 00 00 00 00 00"} {
		if n, ok := read(none).Int(); ok {
			t.Errorf("%s is the integer %d", none, n)
		}
	}
	for _, none := range []string{"06 00", "06 01 80", "26 03 06 01 01", "06 0b ff ff ff ff ff ff ff ff ff ff 7f"} {
		if s, ok := read(none).OID(); ok {
			t.Errorf("%s is the identifier %s", none, s)
		}
	}
	for _, none := range []string{"", "1", "x.1", "3.1", "1.40", "1..2", "1.+2", "1.2.99999999999"} {
		if v := ber.OID(ber.Universal, ber.TagOID, none); !v.IsZero() && none != "1" {
			t.Errorf("%q is the identifier %x", none, v.Octets)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		name, hex string
		want      error // nil: a *ber.Malformed
	}{
		{"nothing", "", io.ErrUnexpectedEOF},
		{"a tag alone", "30", io.ErrUnexpectedEOF},
		{"half a tag", "bf 81", io.ErrUnexpectedEOF},
		{"contents cut off", "30 05 02 01", io.ErrUnexpectedEOF},
		{"a part longer than the whole", "30 03 04 05 61 00 00", nil},
		{"a part that begins at the end", "30 01 04 00", nil},
		{"a primitive value without a length", "04 80 00 00", nil},
		{"a length of 255", "04 ff", nil},
		{"an end of nothing", "00 00", nil},
		{"an end in a definite value", "30 02 00 00", nil},
		{"no end", "30 80 05 00", io.ErrUnexpectedEOF},
		{"a tag of 33 bits", "1f 90 80 80 80 00 00", nil},
		{"something behind", "05 00 05", nil},
		{"a length of 16 octets", "04 90 ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff", ber.ErrTooLarge},
		{"depth", strings.Repeat("30 80", 40), ber.ErrTooLarge},
	} {
		_, err := ber.Parse(unhex(t, tt.hex), ber.Limits{})
		var m *ber.Malformed
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || tt.want == nil && !errors.As(err, &m) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	many := ber.Of(ber.Universal, ber.TagSequence)
	for range 1000 {
		many.Parts = append(many.Parts, ber.Value{Tag: ber.TagNull})
	}
	b := many.Append(nil)
	for _, tt := range []struct {
		l    ber.Limits
		fine bool
	}{
		{ber.Limits{}, true},
		{ber.Limits{Values: 1001}, true},
		{ber.Limits{Values: 1000}, false},
		{ber.Limits{Size: int64(len(b))}, true},
		{ber.Limits{Size: int64(len(b)) - 1}, false},
		{ber.Limits{Depth: 1}, true},
	} {
		_, err := ber.Read(bufio.NewReader(bytes.NewReader(b)), tt.l)
		if (err == nil) != tt.fine || err != nil && !errors.Is(err, ber.ErrTooLarge) {
			t.Errorf("%+v: %v", tt.l, err)
		}
	}
	if _, err := ber.Read(bufio.NewReader(strings.NewReader("")), ber.Limits{}); err != io.EOF {
		t.Errorf("nothing: %v", err)
	}
	// What is announced costs nothing.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ber.Read(bufio.NewReader(strings.NewReader("\x04\x84\x3f\xff\xff\xffsome")), ber.Limits{Size: 1 << 40}); err != io.ErrUnexpectedEOF {
		t.Errorf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d octets were allocated for four", n)
	}
}

// FuzzParse holds that what is read is written, and read again, the same, and
// that a value takes no more octets than were there.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "\x30\x80\x05\x00\x00\x00", "\x02\x01\x7f", "\xbf\x66\x02\x05\x00", "\x30\x84\x00\x00\x00\x02\x05\x00", "\x06\x03\x88\x37\x03"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ber.Parse(b, ber.Limits{})
		if err != nil {
			return
		}
		again := v.Append(nil)
		w, err := ber.Parse(again, ber.Limits{})
		if err != nil || !reflect.DeepEqual(v, w) {
			t.Fatalf("%x is written %x and read %+v, %v", b, again, w, err)
		}
		v.Bytes()
		v.Bits()
		if n, ok := v.Int(); ok {
			if m, _ := ber.Int(v.Class, v.Tag, n).Int(); m != n {
				t.Errorf("%d comes back as %d", n, m)
			}
		}
		if s, ok := v.OID(); ok {
			if o := ber.OID(v.Class, v.Tag, s); !o.IsZero() {
				if back, _ := o.OID(); back != s {
					t.Errorf("%s comes back as %s", s, back)
				}
			}
		}
	})
}
