package fetchtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
)

// What came whole is noted, once a kind and the largest of it; what failed, what
// was cut off and what a failed test saw are not.
func TestOpened(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(fetchtest.OpenedDir, dir)
	tr := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp := &fetch.Response{Protocol: "proto/1", Type: "text/plain", Size: -1}
		var body io.Reader = strings.NewReader(strings.Repeat("x", len(req.URL.Path())))
		switch req.URL.Path() {
		case "/fails":
			return nil, &fetch.Error{Step: fetch.Status}
		case "/cut":
			body = io.MultiReader(body, failing{})
		case "/list":
			resp.Listing, resp.Entries = true, make([]fetch.Entry, 3)
		case "/gone":
			resp.Status = 404
		}
		resp.Body = io.NopCloser(body)
		return resp, nil
	})
	see := func(t testing.TB, server string, urls ...string) {
		c := &fetch.Client{Transports: map[string]fetch.Transport{"http": tr, "gopher": tr}}
		fetchtest.Opened(t, server, c)
		for _, u := range urls {
			if got, err := c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse(u)}); err == nil {
				io.Copy(io.Discard, got.Body)
				got.Body.Close()
			}
		}
	}
	t.Run("one", func(t *testing.T) {
		see(t, "server 1", "http://h/a", "http://h/longer", "http://h/fails", "http://h/cut-off-by-the-server", "http://h/gone", "gopher://h/list")
		see(t, "server 1", "http://h/mid")
		see(t, "server 2", "http://h/list", "http://h/cut")
	})
	got, err := fetchtest.Openings(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Test = ""
	}
	want := []fetchtest.Opening{
		{Scheme: "gopher", Server: "server 1", Objects: []string{"listing, 3 entries"}, Protocols: []string{"proto/1"}},
		{Scheme: "http", Server: "server 1", Objects: []string{"text/plain, 22 octets"}, Protocols: []string{"proto/1"}},
		{Scheme: "http", Server: "server 2", Objects: []string{"listing, 3 entries"}, Protocols: []string{"proto/1"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("cut") }

func ExampleOpenings() {
	all, err := fetchtest.Openings("no/such/folder")
	fmt.Println(len(all), err)
	// Output: 0 <nil>
}
