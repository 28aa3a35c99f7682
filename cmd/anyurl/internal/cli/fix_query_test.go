package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A redirect that adds a query may have one for this visit alone: it is not
// written into a document. One that keeps the link's own is.
func TestFixLeavesQueriesAlone(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/track":
			http.Redirect(w, r, "/ok?session=abc123", http.StatusMovedPermanently)
		case "/old":
			http.Redirect(w, r, "/ok?"+r.URL.RawQuery, http.StatusMovedPermanently)
		}
	}))
	defer web.Close()
	file := filepath.Join(t.TempDir(), "a.md")
	const text = "[a](WEB/track) [b](WEB/old?id=1)\n"
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "WEB", web.URL)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := run("", "check", "--fix", "write", file)
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll("[a](WEB/track) [b](WEB/ok?id=1)\n", "WEB", web.URL); string(got) != want || status != 0 {
		t.Errorf("status %d, got %s", status, got)
	}
	if !strings.Contains(stderr, "a.md:1: a link that was to be rewritten stays as it is: the new place has a query") {
		t.Errorf("it is not told: %s", stderr)
	}
}
