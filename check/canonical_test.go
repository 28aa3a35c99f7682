package check_test

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"anyurl/check"
	"anyurl/fetch"

	"context"
)

// A site makes its pages when they are asked for.
type site struct {
	world
	page func(url string) (body, link string, ok bool) // link is a field of the header
}

func (s *site) Do(ctx context.Context, req *fetch.Request) (*fetch.Result, error) {
	u := req.URL.String()
	body, link, ok := s.page(u)
	if !ok {
		s.world.says = map[string][]string{u: {"404"}}
	}
	result, err := s.world.Do(ctx, req)
	if ok && err == nil {
		result.Type, result.Body = "text/html", io.NopCloser(strings.NewReader(body))
		if link != "" {
			result.Header = map[string][]string{"Link": {link}}
		}
	}
	return result, err
}

// crawl checks a site from its front page on, and gives what was found broken.
func crawl(t *testing.T, s *site, depth int) (broken []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := &check.Checker{Client: s, Trusting: true, Workers: 1}
		c.Run(t.Context(), slices.Values([]check.Link{{URL: "http://a.example/", Depth: depth}}), func(r check.Result) {
			if r.State == check.Broken {
				broken = append(broken, r.URL)
			}
		})
	})
	slices.Sort(broken)
	return broken
}

// TestCanonicalTrap ends at a site that puts a new session into each link of each of
// its pages, where these say what they are; in the text or in the header, and however
// a session is written.
func TestCanonicalTrap(t *testing.T) {
	for _, session := range []string{"%s?session=%d", "%s?lang=en&sid=%d", "%s;jsessionid=%d"} {
		for _, inHeader := range []bool{false, true} {
			n := 0
			s := &site{page: func(u string) (body, link string, ok bool) {
				path := strings.TrimPrefix(u, "http://a.example")
				path, _, _ = strings.Cut(path, "?")
				path, _, _ = strings.Cut(path, ";")
				if !slices.Contains([]string{"/", "/1", "/2", "/3"}, path) {
					return "", "", false
				}
				for _, to := range []string{"/", "/1", "/2", "/3", "/dead"} {
					n++
					body += fmt.Sprintf(`<a href="`+session+`">x</a>`, to, n)
				}
				body += fmt.Sprintf(`<a href="http://b.example/share?u=%s">s</a>`, u)
				if inHeader {
					return body, `</style.css>; rel=preload, <` + path + `>; title="a, b"; rel="canonical"`, true
				}
				return `<link rel=canonical href="` + path + `">` + body, "", true
			}}
			broken := crawl(t, s, 1000)
			// Each of the four pages is read under its own address, and once more with
			// a session; and what stands there has been asked for.
			if len(s.asked) > 150 {
				t.Errorf("%s: %d requests", session, len(s.asked))
			}
			if len(broken) < 4 {
				t.Errorf("%s: found %q broken", session, broken)
			}
		}
	}
}

// TestCanonicalLies holds that nothing is missed where pages call themselves what they
// are not: all of them the front page, or every part of a list its first.
func TestCanonicalLies(t *testing.T) {
	const pages = 30
	for name, canonical := range map[string]string{
		"the front page": "/", "the list": "/list", "the first part": "/list?page=1", "none": "", "elsewhere": "http://b.example/", "no URL": "http://[", "dead": "/gone",
	} {
		s := &site{page: func(u string) (body, link string, ok bool) {
			path := strings.TrimPrefix(u, "http://a.example")
			head := ""
			if canonical != "" {
				head = `<link rel="canonical" href="` + canonical + `">`
			}
			switch _, page, isPart := strings.Cut(path, "/list?page="); {
			case path == "/":
				return head + `<a href="/list?page=1">l</a> <a href="/dead">d</a>`, "", true
			case isPart:
				n, _ := strconv.Atoi(page)
				if n < pages {
					body = fmt.Sprintf(`<a href="/list?page=%d">next</a>`, n+1)
				}
				return head + body + fmt.Sprintf(`<a href="/item?id=%d">i</a><a href="/">home</a>`, n), "", true
			case strings.HasPrefix(path, "/item?id="):
				return head + `<a href="/dead-` + strings.TrimPrefix(path, "/item?id=") + `">d</a>`, "", true
			case path == "/list", path == "http://b.example/":
				return "", "", true
			}
			return "", "", false
		}}
		broken := crawl(t, s, 1000)
		want := map[string]int{"dead": pages + 2, "no URL": pages + 2}[name]
		if want == 0 {
			want = pages + 1
		}
		if len(broken) != want {
			t.Errorf("%s: %d broken, want %d: %q", name, len(broken), want, broken)
		}
	}
}

// TestCanonicalIsALink holds that the canonical link is asked for, and followed.
func TestCanonicalIsALink(t *testing.T) {
	s := &site{page: func(u string) (body, link string, ok bool) {
		switch u {
		case "http://a.example/":
			return `<a href="/p?utm_source=x">p</a><a href="/q?print=1">q</a>`, "", true
		case "http://a.example/p?utm_source=x":
			return `<link rel=canonical href=p><a href=one>1</a>`, "", true
		case "http://a.example/p":
			return `<link rel=canonical href=p><a href=one>1</a><a href=two>2</a>`, "", true
		case "http://a.example/q?print=1":
			return `<p>no link`, `<q>; rel="canonical"`, true
		}
		return "", "", false
	}}
	got := strings.Join(crawl(t, s, 9), " ")
	if want := "http://a.example/one http://a.example/q http://a.example/two"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestVariants holds that an answer of a page that is known leads nowhere but off the
// site, and that one which is asked for again says what it said.
func TestVariants(t *testing.T) {
	answer := func(page string, depth int, urls ...string) check.Answer {
		a := check.Answer{Page: "http://a.example" + page, Canonical: "http://a.example/p"}
		for _, u := range urls {
			a.Found = append(a.Found, check.Link{URL: u, Depth: depth})
		}
		return a
	}
	const off = "http://b.example/"
	var v check.Variants
	for i, tt := range []struct {
		answer check.Answer
		want   int
	}{
		{answer("/p?s=1", 3, "http://a.example/x?s=2", off), 2},
		{answer("/p?s=2", 3, "http://a.example/x?s=3", off), 1},
		{answer("/p?s=1", 3, "http://a.example/x?s=4", off), 2}, // it is asked for again
		{answer("/p?s=3", 3, "http://a.example/x?s=5", "http://a.example/y?s=5", off), 3},
		{answer("/p?s=4", 3, "http://a.example/y?s=6"), 0},
		{answer("/p?s=5", 4, "http://a.example/y?s=7"), 1},               // it is followed further
		{answer("/p?t=6", 3, "http://a.example/y?s=8"), 1},               // s means something to it
		{answer("/p", 3, "http://a.example/z", "http://a.example/w"), 2}, // itself
		{answer("/p?t=7", 3, "http://a.example/w"), 0},
		{check.Answer{Found: make([]check.Link, 3)}, 3},
	} {
		if got := v.News(tt.answer); len(got) != tt.want {
			t.Errorf("%d: %d links, want %d: %v", i, len(got), tt.want, got)
		}
	}
}
