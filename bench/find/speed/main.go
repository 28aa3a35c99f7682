// Command speed times package find, and the Go module xurls, over files that
// are in memory. A file is passed over again and again in pieces of a MiB, and
// the best time of each piece is taken: the pieces between push one out of the
// nearer caches, and what else the machine does spoils some passes over a piece,
// but hardly all. The figure is bytes a nanosecond. Its lines have the form of
// the other rivals' programs, which ../run.sh puts side by side.
//
//	speed find|scanner|xurls|read schemed|all FILE...
//	speed command NAME FILE ARGUMENT...
//
// The last form runs a command and gives the size of the file a nanosecond of
// its best run.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"anyurl/find"

	"mvdan.cc/xurls/v2"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: speed find|scanner|xurls|read schemed|all FILE...")
		os.Exit(2)
	}
	who, mode := os.Args[1], os.Args[2]
	if who == "command" {
		command(mode, os.Args[3], os.Args[4:])
		return
	}
	opts := find.Options{Relaxed: mode == "all"}
	for _, name := range os.Args[3:] {
		data, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		if who == "xurls" {
			data = data[:min(len(data), 1<<20)] // a second a pass
		}
		pass := passes(who, opts, mode == "all")
		if pass == nil {
			fmt.Fprintln(os.Stderr, "speed: no such program:", who)
			os.Exit(2)
		}
		pieces := cut(string(data))
		best, links := make([]time.Duration, len(pieces)), make([]int, len(pieces))
		begin := time.Now()
		for turn := 0; turn < 3 || time.Since(begin) < 2*time.Second && turn < 50; turn++ {
			for i, piece := range pieces {
				t := time.Now()
				links[i] = pass(piece)
				if d := time.Since(t); turn == 0 || d < best[i] {
					best[i] = d
				}
			}
		}
		var sum time.Duration
		n := 0
		for i := range pieces {
			sum += best[i]
			n += links[i]
		}
		fmt.Printf("%s\t%s\t%s\t%d\t%.4f\n", who, mode, name, n, float64(len(data))/float64(sum))
	}
}

// cut divides text into pieces of a MiB, and what is left of the line there.
func cut(text string) (pieces []string) {
	const size = 1 << 20
	for len(text) > size {
		n := len(text)
		if k := strings.IndexByte(text[size:], '\n'); k >= 0 {
			n = size + k + 1
		}
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return append(pieces, text)
}

// passes gives what a program does with a text: it counts what it finds.
func passes(who string, opts find.Options, all bool) func(string) int {
	switch who {
	case "find":
		return func(text string) (n int) {
			for m := range find.Text(text, opts) {
				if m.End > m.Start {
					n++
				}
			}
			return n
		}
	case "scanner":
		return func(text string) (n int) {
			for s := find.NewScanner(strings.NewReader(text), opts); s.Scan(); {
				if f := s.Found(); f.End > f.Start {
					n++
				}
			}
			return n
		}
	case "xurls":
		re := xurls.Strict()
		if all {
			re = xurls.Relaxed()
		}
		return func(text string) int { return len(re.FindAllStringIndex(text, -1)) }
	case "read": // what reading every byte costs
		return func(text string) int { return strings.Count(text, "\x00") }
	}
	return nil
}

// command times a program as a whole. Its status may be what it likes: grep
// and its kin give 1 for nothing found.
func command(name, file string, args []string) {
	info, err := os.Stat(file)
	if err != nil || len(args) == 0 {
		fmt.Fprintln(os.Stderr, "speed command:", err)
		os.Exit(2)
	}
	best, lines := time.Duration(1<<62), 0
	for range 10 {
		cmd := exec.Command(args[0], args[1:]...)
		var out bytes.Buffer
		cmd.Stdout = &out
		t := time.Now()
		if err := cmd.Run(); err != nil && out.Len() == 0 {
			fmt.Fprintln(os.Stderr, name, err)
			return
		}
		best = min(best, time.Since(t))
		lines = bytes.Count(out.Bytes(), []byte("\n"))
	}
	fmt.Printf("%s\tcommand\t%s\t%d\t%.4f\n", name, file, lines, float64(info.Size())/float64(best.Nanoseconds()))
}
