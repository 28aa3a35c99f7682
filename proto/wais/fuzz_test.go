package wais

import (
	"bytes"
	"io"
	"runtime"
	"testing"
)

// FuzzReply holds that whatever a server sends is read without a panic, that
// nothing comes out of it that was not in it, and that a document's identifier
// is kept octet for octet.
func FuzzReply(f *testing.F) {
	header := appendField(nil, tagDocumentID, "\x01\x01x")
	header = appendField(header, tagTypeBlock, appendField(nil, tagType, "TEXT"))
	header = appendField(header, tagDocumentLength, number(74))
	text := appendField(appendField(nil, tagDocumentID, "\x01\x01x"), tagText, "hello")
	for _, info := range [][]byte{
		nil,
		appendField(nil, tagDocumentHeader, header),
		appendField(nil, tagDocumentText, text),
		append(appendField(nil, tagDocumentText, text), "\x1c\x00\x05S4no\x00\x1d"...),
		[]byte("\x1c\x00\x01S"),
		[]byte("\x81\x16\xff\xff\xff\xff\xff\x7f"),
	} {
		b := []byte("\x00\x0e\x17\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x1b\x01\x00")
		f.Add(message(append(b, appendField(nil, tagUserInformation, info)...)))
	}
	f.Add([]byte("0000000000z2wais        0"))
	f.Add([]byte("9999999999z2wais        0"))
	f.Add([]byte("\xb7\x3a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 20
		_, apdu, err := readMessage(bytes.NewReader(b), limit)
		if err != nil {
			parseInit(b)
			apdu = b
		}
		if len(apdu) > max(len(b), 0) {
			t.Errorf("%d octets out of %d", len(apdu), len(b))
		}
		reply, err := parseReply(apdu, reference, 1000)
		if err != nil {
			return
		}
		if len(reply.Text) > len(apdu) {
			t.Errorf("%d octets of text out of %d", len(reply.Text), len(apdu))
		}
		for _, d := range reply.Documents {
			if !bytes.Contains(apdu, []byte(d.ID)) {
				t.Errorf("an identifier %q that the server did not send", d.ID)
			}
		}
	})
}

// FuzzField holds that what is written as a tagged field is read as it was.
func FuzzField(f *testing.F) {
	f.Add(uint64(99), []byte("x"), []byte(""))
	f.Add(uint64(150), bytes.Repeat([]byte("x"), 128), []byte("rest"))
	f.Add(uint64(0), []byte{}, []byte{0x80})
	f.Fuzz(func(t *testing.T, tag uint64, value, behind []byte) {
		tag %= 1 << 32
		got, v, rest, err := cutField(append(appendField(nil, tag, value), behind...))
		if err != nil || got != tag || !bytes.Equal(v, value) || !bytes.Equal(rest, behind) {
			t.Errorf("%d %q is read as %d %q %q, %v", tag, value, got, v, rest, err)
		}
	})
}

// Compressed integers as the protocol's document and real servers write them.
func TestCompressedInteger(t *testing.T) {
	for _, tt := range []struct {
		n    uint64
		want string
	}{
		{0, "\x00"}, {127, "\x7f"}, {128, "\x81\x00"}, {243, "\x81\x73"}, {4256, "\xa1\x20"},
	} {
		if got := appendInt(nil, tt.n); string(got) != tt.want {
			t.Errorf("%d is written %x", tt.n, got)
		}
		if n, rest, err := cutInt([]byte(tt.want + "x")); err != nil || n != tt.n || string(rest) != "x" {
			t.Errorf("%x is read %d, %q, %v", tt.want, n, rest, err)
		}
	}
	for _, bad := range []string{"", "\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if _, _, err := cutInt([]byte(bad)); err == nil {
			t.Errorf("%x is read", bad)
		}
	}
}

// Of what is announced, only what arrives is kept.
func TestAnnouncedLength(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := readMessage(bytes.NewReader([]byte("0999999999z2wais        0some")), 0); err != io.ErrUnexpectedEOF {
		t.Errorf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d octets were allocated for four", n)
	}
}
