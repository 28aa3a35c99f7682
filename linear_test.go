package anyurl_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
)

// The long inputs that parsers have been slow on: what stands before, what is
// repeated, what follows.
var longInputs = []struct{ name, before, repeat, after string }{
	{"path", "http://h/", "a/", ""},
	{"climbing", "http://h", "/..", ""},
	{"stepping", "http://h", "/a/..", ""},
	{"encoded dots", "http://h", "/%2e%2E", ""},
	{"dots, then a backslash", "http://h", "/a/../.", `\`},
	{"escapes", "http://h/", "%25", ""},
	{"bad escapes", "http://h/", "%", ""},
	{"spaces", "http://h/", " ", "x"},
	{"opaque spaces", "x:", " ", "#"},
	{"empty segments without a host", "x:/.", "/", ""},
	{"labels", "http://", "a.", "/"},
	{"numbers", "http://", "1.", "/"},
	{"digits", "http://", "1", "/"},
	{"hexadecimal digits", "http://0x", "f", "/"},
	{"mapped labels", "http://", "É.", "/"},
	{"colons", "http://[", ":", "]/"},
	{"pieces", "http://[", "1:", "]/"},
	{"signs", "http://", "@", "h/"},
	{"user names", "http://", "a:", "@h/"},
	{"slashes", "http:", "/", "h"},
	{"query", "http://h/?", "&", ""},
	{"quotes", "http://h/?", "'", ""},
	{"fragment", "http://h/#", "`", ""},
	{"tabs", "http://h/", "\t", ""},
	{"tabs and faults", "http://h/", "\t|", ""},
	{"not UTF-8", "http://h/", "\xe2\x82", ""},
	{"drives", "file:///", "C|/", ""},
	{"scheme", "a", "a", ":"},
	{"no scheme", "a", "a", ""},
}

// TestLongMemory holds that memory grows with the input and no faster: parsing
// twice as much allocates at most about twice as much.
func TestLongMemory(t *testing.T) {
	allocated := func(s string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = anyurl.Parse(s)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, tt := range longInputs {
		n := 1 << 19 / len(tt.repeat)
		once := allocated(tt.before + strings.Repeat(tt.repeat, n) + tt.after)
		twice := allocated(tt.before + strings.Repeat(tt.repeat, 2*n) + tt.after)
		if twice > 1<<20 && float64(twice) > 2.6*float64(once) {
			t.Errorf("%s: %d bytes for one length, %d for twice the length", tt.name, once, twice)
		}
	}
}

// TestLongReports holds that every validation error is told once, at its place,
// also where offsets have to be counted around what was removed.
func TestLongReports(t *testing.T) {
	const n = 1 << 16
	told := 0
	p := anyurl.Parser{Report: func(e *rule.Error) {
		if e.Input[e.Offset] == '|' {
			told++
		}
	}}
	if _, err := p.Parse("http://h/" + strings.Repeat("\t|", n)); err != nil || told != n {
		t.Errorf("%d of %d faults are told (%v)", told, n, err)
	}
}

// BenchmarkLong gives the time per byte at three lengths, each twice the other;
// it should not depend on the length.
//
//	go test -run xxx -bench Long
func BenchmarkLong(b *testing.B) {
	for _, tt := range longInputs {
		for _, size := range []int{1 << 20, 1 << 21, 1 << 22} {
			s := tt.before + strings.Repeat(tt.repeat, size/len(tt.repeat)) + tt.after
			b.Run(fmt.Sprintf("%s/%dMiB", tt.name, size>>20), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					_, _ = anyurl.Parse(s)
				}
			})
		}
	}
}

// TestTooLong needs 6 GiB of memory: it runs with -long alone.
func TestTooLong(t *testing.T) {
	if !anyurl.Long() {
		t.Skip("the longest inputs are tried with -long")
	}
	s := "http://h/" + strings.Repeat("a", anyurl.MaxLen)
	_, err := anyurl.Parse(s)
	wantRule(t, "an input longer than MaxLen", err, "url/too-long", anyurl.MaxLen)
	if u, err := anyurl.Parse(s[:anyurl.MaxLen]); err != nil || len(u.String()) != anyurl.MaxLen {
		t.Errorf("an input of MaxLen: %v", err)
	}
	s = "http://h/" + strings.Repeat(" ", anyurl.MaxLen/2) + "x"
	_, err = anyurl.Parse(s)
	wantRule(t, "a serialisation longer than MaxLen", err, "url/too-long", len(s))
}
