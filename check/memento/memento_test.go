package memento_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"anyurl"
	"anyurl/check"
	"anyurl/check/memento"
	"anyurl/fetch"
)

// An archive holds one copy of each page below http://a.example/, but for those
// called "never", and is out of order when asked about "failure".
type archive struct{ asked []string }

func (a *archive) Do(_ context.Context, req *fetch.Request) (*fetch.Result, error) {
	a.asked = append(a.asked, fmt.Sprint(req.URL, " ", req.Header["Accept-Datetime"]))
	answer := &fetch.Response{URL: req.URL, Status: 200, Body: io.NopCloser(strings.NewReader(""))}
	text := req.URL.String()
	switch {
	case strings.Contains(text, "never"):
		answer.Status = 404
	case strings.Contains(text, "failure"):
		answer.Status = 503
	case strings.Contains(text, "page"): // some page that is no memento
	default:
		_, about, _ := strings.Cut(text, "/gate/")
		answer.URL = anyurl.MustParse("http://archive.example/20250102030405/" + about)
		answer.Header = map[string][]string{"memento-datetime": {"Thu, 02 Jan 2025 03:04:05 GMT"}}
	}
	return &fetch.Result{Response: answer}, nil
}

func TestFind(t *testing.T) {
	when := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	for _, tt := range []struct {
		endpoint, url string
		at            time.Time
		asked, want   string
		err           error
	}{
		{"http://archive.example/gate/", "http://a.example/x?y#z", when, "http://archive.example/gate/http://a.example/x?y [Wed, 04 Mar 2026 04:06:07 GMT]", "http://archive.example/20250102030405/http://a.example/x?y", nil}, // RFC 7089, 2.1.1: always GMT
		{"http://archive.example/gate/{url}", "http://a.example/x", time.Time{}, "http://archive.example/gate/http://a.example/x []", "http://archive.example/20250102030405/http://a.example/x", nil},                          // ibid.: no time is the latest
		{"http://archive.example/gate/", "http://me:sesame@a.example/", when, "http://archive.example/gate/http://a.example/ [Wed, 04 Mar 2026 04:06:07 GMT]", "http://archive.example/20250102030405/http://a.example/", nil},
		{"http://archive.example/gate/", "http://a.example/never", when, "", "", memento.ErrNone}, // 4.5.6
		{"http://archive.example/gate/", "http://a.example/page", when, "", "", memento.ErrNone},  // 2.1.1: no Memento-Datetime, no memento
	} {
		a := &archive{}
		m, err := memento.Gate{Endpoint: tt.endpoint, Client: a}.Find(context.Background(), anyurl.MustParse(tt.url), tt.at)
		if !errors.Is(err, tt.err) || m.URL != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.url, m.URL, err, tt.want)
		}
		if tt.asked != "" && !slices.Equal(a.asked, []string{tt.asked}) {
			t.Errorf("%s: asked %q, want %q", tt.url, a.asked, tt.asked)
		}
		if tt.err == nil && !m.At.Equal(time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("%s: made at %v", tt.url, m.At)
		}
	}
}

// TestInternal holds that an archive of the world is not told of what is internal, and
// one that is internal itself is.
func TestInternal(t *testing.T) {
	for url, tells := range map[string]bool{
		"http://a.example/": true, "http://127.0.0.1/x?token=1": false, "http://10.1.2.3/": false, "http://[::1]/": false, "http://192.0.2.1/": false,
		"http://wiki/": false, "http://localhost:8080/": false, "http://nas.local/": false, "http://db.corp.internal./": false, "http://8.8.8.8/": true,
	} {
		for _, endpoint := range []string{"http://archive.example/gate/", "http://10.0.0.7/gate/"} {
			a := &archive{}
			s := memento.NewStage(context.Background(), memento.Gate{Endpoint: endpoint, Client: a}, func(check.Result) {})
			s.Take(check.Result{URL: url, State: check.Broken})
			s.Close()
			if want := tells || strings.Contains(endpoint, "10.0.0.7"); (len(a.asked) == 1) != want {
				t.Errorf("%s, %s: asked %q, want %t", endpoint, url, a.asked, want)
			}
		}
	}
}

// TestStage: only dead links are asked about, and an archive that fails stops
// nothing.
func TestStage(t *testing.T) {
	a := &archive{}
	got := map[string][]check.Suggestion{}
	s := memento.NewStage(context.Background(), memento.Gate{Endpoint: "http://archive.example/gate/", Client: a}, func(r check.Result) { got[r.URL] = r.Suggestions })
	old := []check.Suggestion{{URL: "http://a.example/new"}}
	s.Take(check.Result{URL: "http://a.example/alive", State: check.Alive})
	s.Take(check.Result{URL: "http://a.example/dead", State: check.Broken, Suggestions: old, Past: &check.Past{LastGood: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}})
	s.Take(check.Result{URL: "file:///dead", State: check.Broken})
	s.Take(check.Result{URL: "no URL", State: check.Broken})
	for i := range 10 {
		s.Take(check.Result{URL: fmt.Sprintf("http://a.example/failure%d", i), State: check.Broken})
	}
	fault := s.Close()
	if fault != "the archive did not answer for 10 dead links: the archive answers 503" {
		t.Errorf("%q", fault)
	}
	if len(got) != 14 {
		t.Errorf("%d results of 14 are handed on", len(got))
	}
	if dead := got["http://a.example/dead"]; len(dead) != 2 || dead[1].URL != "http://archive.example/20250102030405/http://a.example/dead" || dead[1].Why != "an archived copy of 2025-01-02" {
		t.Errorf("suggested: %v", dead)
	}
	if len(a.asked) != 4 || !strings.HasSuffix(a.asked[0], "[Mon, 01 Jan 2024 00:00:00 GMT]") {
		t.Errorf("asked: %q", a.asked)
	}
}

func ExampleGate_Find() {
	// A real Client would ask the network.
	gate := memento.Gate{Endpoint: "http://archive.example/gate/", Client: &archive{}}
	m, err := gate.Find(context.Background(), anyurl.MustParse("http://a.example/gone"), time.Now())
	fmt.Println(m.URL, err)
	// Output: http://archive.example/20250102030405/http://a.example/gone <nil>
}
