//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"anyurl/cmd/anyurl/internal/cli"
)

// openTerminal gives both ends of a pseudo-terminal of 100 columns and 40 rows.
func openTerminal(t *testing.T) (user, tty *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { user.Close() })
	n, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err == nil {
		t.Cleanup(func() { tty.Close() })
		err = unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 100})
	}
	if err != nil {
		t.Fatal(err)
	}
	return user, tty
}

// until reads what the terminal shows until want is there.
func until(t *testing.T, user io.Reader, want string) string {
	t.Helper()
	var all []byte
	buf := make([]byte, 256)
	for !bytes.Contains(all, []byte(want)) {
		n, err := user.Read(buf)
		all = append(all, buf[:n]...)
		if err != nil {
			t.Fatalf("the terminal shows %q, %v; want %q in it", all, err, want)
		}
	}
	return string(all)
}

// TestTalk sits at a terminal and talks to a service: first in lines, which we
// echo, then letter by letter, once the service does.
func TestTalk(t *testing.T) {
	user, tty := openTerminal(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var server sync.WaitGroup
	defer server.Wait()
	server.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		hears := func(want string) {
			got := make([]byte, len(want))
			if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
				t.Errorf("the service hears %q, %v; want %q", got, err, want)
			}
		}
		io.WriteString(conn, "\xff\xfd\x1fname? ")
		hears("\xff\xfb\x1f\xff\xfa\x1f\x00\x64\x00\x28\xff\xf0") // 100 columns, 40 rows
		hears("joe\r\n")
		io.WriteString(conn, "\xff\xfb\x01secret? ")
		hears("\xff\xfd\x01")
		hears("x\r\x00")
		io.WriteString(conn, "welcome\r\n")
		io.Copy(io.Discard, conn)
	})
	var words bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- cli.Run(context.Background(), cli.Env{
			Args: []string{"get", "telnet://guest:sesame@" + l.Addr().String() + "/"}, In: tty, Out: tty, Err: &words,
			Getenv: func(name string) string { return map[string]string{"TERM": "vt100"}[name] },
		})
	}()
	until(t, user, "name? ")
	io.WriteString(user, "joq\x7fe\r")
	if echo := until(t, user, "secret? "); !strings.Contains(echo, "joq\b \be\r\n") {
		t.Errorf("what was typed shows as %q", echo)
	}
	io.WriteString(user, "x\r")
	if echo := until(t, user, "welcome\r\n"); strings.Contains(echo, "x") {
		t.Errorf("the service echoes, and we do, too: %q", echo)
	}
	io.WriteString(user, "\x1dp")
	until(t, user, "[the URL's password is sesame]")
	io.WriteString(user, "\x1dq")
	if status := <-ended; status != 0 {
		t.Errorf("status %d: %s", status, words.String())
	}
	for _, want := range []string{`the URL suggests the user name guest`, "the session is over"} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("%q is not said: %s", want, words.String())
		}
	}
	if strings.Contains(words.String(), "sesame") {
		t.Errorf("the password is told unasked: %s", words.String())
	}
}

// TestCapture holds that --capture does not talk at a terminal, either.
func TestCapture(t *testing.T) {
	user, tty := openTerminal(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			io.WriteString(conn, "hello\r\n")
			conn.Close()
		}
	}()
	go io.Copy(io.Discard, user)
	var words bytes.Buffer
	status := cli.Run(context.Background(), cli.Env{
		Args: []string{"get", "--capture", "telnet://" + l.Addr().String() + "/"}, In: tty, Out: tty, Err: &words,
		Getenv: func(string) string { return "" },
	})
	if status != 0 || strings.Contains(words.String(), "^]") {
		t.Errorf("status %d: %s", status, words.String())
	}
}
