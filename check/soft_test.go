package check_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"anyurl/check"
	"anyurl/fetch"
)

// A yes is a server that has a page for every address.
type yes struct {
	mu    sync.Mutex
	page  func(path string) (title, body string)
	moved string // where every address that is not in there leads
	there []string
	asked []string
}

func (y *yes) Do(_ context.Context, req *fetch.Request) (*fetch.Result, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.asked = append(y.asked, req.Method+" "+req.URL.Path())
	u := req.URL
	result := &fetch.Result{Response: &fetch.Response{Protocol: "HTTP/1.1", Status: 200, Type: "text/html"}}
	if y.moved != "" && !slices.Contains(y.there, u.Path()) && u.Path() != y.moved {
		result.Hops = append(result.Hops, fetch.Hop{URL: u.String(), Status: 302, Location: y.moved})
		next, err := u.Resolve(y.moved)
		if err != nil {
			return nil, err
		}
		u = next
	}
	result.URL = u
	result.Hops = append(result.Hops, fetch.Hop{URL: u.String(), Status: 200})
	title, body := y.page(u.Path())
	result.Body = io.NopCloser(strings.NewReader("<title>" + title + "</title><p>" + body))
	return result, nil
}

func TestSoftErrors(t *testing.T) {
	const words = "one two three four five six seven eight nine ten eleven twelve"
	article := func(path string) (string, string) {
		if strings.HasPrefix(path, "/real") {
			return "About " + path, "this page has words of its own, about " + path
		}
		return "Shop", words + " you asked for " + path + " at 12:30:11"
	}
	for _, tt := range []struct {
		name   string
		server *yes
		path   string
		state  check.State
		reason string
	}{
		{"the page of a made-up address", &yes{page: article}, "/gone/it.html", check.Unsure, "the server has the same page for a made-up address"},
		{"a page of its own", &yes{page: article}, "/real.html", check.Alive, ""},
		{"the front page of a server that says yes", &yes{page: article}, "/", check.Alive, ""},
		{"where made-up addresses lead", &yes{page: article, moved: "/real/sorry"}, "/gone", check.Unsure, "it leads where a made-up address on this server leads, too"},
		{"what is there, where others lead away", &yes{page: article, moved: "/real/sorry", there: []string{"/real/x"}}, "/real/x", check.Alive, ""},
		{"a title that confesses", &yes{page: func(string) (string, string) { return "Error 404: Page not found | Shop", words }}, "/gone", check.Unsure, `the page is there, and its title is "Error 404: Page not found | Shop"`},
		{"a title with the number in it", &yes{page: func(path string) (string, string) { return "Page " + strings.TrimPrefix(path, "/real/"), words }}, "/real/404", check.Alive, ""},
		{"a parked domain's title", &yes{page: func(string) (string, string) { return "old.example - This domain is for sale", words }}, "/", check.Unsure, `the domain looks parked: the page's title is "old.example - This domain is for sale"`},
		{"a parked domain's page", &yes{page: func(string) (string, string) { return "old.example", words + " Buy this domain!" }}, "/", check.Unsure, "the domain looks parked: every address has one page, and that offers it for sale"},
	} {
		var got check.Result
		(&check.Checker{Client: tt.server}).Run(t.Context(), links("http://a.example"+tt.path), func(r check.Result) { got = r })
		if got.State != tt.state || got.Reason != tt.reason {
			t.Errorf("%s: %s, %q, want %s, %q", tt.name, got.State, got.Reason, tt.state, tt.reason)
		}
		if strings.Contains(got.Reason, "made-up") && !strings.Contains(strings.Join(got.Evidence, "\n"), "/no-such-page-") {
			t.Errorf("%s: the evidence is %q", tt.name, got.Evidence)
		}
		asked := len(tt.server.asked)
		(&check.Checker{Client: tt.server, Trusting: true}).Run(t.Context(), links("http://a.example"+tt.path), func(r check.Result) { got = r })
		if got.State != check.Alive || len(tt.server.asked) != asked+1 {
			t.Errorf("%s, trusting: %s after %q", tt.name, got.State, tt.server.asked[asked:])
		}
	}
}

// TestSoftErrorsAreAskedFewTimes holds that a site is asked for few made-up
// addresses, however many folders it has.
func TestSoftErrorsAreAskedFewTimes(t *testing.T) {
	y := &yes{page: func(path string) (string, string) { return path, "words" }}
	var urls []string
	for _, folder := range strings.Fields("a b c d e f g h i j") {
		for _, name := range strings.Fields("1 2 3 4 5") {
			urls = append(urls, "http://a.example/"+folder+"/"+name)
		}
	}
	(&check.Checker{Client: y}).Run(t.Context(), links(urls...), func(check.Result) {})
	made := 0
	for _, asked := range y.asked {
		if strings.Contains(asked, "no-such-page-") {
			made++
		}
	}
	if made != 4 {
		t.Errorf("%d made-up addresses were asked for, want 4", made)
	}
}
