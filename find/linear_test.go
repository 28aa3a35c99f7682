package find

import (
	"strings"
	"testing"
)

// hostile are texts that make careless finders take quadratic time, to be
// repeated.
var hostile = []string{
	"a.a~", "http://", "((((", "<URL:", "<URL:http://a\n", "a@", "a@a.", "a.", "a.a@", ":", "a:", "a:b",
	"http://a.example/(", "http://a.example/([{", "http://a@", "http://a.example,", "x://a:1,", "mongodb://a,", "mongodb://a@",
	"data:text/plain,", "mailto:a@", "jdbc:a:", "view-source:a:", "http://a.example/,http://", "a.com", "a.com/", "a.com@",
	"-", "--a.com", "_", "_a.com", "<http://a ", "<mailto:a@b\n", "http://[", "http://[::", "http://a..", "http://a.-", "http://%41",
	"http://a.example/.", "http://a.example/'", "'http://a.example/", "\xff", "\xe3\x80", "é.", "é@", "é.com", "http://é", "1.2.3.4:", "1.2.3.4/", "1.", "//a.com",
	"http://a.example/&lt", "http://a.example/*/", "http://a.example/!#!", "x-a:", "tel:+1", "urn:a:", "#!@", "http://a.example:80", "a+", "a+a@a.com",
}

// steps counts what the engine does for a text: the bytes it looked at, as far
// as reach and the marks tell.
func BenchmarkHostile(b *testing.B) {
	for _, part := range hostile {
		for _, size := range []int{64 << 10, 1 << 20} {
			text := strings.Repeat(part, size/len(part))
			b.Run(part+"/"+map[bool]string{true: "64K", false: "1M"}[size == 64<<10], func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for range b.N {
					for range Text(text, Options{Relaxed: true}) {
					}
				}
			})
		}
	}
}
