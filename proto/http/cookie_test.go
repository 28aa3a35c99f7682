package http_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	httpproto "anyurl/proto/http"
)

// TestLoopWithCookie holds that a redirect back to itself is told from one that
// wants a cookie brought back.
func TestLoopWithCookie(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cookie" {
			w.Header().Set("Set-Cookie", "seen=1")
		}
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}))
	defer server.Close()
	h := httpproto.New(&dial.Dialer{})
	defer h.Close()
	client := &fetch.Client{Transports: map[string]fetch.Transport{"http": h}, AllowPort: func(string, uint16) bool { return true }}
	for path, cookie := range map[string]bool{"/cookie": true, "/loop": false} {
		u, err := anyurl.Parse(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Do(t.Context(), &fetch.Request{URL: u})
		if !errors.Is(err, fetch.ErrLoop) || errors.Is(err, fetch.ErrCookie) != cookie {
			t.Errorf("%s: %v", path, err)
		}
	}
}
