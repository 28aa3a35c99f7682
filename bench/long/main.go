// Command long shows that package anyurl takes time in proportion to the length of
// its input, whatever the input is made of. It parses each of the inputs that
// parsers have been slow on at three lengths, each twice the one before, in
// interleaved rounds after an untimed one, and prints the lowest time of each in
// milliseconds and how many times as long the double length took. The time is the
// processor's, with what the system takes to hand out memory, so that other work on
// the machine counts little. What still counts is a processor that slows down for a
// second or two: an input with a ratio above 2.6 gets more rounds, which bring each
// length to its own lowest time and can hide no growth that the parser has.
//
//	go run ./long [-mib N] [-rounds N] [-most N] [-only NAME]
//
// It ends with status 1 if a ratio is above 2.6 after the most rounds. What a clock cannot show is counted
// by TestLongWork of package anyurl: how often each statement runs.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"anyurl"
)

// linear is the greatest ratio that is still linear: memory beyond the caches costs
// more than memory within them.
const linear = 2.6

// An input is what is repeated, and what stands before and behind that.
type input struct{ name, before, repeat, after string }

// cjk is a label of as many different ideographs, out of order, as come near the
// limit on Punycode.
func cjk() string {
	var b strings.Builder
	for i := range 300 {
		b.WriteRune(rune(0x4E00 + i*7919%20000))
	}
	return b.String() + "."
}

func inputs() []input {
	return []input{
		{"path", "http://h/", "a/", ""},
		{"climbing", "http://h", "/..", ""},
		{"stepping", "http://h", "/a/..", ""},
		{"encoded dots", "http://h", "/%2e%2E", ""},
		{"dots, then a backslash", "http://h", "/a/../.", `\`},
		{"escapes", "http://h/", "%25", ""},
		{"bad escapes", "http://h/", "%", ""},
		{"spaces", "http://h/", " ", "x"},
		{"opaque spaces", "x:", " ", "#"},
		{"empty segments, no host", "x:/.", "/", ""},
		{"labels", "http://", "a.", "/"},
		{"numbers", "http://", "1.", "/"},
		{"digits", "http://", "1", "/"},
		{"one label", "http://xn-", "a", "/"},
		{"mapped labels", "http://", "É.", "/"},
		{"Punycode labels", "http://é.", "xn--bcher-kva.", "/"},
		{"mixed ideographs", "http://", cjk(), "/"},
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
}

func main() {
	mib := flag.Int("mib", 64, "the greatest length in MiB")
	rounds := flag.Int("rounds", 5, "how many interleaved rounds")
	most := flag.Int("most", 40, "how many where a ratio is above 2.6")
	only := flag.String("only", "", "the one input to parse")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1) // it is done between the parses

	lengths := []int{*mib << 18, *mib << 19, *mib << 20}
	fmt.Printf("| input | %d MiB | %d MiB | %d MiB | ratios | rounds |\n|---|--:|--:|--:|--:|--:|\n", *mib/4, *mib/2, *mib)
	above := false
	for _, in := range inputs() {
		if *only != "" && *only != in.name {
			continue
		}
		lowest, took := measure(in, lengths, *rounds, max(*rounds, *most))
		fmt.Printf("| %s |", in.name)
		for _, d := range lowest {
			fmt.Printf(" %.1f |", float64(d.Microseconds())/1000)
		}
		for _, r := range ratios(lowest) {
			fmt.Printf(" %.2f", r)
			above = above || r > linear
		}
		fmt.Printf(" | %d |\n", took)
	}
	if above {
		os.Exit(1)
	}
}

// used gives the processor time that this process has taken.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		fmt.Fprintln(os.Stderr, "long:", err)
		os.Exit(3)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ratios gives how many times as long each length took as the one before it.
func ratios(lowest []time.Duration) []float64 {
	var out []float64
	for i := range len(lowest) - 1 {
		out = append(out, float64(lowest[i+1])/float64(lowest[i]))
	}
	return out
}

// measure gives the lowest time for each length, and how many rounds that took.
func measure(in input, lengths []int, rounds, most int) ([]time.Duration, int) {
	var texts []string
	for _, n := range lengths {
		texts = append(texts, in.before+strings.Repeat(in.repeat, n/len(in.repeat))+in.after)
		_, _ = anyurl.Parse(texts[len(texts)-1])
	}
	lowest := make([]time.Duration, len(texts))
	for round := 1; ; round++ {
		for i, s := range texts {
			runtime.GC()
			start := used()
			_, _ = anyurl.Parse(s)
			if elapsed := used() - start; round == 1 || elapsed < lowest[i] {
				lowest[i] = elapsed
			}
		}
		if round >= most || round >= rounds && slices.Max(ratios(lowest)) <= linear {
			return lowest, round
		}
	}
}
