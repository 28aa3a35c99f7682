package prospero_test

import (
	"encoding/binary"
	"fmt"
	"net"
	"strings"
)

// A fake is a Prospero server with a tree in memory. It is written from the
// protocol's description, and keeps to what a server of release Alpha.5.3 does:
// sixteen packets, the last of which asks to be acknowledged, and no more until
// it is; the reply once more to a request once more.
type fake struct {
	// objects are replies to questions: "name #ALL" and "name CONTENTS", and
	// "name LIST". What is not there does not exist.
	objects map[string]string
	// copies says how often the n-th datagram (from 1) that the server sends
	// arrives; nil is once.
	copies func(n int) int
	// deaf says whether the n-th datagram that the client sends is lost.
	deaf func(n int) bool
	// backwards sends each window's packets last first.
	backwards bool
	// first are sent before the first answer, with the conversation's identifier
	// in their octets 1 and 2.
	first [][]byte
	// shuffled gives the identifier as some servers do in a repeated answer.
	shuffled bool

	heard []string // what was asked
	came  int      // datagrams
	sent  int
}

// talk is the server's side of one conversation.
type talk struct {
	parts   map[uint16]string
	total   uint16
	asked   bool
	replies [][]byte // the data of each packet
	acked   int
	times   int
}

const windowSize = 16

func (f *fake) serve(conn net.Conn) {
	talks := map[uint16]*talk{}
	b := make([]byte, 1<<16)
	for {
		n, err := conn.Read(b)
		if err != nil {
			return
		}
		f.came++
		if f.deaf != nil && f.deaf(f.came) {
			continue
		}
		header, data := b[:b[0]&63], string(b[b[0]&63:n])
		id, number, total, received := binary.BigEndian.Uint16(header[1:]), binary.BigEndian.Uint16(header[3:]), binary.BigEndian.Uint16(header[5:]), binary.BigEndian.Uint16(header[7:])
		t := talks[id]
		if t == nil {
			t = &talk{parts: map[uint16]string{}}
			talks[id] = t
		}
		t.acked = max(t.acked, int(received))
		if number > 0 {
			t.parts[number], t.total = data, total
			if len(t.parts) < int(total) {
				continue
			}
			if !t.asked {
				t.asked = true
				var request strings.Builder
				for i := uint16(1); i <= total; i++ {
					request.WriteString(t.parts[i])
				}
				f.heard = append(f.heard, request.String())
				t.replies = packets(f.answer(request.String()))
				for _, p := range f.first {
					p = append([]byte(nil), p...)
					binary.BigEndian.PutUint16(p[1:], id)
					f.send(conn, p)
				}
				f.first = nil
			}
			t.times++
		} else if t.acked >= len(t.replies) {
			continue
		}
		f.window(conn, id, t)
	}
}

// packets cuts a reply.
func packets(text string) (list [][]byte) {
	for len(text) > 1250 {
		list = append(list, []byte(text[:1250]))
		text = text[1250:]
	}
	return append(list, []byte(text))
}

func (f *fake) window(conn net.Conn, id uint16, t *talk) {
	if t.times > 1 && f.shuffled {
		id = id<<8 | id>>8
	}
	var out [][]byte
	for i := t.acked; i < len(t.replies) && i < t.acked+windowSize; i++ {
		h := binary.BigEndian.AppendUint16([]byte{3}, id)
		if last := i == len(t.replies)-1; len(t.replies) > 1 {
			h = binary.BigEndian.AppendUint16(h, uint16(i+1))
			if last {
				h = binary.BigEndian.AppendUint16(h, uint16(i+1))
			} else {
				h = append(h, 0, 0)
			}
			if !last && i == t.acked+windowSize-1 {
				h = append(h, 0, 1, 0, 0, 0x80)
			}
			h[0] = byte(len(h))
		}
		out = append(out, append(h, t.replies[i]...))
	}
	for i := range out {
		if f.backwards {
			i = len(out) - 1 - i
		}
		f.send(conn, out[i])
	}
}

func (f *fake) send(conn net.Conn, p []byte) {
	f.sent++
	n := 1
	if f.copies != nil {
		n = f.copies(f.sent)
	}
	for range n {
		conn.Write(p)
	}
}

// answer answers a request of the client's form.
func (f *fake) answer(request string) string {
	command, ok := strings.CutPrefix(request, "VERSION 5 url\n")
	if !ok || !strings.HasSuffix(command, "\n") {
		return "VERSION-NOT-SUPPORTED TRY 1-5"
	}
	if rest, ok := strings.CutPrefix(command, "GET-OBJECT-INFO "); ok {
		what, rest, _ := strings.Cut(rest, " ASCII ")
		name := strings.TrimSuffix(rest, "\n")
		name = name[:strings.LastIndexByte(name, ' ')]
		if reply, ok := f.objects[name+" "+what]; ok {
			return reply
		}
		if what == "#ALL" {
			return "FAILURE NOT-FOUND\n"
		}
		return "NONE-FOUND\n"
	}
	if rest, ok := strings.CutPrefix(command, "DIRECTORY ASCII "); ok {
		name, _, _ := strings.Cut(rest, "\n")
		if reply, ok := f.objects[name+" LIST"]; ok {
			return reply
		}
		return "FAILURE NOT-A-DIRECTORY\n"
	}
	return fmt.Sprintf("ERROR Unknown message: %s", command)
}

// attribute writes an intrinsic attribute of an object.
func attribute(name, value string) string {
	return "ATTRIBUTE OBJECT INTRINSIC " + name + " SEQUENCE " + value + "\n"
}

// document makes the replies for an object that the server has itself.
func document(name, text string) map[string]string {
	return map[string]string{
		name + " #ALL": attribute("SIZE", fmt.Sprintf("%d' bytes'", len(text))) + attribute("LAST-MODIFIED", "19940517120000Z") +
			attribute("ACCESS-METHOD", "PROSPERO-CONTENTS '' '' '' ''") + attribute("ACCESS-METHOD", "LOCAL '' '' '' ''"),
		name + " CONTENTS": attribute("CONTENTS", "DATA '"+strings.ReplaceAll(text, "'", "''")+"'"),
	}
}
