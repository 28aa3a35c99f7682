package demo_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"anyurl/cmd/anyurl/internal/demo"
)

func start(t testing.TB) *demo.Internet {
	t.Helper()
	n, err := demo.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

func ExampleStart() {
	n, err := demo.Start(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	conn, err := net.Dial("tcp", n.Gopher)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	fmt.Fprint(conn, "/hours.txt\r\n")
	answer, _ := io.ReadAll(conn)
	fmt.Printf("%q\n", answer)
	// Output: "Open as long as the demo runs.\r\n.\r\n"
}

func TestWeb(t *testing.T) {
	n := start(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, want := range map[string]int{"/": 200, "/notes.html": 200, "/old-notes.html": 301, "/today": 302, "/members": 401, "/guests.html": 404} {
		for _, method := range []string{"GET", "HEAD"} {
			req, err := http.NewRequest(method, "http://"+n.Web+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s %s: got %d, want %d", method, path, resp.StatusCode, want)
			}
		}
	}
}

func TestGopher(t *testing.T) {
	n := start(t)
	_, port, _ := net.SplitHostPort(n.Gopher)
	for _, tt := range []struct{ selector, want string }{ // RFC 1436, section 3
		{"", "iA small hole in the ground\t\terror.host\t1\r\n0about.txt\t/about.txt\t127.0.0.1\t" + port + "\r\n0hours.txt\t/hours.txt\t127.0.0.1\t" + port + "\r\n.\r\n"},
		{"/hours.txt", "Open as long as the demo runs.\r\n.\r\n"},
		{"/../../go.mod", "3'/../../go.mod' does not exist\t\terror.host\t1\r\n.\r\n"},
	} {
		conn, err := net.Dial("tcp", n.Gopher)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s\r\n", tt.selector)
		got, err := io.ReadAll(conn)
		conn.Close()
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.selector, got, err, tt.want)
		}
	}
}

func TestFTP(t *testing.T) {
	n := start(t)
	conn, err := net.Dial("tcp", n.FTP)
	if err != nil {
		t.Fatal(err)
	}
	c := textproto.NewConn(conn)
	defer c.Close()
	if _, _, err := c.ReadResponse(220); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		say  string
		want int
	}{ // RFC 959, section 5.4
		{"CWD /docs", 530},
		{"USER root", 331},
		{"PASS x", 530},
		{"USER anonymous", 331},
		{"PASS guest@", 230},
		{"TYPE I", 200},
		{"CWD docs", 250},
		{"SIZE uniform.txt", 213},
		{"SIZE universal.txt", 550},
		{"CWD nowhere", 550},
		{"CWD ../../..", 250},
		{"STOR x", 550},
		{"RETR motd", 425},
		{"PORT 127,0,0,1,4,0", 502},
	} {
		if err := c.PrintfLine("%s", tt.say); err != nil {
			t.Fatal(err)
		}
		if code, says, err := c.ReadResponse(tt.want); err != nil {
			t.Errorf("%s: got %d %s, want %d", tt.say, code, says, tt.want)
		}
	}
	for say, want := range map[string]string{
		"RETR motd": "Welcome to a small FTP server on loopback. It gives; it takes nothing.\n",
		"NLST":      "docs\r\nmotd\r\n",
		"MLSD docs": "type=file;size=55;modify=19940101000000; uniform.txt\r\n",
	} {
		if got := transfer(t, c, say); got != want {
			t.Errorf("%s: got %q, want %q", say, got, want)
		}
	}
}

// transfer runs a command over a passive data connection.
func transfer(t *testing.T, c *textproto.Conn, say string) string {
	t.Helper()
	c.PrintfLine("EPSV")
	_, says, err := c.ReadResponse(229)
	if err != nil {
		t.Fatal(err)
	}
	port := says[strings.Index(says, "(|||")+4 : strings.Index(says, "|)")]
	data, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	c.PrintfLine("%s", say)
	if _, _, err := c.ReadResponse(150); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(bufio.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.ReadResponse(226); err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// TestSample holds that the sample names every server.
func TestSample(t *testing.T) {
	n := start(t)
	text := n.Sample()
	for _, server := range servers(n) {
		if !strings.Contains(text, "//"+server) {
			t.Errorf("the sample links to nothing on %s", server)
		}
	}
}

// TestCloseEndsConversations holds that Close does not wait for a client that
// says nothing.
func TestCloseEndsConversations(t *testing.T) {
	n, err := demo.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{n.Web, n.FTP, n.Gopher} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	n.Close()
}
