package ws_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
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
	"anyurl/proto/ws"
)

// accept answers a key as RFC 6455, section 1.3, does.
func accept(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// opening reads a client's request up to its empty line, and gives its lines
// and its key.
func opening(r *bufio.Reader) (lines []string, key string, err error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return lines, key, err
		}
		if line == "\r\n" {
			return lines, key, nil
		}
		lines = append(lines, strings.TrimSuffix(line, "\r\n"))
		if k, ok := strings.CutPrefix(line, "Sec-WebSocket-Key: "); ok {
			key = strings.TrimSpace(k)
		}
	}
}

const agreed = "HTTP/1.1 101 Switching Protocols\r\nUPGRADE: WebSocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: "

// serve shakes hands, sends more header fields and the frames, and gives what
// the client said behind its handshake.
func serve(conn net.Conn, fields, frames string) ([]byte, error) {
	r := bufio.NewReader(conn)
	_, key, err := opening(r)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(conn, agreed+accept(key)+"\r\n"+fields+"\r\n"+frames); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:80"))
	go func() {
		conn, err := l.Accept()
		if err == nil {
			serve(conn, "", "\x81\x05hello") // RFC 6455, section 5.7
			conn.Close()
		}
	}()
	client := fetch.Client{Transports: map[string]fetch.Transport{"ws": ws.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("ws://192.0.2.1/chat")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%d %s %q\n", got.Status, got.Type, body)
	// Output:
	// 101 text/plain "hello"
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return ws.New(d) }, URL: "ws://" + fetchtest.Host + "/a?b", Want: "first half, second half",
		Head: true,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			serve(conn, "", "\x01\x0cfirst half, \x89\x01p\x80\x0bsecond half")
		},
	})
}

// open fetches url from a server whose side of the conversation play has. What
// the server got is given, too.
func open(t *testing.T, url string, header map[string][]string, play func(conn net.Conn) []byte) (got *fetch.Result, body, said string, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, lerr := network.Listen(netip.MustParseAddrPort("192.0.2.1:80"))
		if lerr != nil {
			t.Fatal(lerr)
		}
		done := make(chan []byte, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				done <- nil
				return
			}
			b := play(conn)
			conn.Close()
			done <- b
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"ws": ws.New(&dial.Dialer{Connect: network.Dial})}}
		start := time.Now()
		got, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Header: header})
		if err == nil {
			var b []byte
			b, err = io.ReadAll(got.Body)
			body = string(b)
			got.Body.Close()
		}
		took = time.Since(start)
		l.Close()
		said = string(<-done)
	})
	return
}

// unmasked takes a client's control frames apart: opcode and payload.
func unmasked(t *testing.T, b string) (frames []string) {
	t.Helper()
	for len(b) > 0 {
		if len(b) < 6 || b[0]&0x80 == 0 || b[1]&0x80 == 0 || len(b) < 6+int(b[1]&0x7f) {
			t.Errorf("%q is no masked control frame", b)
			return frames
		}
		n := int(b[1] & 0x7f)
		payload := []byte(b[6 : 6+n])
		for i := range payload {
			payload[i] ^= b[2+i%4]
		}
		frames = append(frames, fmt.Sprintf("%x %s", b[0]&0xf, payload))
		b = b[6+n:]
	}
	return frames
}

func TestMessages(t *testing.T) {
	long := strings.Repeat("tulips and ", 6000) // 66,000 octets: a length of 64 bits
	for _, tt := range []struct {
		name, frames, want, typ string
		size                    int64
		kind                    error
		said                    string // the client's frames
	}{
		// RFC 6455, section 5.7
		{"a text", "\x81\x05Hello", "Hello", "text/plain", 5, nil, "8 \x03\xe8"},
		{"in two frames", "\x01\x03Hel\x80\x02lo", "Hello", "text/plain", -1, nil, "8 \x03\xe8"},
		{"a ping before it", "\x89\x05Hello\x81\x02ok", "ok", "text/plain", 2, nil, "a Hello, 8 \x03\xe8"},
		{"256 octets", "\x82\x7e\x01\x00" + long[:256], long[:256], "application/octet-stream", 256, nil, "8 \x03\xe8"},
		{"66,000 octets", "\x82\x7f\x00\x00\x00\x00\x00\x01\x01\xd0" + long, long, "application/octet-stream", 66000, nil, "8 \x03\xe8"},
		{"an empty text", "\x81\x00", "", "text/plain", 0, nil, "8 \x03\xe8"},
		{"a pong nobody asked for", "\x8a\x00\x81\x02ok", "ok", "text/plain", 2, nil, "8 \x03\xe8"},
		{"a character in two frames", "\x01\x01\xc3\x80\x01\xa9", "é", "text/plain", -1, nil, "8 \x03\xe8"},
		{"what follows is left", "\x81\x01a\x81\x01b", "a", "text/plain", 1, nil, "8 \x03\xe8"},
		// section 5.5.1
		{"a close at once", "\x88\x00", "", "", 0, nil, "8 "},
		{"going away", "\x88\x05\x03\xe9bye", "", "", 0, nil, "8 \x03\xe9bye"},
		{"a close for a reason", "\x88\x06\x03\xf0nope", "", "", 0, fetch.ErrTruncated, "8 \x03\xf0nope"},
		{"a close within", "\x01\x03Hel\x88\x02\x03\xe8", "Hel", "text/plain", -1, fetch.ErrTruncated, "8 \x03\xe8"},
		// sections 5.1, 5.2, 5.4, 5.5, 8.1
		{"masked", "\x81\x85abcdHello", "", "", 0, fetch.ErrMalformed, ""},
		{"a reserved bit", "\xc1\x05Hello", "", "", 0, fetch.ErrMalformed, ""},
		{"a reserved opcode", "\x83\x05Hello", "", "", 0, fetch.ErrMalformed, ""},
		{"a reserved control opcode", "\x8b\x00", "", "", 0, fetch.ErrMalformed, ""},
		{"a ping in pieces", "\x09\x00", "", "", 0, fetch.ErrMalformed, ""},
		{"a long ping", "\x89\x7e\x00\x7e" + long[:126], "", "", 0, fetch.ErrMalformed, ""},
		{"a continuation of nothing", "\x80\x02lo", "", "", 0, fetch.ErrMalformed, ""},
		{"a message within another", "\x01\x03Hel\x81\x02lo", "Hel", "text/plain", -1, fetch.ErrMalformed, "8 \x03\xe8"},
		{"a length that could be shorter", "\x81\x7e\x00\x05Hello", "", "", 0, fetch.ErrMalformed, ""},
		{"a length that could be shorter, of 64 bits", "\x81\x7f\x00\x00\x00\x00\x00\x00\xff\xff" + long[:65535], "", "", 0, fetch.ErrMalformed, ""},
		{"a length below nothing", "\x82\x7f\x80\x00\x00\x00\x00\x00\x00\x00", "", "", 0, fetch.ErrMalformed, ""},
		{"no text", "\x81\x02\xc3\x28", "", "text/plain", 2, fetch.ErrMalformed, "8 \x03\xe8"},
		{"half a character", "\x81\x01\xc3", "\xc3", "text/plain", 1, fetch.ErrMalformed, "8 \x03\xe8"},
		{"half a code", "\x88\x01\x03", "", "", 0, fetch.ErrMalformed, ""},
		{"a code below 1000", "\x88\x02\x00\x01", "", "", 0, fetch.ErrMalformed, ""},
	} {
		var got *fetch.Result
		var body, said string
		var err error
		t.Run(tt.name, func(t *testing.T) {
			got, body, said, _, err = open(t, "ws://192.0.2.1/", nil, func(conn net.Conn) []byte {
				b, _ := serve(conn, "", tt.frames)
				return b
			})
		})
		if !errors.Is(err, tt.kind) || tt.kind == nil && err != nil {
			t.Errorf("%s: %v; want %v", tt.name, err, tt.kind)
		}
		if tt.kind != fetch.ErrMalformed && body != tt.want {
			t.Errorf("%s: got %.50q", tt.name, body)
		}
		if got != nil && (got.Type != tt.typ || got.Size != tt.size || got.Status != 101 || got.Protocol != "websocket") {
			t.Errorf("%s: got %q, %d octets, %d", tt.name, got.Type, got.Size, got.Status)
		}
		if frames := strings.Join(unmasked(t, said), ", "); frames != tt.said {
			t.Errorf("%s: the client said %q, not %q", tt.name, frames, tt.said)
		}
	}
}

// TestSilence: a server that waits for the client has an empty object; one that
// stops within a message has none.
func TestSilence(t *testing.T) {
	hold := func(frames string) func(net.Conn) []byte {
		return func(conn net.Conn) []byte {
			b, _ := serve(conn, "Sec-WebSocket-Protocol: chat\r\n", frames)
			return b
		}
	}
	header := map[string][]string{"Sec-WebSocket-Protocol": {"chat, superchat"}}
	got, body, _, took, err := open(t, "ws://192.0.2.1/", header, hold("\x89\x00"))
	if err != nil || body != "" || got.Size != 0 || took != ws.DefaultQuiet || got.Header["Sec-Websocket-Protocol"][0] != "chat" {
		t.Errorf("silent: %q, %v, %v", body, took, err)
	}
	_, _, _, took, err = open(t, "ws://192.0.2.1/", header, hold("\x81\x05Hel"))
	if !errors.Is(err, fetch.ErrIdle) || took != time.Minute {
		t.Errorf("silent within a message: %v, %v", took, err)
	}
}

func TestHandshake(t *testing.T) {
	for _, tt := range []struct {
		name, answer string // KEY stands for what the key makes
		kind         error
		location     string
	}{
		{"no answer", "", fetch.ErrTruncated, ""},
		{"no HTTP", "SSH-2.0-x\r\n", fetch.ErrMalformed, ""},
		{"another status", "HTTP/1.1 1010 x\r\n\r\n", fetch.ErrMalformed, ""},
		{"no header field", "HTTP/1.1 101 x\r\nUpgrade websocket\r\n\r\n", fetch.ErrMalformed, ""},
		{"cut", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n", io.ErrUnexpectedEOF, ""},
		{"a page", "HTTP/1.1 200 OK\r\n\r\n<html>", nil, ""},
		{"a login", "HTTP/1.1 401 Who?\r\nWWW-Authenticate: Basic\r\n\r\n", fetch.ErrDenied, ""},
		{"nothing there", "HTTP/1.1 404 Nothing\r\n\r\n", fetch.ErrNotFound, ""},
		{"another version", "HTTP/1.1 426 Upgrade\r\nSec-WebSocket-Version: 14\r\n\r\n", fetch.ErrUnsupported, ""},
		{"later", "HTTP/1.1 503 Later\r\n\r\n", fetch.ErrBusy, ""},
		{"elsewhere", "HTTP/1.1 301 Moved\r\nLocation: /there\r\n\r\n", nil, "/there"},
		// RFC 6455, section 4.1
		{"another upgrade", "HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\n\r\n", fetch.ErrMalformed, ""},
		{"no upgrade", "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\n\r\n", fetch.ErrMalformed, ""},
		{"no connection", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: KEY\r\n\r\n", fetch.ErrMalformed, ""},
		{"no accept", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", fetch.ErrMalformed, ""},
		{"another accept", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n", fetch.ErrMalformed, ""},
		{"an extension", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", fetch.ErrMalformed, ""},
		{"a subprotocol", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\nSec-WebSocket-Protocol: other\r\n\r\n", fetch.ErrMalformed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				go func() {
					_, key, err := opening(bufio.NewReader(there))
					if err == nil {
						io.WriteString(there, strings.ReplaceAll(tt.answer, "KEY", accept(key)))
					}
					there.Close()
				}()
				tr := ws.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return here, nil }})
				got, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("ws://192.0.2.1/")})
				switch {
				case tt.location != "":
					if err != nil || got.Location != tt.location || !got.Permanent {
						t.Errorf("%+v, %v", got, err)
					}
				case err == nil || tt.kind != nil && !errors.Is(err, tt.kind):
					t.Errorf("%v; want %v", err, tt.kind)
				}
			})
		})
	}
}

// TestRequest holds what is sent, and that nothing in it is a line of its own.
func TestRequest(t *testing.T) {
	lines := make(chan []string, 1)
	ask := func(url string, auth *fetch.Auth, header map[string][]string) ([]string, error) {
		here, there := net.Pipe()
		go func() {
			got, _, _ := opening(bufio.NewReader(there))
			there.Close()
			lines <- got
		}()
		tr := ws.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) { return here, nil }})
		_, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Auth: auth, Header: header})
		here.Close()
		return <-lines, err
	}
	got, _ := ask("ws://192.0.2.1:8080/a%20b?c", &fetch.Auth{User: "joe", Password: "x"}, map[string][]string{
		"Origin": {"https://a.example"}, "Host": {"other.example"}, "connection": {"close"}, "Sec-WebSocket-Key": {"mine"},
	})
	if len(got) < 5 {
		t.Fatalf("got %q", got)
	}
	key := strings.TrimPrefix(got[4], "Sec-WebSocket-Key: ")
	if nonce, err := base64.StdEncoding.DecodeString(key); err != nil || len(nonce) != 16 { // section 4.1, item 7
		t.Errorf("the key is %q", key)
	}
	want := []string{"GET /a%20b?c HTTP/1.1", "Host: 192.0.2.1:8080", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: " + key,
		"Sec-WebSocket-Version: 13", "Authorization: Basic am9lOng=", "Origin: https://a.example"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	for _, header := range []map[string][]string{
		{"X": {"a\r\nHost: b"}}, {"X\r\nHost": {"b"}}, {"X Y": {"b"}}, {"": {"b"}},
	} {
		tr := ws.New(&dial.Dialer{Connect: func(context.Context, string, netip.AddrPort) (net.Conn, error) {
			t.Error("connected")
			return nil, io.EOF
		}})
		if _, err := tr.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse("ws://192.0.2.1/"), Header: header}); err == nil {
			t.Errorf("%q is sent", header)
		}
	}
}

// FuzzMessages: whatever a server sends, messages end, a text is text, and what
// comes is no more than what was sent.
func FuzzMessages(f *testing.F) {
	for _, s := range []string{"\x81\x05Hello", "\x01\x03Hel\x80\x02lo", "\x89\x00\x82\x7e\x01\x00", "\x88\x02\x03\xe8", "\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", "\x01\x01\xc3\x80\x01\xa9\x81\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		c := ws.NewConn(&script{Reader: bytes.NewReader(sent)})
		var total int
		for {
			kind, err := c.Next()
			if err != nil {
				break
			}
			b, err := io.ReadAll(c)
			if total += len(b); total > len(sent) {
				t.Fatalf("%d octets out of %d", total, len(sent))
			}
			if err == nil && kind == ws.Text && strings.ToValidUTF8(string(b), "") != string(b) {
				t.Fatalf("%q is no text", b)
			}
			if err != nil {
				break
			}
		}
	})
}

// A script is a connection on which all has been said.
type script struct {
	net.Conn
	io.Reader
}

func (s *script) Read(p []byte) (int, error)  { return s.Reader.Read(p) }
func (s *script) Write(p []byte) (int, error) { return len(p), nil }

// TestPython is against python3-websockets, in the clear and in TLS.
func TestPython(t *testing.T) {
	python := peer.Look(t, "python3", "python3")
	dir := filepath.Join(peer.Root(), "python3-websockets", "usr/lib/python3/dist-packages")
	if _, err := os.Stat(dir); err != nil {
		peer.Look(t, "websockets", "python3-websockets") // says that it is missing
	}
	pool, cert, key, _ := peer.Certificate(t)
	port, secure := peer.Port(t), peer.Port(t)
	script := filepath.Join(t.TempDir(), "server.py")
	const text = `
import asyncio, ssl, sys, websockets
async def greet(ws, path):
    await ws.send("hello from " + path)
    await ws.wait_closed()
async def mute(ws, path):
    await ws.wait_closed()
async def handler(ws, path):
    if path == "/mute":
        await mute(ws, path)
    elif path == "/large":
        async def pieces():
            for _ in range(100):
                yield b"x" * 10000
        await ws.send(pieces())
        await ws.wait_closed()
    else:
        await greet(ws, path)
async def main():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(sys.argv[3], sys.argv[4])
    async with websockets.serve(handler, "127.0.0.1", int(sys.argv[1]), subprotocols=["chat"]):
        async with websockets.serve(handler, "127.0.0.1", int(sys.argv[2]), ssl=tls):
            await asyncio.Future()
asyncio.run(main())
`
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, script, fmt.Sprint(port), fmt.Sprint(secure), cert, key)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir)
	p := peer.Start(t, cmd)
	p.Await(t, peer.Addr(port))
	p.Await(t, peer.Addr(secure))

	d := &dial.Dialer{TLS: &tls.Config{RootCAs: pool}}
	tr := ws.New(d)
	c := fetch.Client{Transports: map[string]fetch.Transport{"ws": tr, "wss": tr}, AllowPort: func(string, uint16) bool { return true }}
	fetchtest.Opened(t, peer.Version("python3-websockets"), &c)
	ask := func(url string, header map[string][]string) (*fetch.Result, string, error) {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Header: header})
		if err != nil {
			return nil, "", err
		}
		defer got.Body.Close()
		b, err := io.ReadAll(got.Body)
		return got, string(b), err
	}
	chat := map[string][]string{"Sec-WebSocket-Protocol": {"chat"}}
	got, body, err := ask("ws://"+peer.Addr(port)+"/a%20b?c", chat)
	if err != nil || body != "hello from /a%20b?c" || got.Type != "text/plain" || got.Header["Sec-Websocket-Protocol"][0] != "chat" {
		t.Errorf("got %q, %v", body, err)
	}
	if _, body, err := ask("wss://"+peer.Addr(secure)+"/", nil); err != nil || body != "hello from /" {
		t.Errorf("in TLS: got %q, %v", body, err)
	}
	if got, body, err := ask("ws://"+peer.Addr(port)+"/large", nil); err != nil || body != strings.Repeat("x", 1000000) || got.Type != "application/octet-stream" {
		t.Errorf("large: got %d octets, %v", len(body), err)
	}
	if got, body, err := ask("ws://"+peer.Addr(port)+"/mute", nil); err != nil || body != "" || got.Status != 101 {
		t.Errorf("mute: got %q, %v", body, err)
	}
}
