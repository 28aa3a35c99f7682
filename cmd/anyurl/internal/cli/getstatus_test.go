package cli_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGetStatus: whatever keeps get from giving an object whole, it says so and
// ends with the status that stands for it. What is no URL, or breaks a rule of
// its scheme, is the input's problem, 1; wrong usage is 2; everything else that was not got is 3.
func TestGetStatus(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("whole")) })
	mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	for _, status := range []int{204, 400, 401, 403, 404, 410, 429, 500, 503} {
		mux.HandleFunc(fmt.Sprintf("/%d", status), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	mux.HandleFunc("/nowhere", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) })
	for from, to := range map[string]string{"/moved": "/ok", "/loop": "/loop", "/file": "file:///etc/passwd", "/odd": "http://[", "/gone": "/404"} {
		mux.HandleFunc(from, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusMovedPermanently)
		})
	}
	say := func(text string) http.HandlerFunc { // and go away
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			conn.Write([]byte(text))
			conn.Close()
		}
	}
	mux.HandleFunc("/silent", say(""))
	mux.HandleFunc("/short", say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
	mux.HandleFunc("/chunk", say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"))
	mux.HandleFunc("/gzip", say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf"))
	mux.HandleFunc("/switch", say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"))
	mux.HandleFunc("/digest", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Digest realm="x", nonce="y"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	mux.HandleFunc("/words", say("what was that?\r\n\r\n"))
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	web := httptest.NewServer(mux)
	defer web.Close()
	secure := httptest.NewTLSServer(mux)
	defer secure.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	host := strings.TrimPrefix(web.URL, "http://")

	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	const got, problem, usage, cannot = 0, 1, 2, 3
	for _, tt := range []struct {
		want  int
		args  []string
		stdin string
		says  string // on standard error
	}{
		{got, []string{web.URL + "/ok"}, "", ""},
		{got, []string{web.URL + "/empty"}, "", ""},
		{got, []string{web.URL + "/204"}, "", ""},
		{got, []string{web.URL + "/moved"}, "", ""},
		{got, []string{"-I", web.URL + "/ok"}, "", ""},
		{got, []string{"--any-status", web.URL + "/404"}, "", ""},
		{got, []string{"data:,"}, "", ""},
		{got, []string{"file://" + file}, "", ""},
		{got, nil, "", ""}, // nothing was asked for
		{got, nil, "data:,a\n\ndata:,b\n", ""},
		{got, []string{"mailto:joe@a.example"}, "", ""}, // the letter

		{problem, []string{"http://["}, "", "http://["},
		{problem, []string{"/ok"}, "", "/ok"},
		{problem, []string{""}, "", ""},
		{problem, nil, "data:,a\nhttp://[\n", "http://["},
		{problem, []string{"file://server.example/etc"}, "", "server.example"},
		{problem, []string{"data:no comma"}, "", "data:"},
		{problem, []string{"ftp://a.example/x%0D%0ADELE%20y"}, "", "ftp://a.example/"},

		{usage, []string{"--no-such-flag"}, "", "no-such-flag"},
		{usage, []string{"--timeout", "soon", "data:,"}, "", "--timeout"},
		{usage, []string{"-o", "x", "data:,", "data:,"}, "", "-o is for one URL"},
		{usage, []string{"-H", "A b: x", "data:,"}, "", "\"A b\" cannot be sent"},
		{cannot, []string{"localhost:18081/ok"}, "", "a URL has a scheme: http://localhost:18081/ok"},
		{usage, []string{"-C", "data:,"}, "", "-C needs a file"},

		{cannot, []string{"http://" + closed + "/"}, "", "connecting http://" + closed},
		{cannot, []string{"http://no-such-host.invalid/"}, "", "resolving http://no-such-host.invalid/"},
		{cannot, []string{secure.URL + "/ok"}, "", "tls " + secure.URL},
		{cannot, []string{strings.Replace(web.URL, "http:", "https:", 1) + "/ok"}, "", "tls "},
		{cannot, []string{"--timeout", "50ms", strings.Replace(web.URL, "http:", "ftp:", 1) + "/ok"}, "", "greeting "},
		{cannot, []string{web.URL + "/400"}, "", "answers 400"},
		{cannot, []string{web.URL + "/401"}, "", "answers 401"},
		{cannot, []string{"http://joe:no@" + host + "/401"}, "", "no such user and password"},
		{cannot, []string{"http://joe:no@" + host + "/digest"}, "", "another kind than Basic"},
		{cannot, []string{web.URL + "/403"}, "", "answers 403"},
		{cannot, []string{web.URL + "/404"}, "", "answers 404"},
		{cannot, []string{"-I", web.URL + "/404"}, "", "answers 404"},
		{cannot, []string{web.URL + "/410"}, "", "answers 410"},
		{cannot, []string{"--retries", "0", web.URL + "/429"}, "", "answers 429"},
		{cannot, []string{web.URL + "/500"}, "", "answers 500"},
		{cannot, []string{"--retries", "0", web.URL + "/503"}, "", "answers 503"},
		{cannot, []string{web.URL + "/nowhere"}, "", "does not say where"},
		{cannot, []string{web.URL + "/gone"}, "", "answers 404"},
		{cannot, []string{web.URL + "/loop"}, "", "redirect "},
		{cannot, []string{web.URL + "/file"}, "", "a redirect from http to file is not followed"},
		{cannot, []string{web.URL + "/odd"}, "", "redirect "},
		{cannot, []string{"--retries", "0", web.URL + "/silent"}, "", "status "},
		{cannot, []string{web.URL + "/short"}, "", "body "},
		{cannot, []string{web.URL + "/chunk"}, "", "body "},
		{cannot, []string{web.URL + "/gzip"}, "", "body "},
		{cannot, []string{web.URL + "/words"}, "", "status "},
		{cannot, []string{"-o", file, web.URL + "/switch"}, "", "answers 101"},
		{cannot, []string{"--mask-query", web.URL + "/404?token=abc"}, "", "/404?***: the server answers 404"},
		{cannot, []string{"--timeout", "50ms", web.URL + "/never"}, "", "time"},
		{cannot, []string{"--max-size", "4", web.URL + "/ok"}, "", "limit "},
		{cannot, []string{"--guard", web.URL + "/ok"}, "", "gate "},
		{cannot, []string{"http://" + host[:strings.IndexByte(host, ':')] + ":25/"}, "", "25"},
		{cannot, []string{"tel:+1-201-555-0123"}, "", "nothing here opens tel URLs"},
		{cannot, []string{"news:a.group"}, "", "news:a.group"},
		{cannot, []string{"file://" + dir + "/none"}, "", "none"},
		{cannot, []string{"cid:nobody@a.example"}, "", "cid:"},
		{cannot, []string{"-o", dir + "/none/x", web.URL + "/ok"}, "", "writing "},
		{cannot, []string{"-o", dir, web.URL + "/ok"}, "", "writing "},
		{cannot, []string{"-C", "-o", file, web.URL + "/ok"}, "", "not the beginning"},
		{cannot, []string{"--meta", dir + "/none/x", web.URL + "/ok"}, "", "writing "},
		{cannot, []string{"data:,a", web.URL + "/404", "data:,b"}, "", "answers 404"},
		{cannot, []string{"http://[", web.URL + "/404"}, "", "answers 404"}, // the worse of the two
	} {
		_, stderr, status := run(tt.stdin, append([]string{"get"}, tt.args...)...)
		if status != tt.want {
			t.Errorf("get %q: status %d, want %d; %s", tt.args, status, tt.want, stderr)
		}
		if !strings.Contains(stderr, tt.says) || (status == got) != (stderr == "") {
			t.Errorf("get %q says %q, want %q in it", tt.args, stderr, tt.says)
		}
	}
}

// TestGetCoded: an object in a coding that nobody here undoes is told of, unless it
// was asked for.
func TestGetCoded(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "rot13")
		w.Write([]byte("uryyb"))
	}))
	defer web.Close()
	stdout, stderr, status := run("", "get", web.URL)
	if stdout != "uryyb" || status != 0 || !strings.Contains(stderr, "coded as rot13") {
		t.Errorf("status %d, %q, %s", status, stdout, stderr)
	}
	if _, stderr, _ := run("", "get", "-H", "Accept-Encoding: rot13", web.URL); stderr != "" {
		t.Errorf("asked for: %s", stderr)
	}
}

// TestGetNotModified: a file is what it was where the server says that the object
// has not changed.
func TestGetNotModified(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }))
	defer web.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := run("", "get", "-H", `If-None-Match: "q"`, "-o", file, web.URL)
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" || status != 0 || !strings.Contains(stderr, "it has not changed") {
		t.Errorf("status %d, %s, the file holds %q (%v)", status, stderr, data, err)
	}
}
