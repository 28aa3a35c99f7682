package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"

	"anyurl"
	"anyurl/fetch"
	"anyurl/gateway"
)

// A handler over one protocol. A program would hand in proto/builtin's
// transports, with a dialer that has dial.Guard.
func Example() {
	hello := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Protocol: "gopher", Type: "text/plain", Size: -1, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	})
	g := gateway.New(gateway.Options{
		Client: &fetch.Client{Transports: map[string]fetch.Transport{"gopher": hello}},
		Hosts:  []string{"gate.example"},
	})

	page := httptest.NewRecorder()
	g.ServeHTTP(page, httptest.NewRequest("GET", "http://gate.example"+gateway.Address(anyurl.MustParse("gopher://a.example/0hello")), nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	fmt.Println(strings.Contains(page.Body.String(), "hello"))
	// Output:
	// 200 text/html; charset=utf-8
	// true
}

func ExampleAddress() {
	fmt.Println(gateway.Address(anyurl.MustParse("gopher://a.example/1/docs")))
	fmt.Println(gateway.Address(anyurl.MustParse("news:comp.infosystems.www")))
	fmt.Println(gateway.Address(anyurl.MustParse("urn:a/../b")))
	// Output:
	// /gopher/a.example/1/docs
	// /news/comp.infosystems.www
	// /open?url=urn%3Aa%2F..%2Fb
}
