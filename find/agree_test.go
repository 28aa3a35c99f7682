package find

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// ways are the doors to one engine: each gives the matches of a text.
func ways(t *testing.T, r *rand.Rand, text string, opts Options) map[string][]Match {
	t.Helper()
	size := int64(len(text))
	all := map[string][]Match{
		"bytes":   bytesOf(text, opts),
		"scanner": scanned(t, r, text, opts),
		"reader":  read(t, &chunks{text: text, sizes: randomSizes(r)}, opts),
		"whole":   read(t, strings.NewReader(text), opts),
	}
	if opts.Profile == RFC3986 {
		all["long way"] = theLongWay(text, opts)
	}
	gather := func(name string, t2 parts, workers int) {
		found := t2.inTurn()
		if workers > 0 {
			found = t2.scan(workers)
		}
		var got []Match
		for m, err := range found {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, m)
		}
		all[name] = got
	}
	calm := func(int, int) error { return nil }
	if opts.Profile == UTS58 {
		gather("mapped", parts{mem: &memory{[]byte(text), calm}, size: size, partLen: max(len(text), 1), opts: opts}, 0)
		return all
	}
	for _, partLen := range []int{1 + r.IntN(200), 200 + r.IntN(5000), 5000 + r.IntN(100_000)} {
		if len(text)/partLen > 200 {
			continue // what warms up would be most of the work
		}
		gather("parallel", parts{r: strings.NewReader(text), size: size, partLen: partLen, opts: opts}, 1+r.IntN(4))
		gather("mapped", parts{mem: &memory{[]byte(text), calm}, size: size, partLen: partLen, opts: opts}, 1+r.IntN(4))
		gather("mapped in turn", parts{mem: &memory{[]byte(text), calm}, size: size, partLen: partLen, opts: opts}, 0)
	}
	return all
}

func bytesOf(text string, opts Options) (all []Match) {
	for m := range Text([]byte(text), opts) {
		all = append(all, m)
	}
	return all
}

// scanned asks a Scanner for some of its matches, once or more, and takes the
// others from Text: what is asked of one may not change what the next one is.
func scanned(t *testing.T, r *rand.Rand, text string, opts Options) (all []Match) {
	t.Helper()
	want := collect(text, opts)
	s := NewScanner(&chunks{text: text, sizes: randomSizes(r)}, opts)
	for s.Scan() {
		if len(all) == len(want) {
			t.Fatalf("the scanner finds more than Text: %.100q", s.Found().URL)
		}
		m := want[len(all)]
		for range r.IntN(3) {
			f := s.Found()
			m = Match{string(f.URL), string(f.Text), f.Start, f.End, f.Line, f.Col, f.Kind, f.Hyphen, opts.Source}
		}
		all = append(all, m)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	if f := s.Found(); f.URL != nil {
		t.Fatalf("found %.100q behind the end", f.URL)
	}
	return all
}

func randomSizes(r *rand.Rand) string {
	b := make([]byte, 1+r.IntN(5))
	for i := range b {
		b[i] = byte(1 + r.IntN(255)>>r.IntN(8))
	}
	return string(b)
}

// mixed gives texts of which some are dense with references and others have
// one in many pages, with every line ending, and lines of every length.
func mixed(r *rand.Rand, size int) string {
	ending := []string{"\n", "\r\n", "\r", "\n\n", " ", ""}[r.IntN(6)]
	far := r.IntN(4)
	var b bytes.Buffer
	for b.Len() < size {
		switch r.IntN(10) {
		case 0:
			if far > 0 {
				b.WriteString(strings.Repeat([]string{"x", "\n", "a line without" + ending, ".", ": ", "é", "a.b ", "\x00", "a\n\n"}[r.IntN(9)], r.IntN(1+size/8)))
			}
		case 1:
			b.WriteString("<" + []string{"", "URL:", " ", "\n"}[r.IntN(4)] + "http://a.example/" + strings.Repeat("wrapped-"+ending+strings.Repeat(" ", r.IntN(4)), r.IntN(30)) + "x>")
		case 2:
			b.WriteString("http://a.example/" + strings.Repeat("long", r.IntN(1+size/8)))
		case 3:
			b.WriteString([]string{"http://a.example/x", "https://b.example", "kim@example.com", "www.example.org/a.", "example.com:80/x", "[2001:db8::1]:80/x", "mailto:kim@example.com", "//example.com/x"}[r.IntN(8)] + ending)
		case 4:
			b.WriteString("* " + ending + "\t* README.dev, a.in:" + ending)
		default:
			b.WriteString(randomText(r))
			b.WriteString(ending)
		}
	}
	return b.String()
}

func checkWays(t *testing.T, r *rand.Rand, text string) {
	t.Helper()
	for _, opts := range []Options{{}, {Relaxed: true, Source: "x"}, {Relaxed: true, MaxLen: 1 + r.IntN(3000)}, {MaxLen: 1 + r.IntN(100)}, {Profile: UTS58}} {
		want := collect(text, opts)
		checkMatches(t, text, want)
		for name, got := range ways(t, r, text, opts) {
			if reflect.DeepEqual(got, want) {
				continue
			}
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Errorf("%s, %+v, of %d bytes: %d matches, want %d; the first that differs is %d", name, opts, len(text), len(got), len(want), i)
					if i < len(got) {
						t.Logf(" got %.300q %d-%d, %d:%d", got[i].URL, got[i].Start, got[i].End, got[i].Line, got[i].Col)
					}
					if i < len(want) {
						t.Logf("want %.300q %d-%d, %d:%d", want[i].URL, want[i].Start, want[i].End, want[i].Line, want[i].Col)
					}
					break
				}
			}
			if len(text) < 400 {
				t.Logf("in %q", text)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestWays holds that Text, Reader, Scanner, Parallel and Mapped give the same,
// with the lines and columns that a plain count gives, for texts of a few bytes
// and for texts of several windows.
func TestWays(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, few := range [][2]int{{0, 20}, {8, 500}, {20, 2000}, {70, 2000}, {500, 1000}, {5000, 300}, {60_000, 30}, {600_000, 4}} {
		size, n := few[0], few[1]
		if testing.Short() {
			n = (n + 9) / 10
		}
		for range n {
			text := mixed(r, size)
			if size < 100 {
				text = text[:min(len(text), size)] // cut anywhere
			}
			checkWays(t, r, text)
		}
	}
}

// TestMaxLen holds where a URL is passed over: whatever kind it is, and whatever
// stands behind it, from that length on.
func TestMaxLen(t *testing.T) {
	for _, url := range []string{"http://a.example/path", "http://longer.a.example", "http://a.example:8080", "http://kim@a.example/", "ftp://a.example/x", "kim@a.example.com", "www.example.com/a", "example.com/a",
		"example.com", "192.0.2.1:80/x", "[2001:db8::1]:80/x", "mailto:kim@example.com", "//example.com/x", "urn:isbn:0451450523"} {
		for _, text := range []string{url, url + " ", url + "\n", "<" + url + ">", "see " + url + ", which", url + "\nhttp://b.c"} {
			for _, profile := range []Profile{RFC3986, UTS58} {
				for most, found := range map[int]bool{len(url): false, len(url) + 2: true, 1 << 30: true, math.MaxInt: true} {
					opts := Options{Relaxed: true, Profile: profile}
					want := collect(text, opts)
					opts.MaxLen = most
					got := collect(text, opts)
					for name, got := range ways(t, rand.New(rand.NewPCG(1, 1)), text, opts) {
						if want := collect(text, opts); !reflect.DeepEqual(got, want) {
							t.Errorf("%s, %q, %d: %v, want %v", name, text, most, got, want)
						}
					}
					if found && !reflect.DeepEqual(got, want) {
						t.Errorf("%q, %v, MaxLen %d: %v, want %v", text, profile, most, got, want)
					}
					for _, m := range got {
						if !found && len(m.Text) >= most {
							t.Errorf("%q, %v, MaxLen %d: found %q", text, profile, most, m.Text)
						}
					}
				}
			}
		}
	}
}
