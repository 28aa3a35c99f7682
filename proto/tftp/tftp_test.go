package tftp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
	"anyurl/proto/tftp"
)

func Example() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	go func() {
		b := make([]byte, 1500)
		n, from, _ := server.ReadFrom(b)
		fmt.Printf("%q\n", b[:n])
		// The file comes from another port.
		transfer, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			return
		}
		defer transfer.Close()
		transfer.WriteTo([]byte("\x00\x03\x00\x01hello from tftp\n"), from)
		transfer.ReadFrom(b)
	}()

	client := fetch.Client{Transports: map[string]fetch.Transport{"tftp": tftp.New(&dial.Dialer{})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("tftp://" + server.LocalAddr().String() + "/motd")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	// Output:
	// "\x00\x01motd\x00octet\x00blksize\x001428\x00tsize\x000\x00"
	// hello from tftp
}

// A fake is a TFTP server with files in memory, written from RFC 1350. Each
// connection is one client's; it answers from where it was asked.
type fake struct {
	files map[string]string
	// plain knows no options, refuse sends error 8 to them.
	plain, refuse bool
	// oack is what it says to options in place of what was asked.
	oack string
	// copies says how often the n-th datagram (from 1) arrives; nil is once.
	copies func(n int) int
	// deaf says whether the n-th datagram of the client is lost.
	deaf func(n int) bool

	came, sent int
	heard      []string
}

func packet(op, number uint16, rest string) []byte {
	return append(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, op), number), rest...)
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

func (f *fake) serve(conn net.Conn) {
	b := make([]byte, 1<<16)
	block, text, number := 512, "", uint16(0)
	active, first, idle := false, true, 0
	var last []byte
	data := func() []byte {
		at := (int(number) - 1) * block
		last = packet(3, number, text[at:min(at+block, len(text))])
		return last
	}
	for {
		// A server sends again by itself, too.
		conn.SetReadDeadline(time.Now().Add(3 * time.Second))
		if !active {
			conn.SetReadDeadline(time.Time{})
		}
		n, err := conn.Read(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			f.send(conn, last)
			idle++
			active = idle < 10 // it does not go on for ever
			continue
		}
		idle = 0
		if err != nil {
			return
		}
		if f.came++; f.deaf != nil && f.deaf(f.came) {
			continue
		}
		p := b[:n]
		switch binary.BigEndian.Uint16(p) {
		case 1:
			f.heard = append(f.heard, string(p[2:]))
			fields := strings.Split(strings.TrimSuffix(string(p[2:]), "\x00"), "\x00")
			var ok bool
			if text, ok = f.files[fields[0]]; !ok {
				f.send(conn, packet(5, 1, "File not found\x00"))
				continue
			}
			if strings.HasPrefix(text, "!") {
				code, says, _ := strings.Cut(text[1:], " ")
				n, _ := strconv.Atoi(code)
				f.send(conn, packet(5, uint16(n), says+"\x00"))
				continue
			}
			if fields[1] == "netascii" {
				text = strings.NewReplacer("\r", "\r\x00", "\n", "\r\n").Replace(text)
			}
			active, first = true, true
			switch {
			case len(fields) > 2 && f.refuse:
				f.send(conn, packet(5, 8, "no options\x00"))
			case len(fields) > 2 && !f.plain:
				block, number = 1428, 0
				oack := "blksize\x001428\x00tsize\x00" + strconv.Itoa(len(f.files[fields[0]])) + "\x00"
				if f.oack != "" {
					oack = f.oack
				}
				last = append([]byte{0, 6}, oack...)
				f.send(conn, last)
			default:
				block, number = 512, 1
				f.send(conn, data())
			}
		case 4:
			if binary.BigEndian.Uint16(p[2:]) != number || !active {
				continue
			}
			if number > 0 && len(data()) < block+4 {
				active = false // the last block has arrived
				continue
			}
			if number == 0 && !first {
				continue
			}
			first = false
			number++
			f.send(conn, data())
		case 5:
			f.heard = append(f.heard, "ERROR")
			active = false
		}
	}
}

// world runs f with a client whose TFTP server is at port 69 of 192.0.2.1.
func world(t *testing.T, server *fake, f func(t *testing.T, get fetchtest.Get)) {
	t.Helper()
	fetchtest.Stage(t, "tftp", func(d *dial.Dialer) fetch.Transport { return tftp.New(d) }, map[uint16]func(net.Conn){69: server.serve}, f)
}

var long = strings.Repeat("a line of a file that needs several blocks\n", 200)

func files() map[string]string {
	return map[string]string{
		"motd": "hello\n", "long": long, "empty": "", "/boot/a b;c": "x", "block": strings.Repeat("x", 1428), "plain": strings.Repeat("y", 1024),
		"text": "one\ntwo\rthree\r\n" + strings.Repeat("x", 1410) + "\n\r", "closed": "!2 Permission denied \x1b[2J", "odd": "!77 odd", "nobody": "!0 go away",
	}
}

func TestFetch(t *testing.T) {
	for name, server := range map[string]*fake{"options": {}, "without options": {plain: true}, "options refused": {refuse: true}} {
		t.Run(name, func(t *testing.T) {
			server.files = files()
			world(t, server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				for path, want := range map[string]string{
					"motd": "hello\n", "long": long, "empty": "", "/boot/a%20b%3Bc": "x", "block": strings.Repeat("x", 1428), "plain": strings.Repeat("y", 1024),
					"text": files()["text"], "text;mode=netascii": files()["text"], "motd;mode=octet": "hello\n",
				} {
					got, body, err := get("tftp://" + fetchtest.At + "/" + path)
					size := int64(len(want))
					if server.plain || server.refuse || strings.Contains(path, "netascii") {
						size = -1
					}
					if err != nil || body != want || got.Size != size || got.Protocol != "tftp" {
						t.Errorf("%s: %.40q, %v", path, body, err)
					}
				}
				for path, kind := range map[string]error{"nothing": fetch.ErrNotFound, "closed": fetch.ErrDenied, "odd": nil, "nobody": nil} {
					_, _, err := get("tftp://" + fetchtest.At + "/" + path)
					if err == nil || kind != nil && !errors.Is(err, kind) || strings.Contains(err.Error(), "\x1b") {
						t.Errorf("%s: %v, want %v", path, err, kind)
					}
				}
				server.heard = nil
				if got, body, err := get("tftp://"+fetchtest.At+"/long", func(r *fetch.Request) { r.Method = "HEAD" }); err != nil || body != "" || !server.plain && !server.refuse && got.Size != int64(len(long)) {
					t.Errorf("HEAD: %q, %v", body, err)
				}
				synctest.Wait()
				if server.heard[len(server.heard)-1] != "ERROR" {
					t.Errorf("the server was not told to stop: %q", server.heard)
				}
			})
		})
	}
	world(t, &fake{}, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		var e *fetch.Error
		for _, path := range []string{"/a%00netascii", "/", "/x;mode=mail", "/x?y"} {
			if _, _, err := get("tftp://" + fetchtest.At + path); !errors.As(err, &e) || e.Step != fetch.Reading {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// Datagrams are lost and doubled; the file comes whole.
func TestLoss(t *testing.T) {
	for n := range 14 {
		for name, s := range map[string]*fake{
			"lost by the server": {copies: func(i int) int {
				if i == n {
					return 0
				}
				return 1
			}},
			"doubled":            {copies: func(i int) int { return 1 + (i+n)%3 }},
			"lost by the client": {deaf: func(i int) bool { return i == n }},
			"lost in a row":      {deaf: func(i int) bool { return i >= n && i < n+3 }},
			"without options":    {plain: true, copies: func(i int) int { return min(1, (i+n)%5) }},
		} {
			s.files = files()
			world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
				if _, body, err := get("tftp://" + fetchtest.At + "/long"); err != nil || body != long {
					t.Errorf("%s, %d: %d octets, %v", name, n, len(body), err)
				}
				if s.came > 60 {
					t.Errorf("%s, %d: %d datagrams were sent", name, n, s.came)
				}
			})
		}
	}
}

func TestNoAnswer(t *testing.T) {
	s := &fake{deaf: func(int) bool { return true }}
	world(t, s, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
		start := time.Now()
		if _, _, err := get("tftp://" + fetchtest.At + "/x"); !fetch.IsTimeout(err) || time.Since(start) != 31*time.Second || s.came != 5 {
			t.Errorf("%v after %v and %d datagrams", err, time.Since(start), s.came)
		}
	})
}

func TestHostile(t *testing.T) {
	for _, tt := range []struct {
		name   string
		server fake
		kind   error
	}{
		{"a larger block", fake{oack: "blksize\x002000\x00"}, fetch.ErrMalformed},
		{"no size of a block", fake{oack: "blksize\x000\x00"}, fetch.ErrMalformed},
		{"no number", fake{oack: "tsize\x00many\x00"}, fetch.ErrMalformed},
		{"an option of its own", fake{oack: "windowsize\x0064\x00"}, fetch.ErrMalformed},
		{"a smaller file", fake{oack: "blksize\x001428\x00tsize\x009999999\x00"}, fetch.ErrTruncated},
		{"a longer block than agreed", fake{oack: "blksize\x00512\x00"}, fetch.ErrMalformed}, // the fake sends 1428 all the same
	} {
		tt.server.files = files()
		world(t, &tt.server, func(t *testing.T, get func(string, ...func(*fetch.Request)) (*fetch.Result, string, error)) {
			if _, body, err := get("tftp://" + fetchtest.At + "/block"); !errors.Is(err, tt.kind) && !(tt.kind == fetch.ErrTruncated && errors.Is(err, io.ErrUnexpectedEOF)) {
				t.Errorf("%s: %d octets, %v, want %v", tt.name, len(body), err, tt.kind)
			}
		})
	}
}

func TestSuite(t *testing.T) {
	for name, server := range map[string]fake{"options": {}, "without options": {plain: true}} {
		for _, file := range []string{"motd", "long"} {
			t.Run(name+"/"+file, func(t *testing.T) {
				fetchtest.Run(t, fetchtest.Subject{
					New:  func(d *dial.Dialer) fetch.Transport { return tftp.New(d) },
					URL:  "tftp://" + fetchtest.Host + ":69/" + file,
					Want: files()[file],
					Head: true,
					Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
						s := server
						s.files = files()
						s.serve(conn)
					},
				})
			})
		}
	}
}

// No datagram makes the client fall, and what it gives came in a block.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("\x00\x03\x00\x01hello"), false)
	f.Add([]byte("\x00\x06blksize\x00512\x00tsize\x005\x00"), false)
	f.Add([]byte("\x00\x05\x00\x01not there"), false)
	f.Add([]byte("\x00\x03\x00\x01a\r\nb\r\x00c\r"), true)
	f.Add([]byte{0}, false)
	f.Fuzz(func(t *testing.T, answer []byte, text bool) {
		if len(answer) > 2000 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := transcript.PacketPipe(netip.AddrPort{}, netip.AddrPort{})
			for range 3 {
				theirs.Write(answer)
			}
			tr := tftp.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return ours, nil }})
			url := "tftp://192.0.2.1/x"
			if text {
				url += ";mode=netascii"
			}
			resp, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Limits: fetch.DefaultLimits()})
			if err == nil {
				b, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err == nil && (len(b) > len(answer)-4 || !text && !bytes.Contains(answer, b)) {
					t.Errorf("%q gives %q", answer, b)
				}
			}
			theirs.Close()
		})
	})
}

// TestHPA reads from tftpd-hpa, which answers from a port of its own.
func TestHPA(t *testing.T) {
	program := peer.Look(t, "in.tftpd", "tftpd-hpa")
	if os.Getuid() != 0 {
		t.Skip("in.tftpd wants to be started by root")
	}
	tree, port := peer.Tree(t), peer.Port(t)
	if err := os.WriteFile(filepath.Join(tree, "pub", "large"), bytes.Repeat(peer.Blob(), 100), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "pub", "closed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := peer.Start(t, exec.Command(program, "-L", "-4", "-a", peer.Addr(port), "-u", "nobody", "-s", tree))
	client := fetch.Client{Transports: map[string]fetch.Transport{"tftp": tftp.New(&dial.Dialer{})}}
	fetchtest.Opened(t, peer.Version("tftpd-hpa"), &client)
	get := func(path string) (*fetch.Result, string, error) {
		got, err := client.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(fmt.Sprintf("tftp://%s%s", peer.Addr(port), path))})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	// The first request may come before the server is there; it is sent again.
	for _, name := range []string{"pub/hello.txt", "pub/blob.bin", "pub/large", "pub/a;b.txt", "dir with space/a file.txt"} {
		want, err := os.ReadFile(filepath.Join(tree, name))
		if err != nil {
			t.Fatal(err)
		}
		path := "/" + strings.NewReplacer(" ", "%20", ";", "%3B").Replace(name)
		got, body, err := get(path)
		if err != nil || body != string(want) || got.Size != int64(len(want)) {
			t.Errorf("%s: %d octets of %d, %v", name, len(body), len(want), err)
		}
	}
	if _, body, err := get("/pub/hello.txt;mode=netascii"); err != nil || !strings.HasPrefix(body, "Hello plain text\nsecond line\n") {
		t.Errorf("netascii: %q, %v", body, err)
	}
	kinds := []error{fetch.ErrNotFound, fetch.ErrDenied}
	for path, kind := range map[string]error{"/pub/nothing": fetch.ErrNotFound, "/pub/closed": fetch.ErrDenied} {
		if _, _, err := get(path); !slices.ContainsFunc(kinds, func(k error) bool { return errors.Is(err, k) }) || !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %v", path, err, kind)
		}
	}
	if p.Ended() {
		t.Error("the server ended")
	}
}
