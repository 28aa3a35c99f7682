package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"anyurl/internal/oracle"
)

func ExampleMatcher_Match() {
	g, err := oracle.Parse(oracle.ABNF, `
		list  = item *( "," item )
		item  = 1*3DIGIT / "(" [ list ] ")"
	`, "", "list")
	if err != nil {
		panic(err)
	}
	m := oracle.NewMatcher(g, false)
	fmt.Println(m.Match("list", "1,(22,333),()"), m.Match("list", "1,4444"))
	// Output: true false
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		notation oracle.Notation
		grammar  string
		yes, no  string // texts, between blanks; "-" is the empty one
	}{
		{oracle.ABNF, `s = "ab" / %x43-44 "x"`, "ab AB aB Cx dx"[:11] + " DX", "a abc cx ex"},
		{oracle.ABNF, `s = 0<p>` + "\n" + `p = "x"`, "-", "x"},
		{oracle.ABNF, `s = 2"a" *1"b" 1*"c"`, "aac aabc aaccc", "ac aab abc aaabc aabbc"},
		{oracle.ABNF, `s = *2( "a" "." ) "a"`, "a a.a a.a.a", "a. a.a.a.a -"},
		{oracle.ABNF, `s = *[ "a" ] "a"`, "a aa aaa", "- b"}, // what a greedy reader cannot do
		{oracle.ABNF, "s = %x61 ; a comment\n    / \"b;c\" ; \"another\"", "a b;c", "b"},
		{oracle.ABNF, `s = *( *"a" )`, "- a aa", "b"}, // nothing, any number of times, ends
		{oracle.ABNF, `s = "a" S "b" / ""`, "- ab aabb aaabbb", "aab abb ba"},
		{oracle.RFC1738, `s = "a" | *[ "b" | "c" ] "d" | [ "e" ] "f" | / "g"`, "a d bcbd f ef /g", "A b e g bc"},
		{oracle.RFC1738, `s = "\" <"> "/" | p+_q` + "\n" + `p+_q = "~"`, `\"/ ~`, `\/`},
		{oracle.RFC1630, "start  a b [ : word ] | * | ( vline )\nword  x | Y 0 | word2\nword2  ; [ word2 ]", "ab ab:x ab:Y0 * (|) ab:; ab:;;;", "a AB ab: ab:y0 ab:Y (vline)"},
		{oracle.RFC1630, "start  void | x [ start ]\nvoid", "- x xxx", "y"},
	} {
		start := "s"
		if tt.notation == oracle.RFC1630 {
			start = "start" // a single letter would stand for itself
		}
		g, err := oracle.Parse(tt.notation, tt.grammar, "", start)
		if err != nil {
			t.Errorf("%s: %v", tt.grammar, err)
			continue
		}
		m := oracle.NewMatcher(g, false)
		for want, texts := range map[bool]string{true: tt.yes, false: tt.no} {
			for _, text := range strings.Fields(texts) {
				if text = strings.TrimPrefix(text, "-"); m.Match(start, text) != want {
					t.Errorf("%s: %q: want %v", tt.grammar, text, want)
				}
			}
		}
	}
}

func TestLong(t *testing.T) {
	g, err := oracle.Parse(oracle.ABNF, `s = *"a" "b"`, "", "s")
	if err != nil {
		t.Fatal(err)
	}
	m := oracle.NewMatcher(g, false)
	for n := range oracle.MaxLen {
		if text := strings.Repeat("a", n); !m.Match("s", text+"b") || m.Match("s", text) {
			t.Fatalf("wrong at %d", n)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ grammar, want string }{
		{`s = t`, `no production "t"`},
		{`s = ( "a"`, "never closed"},
		{`s = [ "a" )`, "never closed"},
		{`s = "a`, "never closed"},
		{`s = "a" )`, "left over"},
		{`s = 2`, "nothing to repeat"},
		{`s = %xZZ`, "no range"},
		{`s = {`, "nothing of this notation"},
		{`s "a"`, "defines nothing"},
	} {
		if _, err := oracle.Parse(oracle.ABNF, tt.grammar, "", "s"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.grammar, err, tt.want)
		}
	}
}

func TestAmends(t *testing.T) {
	g, err := oracle.Parse(oracle.ABNF, "s = t t\nt = \"x\"", "t = \"y\"", "s")
	if err != nil {
		t.Fatal(err)
	}
	if m := oracle.NewMatcher(g, false); !m.Match("s", "yy") || m.Match("s", "xx") {
		t.Error("the amended production does not stand in the printed one's place")
	}
}

// What a grammar derives, it takes; and over all short texts what it takes is
// what counting says.
func TestGenerate(t *testing.T) {
	g, err := oracle.Parse(oracle.ABNF, `s = "(" *s ")" / %xE9 / 1*3"x"`, "", "s")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, runes := range []bool{false, true} {
		m := oracle.NewMatcher(g, runes)
		for range 1000 {
			if text := g.Generate(r, "s", runes); len(text) <= oracle.MaxLen && !m.Match("s", text) {
				t.Fatalf("%q is derived and not taken", text)
			}
		}
	}
	var taken []string
	m := oracle.NewMatcher(g, false)
	for text := range oracle.Short("(", "x()", "", 3) {
		if m.Match("s", text) {
			taken = append(taken, text)
		}
	}
	slices.Sort(taken)
	if got := strings.Join(taken, " "); got != "(()) () (x) (xx)" {
		t.Error(got)
	}
}

func TestMutate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	for range 1000 {
		seen[oracle.Mutate(r, "abc", []rune{'x', 0xff, 0x100})] = true
	}
	for _, want := range []string{"xabc", "ab", "bac", "abbc", "ab\xff", "abc\u0100"} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
}
