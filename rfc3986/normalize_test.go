package rfc3986_test

import (
	"testing"

	"anyurl/rfc3986"
)

func TestNormalize(t *testing.T) {
	const (
		str, cas, pct, seg, sch = rfc3986.LevelString, rfc3986.LevelCase, rfc3986.LevelPercent, rfc3986.LevelSegments, rfc3986.LevelScheme
	)
	for _, tt := range []struct {
		level    rfc3986.Level
		in, want string
	}{
		{str, "HTTP://EX.example:80/%7e/../", "HTTP://EX.example:80/%7e/../"},
		// 6.2.2.1
		{cas, "HTTP://www.EXAMPLE.com/", "http://www.example.com/"},
		{cas, "HTTP://U%3a@EX%c3.example/A%3a?B%3a#C%3a", "http://U%3A@ex%C3.example/A%3A?B%3A#C%3A"},
		{cas, "a://[FE80::A]/./%41", "a://[fe80::a]/./%41"},
		// 6.2.2.2
		{pct, "http://a/%7Euser/%2d%2E%5F%2f%25", "http://a/~user/-._%2F%25"},
		{pct, "http://%41%2e/", "http://a./"}, // decoded, then in lower case
		{pct, "http://127.0.0.%31/", "http://127.0.0.1/"},
		// 6.2.2, the example, and 6.2.2.3
		{seg, "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"},
		{seg, "http://a/%2e%2E/b", "http://a/b"},
		{seg, "../../a/./b", "../../a/./b"}, // a reference's dots mean something
		{seg, "a:/.//b", "a:/.//b"},
		{seg, "a:/x/..//b", "a:/.//b"},
		{seg, "./a:b", "./a:b"},
		// 6.2.3, the four equivalent URIs and what is not equivalent
		{sch, "http://example.com", "http://example.com/"},
		{sch, "http://example.com/", "http://example.com/"},
		{sch, "http://example.com:/", "http://example.com/"},
		{sch, "http://example.com:80/", "http://example.com/"},
		{sch, "http://example.com/?", "http://example.com/?"},
		{sch, "http://example.com/#", "http://example.com/#"},
		{sch, "http://example.com:8080", "http://example.com:8080/"},
		{sch, "http://@example.com", "http://@example.com/"},
		{sch, "HTTPS://example.com:443?q", "https://example.com/?q"},
		{sch, "https://example.com:80/", "https://example.com:80/"},
		{sch, "x://example.com:/", "x://example.com/"},
		{sch, "file://LOCALHOST/etc/motd", "file:///etc/motd"},
		{sch, "mailto:Joe@Example.COM", "mailto:Joe@example.com"},
		{sch, "mailto:Joe@A.EXAMPLE,Jim@B.example?cc=X@Y", "mailto:Joe@a.example,Jim@b.example?cc=X@Y"},
		{sch, "gopher://h:70", "gopher://h/"},
		{sch, "urn:X:Y", "urn:X:Y"},
	} {
		got, err := rfc3986.Normalize(ref(t, tt.in), tt.level)
		if err != nil || got.String() != tt.want {
			t.Errorf("%s at %d: %s, %v, want %s", tt.in, tt.level, got, err, tt.want)
		}
	}
}
