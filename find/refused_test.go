package find

import (
	"strings"
	"testing"
	"testing/iotest"

	"anyurl"
)

// TestRefused holds that a URL which somebody wrote with a mistake in it is
// found whole, so that the mistake can be told, and that what stands for a URL
// is not taken for one.
func TestRefused(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"<http://a.example:99999/>", "http://a.example:99999/"},
		{"<http://a.example:99999>", "http://a.example:99999"},
		{"<URL:http://a.example:99999/x>", "http://a.example:99999/x"},
		{"<http://a.example:80a/>", "http://a.example:80a/"},
		{"<http://a.example:80:81/>", "http://a.example:80:81/"},
		{"<http://a.example:-1/x>", "http://a.example:-1/x"},
		{"<http://[::1/>", "http://[::1/"},
		{"<http://[::1>", "http://[::1"},
		{"<http://[::g]/>", "http://[::g]/"},
		{"<http://[1.2.3.4]/>", "http://[1.2.3.4]/"},
		{"<http://[::1]x/>", "http://[::1]x/"},
		{"<http://::1/>", "no"},
		{"<http://exa^mple.com/>", "http://exa^mple.com/"},
		{"<http://exa%zzmple.com/x>", "http://exa%zzmple.com/x"},
		{"<http://exa|mple.com/x>", "http://exa|mple.com/x"},
		{"<http://joe:x@a.example:99999/x>", "http://joe:x@a.example:99999/x"},
		{"<http://a.example:999\n  99/x>", "http://a.example:99999/x"},
		// With a path behind it a port that is none is still the URL's.
		{"at http://a.example:99999/x now", "http://a.example:99999/x"},
		{"at http://a.example:80a/x now", "http://a.example:80a/x"},
		{"at http://a.example:123456789012/, now", "http://a.example:123456789012/"},
		{"at http://a.example:99999?q=1 now", "http://a.example:99999?q=1"},
		{"(http://joe:x@a.example:99999/x)", "http://joe:x@a.example:99999/x"},
		// Without brackets a host that no standard takes makes no URL.
		{"at http://[::1/x now", "no"},
		{"at http://[::1, now", "no"},
		{"at http://[127.0.0.1]/x now", "no"},
		{"at http://[dead::beef:111.222.333.444] now", "no"},
		{"at http://111.222.333.444/ now", "no"},
		{"<http://111.222.333.444/>", "http://111.222.333.444/"},
		// The sentence's, as it was.
		{"is it http://a.example:99999?", "http://a.example"},
		{"http://a.example:80 http", "http://a.example:80"},
		// What stands for a host.
		{"<http://[host]/x>", "no"},
		{"http://[host]/x", "no"},
		{"<http://{host}/x>", "no"},
		{"<http://$HOST/x>", "no"},
		{"<http://*.example/x>", "no"},
		{"<http://.../x>", "no"},
		{"<http://>", "no"},
		{"http://[:: and", "no"},
	} {
		got := "no"
		for m := range Text(row.text, Options{}) {
			if got != "no" {
				t.Errorf("%q: more than one match", row.text)
			}
			got = m.URL
		}
		if got != row.want {
			t.Errorf("%q: got %q, want %q", row.text, got, row.want)
		}
		// The same in a stream that comes byte by byte.
		n := 0
		for m, err := range Reader(iotest.OneByteReader(strings.NewReader(row.text)), Options{}) {
			if n++; err != nil || m.URL != got {
				t.Errorf("%q: a stream gives %q, %v", row.text, m.URL, err)
			}
		}
		if n == 0 && got != "no" {
			t.Errorf("%q: a stream gives nothing", row.text)
		}
	}
}

// TestRefusedIsRefused holds that the URL Standard refuses what it should.
func TestRefusedIsRefused(t *testing.T) {
	for _, url := range []string{"http://a.example:99999/", "http://[::1/", "http://a.example:80a/", "http://exa^mple.com/"} {
		if anyurl.CanParse(url) {
			t.Errorf("%s parses", url)
		}
	}
}
