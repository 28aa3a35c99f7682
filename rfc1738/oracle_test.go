package rfc1738_test

import (
	"os"
	"strings"
	"testing"

	"anyurl/internal/oracle"
	"anyurl/rfc1738"
)

// schemes are those with a grammar of their own, and that grammar.
var schemes = map[string]string{
	"ftp": "ftpurl", "file": "fileurl", "http": "httpurl", "gopher": "gopherurl", "mailto": "mailtourl",
	"news": "newsurl", "nntp": "nntpurl", "telnet": "telneturl", "wais": "waisurl", "prospero": "prosperourl",
}

// The parser takes exactly what section 5 derives, with the scheme's letters in
// either case (section 2.1) and each of the ten schemes by its own production;
// and each part it gives is what the part's production derives.
func TestOracle(t *testing.T) {
	printed, err := os.ReadFile("testdata/rfc1738.bnf")
	if err != nil {
		t.Fatal(err)
	}
	g, err := oracle.Parse(oracle.RFC1738, string(printed), "", "url")
	if err != nil {
		t.Fatal(err)
	}
	m := oracle.NewMatcher(g, false)
	corpus := oracle.Corpus{
		Grammar: g,
		Starts: []string{"url", "ftpurl", "fileurl", "httpurl", "gopherurl", "mailtourl", "newsurl", "nntpurl", "telneturl",
			"waisdatabase", "waisindex", "waisdoc", "prosperourl", "otherurl"},
		Alphabet: []rune("aZ09:/?@;=&%%--..+*_$!'(),#{}|\\^~[]`<>\" \x00\x7f\xe9"),
		Derived:  450_000,
	}
	for _, tt := range taken {
		corpus.Seeds = append(corpus.Seeds, tt.in)
	}
	for _, tt := range refused {
		corpus.Seeds = append(corpus.Seeds, tt.in)
	}
	for _, prefix := range []string{"ftp://", "http://", "telnet://", "file://", "x://"} {
		corpus.Short = append(corpus.Short, oracle.ShortRun{Prefix: prefix, Alphabet: "a1.-:@/?", Length: 5})
	}
	for prefix, alphabet := range map[string]string{
		"": "a:/%@1", "news:": "a1@*./", "nntp://h/": "a1@/.?", "wais://h/": "a?/%4;", "prospero://h/": "a;=/?%", "gopher://h/": "a%09/?",
		"ftp://h/a;type=": "aAdx;", "http://": "1.:a-",
	} {
		corpus.Short = append(corpus.Short, oracle.ShortRun{Prefix: prefix, Alphabet: alphabet, Length: 5})
	}
	corpus.Run(t, func(s string) bool {
		// "interpreters should use case-ignore"
		low := s
		production := "otherurl"
		if i := strings.IndexByte(s, ':'); i >= 0 {
			low = strings.ToLower(s[:i]) + s[i:]
			if p := schemes[low[:i]]; p != "" {
				production = p
			}
		}
		want, generic := m.Match(production, low), m.Match("genericurl", low)
		u, err := rfc1738.Parse(s)
		_, errGeneric := rfc1738.ParseGeneric(s)
		if want != (err == nil) || generic != (errGeneric == nil) {
			t.Errorf("%q: Parse %v, ParseGeneric %v; the grammar says %v (%s), %v", s, err, errGeneric, want, production, generic)
			return false
		}
		// what is printed as url takes the generic form of everything
		if printed := m.Match("url", low); printed != (err == nil || errGeneric == nil) {
			t.Errorf("%q: url as printed says %v", s, printed)
			return false
		}
		if err != nil {
			return true
		}
		if !m.Match(u.Production().String(), low) {
			t.Errorf("%q is no %s", s, u.Production())
			return false
		}
		for part, text := range u.Parts() {
			name := part.String()
			switch {
			case part == rfc1738.Scheme:
				text = strings.ToLower(text)
			case part == rfc1738.Host && u.HostKind() != rfc1738.HostEmpty:
				name = u.HostKind().String()
			case part == rfc1738.Host:
				continue // what a file URL may leave out
			case part == rfc1738.Search && u.Production() == rfc1738.GopherURL:
				name = "selector" // section 3.4.1 reserves nothing in it
			case part == rfc1738.FieldSpecs:
				for name, value := range u.Fields() {
					if !m.Match("fieldname", name) || !m.Match("fieldvalue", value) {
						t.Errorf("%q: field %q=%q", s, name, value)
						return false
					}
				}
				continue
			}
			if !m.Match(name, text) {
				t.Errorf("%q: %q is no %s", s, text, name)
				return false
			}
		}
		return true
	})
}

// Every production of the document stands beside the code that does it.
func TestTickOff(t *testing.T) {
	for _, file := range []string{"rfc1738.bnf"} {
		printed, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		oracle.TickOff(t, oracle.RFC1738, string(printed))
	}
}
