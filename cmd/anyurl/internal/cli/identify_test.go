package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadHostHeader(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"a.example X-Key: v w", "map[https://a.example:map[X-Key:[v w]]]"},
		{"A.example:8443 X-Key:v", "map[https://a.example:8443:map[X-Key:[v]]]"},
		{"http://[::1]:80  X-Key: v", "map[http://[::1]:map[X-Key:[v]]]"},
		{"https://a.example/ X-Key: v: w", "map[https://a.example:map[X-Key:[v: w]]]"},
	} {
		got, err := readHostHeader([]string{tt.line})
		if err != nil || fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %v, %v, want %s", tt.line, got, err, tt.want)
		}
	}
	got, err := readHostHeader([]string{"a.example X: 1", "b.example X: 2", "a.example X: 3", "a.example Y: 4"})
	if want := "map[https://a.example:map[X:[1 3] Y:[4]] https://b.example:map[X:[2]]]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	for _, line := range []string{
		"", "sesame", "X-Key: sesame", "a.example sesame", "a.example X-Key sesame", "a.example/path X: sesame", "joe:sesame@a.example X: v",
		"ftp://a.example X: sesame", "a.example Host: sesame", "a.example X: ses\r\named", "a.example : sesame", "Authorization Bearer sesame", "a.example?sesame X: v",
	} {
		got, err := readHostHeader([]string{line})
		if err == nil || statusOf(err) != statusUsage {
			t.Errorf("%q: got %v, %v, want an error", line, got, err)
		} else if strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: the error shows a value: %v", line, err)
		}
	}
}

// TestReadHeaderHidesValues: a field without its colon is told without what was
// meant to be its value.
func TestReadHeaderHidesValues(t *testing.T) {
	_, err := readHeader([]string{"Authorization Bearer sesame"})
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "Authorization") {
		t.Errorf("got %v", err)
	}
}

// TestCheckIdentifies: check logs in where it is told to, by the flags or by the
// user's own configuration, and what it says there is in no report, no message
// and no state.
func TestCheckIdentifies(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.Header.Get("X-Key") != "sesame" && (user != "joe" || password != "sesame") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path != "/there" {
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("netrc", "machine 127.0.0.1 login joe password sesame\n")
	write("config.toml", "[check]\nhost-header = ['"+s.URL+" X-Key: sesame']\n")
	write("anyurl.toml", "[check]\nnetrc = true\n")
	key := "--host-header=" + s.URL + " X-Key: sesame"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--no-config"}, "2 unsure"},
		{[]string{"--no-config", "--host-header=127.0.0.1 X-Key: sesame"}, "2 unsure"}, // that is https
		{[]string{"--no-config", key}, "1 alive, 1 broken"},
		{[]string{"--no-config", key, "--state=state.db"}, "1 alive, 1 broken"},
		{[]string{"--no-config", "--netrc-file=netrc"}, "1 alive, 1 broken"},
		{[]string{"--config=config.toml"}, "1 alive, 1 broken"},
		{nil, "anyurl.toml:2: netrc has no place in a project's file"},
	} {
		var out, errs bytes.Buffer
		Run(context.Background(), Env{Args: append([]string{"check", "--trusting", "--all", s.URL + "/there", s.URL + "/gone"}, tt.args...),
			In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
		said := out.String() + errs.String()
		if !strings.Contains(said, tt.want) {
			t.Errorf("%q: want %s in:\n%s", tt.args, tt.want, said)
		}
		if strings.Contains(said, "sesame") {
			t.Errorf("%q: a secret is told:\n%s", tt.args, said)
		}
	}
	kept, err := filepath.Glob("state.db*")
	if err != nil || len(kept) == 0 {
		t.Fatalf("%q, %v", kept, err)
	}
	for _, name := range kept {
		if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("sesame")) {
			t.Errorf("%s: %v, or it holds a secret", name, err)
		}
	}
}
