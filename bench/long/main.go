// Command long shows that package anyurl takes time in proportion to the length of
// its input, whatever the input is made of. It parses each of the inputs that
// parsers have been slow on at three lengths, each twice the one before, in
// interleaved rounds, and prints the lowest time of each in milliseconds and how
// many times as long the double length took. The time is the processor's, with what
// the system takes to hand out memory, so that other work on the machine counts little.
//
//	go run ./long [-mib N] [-rounds N] [-only NAME]
//
// It ends with status 1 if a ratio is above 2.6. What a clock cannot show is counted
// by TestLongWork of package anyurl: how often each statement runs.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"anyurl"
)

// most is the greatest ratio that is still linear: memory beyond the caches costs
// more than memory within them.
const most = 2.6

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
	only := flag.String("only", "", "the one input to parse")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1) // it is done between the parses

	lengths := []int{*mib << 18, *mib << 19, *mib << 20}
	fmt.Printf("| input | %d MiB | %d MiB | %d MiB | ratios |\n|---|--:|--:|--:|--:|\n", *mib/4, *mib/2, *mib)
	above := false
	for _, in := range inputs() {
		if *only != "" && *only != in.name {
			continue
		}
		lowest := measure(in, lengths, *rounds)
		fmt.Printf("| %s |", in.name)
		for _, d := range lowest {
			fmt.Printf(" %.1f |", float64(d.Microseconds())/1000)
		}
		for i := range len(lengths) - 1 {
			ratio := float64(lowest[i+1]) / float64(lowest[i])
			fmt.Printf(" %.2f", ratio)
			above = above || ratio > most
		}
		fmt.Println(" |")
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

// measure gives the lowest time for each length.
func measure(in input, lengths []int, rounds int) []time.Duration {
	var texts []string
	for _, n := range lengths {
		texts = append(texts, in.before+strings.Repeat(in.repeat, n/len(in.repeat))+in.after)
	}
	lowest := make([]time.Duration, len(texts))
	for round := range rounds {
		for i, s := range texts {
			runtime.GC()
			start := used()
			_, _ = anyurl.Parse(s)
			if elapsed := used() - start; round == 0 || elapsed < lowest[i] {
				lowest[i] = elapsed
			}
		}
	}
	return lowest
}
