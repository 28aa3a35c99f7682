package anyurl

import (
	"bufio"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"anyurl/rule"
)

// long asks for texts one byte longer than usual in the exhaustive tests.
var long = flag.Bool("long", false, "try longer texts in the exhaustive tests")

// holdFast holds that s reads the same, or breaks the same rule at the same
// place, with every shortcut as without any: a parser that reports takes none.
// It says whether the fast path took s.
func holdFast(t *testing.T, s string) (taken bool) {
	t.Helper()
	u, err := Parse(s)
	v, slow := Parser{Report: func(*rule.Error) {}}.Parse(s)
	sameReading(t, s, u, err, v, slow)
	if CanParse(s) != (slow == nil) {
		t.Fatalf("CanParse(%q) = %v", s, slow != nil)
	}
	var w URL
	taken = fast(s, &w)
	if !taken && w != (URL{}) {
		t.Fatalf("fast(%q) gives up and leaves %#v", s, w)
	}
	return taken
}

func sameReading(t *testing.T, s string, u URL, err error, v URL, slow error) {
	t.Helper()
	if u != v {
		t.Fatalf("%q reads fast as\n%#v, %v, and slowly as\n%#v, %v", s, u, err, v, slow)
	}
	if (err == nil) != (slow == nil) {
		t.Fatalf("%q: fast %v, slowly %v", s, err, slow)
	}
	if err != nil && *err.(*rule.Error) != *slow.(*rule.Error) {
		t.Fatalf("%q: fast %#v, slowly %#v", s, err, slow)
	}
}

// holdFastRef is holdFast for a reference.
func holdFastRef(t *testing.T, ref string, base URL) (taken bool) {
	t.Helper()
	u, err := base.Resolve(ref)
	v, slow := Parser{Base: base, Report: func(*rule.Error) {}}.Parse(ref)
	sameReading(t, ref+" on "+base.String(), u, err, v, slow)
	var w URL
	taken = fastResolve(ref, &base, &w)
	if !taken && w != (URL{}) {
		t.Fatalf("fastResolve(%q) gives up and leaves %#v", ref, w)
	}
	return taken
}

// words calls f with every word over the alphabet of up to n letters.
func words(alphabet string, n int, f func(string)) {
	var word []byte
	length := 0 // of word, in letters
	var grow func()
	grow = func() {
		f(string(word))
		if length == n {
			return
		}
		for letters := alphabet; letters != ""; {
			_, size := utf8.DecodeRuneInString(letters)
			word = append(word, letters[:size]...)
			length++
			grow()
			length--
			word = word[:len(word)-size]
			letters = letters[size:]
		}
	}
	grow()
}

// TestFastExhaustive tries every short text over small alphabets, each chosen
// for one part of a URL.
func TestFastExhaustive(t *testing.T) {
	for _, tt := range []struct {
		alphabet string
		n        int
		before   []string
		after    []string
	}{
		{"a./?", 6, []string{"http://h:8080/a/", "https://h.example/aaaaaa/.", "http://h/aaaaaaaa/../"}, []string{"", "/../aaaaaaaaa?/../"}},
		{"a/.%2eE?#:", 5, []string{"http://h/", "https://h", "http://", "x:/", "x:", ""}, []string{""}},
		{"aA0x.-:@/\\", 5, []string{"http://"}, []string{"/"}},
		{"aA0.x-:é", 4, []string{"http://", "https://xn--é"}, []string{"/", "/a/../"}},
		{"ßé字А\u0301\u200d\xc3", 4, []string{"http://", "https://b."}, []string{":8/", ".0/aaaaaaaa", ".com/?#"}},
		{"0129.x", 6, []string{"http://", "http://1.2.", "https://a."}, []string{"/", ""}},
		{"0689:/", 5, []string{"http://h:", "https://h:4", "https://h:44"}, []string{"/", ""}},
		{"a/\\'`{|\x7f\x80\t <?#", 4, []string{"http://h/", "http://h/?", "http://h/#", " http://h/"}, []string{"", "a"}},
		{"é./%2e?#\r", 4, []string{"http://h/", "https://h:8080/aaaaaaa/", "http://1.2.3.4/<"}, []string{"", "/aaaaaaaaaa/|"}},
		{"é字.a:1/-", 4, []string{"http://", "https://b.é"}, []string{"/", ".xn--a/", ".0x/é"}},
	} {
		n := tt.n - 1
		if *long {
			n = tt.n
		}
		taken := 0
		words(tt.alphabet, n, func(word string) {
			for _, before := range tt.before {
				for _, after := range tt.after {
					if holdFast(t, before+word+after) {
						taken++
					}
				}
			}
		})
		if taken == 0 {
			t.Errorf("over %q, the fast path took nothing", tt.alphabet)
		}
	}
}

// TestFastResolveExhaustive tries every short reference.
func TestFastResolveExhaustive(t *testing.T) {
	var bases []URL
	for _, s := range []string{
		"http://h/a/b/c?d#e", "https://u:p@h:8080/", "http://h/a", "ftp://h/a/b", "file:///C:/a/b", "file://h/a",
		"x://h/a/b", "x:/a/b", "x:/.//a", "x:a/b", "x://h",
	} {
		bases = append(bases, MustParse(s))
	}
	n := 3
	if *long {
		n = 4
	}
	// A step up beyond what the reference brought, and then a backslash.
	for _, base := range bases {
		for _, ref := range []string{`a/../..//é\c`, `a/../../..//é\..\c`, `a/../../é/\`} {
			holdFastRef(t, ref, base)
		}
	}
	taken := 0
	for _, alphabet := range []string{"a./%2e?#:", "aC|:/\\. "} {
		words(alphabet, n, func(ref string) {
			for _, base := range bases {
				// A short reference is not what scanWords takes.
				if holdFastRef(t, ref, base) || holdFastRef(t, ref+"/aaaaaaaa", base) {
					taken++
				}
			}
		})
	}
	if taken == 0 {
		t.Error("the fast path took nothing")
	}
}

// TestFastBlocks moves every byte, alone and behind "/" and in front of "/",
// through all the places of the blocks that are read at once.
func TestFastBlocks(t *testing.T) {
	const step = 7
	filler := strings.Repeat("abcdef/-", 20)
	for c := range 256 {
		for _, middle := range []string{string([]byte{byte(c)}), string([]byte{'/', byte(c)}), string([]byte{byte(c), '/'}), string([]byte{'/', '.', byte(c)})} {
			for before := range 70 {
				holdFast(t, "http://h/"+filler[:before]+middle+filler[:20])
				holdFast(t, "https://"+strings.Repeat("a", before)+middle+"/"+filler[:before%step])
				holdFast(t, "http://h/?"+filler[:before]+middle)
				holdFast(t, "http://h/a#"+filler[:before]+middle)
			}
		}
	}
}

// TestFastPages reads from a string that ends anywhere in a page, in front of
// bytes that would count if they were looked at.
func TestFastPages(t *testing.T) {
	const page = 4096
	const u = "http://a.example/b?c"
	for _, behind := range []string{"#", "?", "/", ".", "\x00", "\xff", "A"} {
		text := u + strings.Repeat(behind, 8*page) // large enough to be given pages of its own
		for offset := range page {
			moved := strings.Repeat("x", offset) + text
			if s := moved[offset : offset+len(u)]; !holdFast(t, s) {
				t.Fatalf("fast(%q) gives up in front of %q", s, behind)
			}
		}
	}
}

// TestFastTakes holds that the fast path is worth having: of a real list, it
// takes nearly all.
func TestFastTakes(t *testing.T) {
	f, err := os.Open("../shared/data/urls/real-urls.txt")
	if err != nil {
		t.Skip("no list of real URLs is here")
	}
	defer f.Close()
	all, taken := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		for _, s := range strings.Fields(lines.Text()) {
			all++
			if holdFast(t, s) {
				taken++
			}
		}
	}
	if all == 0 || taken*100 < all*99 {
		t.Errorf("the fast path takes %d of %d", taken, all)
	}
}

func FuzzFast(f *testing.F) {
	for _, s := range []string{
		"http://a.example/b/c?d=e#f", "https://a.example:8443/b", "http://127.0.0.1/", "http://1.2.3/",
		"http://a.example/.well-known/x", "http://a.example/%2e%2E/", "http://a.example/it's?it's#it's",
		"http://a.example./", "http://0x7f.1/", "http://a.0xg/", "http://h:00080/", "http://h:65536/",
		"http://h/" + strings.Repeat("/.a", 30) + "/..", "http://u:p@h/", "http://h/\x7f", "http:///h/",
		"http://bücher.example/a?b#c", "https://bücher.例え.テスト:8443/", "http://é.0x1/", "http://a.é:80/", "http://\u200dé/a/..",
		"http://h:8080/a/%2E%2e/b/./../../c/.?d=/..#/..", "http://h/" + strings.Repeat("a/../", 110) + "b/..?",
		"http://xn--" + strings.Repeat("a", 2001) + "/", "http://h/a?b c#é", "https://é.字.a:8080/%2e/é", "http://h/\xc3?\t#|",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		holdFast(t, s)
		holdFast(t, "http://"+s)
		holdFast(t, "https://h/"+s)
		for _, base := range []string{"http://h/a/b?c", "file:///C:/a", "x:/a/b", "x://h/"} {
			holdFastRef(t, s, MustParse(base))
		}
	})
}
