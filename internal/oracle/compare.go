package oracle

import (
	"math/rand/v2"
	"os"
	"testing"
)

// Full reports whether the whole comparison was asked for, more than a million
// texts a standard, instead of a sample:
//
//	ANYURL_ORACLE=full go test -v -run Oracle ./rfc1630 ./rfc1738 ./rfc3986
func Full() bool { return os.Getenv("ANYURL_ORACLE") == "full" }

// A Corpus says which texts two readings of a grammar are compared on.
type Corpus struct {
	Grammar *Grammar
	Runes   bool
	// Starts are the productions to derive texts from.
	Starts []string
	// Seeds are texts to mutate, beside those derived.
	Seeds []string
	// Alphabet is what mutations put in.
	Alphabet []rune
	// Derived is how many texts are derived in a full run, and as many are
	// mutated from them; a sample takes a fiftieth.
	Derived int
	// Short are runs of all short texts, of the length given in a full run
	// and two less in a sample.
	Short []ShortRun
}

// A ShortRun is the arguments of [Short].
type ShortRun struct {
	Prefix, Alphabet, Suffix string
	Length                   int
}

// Run hands every text of the corpus to check, until it reports false, and
// logs how many there were.
func (c *Corpus) Run(t testing.TB, check func(text string) bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1630, 3986))
	derived, less := c.Derived, 0
	if !Full() {
		derived, less = derived/50, 2
	}
	total := 0
	try := func(text string) bool {
		if len(text) > MaxLen {
			return true
		}
		total++
		return check(text)
	}
	defer func() { t.Logf("%d texts compared", total) }()
	for i := range derived {
		text := c.Grammar.Generate(r, c.Starts[i%len(c.Starts)], c.Runes)
		if !try(text) {
			return
		}
		if len(c.Seeds) > 0 && i%4 == 0 {
			text = c.Seeds[r.IntN(len(c.Seeds))]
		}
		if !try(Mutate(r, text, c.Alphabet)) {
			return
		}
	}
	for _, s := range c.Short {
		for text := range Short(s.Prefix, s.Alphabet, s.Suffix, max(s.Length-less, 1)) {
			if !try(text) {
				return
			}
		}
	}
}
