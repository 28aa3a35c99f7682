package telnet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	"anyurl/proto/telnet"
)

// talk runs a session with a server in memory, which serve plays.
func talk(t *testing.T, url string, serve func(t *testing.T, conn net.Conn), user func(t *testing.T, s fetch.Session, err error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		u := anyurl.MustParse(url)
		port := u.EffectivePort()
		if port == 0 {
			port = map[string]uint16{"telnet": 23, "tn3270": 23, "rlogin": 513}[u.Scheme()]
		}
		l, err := network.Listen(netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port))
		if err != nil {
			t.Fatal(err)
		}
		var served sync.WaitGroup
		served.Go(func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			serve(t, conn)
		})
		tr := telnet.New(&dial.Dialer{Connect: network.Dial})
		c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": tr, "tn3270": tr, "rlogin": &fetch.Retry{Transport: tr}}}
		s, err := c.Talk(t.Context(), &fetch.Request{URL: u}, fetch.Terminal{Name: "xterm-256color", Size: func() (int, int) { return 255, 50 }})
		user(t, s, err)
		if err == nil {
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Error(err)
			}
		}
		l.Close()
		served.Wait()
	})
}

// wants reads from the user's side exactly what stands in want.
func wants(t *testing.T, conn net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Errorf("the client says %q, %v; want %q", got, err, want)
	}
}

// shows reads from a session until text ends with want.
func shows(t *testing.T, s fetch.Session, want string) string {
	t.Helper()
	var all strings.Builder
	buf := make([]byte, 512)
	for !strings.HasSuffix(all.String(), want) {
		n, err := s.Read(buf)
		all.Write(buf[:n])
		if err != nil {
			t.Errorf("the session shows %q, %v; want %q at its end", all.String(), err, want)
			return all.String()
		}
	}
	return all.String()
}

func TestTalk(t *testing.T) {
	talk(t, "telnet://guest@192.0.2.1/", func(t *testing.T, conn net.Conn) {
		// On Telnet's own port the client asks first: DO SUPPRESS-GO-AHEAD, WILL TERMINAL-TYPE.
		wants(t, conn, "\xff\xfd\x03\xff\xfb\x18")
		io.WriteString(conn, "\xff\xfb\x03\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0")
		wants(t, conn, "\xff\xfa\x18\x00XTERM-256COLOR\xff\xf0")
		io.WriteString(conn, "\xff\xfb\x01\xff\xfd\x1f") // WILL ECHO, DO NAWS
		wants(t, conn, "\xff\xfd\x01\xff\xfb\x1f\xff\xfa\x1f\x00\xff\xff\x00\x32\xff\xf0")
		io.WriteString(conn, "login: ")
		wants(t, conn, "joe\xff\xff\r\x00")
		wants(t, conn, "\xff\xfa\x1f\x00\xff\xff\x00\x32\xff\xf0")
		io.WriteString(conn, "bye\r\n")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Echoes() {
			t.Error("the server echoes before it said so")
		}
		shows(t, s, "login: ")
		if !s.Echoes() {
			t.Error("the server said that it echoes")
		}
		if _, err := s.Write([]byte("joe\xff\r")); err != nil {
			t.Error(err)
		}
		if err := s.Resize(); err != nil {
			t.Error(err)
		}
		shows(t, s, "bye\r\n")
		if n, err := s.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("behind the end: %d, %v", n, err)
		}
	})
	talk(t, "telnet://192.0.2.1:4000/", func(t *testing.T, conn net.Conn) {
		// On another port it waits to be asked, and no window was asked for.
		io.WriteString(conn, "? ")
		wants(t, conn, "xyzzy\r\n")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		shows(t, s, "? ")
		if err := s.Resize(); err != nil || s.Echoes() {
			t.Error(err, s.Echoes())
		}
		s.Write([]byte("xyzzy\r\n"))
	})
}

// TestTalkLasts holds that a long session may negotiate more often than a
// capture, as long as text stands between.
func TestTalkLasts(t *testing.T) {
	talk(t, "telnet://192.0.2.1:4000/", func(t *testing.T, conn net.Conn) {
		for range 300 {
			io.WriteString(conn, "\xff\xfb\x01\xff\xfc\x01.")
			wants(t, conn, "\xff\xfd\x01\xff\xfe\x01")
		}
		io.WriteString(conn, "!")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		if got := shows(t, s, "!"); len(got) != 301 {
			t.Errorf("%d octets", len(got))
		}
	})
}

func TestTalkRlogin(t *testing.T) {
	talk(t, "rlogin://guest@192.0.2.1/", func(t *testing.T, conn net.Conn) {
		wants(t, conn, "\x00\x00\x00xterm-256color/38400\x00")
		io.WriteString(conn, "\x00login: ")
		wants(t, conn, "joe\r")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		shows(t, s, "login: ")
		if !s.Echoes() || s.Resize() != nil {
			t.Error("an rlogin server echoes, and is told no size")
		}
		s.Write([]byte("joe\r"))
	})
	talk(t, "rlogin://192.0.2.1/", func(t *testing.T, conn net.Conn) {
		wants(t, conn, "\x00\x00\x00xterm-256color/38400\x00")
		io.WriteString(conn, "\x01Permission denied.\r\n")
	}, func(t *testing.T, s fetch.Session, err error) {
		var e *fetch.Error
		if !errors.As(err, &e) || e.Step != fetch.Login || e.Said != "Permission denied." {
			t.Errorf("%v", err)
		}
	})
}

func TestTalk3270(t *testing.T) {
	talk(t, "tn3270://192.0.2.1/", func(t *testing.T, conn net.Conn) {
		for _, p := range into3270 {
			io.WriteString(conn, p.say)
			wants(t, conn, p.want)
		}
		// Erase/Write, keyboard free: "NAME " protected, a field of nine, the
		// cursor in it, and a protected rest.
		io.WriteString(conn, "\xf5\xc2\x1d\x60\xd5\xc1\xd4\xc5\x40\x1d\x40\x13\x11\x40\x50\x1d\x60\xff\xef")
		// Enter, the cursor behind what was typed, and the field's text.
		wants(t, conn, "\x7d\x40\x4a\x11\x40\xc7\x91\x96\x85\xff\xef")
		io.WriteString(conn, "\xf5\xc2\xc2\xe8\xc5\xff\xef")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		first := shows(t, s, "\x1b[1;8H") // row 1, column 8: behind the field's attribute
		if !strings.Contains(first, "NAME") || !strings.Contains(first, "ready") || !s.Echoes() {
			t.Errorf("%q", first)
		}
		s.Write([]byte("jox\x7fe"))
		typed := shows(t, s, "\x1b[1;11H")
		if !strings.Contains(typed, "\x1b[4mjoe") {
			t.Errorf("%q", typed)
		}
		s.Write([]byte("\r"))
		// The host may have answered before the first picture was looked at, and then
		// both come at once.
		shown := shows(t, s, "H")
		for !strings.Contains(shown, "BYE") && !t.Failed() {
			shown += shows(t, s, "H")
		}
		if before, _, _ := strings.Cut(shown, "BYE"); !strings.Contains(before, "wait for the host") {
			t.Errorf("%q", shown)
		}
	})
}

// TestPress is the 3270 keyboard: what a key does to a screen with two fields
// that may be written to, at places 6 to 9 and 86 to 89, and what it sends.
func TestPress(t *testing.T) {
	const form = "\xf5\xc3" +
		"\x11\x40\xc5\x1d\x40\x13" + "\x11\x40\x4a\x1d\xf0" + // 5: open; 10: protected, skipped
		"\x11\xc1\xd5\x1d\x40" + "\x11\xc1\x5a\x1d\x60" // 85: open; 90: protected
	type press struct {
		letter rune
		key    telnet.Key
	}
	letters := func(s string) (out []press) {
		for _, r := range s {
			out = append(out, press{letter: r})
		}
		return out
	}
	keys := func(ks ...telnet.Key) (out []press) {
		for _, k := range ks {
			out = append(out, press{key: k})
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		presses [][]press
		reply   string // of the last
		refused bool   // the last
	}{
		{"Enter alone", [][]press{keys(telnet.Enter)}, "\x7d\x40\xc6", false},
		{"text", [][]press{letters("ab"), keys(telnet.Enter)}, "\x7d\x40\xc8\x11\x40\xc6\x81\x82", false},
		{"a full field leads on to the next", [][]press{letters("abcde"), keys(telnet.Enter)}, "\x7d\xc1\xd7\x11\x40\xc6\x81\x82\x83\x84\x11\xc1\xd6\x85", false},
		{"Tab and BackTab", [][]press{keys(telnet.Tab), letters("x"), keys(telnet.BackTab, telnet.BackTab), letters("y"), keys(telnet.Enter)}, "\x7d\x40\xc7\x11\x40\xc6\xa8\x11\xc1\xd6\xa7", false},
		{"BackTab within a field", [][]press{letters("abc"), keys(telnet.BackTab), letters("x"), keys(telnet.Enter)}, "\x7d\x40\xc7\x11\x40\xc6\xa7\x82\x83", false},
		{"Home", [][]press{keys(telnet.Down, telnet.Home, telnet.Enter)}, "\x7d\x40\xc6", false},
		{"arrows go round", [][]press{keys(telnet.Up, telnet.Up, telnet.Left, telnet.Right, telnet.Down, telnet.Down, telnet.Enter)}, "\x7d\x40\xc6", false},
		{"Newline", [][]press{keys(telnet.Newline, telnet.Enter)}, "\x7d\xc1\xd6", false},
		{"Backspace", [][]press{letters("abc"), keys(telnet.Backspace, telnet.Enter)}, "\x7d\x40\xc8\x11\x40\xc6\x81\x82", false},
		{"Backspace stops at the field", [][]press{keys(telnet.Backspace)}, "", true},
		{"Delete pulls up", [][]press{letters("abc"), keys(telnet.Left, telnet.Left, telnet.Delete, telnet.Enter)}, "\x7d\x40\xc7\x11\x40\xc6\x81\x83", false},
		{"erase to the end", [][]press{letters("abc"), keys(telnet.Left, telnet.Left, telnet.EraseEnd, telnet.Enter)}, "\x7d\x40\xc7\x11\x40\xc6\x81", false},
		{"erase all input", [][]press{letters("abcde"), keys(telnet.EraseInput, telnet.Enter)}, "\x7d\x40\xc6", false},
		{"PF keys", [][]press{letters("a"), keys(telnet.PF1 + 23)}, "\x4c\x40\xc7\x11\x40\xc6\x81", false},
		{"PA keys tell themselves alone", [][]press{letters("a"), keys(telnet.PA2)}, "\x6e", false},
		{"Clear", [][]press{letters("a"), keys(telnet.Clear)}, "\x6d", false},
		{"no key past PF24", [][]press{keys(telnet.PF1 + 24)}, "", true},
		{"the keyboard is locked behind a key", [][]press{keys(telnet.Enter, telnet.Tab)}, "", true},
		{"a protected place", [][]press{keys(telnet.Up), letters("a")}, "", true},
		{"a letter that EBCDIC has not", [][]press{letters("語")}, "", true},
		{"other letters", [][]press{letters("é["), keys(telnet.Enter)}, "\x7d\x40\xc8\x11\x40\xc6\x51\xba", false},
	} {
		var s telnet.Screen
		if _, err := s.Apply([]byte(form)); err != nil {
			t.Fatal(err)
		}
		var reply []byte
		ok := true
		for _, some := range tt.presses {
			for _, p := range some {
				if p.letter != 0 {
					reply, ok = nil, s.Type(p.letter)
				} else {
					reply, ok = s.Press(p.key)
				}
			}
		}
		if string(reply) != tt.reply || ok == tt.refused {
			t.Errorf("%s: %x, %v; want %x, %v", tt.name, reply, ok, tt.reply, !tt.refused)
		}
	}
	var s telnet.Screen // a host that asks: what was typed, and all there is
	s.Apply([]byte(form))
	s.Type('a')
	if reply, err := s.Apply([]byte("\xf6")); string(reply) != "\x60\x40\xc7\x11\x40\xc6\x81" || err != nil {
		t.Errorf("Read Modified: %x, %v", reply, err)
	}
	reply, err := s.Apply([]byte("\xf2"))
	if want := "\x60\x40\xc7\x00\x00\x00\x00\x00\x1d\xc1\x81\x00\x00\x00\x1d\xf0"; err != nil || !strings.HasPrefix(string(reply), want) || len(reply) != 3+1920+4 {
		t.Errorf("Read Buffer: %x, %v", reply, err)
	}
	var free telnet.Screen // without fields, all may be written to
	free.Apply([]byte("\xf5\xc3"))
	for _, r := range "hi" {
		free.Type(r)
	}
	if reply, ok := free.Press(telnet.Enter); string(reply) != "\x7d\x40\xc2\x88\x89" || !ok {
		t.Errorf("without fields: %x", reply)
	}
}

func TestTalkEnds(t *testing.T) {
	talk(t, "tn3270://192.0.2.1/", func(t *testing.T, conn net.Conn) {
		io.WriteString(conn, "no terminal is free\r\n")
	}, func(t *testing.T, s fetch.Session, err error) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(s)
		if string(got) != "no terminal is free\r\n" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := s.Write([]byte("x")); err == nil {
			t.Error("a session that is over takes keys")
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:4000"))
		defer l.Close()
		go func() {
			if conn, err := l.Accept(); err == nil {
				io.Copy(io.Discard, conn)
			}
		}()
		c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": telnet.New(&dial.Dialer{Connect: network.Dial})}}
		s, err := c.Talk(ctx, &fetch.Request{URL: anyurl.MustParse("telnet://192.0.2.1:4000/")}, fetch.Terminal{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		s.Close()
	})
}

func ExampleScreen_Press() {
	var s telnet.Screen
	// A field that may be written to, and the cursor in it.
	s.Apply([]byte("\xf5\xc2\x1d\x40\x13"))
	for _, r := range "HI" {
		s.Type(r)
	}
	record, _ := s.Press(telnet.Enter)
	fmt.Printf("%x\n", record)
	// Output: 7d40c31140c1c8c9
}
