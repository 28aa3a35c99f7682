package validutf8_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"anyurl/internal/validutf8"
)

func ExampleIs() {
	fmt.Println(validutf8.Is([]byte("日本語")), validutf8.Is([]byte("caf\xe9")))
	// Output: true false
}

// characters are valid and broken ones: RFC 3629, section 4, and what lies
// beside each of its limits.
var characters = []string{
	"a", "\x00", "\x7f", "\u0080", "é", "\u07ff", "\u0800", "中", "\ud7ff", "\ue000", "\uffff", "\U00010000", "🙂", "\U0010ffff",
	"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xdf", "\xc3\xc3", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe4\xb8", "\xe4", "\xed\xa0\x80", "\xed\xbf\xbf",
	"\xef\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf0\x9f\x99", "\xf0\x9f", "\xf0", "\xf4\x90\x80\x80", "\xf4\xbf\xbf\xbf", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xfe",
}

func check(t *testing.T, b []byte) {
	t.Helper()
	want := utf8.Valid(b)
	if got := validutf8.Is(b); got != want {
		t.Fatalf("Is(%q) = %v, want %v", b, got, want)
	}
	if got := validutf8.Narrow(b); got != want {
		t.Fatalf("Narrow(%q) = %v, want %v", b, got, want)
	}
}

// TestIsEverywhere puts each character, and each pair of them, at every place
// beside the edges of the vectors.
func TestIsEverywhere(t *testing.T) {
	for _, filler := range []string{"a", "é", "中", "🙂"} {
		for _, c := range characters {
			for _, d := range append(characters, "") {
				places := []int{0, 1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 95, 96, 127, 128, 129, 131, 159, 160}
				if d != "" {
					if filler != "中" {
						continue
					}
					places = []int{3, 63, 128}
				}
				for _, at := range places {
					text := strings.Repeat(filler, 300)
					for at < len(text) && !utf8.RuneStart(text[at]) {
						at++
					}
					for _, length := range []int{96, 128, 131, 132, 160, 163, 300} {
						check(t, []byte((text[:at] + c + d + text)[:length]))
					}
					check(t, []byte(text[:at]+c+d))
				}
			}
		}
	}
}

func TestIsTwoBytes(t *testing.T) {
	b := []byte(strings.Repeat("a", 200))
	for first := range 256 {
		for second := range 256 {
			b[63], b[64] = byte(first), byte(second)
			check(t, b)
		}
	}
}

func TestIsAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 4000 {
		var b []byte
		for n := r.IntN(120); n >= 0; n-- {
			c := characters[r.IntN(14)]
			if r.IntN(60) == 0 {
				c = characters[r.IntN(len(characters))]
			}
			b = append(b, strings.Repeat(c, 1+r.IntN(8)*r.IntN(8))...)
		}
		check(t, b)
		check(t, b[min(len(b), r.IntN(4)):])
	}
}

func FuzzIs(f *testing.F) {
	for _, c := range characters {
		f.Add([]byte(strings.Repeat("ab中", 40) + c))
		f.Add([]byte(c + strings.Repeat("é", 64)))
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

func BenchmarkIs(b *testing.B) {
	for _, part := range []string{"hello world\n", "日本語の文章", "naïve café, déjà vu; "} {
		text := []byte(strings.Repeat(part, 64<<10/len(part)))
		for name, valid := range map[string]func([]byte) bool{"Is": validutf8.Is, "Narrow": validutf8.Narrow, "Valid": utf8.Valid} {
			b.Run(name+"/"+part, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for range b.N {
					valid(text)
				}
			})
		}
	}
}
