package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"anyurl"
	"anyurl/cmd/anyurl/internal/demo"
	"anyurl/percent"
)

// A words is a place for a log that is read while it is written.
type words struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// serving starts the command and gives its address; end interrupts it and gives
// its status.
func serving(t *testing.T, args ...string) (at string, log *words, end func() int) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	log = &words{}
	status := make(chan int, 1)
	go func() {
		status <- Run(ctx, Env{Args: append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), In: strings.NewReader(""), Out: w, Err: log,
			Getenv: func(string) string { return "" }})
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("it does not serve: %v\n%s", err, log)
	}
	go io.Copy(io.Discard, r)
	end = sync.OnceValue(func() int {
		stop()
		return <-status
	})
	t.Cleanup(func() { end() })
	return strings.TrimSuffix(line, "/\n"), log, end
}

// got is the answer to a request, not followed.
func got(t *testing.T, url string, proxy ...string) (int, string) {
	t.Helper()
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(proxy) > 0 {
		c.Transport = absolute(proxy[0])
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// absolute asks a proxy in absolute form.
type absolute string

func (p absolute) RoundTrip(r *http.Request) (*http.Response, error) {
	target := r.URL.String()
	r = r.Clone(r.Context())
	r.URL = &url.URL{Scheme: "http", Host: strings.TrimPrefix(string(p), "http://"), Opaque: target}
	return (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
}

func TestServe(t *testing.T) {
	internet, err := demo.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer internet.Close()
	at, log, end := serving(t, "--allow-private", "--log", "json")
	for _, tt := range []struct {
		path   string
		status int
		has    string
	}{
		{"/", 200, "Every scheme"},
		{"/gopher/" + internet.Gopher + "/1/", 200, "about.txt"},
		{"/ftp/" + internet.FTP + "/", 200, "motd"},
		{"/ftp/" + internet.FTP + "/motd", 200, "Welcome"},
		{"/http/" + internet.Web + "/", 200, "A page of the web"},
		{"/gopher/" + internet.Closed + "/1", 502, "connecting to the host"},
		{"/file//etc/passwd", 403, "Refused"},
		{"/mid/1@a.example", 501, "read, not opened"},
		{"/gopher/" + strings.TrimPrefix(at, "http://") + "/1", 403, "this gateway itself"},
		{"/gopher/localhost" + at[strings.LastIndex(at, ":"):] + "/1", 403, "this gateway itself"},
	} {
		if status, body := got(t, at+tt.path); status != tt.status || !strings.Contains(body, tt.has) {
			t.Errorf("%s: %d, want %d and %q:\n%s", tt.path, status, tt.status, tt.has, body)
		}
	}
	if status, body := got(t, "http://x.example/"+"%2Fmotd", at); status != 403 || !strings.Contains(body, "opens no http URLs") {
		t.Errorf("http through the proxy: %d\n%s", status, body)
	}
	if _, body := got(t, at+"/ftp/joe:geheim@"+internet.FTP+"/motd"); strings.Contains(body, "geheim") || strings.Contains(log.String(), "geheim") {
		t.Errorf("a password is told:\n%s\n%s", body, log)
	}
	if status := end(); status != statusInterrupted {
		t.Errorf("it ends with status %d\n%s", status, log)
	}
	for _, want := range []string{`"msg":"request"`, `"status":200`, `"msg":"ending"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
}

func TestServeGuards(t *testing.T) {
	internet, err := demo.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer internet.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("a note"), 0o600); err != nil {
		t.Fatal(err)
	}
	at, _, _ := serving(t, "--root", dir, "--log", "none", "--schemes", "gopher,file")
	port := internet.Gopher[strings.LastIndex(internet.Gopher, ":"):]
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/gopher/" + internet.Gopher + "/1", 403},
		{"/gopher/localhost" + port + "/1", 403},
		{"/gopher/0x7f.1" + port + "/1", 403},
		{"/gopher/[::ffff:127.0.0.1]" + port + "/1", 403},
		{"/file/" + dir + "/note.txt", 200},
		{"/file//etc/passwd", 403},
		{"/ftp/" + internet.FTP + "/", 501},
	} {
		if status, body := got(t, at+tt.path); status != tt.status {
			t.Errorf("%s: %d, want %d\n%s", tt.path, status, tt.status, body)
		}
	}
	at, _, _ = serving(t, "--allow-net", "127.0.0.0/8", "--log", "none")
	if status, body := got(t, at+"/gopher/"+internet.Gopher+"/1/"); status != 200 {
		t.Errorf("a network that is allowed: %d\n%s", status, body)
	}
	if status, _ := got(t, at+"/gopher/10.0.0.1/1"); status != 403 {
		t.Errorf("a network that is not: %d", status)
	}
}

// TestServeKeepsOffItself holds that the gateway asks nothing of itself, under
// whatever name, though all of this machine is allowed.
func TestServeKeepsOffItself(t *testing.T) {
	at, log, end := serving(t, "--allow-private", "--http", "--log", "json", "--log-level", "debug")
	port := at[strings.LastIndex(at, ":"):]
	hosts := []string{"127.0.0.1", "127.0.0.2", "127.1", "0.0.0.0", "0", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "localhost", "LOCALHOST", "localhost."}
	n := 0
	for _, host := range hosts {
		for _, u := range []string{"gopher://" + host + port + "/0x", "finger://" + host + port + "/x", "spartan://" + host + port + "/", "http://" + host + port + "/healthz"} {
			if u == "http:"+strings.TrimPrefix(at, "http:")+"/healthz" {
				continue // its own address, which it answers to itself
			}
			n++
			if status, body := got(t, u, at); status < 400 {
				t.Errorf("%s through the proxy: %d\n%s", u, status, body)
			}
			if status, body := got(t, at+"/open?url="+percent.Encode(u, &percent.Component)); status == 200 || strings.Contains(body, "<pre>ok") {
				t.Errorf("%s as a page: %d\n%s", u, status, body)
			}
		}
	}
	// It would note what it asks of itself. A line is written behind its answer, the
	// last one before the end.
	end()
	if asked := strings.Count(log.String(), `"msg":"request"`); asked != 2*n {
		t.Errorf("%d requests were answered, %d were made", asked, 2*n)
	}
}

func TestItself(t *testing.T) {
	ap := netip.MustParseAddrPort
	for _, tt := range []struct {
		own, other string
		want       bool
	}{
		{"127.0.0.1:7070", "127.0.0.1:7070", true},
		{"127.0.0.1:7070", "127.0.0.1:7071", false},
		{"127.0.0.1:7070", "127.0.0.2:7070", true}, // in doubt
		{"127.0.0.1:7070", "0.0.0.0:7070", true},
		{"127.0.0.1:7070", "[::ffff:127.0.0.1]:7070", true},
		{"127.0.0.1:7070", "192.0.2.1:7070", false},
		{"0.0.0.0:7070", "127.0.0.1:7070", true},
		{"[::]:7070", "[::1]:7070", true},
		{"[::]:7070", "192.0.2.1:7070", false},
		{"192.0.2.1:70", "192.0.2.1:70", true},
		{"192.0.2.1:70", "127.0.0.1:70", false},
	} {
		if got := itself(ap(tt.own), ap(tt.other)); got != tt.want {
			t.Errorf("itself(%s, %s) = %v", tt.own, tt.other, got)
		}
	}
}

func TestGateOf(t *testing.T) {
	private := func(a netip.Addr) bool { return a == netip.MustParseAddr("10.0.0.1") }
	gate := gateOf(private, true, func(u anyurl.URL, code string) bool {
		return code == "bad-port" && u.EffectivePort() == 2 || code == "port-crosses-protocol" && u.EffectivePort() == 119
	})
	for _, tt := range []struct {
		url  string
		want bool
	}{
		{"gopher://a.example/1", true},
		{"gopher://10.0.0.1/1", true},
		{"gopher://10.0.0.2/1", false},
		{"gopher://0x0a.1/1", true},
		{"gopher://169.254.169.254/1", false}, // where clouds keep their keys stays shut
		{"gopher://printer.local/1", true},    // what it leads to is asked about
		{"gopher://10.0.0.1/0x%0D%0Ay", false},
		{"gopher://10.0.0.1:25/1", false},
		{"gopher://10.0.0.1:119/1", true}, // a port that is allowed
		{"gopher://10.0.0.2:119/1", false},
	} {
		if err := gate(anyurl.MustParse(tt.url)); (err == nil) != tt.want {
			t.Errorf("%s: %v", tt.url, err)
		}
	}
	if gateOf(private, false, nil)(anyurl.MustParse("gopher://printer.local/1")) == nil {
		t.Error("a private name where nothing private is allowed")
	}
}

// TestServeLogins holds that the gateway logs in where its file names the host, and
// that no page has the password; and not by the file's default, which a link of a
// stranger's would take to any host.
func TestServeLogins(t *testing.T) {
	n, err := demo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"named":   "machine 127.0.0.1 login joe password sesame",
		"default": "default login joe password sesame",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ftp := lockedFTP(t)
	for name, want := range map[string]int{"named": 404, "default": 403, "": 403} {
		args := []string{"--allow-private"}
		if name != "" {
			args = append(args, "--netrc-file", filepath.Join(dir, name))
		}
		at, log, _ := serving(t, args...)
		status, body := got(t, at+"/ftp/"+ftp+"/")
		if status != want || strings.Contains(body+log.String(), "sesame") {
			t.Errorf("%q: %d\n%s\n%s", name, status, body, log)
		}
		if want == 403 && !strings.Contains(body, "--netrc") {
			t.Errorf("%q: nothing says what to do:\n%s", name, body)
		}
	}
}

// lockedFTP is a server that lets joe in with his password, and has no folder.
func lockedFTP(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	answer := func(conn net.Conn) {
		defer conn.Close()
		fmt.Fprint(conn, "220 ready\r\n")
		user := ""
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			verb, rest, _ := strings.Cut(lines.Text(), " ")
			switch verb {
			case "USER":
				user = rest
				fmt.Fprint(conn, "331 and the password\r\n")
			case "PASS":
				if user != "joe" || rest != "sesame" {
					fmt.Fprint(conn, "530 no\r\n")
					return
				}
				fmt.Fprint(conn, "230 in\r\n")
			case "TYPE", "PWD":
				fmt.Fprint(conn, "200 yes\r\n")
			case "QUIT":
				return
			default:
				fmt.Fprint(conn, "550 there is nothing of that name\r\n")
			}
		}
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
	return l.Addr().String()
}

// TestGetByServe has get ask the gateway, as a proxy, for what it would open by
// itself: the listing is one on the way, too, and a failure keeps its reason.
func TestGetByServe(t *testing.T) {
	n, err := demo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	at, _, _ := serving(t, "--allow-private")
	get := func(args ...string) (status int, out, errs string) {
		var o, e bytes.Buffer
		status = Run(t.Context(), Env{Args: append([]string{"get"}, args...), In: strings.NewReader(""), Out: &o, Err: &e, Getenv: func(string) string { return "" }})
		return status, o.String(), e.String()
	}
	for _, url := range []string{"ftp://" + n.FTP + "/", "gopher://" + n.Gopher + "/1/", "gopher://" + n.Gopher + "/0/about.txt", "nntp://" + n.News + "/demo.garden",
		"wais://" + n.WAIS + "/garden?tulip", "dict://" + n.Dict + "/m:or:uniform:substring"} {
		for _, as := range []string{"raw", "json", "text"} {
			_, want, _ := get("--as", as, url)
			status, out, errs := get("--as", as, "--proxy", at, url)
			// Ends of lines, and the one that ends a menu, may be lost on the way.
			if same := strings.NewReplacer("\r\n.\r\n", "\n", "\r\n", "\n"); status != statusWell || want == "" || same.Replace(out) != same.Replace(want) {
				t.Errorf("%s as %s: %d, %s\n%q\nwant\n%q", url, as, status, errs, out, want)
			}
		}
	}
	status, _, errs := get("--proxy", at, "ftp://"+n.FTP+"/none")
	if status != statusCannot || !strings.Contains(errs, "the gateway or proxy answers 404: Not there") {
		t.Errorf("%d, %s", status, errs)
	}
}

// TestBadURLStatus tells a URL that breaks a rule of its scheme from a server that
// has gone.
func TestBadURLStatus(t *testing.T) {
	for url, want := range map[string]int{
		"foo":                                statusProblem,
		"mailto:a@b?subject=%0d%0aBcc:x@y":   statusProblem,
		"data:text/plain;base64,@@":          statusProblem,
		"gopher://127.0.0.1:1/0/a%0d%0aQUIT": statusProblem,
		"gopher://127.0.0.1:1/0/a":           statusCannot,
	} {
		var errs bytes.Buffer
		if got := Run(t.Context(), Env{Args: []string{"get", "--allow-port", "1", url}, In: strings.NewReader(""), Out: io.Discard, Err: &errs, Getenv: func(string) string { return "" }}); got != want {
			t.Errorf("%s: %d, want %d\n%s", url, got, want, &errs)
		}
	}
}
