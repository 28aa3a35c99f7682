package find

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// theLongWay is Text without the short cuts.
func theLongWay(text string, opts Options) (all []Match) {
	e := engine{s: text, opts: opts.withDefaults(), eof: true, stop: math.MaxInt, slow: true}
	var keep arena
	for e.next() {
		url, text, line, col := e.match(&keep)
		f := &e.found
		all = append(all, Match{url, text, f.start, f.end, line, col, f.kind, f.hyphen, opts.Source})
	}
	return all
}

func checkQuick(t *testing.T, name, text string) {
	t.Helper()
	for _, opts := range []Options{{}, {Relaxed: true}} {
		got, want := collect(text, opts), theLongWay(text, opts)
		if reflect.DeepEqual(got, want) {
			continue
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%s: match %d differs", name, i)
				if i < len(got) {
					t.Logf(" got %+v", got[i])
				}
				if i < len(want) {
					t.Logf("want %+v", want[i])
				}
				break
			}
		}
	}
}

// pieces are what texts with references are made of.
var pieces = []string{"http://", "https://", "HTTP://", "ftp://", "://", "//", ":", "a.example", "example.com", "www.", "www.example.org", "x", "kim", "@", ".", "..", ",", ";", "-", "_", "~", "'", "\"",
	"(", ")", "[", "]", "{", "}", "<", ">", "<URL:", "/", "?", "#", "&", "&lt;", "=", "+", "%41", "%", "*", "*/", "!", "$", "|", "\\", "^", "`", " ", "  ", "\n", "\r\n", "\t", "-\n", "\x00", "\x7f", "\xff",
	"é", "。", "テスト", "中", "рф", "com", "net", "md", "rs", ":80", ":8080/", ":99999", "192.0.2.1", "1.2.3", "[::1]", "[2001:db8::1]", "mailto:", "news:", "urn:isbn:", "data:", "tel:+1", "file:/", "file:///", "jdbc:", "view-source:", "x-a:", "1", "00", "a", "Z"}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestQuick holds the short cuts to the long way.
func TestQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100000 {
		text := randomText(r)
		checkQuick(t, text, text)
		if t.Failed() {
			return
		}
	}
	for _, n := range []int{31, 32, 33, 62, 63, 64, 65, 300} { // labels as long as may be, and longer
		text := "http://" + strings.Repeat("0", n) + "a.b/x 0000000000000000000000000000000000 http://" + strings.Repeat("a", n) + " 0000000000000"
		checkQuick(t, text, text)
	}
	files, _ := filepath.Glob(filepath.Join(os.Getenv("FIND_CORPORA"), "*.txt"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkQuick(t, file, string(data))
	}
}
