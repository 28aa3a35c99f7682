package neturl_test

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	"anyurl"
	"anyurl/neturl"
	"anyurl/rule"
)

func ExampleTo() {
	v, err := neturl.To(anyurl.MustParse("https://u:p@ex.example:8080/a%2Fb?q#f"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Host, v.EscapedPath(), v)
	// Output: ex.example:8080 /a%2Fb https://u:p@ex.example:8080/a%2Fb?q#f
}

func ExampleFrom() {
	v := &url.URL{Scheme: "http", Host: "EX.example:80", Path: "/a b"}
	u, err := neturl.From(v, anyurl.URL{})
	fmt.Println(u, err)
	// Output: http://ex.example/a%20b <nil>
}

func TestTo(t *testing.T) {
	for _, tt := range []struct {
		in string
		ok bool
	}{
		{"http://a.example/", true},
		{"http://u:p@a.example:81/b%2Fc/d%zz?q=%zz#f%20g", false}, // "%zz" is no escape, so net/url writes it "%25zz"
		{"http://u:p@a.example:81/b%2Fc/d?q=%zz&'x#f%20g", true},
		{"http://a.example/?", true},
		{"http://a.example/[]~'", true},
		{"http://a.example/a|b", false}, // net/url encodes "|"
		{"http://[::1]:8080/", true},
		{"http://u%3A@a.example/", true},
		{"file:///etc/motd", true},
		{"file://server/a", true},
		{"mailto:a@b.example?subject=x", true},
		{"urn:isbn:0", true},
		{"x:/a/b", true},
		{"x:/.//a", true},
		{"x://h", true},
		{"x:///a", true},
		{"data:,a b", true},
		{"http://a_b!$.example/", true},
	} {
		u := anyurl.MustParse(tt.in)
		v, err := neturl.To(u)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, &rule.Error{Rule: neturl.Differs}) {
			t.Errorf("To(%q) = %q, %v", tt.in, v, err)
		}
		if err != nil {
			continue
		}
		if v.String() != u.String() {
			t.Errorf("To(%q) writes %q", u, v)
		}
		if back, err := neturl.From(v, anyurl.URL{}); err != nil || back != u {
			t.Errorf("From(To(%q)) = %q, %v", u, back, err)
		}
	}
	if v, err := neturl.To(anyurl.URL{}); err != nil || *v != (url.URL{}) {
		t.Errorf("To of the zero URL = %#v, %v", v, err)
	}
}

func TestFromRelative(t *testing.T) {
	base := anyurl.MustParse("http://a.example/b/c")
	u, err := neturl.From(&url.URL{Path: "../d"}, base)
	if err != nil || u.String() != "http://a.example/d" {
		t.Errorf("From(../d) = %q, %v", u, err)
	}
}

func FuzzTo(f *testing.F) {
	for _, s := range []string{"http://u:p@h:81/a%2Fb?q#f", "x:/.//a", "mailto:a@b", "file:///C:/", "http://h/%zz|'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		v, err := neturl.To(u)
		if err != nil {
			return
		}
		if v.String() != u.String() {
			t.Errorf("To(%q) writes %q", u, v)
		}
		if u.Host().Kind() != anyurl.HostOpaque && u.HasHost() && v.Opaque == "" && v.Host != u.HostPort() {
			t.Errorf("To(%q) has the host %q", u, v.Host)
		}
	})
}
