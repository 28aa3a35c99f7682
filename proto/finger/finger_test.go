package finger_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/internal/peer"
	"anyurl/internal/transcript"
	"anyurl/proto/finger"
)

func Example() {
	var network transcript.Network
	l, _ := network.Listen(netip.MustParseAddrPort("192.0.2.1:79"))
	s := transcript.Server{Scripts: []transcript.Script{transcript.Parse(`
		C: joe
		S: Plan: tulips
		close
	`)}}
	s.Start(l)

	client := fetch.Client{Transports: map[string]fetch.Transport{"finger": finger.New(&dial.Dialer{Connect: network.Dial})}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("finger://192.0.2.1/joe")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%q\n", body)
	// Output:
	// "Plan: tulips\r\n"
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New: func(d *dial.Dialer) fetch.Transport { return finger.New(d) }, URL: "finger://" + fetchtest.Host + ":79/joe", Want: "Login: joe\r\nNo Plan.\r\n",
		Head: true, EndsByClose: true, AnythingGoes: true,
		Serve: func(conn net.Conn, _ func() (net.Listener, error)) {
			if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil && line == "joe\r\n" {
				io.WriteString(conn, "Login: joe\r\nNo Plan.\r\n")
			}
		},
	})
}

// get fetches url from a server that plays the script.
func get(t *testing.T, url, script string) (body string, err error) {
	t.Helper()
	_, body, err = fetchtest.Play(t, 79, open, fetchtest.Ask(url), script)
	return body, err
}

func open(d *dial.Dialer) fetch.Transport { return finger.New(d) }

// TestRequest: RFC 1288, section 2.3.
func TestRequest(t *testing.T) {
	for _, tt := range []struct{ tail, sent string }{
		{"", ""}, // {C}
		{"/", ""},
		{"/joe", "joe"},           // {Q1}
		{"/%2FW%20joe", "/W joe"}, // {Q1} with {W}
		{"/joe@b.example", "joe@b.example"},
		{"/caf%C3%A9", `caf\xc3\xa9`},
	} {
		if body, err := get(t, "finger://192.0.2.1"+tt.tail, "C: "+tt.sent+"\nS: ok\nclose"); err != nil || body != "ok\r\n" {
			t.Errorf("%s: %q, %v", tt.tail, body, err)
		}
	}
	if _, err := get(t, "finger://192.0.2.1/joe", "C: joe\nclose"); !errors.Is(err, fetch.ErrNotFound) {
		t.Errorf("no answer: %v", err)
	}
}

func TestNothingIsSent(t *testing.T) {
	fetchtest.SaysNothing(t, open, "finger://192.0.2.1/joe%0D%0Aann", "finger://192.0.2.1/joe%00", "finger://192.0.2.1/%FF%F4")
}

// TestFingerd is against NetKit's in.fingerd, with a script as its finger.
func TestFingerd(t *testing.T) {
	program := peer.Look(t, "in.fingerd", "fingerd")
	script := filepath.Join(t.TempDir(), "finger.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"asked: $*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	peer.Open(t, filepath.Dir(script))
	addr := peer.Inetd(t, "nobody", program, "-p", script+",nofork")
	c := fetch.Client{Transports: map[string]fetch.Transport{"finger": finger.New(&dial.Dialer{})}}
	fetchtest.Opened(t, peer.Version("fingerd"), &c)
	for tail, want := range map[string]string{"/": "asked:", "/joe": "joe", "/%2FW%20joe": "-l"} {
		got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("finger://" + addr + tail)})
		if err != nil {
			t.Errorf("%s: %v", tail, err)
			continue
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || !strings.Contains(string(body), "asked:") || !strings.Contains(string(body), want) {
			t.Errorf("%s: %q, %v", tail, body, err)
		}
	}
}
