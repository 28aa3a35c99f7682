package check_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"anyurl"
	"anyurl/check"
	"anyurl/fetch"
)

// TestIdentify: what one server is to be told, it is told alone: not the one that
// it sends us to, nor one that only its pages link to. Nothing of it is in a
// result.
func TestIdentify(t *testing.T) {
	const secret = "sesame"
	var mu sync.Mutex
	heard := map[string][]string{} // secrets, by path
	hear := func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, password, _ := r.BasicAuth()
		heard[r.URL.Path] = append(heard[r.URL.Path], r.Header.Get("X-Key")+","+password+","+r.Header.Get("Accept-Language"))
	}
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hear(r)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, "other")
	})
	own := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hear(r)
		_, password, _ := r.BasicAuth()
		switch {
		case r.Header.Get("X-Key") != secret || password != secret:
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/page":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<a href=/next>next</a> <a href=%s/linked>other</a>", other)
		case r.URL.Path == "/away":
			http.Redirect(w, r, other+"/away-there", http.StatusFound)
		case r.URL.Path == "/gone":
			http.NotFound(w, r)
		}
	})
	stranger := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<a href=%s/lured>lured</a>", own)
	})
	c := &check.Checker{
		Retries: -1, Trusting: true, Header: map[string][]string{"x-key": {"common"}, "Accept-Language": {"de"}},
		Identify: func(u anyurl.URL) (map[string][]string, *fetch.Auth) {
			if !strings.HasPrefix(u.String(), own+"/") {
				return nil, nil
			}
			return map[string][]string{"X-Key": {secret}}, &fetch.Auth{User: "joe", Password: secret, HasPassword: true}
		},
	}
	results, _ := ask(t, c, fetch.Limits{}, check.Link{URL: own + "/page", Depth: 1}, check.Link{URL: own + "/away"}, check.Link{URL: own + "/gone"},
		check.Link{URL: other + "/beside"}, check.Link{URL: stranger + "/", Depth: 1})
	states := map[string]check.State{}
	for _, r := range results {
		states[r.URL] = r.State
		if strings.Contains(fmt.Sprintf("%+v", r), secret) {
			t.Errorf("a secret is told: %+v", r)
		}
	}
	for url, want := range map[string]check.State{
		own + "/page": check.Alive, own + "/next": check.Alive, own + "/away": check.Alive, own + "/gone": check.Broken,
		own + "/lured": check.Unsure, other + "/linked": check.Alive, other + "/beside": check.Alive,
	} {
		if states[url] != want {
			t.Errorf("%s: %s, want %s", url, states[url], want)
		}
	}
	both := secret + "," + secret + ",de"
	for path, want := range map[string]string{
		"/page": both, "/next": both, "/away": both, "/gone": both,
		"/away-there": ",,de", "/linked": "common,,de", "/beside": "common,,de", "/lured": "common,,de",
	} {
		got := heard[path]
		if len(got) == 0 || slices.ContainsFunc(got, func(said string) bool { return said != want }) {
			t.Errorf("%s was told %q, want %q", path, got, want)
		}
	}
}
