package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestResume plays servers that get goes on with, well or badly. Whatever they
// do, what is there already is never lost.
func TestResume(t *testing.T) {
	object := make([]byte, 100_000)
	for i := range object {
		object[i] = byte(i * i >> 7)
	}
	ranged := func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(object))
	}
	for _, tt := range []struct {
		name   string
		have   []byte
		serve  http.HandlerFunc
		status int
		want   []byte // nil: as it was
		says   string
	}{
		{"the rest comes", object[:60_000], ranged, 0, object, ""},
		{"less than the overlap is there", object[:10], ranged, 0, object, ""},
		{"nothing is there", []byte{}, ranged, 0, object, ""},
		{"all is there", object, ranged, 0, object, ""},
		{"all is there and more", append(object[:len(object):len(object)], '!'), ranged, 3, nil, "not the beginning"},
		{"much more is there", make([]byte, 200_000), ranged, 3, nil, "shorter now"},
		{"another file is there", make([]byte, 60_000), ranged, 3, nil, "not the beginning"},
		{"no ranges", object[:60_000], func(w http.ResponseWriter, r *http.Request) { w.Write(object) }, 0, object, "from its beginning"},
		{"no ranges, and short", object[:60_000], func(w http.ResponseWriter, r *http.Request) { w.Write(object[:19]) }, 3, nil, "not the beginning"},
		{"no ranges, and cut off early", object[:60_000], func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(object[:200])
		}, 3, nil, "cut off"},
		{"cut off late", object[:60_000], func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(object[:70_000])
		}, 3, object[:70_000], "cut off"},
		{"a range that was not asked for", object[:60_000], func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-99999/100000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(object[5:])
		}, 3, nil, "not the part"},
		{"changed since", object[:60_000], func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "", time.Now().Add(time.Hour), bytes.NewReader(object))
		}, 3, nil, "before the object last changed"},
		{"an error, and it is wanted", object[:60_000], func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, strings.Repeat("no ", 30_000), http.StatusTeapot)
		}, 3, nil, "answers 418"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(tt.serve)
			defer server.Close()
			name := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(name, tt.have, 0o666); err != nil {
				t.Fatal(err)
			}
			_, stderr, status := run("", "get", "-C", "--any-status", "-o", name, server.URL+"/object")
			if status != tt.status || !strings.Contains(stderr, tt.says) || tt.says == "" && stderr != "" {
				t.Errorf("status %d, want %d; says %q, want %q", status, tt.status, stderr, tt.says)
			}
			got, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == nil {
				want = tt.have
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the file has %d octets, want %d", len(got), len(want))
			}
		})
	}
}

// TestNoSecretInMeta holds get's report to what every report promises.
func TestNoSecretInMeta(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			w.Header().Set("Location", fmt.Sprintf("http://u:hunter2@%s/there?token=t0ken", r.Host))
			w.WriteHeader(http.StatusMovedPermanently)
		case "/loop":
			w.Header().Set("Location", fmt.Sprintf("http://u:hunter2@%s/loop?token=t0ken", r.Host))
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer server.Close()
	meta := filepath.Join(t.TempDir(), "meta")
	for _, path := range []string{"/away", "/loop?token=t0ken"} {
		stdout, stderr, _ := run("", "get", "-v", "--mask-query", "-I", server.URL+path)
		run("", "get", "--mask-query", "-o", filepath.Join(t.TempDir(), "x"), "--meta", meta, server.URL+path)
		data, err := os.ReadFile(meta)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{stdout, stderr, string(data)} {
			if strings.Contains(text, "hunter2") || strings.Contains(text, "t0ken") {
				t.Errorf("%s: %s", path, text)
			}
		}
	}
}

// TestGetRetries holds that a busy server is asked again, and how often.
func TestGetRetries(t *testing.T) {
	for _, tt := range []struct {
		retries string
		asked   int
		status  int
	}{{"0", 1, 3}, {"1", 2, 0}} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		_, stderr, status := run("", "get", "--retries", tt.retries, server.URL+"/")
		server.Close()
		if asked != tt.asked || status != tt.status {
			t.Errorf("--retries %s: asked %d times, status %d: %s", tt.retries, asked, status, stderr)
		}
	}
}
