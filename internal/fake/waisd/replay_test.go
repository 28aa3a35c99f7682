package waisd

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// An exchange is one connection that was recorded.
type exchange struct {
	name  string
	turns [][2][]byte
}

func captures(t *testing.T) (out []exchange) {
	text, err := os.ReadFile("../../../../shared/protocols/captures/wais.txt")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recorded exchanges here")
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "##" {
			out = append(out, exchange{name: rest})
			continue
		}
		b, err := hex.DecodeString(rest)
		switch kind {
		case "C":
			e := &out[len(out)-1]
			e.turns = append(e.turns, [2][]byte{b, nil})
		case "S":
			e := &out[len(out)-1]
			e.turns[len(e.turns)-1][1] = b
		default:
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestCaptures holds this server against the freeWAIS that was recorded: to the
// retrievals that it answered this one gives the same replies, to the octet, and
// of the other requests it understands all and complains of none. What the
// documents hold is taken from the recorded replies; how it is cut and wrapped
// is not.
func TestCaptures(t *testing.T) {
	recorded := captures(t)
	texts := map[string][]byte{} // by path
	for _, e := range recorded {
		if !strings.HasPrefix(e.name, "retrieve") || strings.Contains(e.name, "lines") || strings.Contains(e.name, "past") {
			continue
		}
		for _, turn := range e.turns {
			if r, err := readRequest(turn[0][headLength:]); err == nil && turn[1] != nil && r.from <= len(texts[path(r)]) {
				texts[path(r)] = append(texts[path(r)][:r.from], text(t, turn[1])...)
			}
		}
	}
	var docs []Document
	for p, b := range texts {
		if p != "/etc/passwd" {
			docs = append(docs, Document{Path: p, Forms: []Form{{Type: "TEXT", Data: b}}})
		}
	}
	s := &Server{Databases: map[string][]Document{"garden": docs}}
	same := 0
	for _, e := range recorded {
		for i, turn := range e.turns {
			if _, err := readHead(turn[0][:headLength]); err != nil {
				t.Errorf("%s: %v", e.name, err)
			}
			r, err := readRequest(turn[0][headLength:])
			if err != nil && !strings.Contains(e.name, "without a data type") {
				t.Errorf("%s: %v", e.name, err)
			}
			if err != nil || !r.retrieval && r.database != "nosuchdb" {
				continue
			}
			if got := s.answer(r); !bytes.Equal(got, turn[1]) {
				t.Errorf("%s, turn %d:\n got %.400q\nwant %.400q", e.name, i, got, turn[1])
			}
			same++
		}
	}
	if same < 10 {
		t.Errorf("only %d replies were compared", same)
	}
}

// path is the path in the identifier of a retrieval's document.
func path(r request) string {
	fs, _ := fields(r.docID)
	local, _ := first(fs, 3)
	parts := strings.SplitN(string(local), " ", 3)
	return parts[len(parts)-1]
}

// text is the text in a recorded reply.
func text(t *testing.T, reply []byte) []byte {
	b := reply[headLength:]
	outer, err := fields(b[2+int(b[0])<<8+int(b[1]):])
	if err != nil {
		t.Fatal(err)
	}
	info, _ := first(outer, tagUserInfo)
	if bytes.HasPrefix(info, []byte{tagDiagnostic}) {
		return nil
	}
	groups, err := fields(info)
	if err != nil {
		t.Fatal(err)
	}
	record, _ := first(groups, tagDocumentText)
	fs, err := fields(record)
	if err != nil {
		t.Fatal(err)
	}
	b, _ = first(fs, tagText)
	return b
}
