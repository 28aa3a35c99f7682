package http

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/rule"
	"anyurl/scheme"
)

func Example() {
	r, err := Read(anyurl.MustParse("https://www.example/docs/?lang=en#top"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.TLS, r.Addr(), r.Target())
	// Output:
	// true www.example:443 /docs/?lang=en
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		url, addr, target, user, password string
		isTLS, hasUser                    bool
	}{
		{"http://h", "h:80", "/", "", "", false, false},
		{"HTTP://H:80/a/../b", "h:80", "/b", "", "", false, false},
		{"https://h:8443/%2e%2E/x?", "h:8443", "/x?", "", "", true, false},
		{"http://0x7f.1/", "127.0.0.1:80", "/", "", "", false, false},
		{"https://[2001:db8::1]/?a=b%20c", "[2001:db8::1]:443", "/?a=b%20c", "", "", true, false},
		{"http://a%40b:c%3Ad@h/", "h:80", "/", "a@b", "c:d", false, true},
		{"http://h//x//", "h:80", "//x//", "", "", false, false},
	} {
		r, err := Read(anyurl.MustParse(tt.url))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if r.Addr() != tt.addr || r.Target() != tt.target || r.User != tt.user || r.Password != tt.password || r.TLS != tt.isTLS || r.HasUser != tt.hasUser {
			t.Errorf("%s: %+v; want %+v", tt.url, r, tt)
		}
		if again, err := Read(r.URL()); err != nil || again != r {
			t.Errorf("%s is written as %s, which reads as %+v, %v", tt.url, r.URL(), again, err)
		}
	}
	_, err := Read(anyurl.MustParse("ftp://h/"))
	if e, ok := err.(*rule.Error); !ok || e.Rule != scheme.OtherScheme {
		t.Errorf("ftp://h/: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"http://h/", "https://a:b@h:1/x?y#z", "http://[::1]/..//", "http://:@h?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		r, err := Read(u)
		if err != nil {
			return
		}
		if again, err := Read(r.URL()); err != nil || again != r {
			t.Fatalf("%s: %+v is written as %s, which reads as %+v, %v", u, r, r.URL(), again, err)
		}
	})
}
