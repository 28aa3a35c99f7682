package telnet_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/proto/telnet"
)

func get(t *testing.T, server, url string) (*fetch.Result, string) {
	t.Helper()
	tr := telnet.New(&dial.Dialer{})
	c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": tr, "tn3270": tr}}
	fetchtest.Opened(t, server, &c)
	var got *fetch.Result
	var err error
	for range 480 { // two minutes, if need be
		got, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(url), Trace: func(e fetch.Event) { t.Logf("%c %s", e.Kind, e.Text) }})
		if !errors.Is(err, fetch.ErrTruncated) {
			break
		}
		// A host that listens already and has no terminal ready yet hangs up.
		time.Sleep(250 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(b)
}

// TestTelnetd is against GNU inetutils' telnetd, which says nothing before its
// options are answered.
func TestTelnetd(t *testing.T) {
	program := peer.Look(t, "telnetd", "inetutils-telnetd")
	login := filepath.Join(t.TempDir(), "login.sh")
	if err := os.WriteFile(login, []byte("#!/bin/sh\nprintf 'WELCOME to the test\\n'\nprintf 'login: '\nread name\nprintf 'you said %s\\n' \"$name\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	peer.Open(t, filepath.Dir(login))
	addr := peer.Inetd(t, "", program, "-h", "-E", login+",nofork")
	got, body := get(t, peer.Version("inetutils-telnetd"), "telnet://guest@"+addr+"/")
	if !strings.HasPrefix(body, "WELCOME to the test\r\nlogin: ") || strings.Contains(body, "guest") {
		t.Errorf("%q", body)
	}
	if got.Header[telnet.SuggestedUser][0] != "guest" {
		t.Errorf("%q", got.Header)
	}
}

// TestTelnetdTalk talks to it: the terminal's name and size are told, what is
// typed is echoed by the service, and its answer comes.
func TestTelnetdTalk(t *testing.T) {
	program := peer.Look(t, "telnetd", "inetutils-telnetd")
	login := filepath.Join(t.TempDir(), "login.sh")
	if err := os.WriteFile(login, []byte("#!/bin/sh\nprintf 'terminal %s, size %s\\n' \"$TERM\" \"$(stty size)\"\nprintf 'login: '\nread name\nprintf 'you said %s\\n' \"$name\"\nread gone\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	peer.Open(t, filepath.Dir(login))
	addr := peer.Inetd(t, "", program, "-h", "-E", login+",nofork")
	c := fetch.Client{Transports: map[string]fetch.Transport{"telnet": telnet.New(&dial.Dialer{})}}
	s, err := c.Talk(t.Context(), &fetch.Request{URL: anyurl.MustParse("telnet://" + addr + "/")}, fetch.Terminal{Name: "vt100", Size: func() (int, int) { return 132, 43 }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := shows(t, s, "login: "); !strings.Contains(got, "terminal vt100, size 43 132\r\n") {
		t.Errorf("%q", got)
	}
	if !s.Echoes() {
		t.Error("the service echoes")
	}
	if _, err := s.Write([]byte("joe\r")); err != nil {
		t.Fatal(err)
	}
	if got := shows(t, s, "you said joe\r\n"); !strings.HasPrefix(got, "joe\r\n") {
		t.Errorf("%q", got)
	}
	// telnetd drops what a program says as its last: ours waits for one line more.
	if _, err := s.Write([]byte("\r")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, s); err != nil {
		t.Error(err)
	}
}

// TestHercules is against the Hercules emulator's console, which shows its
// logo without any operating system.
func TestHercules(t *testing.T) {
	program := peer.Look(t, "hercules", "hercules")
	dir, port := t.TempDir(), peer.Port(t)
	conf := fmt.Sprintf("CPUSERIAL 000611\nCPUMODEL 3090\nMAINSIZE 16\nNUMCPU 1\nARCHMODE ESA/390\nCNSLPORT 127.0.0.1:%d\n0700 3270\n0701 3270\n", port)
	if err := os.WriteFile(filepath.Join(dir, "hercules.cnf"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-d", "-f", "hercules.cnf")
	cmd.Dir = dir
	p := peer.Start(t, cmd)
	p.Await(t, peer.Addr(port))
	got, body := get(t, peer.Version("hercules"), "tn3270://"+peer.Addr(port)+"/")
	if got.Protocol != "tn3270" || !strings.Contains(body, "Hercules Version  : 3.") || !strings.Contains(body, "Device number") {
		t.Errorf("%s:\n%s", got.Protocol, body)
	}

	c := fetch.Client{Transports: map[string]fetch.Transport{"tn3270": telnet.New(&dial.Dialer{})}}
	s, err := c.Talk(t.Context(), &fetch.Request{URL: anyurl.MustParse("tn3270://" + peer.Addr(port) + "/")}, fetch.Terminal{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var shown strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(shown.String(), "Device number") {
		n, err := s.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v behind %q", err, shown.String())
		}
	}
	if !s.Echoes() || !strings.HasPrefix(shown.String(), "\x1b[H") {
		t.Errorf("no screen is painted: %.80q", shown.String())
	}
}
