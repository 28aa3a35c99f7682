package find

import (
	"runtime"
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
	"http://a.example/&lt", "http://a.example/*/", "http://a.example/!#!", "x-a:", "tel:+1", "urn:a:", "#!@", "http://a.example:80", "a+", "a+a@a.com", "http://a/\x1b[m)", "\x1b[", "\x1b[1;", "a.com\x1b[m",
}

// hostile58 are such texts for the profile of UTS #58: what begins them, and what
// is repeated.
var hostile58 = [][2]string{{"http://a.example/#(", "="}, {"http://a.example/#(", "&("}, {"http://a.example/#:~:(", "="}, {"http://a.example/?(", "=("}, {"mailto:", "a@a.com,"}, {"", "a@a.com"}, {"", "a.。"}, {"", "http://a.com/)("}}

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

// TestEndless holds that a stream of 64 MiB of the worst is read in memory that
// MaxLen bounds. What takes quadratic time takes hours here.
func TestEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("streams of 64 MiB")
	}
	for _, part := range []string{"a.a~", "http://", "((((", "<URL:"} {
		text := strings.Repeat(part, 1<<18)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, err := range Reader(&endless{text: text, left: 64 << 20}, Options{Relaxed: true}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%q: %d bytes are allocated", part, used)
		}
	}
}

// TestSteps58 holds that the profile of UTS #58 takes linear time: what takes
// quadratic time takes minutes here.
func TestSteps58(t *testing.T) {
	for _, text := range hostile58 {
		long := text[0] + strings.Repeat(text[1], 4<<20/len(text[1]))
		for range Text(long, Options{Profile: UTS58, MaxLen: 16 << 20}) {
		}
	}
}
