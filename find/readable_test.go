package find

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

func ExampleReadable() {
	fmt.Println(Readable("https://ja.example.org/wiki/%E3%83%95%E3%82%A3%E3%83%B3?a=%26%20b#%28c%29"))
	// Output: https://ja.example.org/wiki/フィン?a=%26%20b#(c)
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"http://a.example/%CE%B1", "http://a.example/α"},
		{"http://a.example/%ce%b1", "http://a.example/α"},
		{"http://a.example", "http://a.example"},
		{"mailto:a%40b@c.example", "mailto:a%40b@c.example"},         // not http: as it is
		{"http://a.example/a%2Fb", "http://a.example/a%2Fb"},         // data, not a step
		{"http://a.example/a%3Fb%23c", "http://a.example/a%3Fb%23c"}, // data, not a part's beginning
		{"http://a.example/?a%3Db%26c%2Bd=%2F", "http://a.example/?a%3Db%26c%2Bd=/"},
		{"http://a.example/a%20b", "http://a.example/a%20b"},         // hard
		{"http://a.example/a%2Eb", "http://a.example/a.b"},           // soft, inside
		{"http://a.example/a.", "http://a.example/a%2E"},             // soft, at the end
		{"http://a.example/a.?b", "http://a.example/a.?b"},           // soft, at a part's end
		{"http://a.example/a)b", "http://a.example/a%29b"},           // closes nothing
		{"http://a.example/(a)b", "http://a.example/(a)b"},           // balanced
		{"http://a.example/(a/b)", "http://a.example/(a/b%29"},       // not across a slash
		{"http://a.example/%FF%E3%83", "http://a.example/%FF%E3%83"}, // no characters
		{"http://a.example/%2541", "http://a.example/%2541"},         // a "%" that is data
		{"http://a.example/%%370", "http://a.example/%%370"},         // a "%" that escapes nothing
		{"http://a.example/%a%37", "http://a.example/%a%37"},
		{"http://a.example/%E2%80%AE", "http://a.example/%E2%80%AE"}, // a bidi override would hide things
	} {
		if got := Readable(tt.url); got != tt.want {
			t.Errorf("Readable(%q) = %q, want %q", tt.url, got, tt.want)
		}
	}
}

// checkReadable holds that what was made readable is found whole.
func checkReadable(t *testing.T, url string) {
	t.Helper()
	shown := Readable(url)
	if strings.HasSuffix(shown, "?") {
		return // an empty query at the end is the sentence's
	}
	got := collect("see "+shown+" there", Options{Profile: UTS58})
	if len(got) != 1 || got[0].URL != shown {
		t.Errorf("%q is shown as %q, in which is found %v", url, shown, got)
	}
	if again := Readable(shown); again != shown {
		t.Errorf("%q is shown as %q, then as %q", url, shown, again)
	}
}

func TestReadableIsFound(t *testing.T) {
	parts := []string{"a", "%41", "%2F", "/", "?", "#", "&", "=", ":~:", "(", ")", "[", "]", "%28", "%29", ".", ",", "%2E", "%E3%83%95", "フ", "%FF", "%", "%25", "%2541", "\"", "%22", "%20", "+", "%2B", "~", ":", "é", "%3A", "«", "»", "<", ">", "{", "}", "。"}
	r := rand.New(rand.NewPCG(9, 10))
	for range 50000 {
		var b strings.Builder
		b.WriteString("http://a.example.com/")
		for range r.IntN(8) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		checkReadable(t, b.String())
		if t.Failed() {
			return
		}
	}
	data, err := os.ReadFile("../../shared/data/uts58/LinkDetectionTest.txt")
	if err != nil {
		return
	}
	for _, m := range regexp.MustCompile("⸠(http[^⸡]*)⸡").FindAllStringSubmatch(string(data), -1) {
		checkReadable(t, m[1])
	}
}
