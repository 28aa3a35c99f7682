// Command bench compares package anyurl with other URL parsers on one list of
// URLs, in one process, on one core, in interleaved rounds. It prints the
// lowest time of each, per URL, and how many times as long as anyurl it took.
//
//	go run . [-urls FILE] [-rounds N] [-only TASK] [-against PARSER] [-piece N]
//	go run -tags purego .      the portable code in place of AVX2
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A task is one thing that parsers do with every string of a list.
type task struct {
	name  string
	what  string
	input func(urls []string) []string
	// by gives, for each parser that can do it, the function; it reports how
	// many of the inputs it took.
	by []contender
}

type contender struct {
	name string
	run  func(inputs []string) int
}

func main() {
	file := flag.String("urls", "../../shared/data/urls/real-urls.txt", "a list of URLs, one a line")
	rounds := flag.Int("rounds", 12, "how many interleaved rounds")
	only := flag.String("only", "", "the one task to run")
	against := flag.String("against", "", "the one parser to compare with")
	piece := flag.Int("piece", 0, "how many URLs are measured at a time; 0: all")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	urls, err := read(*file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(3)
	}
	fmt.Printf("%d URLs of %s; %s; %s; lowest of %d rounds\n\n", len(urls), *file, processor(), runtime.Version(), *rounds)
	fmt.Printf("| task | parser | ns a URL | times anyurl | allocations | bytes | taken |\n|---|---|--:|--:|--:|--:|--:|\n")
	for _, t := range tasks() {
		if *only != "" && *only != t.name {
			continue
		}
		if *against != "" {
			t.by = slices.DeleteFunc(t.by, func(c contender) bool { return c.name != "anyurl" && c.name != *against })
		}
		measure(t, t.input(urls), *rounds, *piece)
	}
}

// measure prints a line for each parser. A piece is how many strings are measured
// at a time, 0 for all of them: other work on the machine hits some pieces of some
// rounds, and the lowest time of each piece is free of it, though also of most
// garbage collection.
func measure(t task, inputs []string, rounds, piece int) {
	if piece == 0 {
		piece = len(inputs)
	}
	var pieces [][]string
	for rest := inputs; len(rest) > 0; {
		n := min(piece, len(rest))
		pieces = append(pieces, rest[:n])
		rest = rest[n:]
	}
	lowest := make([][]time.Duration, len(t.by))
	allocs := make([]float64, len(t.by))
	bytes := make([]float64, len(t.by))
	taken := make([]int, len(t.by))
	for i := range lowest {
		lowest[i] = make([]time.Duration, len(pieces))
	}
	n := float64(len(inputs))
	for round := range rounds {
		for i, c := range t.by {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			taken[i] = 0
			for j, p := range pieces {
				start := time.Now()
				taken[i] += c.run(p)
				if elapsed := time.Since(start); round == 0 || elapsed < lowest[i][j] {
					lowest[i][j] = elapsed
				}
			}
			runtime.ReadMemStats(&after)
			allocs[i] = float64(after.Mallocs-before.Mallocs) / n
			bytes[i] = float64(after.TotalAlloc-before.TotalAlloc) / n
		}
	}
	perURL := func(i int) (ns float64) {
		for _, d := range lowest[i] {
			ns += float64(d.Nanoseconds())
		}
		return ns / n
	}
	for i, c := range t.by {
		fmt.Printf("| %s | %s | %.1f | %.2f | %.2f | %.0f | %d/%d |\n", t.name, c.name, perURL(i), perURL(i)/perURL(0), allocs[i], bytes[i], taken[i], len(inputs))
	}
}

func read(file string) (urls []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if s := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")); s != "" {
			urls = append(urls, s)
		}
	}
	return urls, lines.Err()
}

// processor gives the processor's name as Linux tells it.
func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
