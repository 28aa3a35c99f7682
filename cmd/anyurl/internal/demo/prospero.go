package demo

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"net"
	"path"
	"strings"
)

// The most that one datagram of ARDP carries, and how many of them may be on
// their way unacknowledged; nothing here needs more.
const (
	prosperoData   = 1250
	prosperoWindow = 16
)

// serveProspero serves root by the Prospero protocol, version 5, over ARDP: a
// question in a datagram, and the answer in one or several. It remembers
// nothing: a question that comes again is answered again.
func serveProspero(ctx context.Context, conn net.PacketConn, root fs.FS) {
	datagrams(ctx, conn, func(question []byte, from net.Addr) {
		length := int(question[0]) // the version, 0, in the upper two bits
		if length > 63 || length < 3 || length > len(question) {
			return
		}
		id := question[1:3]
		if length >= 7 { // number and total of the packets
			if n, total := binary.BigEndian.Uint16(question[3:]), binary.BigEndian.Uint16(question[5:]); n != 1 || total > 1 {
				return // an acknowledgement, or more than is ever asked here
			}
		}
		for _, p := range prosperoPackets(id, prosperoAnswer(root, string(question[length:]), conn.LocalAddr())) {
			conn.WriteTo(p, from)
		}
	})
}

// prosperoPackets cuts an answer into datagrams: the header's length, the
// conversation, and, of several, the number and on the last one the total.
func prosperoPackets(id []byte, text string) (list [][]byte) {
	if len(text) <= prosperoData {
		return [][]byte{append([]byte{3, id[0], id[1]}, text...)}
	}
	total := (len(text) + prosperoData - 1) / prosperoData
	if total > prosperoWindow {
		return prosperoPackets(id, "FAILURE SERVER-FAILED too much for a small server\n")
	}
	for n := 1; n <= total; n++ {
		h := binary.BigEndian.AppendUint16([]byte{7, id[0], id[1]}, uint16(n))
		last := uint16(0)
		if n == total {
			last = uint16(total)
		}
		h = binary.BigEndian.AppendUint16(h, last)
		list = append(list, append(h, text[(n-1)*prosperoData:min(n*prosperoData, len(text))]...))
	}
	return list
}

// prosperoAnswer answers what a reader asks: an object's attributes or its
// contents, or the links of a directory.
func prosperoAnswer(root fs.FS, request string, at net.Addr) string {
	preamble, command, _ := strings.Cut(request, "\n")
	if preamble != "VERSION 5" && !strings.HasPrefix(preamble, "VERSION 5 ") {
		return "VERSION-NOT-SUPPORTED TRY 5-5\n"
	}
	line, _, _ := strings.Cut(command, "\n")
	words := prosperoWords(line)
	if len(words) >= 3 && words[0] == "DIRECTORY" && words[1] == "ASCII" {
		return prosperoLinks(root, words[2], at)
	}
	if len(words) < 4 || words[0] != "GET-OBJECT-INFO" || words[2] != "ASCII" {
		return "ERROR this server gives objects and directories\n"
	}
	name := nameIn(words[3])
	info, err := fs.Stat(root, name)
	switch {
	case err != nil:
		return "FAILURE NOT-FOUND\n"
	case info.IsDir():
		return prosperoAttribute("SIZE", "0' bytes'")
	case words[1] == "CONTENTS":
		text, _ := fs.ReadFile(root, name)
		return prosperoAttribute("CONTENTS", "DATA "+prosperoQuote(string(text)))
	}
	return prosperoAttribute("SIZE", fmt.Sprintf("%d' bytes'", info.Size())) + prosperoAttribute("LAST-MODIFIED", "19940101000000Z") +
		prosperoAttribute("ACCESS-METHOD", "PROSPERO-CONTENTS '' '' '' ''")
}

func prosperoLinks(root fs.FS, name string, at net.Addr) string {
	folder := nameIn(name)
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		return "FAILURE NOT-A-DIRECTORY\n"
	}
	host, port, _ := net.SplitHostPort(at.String())
	var b strings.Builder
	for _, e := range entries {
		kind := "FILE"
		if e.IsDir() {
			kind = "DIRECTORY"
		}
		fmt.Fprintf(&b, "LINK L %s %s INTERNET-D %s(%s) ASCII %s 0\n", kind, prosperoQuote(e.Name()), host, port, prosperoQuote("/"+path.Join(folder, e.Name())))
	}
	return b.String()
}

// nameIn is the name that io/fs has for what a client calls name.
func nameIn(name string) string {
	if name = strings.TrimPrefix(path.Clean("/"+name), "/"); name == "" {
		return "."
	}
	return name
}

func prosperoAttribute(name, value string) string {
	return "ATTRIBUTE OBJECT INTRINSIC " + name + " SEQUENCE " + value + "\n"
}

// prosperoQuote writes a word; within the marks, one of them is written twice.
func prosperoQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// prosperoWords parts a line at its spaces; quotation marks hold a word together.
func prosperoWords(line string) (words []string) {
	var word strings.Builder
	in, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, in = !quoted, true
		case c == ' ' && !quoted:
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}
