package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A login is looked up when asked for, goes to the host it is for and to no
// other origin, and is never shown.
func TestNetrc(t *testing.T) {
	who := func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		fmt.Fprint(w, user, ":", password, ":", ok)
	}
	other := httptest.NewServer(http.HandlerFunc(who))
	defer other.Close()
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/here":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		default:
			who(w, r)
		}
	}))
	defer origin.Close()
	file := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(file, []byte("machine 127.0.0.1 login joe password hunter2\nmachine 127.0.0.1 login eve password hunter3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	as := func(user string) string { return strings.Replace(origin.URL, "http://", "http://"+user+"@", 1) }
	for _, tt := range []struct {
		url  string
		args []string
		want string
	}{
		{origin.URL, nil, "::false"},
		{origin.URL, []string{"--netrc-file", file}, "joe:hunter2:true"},
		{origin.URL + "/here", []string{"--netrc-file", file}, "joe:hunter2:true"},
		{origin.URL + "/away", []string{"--netrc-file", file}, "::false"},
		{as("eve"), []string{"--netrc-file", file}, "eve:hunter3:true"},
		{as("bob"), []string{"--netrc-file", file}, "bob::true"},
		{as("joe:other"), []string{"--netrc-file", file}, "joe:other:true"},
		{strings.Replace(origin.URL, "127.0.0.1", "localhost", 1), []string{"--netrc-file", file}, "::false"},
		{origin.URL, []string{"-H", "Authorization: Basic YTpi", "--netrc-file", file}, "a:b:true"},
	} {
		stdout, stderr, status := run("", append([]string{"get", "-v", tt.url}, tt.args...)...)
		if status != 0 || stdout != tt.want {
			t.Errorf("%s %v: status %d, %q, %s", tt.url, tt.args, status, stdout, stderr)
		}
		for _, secret := range []string{"hunter", "am9l", "ZXZl", "YTpi"} {
			if strings.Contains(stderr, secret) {
				t.Errorf("%s: %q is shown in\n%s", tt.url, secret, stderr)
			}
		}
	}
}
