package dirsrv

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// captures gives the recorded exchanges by the beginning of their names: for
// each turn what the client sent and what came of it.
func captures(t *testing.T) map[string][][2][][]byte {
	text, err := os.ReadFile("../../../../shared/protocols/captures/prospero.txt")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recorded exchanges here")
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][][2][][]byte{}
	name, sent := "", false
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "##":
			name, sent = rest, false
		case "C", "S":
			b, err := hex.DecodeString(rest)
			if err != nil {
				t.Fatal(err)
			}
			if kind == "C" && !sent {
				out[name] = append(out[name], [2][][]byte{})
			}
			sent = kind == "C"
			turn := &out[name][len(out[name])-1]
			if sent {
				turn[0] = append(turn[0], b)
			} else {
				turn[1] = append(turn[1], b)
			}
		}
	}
	return out
}

// TestCaptures holds this server against the one that was recorded: to the same
// datagrams it answers with the same, to the octet. What its objects hold is
// taken from the recorded replies, how it is quoted and cut is not.
func TestCaptures(t *testing.T) {
	recorded := captures(t)
	for _, name := range []string{
		"contents, one packet", "contents with quotes doubled", "contents, 256 octets 00..FF", "contents of an empty file",
		"contents, several packets, total only in the last",
		"contents, more than 16 packets: the 16th asks for an acknowledgement, the client sends a control packet",
		"no such directory", "no such object", "unknown command", "unsupported version",
		"the same datagram sent twice (a retry): the reply is sent again",
	} {
		turns := recorded[name]
		if len(turns) == 0 {
			t.Errorf("%s: not recorded", name)
			continue
		}
		s := &Server{Objects: map[string]Object{}, Swaps: true, Eager: true}
		if n, o, ok := object(turns); ok {
			s.Objects[n] = o
		}
		var got [][]byte
		p := s.peer(func(d []byte) { got = append(got, d) })
		for i, turn := range turns {
			got = nil
			for _, d := range turn[0] {
				p.hear(d)
			}
			if len(got) != len(turn[1]) {
				t.Errorf("%s, turn %d: %d datagrams, want %d", name, i, len(got), len(turn[1]))
				continue
			}
			for k, want := range turn[1] {
				if !bytes.Equal(got[k], want) {
					t.Errorf("%s, turn %d, datagram %d:\n got %.60x %.80q\nwant %.60x %.80q", name, i, k, got[k], got[k], want, want)
				}
			}
		}
	}
}

// object is the object that an exchange is about, if its contents came.
func object(turns [][2][][]byte) (name string, o Object, ok bool) {
	var text []byte
	for _, turn := range turns {
		for _, d := range turn[1] {
			p, _ := read(d)
			text = append(text, p.Data...)
		}
		if ls, err := lines(string(text)); err == nil && len(ls) > 0 && len(ls[0]) == 7 && ls[0][3] == "CONTENTS" {
			p, _ := read(turns[0][0][0])
			ask, _ := lines(string(p.Data))
			return ask[1][3], Object{HasContents: true, Contents: []byte(ls[0][6])}, true
		}
	}
	return "", Object{}, false
}
