package demo

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The 1988 profile of Z39.50, as WAIS speaks it: the types of its messages and
// the tags of their fields that this server reads or writes.
const (
	waisInit           = 20
	waisInitResponse   = 21
	waisSearch         = 22
	waisSearchResponse = 23

	waisServerName   = 9
	waisDatabases    = 18
	waisQueryType    = 20
	waisQuery        = 21
	waisDiagnostic   = 28
	waisStatus       = 27
	waisAttribute    = 44
	waisTerm         = 45
	waisUserInfo     = 99
	waisWords        = 106
	waisMost         = 114
	waisDocID        = 116
	waisVersion      = 117
	waisScore        = 118
	waisLength       = 120
	waisDate         = 122
	waisHeadline     = 123
	waisText         = 127
	waisTypeBlock    = 132
	waisType         = 133
	waisDocument     = 150
	waisDocumentText = 153
)

// A waisServer has databases, each a folder of texts. The first line of a text is
// its headline.
type waisServer struct {
	addr      string
	databases map[string][]waisFile
}

// A waisFile is a document.
type waisFile struct{ name, headline, text, typ string }

// serveWAIS serves the databases in root, and the directory of them, INFO.
func serveWAIS(ctx context.Context, l net.Listener, root fs.FS) {
	s := &waisServer{addr: l.Addr().String(), databases: map[string][]waisFile{}}
	folders, _ := fs.ReadDir(root, ".")
	for _, folder := range folders {
		files, _ := fs.ReadDir(root, folder.Name())
		for _, f := range files {
			text, err := fs.ReadFile(root, folder.Name()+"/"+f.Name())
			if err != nil {
				continue
			}
			headline, _, _ := strings.Cut(string(text), "\n")
			s.databases[folder.Name()] = append(s.databases[folder.Name()], waisFile{f.Name(), headline, string(text), "TEXT"})
		}
		source := fmt.Sprintf("(:source\n :version 3\n :ip-name \"127.0.0.1\"\n :database-name \"%s\"\n :description \"A small database on loopback: %s.\")\n", folder.Name(), folder.Name())
		s.databases["INFO"] = append(s.databases["INFO"], waisFile{folder.Name() + ".src", folder.Name() + ".src", source, "WSRC"})
	}
	accept(ctx, l, s.serve)
}

// serve answers the messages of one connection: 25 octets of header, which begin
// with the length in ten digits, and as much behind it.
func (s *waisServer) serve(conn net.Conn) {
	for {
		conn.SetDeadline(time.Now().Add(patience))
		var head [25]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return
		}
		n, err := strconv.Atoi(string(head[:10]))
		if err != nil || n < 3 || n > 1<<16 || head[10] != 'z' {
			return
		}
		message := make([]byte, n)
		if _, err := io.ReadFull(conn, message); err != nil {
			return
		}
		answer := s.answer(message)
		if answer == nil {
			return // nothing that this profile has
		}
		if _, err := conn.Write(append(fmt.Appendf(nil, "%010dz2wais        0", len(answer)), answer...)); err != nil {
			return
		}
	}
}

func (s *waisServer) answer(message []byte) []byte {
	end := 2 + int(binary.BigEndian.Uint16(message))
	if end > len(message) || end < 3 {
		return nil
	}
	header, rest := message[3:end], message[end:]
	switch message[2] {
	case waisInit:
		return waisMessage(waisInitResponse, waisField([]byte{1}, waisServerName, "anyurl demo"), nil)
	case waisSearch:
		const fixed = 10 // the sizes of sets, which only sessions that go on need
		if len(header) < fixed {
			return nil
		}
		fields := waisFields(header[fixed:])
		database, info := waisFirst(fields, waisDatabases), waisFields(rest)
		var found []byte
		count := 0
		switch waisFirst(fields, waisQueryType) {
		case "3":
			q := waisFields([]byte(waisFirst(info, waisUserInfo)))
			found, count = s.search(database, waisFirst(q, waisWords), waisInt(waisFirst(q, waisMost)))
		case "1":
			found, count = s.retrieve(database, waisFields([]byte(waisFirst(info, waisQuery))))
		default:
			found = waisSays("S1", "this server searches for words, and gives documents")
		}
		n := []byte{byte(count >> 16), byte(count >> 8), byte(count)}
		h := append(append(append([]byte{0}, n...), n...), 0, 0, 0)
		return waisMessage(waisSearchResponse, waisField(h, waisStatus, "\x00"), waisField(nil, waisUserInfo, found))
	}
	return nil
}

// search finds the documents that hold any of the words, best first: a word
// counts for each place where it stands. The best one's score is 1000.
func (s *waisServer) search(database, words string, most int) (found []byte, count int) {
	texts, ok := s.databases[database]
	if !ok {
		return waisSays("S1", "there is no database of that name"), 0
	}
	type hit struct {
		waisFile
		times int
	}
	var hits []hit
	for _, t := range texts {
		times := 0
		for word := range strings.FieldsSeq(strings.ToLower(words)) {
			times += strings.Count(strings.ToLower(t.name+"\n"+t.text), word)
		}
		if times > 0 {
			hits = append(hits, hit{t, times})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.times, a.times) })
	if most > 0 && len(hits) > most {
		hits = hits[:most]
	}
	for _, h := range hits {
		d := waisField(nil, waisDocID, s.id(database, h.name))
		d = waisField(d, waisVersion, "\x00")
		d = waisField(d, waisScore, waisNumber(h.times*1000/hits[0].times))
		d = waisField(d, waisLength, waisNumber(len(h.text)))
		d = waisField(d, waisTypeBlock, waisField(nil, waisType, h.typ))
		d = waisField(d, waisDate, "941001")
		d = waisField(d, waisHeadline, h.headline)
		found = waisField(found, waisDocument, d)
	}
	return found, len(hits)
}

// id is how the server names a document: where it is from, in which database,
// and what it is called there; and that nobody owns it.
func (s *waisServer) id(database, name string) string {
	id := waisField(nil, 1, s.addr)
	id = waisField(id, 2, database)
	id = waisField(id, 3, name)
	return string(waisField(id, 7, "\x00"))
}

// retrieve gives a part of a document. The query is a postfix list: which
// document, of which type, from where, to where.
func (s *waisServer) retrieve(database string, query []waisOne) (found []byte, count int) {
	var id, unit string
	var from, to int
	attribute := ""
	for _, f := range query {
		switch f.tag {
		case waisAttribute:
			attribute = string(f.value)
		case waisTerm:
			what, relation := attribute[:min(2, len(attribute))], ""
			if words := strings.Fields(attribute); len(words) > 1 {
				relation = words[1]
			}
			switch {
			case what == "un":
				id = string(f.value)
			case relation == "ro":
				unit = what
				from, _ = strconv.Atoi(string(f.value))
			case relation == "rl":
				to, _ = strconv.Atoi(string(f.value))
			}
		}
	}
	for _, t := range s.databases[database] {
		if s.id(database, t.name) != id {
			continue
		}
		part, whole := cut(t.text, unit, from, to)
		d := waisField(nil, waisDocID, id)
		d = waisField(d, waisVersion, "\x00")
		d = waisField(d, waisText, part)
		found = waisField(nil, waisDocumentText, d)
		if !whole {
			found = append(found, waisSays("SF", "the document ends before")...)
		}
		return found, 1
	}
	return waisSays("S4", "there is no such document"), 0
}

// cut gives a part of a text by octets ("wb") or by lines ("wl"), and whether
// all that was asked for is there.
func cut(text, unit string, from, to int) (part string, whole bool) {
	parts := len(text)
	var lines []string
	if unit == "wl" {
		lines = strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		parts = len(lines)
	}
	end := max(0, min(to, parts))
	begin := max(0, min(from, end))
	if unit == "wl" {
		return strings.Join(lines[begin:end], ""), to <= parts
	}
	return text[begin:end], to <= parts
}

// waisMessage puts the header's length before the header, and what follows
// behind.
func waisMessage(kind byte, header, rest []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(1+len(header)))
	return append(append(append(b, kind), header...), rest...)
}

// waisSays is a diagnostic record: a tag, a length in two octets, a code and a
// text, and an end.
func waisSays(code, text string) []byte {
	b := binary.BigEndian.AppendUint16([]byte{waisDiagnostic}, uint16(len(code)+len(text)+1))
	return append(append(append(b, code...), text...), 0, waisDiagnostic+1)
}

// waisField appends a tag, a length and a value; both numbers have seven bits an
// octet, and the top bit set on all but the last.
func waisField[T string | []byte](b []byte, tag int, value T) []byte {
	b = waisCompressed(waisCompressed(b, tag), len(value))
	return append(b, value...)
}

func waisCompressed(b []byte, n int) []byte {
	if n >= 1<<14 {
		b = append(b, byte(n>>14)|0x80)
	}
	if n >= 1<<7 {
		b = append(b, byte(n>>7)|0x80)
	}
	return append(b, byte(n)&0x7f)
}

// waisNumber is a value that is a number.
func waisNumber(n int) string {
	b := strings.TrimLeft(string(binary.BigEndian.AppendUint32(nil, uint32(n))), "\x00")
	return cmp.Or(b, "\x00")
}

func waisInt(value string) (n int) {
	for i := range min(len(value), 4) {
		n = n<<8 | int(value[i])
	}
	return n
}

// A waisOne is one field.
type waisOne struct {
	tag   int
	value []byte
}

// waisFields reads fields up to the first that is none.
func waisFields(b []byte) (list []waisOne) {
	number := func() (n int, ok bool) {
		for i, c := range b {
			if n = n<<7 | int(c&0x7f); n > 1<<20 {
				break
			}
			if c&0x80 == 0 {
				b = b[i+1:]
				return n, true
			}
		}
		return 0, false
	}
	for len(b) > 0 {
		tag, ok := number()
		n, also := number()
		if !ok || !also || n > len(b) {
			break
		}
		list = append(list, waisOne{tag, b[:n]})
		b = b[n:]
	}
	return list
}

func waisFirst(list []waisOne, tag int) string {
	for _, f := range list {
		if f.tag == tag {
			return string(f.value)
		}
	}
	return ""
}
