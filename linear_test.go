package anyurl_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
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
	{"one label", "http://xn-", "a", "/"},
	{"mapped labels", "http://", "É.", "/"},
	{"Punycode labels", "http://é.", "xn--bcher-kva.", "/"},
	{"mixed ideographs", "http://", mixedIdeographs(), "/"},
	{"marks", "http://a", "\u0301\u0316", "/"},
	{"ignored", "http://a", "\u00AD", "/"},
	{"right to left", "http://", "א1.", "/"},
	{"joiners", "http://", "ك\u200C", "ك/"},
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

// mixedIdeographs is a label of different ideographs, out of order, near the limit
// on Punycode.
func mixedIdeographs() string {
	var b strings.Builder
	for i := range 300 {
		b.WriteRune(rune(0x4E00 + i*7919%20000))
	}
	return b.String() + "."
}

// probe, when set, is the name of a long input and a length: TestLongProbe parses
// that once, for TestLongWork to count.
const probe = "ANYURL_LONG_PROBE"

func TestLongProbe(t *testing.T) {
	name, length, ok := strings.Cut(os.Getenv(probe), "=")
	if !ok {
		t.Skip("TestLongWork runs it")
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range longInputs {
		if tt.name == name {
			_, _ = anyurl.Parse(tt.before + strings.Repeat(tt.repeat, n/len(tt.repeat)) + tt.after)
		}
	}
}

// TestLongWork holds that work grows with the input and no faster. It does not look
// at a clock but counts how often each statement runs, in a test program of its own
// that is built for that.
func TestLongWork(t *testing.T) {
	if testing.Short() || testing.CoverMode() != "" {
		t.Skip("it builds a program that counts")
	}
	program := filepath.Join(t.TempDir(), "counting.test")
	build := exec.Command("go", "test", "-c", "-o", program, "-covermode=count", "-coverpkg=anyurl,anyurl/internal/domain,anyurl/percent", ".")
	if out, err := build.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		t.Skip("there is no Go to build it with")
	} else if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	none := statements(t, program, "path", 0)
	for _, tt := range longInputs {
		const n = 1 << 15
		once := statements(t, program, tt.name, n) - none
		twice := statements(t, program, tt.name, 2*n) - none
		t.Logf("%-24s %9d statements, %9d for twice the length", tt.name, once, twice)
		if once < 1 || twice > once*22/10 {
			t.Errorf("%s: %d statements for one length, %d for twice the length", tt.name, once, twice)
		}
	}
}

// statements gives how many statements run while program parses a long input.
func statements(t *testing.T, program, name string, length int) (n int) {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	cmd := exec.Command(program, "-test.run=^TestLongProbe$", "-test.coverprofile="+profile)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s=%d", probe, name, length))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var size, count int
		words := strings.Fields(line)
		if len(words) != 3 { // "mode: count"
			continue
		}
		if _, err := fmt.Sscan(words[1]+" "+words[2], &size, &count); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		n += size * count
	}
	return n
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
// it should not depend on the length. What long of the benchmarks' module prints,
// up to 64 MiB, is better measured.
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
