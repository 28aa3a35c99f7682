package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
)

func ExampleNewGateway() {
	web := &site{answers: map[string]answer{
		"http://gateway.example/open?url=wais%3A%2F%2Fserver.example%2Fdb%3Fword": {status: 200, body: "three documents\n"},
	}}
	via := map[string]fetch.Transport{"http": web}
	g, err := fetch.NewGateway("http://gateway.example/open?url={url}", via)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := fetch.Client{Transports: map[string]fetch.Transport{"http": web, "wais": g}}
	got, err := c.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("wais://server.example/db?word")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	io.Copy(os.Stdout, got.Body)
	fmt.Println(got.URL)
	// Output:
	// three documents
	// wais://server.example/db?word
}

func TestGateway(t *testing.T) {
	via := map[string]fetch.Transport{"http": &site{}}
	for _, tt := range []struct{ template, url, want string }{
		{"http://g/?{url}", "wais://h/a b", "http://g/?wais%3A%2F%2Fh%2Fa%2520b"},
		{"http://g/{+url}", "wais://h/db?x", "http://g/wais://h/db?x"},
		{"http://g/{url}/as/text", "mid:a@b", "http://g/mid%3Aa%40b/as/text"},
		{"http://g/?{url}", "ftp://u:secret@h/x#f", "http://g/?ftp%3A%2F%2Fh%2Fx"}, // neither user info nor fragment
		{"http://g/?{url}", "ftp://h/x&y=z%0D%0A", "http://g/?ftp%3A%2F%2Fh%2Fx%26y%3Dz%250D%250A"},
	} {
		g, err := fetch.NewGateway(tt.template, via)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := g.URL(anyurl.MustParse(tt.url)); err != nil || got.String() != tt.want {
			t.Errorf("%s of %s: got %s, %v, want %s", tt.template, tt.url, got, err, tt.want)
		}
	}
	for _, bad := range []string{"http://g/", "http://g/{url}{url}", "{url}", "http://[/{url}", "quux://g/{url}"} {
		if _, err := fetch.NewGateway(bad, via); err == nil {
			t.Errorf("%s is taken for a template", bad)
		}
	}
}

func TestGatewayKeepsSecrets(t *testing.T) {
	var saw *fetch.Request
	web := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		saw = req
		if strings.Contains(req.URL.String(), "broken") {
			return nil, &fetch.Error{Step: fetch.Connecting, Kind: fetch.ErrBusy}
		}
		return &fetch.Response{Status: 302, Location: "/elsewhere", Body: io.NopCloser(strings.NewReader(""))}, nil
	})
	g, err := fetch.NewGateway("http://g.example/?{url}", map[string]fetch.Transport{"http": web})
	if err != nil {
		t.Fatal(err)
	}
	c := fetch.Client{Transports: map[string]fetch.Transport{"ftp": g}}
	_, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("ftp://u:secret@h/x"), Auth: &fetch.Auth{User: "u", Password: "secret"},
		Header: map[string][]string{"Authorization": {"secret"}, "Accept": {"*/*"}}})
	if saw.Auth != nil || len(saw.Header) != 1 || strings.Contains(saw.URL.String(), "secret") {
		t.Errorf("the gateway saw %+v", saw)
	}
	// Where the gateway sends us is its own business, told in full and not followed unasked.
	var e *fetch.Error
	if !errors.As(err, &e) || e.Code != "redirect-to-scheme" || e.Hops[0].Location != "http://g.example/elsewhere" {
		t.Errorf("a redirecting gateway: %v", err)
	}
	_, err = c.Do(t.Context(), &fetch.Request{URL: anyurl.MustParse("ftp://h/broken")})
	if !errors.As(err, &e) || e.URL.Host().String() != "g.example" || !errors.Is(err, fetch.ErrBusy) {
		t.Errorf("a gateway that fails: %v", err)
	}
}
