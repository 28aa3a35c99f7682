package builtin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/transcript"
	"anyurl/proto/builtin"
)

// rows reads a file of JSON lines from the shared data; it is skipped where
// that is not.
func rows[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open("../../../shared/data/" + name)
	if err != nil {
		t.Skip("the shared corpus is not here")
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if lines.Err() != nil || len(out) == 0 {
		t.Fatalf("%d rows, %v", len(out), lines.Err())
	}
	return out
}

// A reply is a server that is broken or malicious, and what must come of it.
type reply struct {
	ID       string
	Protocol string
	URL      string
	Script   transcript.Hostile
	Expect   string
}

// What the corpus assumes of limits.
var limits = fetch.Limits{
	Connect: 5 * time.Second, Total: 10 * time.Second, MaxBody: 10 << 20, MaxExpanded: 10 << 20, MaxLine: 64 << 10, MaxHeader: 1 << 20,
}

// polite is how a server answers what a script says nothing about.
func polite(protocol string) func(string) string {
	return func(line string) string {
		switch protocol {
		case "ftp", "any":
			// The commands that every FTP server has are not the script's point.
			switch verb, _, _ := strings.Cut(line, " "); verb {
			case "TYPE":
				return "200 ok\r\n"
			case "CWD":
				return "250 ok\r\n"
			}
			return "502 no\r\n"
		case "nntp":
			return "500 no\r\n"
		}
		return ""
	}
}

func TestAttackReplies(t *testing.T) {
	var own []reply
	if err := json.Unmarshal([]byte(ownReplies), &own); err != nil {
		t.Fatal(err)
	}
	for _, r := range own {
		t.Run("own/"+r.ID, func(t *testing.T) { withstand(t, r) })
	}
	for _, r := range rows[reply](t, "attack-replies.jsonl") {
		t.Run(r.ID, func(t *testing.T) { withstand(t, r) })
	}
}

// ownReplies are attacks of the same kinds, so that they are met where the
// corpus is not.
const ownReplies = `[
	{"id": "empty-datagrams", "protocol": "prospero", "url": "prospero://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"on_udp": ".", "send_udp_repeat": ["x", 0]}]},
	{"id": "datagrams-of-noise", "protocol": "tftp", "url": "tftp://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"on_udp": "^.x", "send_udp": "x"}, {"on_udp": ".", "send_udp_repeat": ["\u0000\u0007", 400]}]},
	{"id": "escapes-in-an-error", "protocol": "tftp", "url": "tftp://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"on_udp": ".", "send_udp": "\u0000\u0005\u0000\u0001\u001b]0;owned\u0007\u0000"}]},
	{"id": "pasv-elsewhere", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/f", "expect": "error-or-control-peer", "script": [
		{"send": "220 hi\r\n"}, {"on": "USER", "send": "230 in\r\n"}, {"on": "EPSV", "send": "502 no\r\n"}, {"on": "PASV", "send": "227 ok (203,0,113,9,0,80)\r\n"}]},
	{"id": "endless-greeting", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/f", "expect": "error", "script": [
		{"send": "220-\r\n"}, {"send_repeat": ["\r\n", 10000000]}, {"hang": true}]},
	{"id": "slow-greeting", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/f", "expect": "error", "script": [
		{"send_slow": ["220 this takes far too long", 1, 900]}, {"hang": true}]},
	{"id": "endless-1xx", "protocol": "ftp", "url": "ftp://127.0.0.1:{port}/f", "expect": "error", "script": [
		{"send": "220 hi\r\n"}, {"on": "USER", "send": "230 in\r\n"}, {"on": "EPSV", "listen_data": true, "send": "229 (|||{dataport}|)\r\n"},
		{"on": "RETR", "send": "150 ok\r\n"}, {"data": "x"}, {"close_data": true}, {"send_repeat": ["150 wait\r\n", 1000000]}, {"hang": true}]},
	{"id": "bomb-twice", "protocol": "http", "url": "http://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"wait_for": "\r\n\r\n"}, {"send": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n"}, {"send_gzip_nested": [2, 30000000]}, {"close": true}]},
	{"id": "endless-header-line", "protocol": "http", "url": "http://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"wait_for": "\r\n\r\n"}, {"send": "HTTP/1.1 200 OK\r\nX: "}, {"send_repeat": ["y", 50000000]}, {"hang": true}]},
	{"id": "endless-body", "protocol": "http", "url": "http://127.0.0.1:{port}/x", "expect": "error", "script": [
		{"wait_for": "\r\n\r\n"}, {"send": "HTTP/1.1 200 OK\r\n\r\n"}, {"send_repeat": ["yyyyyyyy", 50000000]}, {"hang": true}]},
	{"id": "redirect-circle", "protocol": "http", "url": "http://127.0.0.1:{port}/a", "expect": "error", "script": [
		{"wait_for": "\r\n\r\n"}, {"send": "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"},
		{"wait_for": "\r\n\r\n"}, {"send": "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"}, {"loop": true}]},
	{"id": "endless-text", "protocol": "gopher", "url": "gopher://127.0.0.1:{port}/0", "expect": "error", "script": [
		{"wait_for": "\r\n"}, {"send_repeat": [".\r\n", 50000000]}, {"hang": true}]},
	{"id": "escape-in-menu", "protocol": "gopher", "url": "gopher://127.0.0.1:{port}/1", "expect": "ok", "script": [
		{"wait_for": "\r\n"}, {"send": "0\u001b]0;owned\u0007\t/x\u001b\th.test\t70\r\n.\r\n"}, {"close": true}]}
]`

func withstand(t *testing.T, r reply) {
	scheme, _, _ := strings.Cut(r.URL, ":")
	if builtin.Transports(&dial.Dialer{}, builtin.Options{})[scheme] == nil {
		t.Skipf("nothing here opens %s", scheme)
	}
	synctest.Test(t, func(t *testing.T) {
		var network transcript.Network
		var mu sync.Mutex
		var heard strings.Builder
		at, stop, err := r.Script.Serve(&network, func(c net.Conn) net.Conn { return &listening{c, &mu, &heard} }, polite(r.Protocol))
		if err != nil {
			t.Fatal(err)
		}
		c := fetch.Client{Transports: builtin.Transports(&dial.Dialer{Connect: network.Dial}, builtin.Options{}), Limits: limits}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		got, body, err := whole(t.Context(), &c, strings.ReplaceAll(r.URL, "{port}", fmt.Sprint(at.Port())))
		runtime.ReadMemStats(&after)
		switch {
		case r.Expect == "ok" && err != nil:
			t.Errorf("got %v", err)
		case r.Expect == "error" && err == nil:
			t.Errorf("got %.80q and no error", body)
		}
		if took := time.Since(start); took > limits.Total {
			t.Errorf("took %v", took)
		}
		// What was allocated in all is more than what was held at any time.
		if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
			t.Errorf("%d MiB were allocated", n>>20)
		}
		if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > 64<<20 {
			t.Errorf("the heap grew by %d MiB", n>>20)
		}
		if int64(len(body)) > limits.MaxBody {
			t.Errorf("%d octets came through", len(body))
		}
		if err != nil {
			var e *fetch.Error
			if !errors.As(err, &e) || e.Step == "" || e.URL.IsZero() {
				t.Errorf("%#v is no complete error", err)
			}
			if strings.ContainsFunc(err.Error()+e.Hint, func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }) {
				t.Errorf("a control character in %q", err)
			}
		}
		for _, ap := range network.Dialled() {
			if ap.Addr() != at.Addr() {
				t.Errorf("dialled %v", ap)
			}
		}
		synctest.Wait() // until the server has heard all that was said
		mu.Lock()
		said := heard.String()
		mu.Unlock()
		for line := range strings.SplitSeq(said, "\r\n") {
			if !octets[scheme] && strings.ContainsAny(line, "\r\n\x00") {
				t.Errorf("sent %q", line)
			}
		}
		if want, ok := musts[r.ID]; ok {
			want(t, got, body, err, said)
		}
		c.Close()
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// octets are the schemes whose protocols have lengths in place of lines.
var octets = map[string]bool{"wais": true, "z39.50": true, "z39.50r": true, "z39.50s": true, "prospero": true, "tftp": true, "nfs": true}

// musts are the corpus' demands beyond its outcome, by row.
var musts = map[string]func(t *testing.T, got *fetch.Result, body string, err error, heard string){
	"RP-ftp-13": func(t *testing.T, _ *fetch.Result, body string, _ error, _ string) {
		if body != "body" {
			t.Errorf("body %q", body)
		}
	},
	"RP-ftp-15": func(t *testing.T, _ *fetch.Result, _ string, err error, _ string) {
		if !errors.Is(err, fetch.ErrNotFound) {
			t.Errorf("%v is not a not-found", err)
		}
	},
	"RP-ftp-17": func(t *testing.T, got *fetch.Result, _ string, _ error, _ string) {
		for _, e := range got.Entries {
			if u, err := anyurl.Parse(e.URL); err != nil || !strings.HasPrefix(u.Path(), "/d/") {
				t.Errorf("%q leads to %q", e.Name, e.URL)
			}
		}
		if len(got.Entries) != 2 {
			t.Errorf("%d entries", len(got.Entries))
		}
	},
	"RP-http-08": func(t *testing.T, _ *fetch.Result, _ string, err error, _ string) {
		if !errors.Is(err, fetch.ErrLoop) || !strings.Contains(err.Error(), "redirect") {
			t.Errorf("%v names no redirect limit", err)
		}
	},
	"RP-http-14": func(t *testing.T, _ *fetch.Result, _ string, _ error, heard string) {
		if !strings.HasPrefix(heard, "GET /a%2F..%2F..%2Fetc%2Fpasswd HTTP/1.1\r\n") {
			t.Errorf("sent %q", heard)
		}
	},
	"RP-gopher-05": func(t *testing.T, _ *fetch.Result, body string, _ error, _ string) {
		if body != ".hidden\r\n" {
			t.Errorf("body %q", body)
		}
	},
	"RP-any-03": func(t *testing.T, _ *fetch.Result, _ string, _ error, heard string) {
		if heard != "" {
			t.Errorf("sent %q", heard)
		}
	},
}

// listening keeps what the client says.
type listening struct {
	net.Conn
	mu    *sync.Mutex
	heard *strings.Builder
}

func (l *listening) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.mu.Lock()
	l.heard.Write(p[:n])
	l.mu.Unlock()
	return n, err
}

// Reset passes on.
func (l *listening) Reset() error {
	if r, ok := l.Conn.(interface{ Reset() error }); ok {
		return r.Reset()
	}
	return l.Conn.Close()
}

// whole opens url and reads all of it.
func whole(ctx context.Context, c *fetch.Client, url string) (*fetch.Result, string, error) {
	u, err := anyurl.Parse(url)
	if err != nil {
		return nil, "", err
	}
	got, err := c.Do(ctx, &fetch.Request{URL: u})
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

// answers is a resolver with a list of successive answers for each name.
type answers struct {
	mu    sync.Mutex
	names map[string][][]string
}

func (a *answers) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all, ok := a.names[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(all) > 1 {
		a.names[host] = all[1:]
	}
	var out []netip.Addr
	for _, s := range all[0] {
		out = append(out, netip.MustParseAddr(s))
	}
	return out, nil
}

func TestAttackNames(t *testing.T) {
	type row struct {
		ID, Kind, Input, Verdict string
		DNS                      map[string][][]string
		May, Never               []string
		MayRefuse                bool `json:"may_refuse"`
	}
	for _, r := range rows[row](t, "attack-urls.jsonl") {
		if r.Kind != "dns" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var network transcript.Network
				ftp := transcript.Parse("S: 220 hi\nC: USER anonymous\nS: 230 in\nC: TYPE I\nS: 200 ok\nC: SIZE f\nS: 502 no\nC: EPSV\nS: 502 no\nC: PASV\nS: 227 (127,0,0,1,0,22)")
				s := &transcript.Server{Scripts: []transcript.Script{ftp}}
				for _, list := range r.DNS {
					for _, set := range list {
						for _, a := range set {
							serveHTTP(t, &network, netip.AddrPortFrom(netip.MustParseAddr(a), 80), func(string) (int, string) { return 200, "" })
						}
					}
				}
				if strings.HasPrefix(r.Input, "ftp:") {
					l, err := network.Listen(netip.MustParseAddrPort("8.8.8.8:21"))
					if err != nil {
						t.Fatal(err)
					}
					s.Start(l)
					defer s.Close()
				}
				c := fetch.Client{Transports: builtin.Transports(&dial.Dialer{Resolver: &answers{names: r.DNS}, Allow: dial.Guard, Connect: network.Dial}, builtin.Options{}), Limits: limits}
				_, _, err := whole(t.Context(), &c, r.Input)
				c.Close()
				switch {
				case r.Verdict == "block" && err == nil:
					t.Error("it was fetched")
				case r.Verdict != "block" && err != nil && !r.MayRefuse && !strings.HasPrefix(r.Input, "ftp:"):
					t.Error(err)
				}
				for _, ap := range network.Dialled() {
					if !slices.Contains(r.May, ap.Addr().String()) || slices.Contains(r.Never, ap.Addr().String()) {
						t.Errorf("dialled %v", ap)
					}
				}
				if r.Verdict == "block" && len(network.Dialled()) > 0 {
					t.Errorf("dialled %v", network.Dialled())
				}
			})
		})
	}
}

// serveHTTP serves at an address until the test's bubble ends: answer says a
// status and a Location for a request's URL.
func serveHTTP(t *testing.T, network *transcript.Network, at netip.AddrPort, answer func(url string) (int, string)) (auth *[]string) {
	t.Helper()
	auth = new([]string)
	l, err := network.Listen(at)
	if err != nil {
		return auth // an address twice
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			*auth = append(*auth, r.Host)
		}
		status, location := answer("http://" + r.Host + r.RequestURI)
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.WriteHeader(status)
	})}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return auth
}

func TestAttackRedirects(t *testing.T) {
	type row struct {
		ID, Kind, Input, Verdict, Final string
		Steps                           map[string][2]any
		AuthHosts                       []string `json:"auth_hosts"`
		Never                           []string
		Findings                        []string
	}
	// The findings that following alone can know.
	ours := []string{"redirect-loop", "too-many-redirects", "redirect-to-scheme", "redirect-to-internal", "redirect-odd-location", "redirect-no-location", "bad-port"}
	for _, r := range rows[row](t, "attack-urls.jsonl") {
		if r.Kind != "redirect" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var network transcript.Network
				names := map[string][][]string{"a.test": {{"8.8.8.8"}}, "b.test": {{"9.9.9.9"}}}
				steps := map[string][2]any{}
				for url, s := range r.Steps {
					u := anyurl.MustParse(url)
					if v, err := u.WithPassword(""); err == nil {
						u = v
					}
					if v, err := u.WithUsername(""); err == nil {
						u = v
					}
					steps[u.String()] = s
				}
				answer := func(url string) (int, string) {
					s, ok := steps[url]
					if !ok {
						return 404, ""
					}
					location, _ := s[1].(string)
					return int(s[0].(float64)), location
				}
				var auth []*[]string
				for _, at := range []string{"8.8.8.8:80", "8.8.8.8:8080", "9.9.9.9:80", "9.9.9.9:25", "9.9.9.9:21", "127.0.0.1:80", "169.254.169.254:80"} {
					auth = append(auth, serveHTTP(t, &network, netip.MustParseAddrPort(at), answer))
				}
				c := fetch.Client{Transports: builtin.Transports(&dial.Dialer{Resolver: &answers{names: names}, Allow: dial.Guard, Connect: network.Dial}, builtin.Options{}), Limits: limits}
				got, _, err := whole(t.Context(), &c, r.Input)
				c.Close()
				var codes []string
				if err == nil {
					for _, h := range got.Hops {
						codes = append(codes, h.Codes...)
					}
				} else {
					var e *fetch.Error
					if errors.As(err, &e) {
						codes = append(codes, e.Code)
					}
				}
				switch {
				case r.Verdict == "block":
					if err == nil {
						t.Errorf("came to %s", got.URL)
					}
				case err != nil:
					t.Error(err)
				case r.Final != "" && got.URL.String() != r.Final:
					t.Errorf("came to %s, want %s", got.URL, r.Final)
				}
				for _, f := range r.Findings {
					if slices.Contains(ours, f) && !slices.Contains(codes, f) {
						t.Errorf("codes %q, want %s (%v)", codes, f, err)
					}
				}
				for _, ap := range network.Dialled() {
					if slices.Contains(r.Never, ap.Addr().String()) || dial.Guard("", ap) != nil {
						t.Errorf("dialled %v", ap)
					}
				}
				var saw []string
				for _, a := range auth {
					for _, host := range *a {
						if !slices.Contains(r.AuthHosts, host) && !slices.Contains(r.AuthHosts, host+":80") {
							t.Errorf("credentials went to %s", host)
						}
						saw = append(saw, host)
					}
				}
				if len(r.AuthHosts) > 0 && len(saw) == 0 {
					t.Error("credentials went nowhere")
				}
			})
		})
	}
}
