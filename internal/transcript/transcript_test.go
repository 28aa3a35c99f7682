package transcript_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"anyurl/internal/transcript"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// play runs a script against a client and returns what Close says.
func play(t *testing.T, script string, client func(conn net.Conn, network *transcript.Network)) error {
	t.Helper()
	var network transcript.Network
	l, err := network.Listen(netip.AddrPortFrom(loopback, 21))
	if err != nil {
		t.Fatal(err)
	}
	s := transcript.Server{
		Listen:  func() (net.Listener, error) { return network.Listen(netip.AddrPortFrom(loopback, 0)) },
		Scripts: []transcript.Script{transcript.Parse(script)},
	}
	s.Start(l)
	conn, err := network.Dial(t.Context(), "tcp", netip.AddrPortFrom(loopback, 21))
	if err != nil {
		t.Fatal(err)
	}
	client(conn, &network)
	conn.Close()
	return s.Close()
}

func ExampleServer() {
	var network transcript.Network
	at := netip.MustParseAddrPort("192.0.2.1:79")
	l, _ := network.Listen(at)
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		C: alice
		S: In real life: Alice
	`)}}
	s.Start(l)

	conn, _ := network.Dial(context.Background(), "tcp", at)
	io.WriteString(conn, "alice\r\n")
	answer, _ := io.ReadAll(conn)
	conn.Close()
	fmt.Printf("%q, %v\n", answer, s.Close())
	// Output:
	// "In real life: Alice\r\n", <nil>
}

func TestServer(t *testing.T) {
	const script = `
		# a comment
		S: 220 ready\t\x07
		C: PASV
		listen
		S: 227 ({p1},{p2}) {dataport}
		D: one
		D- two
		enddata
		S- end
		close`
	synctest.Test(t, func(t *testing.T) {
		err := play(t, script, func(conn net.Conn, network *transcript.Network) {
			r := bufio.NewReader(conn)
			if line, _ := r.ReadString('\n'); line != "220 ready\t\x07\r\n" {
				t.Errorf("greeting %q", line)
			}
			io.WriteString(conn, "PASV\r\n")
			var hi, lo, port int
			line, _ := r.ReadString('\n')
			if _, err := fmt.Sscanf(line, "227 (%d,%d) %d", &hi, &lo, &port); err != nil || hi<<8+lo != port {
				t.Fatalf("%q: %v", line, err)
			}
			data, err := network.Dial(t.Context(), "tcp", netip.AddrPortFrom(loopback, uint16(port)))
			if err != nil {
				t.Fatal(err)
			}
			defer data.Close()
			if got, err := io.ReadAll(data); string(got) != "one\r\ntwo" || err != nil {
				t.Errorf("data %q, %v", got, err)
			}
			if got, err := io.ReadAll(r); string(got) != "end" || err != nil {
				t.Errorf("rest %q, %v", got, err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestServerFaults(t *testing.T) {
	for _, tt := range []struct{ script, says, want string }{
		{"C: a", "a\r\n", ""},
		{"C: a", "b\r\n", `line 1: want "a\r\n", got "b\r\n"`},
		{"C: a", "a\n", `line 1: want "a\r\n", got "a\n"`},
		{"C: a\nC: b", "a\r\n", `line 2: want "b", but the client went away`},
		{"hang\nC: b", "", `line 2: want "b", but the client went away`},
		{"C: a\nhang", "a\r\n", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := ""
			if err := play(t, tt.script, func(conn net.Conn, _ *transcript.Network) {
				io.WriteString(conn, tt.says)
				synctest.Wait()
			}); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.script, got, tt.want)
			}
		})
	}
}

func TestReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := play(t, "S: lost\nreset", func(conn net.Conn, _ *transcript.Network) {
			synctest.Wait()
			if _, err := conn.Read(make([]byte, 9)); !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("a read after the reset gives %v", err)
			}
			if _, err := conn.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
				t.Errorf("a write after the reset gives %v", err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		at := netip.MustParseAddrPort("[2001:db8::1]:70")
		if _, err := network.Dial(t.Context(), "tcp", at); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("nobody listens, but dialling gives %v", err)
		}
		l, err := network.Listen(at)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := network.Listen(at); !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("a second listener gives %v", err)
		}
		a, err := network.Dial(t.Context(), "tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if a.RemoteAddr().String() != at.String() || a.LocalAddr().String() != b.RemoteAddr().String() {
			t.Errorf("addresses %v, %v", a, b)
		}

		// Both ends may write first, up to the window; then a write waits for
		// a read or its deadline.
		io.WriteString(a, "from a")
		io.WriteString(b, "from b")
		start := time.Now()
		a.SetWriteDeadline(start.Add(time.Minute))
		n, err := a.Write(make([]byte, 1<<20))
		if !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 || n >= 1<<20 || time.Since(start) != time.Minute {
			t.Errorf("a full window gives %d, %v after %v", n, err, time.Since(start))
		}
		buf := make([]byte, 6)
		if io.ReadFull(a, buf); string(buf) != "from b" {
			t.Errorf("a reads %q", buf)
		}
		a.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := a.Read(buf); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a silent peer gives %v", err)
		}
		a.(interface{ CloseWrite() error }).CloseWrite()
		if got, err := io.ReadAll(b); !strings.HasPrefix(string(got), "from a") || len(got) != 6+n || err != nil {
			t.Errorf("b reads %d octets, %v", len(got), err)
		}
		io.WriteString(b, "still")
		a.SetReadDeadline(time.Time{})
		if n, err := a.Read(buf); string(buf[:n]) != "still" || err != nil {
			t.Errorf("after its half close a reads %q, %v", buf[:n], err)
		}
		a.Close()
		if _, err := a.Read(buf); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a closed end reads %v", err)
		}
		if err := a.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("closing twice gives %v", err)
		}
		b.Close()
		l.Close()
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a closed listener gives %v", err)
		}
		if got := network.Dialled(); len(got) != 2 || got[1] != at {
			t.Errorf("dialled %v", got)
		}
	})
}

func TestHostile(t *testing.T) {
	const script = `[{"send": "220 \u00ff\r\n"}, {"wait_for": "USER"}, {"send_repeat": ["ab", 3]}, {"send_hex": "0d0a"},
		{"wait_for": "TYPE|EPSV"},
		{"on": "EPSV", "listen_data": true, "send": "229 {dataport}\r\n"}, {"on": "RETR", "send": "150\r\n"},
		{"sleep_ms": 500}, {"data": "body"}, {"data_repeat": ["x", 2]}, {"close_data": true}, {"send": "226\r\n"}]`
	var h transcript.Hostile
	if err := json.Unmarshal([]byte(script), &h); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		a, b := transcript.Pipe(netip.AddrPortFrom(loopback, 1), netip.AddrPortFrom(loopback, 2))
		go func() {
			defer b.Close()
			err := h.Play(b, func() (net.Listener, error) { return network.Listen(netip.AddrPortFrom(loopback, 0)) },
				func(line string) string { return "502 " + line + "\r\n" })
			if err != nil {
				t.Error(err)
			}
		}()
		r := bufio.NewReader(a)
		ask := func(say, want string) string {
			t.Helper()
			io.WriteString(a, say)
			got, _ := r.ReadString('\n')
			if !strings.HasPrefix(got, want) {
				t.Fatalf("%q gives %q, want %q", say, got, want)
			}
			return strings.TrimSpace(got)
		}
		ask("", "220 \xff\r\n")
		ask("USER x\r\n", "ababab\r\n")
		ask("TYPE I\r\n", "502 TYPE I\r\n")
		var port uint16
		fmt.Sscanf(ask("EPSV\r\n", "229 "), "229 %d", &port)
		data, err := network.Dial(t.Context(), "tcp", netip.AddrPortFrom(loopback, port))
		if err != nil {
			t.Fatal(err)
		}
		ask("NOOP\r\n", "502 NOOP\r\n")
		ask("RETR f\r\n", "150\r\n")
		if got, err := io.ReadAll(data); string(got) != "bodyxx" || err != nil {
			t.Errorf("data %q, %v", got, err)
		}
		ask("", "226\r\n")
		ask("", "") // the script is over
		data.Close()
		a.Close()
	})
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{"X: 1", "listens", `S: \q`} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken for a script", s)
				}
			}()
			transcript.Parse(s)
		}()
	}
}

func TestPacketPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n transcript.Network
		at := netip.MustParseAddrPort("192.0.2.1:1525")
		l, err := n.Listen(at)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ours, err := n.Dial(t.Context(), "udp", at)
		if err != nil || ours.RemoteAddr().Network() != "udp" {
			t.Fatal(ours, err)
		}
		theirs, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		// Datagrams stay apart, and are cut where they do not fit.
		ours.Write([]byte("first"))
		ours.Write([]byte("second"))
		b := make([]byte, 5)
		for _, want := range []string{"first", "secon"} {
			if n, err := theirs.Read(b); err != nil || string(b[:n]) != want {
				t.Errorf("read %q, %v, want %q", b[:n], err, want)
			}
		}
		theirs.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := theirs.Read(b); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("past the deadline: %v", err)
		}
		// A sender waits for room, and not beyond its deadline.
		theirs.SetWriteDeadline(time.Now().Add(time.Second))
		for {
			if _, err := theirs.Write(b); err != nil {
				if !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error(err)
				}
				break
			}
		}
		// Nobody there shows at the read after the next write.
		theirs.Close()
		for _, err = ours.Read(b); err == nil; _, err = ours.Read(b) {
			if _, err := ours.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("nobody there: %v", err)
		}
		ours.Close()
		if _, err := ours.Write(b); !errors.Is(err, net.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	})
}
