package oracle

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// TickOff holds that every production of a document stands in a comment of its
// package, the name first, so that a reader with the document at hand can tick
// them off. It reads the Go files of the folder that it runs in.
func TickOff(t testing.TB, notation Notation, printed string) {
	t.Helper()
	names, err := Productions(notation, printed)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	line := regexp.MustCompile(`(?m)^\s*//\s+([A-Za-z0-9+_-]+) *=`)
	if notation == RFC1630 {
		line = regexp.MustCompile(`(?m)^\s*//\s+([A-Za-z0-9-]+)  `)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(source), -1) {
			lines[fold(notation, m[1])] = true
		}
	}
	for _, name := range names {
		if !lines[name] {
			t.Errorf("no comment has the production %s", name)
		}
	}
}
