package wais_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
)

// A fake is a WAIS server written from the protocol's description, with the
// client's code nowhere in it. It keeps what was asked.
type fake struct {
	databases map[string]map[string]file // by database and headline
	// quirks
	wantsInit  bool // hangs up on a search before Init
	refuses    bool // answers Init with 0
	most       int  // octets of text in one answer; 0 for what was asked
	noSlices   bool // sends the whole whatever is asked
	ignoreEnd  bool // ends a document with no text in place of a diagnostic
	acks       int  // acknowledgements before each answer
	twist      func(answer []byte) []byte
	hangUpAt   int // closes in place of the answer to this request, from 1
	mu         sync.Mutex
	asked      []string
	answersOut int
}

type file struct {
	types string // with commas
	text  string
	date  string
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
}

func (f *fake) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.asked...)
}

// serve answers one connection.
func (f *fake) serve(conn net.Conn) {
	ready := !f.wantsInit
	for {
		head := make([]byte, 25)
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		n, err := strconv.Atoi(string(head[:10]))
		if err != nil || string(head[10:]) != "z2wais        0" {
			return
		}
		apdu := make([]byte, n)
		if _, err := io.ReadFull(conn, apdu); err != nil {
			return
		}
		f.mu.Lock()
		f.answersOut++
		nth := f.answersOut
		f.mu.Unlock()
		if nth == f.hangUpAt {
			return
		}
		var answer []byte
		headerEnd := 2 + int(binary.BigEndian.Uint16(apdu))
		switch apdu[2] {
		case 20:
			f.note("init")
			ready = true
			result := byte(1)
			if f.refuses {
				result = 0
			}
			h := append([]byte{21, result}, tlv(9, "a fake")...)
			answer = append(binary.BigEndian.AppendUint16(nil, uint16(len(h))), h...)
		case 22:
			if !ready {
				return
			}
			answer = f.search(take(apdu[2+11:headerEnd]), take(apdu[headerEnd:]))
		}
		if answer == nil {
			return
		}
		out := ""
		for range f.acks {
			out += "0000000000a2wais        0"
		}
		msg := append(fmt.Appendf(nil, "%010dz2wais        0", len(answer)), answer...)
		if f.twist != nil {
			msg = f.twist(msg)
		}
		if _, err := conn.Write(append([]byte(out), msg...)); err != nil {
			return
		}
	}
}

// a one is a tagged field.
type one struct {
	tag   int
	value string
}

// take reads tagged fields.
func take(b []byte) (list []one) {
	num := func() (n int) {
		for len(b) > 0 {
			c := b[0]
			b = b[1:]
			n = n<<7 | int(c&127)
			if c < 128 {
				break
			}
		}
		return n
	}
	for len(b) > 0 {
		tag := num()
		n := num()
		list = append(list, one{tag, string(b[:n])})
		b = b[n:]
	}
	return list
}

func get1(list []one, tag int) string {
	for _, o := range list {
		if o.tag == tag {
			return o.value
		}
	}
	return ""
}

// tlv writes a tagged field.
func tlv(tag int, value string) []byte {
	num := func(n int) (b []byte) {
		b = []byte{byte(n & 127)}
		for n >>= 7; n > 0; n >>= 7 {
			b = append([]byte{byte(n&127 | 128)}, b...)
		}
		return b
	}
	return append(append(num(tag), num(len(value))...), value...)
}

func (f *fake) search(header, rest []one) []byte {
	database := get1(header, 18)
	files, known := f.databases[database]
	var info []byte
	diagnostic := func(code, text string) {
		info = append(info, 0x1c)
		info = binary.BigEndian.AppendUint16(info, uint16(len(code+text)+1))
		info = append(info, code+text+"\x00\x1d"...)
	}
	tags := []byte{27, 1, 0}
	switch get1(header, 20) {
	case "3":
		q := take([]byte(get1(rest, 99)))
		words := get1(q, 106)
		f.note("search %s for %s", database, words)
		if !known {
			diagnostic("S1", "The following database is not available: /srv/"+database)
			break
		}
		for name, file := range files {
			if !strings.Contains(name+file.text, words) {
				continue
			}
			var types []byte
			for typ := range strings.SplitSeq(file.types, ",") {
				types = append(types, tlv(133, typ)...)
			}
			doc := tlv(116, docid(name))
			doc = append(doc, tlv(118, "\x03\xe8")...)
			doc = append(doc, tlv(120, string([]byte{byte(len(file.text) >> 8), byte(len(file.text))}))...)
			doc = append(doc, tlv(132, string(types))...)
			doc = append(doc, tlv(122, file.date)...)
			doc = append(doc, tlv(200, "something new")...)
			doc = append(doc, tlv(123, name)...)
			info = append(info, tlv(150, string(doc))...)
			info = append(info, tlv(199, "a group that nobody knows")...)
		}
	case "1":
		var terms []string
		var uses []string
		for _, o := range take([]byte(get1(rest, 21))) {
			switch o.tag {
			case 44:
				uses = append(uses, o.value)
			case 45:
				terms = append(terms, o.value)
			}
		}
		if len(terms) != 4 || uses[0] != "un re ig ig ig ig" || uses[1] != "wt re ig ig ig ig" || uses[2] != "wb ro ig ig ig ig" || uses[3] != "wb rl ig ig ig ig" {
			return nil
		}
		from, _ := strconv.Atoi(terms[2])
		to, _ := strconv.Atoi(terms[3])
		f.note("retrieve %s %d %d", terms[1], from, to)
		found := false
		for name, file := range files {
			if docid(name) != terms[0] {
				continue
			}
			found = true
			text := file.text
			if f.noSlices {
				from, to = 0, len(text)
			}
			if f.most > 0 {
				to = min(to, from+f.most)
			}
			if from < len(text) || f.ignoreEnd {
				body := tlv(116, docid(name))
				body = append(body, tlv(117, "\x00")...)
				body = append(body, tlv(127, text[min(from, len(text)):min(to, len(text))])...)
				info = append(info, tlv(153, string(body))...)
			}
			if to > len(text) && !f.ignoreEnd {
				diagnostic("SF", "Request out of range")
			}
		}
		if !found {
			diagnostic("S4", "Request out of range")
		}
		tags = append(tags, 2, 1, '3')
	default:
		return nil
	}
	h := append([]byte{23, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, tags...)
	answer := binary.BigEndian.AppendUint16(nil, uint16(len(h)))
	answer = append(answer, h...)
	return append(answer, tlv(99, string(info))...)
}

// docid is a document's identifier at the fake.
func docid(name string) string {
	return string(tlv(1, "a.example:210")) + string(tlv(2, "/srv/db")) + string(tlv(3, "0 9 /srv/"+name)) + string(tlv(7, "\x00"))
}

// garden is a database as a fake has it.
func garden() map[string]map[string]file {
	return map[string]map[string]file{
		"garden": {
			"tulip.txt   /srv/": {"TEXT", "About tulips\n", "940612"},
			"pic.gif":           {"GIF", "GIF89a\x00\xff;", "0"},
			"both":              {"TEXT,HTML", "<p>roses</p>\n", "19940612"},
			"long.txt":          {"TEXT", long, "0"},
			"exact.txt":         {"TEXT", long[:2*4096], "0"},
			"link":              {"URL", "", "0"},
		},
		"INFO": {"garden.src   /srv/wais/": {"WSRC", "(:source :version 3 :database-name \"garden\")\n", "0"}},
	}
}

var long = func() string {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "line %d of the long one\n", i)
	}
	return b.String()
}()
