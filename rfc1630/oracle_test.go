package rfc1630_test

import (
	"os"
	"strings"
	"testing"

	"anyurl/internal/oracle"
	"anyurl/rfc1630"
)

// What docs/decisions/rfc1630-grammar.md decides on the two printed grammars.
// Everything else is as printed.
const (
	decidedURI = `
  fragmentaddress        uri [ # [ fragmentid ] ]
  path                   [ xpalphas ] [ / path ]
  xpalphas               xpalpha [ xpalphas ]
`
	decidedURL = `
  address                located [ # [ fragmentid ] ]
  located                url | prefixedurl | afsaddress
  path                   [ segment ] [ / path ]
  ftpaddress             f t p : / / login / path [ ; t y p e = ftptype ]
  addr-spec              xalphas @ host
  content-identifier     xalphas @ host
  hostname               hostalpha [ . hostname ]
  hostalpha              alpha [ hostalphas ]
  hostalphas             hostxalpha [ hostalphas ]
  hostxalpha             alpha | digit | $ | - | _ | . | & | + | extra | escape
`
)

func grammar(t *testing.T, file, decided string, starts ...string) *oracle.Grammar {
	t.Helper()
	printed, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := oracle.Parse(oracle.RFC1630, string(printed), decided, starts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var productions = map[string]string{
	"http": "httpaddress", "ftp": "ftpaddress", "afs": "afsaddress", "news": "newsaddress", "nntp": "nntpaddress", "mid": "midaddress",
	"cid": "cidaddress", "mailto": "mailtoaddress", "wais": "waisaddress", "prospero": "prosperoaddress", "telnet": "telnetaddress",
	"gopher": "gopheraddress",
}

// The parser takes exactly what the two grammars derive, each scheme that has
// a grammar by that and any other by the generic one; and each part it gives is
// what the part's production derives.
func TestOracle(t *testing.T) {
	generic := grammar(t, "uri.bnf", decidedURI, "fragmentaddress")
	special := grammar(t, "url.bnf", decidedURL, "address")
	mg, ms := oracle.NewMatcher(generic, false), oracle.NewMatcher(special, false)
	check := func(s string) bool {
		scheme, _, _ := strings.Cut(s, ":")
		if rest, ok := strings.CutPrefix(s, "url:"); ok {
			scheme, _, _ = strings.Cut(rest, ":")
			if scheme == "afs" || productions[scheme] == "" {
				scheme = "url" // no prefixedurl, and "url" is no scheme of its own
			}
		}
		want := false
		switch {
		case productions[scheme] != "":
			want = ms.Match("address", s)
		case scheme != "url" || !strings.HasPrefix(s, "url:"):
			want = mg.Match("fragmentaddress", s)
		}
		u, err := rfc1630.Parse(s)
		if want != (err == nil) {
			t.Errorf("%q: Parse %v; the grammar says %v", s, err, want)
			return false
		}
		_, errGeneric := rfc1630.ParseGeneric(s)
		if want := mg.Match("fragmentaddress", s); want != (errGeneric == nil) {
			t.Errorf("%q: ParseGeneric %v; the grammar says %v", s, errGeneric, want)
			return false
		}
		if err != nil {
			return true
		}
		m := ms
		if u.Production() == rfc1630.GenericURI {
			m = mg
		}
		bare := strings.TrimSuffix(s, "#"+u.Fragment())
		if u.Has(rfc1630.Prefix) {
			bare = strings.TrimPrefix(bare, "url:")
		}
		if !m.Match(u.Production().String(), bare) {
			t.Errorf("%q is no %s", s, u.Production())
			return false
		}
		for part, text := range u.Parts() {
			name := part.String()
			switch {
			case part == rfc1630.Prefix, part == rfc1630.Scheme && m == ms, part == rfc1630.FragmentID && text == "":
				continue
			case part == rfc1630.Host:
				name = u.HostKind().String()
			}
			if !m.Match(name, text) {
				t.Errorf("%q: %q is no %s", s, text, name)
				return false
			}
		}
		return true
	}
	var seeds []string
	for _, tt := range taken {
		seeds = append(seeds, tt.in)
	}
	for _, tt := range refused {
		seeds = append(seeds, tt.in)
	}
	alphabet := []rune("aZ09:/?@;=&%%--..+*_$!'(),\"#{}|\\^~[]`<> \x00\x7f\xe9")
	(&oracle.Corpus{
		Grammar: generic, Starts: []string{"fragmentaddress", "uri"}, Alphabet: alphabet, Seeds: seeds, Derived: 150_000,
		Short: []oracle.ShortRun{{Alphabet: "a1:/?#+@%;", Length: 5}, {Prefix: "x:", Alphabet: "a/?#+%0:", Length: 5}},
	}).Run(t, check)
	specific := oracle.Corpus{
		Grammar: special, Alphabet: alphabet, Seeds: seeds, Derived: 350_000,
		Starts: []string{"address", "httpaddress", "ftpaddress", "afsaddress", "newsaddress", "nntpaddress", "midaddress", "cidaddress",
			"mailtoaddress", "waisindex", "waisdoc", "prosperolink", "telnetaddress", "gopheraddress", "prefixedurl"},
	}
	for prefix, alphabet := range map[string]string{
		"http://": "a1.:/?#@", "ftp://": "a1@:/%.", "telnet://": "a1@:/+%", "ftp://h/": "aA;I/#%", "ftp://h/;type=": "AENTCIL12",
		"news:": "a1@.*#", "mid:": "a1@.*#", "mailto:": "a1@.*#", "nntp:": "a1/.@#", "wais://h/": "a1/=;?", "wais://h/a/b/": "1=a/;",
		"prospero://h/": "%0a1/", "gopher://h/": "a%01/?", "url:": "url:a/", "news:a@": "1.a@",
	} {
		specific.Short = append(specific.Short, oracle.ShortRun{Prefix: prefix, Alphabet: alphabet, Length: 5})
	}
	specific.Run(t, check)
}

// Every production of the document stands beside the code that does it.
func TestTickOff(t *testing.T) {
	for _, file := range []string{"uri.bnf", "url.bnf"} {
		printed, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		oracle.TickOff(t, oracle.RFC1630, string(printed))
	}
}
