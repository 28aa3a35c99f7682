package rfc3986_test

import (
	"os"
	"testing"

	"anyurl/internal/oracle"
	"anyurl/rfc3986"
)

func grammar(t *testing.T, amends string, files []string, starts ...string) *oracle.Grammar {
	t.Helper()
	printed := ""
	for _, f := range files {
		data, err := os.ReadFile("testdata/" + f)
		if err != nil {
			t.Fatal(err)
		}
		printed += string(data) + "\n"
	}
	g, err := oracle.Parse(oracle.ABNF, printed, amends, starts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The parser takes exactly what appendix A of RFC 3986 derives, and each part
// it gives is what the part's production derives.
func TestOracle3986(t *testing.T) {
	g := grammar(t, "", []string{"rfc3986.abnf"}, "URI-reference", "path")
	m := oracle.NewMatcher(g, false)
	corpus := oracle.Corpus{
		Grammar:  g,
		Starts:   []string{"URI", "relative-ref", "URI-reference", "URI"},
		Seeds:    seeds,
		Alphabet: []rune("aZ09vg:/?#[]@!$&'()*+,;=-._~%%{}|\\^`<>\" \t\x00\x7f\x80\xc3\xff"),
		Derived:  450_000,
		Short: []oracle.ShortRun{
			{Alphabet: "a1:/?#@[%.", Length: 5},
			{Prefix: "a:", Alphabet: "a:/?#@%{", Length: 5},
			{Prefix: "a://", Alphabet: "a1:/@[]%", Length: 5},
			{Prefix: "//[", Alphabet: "1:.", Suffix: "]", Length: 9},
			{Prefix: "//[v", Alphabet: "fg.:%", Suffix: "]", Length: 5},
			{Prefix: "//[::", Alphabet: "0125.:", Suffix: "]", Length: 6},
		},
	}
	corpus.Run(t, func(s string) bool {
		uri, ref := m.Match("URI", s), m.Match("URI-reference", s)
		u, err := rfc3986.ParseReference(s)
		_, errURI := rfc3986.Parse(s)
		if uri != (errURI == nil) || ref != (err == nil) {
			t.Errorf("%q: Parse %v, ParseReference %v; the grammar says %v, %v", s, errURI, err, uri, ref)
			return false
		}
		return err != nil || parts(t, m, u, map[rfc3986.Part]string{
			rfc3986.PartScheme: "scheme", rfc3986.PartAuthority: "authority", rfc3986.PartUserinfo: "userinfo", rfc3986.PartHost: "host",
			rfc3986.PartPort: "port", rfc3986.PartPath: "path", rfc3986.PartQuery: "query", rfc3986.PartFragment: "fragment",
		}, "reg-name")
	})
}

// The same for RFC 3987, section 2.2, less the characters that section 4.1
// forbids.
func TestOracle3987(t *testing.T) {
	const withoutBidi = `
	ucschar        = %xA0-200D / %x2010-2029 / %x202F-D7FF / %xF900-FDCF / %xFDF0-FFEF
	               / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
	               / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
	               / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
	               / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
	               / %xD0000-DFFFD / %xE1000-EFFFD
	`
	g := grammar(t, withoutBidi, []string{"rfc3986.abnf", "rfc3987.abnf"}, "IRI-reference", "ipath")
	m := oracle.NewMatcher(g, true)
	corpus := oracle.Corpus{
		Grammar: g,
		Runes:   true,
		Starts:  []string{"IRI", "irelative-ref", "IRI-reference", "IRI"},
		Seeds:   seeds,
		Alphabet: []rune("a0:/?#[]@%%\\ \x80\xa0\xc3\xe2\xed\xff" +
			"\u0100\u200d\u200e\u2029\u202a\u202e\u202f\ud7ff\ue000\uf8ff\uf900\ufdcf\ufdd0\ufdef\ufdf0\uffef\ufff0\uffff" +
			"\U00010000\U0001fffd\U0001fffe\U000e0001\U000e1000\U000efffd\U000efffe\U000f0000\U000ffffd\U000ffffe\U0010fffd\U0010ffff"),
		Derived: 400_000,
		Short: []oracle.ShortRun{
			{Alphabet: "a:/?#@\xc3\xa9\x80", Length: 5},
			{Prefix: "a://\xee\x80\x80", Alphabet: "a/?#\xe2\x80\xae", Length: 6},
		},
	}
	corpus.Run(t, func(s string) bool {
		iri, ref := m.Match("IRI", s), m.Match("IRI-reference", s)
		u, err := rfc3986.ParseIRIReference(s)
		_, errIRI := rfc3986.ParseIRI(s)
		if iri != (errIRI == nil) || ref != (err == nil) {
			t.Errorf("%q: ParseIRI %v, ParseIRIReference %v; the grammar says %v, %v", s, errIRI, err, iri, ref)
			return false
		}
		return err != nil || parts(t, m, u, map[rfc3986.Part]string{
			rfc3986.PartScheme: "scheme", rfc3986.PartAuthority: "iauthority", rfc3986.PartUserinfo: "iuserinfo", rfc3986.PartHost: "ihost",
			rfc3986.PartPort: "port", rfc3986.PartPath: "ipath", rfc3986.PartQuery: "iquery", rfc3986.PartFragment: "ifragment",
		}, "ireg-name")
	})
}

// parts holds each part against its production, and the kind of host.
func parts(t *testing.T, m *oracle.Matcher, u rfc3986.URI, productions map[rfc3986.Part]string, regName string) bool {
	t.Helper()
	for p, production := range productions {
		if start, end, ok := u.Span(p); ok && !m.Match(production, u.String()[start:end]) {
			t.Errorf("%q: %q is no %s", u, u.String()[start:end], production)
			return false
		}
	}
	want := rfc3986.HostNone
	if host := u.Host(); u.HasAuthority() {
		switch {
		case host != "" && host[0] == '[' && m.Match("IPv6address", host[1:len(host)-1]):
			want = rfc3986.IPv6
		case host != "" && host[0] == '[':
			want = rfc3986.IPvFuture
		case m.Match("IPv4address", host):
			want = rfc3986.IPv4
		case m.Match(regName, host):
			want = rfc3986.RegName
		}
	}
	if u.HostKind() != want {
		t.Errorf("%q: the host is %v, want %v", u, u.HostKind(), want)
		return false
	}
	return true
}

// seeds are texts close to the edges of the grammar.
var seeds = []string{
	"http://user:pass@www.example.com:8080/a/b;c=d/e%20f?q=1&r=2#frag",
	"http://[1:2:3:4:5:6:7:8]:80/", "http://[1::8]", "//[::1.2.3.4]/", "http://[1:2:3:4:5:6:255.249.199.99]",
	"http://[v1F.a:b]/", "http://127.0.0.1", "http://1.2.3.256/", "//@:", "mailto:a@b.example", "urn:a:b", "./a:b", "../../g;x?y#s",
	"http://例え.jp/é?\ue000#é", "//é@ü:1/ñ",
}

// Every production of the document stands beside the code that does it.
func TestTickOff(t *testing.T) {
	for _, file := range []string{"rfc3986.abnf", "rfc3987.abnf"} {
		printed, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		oracle.TickOff(t, oracle.ABNF, string(printed))
	}
}
