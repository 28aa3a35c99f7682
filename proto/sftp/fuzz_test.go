package sftp_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"anyurl/fetch"
	"anyurl/proto/sftp"
)

// packet is one of draft-ietf-secsh-filexfer-02, section 3: length, type, and
// what follows.
func packet(typ byte, parts ...any) string {
	b := []byte{typ}
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(p))
		case string:
			b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(b)))) + string(b)
}

// The packets' types.
const (
	version = 2
	status  = 101
	handle  = 102
	data    = 103
	name    = 104
	attrs   = 105
)

// FuzzReplies has a host that is logged in to say anything. What comes of it is
// an error that names a step, or an object no larger than what was said.
func FuzzReplies(f *testing.F) {
	hello := packet(version, 3)
	size, mode := []byte{0, 0, 0, 0, 0, 0, 0, 5}, []byte{0, 0, 0x81, 0xA4}
	file := packet(attrs, 1, 1|4, size, mode)
	folder := packet(attrs, 1, 4, []byte{0, 0, 0x41, 0xED})
	for _, seed := range []string{
		"",
		hello,
		hello + file + packet(handle, 2, "h") + packet(data, 3, "hello") + packet(status, 4, 1, "end", ""),
		hello + file + packet(handle, 2, "h") + packet(data, 3, "more than was asked for, and than there is"),
		hello + file + packet(handle, 2, "h") + packet(data, 9, "to nobody's question"),
		hello + file + packet(status, 2, 3, "no\r\n\x1b[31mred", ""),
		hello + packet(status, 1, 2, "no such file", "en"),
		hello + packet(status, 1, 0, "", ""),
		hello + folder + packet(handle, 2, "d") + packet(name, 3, 2, "../x", "-rw", 0, "a\nb", "-rw", 1|4, size, mode) + packet(status, 4, 1, "", ""),
		hello + folder + packet(handle, 2, "d") + packet(name, 3, 1<<30, "a"),
		hello + folder + packet(handle, 2, "d") + packet(name, 3, 0),
		packet(version, 3, "newline@vandyke.com", "\r\n", "", "x"),
		packet(version),
		packet(version, 1<<31),
		"\x7f\xff\xff\xff\x02",
		"\x00\x00\x00\x00",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	h := newHost(f)
	f.Fuzz(func(t *testing.T, said []byte, dir bool) {
		peer := *h
		if peer.said = said; said == nil {
			peer.said = []byte{}
		}
		url := "sftp://joe:secret@192.0.2.1/docs/a.txt"
		if dir {
			url = "sftp://joe:secret@192.0.2.1/docs/"
		}
		got, body, err := open(t, &peer, sftp.New(nil), request(url))
		var e *fetch.Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Step == ""):
			t.Errorf("an error without a step: %v", err)
		case err != nil && strings.ContainsAny(err.Error(), "\x1b\r\n"):
			t.Errorf("what the host said is not quoted: %q", err)
		case err == nil && !got.Listing && len(body) > len(said):
			t.Errorf("%d octets of %d", len(body), len(said))
		}
	})
}
