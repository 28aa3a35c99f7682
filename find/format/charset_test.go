package format_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
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
		{"UTF-32", "a.txt", "\xff\xfe\x00\x00h\x00\x00\x00t\x00\x00\x00t\x00\x00\x00p\x00\x00\x00:\x00\x00\x00/\x00\x00\x00/\x00\x00\x00a\x00\x00\x00/\x00\x00\x00\x2d\x4e\x00\x00", "http://a/中"},
		{"UTF-32 the other way", "", "\x00\x00\xfe\xff\x00\x00\x00h\x00\x00\x00t\x00\x00\x00t\x00\x00\x00p\x00\x00\x00:\x00\x00\x00/\x00\x00\x00/\x00\x00\x00a\x7f\xff\xff\xff", "http://a"},
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
		{"ISO 2022-JP, HTML", "a.html", "<meta charset=iso-2022-jp><a href='http://a.example/\x1b$BF|K\\\x1b(B/x'>\x1b$B\xff\x1b(B", "http://a.example/日本/x"},
		{"ISO 2022-JP, XML", "a.xml", "<?xml version='1.0' encoding='ISO-2022-JP'?><a href='http://a.example/\x1b$BF|K\\\x1b(B/x'/>", "http://a.example/日本/x"},
		{"CSS with a rule for it", "a.css", "@charset \"koi8-r\"; a { background: url(http://a.example/\xd0\xd5\xd4\xd8) }", "http://a.example/путь"},
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

// TestNamedCharsets reads what mail and HTTP say a text is in. The bytes are
// Python's, str.encode.
func TestNamedCharsets(t *testing.T) {
	for _, tt := range []struct{ kind, bytes, want string }{
		{"text/plain; charset=koi8-r", "http://a.example/\xd0\xd5\xd4\xd8/z", "http://a.example/путь/z"},
		{"text/plain; charset=\"Windows-1251\"", "http://a.example/\xef\xf3\xf2\xfc/z", "http://a.example/путь/z"},
		{"text/html; charset=windows-1251", "<a href='http://a.example/\xef\xf3\xf2\xfc'>", "http://a.example/путь windows-1251"},
		{"text/html; charset=gb2312", "<meta charset=utf-8><a href='http://a.example/\xd6\xd0\xb9\xfa'>", "http://a.example/中国 gbk"},
		{"text/html; charset=shift_jis", "<a href='http://a.example/\x93\xfa\x96\x7b'>", "http://a.example/日本 shift_jis"},
		{"text/plain; charset=euc-jp", "http://a.example/\xc6\xfc\xcb\xdc", "http://a.example/日本"},
		{"text/plain; charset=big5", "http://a.example/\xa4\xa4\xb0\xea", "http://a.example/中國"},
		{"text/plain; charset=euc-kr", "http://a.example/\xc7\xd1\xb1\xb9", "http://a.example/한국"},
		{"text/plain; charset=iso-8859-2", "http://a.example/\xb3\xf3d\xbc", "http://a.example/łódź"},
		{"text/plain; charset=iso-8859-15", "http://a.example/\xa4", "http://a.example/€"},
		{"text/plain; charset=iso-2022-jp", "<http://a.example/\x1b$BF|K\\\x1b(B/x>", "http://a.example/日本/x"},
		{"text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64", "aAB0AHQAcAA6AC8ALwBhAC8ALU4=", "http://a/中"},
		{"text/plain; charset=us-ascii", "http://a.example/caf\xe9", "http://a.example/café"},
		{"text/plain; charset=koi8-r", "http://a.example/путь", "http://a.example/путь"}, // what is UTF-8 is UTF-8
		{"text/plain; charset=x-nobody", "http://a.example/\xd0", `http://a.example/ note: the character set "x-nobody" is not known here; what is no UTF-8 ends a URL`},
	} {
		for _, wrap := range []struct{ name, head, tail string }{
			{"a.eml", "Subject: x\r\nContent-Type: " + tt.kind + "\r\n\r\n", ""},
			{"b.eml", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: " + tt.kind + "\r\n\r\n", "\r\n--b--\r\n"},
			{"c.warc", "", ""},
		} {
			text := wrap.head + tt.bytes + wrap.tail
			if wrap.name == "c.warc" {
				if strings.Contains(tt.kind, "base64") {
					continue // HTTP has none
				}
				body := "HTTP/1.1 200 OK\r\nContent-Type: " + tt.kind + "\r\n\r\n" + tt.bytes
				text = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body + "\r\n\r\n"
			}
			var got []string
			f := format.Finder{Note: func(n format.Note) { got = append(got, "note: "+n.Says) }}
			var urls []string
			for m := range f.Bytes(wrap.name, []byte(text)) {
				if m.Text != text[m.Start:m.End] {
					t.Errorf("%s: %q does not stand at %d:%d", tt.kind, m.Text, m.Start, m.End)
				}
				urls = append(urls, strings.TrimSpace(m.URL+" "+m.Charset))
			}
			if all := strings.Join(append(urls, got...), " "); all != tt.want {
				t.Errorf("%s, %s\n got %s\nwant %s", wrap.name, tt.kind, all, tt.want)
			}
		}
	}
}

// TestEncodedWords reads RFC 2047's words in a header: what is before them, the
// way that Go's and Python's libraries part long ones, and what is none.
func TestEncodedWords(t *testing.T) {
	for _, tt := range []struct{ field, want, text string }{
		{"=?utf-8?q?see_https://ex?=\r\n =?utf-8?q?.example/x_=C3=A9?=", "https://ex.example/x", "https://ex?=\r\n =?utf-8?q?.example/x"},
		{"=?UTF-8?B?c2VlIGh0?=\r\n\t=?UTF-8?B?dHA6Ly9hLmV4YW1wbGUvYg==?= now", "http://a.example/b", "IGh0?=\r\n\t=?UTF-8?B?dHA6Ly9hLmV4YW1wbGUvYg=="},
		{"=?koi8-r?B?09LPIGh0dHA6Ly9hLmV4YW1wbGUv0MXU?=", "http://a.example/пет", "IGh0dHA6Ly9hLmV4YW1wbGUv0MXU"},
		{"=?windows-1252?q?see_http://x.example/_now?=", "http://x.example/", "http://x.example/"},
		{"=?UTF-8*en?q?http://x.example/?=", "http://x.example/", "http://x.example/"},
		{"=?iso-2022-jp?B?aHR0cDovL2EuZXhhbXBsZS8bJEJGfEtcGyhC?=", "http://a.example/日本", "aHR0cDovL2EuZXhhbXBsZS8bJEJGfEtc"},
		{"=?utf-8?q?http://a.example/=E6=97?= =?utf-8?q?=A5/x?=", "http://a.example/日/x", "http://a.example/=E6=97?= =?utf-8?q?=A5/x"}, // cut in a character
		{"=?utf-8?q?a?= http://b.example/ =?utf-8?q?c?=", "http://b.example/", "http://b.example/"},
		{"http://b.example/=?x", "http://b.example/=?x", "http://b.example/=?x"},
		{"=?utf-8?q?one_http://a.example/1_two_http://a.example/2?=", "http://a.example/1 http://a.example/2", "http://a.example/1 http://a.example/2"},
	} {
		text := "Subject: " + tt.field + "\r\n\r\n"
		var urls, texts []string
		for m := range new(format.Finder).Bytes("a.eml", []byte(text)) {
			urls = append(urls, m.URL)
			texts = append(texts, text[m.Start:m.End])
		}
		if got := strings.Join(urls, " "); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.field, got, tt.want)
		} else if got := strings.Join(texts, " "); got != tt.text {
			t.Errorf("%q stands at %q, want %q", tt.field, got, tt.text)
		}
	}
}

// TestBases holds that a page's base counts for that page alone.
func TestBases(t *testing.T) {
	page := "<!doctype html><a href=http://a.example/1><base href=http://b.example/><a href=http://c.example/>"
	record := "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: " + strconv.Itoa(len(page)) + "\r\n\r\n"
	for _, tt := range []struct{ name, text string }{
		{"a.eml", "Content-Type: multipart/mixed; boundary=b\nX: http://x.example/\n\n--b\nContent-Type: text/html\n\n" + page + "\n--b\n\nhttp://d.example/\n--b--\n"},
		{"a.warc", "WARC/1.0\r\nWARC-Target-URI: http://x.example/\r\nContent-Length: 0\r\n\r\n" + record + page + "\r\n\r\nWARC/1.0\r\nWARC-Target-URI: http://d.example/\r\nContent-Length: 0\r\n\r\n"},
	} {
		got := ""
		for m := range new(format.Finder).Bytes(tt.name, []byte(tt.text)) {
			got += m.URL + " " + m.Base + "\n"
		}
		want := "http://x.example/ \nhttp://a.example/1 http://b.example/\nhttp://b.example/ http://b.example/\nhttp://c.example/ http://b.example/\nhttp://d.example/ \n"
		if got != want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, want)
		}
	}
}
