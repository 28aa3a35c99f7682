package prospero

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		want [][]string
	}{
		{"LINK  L\tFILE x\n", [][]string{{"LINK", "L", "FILE", "x"}}},
		{"AFTP'/pub/a b' 20' bytes'\n", [][]string{{"AFTP/pub/a b", "20 bytes"}}},
		{"'' 'it''s' ''''", [][]string{{"", "it's", "'"}}},
		{"a 'b\nc' d\n\n\ne", [][]string{{"a", "b\nc", "d"}, {"e"}}},
		{"it'''s'", [][]string{{"it's"}}},
		{"'\x00\xff'", [][]string{{"\x00\xff"}}},
		{"", nil},
	} {
		if got, err := tokens([]byte(tt.text), -1); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %q, %v", tt.text, got, err)
		}
	}
	for _, bad := range []string{"'", "a '", "'a''"} {
		if got, err := tokens([]byte(bad), -1); err == nil {
			t.Errorf("%q is read as %q", bad, got)
		}
	}
	if _, err := tokens([]byte(strings.Repeat("a\n", 12)), 10); err != errTooMany {
		t.Errorf("lines over the limit: %v", err)
	}
	if _, err := tokens([]byte(strings.Repeat("a ", 1000)), 10); err != errTooMany {
		t.Errorf("tokens over the limit: %v", err)
	}
}

// A name that is written reads as itself, in one token of one line, or is
// refused.
func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "it's", "''", "a\tb", "a\nb", "\x00", "'", "\xff", "#ALL"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := quoted(s)
		if (err != nil) != strings.ContainsAny(s, "\r\n\x00") {
			t.Fatalf("%q: %v", s, err)
		}
		if err != nil {
			return
		}
		if got, err := tokens([]byte("X "+q+" Y\n"), -1); err != nil || !reflect.DeepEqual(got, [][]string{{"X", s, "Y"}}) {
			t.Errorf("%q is written %q and read %q, %v", s, q, got, err)
		}
	})
}

// No reply makes the reader fall, and what it gives comes from the text.
func FuzzReply(f *testing.F) {
	for _, s := range []string{
		"LINK  L FILE quote.txt INTERNET-D LOCALHOST(15250) ASCII '/a b' 0\nATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 20' bytes'\n",
		"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA it'''s a ''quoted'' text\n'\n",
		"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE GOPHER INTERNET-D h(70) ASCII 1/x 1\n", "ATTRIBUTE O I ACCESS-METHOD SEQUENCE AFS '' '' '' /afs/../x\n",
		"FORWARDED INTERNET-D h ASCII x 1\n", "FAILURE NOT-FOUND\n", "NONE-FOUND\n", "VERSION-NOT-SUPPORTED TRY 1-5", "UNRESOLVED a b\n", "LINK L NULL x NULL NULL NULL NULL NULL\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseReply(text, 1000)
		if err != nil {
			return
		}
		for _, l := range r.Links {
			if e := entry(l); e.Name != l.Name || e.Size < -1 {
				t.Errorf("%+v", e)
			}
			r.Attributes = append(r.Attributes, l.Attributes...)
		}
		for _, m := range Methods(r.Attributes) {
			if u, ok := m.URL(Object{Host: "h.example", Name: "x"}); ok && u.IsZero() {
				t.Errorf("%+v has the zero URL", m)
			}
		}
	})
}

// What a client writes it reads, and no datagram makes the reader fall.
func FuzzPacket(f *testing.F) {
	f.Add([]byte("\x09\x10\x01\x00\x01\x00\x01\x00\x00VERSION\n"))
	f.Add([]byte("\x01LINK"))
	f.Add([]byte("\x0c\x10\x18\x00\x01\x00\x01\x00\x01\x00\x00\x80FAILURE"))
	f.Add([]byte("\x0b\x10\x18\x00\x00\x00\x00\x00\x00\x00\xb4"))
	f.Add([]byte("\x13\x10\x18\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\xc0\x00\x02\x02\x05\xf6"))
	f.Add([]byte("\x19\x10\x18\x00\x00\x00\x00\x00\x00\x00\x00\x07\x05\x01\x02\x09\x09\x01\x01\x02\x02\xc0\x00\x02\x02\x05\xf6"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parsePacket(b)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(b, p.data) || len(p.data) != len(b)-int(b[0]&63) {
			t.Errorf("%q has the data %q", b, p.data)
		}
		q, err := parsePacket(p.append(nil))
		if err != nil || q.id != p.id || q.number != p.number || q.total != p.total || q.received != p.received || !bytes.Equal(q.data, p.data) {
			t.Errorf("%+v is read back as %+v, %v", p, q, err)
		}
	})
}

// The fields' defaults, where a header ends early.
func TestHeader(t *testing.T) {
	for _, tt := range []struct {
		header               string
		id, number, total, w uint16
	}{
		{"\x01", 0, 1, 1, 0},
		{"\x03\x10\x01", 0x1001, 1, 1, 0},
		{"\x05\x10\x01\x00\x02", 0x1001, 2, 0, 0},
		{"\x07\x10\x01\x00\x02\x00\x00", 0x1001, 2, 0, 0},
		{"\x0b\x10\x01\x00\x00\x00\x00\x00\x00\x00\xb4", 0x1001, 0, 0, 180},
	} {
		p, err := parsePacket([]byte(tt.header + "data"))
		if err != nil || p.id != tt.id || p.number != tt.number || p.total != tt.total || p.wait != tt.w || string(p.data) != "data" {
			t.Errorf("%x: %+v, %v", tt.header, p, err)
		}
	}
	for _, bad := range []string{"", "\x00", "\x41", "\x02\x01", "\x0ashort", "\x06\x10\x01\x00\x02\x00", "\x0d\x10\x01\x00\x01\x00\x01\x00\x00\x00\x00\x02\x00"} {
		if p, err := parsePacket([]byte(bad)); err == nil {
			t.Errorf("%x is read as %+v", bad, p)
		}
	}
	// A message of no octets is one packet; one of many is cut.
	for n, want := range map[int]int{0: 1, 1250: 1, 1251: 2, 2501: 3} {
		list, err := split(7, make([]byte, n))
		if err != nil || len(list) != want {
			t.Errorf("%d octets are %d packets, %v", n, len(list), err)
		}
		for i, p := range list {
			if b := p.append(nil); binary.BigEndian.Uint16(b[3:]) != uint16(i+1) || len(b) > maxData+9 {
				t.Errorf("packet %d of %d octets: %x", i+1, n, b[:9])
			}
		}
	}
}
