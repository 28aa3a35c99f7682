package fetch_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"anyurl"
	"anyurl/fetch"
)

func ExampleParseHosts() {
	h := fetch.ParseHosts("localhost, .corp.example, 10.0.0.0/8")
	fmt.Println(h.Has("wiki.corp.example", 80), h.Has("10.1.2.3", 80), h.Has("example.org", 80))
	// Output: true true false
}

func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		list, host string
		port       uint16
		want       bool
	}{
		{"", "a.example", 80, false},
		{"*", "a.example", 80, true},
		{"*", "", 119, true},
		{"x,*", "a.example", 80, true},
		// curl's manual, NO_PROXY: a name matches itself and what lies below it
		{"a.example", "a.example", 80, true},
		{"a.example", "A.Example.", 80, true},
		{"a.example", "b.a.example", 80, true},
		{"a.example", "ba.example", 80, false},
		{".a.example", "a.example", 80, true},
		{".a.example", "b.a.example", 80, true},
		{"*.a.example", "b.a.example", 80, true},
		{"a.example.", "a.example", 80, true},
		{"x.example, a.example", "a.example", 80, true},
		{"x.example a.example", "a.example", 80, true},
		{"a.example", "", 80, false},
		{".", "a.example", 80, false},
		// addresses and blocks (curl since 7.86)
		{"10.0.0.0/8", "10.9.8.7", 80, true},
		{"10.9.8.7/8", "10.1.1.1", 80, true},
		{"10.0.0.0/8", "11.0.0.1", 80, false},
		{"10.0.0.0/8", "10.example", 80, false},
		{"10.0.0.1", "10.0.0.1", 80, true},
		{"10.0.0.1", "x.10.0.0.1", 80, false},
		{"0.0.1", "10.0.0.1", 80, false}, // an address has nothing below it
		{"2001:db8::/32", "2001:db8::1", 80, true},
		{"2001:db8::/32", "2001:db9::1", 80, false},
		{"::1", "::1", 80, true},
		{"[::1]", "::1", 80, true},
		{"::1", "0:0:0:0:0:0:0:1", 80, true},
		{"127.0.0.1", "::ffff:127.0.0.1", 80, true},
		{"::ffff:10.0.0.0/104", "10.2.3.4", 80, true},
		// ports, as lynx has them
		{"a.example:8080", "a.example", 8080, true},
		{"a.example:8080", "a.example", 80, false},
		{"[::1]:70", "::1", 70, true},
		{"[::1]:70", "::1", 71, false},
		{"a.example:none", "a.example", 80, false},
		{"a.example:0", "a.example", 80, false},
	} {
		if got := fetch.ParseHosts(tt.list).Has(tt.host, tt.port); got != tt.want {
			t.Errorf("%q, %s:%d: %v", tt.list, tt.host, tt.port, got)
		}
	}
}

// What is matched is what would be looked up, and the scheme's own port counts.
func TestByHost(t *testing.T) {
	says := func(what string) fetch.Transport {
		return fetch.TransportFunc(func(context.Context, *fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{Protocol: what, Body: io.NopCloser(strings.NewReader(""))}, nil
		})
	}
	d := &fetch.ByHost{Else: says("by"), For: says("straight"), Hosts: fetch.ParseHosts("a.example 127.0.0.1 z.example:210")}
	for url, want := range map[string]string{
		"http://a.example/": "straight", "http://b.example/": "by", "gopher://%61.example/": "straight",
		"gopher://127.1/": "straight", "wais://z.example/db": "straight", "wais://z.example:211/db": "by", "news:comp.test": "by",
	} {
		got, err := d.Fetch(t.Context(), &fetch.Request{URL: anyurl.MustParse(url)})
		if err != nil || got.Protocol != want {
			t.Errorf("%s: %+v, %v, want %s", url, got, err, want)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// Reading a list is linear, and every address of a block is in it.
func FuzzHosts(f *testing.F) {
	for _, list := range []string{"*", "a.example", "10.0.0.0/8", "[::1]:70", ":", "::", "::ffff:1.2.3.4/1", "*.", "a:b:c", "1.2.3.4%x"} {
		f.Add(list, "10.1.1.1", uint16(80))
	}
	f.Fuzz(func(t *testing.T, list, host string, port uint16) {
		h := fetch.ParseHosts(list)
		got := h.Has(host, port)
		if got != fetch.ParseHosts("\t"+list+" , ").Has(host, port) {
			t.Errorf("%q: white space makes a difference", list)
		}
		if !fetch.ParseHosts(list+",*").Has(host, port) {
			t.Errorf("%q: not all", list)
		}
	})
}
