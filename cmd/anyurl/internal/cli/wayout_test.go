package cli_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWayOut: where a flag or another way to write the URL helps, get says so.
func TestWayOut(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("whole")) })
	mux.HandleFunc("/flowing", func(w http.ResponseWriter, _ *http.Request) { // without saying how much
		w.Write([]byte("whole"))
		w.(http.Flusher).Flush()
		w.Write([]byte("and more"))
	})
	mux.HandleFunc("/401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) })
	for from, to := range map[string]string{"/ftp": "ftp://ftp.example/motd", "/file": "file:///etc/passwd", "/unknown": "quux://a.example/", "/open": "/ftp/ftp.example/motd"} {
		mux.HandleFunc(from, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		})
	}
	web := httptest.NewServer(mux)
	defer web.Close()
	secure := httptest.NewTLSServer(mux)
	defer secure.Close()
	host, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("100%", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		hint string // "" for none
	}{
		{[]string{secure.URL + "/ok"}, "--cacert"},
		{[]string{"https://" + host.Host + "/ok"}, ""},
		{[]string{"--max-size", "4", web.URL + "/ok"}, "--max-size"},
		{[]string{"--max-size", "6", web.URL + "/flowing"}, "--max-size"},
		{[]string{web.URL + "/401"}, "--netrc"},
		{[]string{"http://joe:secret@" + host.Host + "/401"}, "--any-status"},
		{[]string{web.URL + "/ftp"}, "anyurl get opens it"},
		{[]string{web.URL + "/file"}, ""},
		{[]string{web.URL + "/unknown"}, ""},
		{[]string{"--gateway", "ftp=" + web.URL + "/open?url={url}", "ftp://ftp.example/motd"}, "--proxy ftp=" + web.URL},
		{[]string{"http://" + host.Hostname() + ":25/"}, "--allow-port 25"},
		{[]string{"ftp://" + host.Hostname() + ":25/"}, "--allow-port 25"},
		{[]string{"htp://a.example/"}, "http may be meant"},
		{[]string{"file://" + dir + "/none#1"}, "%23"},
		{[]string{"file://" + dir + "/none"}, ""},
		{[]string{"100%"}, dir + "/100%25"},
		{[]string{"200%"}, "begin with a scheme"},
	} {
		_, stderr, _ := run("", append([]string{"get"}, tt.args...)...)
		_, hint, hinted := strings.Cut(stderr, "\nhint: ")
		if hinted != (tt.hint != "") || !strings.Contains(filepath.ToSlash(hint), filepath.ToSlash(tt.hint)) {
			t.Errorf("get %q says %q, want a hint with %q in it", tt.args, stderr, tt.hint)
		}
	}
}
