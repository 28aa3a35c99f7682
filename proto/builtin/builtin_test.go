package builtin_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/proto/builtin"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()

	client := fetch.Client{Transports: builtin.Transports(&dial.Dialer{Allow: dial.Guard}, builtin.Options{})}
	defer client.Close()
	_, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(server.URL)})
	fmt.Println(err != nil) // a server on this machine is what the guard is for

	client = fetch.Client{Transports: builtin.Transports(&dial.Dialer{}, builtin.Options{})}
	defer client.Close()
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse(server.URL)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Printf("%s\n", body)
	// Output:
	// true
	// hello
}
