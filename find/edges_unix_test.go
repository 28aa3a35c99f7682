//go:build linux || darwin || freebsd

package find

import (
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

// TestEdges holds that no byte beside a text is read: before and behind it lies
// memory that nobody may read.
func TestEdges(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	page := syscall.Getpagesize()
	room := 4 * page
	memory, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory can be mapped here: ", err)
	}
	defer syscall.Munmap(memory)
	for _, edge := range [][]byte{memory[:page], memory[page+room:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Skip("memory cannot be protected here: ", err)
		}
	}
	look := func(text []byte) {
		defer func() {
			if v := recover(); v != nil {
				t.Fatalf("%.200q, of %d bytes: %v", text, len(text), v)
			}
		}()
		for _, opts := range []Options{{}, {Relaxed: true}, {Profile: UTS58}} {
			for range Text(text, opts) {
			}
			for _, err := range Mapped(text, 1, opts, nil) {
				if err != nil {
					t.Fatalf("%.200q, of %d bytes: %v", text, len(text), err)
				}
			}
		}
		s := view(text)
		for i := range min(len(s), 140) {
			newlines(s, i, len(s))
			newlines(s, len(s)-i, len(s))
			plainEnd(s, len(s)-i)
			if k := len(s) - i; k > 0 {
				gapLines(s, k-1, len(s))
			}
			plainHost(s, len(s)-i)
		}
	}
	inner := memory[page : page+room]
	r := rand.New(rand.NewPCG(31, 32))
	for n := range 2000 {
		size := n / 8
		if n%10 == 0 {
			size = r.IntN(room)
		}
		text := mixed(r, size+1)
		for k := range pieces { // every piece at the edge
			if k%20 != n%20 {
				continue
			}
			whole := text[:min(size, len(text), room-2*len(pieces[k]))] + pieces[k]
			look(inner[room-copy(inner[room-len(whole):], whole):])
			look(inner[:copy(inner, pieces[k]+whole)])
		}
	}
	for _, part := range []string{"http://a.example", "https://a.example/x", "kim@a.example", "a.example", "http://"} {
		for n := range 200 {
			whole := strings.Repeat("x", n) + " " + part
			look(inner[room-copy(inner[room-len(whole):], whole):])
			whole = part + strings.Repeat("x", n)
			look(inner[room-copy(inner[room-len(whole):], whole):])
		}
	}
}
