package audit_test

import (
	"bufio"
	"os"
	"testing"

	"anyurl/audit"
)

// realURLs are the 48,010 URLs of a real list, or some made-up ones where that
// is not at hand.
func realURLs(b *testing.B) []string {
	f, err := os.Open("../../shared/data/urls/real-urls.txt")
	if err != nil {
		b.Log("the list of real URLs is not here: ", err)
		return []string{
			"https://www.trusted.example/a/b/c.html?x=1&y=2#top", "http://trusted.example/", "https://b\u00fccher.example/%C3%A9",
			"https://trusted.example/r?url=https://other.example/", "http://joe@trusted.example:8080/a/../b",
		}
	}
	defer f.Close()
	var urls []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		urls = append(urls, lines.Text())
	}
	return urls
}

// BenchmarkInspect reads and vets the URLs of a real list, one after the other
// on one core.
func BenchmarkInspect(b *testing.B) {
	urls := realURLs(b)
	b.ReportAllocs()
	b.ResetTimer()
	i := 0
	for b.Loop() {
		audit.Inspect(urls[i])
		if i++; i == len(urls) {
			i = 0
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "URLs/s")
}
