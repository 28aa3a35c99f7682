package quote_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"anyurl/internal/quote"
)

func ExampleText() {
	fmt.Println(quote.Text("http://a.example/\u202egpj.exe\r\n\x1b[2J\xff"))
	// Output:
	// http://a.example/\u{202e}gpj.exe\r\n\u{1b}[2J\xff
}

func ExampleMask() {
	fmt.Println(quote.Mask("ftp://joe:secret@ftp.example/motd"))
	// Output:
	// ftp://joe:***@ftp.example/motd
}

func ExampleCaret() {
	line, marker := quote.Caret("http://joe:secret@[::1/x", 18)
	fmt.Println(line)
	fmt.Println(marker)
	// Output:
	// http://joe:***@[::1/x
	//                ^
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"http://a.example/x y", "http://a.example/x y"},
		{`http:\\a`, `http:\\a`},                          // a backslash is itself
		{"a\tb\nc\rd", `a\tb\nc\rd`},                      // never splits a line
		{"\x00\x7f", `\u{0}\u{7f}`},                       // C0 and DEL
		{"\u0085\u009b31m", `\u{85}\u{9b}31m`},            // C1 holds a CSI of one character
		{"\u2028\u2029", `\u{2028}\u{2029}`},              // line ends to some readers
		{"\u061c\u200e\u2067", `\u{61c}\u{200e}\u{2067}`}, // bidi controls
		{"\u00ad\u200b\u2060\ufeff", `\u{ad}\u{200b}\u{2060}\u{feff}`},
		{"\u00a0\u3000", `\u{a0}\u{3000}`},                               // spaces that are not U+0020
		{"\u3164\u115f\u2800\ufe0f", `\u{3164}\u{115f}\u{2800}\u{fe0f}`}, // letters that show as nothing
		{"\U000e0041", `\u{e0041}`},                                      // a tag
		{"\ue000\U0010ffff", `\u{e000}\u{10ffff}`},                       // private use, no character
		{"\xff\xc3(\xed\xa0\x80", `\xff\xc3(\xed\xa0\x80`},               // no UTF-8; the last is a surrogate's form
		{"\ufffd", "\ufffd"},                                             // a real U+FFFD is a character
		{"bücher.example/日本", "bücher.example/日本"},
		{"e\u0301", "e\u0301"},
		{"\u0301e", `\u{301}e`},   // no base
		{"\n\u0301", `\n\u{301}`}, // an escape is no base
		{"a\u0301\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301" + `\u{301}\u{301}`},
		{"क्षि", "क्षि"},
	} {
		if got := quote.Text(tt.in); got != tt.want {
			t.Errorf("Text(%+q) = %+q, want %+q", tt.in, got, tt.want)
		}
	}
}

func TestMask(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"http://a.example/", "http://a.example/"},
		{"http://joe@a.example/", "http://joe@a.example/"},
		{"http://joe:@a.example/", "http://joe:@a.example/"},
		{"http://joe:pw@a.example:80/x?y#z", "http://joe:***@a.example:80/x?y#z"},
		{"http://:pw@a.example/", "http://:***@a.example/"},
		{"request mailto:joe@ex.example: nothing here opens it", "request mailto:joe@ex.example: nothing here opens it"},
		{"request http:joe:pw@ex.example: no", "request http:***@ex.example: no"},
		{"http://a:b@c:d@e.example/", "http://a:***@e.example/"}, // the last "@" ends it
		{"//joe:pw@a.example/", "//joe:***@a.example/"},
		{`\\joe:pw@a.example\x`, `\\joe:***@a.example\x`},
		{"http:/joe:pw@a.example/", "http:/joe:***@a.example/"},
		{"http:joe:pw@a.example/", "http:joe:***@a.example/"},
		{`https:\/\joe:pw@a.example/`, `https:\/\joe:***@a.example/`},
		{"ht\ntp:/\t/joe:p\tw@a.example", "ht\ntp:/\t/joe:***@a.example"},
		{"  HTTP://joe:pw@a.example", "  HTTP://joe:***@a.example"},
		{"joe:pw@a.example/x", "joe:***@a.example/x"},              // no scheme
		{"joe%20s:pw@a.example/x", "joe%20s:***@a.example/x"},      // nor the shape of one
		{"http://joe:p/w@a.example/", "http://joe:***@a.example/"}, // a reader takes "p" for a port
		{"http://joe:p?w#x@a.example/", "http://joe:***@a.example/"},
		{"http://[::1:pw@x", "http://[:***@x"},
		{"http://a.example:80/~joe:x@b", "http://a.example:80/~joe:x@b"}, // a port, and a path
		{"http://a.example/x:y@z", "http://a.example/x:y@z"},
		{"http://a.example/?u=http://joe:pw@b.example/", "http://a.example/?u=http://joe:***@b.example/"},
		{"http://a.example/?u=http:joe:pw@b.example/", "http://a.example/?u=http:joe:***@b.example/"},
		{"http://a.example/?u=http%3A%2F%2Fjoe%3Apw%40b.example%2F", "http://a.example/?u=http%3A%2F%2Fjoe%3A***%40b.example%2F"},
		{"http://a:b@c.example/?u=ftp%3a%2f%2fd%3Ae%40f.example", "http://a:***@c.example/?u=ftp%3a%2f%2fd%3A***%40f.example"},
		{"http://joe:pw\uff20b.example/", "http://joe:***\uff20b.example/"},            // U+FF20 maps to "@"
		{"http://joe\uff1apw@b.example/", "http://joe\uff1a***@b.example/"},            // U+FF1A maps to ":"
		{"http://joe\ufe55p:w\ufe6bb.example/", "http://joe\ufe55***\ufe6bb.example/"}, // the small forms
		{"http://b.example/\uff20joe:x", "http://b.example/\uff20joe:x"},               // none in an authority
		{"http://a%2fb:pw@c.example/?x=%40", "http://a%2fb:***@c.example/?x=%40"},
		{"http://joe%3Apw@a.example/", "http://joe%3A***@a.example/"}, // to one who decodes first
		{"http://a.example/?u=http%3A%2F%2Fb.example%3A80%2F&m=c@d", "http://a.example/?u=http%3A%2F%2Fb.example%3A80%2F&m=c@d"},
		{"view-source:http://joe:pw@a.example/", "view-source:http://joe:***@a.example/"},
		{"jdbc:mysql://joe:pw@a.example/db", "jdbc:mysql://joe:***@a.example/db"},
		{"mailto:joe@a.example", "mailto:joe@a.example"},
		{"news:123@a.example", "news:123@a.example"},
		{"urn:x:y@z", "urn:x:y@z"},
		{"x-made-up:joe:pw@a.example", "x-made-up:***@a.example"},
		{"Get \"http://a:b@c/\": see ftp://d:e@f/", "Get \"http://a:***@c/\": see ftp://d:***@f/"},
	} {
		if got := quote.Mask(tt.in); got != tt.want {
			t.Errorf("Mask(%+q) = %+q, want %+q", tt.in, got, tt.want)
		}
	}
}

func TestCaret(t *testing.T) {
	for _, tt := range []struct {
		in     string
		offset int
		line   string
		column int
	}{
		{"http://[::1/x", 7, "http://[::1/x", 7},
		{"http://a", 8, "http://a", 8}, // behind the end
		{"http://a", 99, "http://a", 8},
		{"http://a", -1, "http://a", 0},
		{"", 0, "", 0},
		{"a\nb c", 3, `a\nb c`, 4},         // an escape takes its own width
		{"a\u202eb", 2, `a\u{202e}b`, 1},   // within the escape: where it begins
		{"日本.example", 6, "日本.example", 4}, // wide characters take two columns
		{"e\u0301x", 3, "e\u0301x", 1},     // a mark takes none
		{"http://joe:secret@a:b/", 20, "http://joe:***@a:b/", 17},
		{"http://joe:secret@a/", 13, "http://joe:***@a/", 11}, // within the password
	} {
		line, marker := quote.Caret(tt.in, tt.offset)
		if want := strings.Repeat(" ", tt.column) + "^"; line != tt.line || marker != want {
			t.Errorf("Caret(%+q, %d) =\n%q\n%q, want\n%q\n%q", tt.in, tt.offset, line, marker, tt.line, want)
		}
	}
}

// TestCaretLong holds that a line stays readable however long the input is.
func TestCaretLong(t *testing.T) {
	in := "http://a.example/" + strings.Repeat("x", 100000) + "^" + strings.Repeat("y", 100000)
	line, marker := quote.Caret(in, strings.IndexByte(in, '^'))
	if n := utf8.RuneCountInString(line); n > 2*60+2 {
		t.Errorf("the line has %d characters", n)
	}
	if r := []rune(line)[len(marker)-1]; r != '^' {
		t.Errorf("the marker stands under %q", r)
	}
}

// FuzzText holds what every caller leans on: one printable line that is stable,
// and no password that was not there before.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"http://a.example/\u202ex\r\n", "\xff\xfe", "a\u0301\u0301\u0301\u0301\u0301\u0301", "http://u:p@h", "u%3Ap%40h:x@y", "日本", "//\\/\t:@:@", "http:http:u:p@h",
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, offset int) {
		text := quote.Text(s)
		for _, r := range text {
			if !unicode.IsPrint(r) {
				t.Fatalf("Text(%+q) holds %U", s, r)
			}
		}
		if again := quote.Text(text); again != text {
			t.Fatalf("Text(%+q) = %+q, and again %+q", s, text, again)
		}
		masked := quote.Mask(s)
		if !strings.ContainsAny(s, "@\uff20\ufe6b") && !strings.Contains(s, "%40") && masked != s {
			t.Fatalf("Mask(%+q) = %+q", s, masked)
		}
		line, marker := quote.Caret(s, offset)
		if quote.Text(line) != line || strings.Trim(marker, " ") != "^" {
			t.Fatalf("Caret(%+q, %d) = %+q, %q", s, offset, line, marker)
		}
		if _, _, found := strings.Cut(line, "\n"); found {
			t.Fatalf("Caret(%+q, %d) has several lines", s, offset)
		}
	})
}

// FuzzMask holds that the password of any plain userinfo part is hidden,
// whatever its characters.
func FuzzMask(f *testing.F) {
	f.Add("http", "joe", "secret")
	f.Add("gopher", "", "p/w?x#y\\z")
	f.Add("x", "a%3A", "%40%2f")
	f.Fuzz(func(t *testing.T, scheme, user, password string) {
		for i := range len(scheme) {
			if c := scheme[i] | 0x20; c < 'a' || c > 'z' {
				return
			}
		}
		if scheme == "" || password == "" || strings.ContainsAny(user, ":/\\?#@") || strings.ContainsAny(password, "/\\?#@") {
			return
		}
		in := scheme + "://" + user + ":" + password + "@a.example/"
		if want := scheme + "://" + user + ":***@a.example/"; quote.Mask(in) != want && !strings.ContainsAny(user+password, "%\uff20\ufe6b\uff1a\ufe55\ufe13") {
			t.Errorf("Mask(%+q) = %+q, want %+q", in, quote.Mask(in), want)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	s := "http://joe:secret@a.example/" + strings.Repeat("http:", 10000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		quote.Mask(s)
	}
}
