package rfc3986_test

import (
	"strings"
	"testing"

	"anyurl/rfc3986"
)

func TestParseIRI(t *testing.T) {
	for _, in := range []string{
		"http://例え.jp/é?\ue000é#é",
		"http://ü@ñ/\u00a0\ud7ff\uf900\ufdcf\ufdf0\uffef\U00010000\U0001fffd\U000e1000\U000efffd",
		"a:?\uf8ff\U000f0000\U00100000\U0010fffd",
		"a:\U000dfffd",
	} {
		u, err := rfc3986.ParseIRI(in)
		if err != nil || u.String() != in || !u.IsIRI() {
			t.Errorf("%q: %q, %v", in, u, err)
		}
	}
	for _, tt := range []struct {
		in, rule string
	}{
		{"http://h/\xff", "rfc3987/utf-8"},
		{"http://h/\xed\xa0\x80", "rfc3987/utf-8"},
		{"http://\xc3/", "rfc3987/utf-8"},
		{"http://h/\u0080", "rfc3987/ucschar"},
		{"http://h/\ufdd0", "rfc3987/ucschar"},
		{"http://h/\ufff0", "rfc3987/ucschar"},
		{"http://h/\U0001fffe", "rfc3987/ucschar"},
		{"http://h/\U000e0001", "rfc3987/ucschar"},
		{"http://h/?\U0010fffe", "rfc3987/ucschar"},
		{"http://h/\ue000", "rfc3987/iprivate"},
		{"http://h/#\U000f0000", "rfc3987/iprivate"},
		{"http://h/\u202e", "rfc3987/bidi"},
		{"http://h/?\u200e", "rfc3987/bidi"},
		{"http://h:é/", "rfc3987/ucschar"},
	} {
		i := strings.IndexFunc(tt.in, func(r rune) bool { return r >= 0x80 })
		if tt.in == "http://h:é/" { // a port takes digits only, whatever follows
			_, err := rfc3986.ParseIRI(tt.in)
			checkError(t, tt.in, err, i, "rfc3986/port")
			continue
		}
		_, err := rfc3986.ParseIRI(tt.in)
		checkError(t, tt.in, err, i, tt.rule)
	}
}

func TestToURI(t *testing.T) {
	for _, tt := range []struct{ iri, uri string }{
		// RFC 3987, section 3.1
		{"http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org"},
		{"http://example.com/\U00010300\U00010301\U00010302", "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82"},
		{"http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red"},
		{"http://h/a%20[", ""},
		{"?é", "?%C3%A9"},
		{"http://h/", "http://h/"},
	} {
		iri, err := rfc3986.ParseIRIReference(tt.iri)
		if (err == nil) != (tt.uri != "") {
			t.Errorf("%q: %v", tt.iri, err)
		}
		if err != nil {
			continue
		}
		if got, err := rfc3986.ToURI(iri); err != nil || got != ref(t, tt.uri) {
			t.Errorf("%q: %q, %v, want %q", tt.iri, got, err, tt.uri)
		}
	}
}

func TestToIRI(t *testing.T) {
	for _, tt := range []struct{ uri, iri string }{
		// RFC 3987, section 3.2.1, the four examples
		{"http://www.example.org/D%C3%BCrst", "http://www.example.org/Dürst"},
		{"http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"},
		{"http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%e2%80%ae"},
		// what is reserved or US-ASCII stays escaped
		{"http://h/%2F%41%25%C3%A9%20", "http://h/%2F%41%25é%20"},
		// private-use characters in the query alone
		{"http://h/%EE%80%80?%EE%80%80#%EE%80%80", "http://h/%EE%80%80?\ue000#%EE%80%80"},
		// an escape of a lone trail octet, and one cut off
		{"http://h/%A9%C3", "http://h/%A9%C3"},
		{"http://h/%F0%90%8C%80%C3%A9", "http://h/\U00010300é"},
	} {
		got, err := rfc3986.ToIRI(ref(t, tt.uri))
		if err != nil || got.String() != tt.iri || !got.IsIRI() {
			t.Errorf("%q: %q, %v, want %q", tt.uri, got, err, tt.iri)
		}
	}
}
