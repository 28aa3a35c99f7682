package format_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"anyurl/find/format"
)

func utf16Text(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// TestCharsets holds that text is read whatever it is encoded in, or that a note
// says it was not.
func TestCharsets(t *testing.T) {
	long := strings.Repeat("some text of a log\n", 2000)
	for _, tt := range []struct{ name, file, text, want string }{
		{"a NUL in a log", "a.log", "line\x00 one http://a.example/x\n", "http://a.example/x"},
		{"a NUL at a URL", "", "http://a.example/x\x00http://b.example/y", "http://a.example/x http://b.example/y"},
		{"the hole of a crash", "a.log", strings.Repeat("\x00", 5000) + "Nov 1 http://a.example/x\n", "http://a.example/x"},
		{"UTF-16 with a mark", "", utf16Text("\ufeffsee http://a.example/ä now", false), "http://a.example/ä"},
		{"UTF-16 without", "", utf16Text("see http://a.example/ä now", false), "http://a.example/ä"},
		{"UTF-16 the other way", "a.txt", utf16Text("see http://a.example/ä now", true), "http://a.example/ä"},
		{"UTF-16 Markdown", "a.md", utf16Text("[a](http://a.example/x)\n", false), "http://a.example/x"},
		{"ISO 8859-1", "a.txt", "see http://l1.example/caf\xe9 now", "http://l1.example/café"},
		{"ISO 8859-1, Markdown", "a.md", "see http://l1.example/caf\xe9 now", "http://l1.example/café"},
		{"Windows-1252 quotes", "a.txt", "\x93http://w.example/x\x94 y", "http://w.example/x"},
		{"ISO 8859-1 in UTF-8", "a.txt", "ü http://a.example/ü http://b.example/\xfc", "http://a.example/ü http://b.example/ü"},
		{"windows-1251, HTML", "a.html", "<meta charset=windows-1251><a href=http://a.example/\xef\xf0\xe8\xe2\xe5\xf2.html>", "http://a.example/привет.html"},
		{"GBK, HTML", "a.html", "<meta http-equiv=content-type content='text/html; charset=gbk'><a href=http://a.example/\xc4\xe3\xba\xc3>", "http://a.example/你好"},
		{"GBK, damaged", "a.html", "<meta charset=gbk><a title='\x81' href='http://a.example/\xba\xc3'>\x81", "http://a.example/好"},
		{"Shift JIS, HTML", "a.html", "<meta charset=shift_jis><a href=http://a.example/\x83\x5c\x95\x5c.html>", "http://a.example/ソ表.html"},
		{"ISO 8859-2, XHTML", "a.html", "<?xml version='1.0' encoding='iso-8859-2'?><a href=http://a.example/\xb3\xb1ka>", "http://a.example/łąka"},
		{"ISO 8859-1, HTML", "a.html", "<a href=http://a.example/\xfc>", "http://a.example/ü"},
		{"windows-1251, RSS", "feed.rss", "<?xml version='1.0' encoding='windows-1251'?><rss><channel><link>http://a.example/\xff</link></channel></rss>", "http://a.example/я"},
		{"says so, and is UTF-8", "a.html", "<meta charset=windows-1251><a href=http://a.example/я>", "http://a.example/я"},
		{"says UTF-8, and is not", "a.html", "<meta charset=utf-8><a href=http://a.example/\xfc>", "http://a.example/ü"},
		{"ISO 2022-JP, HTML", "a.html", "<meta charset=iso-2022-jp><a href=http://a.example/x>\x1b$B\xff\x1b(B", "http://a.example/x note: the document is in iso-2022-jp, whose bytes mean now this and now that; its URLs are read as ASCII"},
		{"a program", "", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00\x01\x00\x00\x00 http://a.example/", "note: the file is binary and in no format known here"},
		{"ISO 8859-1, late", "a.txt", long + "http://l1.example/caf\xe9 now", "http://l1.example/caf note: the text is no UTF-8 at byte 38021; a URL ends at such bytes"},
	} {
		var got []string
		var notes []string
		f := format.Finder{Note: func(n format.Note) { notes = append(notes, "note: "+n.Says) }}
		for m, err := range f.Reader(tt.file, strings.NewReader(tt.text)) {
			if err != nil {
				t.Fatal(err)
			}
			if m.Text != tt.text[m.Start:m.End] {
				t.Errorf("%s: %q does not stand at %d:%d", tt.name, m.Text, m.Start, m.End)
			}
			got = append(got, m.URL)
		}
		if all := strings.Join(append(got, notes...), " "); all != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.name, all, tt.want)
		}
	}
}

// TestCutUTF8 holds that the sizes of reads make no character invalid.
func TestCutUTF8(t *testing.T) {
	text := strings.Repeat("é€𝄞 http://a.example/ü\n", 3000)
	f := format.Finder{Note: func(n format.Note) { t.Errorf("a note: %s", n.Says) }}
	n := 0
	for _, err := range f.Text("", bytes.NewReader([]byte(text))) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	for _, err := range f.Text("", oneByte{strings.NewReader(text[:600])}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n != 3000 {
		t.Errorf("found %d", n)
	}
}

type oneByte struct{ r *strings.Reader }

func (o oneByte) Read(b []byte) (int, error) { return o.r.Read(b[:1]) }

// TestDamage holds that a cut archive says it is damaged, and a photo does not.
func TestDamage(t *testing.T) {
	for _, tt := range []struct {
		data    string
		damaged bool
	}{
		{"PK\x03\x04 cut", true},
		{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03cut", true},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", false},
	} {
		var notes []string
		f := format.Finder{Note: func(n format.Note) { notes = append(notes, fmt.Sprint(n.Damaged)) }}
		for m := range f.Bytes("", []byte(tt.data)) {
			t.Errorf("found %s", m.URL)
		}
		if got, want := strings.Join(notes, " "), fmt.Sprint(tt.damaged); got != want {
			t.Errorf("%.4q: got %q, want %q", tt.data, got, want)
		}
	}
}

// TestFile holds that a large file that is read at several places at once gives
// what it gives as a stream, and the same note of the first byte that is no
// UTF-8.
func TestFile(t *testing.T) {
	line := "siehe http://a.example/größe_über.html – für mehr\n"
	text := []byte(strings.Repeat(line, (2<<20+200_000)/len(line)))
	for _, bad := range []int{9, 1<<20 - 8<<10, 1<<20 - 1, 1 << 20, 1<<20 + 4<<10, len(text) - 1} {
		for _, with := range []byte{0xe4, 0x80} {
			was := text[bad]
			text[bad] = with
			read := func(file bool) (found []format.Match, notes []format.Note) {
				fd := format.Finder{Note: func(n format.Note) { notes = append(notes, n) }}
				all := fd.Reader("a.txt", bytes.NewReader(text))
				if file {
					all = fd.File("a.txt", bytes.NewReader(text), int64(len(text)), 3)
				}
				for m, err := range all {
					if err != nil {
						t.Fatal(err)
					}
					found = append(found, m)
				}
				return found, notes
			}
			found, notes := read(true)
			wantFound, wantNotes := read(false)
			if !slices.Equal(found, wantFound) || !slices.Equal(notes, wantNotes) {
				t.Errorf("%#x at %d: %d matches, notes %v; want %d, %v", with, bad, len(found), notes, len(wantFound), wantNotes)
			}
			text[bad] = was
		}
	}
}

// TestWatch reads texts in pieces of all sizes: the first byte that is no UTF-8
// is told once, wherever the reads break off. A character that the text's end
// breaks off is not told.
func TestWatch(t *testing.T) {
	characters := []string{"a", "é", "中", "🙂", strings.Repeat("a", 40), strings.Repeat("中", 50), "\xff", "\xe4\xb8", "\xed\xa0\x80", "\xf0\x9f\x99"}
	r := rand.New(rand.NewPCG(8, 9))
	for range 20000 {
		var text []byte
		for range r.IntN(12) {
			k := r.IntN(len(characters))
			if k > 5 && r.IntN(3) > 0 {
				k = 2
			}
			text = append(text, characters[k]...)
		}
		want := -1
		for i := 0; i < len(text) && utf8.FullRune(text[i:]); {
			c, size := utf8.DecodeRune(text[i:])
			if c == utf8.RuneError && size == 1 {
				want = i
				break
			}
			i += size
		}
		told := []int{}
		f := format.Finder{Note: func(n format.Note) { told = append(told, n.Offset) }}
		for range f.Text("a.txt", pieces{bytes.NewReader(text), r}) {
		}
		if want < 0 && len(told) > 0 || want >= 0 && !slices.Equal(told, []int{want}) {
			t.Fatalf("%q: told of %v, want %d", text, told, want)
		}
	}
}

// pieces is a reader whose reads are of all sizes.
type pieces struct {
	r    io.Reader
	dice *rand.Rand
}

func (p pieces) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.dice.IntN(1+p.dice.IntN(199)))])
}
