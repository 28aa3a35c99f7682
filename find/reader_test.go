package find

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func collect(text string, opts Options) (all []Match) {
	for m := range Text(text, opts) {
		all = append(all, m)
	}
	return all
}

func read(t testing.TB, r io.Reader, opts Options) (all []Match) {
	for m, err := range Reader(r, opts) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// chunks is a reader whose reads have the sizes that the bytes of a string say.
type chunks struct {
	text, sizes string
	i           int
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := 1
	if c.sizes != "" {
		n = int(c.sizes[c.i%len(c.sizes)])
		c.i++
	}
	n = copy(p, c.text[:min(n, len(c.text))])
	c.text = c.text[n:]
	return n, nil
}

// TestReaderIsText reads the labelled texts in pieces.
func TestReaderIsText(t *testing.T) {
	var all strings.Builder
	for _, c := range cases(t) {
		all.WriteString(c.Text)
		all.WriteString("\n")
		for _, opts := range []Options{{}, {Relaxed: true}} {
			want := collect(c.Text, opts)
			if got := read(t, iotest.OneByteReader(strings.NewReader(c.Text)), opts); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %q\n got %v\nwant %v", c.ID, c.Text, got, want)
			}
		}
	}
	text := strings.Repeat(all.String(), 20)
	for _, opts := range []Options{{}, {Relaxed: true}} {
		want := collect(text, opts)
		for _, sizes := range []string{"\x01", "\x02\x03", "\x7f", "\xff\x01\x40", "\x00\x01"} {
			if got := read(t, &chunks{text: text, sizes: sizes}, opts); !reflect.DeepEqual(got, want) {
				t.Errorf("sizes %q: not what Text finds", sizes)
			}
		}
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	var got []string
	for m, err := range Reader(io.MultiReader(strings.NewReader("http://a.example/ http://b.example/ http://c.ex"), iotest.ErrReader(broken)), Options{}) {
		if err != nil {
			if err != broken {
				t.Error(err)
			}
			got = append(got, "error")
			continue
		}
		got = append(got, m.URL)
	}
	if want := []string{"http://a.example/", "http://b.example/", "error"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A reader that does not keep to its contract makes an error, and no panic.
func TestReaderCount(t *testing.T) {
	for _, n := range []int{-1, 1 << 30} {
		var got error
		for _, err := range Reader(miscounting(n), Options{}) {
			got = err
		}
		if got != errCount {
			t.Errorf("%d bytes: %v", n, got)
		}
	}
}

type miscounting int

func (m miscounting) Read([]byte) (int, error) { return int(m), nil }

// A match whose line was read is given then: the next line may be long in coming.
func TestReaderLine(t *testing.T) {
	for _, text := range []string{"http://a.example\n", "http://a.example.\n", "http://a.example/x.\r\n", "(http://a.example)\n", "a@b.example.com\n", "www.a.com...\n", "mailto:a@b.com\n"} {
		r, w := io.Pipe()
		go func() {
			w.Write([]byte(text))
		}()
		for m, err := range Reader(r, Options{Relaxed: true}) {
			if err != nil || m.Start > 1 {
				t.Errorf("%q: %+v, %v", text, m, err)
			}
			r.Close()
			break
		}
	}
}

// endless repeats a text for a number of bytes.
type endless struct {
	text string
	left int
	at   int
}

func (r *endless) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), r.left)]
	for n := 0; n < len(p); {
		k := copy(p[n:], r.text[r.at:])
		r.at = (r.at + k) % len(r.text)
		n += k
	}
	r.left -= len(p)
	return len(p), nil
}

// TestScannerAllocates nothing for a match, and keeps its window.
func TestScannerAllocates(t *testing.T) {
	const text = "see http://a.example/b and www.example.com, kim@example.com\n<URL:http://a.example/\nx>\n"
	s := NewScanner(&endless{text: text, left: 64 << 20}, Options{Relaxed: true})
	for range 10000 {
		s.Scan()
	}
	if n := testing.AllocsPerRun(10000, func() {
		if !s.Scan() || len(s.Found().URL) == 0 {
			t.Fatal("no match")
		}
	}); n != 0 {
		t.Errorf("%v allocations a match", n)
	}
	if len(s.buf) != streamLen {
		t.Errorf("the window has grown to %d bytes", len(s.buf))
	}
}

// TestScannerMemory gives it what never ends.
func TestScannerMemory(t *testing.T) {
	for _, text := range []string{"a", "a.", "http://a.example/", "http://a.example/(", "(((((", "<URL:", "<URL:http://a\n", "a@", "data:text/plain,", "\x00", "\xff", "http://", "-", "http://a@", "a.com"} {
		for _, opts := range []Options{{MaxLen: 64 << 10}, {Relaxed: true, MaxLen: 64 << 10}} {
			s := NewScanner(&endless{text: text, left: 4 << 20}, opts)
			for s.Scan() {
			}
			if len(s.buf) > streamLen {
				t.Errorf("%q: the window has grown to %d bytes", text, len(s.buf))
			}
		}
	}
}

// TestLineCol compares with counting from the front.
func TestLineCol(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var b strings.Builder
		for range r.IntN(400) {
			b.WriteString([]string{"\n", "word ", "http://a.example/b ", strings.Repeat("x", r.IntN(700)), "www.example.com\n", strings.Repeat("\n", r.IntN(300))}[r.IntN(6)])
		}
		text := b.String()
		check := func(m Match) {
			line, col := 1+strings.Count(text[:m.Start], "\n"), m.Start-strings.LastIndexByte(text[:m.Start], '\n')
			if m.Line != line || m.Col != col {
				t.Fatalf("%d:%d, want %d:%d", m.Line, m.Col, line, col)
			}
		}
		for m := range Text(text, Options{Relaxed: true}) {
			check(m)
		}
		for m := range Reader(&chunks{text: text, sizes: "\xff\x80\x07"}, Options{Relaxed: true}) {
			check(m)
		}
	}
}

// TestNoReader holds that a stream of nothing is an error and no panic.
func TestNoReader(t *testing.T) {
	var s Scanner
	if s.Scan() || s.Err() == nil || s.Found().Start != 0 {
		t.Errorf("the zero Scanner: found %+v, error %v", s.Found(), s.Err())
	}
	for m, err := range Reader(nil, Options{}) {
		if err == nil {
			t.Errorf("found %+v without a reader", m)
		}
	}
	if f := NewScanner(strings.NewReader("http://a.example/"), Options{}).Found(); f.Text != nil {
		t.Errorf("found %s before the first Scan", f.Text)
	}
}

// TestReaderSkips holds that what was passed over is not looked at again where
// what was read ends behind it.
func TestReaderSkips(t *testing.T) {
	for _, text := range []string{"http://u@!x.co\nhttp://b.example/", "mailto:example.com.\nx", "http://u@a.example@b.co\n", "http://-a.co\nx"} {
		for _, opts := range []Options{{}, {Relaxed: true}, {Profile: UTS58}} {
			want := collect(text, opts)
			for n := range len(text) {
				sizes := string([]byte{byte(n + 1), 200})
				if got := read(t, &chunks{text: text, sizes: sizes}, opts); !reflect.DeepEqual(got, want) {
					t.Errorf("%q, %d bytes first, %+v: got %v, want %v", text, n+1, opts, got, want)
				}
			}
		}
	}
}
