package find

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// marksPlain says byte by byte what marks are.
func marksPlain(s string, at, n int, all bool) (words []uint64, busy uint64) {
	words = make([]uint64, (n+63)/64)
	for i := range n {
		k := at + i
		if k+1 >= len(s) {
			continue
		}
		mark := s[k] == ':' && s[k+1] > '"' && s[k+1] < 0x80
		if !all {
			mark = mark && s[k+1] != ':' && s[k+1] != '='
		} else {
			mark = k > 0 && is(s[k-1], word) && (mark || (s[k] == '.' || s[k] == '@') && is(s[k+1], word))
		}
		if mark {
			words[i/64] |= 1 << (i % 64)
			busy |= 1 << (i / 64)
		}
	}
	return words, busy
}

func checkMarks(t *testing.T, s string, at, n int) {
	t.Helper()
	for _, all := range []bool{false, true} {
		want, busy := marksPlain(s, at, n, all)
		lines := strings.Count(s[at:at+n], "\n")
		for name, marks := range everyMarks() {
			got := slices.Repeat([]uint64{^uint64(0)}, len(want))
			if k, b := marks(got, s, at, n, all); !slices.Equal(got, want) || k != lines || b != busy {
				t.Errorf("%s(%q, %d, %d, %v) = %x, %d lines, want %x, %d", name, s, at, n, all, got, k, want, lines)
			}
		}
	}
}

// TestMarks holds the assembly, its Go twin and the plain definition to each
// other: every byte beside every mark, and random texts at every edge.
func TestMarks(t *testing.T) {
	for _, mark := range ":.@a" {
		buf := []byte("................................................................................................................................")
		for c := range 256 {
			for _, at := range []int{31, 32, 63, 64, 65} {
				copy(buf[at-1:], []byte{byte(c), byte(mark), 'a'})
				checkMarks(t, string(buf), 0, 127)
				copy(buf[at-1:], []byte{'a', byte(mark), byte(c)})
				checkMarks(t, string(buf), 0, 127)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	const from = "aZ09_ !\"#:=.@/-\x00\n\x7f\x80\xff`[{"
	for range 20000 {
		buf := make([]byte, r.IntN(300))
		for i := range buf {
			buf[i] = from[r.IntN(len(from))]
		}
		at := r.IntN(len(buf) + 1)
		checkMarks(t, string(buf), at, r.IntN(len(buf)-at+1))
	}
}

func TestPlainEnd(t *testing.T) {
	for c := range 256 {
		for _, n := range []int{0, 1, 31, 32, 33, 64, 70} {
			for _, more := range []int{0, 1, 31, 40} {
				s := "<" + strings.Repeat("a", n) + string([]byte{byte(c)}) + strings.Repeat("b", more)
				if got, want := plainEnd(s, 1), plainEndGo(s, 1); got != want {
					t.Errorf("plainEnd(%q, 1) = %d, want %d", s, got, want)
				}
			}
		}
	}
}

func TestNewlines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		buf := make([]byte, r.IntN(700))
		for i := range buf {
			buf[i] = "\n\nabc\x0b\x8a"[r.IntN(7)]
			if r.IntN(3) > 0 {
				buf[i] = 'x'
			}
		}
		s := string(buf)
		i := r.IntN(len(s) + 1)
		j := i + r.IntN(len(s)-i+1)
		every := everyNewlines()
		every["newlinesGo"], every["gapLines"] = newlinesGo, gapLines
		for name, newlines := range every {
			if name == "gapLines" && i == j {
				continue
			}
			n, behind := newlines(s, i, j)
			if name == "gapLines" && n == 0 {
				behind = i
			}
			if want := max(i, strings.LastIndexByte(s[:j], '\n')+1); n != strings.Count(s[i:j], "\n") || behind != want {
				t.Fatalf("%s(%q, %d, %d) = %d, %d, want %d, %d", name, s, i, j, n, behind, strings.Count(s[i:j], "\n"), want)
			}
		}
		if got, want := lastNewline(s[:j]), strings.LastIndexByte(s[:j], '\n'); got != want {
			t.Fatalf("lastNewline(%q) = %d, want %d", s[:j], got, want)
		}
	}
}

func TestHead(t *testing.T) {
	if !simd() {
		t.Skip("headGo stands alone")
	}
	const text = "< http://a.example/ 'x' abcdefghijklmnopqrst"
	for _, end := range []string{" ", "a", "aaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", strings.Repeat("-", 99)} {
		for at := range len(text) - 32 {
			for c := range 256 {
				buf := []byte(text + end)
				for i := range text {
					buf[i] = byte(c)
					A, B, D, N := headGo(string(buf), at)
					for name, head := range everyHead() {
						a, b, d, n := head(string(buf), at)
						if a != A || b != B || d != D || n != N && (n > N || n+64 <= len(buf)) {
							t.Fatalf("%s(%q, %d) = %x, %x, %x, %d, want %x, %x, %x, %d", name, buf, at, a, b, d, n, A, B, D, N)
						}
					}
					if a, b, d := labels(string(buf), at); a != A || b != B || d != D {
						t.Fatalf("labels(%q, %d) = %x, %x, %x, want %x, %x, %x", buf, at, a, b, d, A, B, D)
					}
					if c%2 == 0 {
						buf[i] = text[i]
					}
				}
			}
		}
	}
}
