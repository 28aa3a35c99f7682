package data_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/fetch/fetchtest"
	"anyurl/proto/data"
	"anyurl/rule"
)

func Example() {
	client := fetch.Client{Transports: map[string]fetch.Transport{"data": data.New()}}
	got, err := client.Do(context.Background(), &fetch.Request{URL: anyurl.MustParse("data:text/plain;charset=utf-8;base64,dHVsaXBz")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	fmt.Println(got.Type, string(body))
	// Output:
	// text/plain tulips
}

func TestSuite(t *testing.T) {
	fetchtest.Run(t, fetchtest.Subject{
		New:  func(*dial.Dialer) fetch.Transport { return data.New() },
		URL:  "data:,tulips%20and%20more",
		Want: "tulips and more",
		Head: true,
	})
}

func get(t *testing.T, url string, change func(*fetch.Request)) (*fetch.Result, string, error) {
	t.Helper()
	c := fetch.Client{Transports: map[string]fetch.Transport{"data": data.New()}}
	fetchtest.Opened(t, "none: the URL holds the object", &c)
	req := &fetch.Request{URL: anyurl.MustParse(url)}
	if change != nil {
		change(req)
	}
	got, err := c.Do(t.Context(), req)
	if err != nil {
		return nil, "", err
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	return got, string(b), err
}

func TestFetch(t *testing.T) {
	for _, tt := range []struct{ url, typ, full, body string }{
		// RFC 2397, section 4.
		{"data:,A%20brief%20note", "text/plain", "text/plain;charset=US-ASCII", "A brief note"},
		{"data:text/plain;charset=iso-8859-7,%be%fa%be", "text/plain", "text/plain;charset=iso-8859-7", "\xbe\xfa\xbe"},
		// Section 3: parameters without a type are text/plain's.
		{"data:;charset=utf-8,x", "text/plain", "text/plain;charset=utf-8", "x"},
		// Fetch Standard, data: URL processor, steps 11 and 14.
		{"data:;base64,", "text/plain", "text/plain;charset=US-ASCII", ""},
		{"data:IMAGE/PNG;BASE64,iVBO", "image/png", "IMAGE/PNG", "\x89PN"},
		{"data:text/html;base64,PGI%2B", "text/html", "text/html", "<b>"},
		{"data:nonsense,x", "text/plain", "text/plain;charset=US-ASCII", "x"},
		{"data:,a,b?c#not", "text/plain", "text/plain;charset=US-ASCII", "a,b?c"},
		// Octets are data: nothing here is a line of anything.
		{"data:,%0D%0A%00%FF", "text/plain", "text/plain;charset=US-ASCII", "\r\n\x00\xff"},
	} {
		got, body, err := get(t, tt.url, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if body != tt.body || got.Type != tt.typ || got.Header["Content-Type"][0] != tt.full || got.Size != int64(len(tt.body)) {
			t.Errorf("%s: %q, type %q, %q, size %d", tt.url, body, got.Type, got.Header, got.Size)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ url, rule string }{
		{"data:text/plain", "data/comma"},
		{"data:;base64,tulips!", "data/base64"},
		{"data:;base64,A", "data/base64"},
	} {
		_, _, err := get(t, tt.url, nil)
		var e *fetch.Error
		var r *rule.Error
		if !errors.As(err, &e) || e.Step != fetch.Reading || !errors.As(err, &r) || r.Rule.ID != tt.rule {
			t.Errorf("%s: %v", tt.url, err)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, tt := range []struct {
		offset, at int64
		body       string
	}{{0, 0, "tulips"}, {2, 2, "lips"}, {6, 6, ""}, {99, 6, ""}} {
		got, body, err := get(t, "data:,tulips", func(r *fetch.Request) { r.Offset = tt.offset })
		if err != nil || body != tt.body || got.Offset != tt.at {
			t.Errorf("from %d: %q, %v", tt.offset, body, err)
		}
	}
}
