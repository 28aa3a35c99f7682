// Command bench compares package anyurl with other URL parsers on one list of
// URLs, in one run, on one core, in interleaved rounds. It prints the
// lowest time of each, per URL, and how many times as long as anyurl it took.
//
//	go run . [-urls FILE] [-rounds N] [-only TASK] [-against PARSER] [-piece N] [-cpu] [-ada FOLDER]
//	go run -tags purego .      the portable code in place of AVX2
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A task is one thing that parsers do with every string of a list.
type task struct {
	name  string
	input func(urls []string) []string
	// by gives, for each parser that can do it, the function; it reports how
	// many of the inputs it took.
	by []contender
	// ada names what ada does here ("": nothing).
	ada string
}

type contender struct {
	name   string
	run    func(inputs []string) int // or else
	beside *runner                   // a process of its own, which takes its time itself
}

func main() {
	file := flag.String("urls", "../../shared/data/urls/real-urls.txt", "a list of URLs, one a line")
	rounds := flag.Int("rounds", 12, "how many interleaved rounds")
	only := flag.String("only", "", "the one task to run")
	against := flag.String("against", "", "the one parser to compare with")
	cpu := flag.Bool("cpu", false, "take the processor's time, garbage collection and all, in place of the clock's")
	piece := flag.Int("piece", 0, "how many URLs are measured at a time; 0: all")
	source := flag.String("ada", "", "the source of ada, with include/ada.h and src/ada.cpp; the C++ library runs beside the others then")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	urls, err := read(*file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(3)
	}
	fmt.Printf("%d URLs of %s; %s; %s; lowest of %d rounds, by the %s\n\n", len(urls), *file, processor(), runtime.Version(), *rounds, clockName(*cpu))
	var cpp *ada
	if *source == "" {
		fmt.Printf("ada is left out: its source is not given\n\n")
	} else if cpp, err = buildAda(*source, *cpu); err != nil {
		fmt.Printf("ada is left out: %v\n\n", err)
	} else {
		defer cpp.close()
	}
	fmt.Printf("| task | parser | ns a URL | times anyurl | allocations | bytes | taken |\n|---|---|--:|--:|--:|--:|--:|\n")
	for _, t := range tasks() {
		if *only != "" && *only != t.name {
			continue
		}
		if *against != "" {
			t.by = slices.DeleteFunc(t.by, func(c contender) bool { return c.name != "anyurl" && c.name != *against })
		}
		inputs := t.input(urls)
		if *piece == 0 {
			*piece = max(len(inputs), len(urls))
		}
		if err := compare(t, inputs, *rounds, *piece, cpp, clock(*cpu)); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(3)
		}
	}
	fmt.Fprintln(io.Discard, sink) // so that the results are of use
}

// compare measures a task, with ada in it if there is one.
func compare(t task, inputs []string, rounds, piece int, cpp *ada, now func() time.Duration) error {
	if cpp == nil || t.ada == "" {
		return measure(t, inputs, rounds, piece, now)
	}
	base := ""
	if t.ada == "resolve" {
		base = baseURL
	}
	r, err := cpp.start(t.ada, inputs, piece, base)
	if err != nil {
		return err
	}
	t.by = append(t.by, contender{name: "ada " + r.version, beside: r})
	if err := measure(t, inputs, rounds, piece, now); err != nil {
		return err
	}
	return r.stop()
}

// measure prints a line for each parser. A piece is how many strings are measured
// at a time: other work on the machine hits some pieces of some
// rounds, and the lowest time of each piece is free of it, though also of most
// garbage collection.
func measure(t task, inputs []string, rounds, piece int, now func() time.Duration) error {
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
			if c.beside != nil {
				times, n, err := c.beside.round()
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				for j, elapsed := range times {
					if round == 0 || elapsed < lowest[i][j] {
						lowest[i][j] = elapsed
					}
				}
				taken[i] = n
				continue
			}
			// Once untimed: who comes after a contender that goes through much
			// memory does not pay for the caches that it left cold.
			c.run(inputs)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			taken[i] = 0
			for j, p := range pieces {
				start := now()
				taken[i] += c.run(p)
				if elapsed := now() - start; round == 0 || elapsed < lowest[i][j] {
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
		if c.beside != nil {
			fmt.Printf("| %s | %s | %.1f | %.2f | | | %d/%d |\n", t.name, c.name, perURL(i), perURL(i)/perURL(0), taken[i], len(inputs))
			continue
		}
		fmt.Printf("| %s | %s | %.1f | %.2f | %.2f | %.0f | %d/%d |\n", t.name, c.name, perURL(i), perURL(i)/perURL(0), allocs[i], bytes[i], taken[i], len(inputs))
	}
	return nil
}

// clock gives the clock that times are taken from: the processor's time of this
// process, which other work on the machine disturbs less, or the usual one.
func clock(cpu bool) func() time.Duration {
	if !cpu {
		begin := time.Now()
		return func() time.Duration { return time.Since(begin) }
	}
	return func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err) // it cannot fail for this process
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
}

func clockName(cpu bool) string {
	if cpu {
		return "processor's time"
	}
	return "clock"
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
