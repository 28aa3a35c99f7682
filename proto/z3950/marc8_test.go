package z3950

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// MARC-8's marks stand before their letter; the examples are names and titles
// as the Library of Congress's specification writes them.
func TestMARC8(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain", "plain"},
		{"caf\xe2e", "café"},
		{"M\xe8uller", "Müller"},
		{"\xe9Capek", "Čapek"},
		{"\xa1\xe2od\xe2z", "Łódź"},
		{"fa\xf0cade", "façade"},
		{"Vi\xf2\xe3et", "Vie\u0323\u0302t"}, // two marks, in their order
		{"\xc3 1999 \xc8", "© 1999 €"},       // spacing characters
		{"t\xebi\xecu", "ti\ufe20u\ufe21"},   // halves of a ligature
		{"already é", "already é"},           // UTF-8 in spite of the leader
		{"\x1b(N\xc1\xe2", "\x1b(N\xc1\xe2"}, // another character set: as it is
		{"mark at the end\xe2", "mark at the end\xe2"},
		{"\x85 in no set\xff", "\x85 in no set\xff"},
	} {
		got := fromMARC8(tt.in)
		if got != tt.want {
			t.Errorf("%q is %q, want %q", tt.in, got, tt.want)
		}
	}
	for octet, r := range ansel {
		if r != 0 && (octet >= 0xE0) != unicode.Is(unicode.M, r) {
			t.Errorf("%X is %U, which is on the wrong side", octet, r)
		}
	}
	for pair, r := range composed() {
		if !unicode.IsLetter(r) || unicode.IsUpper(pair[0]) != unicode.IsUpper(r) {
			t.Errorf("%c and %U are %c", pair[0], pair[1], r)
		}
	}
}

// Only MARC 21 that does not say Unicode is decoded.
func TestDecoded(t *testing.T) {
	rec := strings.Replace(sample, "m \xe1e\x1b[2J", "m \xe1e....", 1)
	for _, tt := range []struct{ syntax, octets, want string }{
		{syntaxMARC21, rec, "program è...."},
		{syntaxMARC21, strings.Replace(rec, "nam  22", "nam a22", 1), `program \xe1e....`},
		{arc + "5.1", rec, `program \xe1e....`},
	} {
		text, _ := Record{Syntax: tt.syntax, Octets: []byte(tt.octets)}.Readable()
		if !strings.Contains(string(text), tt.want) || !utf8.Valid(text) {
			t.Errorf("%s: %s", tt.syntax, text)
		}
	}
}
