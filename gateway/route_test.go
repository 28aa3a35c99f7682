package gateway

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme/known"
)

func TestAddress(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"gopher://a.example/1/menu", "/gopher/a.example/1/menu"},
		{"gopher://a.example:7070/7/find%09two%20words", "/gopher/a.example:7070/7/find%09two%20words"},
		{"gopher://a.example", "/gopher/a.example"},
		{"ftp://a.example/%2Fetc/motd;type=a", "/ftp/a.example/%2Fetc/motd;type=a"},
		{"ftp://a.example//etc/", "/ftp/a.example//etc/"},
		{"ftp://joe:secret@a.example/x", "/ftp/joe@a.example/x"}, // a password is never in a link
		{"file:///srv/docs/", "/file//srv/docs/"},
		{"news:comp.lang.go", "/news/comp.lang.go"},
		{"news://news.example/comp.lang.go", "/news///news.example/comp.lang.go"},
		{"news:4k$1@a.example", "/news/4k$1@a.example"},
		{"mailto:joe@a.example?subject=hi&body=a%0D%0Ab", "/mailto/joe@a.example?subject=hi&body=a%0D%0Ab"},
		{"http://[::1]:8080/a?b=c#d", "/http/[::1]:8080/a?b=c#d"},
		{"wais://a.example/docs?tulip+bulb", "/wais/a.example/docs?tulip+bulb"},
		{"urn:isbn:0451450523", "/urn/isbn:0451450523"},
		{"mid:1@a.example#part", "/mid/1@a.example#part"},
		// What a browser would change on the way goes as a parameter.
		{"urn:a/../b", "/open?url=urn%3Aa%2F..%2Fb"},
		{"gopher:/no/authority", "/open?url=gopher%3A%2Fno%2Fauthority"},
		{"open:x", "/open/x"},
	} {
		u := anyurl.MustParse(tt.url)
		if got := Address(u); got != tt.want {
			t.Errorf("Address(%s) = %s, want %s", tt.url, got, tt.want)
		}
	}
	if got := Address(anyurl.URL{}); got != "/" {
		t.Errorf("the zero URL is at %s", got)
	}
}

// comesBack holds that a browser which follows the link to u asks for u.
func comesBack(t *testing.T, u anyurl.URL) {
	t.Helper()
	want := withoutPassword(u)
	for _, view := range []string{"", "raw", "by-size"} {
		link := address(view, u)
		asked, err := anyurl.Parse("http://127.0.0.1:7070" + link)
		if err != nil {
			t.Fatalf("the link to %s is no URL: %v", u, err)
		}
		target := asked.Path()
		if asked.HasQuery() {
			target += "?" + asked.Query()
		}
		r := Route(target)
		got, err := anyurl.Parse(r.Input)
		if err != nil {
			t.Fatalf("the link to %s, %s, asks for %q: %v", u, link, r.Input, err)
		}
		if strings.HasPrefix(link, "/open?") || strings.HasPrefix(link, "/~"+view+"/open?") {
			if got != want {
				t.Errorf("%s: the link %s asks for %s", u, link, got)
			}
		} else if got != want.WithoutFragment() || asked.Fragment() != want.Fragment() {
			t.Errorf("%s: the link %s asks for %s", u, link, got)
		}
		if r.View != view {
			t.Errorf("%s: the link %s shows it as %q, want %q", u, link, r.View, view)
		}
	}
}

func TestAddressComesBack(t *testing.T) {
	for _, s := range known.Schemes() {
		if u, err := anyurl.Parse(s.Example); err == nil {
			comesBack(t, u)
		}
	}
	list, err := filepath.Glob("../../shared/data/urls/*")
	if err != nil || len(list) == 0 {
		t.Skip("the list of real URLs is not here")
	}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if u, err := anyurl.Parse(strings.TrimSpace(line)); err == nil {
				comesBack(t, u)
			}
		}
	}
}

func TestRoute(t *testing.T) {
	for _, tt := range []struct {
		path string
		want Target
	}{
		{"/gopher/a.example/1", Target{Input: "gopher://a.example/1"}},
		{"/~raw/gopher/a.example/0x", Target{Input: "gopher://a.example/0x", View: "raw"}},
		{"/open?url=gopher%3A%2F%2Fa.example", Target{Input: "gopher://a.example", Typed: true}},
		{"/open?x=1&url=a+b", Target{Input: "a b", Typed: true}},
		{"/~raw/open?url=a", Target{Input: "a", View: "raw", Typed: true}},
		{"/", Target{}},
		{"/gopher", Target{}},
		{"/GOPHER/a", Target{}}, // no serialised URL has it so
		{"/~/gopher/a", Target{}},
		{"/~raw", Target{}},
		{"*", Target{}},
		{"", Target{}},
	} {
		if got := Route(tt.path); got != tt.want {
			t.Errorf("Route(%q) = %+v, want %+v", tt.path, got, tt.want)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range known.Schemes() {
		f.Add(s.Example)
	}
	for _, s := range []string{"news://h/a", "urn:a/../b", "gopher://h/1/%2e%2e/x", "file://h/../x", "foo:a?b#c", "a:/.//b", "x:\\y", "http://u:p@h/", "mailto:a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if u, err := anyurl.Parse(s); err == nil {
			comesBack(t, u)
		}
	})
}

func FuzzRoute(f *testing.F) {
	for _, s := range []string{"/gopher/a/1", "/~raw/x/y", "/open?url=%zz", "/~raw/open?url=a&b", "/a/open?#", "//", "/a/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		r := Route(path)
		if r.Input == "" {
			return
		}
		u, err := anyurl.Parse(r.Input)
		if err != nil {
			return
		}
		comesBack(t, u)
	})
}
