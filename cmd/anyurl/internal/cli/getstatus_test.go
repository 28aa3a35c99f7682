package cli_test

import (
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
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
	whole := filepath.Join(dir, "whole")
	if err := os.WriteFile(whole, []byte("01234"), 0o600); err != nil {
		t.Fatal(err)
	}
	mux.HandleFunc("/long", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("0123456789"))
	})
	mux.HandleFunc("/longer", func(w http.ResponseWriter, _ *http.Request) { // of a length that it does not say
		w.Write([]byte("01234"))
		w.(http.Flusher).Flush()
		w.Write([]byte("56789"))
	})
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
		{usage, []string{"-C", "-o", "-", "data:,"}, "", "nothing that -C could go on with"},
		{usage, []string{"--meta", "", "data:,"}, "", "--meta names no file"},

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
		{cannot, []string{web.URL + "/short?id=7"}, "", "body " + web.URL + "/short?id=7: "},
		{cannot, []string{"--mask-query", web.URL + "/short?id=7"}, "", "/short?***: "},
		{cannot, []string{"-C", "--max-size", "6", "-o", whole, web.URL + "/long"}, "", "limit "},
		{cannot, []string{"-C", "--max-size", "6", "-o", whole, web.URL + "/longer"}, "", "limit "},
		{got, []string{"-C", "--max-size", "10", "-o", whole, web.URL + "/long"}, "", ""},
		{got, nil, "\uFEFFdata:,a\r\ndata:,b\r\n", ""},
		{got, []string{"--timeout", "30", web.URL + "/ok"}, "", ""},
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

// TestGetHead: a server that answers no HEAD is asked for the object, of which
// nothing is taken.
func TestGetHead(t *testing.T) {
	for _, no := range []int{http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "HEAD" {
				w.WriteHeader(no)
				return
			}
			w.Header().Set("Content-Type", "text/plain")
			w.Write([]byte("whole"))
		}))
		stdout, stderr, status := run("", "get", "-I", web.URL)
		web.Close()
		if status != 0 || !strings.Contains(stdout, `"type":"text/plain"`) || !strings.Contains(stdout, `"size":5`) || !strings.Contains(stderr, "does not answer HEAD") {
			t.Errorf("%d: status %d, %s%s", no, status, stdout, stderr)
		}
	}
}

// TestGetAskedAgain: a server that goes away without a word is asked again, as one
// that breaks the connection is.
func TestGetAskedAgain(t *testing.T) {
	var asked atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			conn.Close()
			return
		}
		w.Write([]byte("whole"))
	}))
	defer web.Close()
	if stdout, stderr, status := run("", "get", web.URL); stdout != "whole" || status != 0 || asked.Load() != 2 {
		t.Errorf("status %d, %q, asked %d times; %s", status, stdout, asked.Load(), stderr)
	}
}

// TestGetVerboseSeveral: the conversations of several URLs stand under their names.
func TestGetVerboseSeveral(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer web.Close()
	_, stderr, _ := run("", "get", "-v", web.URL+"/a", web.URL+"/b")
	about := ""
	for line := range strings.Lines(stderr) {
		if name, ok := strings.CutPrefix(line, "* "+web.URL); ok {
			about = strings.TrimSpace(name)
		}
		if path, ok := strings.CutPrefix(line, "> GET "); ok && strings.TrimSpace(path) != about {
			t.Errorf("%q stands under %q", line, about)
		}
	}
	if about == "" {
		t.Errorf("no URL is named: %s", stderr)
	}
}

// TestGetMetaSize: what is told of an object's size is that of the object, not of
// what was missing, and also where the server did not say it beforehand.
func TestGetMetaSize(t *testing.T) {
	object := strings.Repeat("0123456789", 10_000)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ranged" {
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(object))
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write([]byte(object))
		z.Close()
	}))
	defer web.Close()
	dir := t.TempDir()
	part := filepath.Join(dir, "part")
	if err := os.WriteFile(part, []byte(object[:50_000]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-C", "-o", part, web.URL + "/ranged"},
		{"-C", "-o", part, web.URL + "/ranged"}, // all is there
		{"-o", filepath.Join(dir, "coded"), web.URL + "/coded"},
	} {
		stdout, stderr, status := run("", append([]string{"get", "--meta", "-"}, args...)...)
		if status != 0 || !strings.Contains(stdout, `"size":100000`) {
			t.Errorf("%q: status %d, %s%s", args, status, stdout, stderr)
		}
	}
}
