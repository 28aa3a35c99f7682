package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A redirect from a public place does not lead into the network, unless asked
// to; what is asked for there opens, and leads on there. The public place is
// what a proxy says it is.
func TestRedirectsStayOutside(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/from" {
			http.Redirect(w, r, "/to", http.StatusFound)
			return
		}
		fmt.Fprint(w, "an internal page")
	}))
	defer inside.Close()
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	defer outside.Close()
	proxy := []string{"--proxy", outside.URL, "--no-proxy", "127.0.0.1"}
	_, port, _ := strings.Cut(strings.TrimPrefix(inside.URL, "http://"), ":")
	for _, tt := range []struct {
		url  string
		args []string
		want int
	}{
		{inside.URL + "/", nil, 0},
		{inside.URL + "/from", nil, 0},
		{"http://public.example/?to=" + inside.URL + "/", nil, 3},
		{"http://public.example/?to=http://localhost:" + port + "/", nil, 3},
		{"http://public.example/?to=http://public.example/?to=" + inside.URL + "/", nil, 3},
		{"http://public.example/?to=" + inside.URL + "/", []string{"--allow-private"}, 0},
		{inside.URL + "/", []string{"--guard"}, 3},
		{"http://public.example/?to=" + inside.URL + "/", []string{"--guard", "--allow-private"}, 3},
	} {
		stdout, stderr, status := run("", append(append([]string{"get", tt.url}, tt.args...), proxy...)...)
		if status != tt.want || (stdout == "an internal page") != (tt.want == 0) {
			t.Errorf("%s %v: status %d, %q, %q", tt.url, tt.args, status, stdout, stderr)
		}
		if tt.want != 0 && len(tt.args) == 0 && !strings.Contains(stderr, "--allow-private") {
			t.Errorf("%s: no way out in %q", tt.url, stderr)
		}
	}
}
