// Package ber reads and writes ASN.1 values in the Basic Encoding Rules
// (X.690), as the protocols of libraries and directories send them: with
// implicit context tags, definite and indefinite lengths, and no framing
// besides. It knows no ASN.1 module: a [Value] is a tag and what stands under
// it. Start with [Read].
//
// The standard library's encoding/asn1 reads DER, which has one encoding for
// each value, and takes a type's shape from Go's; neither fits here.
package ber

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Class is a tag's class: X.690, section 8.1.2.
type Class byte

// The classes.
const (
	Universal Class = iota
	Application
	Context
	Private
)

// Universal tags.
const (
	TagBoolean          = 1
	TagInteger          = 2
	TagBitString        = 3
	TagOctetString      = 4
	TagNull             = 5
	TagOID              = 6
	TagObjectDescriptor = 7
	TagExternal         = 8
	TagEnumerated       = 10
	TagUTF8String       = 12
	TagSequence         = 16
	TagSet              = 17
	TagGeneralizedTime  = 24
	TagVisibleString    = 26
	TagGeneralString    = 27
)

// A Value is a tag and its contents: octets when it is primitive, further
// values when it is constructed.
type Value struct {
	Class       Class
	Tag         uint32
	Constructed bool
	Octets      []byte
	Parts       []Value
}

// Limits bound what is read. A zero field means its default.
type Limits struct {
	Size   int64 // octets of a value, all in all; default 1 MiB
	Depth  int   // values within values; default 32
	Values int   // values, all in all; default 65536
}

// ErrTooLarge is a value with more octets, values or depth than the limit.
var ErrTooLarge = errors.New("the value is larger than the limit")

// A Malformed is what is no BER.
type Malformed struct {
	Offset int64 // into the value, in octets
	Why    string
}

// Error says what is wrong and where.
func (e *Malformed) Error() string {
	return e.Why + " (octet " + strconv.FormatInt(e.Offset, 10) + ")"
}

// Read reads one value. An end before its first octet is io.EOF, one within it
// io.ErrUnexpectedEOF. Nothing behind the value is taken from r.
func Read(r *bufio.Reader, l Limits) (Value, error) {
	d := newDecoder(r, l)
	v, _, err := d.value(d.size, false, 0)
	return v, err
}

// Parse reads the one value that b holds.
func Parse(b []byte, l Limits) (Value, error) {
	v, n, err := parse(b, l)
	if err == nil && n < int64(len(b)) {
		return Value{}, &Malformed{n, "something stands behind the value"}
	}
	return v, err
}

func parse(b []byte, l Limits) (Value, int64, error) {
	if l.Size == 0 {
		l.Size = math.MaxInt64 >> 1 // b ends by itself
	}
	d := newDecoder(bufio.NewReaderSize(bytes.NewReader(b), 16), l)
	v, _, err := d.value(d.size, false, 0)
	return v, d.at, unexpected(err)
}

type decoder struct {
	r      *bufio.Reader
	at     int64 // octets read
	size   int64
	depth  int
	values int
}

func newDecoder(r *bufio.Reader, l Limits) *decoder {
	d := &decoder{r: r, size: l.Size, depth: l.Depth, values: l.Values}
	if d.size <= 0 {
		d.size = 1 << 20
	}
	if d.depth <= 0 {
		d.depth = 32
	}
	if d.values <= 0 {
		d.values = 65536
	}
	return d
}

func (d *decoder) bad(format string, args ...any) error {
	return &Malformed{d.at, fmt.Sprintf(format, args...)}
}

// octet reads one octet that lies before end.
func (d *decoder) octet(end int64) (byte, error) {
	if d.at >= end {
		if end == d.size {
			return 0, ErrTooLarge
		}
		return 0, d.bad("a value is longer than what holds it")
	}
	c, err := d.r.ReadByte()
	if err != nil {
		if err == io.EOF && d.at > 0 {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	d.at++
	return c, nil
}

// value reads a value that ends at or before end. With eoc, the end-of-contents
// octets may stand in its place.
func (d *decoder) value(end int64, eoc bool, depth int) (v Value, isEnd bool, err error) {
	if depth > d.depth {
		return Value{}, false, ErrTooLarge
	}
	if d.values--; d.values < 0 {
		return Value{}, false, ErrTooLarge
	}
	// 8.1.2: the identifier octets
	c, err := d.octet(end)
	if err != nil {
		return Value{}, false, err
	}
	v.Class, v.Constructed, v.Tag = Class(c>>6), c&0x20 != 0, uint32(c&0x1f)
	if v.Tag == 0x1f {
		for v.Tag = 0; ; {
			c, err := d.octet(end)
			if err != nil {
				return Value{}, false, err
			}
			if v.Tag > math.MaxUint32>>7 {
				return Value{}, false, d.bad("a tag has more than 32 bits")
			}
			v.Tag = v.Tag<<7 | uint32(c&0x7f)
			if c&0x80 == 0 {
				break
			}
		}
	}
	// 8.1.3: the length octets
	c, err = d.octet(end)
	if err != nil {
		return Value{}, false, err
	}
	length, indefinite := int64(c), false
	switch {
	case c == 0x80:
		if !v.Constructed {
			return Value{}, false, d.bad("a primitive value has no length")
		}
		indefinite = true
	case c == 0xFF:
		return Value{}, false, d.bad("a length begins with 255")
	case c > 0x80:
		length = 0
		for range c & 0x7f {
			c, err := d.octet(end)
			if err != nil {
				return Value{}, false, err
			}
			if length > math.MaxInt64>>8 {
				return Value{}, false, ErrTooLarge
			}
			length = length<<8 | int64(c)
		}
	}
	if v.Class == Universal && v.Tag == 0 {
		if eoc && !v.Constructed && length == 0 {
			return Value{}, true, nil
		}
		return Value{}, false, d.bad("an end of contents where no contents end")
	}
	if !indefinite {
		if length > end-d.at {
			if end == d.size {
				return Value{}, false, ErrTooLarge
			}
			return Value{}, false, d.bad("a value is longer than what holds it")
		}
		end = d.at + length
	}
	if !v.Constructed {
		v.Octets, err = d.octets(length)
		return v, false, err
	}
	for indefinite || d.at < end {
		part, isEnd, err := d.value(end, indefinite, depth+1)
		if err != nil {
			return Value{}, false, unexpected(err)
		}
		if isEnd {
			break
		}
		v.Parts = append(v.Parts, part)
	}
	return v, false, nil
}

// octets reads contents. What arrives is kept, not what is announced.
func (d *decoder) octets(n int64) ([]byte, error) {
	if n <= 4096 {
		b := make([]byte, n)
		k, err := io.ReadFull(d.r, b)
		d.at += int64(k)
		return b, unexpected(err)
	}
	var b bytes.Buffer
	k, err := io.CopyN(&b, d.r, n)
	d.at += k
	return b.Bytes(), unexpected(err)
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Append writes the value with definite lengths.
func (v Value) Append(b []byte) []byte {
	first := byte(v.Class) << 6
	contents := v.Octets
	if v.Constructed {
		first |= 0x20
		contents = nil
		for _, p := range v.Parts {
			contents = p.Append(contents)
		}
	}
	if v.Tag < 0x1f {
		b = append(b, first|byte(v.Tag))
	} else {
		b = appendBase128(append(b, first|0x1f), uint64(v.Tag))
	}
	n := uint64(len(contents))
	if n < 0x80 {
		b = append(b, byte(n))
	} else {
		k := 1
		for n>>(8*k) != 0 {
			k++
		}
		b = append(b, 0x80|byte(k))
		for k--; k >= 0; k-- {
			b = append(b, byte(n>>(8*k)))
		}
	}
	return append(b, contents...)
}

// appendBase128 appends n, seven bits an octet, the top bit set on all but the last.
func appendBase128(b []byte, n uint64) []byte {
	shift := 0
	for shift+7 < 64 && n>>(shift+7) != 0 {
		shift += 7
	}
	for ; shift > 0; shift -= 7 {
		b = append(b, byte(n>>shift)|0x80)
	}
	return append(b, byte(n)&0x7f)
}

// Is reports whether the value has a tag.
func (v Value) Is(class Class, tag uint32) bool { return v.Class == class && v.Tag == tag }

// Find gives the first part with a tag.
func (v Value) Find(class Class, tag uint32) (Value, bool) {
	for _, p := range v.Parts {
		if p.Is(class, tag) {
			return p, true
		}
	}
	return Value{}, false
}

// Field gives the first part with a context tag.
func (v Value) Field(tag uint32) (Value, bool) { return v.Find(Context, tag) }

// Of makes a constructed value.
func Of(class Class, tag uint32, parts ...Value) Value {
	return Value{Class: class, Tag: tag, Constructed: true, Parts: parts}
}

// String makes a primitive value of octets.
func String(class Class, tag uint32, octets string) Value {
	return Value{Class: class, Tag: tag, Octets: []byte(octets)}
}

// Int makes an integer: X.690, section 8.3.
func Int(class Class, tag uint32, n int64) Value {
	v := Value{Class: class, Tag: tag}
	k := 1
	for n>>(8*k-1) != 0 && n>>(8*k-1) != -1 {
		k++
	}
	for k--; k >= 0; k-- {
		v.Octets = append(v.Octets, byte(n>>(8*k)))
	}
	return v
}

// Bool makes a boolean: X.690, section 8.2.
func Bool(class Class, tag uint32, b bool) Value {
	v := Value{Class: class, Tag: tag, Octets: []byte{0}}
	if b {
		v.Octets[0] = 0xFF
	}
	return v
}

// Bits makes a bit string of the numbered bits, 0 being the first: X.690,
// section 8.6.
func Bits(class Class, tag uint32, bits ...int) Value {
	v := Value{Class: class, Tag: tag, Octets: []byte{0}}
	most := -1
	for _, n := range bits {
		for len(v.Octets) < n/8+2 {
			v.Octets = append(v.Octets, 0)
		}
		v.Octets[n/8+1] |= 0x80 >> (n % 8)
		most = max(most, n)
	}
	if most >= 0 {
		v.Octets[0] = byte(7 - most%8)
	}
	return v
}

// OID makes an object identifier out of numbers with dots: X.690, section
// 8.19. It is the zero Value, which is nothing that can be sent, when s is none.
func OID(class Class, tag uint32, s string) Value {
	v := Value{Class: class, Tag: tag}
	var first uint64
	for i, arc := range strings.Split(s, ".") {
		n, err := strconv.ParseUint(arc, 10, 32)
		if err != nil || arc[0] == '+' || i == 0 && n > 2 || i == 1 && first < 2 && n > 39 {
			return Value{}
		}
		switch i {
		case 0:
			first = n
		case 1:
			v.Octets = appendBase128(v.Octets, first*40+n)
		default:
			v.Octets = appendBase128(v.Octets, n)
		}
	}
	if len(v.Octets) == 0 {
		return Value{}
	}
	return v
}

// IsZero reports whether v is the zero Value.
func (v Value) IsZero() bool {
	return v.Class == Universal && v.Tag == 0 && !v.Constructed && v.Octets == nil && v.Parts == nil
}

// Bytes gives the octets of a string, also of one that comes in segments
// (X.690, section 8.7.3).
func (v Value) Bytes() []byte {
	if !v.Constructed {
		return v.Octets
	}
	var b []byte
	for _, p := range v.Parts {
		b = append(b, p.Bytes()...)
	}
	return b
}

// Text is Bytes as a string.
func (v Value) Text() string { return string(v.Bytes()) }

// Int gives an integer; ok is false for one that is none or has more than 64
// bits.
func (v Value) Int() (n int64, ok bool) {
	if v.Constructed || len(v.Octets) == 0 || len(v.Octets) > 8 {
		return 0, false
	}
	n = int64(int8(v.Octets[0]))
	for _, c := range v.Octets[1:] {
		n = n<<8 | int64(c)
	}
	return n, true
}

// Bool gives a boolean: X.690, section 8.2.2: anything but 0 is true.
func (v Value) Bool() bool { return !v.Constructed && len(v.Octets) == 1 && v.Octets[0] != 0 }

// Bits gives the numbers of the bits that are set.
func (v Value) Bits() (set []int) {
	if v.Constructed || len(v.Octets) < 2 || v.Octets[0] > 7 {
		return nil
	}
	n := (len(v.Octets)-1)*8 - int(v.Octets[0])
	for i := range n {
		if v.Octets[1+i/8]&(0x80>>(i%8)) != 0 {
			set = append(set, i)
		}
	}
	return set
}

// OID gives an object identifier as numbers with dots; ok is false for what is
// none or has an arc of more than 63 bits.
func (v Value) OID() (s string, ok bool) {
	if v.Constructed || len(v.Octets) == 0 || len(v.Octets) > 256 {
		return "", false
	}
	var b strings.Builder
	n, first := uint64(0), true
	for i, c := range v.Octets {
		if n > math.MaxUint64>>8 {
			return "", false
		}
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 != 0 {
			if i == len(v.Octets)-1 {
				return "", false
			}
			continue
		}
		if first {
			root := min(n/40, 2)
			fmt.Fprintf(&b, "%d.%d", root, n-root*40)
			first = false
		} else {
			fmt.Fprintf(&b, ".%d", n)
		}
		n = 0
	}
	return b.String(), true
}
