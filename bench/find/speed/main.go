// Command speed times package find, and the Go module xurls, over files that
// are in memory: the best of some passes, in bytes a nanosecond. Its lines have
// the form of the other rivals' programs, which ../run.sh puts side by side.
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
		text := string(data)
		var pass func() int
		switch who {
		case "find":
			pass = func() (n int) {
				for m := range find.Text(text, opts) {
					if m.End > m.Start {
						n++
					}
				}
				return n
			}
		case "scanner":
			pass = func() (n int) {
				for s := find.NewScanner(bytes.NewReader(data), opts); s.Scan(); {
					if f := s.Found(); f.End > f.Start {
						n++
					}
				}
				return n
			}
		case "xurls":
			re := xurls.Strict()
			if mode == "all" {
				re = xurls.Relaxed()
			}
			text := text[:min(len(text), 4<<20)] // a few seconds a pass
			data = data[:len(text)]
			pass = func() int { return len(re.FindAllStringIndex(text, -1)) }
		case "read":
			pass = func() int { return bytes.Count(data, []byte{0}) } // what reading every byte costs
		}
		best, links := time.Duration(1<<62), 0
		begin := time.Now()
		for passes := 0; passes < 5 || time.Since(begin) < time.Second && passes < 50; passes++ {
			if passes > 0 && time.Since(begin) > 10*time.Second {
				break
			}
			t := time.Now()
			links = pass()
			best = min(best, time.Since(t))
		}
		fmt.Printf("%s\t%s\t%s\t%d\t%.4f\n", who, mode, name, links, float64(len(data))/float64(best.Nanoseconds()))
	}
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
	for range 5 {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
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
