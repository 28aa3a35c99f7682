package find

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func ExampleParallel() {
	text := strings.Repeat("a line of text\n", 400_000) + "see http://a.example/x."
	for m, err := range Parallel(strings.NewReader(text), int64(len(text)), 4, Options{}) {
		fmt.Println(m.URL, m.Line, m.Col, err)
	}
	// Output: http://a.example/x 400001 5 <nil>
}

// checkParallel holds that a text that is scanned in parts of all kinds of
// lengths gives what it gives as a whole.
func checkParallel(t *testing.T, name, text string, opts Options, partLen int) {
	t.Helper()
	want := collect(text, opts)
	ahead := func(int, int) error { return nil }
	for kind, found := range map[string]iter.Seq2[Match, error]{
		"read in parts":       parts{r: strings.NewReader(text), size: int64(len(text)), partLen: partLen, opts: opts}.scan(3),
		"in memory, in parts": parts{mem: &memory{[]byte(text), ahead}, size: int64(len(text)), partLen: partLen, opts: opts}.scan(3),
		"in memory, in turn":  parts{mem: &memory{[]byte(text), ahead}, size: int64(len(text)), partLen: partLen, opts: opts}.inTurn(),
	} {
		checkSame(t, name+", "+kind, partLen, opts, found, want)
	}
}

func checkSame(t *testing.T, name string, partLen int, opts Options, found iter.Seq2[Match, error], want []Match) {
	t.Helper()
	var got []Match
	for m, err := range found {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	if reflect.DeepEqual(got, want) {
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s, in parts of %d, %+v: %d matches, want %d; the first that differs is %d", name, partLen, opts, len(got), len(want), i)
			if i < len(got) {
				t.Logf(" got %.300q", fmt.Sprint(got[i]))
			}
			if i < len(want) {
				t.Logf("want %.300q", fmt.Sprint(want[i]))
			}
			return
		}
	}
}

func TestParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		var b strings.Builder
		for b.Len() < 60_000 {
			switch r.IntN(12) {
			case 0:
				b.WriteString(strings.Repeat("a line without\n", r.IntN(200)))
			case 1:
				b.WriteString("http://a.example/" + strings.Repeat("long", r.IntN(8000)))
			case 2:
				b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], r.IntN(6000)))
			default:
				b.WriteString(randomText(r))
			}
		}
		for _, opts := range []Options{{}, {Relaxed: true, Source: "x"}, {Relaxed: true, MaxLen: 10_000}} {
			checkParallel(t, b.String(), b.String(), opts, []int{700, 5_000, 20_000, 50_000}[r.IntN(4)])
		}
		if t.Failed() {
			return
		}
	}
	files, _ := filepath.Glob(filepath.Join(os.Getenv("FIND_CORPORA"), "*.txt"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkParallel(t, file, string(data), Options{}, mostLen)
		checkParallel(t, file, string(data), Options{Relaxed: true}, mostLen)
	}
}

// failing gives an error behind its first bytes.
type failing struct {
	io.ReaderAt
	at int64
}

var errFailing = errors.New("failing")

func (f failing) ReadAt(b []byte, off int64) (int, error) {
	if off >= f.at {
		return 0, errFailing
	}
	n, err := f.ReaderAt.ReadAt(b[:min(int64(len(b)), f.at-off)], off)
	if err == nil && n < len(b) {
		err = errFailing
	}
	return n, err
}

// A file that is shorter than was said has been cut.
func TestParallelShort(t *testing.T) {
	text := strings.Repeat("see http://a.example/x for more\n", 3<<16)
	for _, by := range []int64{1, 100, 1 << 20} {
		for _, size := range []int{0, 100, len(text)} {
			n, last := 0, error(nil)
			for _, err := range Parallel(strings.NewReader(text[:size]), int64(size)+by, 2, Options{}) {
				if last = err; err == nil {
					n++
				}
			}
			if last != io.ErrUnexpectedEOF || n != strings.Count(text[:size], "/x ") {
				t.Errorf("%d bytes too few of %d: %d matches, %v", by, size, n, last)
			}
		}
	}
	for range Parallel(strings.NewReader(text), -5, -1, Options{}) {
		t.Error("a size below zero gives a match")
	}
}

// TestParallelFails holds that what lies before a place that cannot be read is
// found, and the error given once, last.
func TestParallelFails(t *testing.T) {
	text := strings.Repeat("see http://a.example/x for more\n", 3<<15)
	for _, at := range []int64{0, 1, 5000, 1<<20 - 8000, 1 << 20, 1<<20 + 2000, 2<<20 + 77} {
		n, errs := 0, 0
		for m, err := range Parallel(failing{strings.NewReader(text), at}, int64(len(text)), 2, Options{}) {
			if err != nil {
				if errs++; !errors.Is(err, errFailing) {
					t.Errorf("failing at %d: %v", at, err)
				}
				continue
			}
			if n++; errs > 0 || m.Line != n {
				t.Fatalf("failing at %d: %+v is match %d", at, m, n)
			}
		}
		want := 0
		for _, m := range collect(text[:at], Options{}) {
			if int64(m.End) < at && text[m.End] == ' ' { // else more of it may follow
				want++
			}
		}
		if errs != 1 || n != want {
			t.Errorf("failing at %d: %d matches, %d errors, want %d, 1", at, n, errs, want)
		}
	}
}

// TestParallelStops holds that a caller may have enough.
func TestParallelStops(t *testing.T) {
	text := strings.Repeat("see http://a.example/x for more\n", 4<<15)
	for most := range 3 {
		n := 0
		for range Parallel(strings.NewReader(text), int64(len(text)), 2, Options{}) {
			if n++; n > most {
				break
			}
		}
		if n != most+1 {
			t.Errorf("%d matches", n)
		}
	}
	for range Parallel(nil, 5<<20, 2, Options{}) {
	}
}

// TestManyWorkers holds that more workers than there is work for are not begun.
func TestManyWorkers(t *testing.T) {
	text := strings.Repeat("see http://a.example/x for more\n", mostLen/16)
	want := collect(text, Options{})
	for _, n := range []int{-1, 0, 1, 31, 64, 100, 1 << 24, math.MaxInt} {
		checkSame(t, "Parallel", n, Options{}, Parallel(strings.NewReader(text), int64(len(text)), n, Options{}), want)
		checkSame(t, "Mapped", n, Options{}, Mapped([]byte(text), n, Options{}, nil), want)
	}
}
