package ftp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/transcript"
	"anyurl/proto/ftp"
)

// server plays scripts at 192.0.2.1:21, on a network in memory.
func server(t *testing.T, network *transcript.Network, scripts ...string) *transcript.Server {
	at := netip.MustParseAddr("192.0.2.1")
	l, err := network.Listen(netip.AddrPortFrom(at, 21))
	if err != nil {
		t.Fatal(err)
	}
	s := &transcript.Server{Listen: func() (net.Listener, error) { return network.Listen(netip.AddrPortFrom(at, 0)) }}
	for _, text := range scripts {
		s.Scripts = append(s.Scripts, transcript.Parse(text))
	}
	s.Start(l)
	return s
}

// exchange fetches each of urls in turn, from a server that plays the scripts.
func exchange(t *testing.T, urls []string, scripts []string, look func(n int, got *fetch.Result, body string, err error), change ...func(*fetch.Request)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		s := server(t, &network, scripts...)
		tr := ftp.New(&dial.Dialer{Connect: network.Dial})
		c := fetch.Client{Transports: map[string]fetch.Transport{"ftp": tr}, Limits: fetch.Limits{Total: time.Minute, FirstByte: 30 * time.Second}}
		for n, url := range urls {
			req := &fetch.Request{URL: anyurl.MustParse(url)}
			for _, f := range change {
				f(req)
			}
			got, err := c.Do(t.Context(), req)
			body := ""
			if err == nil {
				var b []byte
				b, err = io.ReadAll(got.Body)
				body = string(b)
				got.Body.Close()
			}
			look(n, got, body, err)
		}
		c.Close()
		synctest.Wait() // the server hears QUIT
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for _, ap := range network.Dialled() {
			if ap.Addr() != netip.MustParseAddr("192.0.2.1") {
				t.Errorf("dialled %v", ap)
			}
		}
	})
}

const login = `
	S: 220 ready
	C: USER anonymous
	S: 331 your mail address, please
	C: PASS anonymous@anyurl.invalid
	S: 230 welcome
`

// retr is how "motd" comes, with the size known.
const retr = `
	C: TYPE I
	S: 200 ok
	C: SIZE motd
	S: 213 6
	C: EPSV
	listen
	S: 229 Entering Extended Passive Mode (|||{dataport}|)
	C: RETR motd
	S: 150 here it comes
	D- hello\n
	enddata
	S: 226 done
`

const quit = "C: QUIT\n"

func Example() {
	var network transcript.Network
	at := netip.MustParseAddr("192.0.2.1")
	l, _ := network.Listen(netip.AddrPortFrom(at, 21))
	s := transcript.Server{
		Listen:  func() (net.Listener, error) { return network.Listen(netip.AddrPortFrom(at, 0)) },
		Scripts: []transcript.Script{transcript.Parse(login + "C: CWD /etc\nS: 250 ok\n" + retr)},
	}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"ftp": ftp.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("ftp://192.0.2.1/%2Fetc/motd")})
	if err != nil {
		fmt.Println(err)
		return
	}
	body, _ := io.ReadAll(got.Body)
	got.Body.Close()
	client.Close()
	fmt.Printf("%s%d octets, %v\n", body, got.Size, s.Close())
	// Output:
	// hello
	// 6 octets, <nil>
}

// TestPath holds RFC 1738, section 3.2.2: one CWD for each segment, decoded
// after the split.
func TestPath(t *testing.T) {
	for _, tt := range []struct {
		path string
		cwds []string
	}{
		{"/motd", nil},
		{"/etc/motd", []string{"etc"}},
		{"//etc/motd", []string{"", "etc"}},
		{"/%2Fetc/motd", []string{"/etc"}},
		{"/%2F/etc/motd", []string{"/", "etc"}},
		{"/a%20b/c%3Bd/motd", []string{"a b", "c;d"}},
		{"/a/../b/motd", []string{"b"}}, // the URL Standard takes the dots out
		{"/a/motd;type=i", []string{"a"}},
		{"/a/motd;type=I", []string{"a"}},
	} {
		script := login
		for _, d := range tt.cwds {
			script += "C: CWD " + d + "\nS: 250 ok\n"
		}
		exchange(t, []string{"ftp://192.0.2.1" + tt.path}, []string{script + retr + quit}, func(_ int, got *fetch.Result, body string, err error) {
			if err != nil || body != "hello\n" {
				t.Errorf("%s: %q, %v", tt.path, body, err)
			} else if got.Size != 6 || got.Status != 150 || got.Protocol != "ftp" || got.Type != "text/plain" {
				t.Errorf("%s: %+v", tt.path, got.Response)
			}
		})
	}
}

// TestNothingIsSent holds that what cannot be one command line opens no
// connection, and adds no command anywhere.
func TestNothingIsSent(t *testing.T) {
	var network transcript.Network
	c := fetch.Client{Transports: map[string]fetch.Transport{"ftp": ftp.New(&dial.Dialer{Connect: network.Dial})}}
	for _, url := range []string{
		"ftp://192.0.2.1/x%0D%0ADELE%20y", "ftp://192.0.2.1/x%0A/y", "ftp://192.0.2.1/x%00", "ftp://192.0.2.1/%FF%F4",
		"ftp://u%0Dx@192.0.2.1/", "ftp://u:p%0A@192.0.2.1/",
	} {
		_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Reading {
			t.Errorf("%s: %v", url, err)
		}
	}
	_, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("ftp://192.0.2.1/"), Auth: &fetch.Auth{User: "u\r\nDELE x"}})
	if err == nil {
		t.Error("a user with CR LF is taken")
	}
	if d := network.Dialled(); len(d) != 1 {
		t.Errorf("dialled %v", d)
	}
}

func TestLogin(t *testing.T) {
	for _, tt := range []struct {
		name, url, script string
		auth              *fetch.Auth
		step              string
		kind              error
		said              string
		refused           string // the command that was refused
		hint              string // has this in it
	}{
		{name: "user and password", url: "ftp://alice:s%3Acret@192.0.2.1/motd", script: "S: 220 hi\nC: USER alice\nS: 331 pw\nC: PASS s:cret\nS: 230 in\n" + retr + quit},
		{name: "no password wanted", url: "ftp://alice:secret@192.0.2.1/motd", script: "S: 220 hi\nC: USER alice\nS: 230 in\n" + retr + quit},
		{name: "an empty user", url: "ftp://:p@192.0.2.1/motd", script: "S: 220 hi\nC: USER \nS: 331 pw\nC: PASS p\nS: 230 in\n" + retr + quit},
		{name: "from elsewhere", url: "ftp://192.0.2.1/motd", auth: &fetch.Auth{User: "bob", Password: "x", HasPassword: true}, script: "S: 220 hi\nC: USER bob\nS: 331 pw\nC: PASS x\nS: 230 in\n" + retr + quit},
		{name: "the password from elsewhere", url: "ftp://bob@192.0.2.1/motd", auth: &fetch.Auth{User: "bob", Password: "x", HasPassword: true}, script: "S: 220 hi\nC: USER bob\nS: 331 pw\nC: PASS x\nS: 230 in\n" + retr + quit},
		{name: "a password that nobody gave", url: "ftp://bob@192.0.2.1/motd", script: "S: 220 hi\nC: USER bob\nS: 331 pw please\n", step: fetch.Login, kind: fetch.ErrDenied, said: "331 pw please"},
		{name: "refused", url: "ftp://alice:secret@192.0.2.1/motd", script: "S: 220 hi\nC: USER alice\nS: 331 pw\nC: PASS secret\nS: 530 \\x1b[31mno\nclose", step: fetch.Login, kind: fetch.ErrDenied, said: "530 \x1b[31mno", refused: "PASS"},
		{name: "not even asked for a password", url: "ftp://alice:secret@192.0.2.1/motd", script: "S: 220 hi\nC: USER alice\nS: 530 anonymous alone\nclose", step: fetch.Login, kind: fetch.ErrDenied, said: "530 anonymous alone", refused: "USER"},
		{name: "an account is wanted", url: "ftp://alice:secret@192.0.2.1/motd", script: "S: 220 hi\nC: USER alice\nS: 332 account\n", step: fetch.Login, kind: fetch.ErrDenied, said: "332 account"},
		{name: "in the clear", url: "ftp://192.0.2.1/motd", script: "S: 220 hi\nC: USER anonymous\nS: 530 Anonymous sessions must use encryption.\n", step: fetch.Login, kind: fetch.ErrDenied, said: "530 Anonymous sessions must use encryption.", refused: "USER", hint: "ftps"},
		{name: "in the clear, as others say it", url: "ftp://192.0.2.1/motd", script: "S: 220 hi\nC: USER anonymous\nS: 503 Use AUTH first.\n", step: fetch.Login, kind: fetch.ErrUnsupported, said: "503 Use AUTH first.", refused: "USER", hint: "ftps"},
		{name: "users alone", url: "ftp://192.0.2.1/motd", script: "S: 220 hi\nC: USER anonymous\nS: 530 no\n", step: fetch.Login, kind: fetch.ErrDenied, said: "530 no", refused: "USER", hint: ".netrc"},
		{name: "patience", url: "ftp://192.0.2.1/motd", script: "S: 120 soon\n" + login + retr + quit},
		{name: "a greeting of several lines", url: "ftp://192.0.2.1/motd", script: "S: 220-hello\nS:  220 not yet\nS: 230 nor now\n" + login + retr + quit},
		{name: "busy", url: "ftp://192.0.2.1/motd", script: "S: 421 too many users\nclose", step: fetch.Greeting, kind: fetch.ErrBusy, said: "421 too many users"},
		{name: "another protocol", url: "ftp://192.0.2.1/motd", script: "S: SSH-2.0-OpenSSH_9\nhang", step: fetch.Greeting, kind: fetch.ErrMalformed},
		{name: "nothing", url: "ftp://192.0.2.1/motd", script: "close", step: fetch.Greeting, kind: io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exchange(t, []string{tt.url}, []string{tt.script}, func(_ int, got *fetch.Result, body string, err error) {
				if tt.kind == nil {
					if err != nil || body != "hello\n" {
						t.Errorf("got %q, %v", body, err)
					}
					return
				}
				var e *fetch.Error
				if !errors.As(err, &e) || !errors.Is(err, tt.kind) || e.Step != tt.step || e.Said != tt.said {
					t.Errorf("got %#v", err)
				} else if !strings.Contains(e.Hint, tt.hint) {
					t.Errorf("the hint is %q", e.Hint)
				}
				var refusal *ftp.Refusal
				if tt.refused != "" && (!errors.As(err, &refusal) || refusal.Command != tt.refused) {
					t.Errorf("%s was refused, but: %v", tt.refused, err)
				}
				if text := fmt.Sprint(err); strings.Contains(text, "secret") || strings.Contains(text, "\x1b") {
					t.Errorf("the error shows %q", text)
				}
			}, func(r *fetch.Request) { r.Auth = tt.auth })
		})
	}
}

// TestClearGreeting: a server that is asked for TLS from the first octet, and
// greets, is asked for it by AUTH; nothing else is said to it in the clear.
func TestClearGreeting(t *testing.T) {
	for _, tt := range []struct {
		greeting string
		heard    []string // line by line, beginning with the connection that is made after a greeting
	}{
		{"220 hi\r\n", []string{"AUTH TLS", "AUTH TLS"}},
		{"120 soon\r\n220 hi\r\n", []string{"AUTH TLS", "AUTH TLS"}},
		{"SSH-2.0-OpenSSH_9\r\n", nil},
	} {
		heard := make(chan string, 9)
		serve := func(conn net.Conn) {
			io.WriteString(conn, tt.greeting)
			in := bufio.NewReader(conn)
			if first, err := in.Peek(1); err != nil || first[0] == 0x16 { // a handshake (RFC 8446, section 5.1)
				io.Copy(io.Discard, in)
				return
			}
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				heard <- strings.TrimRight(line, "\r\n")
				io.WriteString(conn, "500 no\r\n")
			}
		}
		fetchtest.Stage(t, "ftps", func(d *dial.Dialer) fetch.Transport { return ftp.New(d) }, map[uint16]func(net.Conn){990: serve}, func(t *testing.T, get fetchtest.Get) {
			for range 2 { // the second time it is known
				_, _, err := get("ftps://192.0.2.1/motd")
				var e *fetch.Error
				if !errors.As(err, &e) || e.Step != fetch.TLS {
					t.Errorf("%q: %v", tt.greeting, err)
				}
			}
		})
		close(heard)
		var got []string
		for line := range heard {
			if line != "QUIT" {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, tt.heard) {
			t.Errorf("%q: heard %q", tt.greeting, got)
		}
	}
}

func TestTransfer(t *testing.T) {
	const begin = login + "C: TYPE I\nS: 200 ok\nC: SIZE motd\n"
	const open = "C: EPSV\nlisten\nS: 229 ok (|||{dataport}|)\n"
	for _, tt := range []struct {
		name, script, url string
		body              string
		size              int64
		status            int
		kind              error
		step              string
	}{
		{name: "226 before the data", script: begin + "S: 213 5\n" + open + "C: RETR motd\nS: 150 ok\nS: 226 done\nD- hello\nenddata\n" + quit, body: "hello", size: 5},
		{name: "226 alone", script: begin + "S: 213 5\n" + open + "C: RETR motd\nS: 226 done\nD- hello\nenddata\n" + quit, body: "hello", size: 5},
		{name: "125 and 250", script: begin + "S: 213 5\n" + open + "C: RETR motd\nS: 125 ok\nD- hello\nenddata\nS: 250 done\n" + quit, body: "hello", size: 5},
		{name: "no SIZE", script: begin + "S: 502 what\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: -1},
		{name: "no SIZE, but told", script: begin + "S: 550 no\n" + open + "C: RETR motd\nS: 150 BINARY (5 bytes)\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 5},
		{name: "no TYPE", script: login + "C: TYPE I\nS: 502 what\nC: SIZE motd\nS: 502 what\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: -1},
		{name: "empty", script: begin + "S: 213 0\n" + open + "C: RETR motd\nS: 150 ok\nenddata\nS: 226 done\n" + quit, size: 0},
		{name: "it grew", script: begin + "S: 213 3\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 3},
		{name: "PASV", script: begin + "S: 213 5\nC: EPSV\nS: 500 what\nC: PASV\nlisten\nS: 227 Entering Passive Mode (192,0,2,1,{p1},{p2}).\nC: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 5},
		{name: "PASV without parentheses", script: begin + "S: 213 5\nC: EPSV\nS: 500 what\nC: PASV\nlisten\nS: 227 Entering Passive Mode =192,0,2,1,{p1},{p2}\nC: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 5},
		{name: "PASV names another machine", script: begin + "S: 213 5\nC: EPSV\nS: 522 no\nC: PASV\nlisten\nS: 227 (10,0,0,1,{p1},{p2})\nC: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 5},
		{name: "a cut answer to EPSV", script: begin + "S: 213 5\nC: EPSV\nS: 229 Extended (|||\nC: PASV\nlisten\nS: 227 (10,0,0,1,{p1},{p2})\nC: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n" + quit, body: "hello", size: 5},
		{name: "a cut answer to PASV", script: begin + "S: 213 5\nC: EPSV\nS: 500 no\nC: PASV\nS: 227 (1,2,3)\n", kind: fetch.ErrMalformed, step: fetch.Asking},
		{name: "nobody at the data port", script: begin + "S: 213 5\nC: EPSV\nS: 229 (|||9|)\n", kind: nil, step: fetch.Connecting, status: -1},
		{name: "cut", script: begin + "S: 213 9\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 426 aborted\n", body: "hello", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "cut, and 226 all the same", script: begin + "S: 213 9\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 226 done\n", body: "hello", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "lost", script: begin + "S: 213 9\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nclose", body: "hello", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "lost after the last octet", script: begin + "S: 213 5\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nclose", body: "hello", size: 5},
		{name: "whole, says the size, but the server regrets", script: begin + "S: 213 5\n" + open + "C: RETR motd\nS: 150 ok\nD- hello\nenddata\nS: 451 disk error\n", body: "hello", kind: fetch.ErrTruncated, step: fetch.Body},
		{name: "not found", script: begin + "S: 550 no\n" + open + "C: RETR motd\nS: 550 no such file\nC: CWD motd\nS: 550 no such folder\n" + quit, kind: fetch.ErrNotFound, step: fetch.Status},
		{name: "not found, and surely a file", url: "ftp://192.0.2.1/motd;type=i", script: begin + "S: 550 no\n" + open + "C: RETR motd\nS: 550 no such file\n" + quit, kind: fetch.ErrNotFound, step: fetch.Status},
		{name: "text", url: "ftp://192.0.2.1/motd;type=a", script: login + "C: TYPE A\nS: 200 ok\n" + open + "C: RETR motd\nS: 150 ok (99 bytes)\nD: hello\nenddata\nS: 226 done\n" + quit, body: "hello\r\n", size: -1},
		{name: "no such folder", url: "ftp://192.0.2.1/a/b/motd", script: login + "C: CWD a\nS: 250 ok\nC: CWD b\nS: 550 no\n" + quit, kind: fetch.ErrNotFound, step: fetch.Status},
		{name: "no empty CWD here", url: "ftp://192.0.2.1//motd", script: login + "C: CWD \nS: 501 what\n" + quit, kind: fetch.ErrUnsupported, step: fetch.Status},
		{name: "thrown out", script: login + "C: TYPE I\nS: 421 too long idle\nclose", kind: fetch.ErrBusy, step: fetch.Asking},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url := tt.url
			if url == "" {
				url = "ftp://192.0.2.1/motd"
			}
			exchange(t, []string{url}, []string{tt.script}, func(_ int, got *fetch.Result, body string, err error) {
				if body != tt.body {
					t.Errorf("body %q, want %q", body, tt.body)
				}
				if tt.step != "" {
					var e *fetch.Error
					if !errors.As(err, &e) || e.Step != tt.step || tt.kind != nil && !errors.Is(err, tt.kind) {
						t.Errorf("got %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got.Size != tt.size {
					t.Errorf("size %d, want %d", got.Size, tt.size)
				}
			})
		})
	}
}

func TestResume(t *testing.T) {
	const begin = login + "C: TYPE I\nS: 200 ok\nC: SIZE motd\nS: 213 9\nC: EPSV\nlisten\nS: 229 ok (|||{dataport}|)\nC: REST 5\n"
	for _, tt := range []struct {
		name, script, body string
		offset, size       int64
	}{
		{"the rest", "S: 350 from there\nC: RETR motd\nS: 150 ok\nD- rest\nenddata\nS: 226 done\n", "rest", 5, 4},
		{"from the beginning", "S: 502 what\nC: RETR motd\nS: 150 ok\nD- hellorest\nenddata\nS: 226 done\n", "hellorest", 0, 9},
	} {
		exchange(t, []string{"ftp://192.0.2.1/motd"}, []string{begin + tt.script + quit}, func(_ int, got *fetch.Result, body string, err error) {
			if err != nil || body != tt.body || got.Offset != tt.offset || got.Size != tt.size {
				t.Errorf("%s: %q, %v", tt.name, body, err)
			}
		}, func(r *fetch.Request) { r.Offset = 5 })
	}
}

func TestHead(t *testing.T) {
	for _, tt := range []struct {
		name, url, script string
		size              int64
		time              string
		listing           bool
		kind              error
	}{
		{name: "a file", url: "/motd", script: "C: TYPE I\nS: 200 ok\nC: SIZE motd\nS: 213 6\nC: MDTM motd\nS: 213 20261130084024\n", size: 6, time: "2026-11-30T08:40:24Z"},
		{name: "a file without a time", url: "/motd", script: "C: TYPE I\nS: 200 ok\nC: SIZE motd\nS: 213 6\nC: MDTM motd\nS: 502 what\n", size: 6, time: "0001-01-01T00:00:00Z"},
		{name: "a folder", url: "/pub/", script: "C: CWD pub\nS: 250 ok\n", size: -1, listing: true},
		{name: "a folder without its slash", url: "/pub", script: "C: TYPE I\nS: 200 ok\nC: SIZE pub\nS: 550 no\nC: CWD pub\nS: 250 ok\n", size: -1, listing: true},
		{name: "not found", url: "/motd", script: "C: TYPE I\nS: 200 ok\nC: SIZE motd\nS: 550 no\nC: CWD motd\nS: 550 no\n", kind: fetch.ErrNotFound},
	} {
		exchange(t, []string{"ftp://192.0.2.1" + tt.url}, []string{login + tt.script + quit}, func(_ int, got *fetch.Result, body string, err error) {
			if !errors.Is(err, tt.kind) || tt.kind == nil && err != nil {
				t.Errorf("%s: %v", tt.name, err)
			} else if err == nil && (body != "" || got.Size != tt.size || got.Listing != tt.listing || tt.time != "" && got.ModTime.Format(time.RFC3339) != tt.time) {
				t.Errorf("%s: %q, %+v", tt.name, body, got.Response)
			}
		}, func(r *fetch.Request) { r.Method = "HEAD" })
	}
	// A server that knows no SIZE begins to send, which we do not wait for.
	exchange(t, []string{"ftp://192.0.2.1/motd"}, []string{login + "C: TYPE I\nS: 200 ok\nC: SIZE motd\nS: 502 what\nC: SIZE motd\nS: 502 what\nC: EPSV\nlisten\nS: 229 ok (|||{dataport}|)\nC: RETR motd\nS: 150 ok (6 bytes)\nD- hello\n"},
		func(_ int, got *fetch.Result, body string, err error) {
			if err != nil || body != "" || got.Size != 6 {
				t.Errorf("%q, %v", body, err)
			}
		}, func(r *fetch.Request) { r.Method = "HEAD" })
}

func TestListing(t *testing.T) {
	const open = "C: EPSV\nlisten\nS: 229 ok (|||{dataport}|)\n"
	for _, tt := range []struct {
		name, url, script string
		entries           []string // type name size url
		final             string
	}{
		{name: "MLSD", url: "/pub/", script: "C: CWD pub\nS: 250 ok\nC: FEAT\nS: 211-Features:\nS:  EPSV\nS:  MLST type*;size*;\nS: 211 End\nC: TYPE A\nS: 200 ok\n" + open +
			"C: MLSD\nS: 150 ok\nD: type=cdir; .\nD: type=pdir; ..\nD: type=dir;modify=20261130084024; sub\nD: Type=file;Size=3000;  odd name\nD: type=file; ../../etc/passwd\nD: type=OS.unix=slink:/x; l\nD: type=file; \nD: type=file; caf\\xe9\nenddata\nS: 226 done\n",
			entries: []string{"dir sub -1 ftp://192.0.2.1/pub/sub/", "file  odd name 3000 ftp://192.0.2.1/pub/%20odd%20name", "file ../../etc/passwd -1 ftp://192.0.2.1/pub/..%2F..%2Fetc%2Fpasswd",
				"link l -1 ftp://192.0.2.1/pub/l", "file caf\xe9 -1 ftp://192.0.2.1/pub/caf%E9"}},
		{name: "LIST", url: "/", script: "C: FEAT\nS: 502 what\nC: TYPE A\nS: 200 ok\n" + open + "C: LIST\nS: 150 ok\nD: total 4\nD: drwxr-xr-x 2 0 0 4096 Nov 30  2025 sub\nD: -rw-r--r-- 1 ftp ftp 280 Nov 30  2025 a;b\nD: who knows\nenddata\nS: 226 done\n",
			entries: []string{"dir sub -1 ftp://192.0.2.1/sub/", "file a;b 280 ftp://192.0.2.1/a%3Bb", "other who knows -1 "}},
		{name: "MLSD promised and not kept", url: "/", script: "C: FEAT\nS: 211-x\nS:  MLST\nS: 211 y\nC: TYPE A\nS: 200 ok\n" + open + "C: MLSD\nS: 500 what\n" + open + "C: LIST\nS: 150 ok\nenddata\nS: 226 done\n"},
		{name: "names", url: "/pub/;type=d", script: "C: CWD pub\nS: 250 ok\nC: TYPE A\nS: 200 ok\n" + open + "C: NLST\nS: 150 ok\nD: a\nD: /pub/b\nD: ./c/\nD: .\nenddata\nS: 226 done\n",
			entries: []string{"other a -1 ftp://192.0.2.1/pub/a", "other b -1 ftp://192.0.2.1/pub/b", "dir c -1 ftp://192.0.2.1/pub/c/"}},
		{name: "names of a folder", url: "/pub/sub;type=D", script: "C: CWD pub\nS: 250 ok\nC: TYPE A\nS: 200 ok\n" + open + "C: NLST sub\nS: 150 ok\nD: sub/x\nenddata\nS: 226 done\n",
			entries: []string{"other x -1 ftp://192.0.2.1/pub/sub/x"}},
		{name: "nothing there", url: "/;type=d", script: "C: TYPE A\nS: 200 ok\n" + open + "C: NLST\nS: 450 No files found\n"},
		{name: "a folder after all", url: "/pub", script: "C: TYPE I\nS: 200 ok\nC: SIZE pub\nS: 550 not a plain file\n" + open + "C: RETR pub\nS: 550 not a plain file\nC: CWD pub\nS: 250 ok\nC: FEAT\nS: 500 what\nC: TYPE A\nS: 200 ok\n" +
			open + "C: LIST\nS: 150 ok\nD: -rw-r--r-- 1 ftp ftp 280 Nov 30  2025 x\nenddata\nS: 226 done\n",
			entries: []string{"file x 280 ftp://192.0.2.1/pub/x"}, final: "ftp://192.0.2.1/pub/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exchange(t, []string{"ftp://192.0.2.1" + tt.url}, []string{login + tt.script + quit}, func(_ int, got *fetch.Result, body string, err error) {
				if err != nil {
					t.Fatal(err)
				}
				var entries []string
				for _, e := range got.Entries {
					entries = append(entries, fmt.Sprint(e.Type, " ", e.Name, " ", e.Size, " ", e.URL))
				}
				if !slices.Equal(entries, tt.entries) {
					t.Errorf("got  %q\nwant %q", entries, tt.entries)
				}
				final := tt.final
				if final == "" {
					final = "ftp://192.0.2.1" + tt.url
				}
				if !got.Listing || got.URL.String() != final || got.Size != int64(len(body)) {
					t.Errorf("%v, %s, %d of %d", got.Listing, got.URL, len(body), got.Size)
				}
			})
		})
	}
	// No password gets into an entry.
	exchange(t, []string{"ftp://u:secret@192.0.2.1/;type=d"}, []string{"S: 220 hi\nC: USER u\nS: 230 in\nC: TYPE A\nS: 200 ok\n" + open + "C: NLST\nS: 150 ok\nD: a\nenddata\nS: 226 done\n" + quit}, func(_ int, got *fetch.Result, body string, err error) {
		if err != nil || len(got.Entries) != 1 || got.Entries[0].URL != "ftp://u@192.0.2.1/a" {
			t.Errorf("%v, %v", got, err)
		}
	})
	// More entries than allowed.
	exchange(t, []string{"ftp://192.0.2.1/;type=d"}, []string{login + "C: TYPE A\nS: 200 ok\n" + open + "C: NLST\nS: 150 ok\nD: a\nD: b\nD: c\nenddata\nS: 226 done\n" + quit}, func(_ int, got *fetch.Result, body string, err error) {
		if !errors.Is(err, fetch.ErrTooLarge) {
			t.Errorf("%v", err)
		}
	}, func(r *fetch.Request) { r.Limits.MaxEntries = 2 })
}

// TestReuse holds RFC 1738, section 3.2.5: a connection serves another URL
// only where its folder cannot mislead.
func TestReuse(t *testing.T) {
	file := func(name string, first bool) string {
		s := "C: EPSV\nlisten\nS: 229 ok (|||{dataport}|)\nC: RETR " + name + "\nS: 150 ok (5 bytes)\nD- hello\nenddata\nS: 226 done\n"
		if first { // the server's 150 says the size, as SIZE confirms once
			return "C: TYPE I\nS: 200 ok\nC: SIZE " + name + "\nS: 213 5\n" + s
		}
		return s
	}
	cwd := func(dir string) string { return "C: CWD " + dir + "\nS: 250 ok\n" }
	for _, tt := range []struct {
		name    string
		urls    []string
		scripts []string
	}{
		{"the same folder", []string{"/a/x", "/a/y"}, []string{login + cwd("a") + file("x", true) + file("y", false) + quit}},
		{"further down", []string{"/a/x", "/a/b/y"}, []string{login + cwd("a") + file("x", true) + cwd("b") + file("y", false) + quit}},
		{"elsewhere", []string{"/a/x", "/b/y"}, []string{login + cwd("a") + file("x", true) + quit, login + cwd("b") + file("y", true) + quit}},
		{"further up", []string{"/a/b/x", "/a/y"}, []string{login + cwd("a") + cwd("b") + file("x", true) + quit, login + cwd("a") + file("y", true) + quit}},
		{"the nearest", []string{"/x", "/a/b/x", "/a/b/y", "/y"}, []string{login + file("x", true) + cwd("a") + cwd("b") + file("x", false) + file("y", false) + quit, login + file("y", true) + quit}},
		{"closed meanwhile", []string{"/x", "/y"}, []string{login + file("x", true) + "close", login + file("y", true) + quit}},
		{"thrown out meanwhile", []string{"/x", "/y"}, []string{login + file("x", true) + "S: 421 idle\nclose", login + file("y", true) + quit}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var urls []string
			for _, u := range tt.urls {
				urls = append(urls, "ftp://192.0.2.1"+u)
			}
			exchange(t, urls, tt.scripts, func(n int, got *fetch.Result, body string, err error) {
				if err != nil || body != "hello" || got.Size != 5 {
					t.Errorf("%s: %q, %v", urls[n], body, err)
				}
			})
		})
	}
	// Never for another user.
	exchange(t, []string{"ftp://a:p@192.0.2.1/x", "ftp://b:p@192.0.2.1/x"}, []string{
		"S: 220 hi\nC: USER a\nS: 230 in\n" + file("x", true) + quit,
		"S: 220 hi\nC: USER b\nS: 230 in\n" + file("x", true) + quit,
	}, func(_ int, got *fetch.Result, body string, err error) {
		if err != nil || body != "hello" {
			t.Errorf("%q, %v", body, err)
		}
	})
}

// TestIdle holds that a kept connection is let go after a while.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		s := server(t, &network, login+retr+quit)
		c := fetch.Client{Transports: map[string]fetch.Transport{"ftp": ftp.New(&dial.Dialer{Connect: network.Dial})}}
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("ftp://192.0.2.1/motd")})
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, got.Body)
		got.Body.Close()
		time.Sleep(20 * time.Second)
		if err := s.Close(); err != nil { // wants QUIT
			t.Error(err)
		}
	})
}

func TestTrace(t *testing.T) {
	var lines []string
	exchange(t, []string{"ftp://u:secret@192.0.2.1/motd"}, []string{"S: 220 hi\nC: USER u\nS: 331 pw\nC: PASS secret\nS: 230 in\n" + retr + quit}, func(_ int, got *fetch.Result, body string, err error) {
		if err != nil {
			t.Error(err)
		}
	}, func(r *fetch.Request) {
		r.Trace = func(e fetch.Event) { lines = append(lines, string(e.Kind)+" "+e.Text) }
	})
	want := []string{"< 220 hi", "> USER u", "< 331 pw", "> PASS ***", "< 230 in", "> TYPE I"}
	if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) || slices.Contains(lines, "> PASS secret") {
		t.Errorf("traced %q", lines)
	}
}

// good serves the suite's one file, as often as it is asked for.
func good(conn net.Conn, listen func() (net.Listener, error)) {
	var data net.Listener
	say := func(format string, args ...any) { fmt.Fprintf(conn, format+"\r\n", args...) }
	defer func() {
		if data != nil {
			data.Close()
		}
	}()
	say("220 ready")
	var buf [1024]byte
	line := ""
	for {
		n, err := conn.Read(buf[:])
		if err != nil {
			return
		}
		line += string(buf[:n])
		for {
			cmd, rest, ok := strings.Cut(line, "\r\n")
			if !ok {
				break
			}
			line = rest
			verb, arg, _ := strings.Cut(cmd, " ")
			switch verb {
			case "USER":
				say("331 mail")
			case "PASS":
				say("230 in")
			case "CWD":
				if arg != "pub" {
					say("550 no")
				} else {
					say("250 ok")
				}
			case "TYPE":
				say("200 ok")
			case "SIZE":
				say("213 14")
			case "MDTM":
				say("213 20261130084024")
			case "EPSV":
				var err error
				if data, err = listen(); err != nil {
					return
				}
				say("229 ok (|||%d|)", data.Addr().(*net.TCPAddr).Port)
			case "RETR":
				say("150 ok")
				c, err := data.Accept()
				data.Close()
				if err != nil {
					return
				}
				io.WriteString(c, "hello, ")
				io.WriteString(c, "world!\n")
				c.Close()
				say("226 done")
			case "QUIT":
				return
			default:
				say("502 what")
			}
		}
	}
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:   func(d *dial.Dialer) fetch.Transport { return ftp.New(d) },
		URL:   "ftp://" + fetchtest.Host + "/pub/motd",
		Want:  "hello, world!\n",
		Head:  true,
		Serve: good,
	})
}
