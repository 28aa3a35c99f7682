package canon_test

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/canon"
)

func ExampleSURT() {
	fmt.Println(canon.SURT(anyurl.MustParse("https://www.Shop.example:8080/b/?z=1&a=2#top")))
	// Output: example,shop:8080)/b?a=2&z=1
}

func ExampleDedupe() {
	u, err := canon.Dedupe(anyurl.MustParse("https://shop.example./%7Ea?z=1&utm_source=x&a=2#top"))
	fmt.Println(u, err)
	// Output: https://shop.example/~a?a=2&z=1 <nil>
}

func TestSURT(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"http://archive.example/goo/?a=2&b&a=1", "example,archive)/goo?a=2&a=1&b"},
		{"http://a.example", "example,a)/"},
		{"http://a.example/", "example,a)/"},
		{"https://WWW2.a.example:443/X/Y", "example,a)/x/y"},
		{"http://www.example/", "example)/"},
		{"http://www/", "www)/"}, // a site of that name
		{"http://wwwx.example/", "example,wwwx)/"},
		{"http://a.example./", "example,a)/"},
		{"http://u:p@a.example:81/x#y", "example,a:81)/x"},
		{"http://127.0.0.1:8080/a", "127.0.0.1:8080)/a"},
		{"http://[::1]:81/a", "[::1]:81)/a"},
		{"http://a.example/%7Eu/%c3%A9?", "example,a)/~u/%c3%a9"},
		{"http://é.example/", "example,xn--9ca)/"},
		{"ftp://ftp.a.example/b", "example,a,ftp)/b"},
		{"mailto:a@b.example#x", "mailto:a@b.example"},
		{"file:///a/b#c", "file:///a/b"},
		{"x://H.Example", "example,h)/"},
	} {
		if got := canon.SURT(anyurl.MustParse(tt.in)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestDedupe(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"HTTP://A.example:80/b/../c", "http://a.example/c"},
		{"http://a.example/?", "http://a.example/"},
		{"http://a.example/#top", "http://a.example/"},
		{"http://a.example/#!/b", "http://a.example/#!/b"},
		{"http://a.example/#/b", "http://a.example/#/b"},
		{"http://a.example/?b=2&a=1&b=1", "http://a.example/?a=1&b=2&b=1"},
		{"http://a.example/?UTM_x=1&utm%5Fy=2&gclid=3&a", "http://a.example/?a"},
		{"http://a.example/?&&a=%7e%2f&", "http://a.example/?a=~%2F"},
		{"http://a.example/?utmost=1", "http://a.example/?utmost=1"},
		{"http://a.example/%41%2d%2e%2F", "http://a.example/A-.%2F"},
		{"http://a.example./", "http://a.example/"},
		{"http://a.example../", "http://a.example../"}, // an empty label is no root
		{"http://www.a.example/A/index.html/", "http://www.a.example/A/index.html/"},
		{"http://u:p@a.example/", "http://u:p@a.example/"},
		{"x://a.example./?b&a", "x://a.example./?b&a"}, // an opaque host, and nobody's form
		{"mailto:a@b.example?subject=%41#x", "mailto:a@b.example?subject=%41"},
		{"urn:a:B", "urn:a:B"},
	} {
		got, err := canon.Dedupe(anyurl.MustParse(tt.in))
		if err != nil || got.String() != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
}

// A key is the key of itself, and of every spelling that parses to the same.
func FuzzDedupe(f *testing.F) {
	for _, s := range []string{"http://a.example/%7Eb?c&a#d", "http://a./?utm_x", "x:y?z", "file:///%2e%2e/a|b", "http://a/?%26=%3D&%23"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		canon.SURT(u)
		got, err := canon.Dedupe(u)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if got.Host() != u.Host() && got.Host().String()+"." != u.Host().String() {
			t.Fatalf("%q: %q has another host", s, got)
		}
		if again, err := canon.Dedupe(got); err != nil || again != got {
			t.Fatalf("%q: %q, and again %q, %v", s, got, again, err)
		}
	})
}
