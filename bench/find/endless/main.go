// Command endless makes a stream of so many GiB, reads it with find.Reader, and
// says how much memory that took: the heap must not grow with the stream.
//
//	endless [GIB [TEXT]]
//
// TEXT is repeated; "log" (the default) stands for lines of a log with a URL
// each, "line" for one line that never ends.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"anyurl/find"
)

func main() {
	gib, text := 10, "log"
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "usage: endless [GIB [TEXT]]")
			os.Exit(2)
		}
		gib = n
	}
	if len(os.Args) > 2 {
		text = os.Args[2]
	}
	switch text {
	case "log":
		text = `192.0.2.7 - kim [01/Jan/2026:00:00:00 +0000] "GET /a HTTP/1.1" 200 5316 "http://www.example.com/start?q=1" "agent/1.0 (+http://a.example/)"` + "\n"
	case "line":
		text = "words without an end "
	}
	r := &repeated{text: strings.Repeat(text, 1+(1<<20)/len(text)), left: int64(gib) << 30}
	var most, links uint64
	begin := time.Now()
	next := int64(0)
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	}
	for _, err := range find.Reader(r, find.Options{Relaxed: true}) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		links++
		if r.given >= next {
			look()
			next = r.given + 64<<20
		}
	}
	look()
	took := time.Since(begin)
	fmt.Printf("%d GiB, %d URLs, %.1f s, %.2f GB/s, at most %.1f MiB of heap in use\n", gib, links, took.Seconds(), float64(r.given)/float64(took.Nanoseconds()), float64(most)/(1<<20))
}

// A repeated gives its text over and over.
type repeated struct {
	text        string
	at          int
	left, given int64
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(int64(len(b)), r.left)], r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.left -= int64(n)
	r.given += int64(n)
	return n, nil
}
