package find

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"anyurl"
)

// seed adds the labelled texts' kinds, as rows of our own, and what is hostile.
func seed(f *testing.F) {
	for _, text := range []string{
		"see <URL:ftp://ftp.example.org/pub/\n   rfc/x-\n y> and <http://a.example/a b>",
		"   <http://www.example.gov/a/\n\n\n\nDoe   [Page 90]\n\f\nRFC 9999\n\n\n              b.pdf>",
		"(http://example.com/wiki/Foo_(bar)). 'https://example.org/a''", "http://a.example/,http://b.example/;http://c.example/",
		"http://[2001:db8::1]:8080/ http://joe:secret@[::1]/x http://192.0.2.7:70000", "jdbc:postgresql://db/x view-source:http://a.example",
		"mailto:kim@example.com,jo@example.org?subject=x news:comp.x.y urn:isbn:1 data:text/plain,x tel:+1234 geo:1.5,-2 magnet:?xt=y",
		"kim@example.com www.example.com/help. example.com:8080/x 192.0.2.10:8080/admin //example.com/x", "президент.рф http://例え.中国/例 app6699.tv。",
		"\x1b]8;;http://example.com/a\x07label", "http://a.example/\xff\xfe\x00http://b.example", "http://a.example/(((((", "<A0://\n\"[Page ]\n\f0\n0>", "https://user:!$&'()*+,;=@example.com/",
	} {
		f.Add(text, "\x01")
	}
	for _, part := range hostile {
		f.Add(strings.Repeat(part, 40), "\x03\x05")
		f.Add("http://"+strings.Repeat(part, 64/len(part)+1)+" and more of the text", "0")
	}
}

var fuzzOptions = []Options{{}, {Relaxed: true}, {Profile: UTS58}, {Relaxed: true, MaxLen: 100}}

func checkMatches(t *testing.T, text string, matches []Match) {
	t.Helper()
	at := 0
	for _, m := range matches {
		if m.Start < at || m.End <= m.Start || m.End > len(text) {
			t.Fatalf("%+v: not in order, or not in the text", m)
		}
		at = m.End
		if text[m.Start:m.End] != m.Text {
			t.Fatalf("%+v: Text is not the text there", m)
		}
		if line := 1 + strings.Count(text[:m.Start], "\n"); m.Line != line || m.Col != m.Start-strings.LastIndexByte(text[:m.Start], '\n') {
			t.Fatalf("%+v: is at line %d", m, line)
		}
		if strings.ContainsAny(m.URL, " \t\r\n") {
			t.Fatalf("%+v: white space in the URL", m)
		}
		if m.URL != m.Text && len(m.URL) >= len(m.Text) {
			t.Fatalf("%+v: URL is more than the text", m)
		}
		if m.Kind == URL {
			colon := strings.IndexByte(m.URL, ':')
			if colon <= 0 || !is(m.URL[0], alpha) {
				t.Fatalf("%+v: no scheme", m)
			}
			// Where the URL Standard reads it, the scheme is what stands before the colon.
			if u, err := anyurl.Parse(m.URL); err == nil && u.Scheme() != strings.ToLower(m.URL[:colon]) {
				t.Fatalf("%+v: is read with the scheme %q", m, u.Scheme())
			}
		}
	}
}

// FuzzText holds what every match promises, that a stream in any pieces gives
// the same matches as the whole, and that the short cuts lead to the same place.
func FuzzText(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text, sizes string) {
		if len(text) > 1<<16 {
			return
		}
		for _, opts := range fuzzOptions {
			want := collect(text, opts)
			checkMatches(t, text, want)
			if got := read(t, &chunks{text: text, sizes: nonZero(sizes)}, opts); !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v: read in pieces\n got %+v\nwant %+v", opts, got, want)
			}
			for name, got := range ways(t, rand.New(rand.NewPCG(uint64(len(text)), uint64(len(sizes)))), text, opts) {
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v: %s\n got %+v\nwant %+v", opts, name, got, want)
				}
			}
		}
	})
}

// nonZero keeps reads of no bytes, which a Reader gives up at, rare.
func nonZero(sizes string) string { return strings.ReplaceAll(sizes, "\x00", "\x01") }

// FuzzMarks holds the assembly to its twin and to the definition.
func FuzzMarks(f *testing.F) {
	f.Add("http://a.example, kim@example.com", 0)
	f.Add(strings.Repeat("a.b:c@", 50), 3)
	f.Fuzz(func(t *testing.T, s string, at int) {
		if at < 0 || at > len(s) {
			return
		}
		checkMarks(t, s, at, min(len(s)-at, blockLen))
	})
}

// FuzzReadable holds that what is shown is found whole and shown alike again.
func FuzzReadable(f *testing.F) {
	f.Add("%CE%B1/%2F?a=%26#:~:text=%28")
	f.Add("(a/b)%FF.")
	f.Add("%%370")
	f.Fuzz(func(t *testing.T, tail string) {
		if strings.ContainsAny(tail, "\ufffd") {
			return
		}
		checkReadable(t, "http://example.com/"+tail)
	})
}
