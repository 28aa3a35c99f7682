package find

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func ExampleMapped() {
	text := []byte(strings.Repeat("a line of text\n", 400_000) + "see http://a.example/x.")
	for m, err := range Mapped(text, 2, Options{}, nil) {
		fmt.Println(m.URL, m.Line, m.Col, err)
	}
	// Output: http://a.example/x 400001 5 <nil>
}

// TestMappedAhead holds that every byte is told of before what stands there is
// given, and that an error of ahead ends the search behind what lies before it.
func TestMappedAhead(t *testing.T) {
	text := []byte(strings.Repeat("see http://a.example/x, or not\n", 200_000))
	for _, opts := range []Options{{}, {Relaxed: true}, {Profile: UTS58}} {
		for _, n := range []int{1, 3} {
			var (
				mu   sync.Mutex
				told = make([]bool, len(text))
			)
			count := 0
			for m, err := range Mapped(text, n, opts, func(from, to int) error {
				mu.Lock()
				defer mu.Unlock()
				for i := from; i < to; i++ {
					told[i] = true
				}
				return nil
			}) {
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				if count++; !told[m.Start] || !told[m.End-1] {
					t.Fatalf("%+v, %d at once: %d to %d was looked at unannounced", opts, n, m.Start, m.End)
				}
				mu.Unlock()
			}
			if count != 200_000 || slices.Contains(told, false) {
				t.Errorf("%+v, %d at once: %d matches, want 200000; all told of: %v", opts, n, count, !slices.Contains(told, false))
			}
		}
	}
	enough := errors.New("enough")
	for _, n := range []int{1, 3} {
		count, last := 0, error(nil)
		for m, err := range Mapped(text, n, Options{}, func(from, to int) error {
			if to > 3<<20 {
				return enough
			}
			return nil
		}) {
			if last = err; err == nil {
				count++
				if m.Start > 3<<20 {
					t.Fatalf("%d at once: a match at %d", n, m.Start)
				}
			}
		}
		if want := (3 << 20) / 31; last != enough || count < want-10_000 || count > want+1 {
			t.Errorf("%d at once: %d matches and %v, want some %d and %v", n, count, last, want, enough)
		}
	}
}

// TestMappedPanics holds that only a fault in the text is taken for one.
func TestMappedPanics(t *testing.T) {
	defer func() {
		if v := recover(); v != "mine" {
			t.Errorf("recovered %v", v)
		}
	}()
	for range Mapped([]byte("see http://a.example/"), 1, Options{}, func(int, int) error { panic("mine") }) {
	}
}
