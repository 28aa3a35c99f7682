package ldap

import (
	"strings"
	"testing"

	"anyurl/internal/ber"
)

// TestFilters reads filters: RFC 4515, section 4, and the value that RFC 4511,
// section 4.5.1.7, makes of each.
func TestFilters(t *testing.T) {
	for _, tt := range []struct{ filter, want string }{
		{"(cn=Babs Jensen)", "\xa3\x11\x04\x02cn\x04\x0bBabs Jensen"},
		{"(!(cn=Tim Howes))", "\xa2\x11\xa3\x0f\x04\x02cn\x04\x09Tim Howes"},
		{"(&(objectClass=Person)(|(sn=Jensen)(cn=Babs J*)))", "\xa0\x37\xa3\x15\x04\x0bobjectClass\x04\x06Person\xa1\x1e\xa3\x0c\x04\x02sn\x04\x06Jensen\xa4\x0e\x04\x02cn\x30\x08\x80\x06Babs J"},
		{"(o=univ*of*mich*)", "\xa4\x15\x04\x01o\x30\x10\x80\x04univ\x81\x02of\x81\x04mich"},
		{"(seeAlso=)", "\xa3\x0b\x04\x07seeAlso\x04\x00"},
		{"(objectClass=*)", "\x87\x0bobjectClass"},
		{"(&)", "\xa0\x00"}, // RFC 4526
		{"(|)", "\xa1\x00"},
		{"(a>=1)", "\xa5\x06\x04\x01a\x04\x011"},
		{"(a<=1)", "\xa6\x06\x04\x01a\x04\x011"},
		{"(a~=1)", "\xa8\x06\x04\x01a\x04\x011"},
		{"(a=*x)", "\xa4\x08\x04\x01a\x30\x03\x82\x01x"},
		{"(cn:caseExactMatch:=Fred)", "\xa9\x1a\x81\x0ecaseExactMatch\x82\x02cn\x83\x04Fred"},
		{"(cn:=Betty)", "\xa9\x0b\x82\x02cn\x83\x05Betty"},
		{"(sn:dn:2.4.6.8.10:=B)", "\xa9\x16\x81\x0a2.4.6.8.10\x82\x02sn\x83\x01B\x84\x01\xff"},
		{"(o:dn:=A)", "\xa9\x09\x82\x01o\x83\x01A\x84\x01\xff"},
		{"(:1.2.3:=W)", "\xa9\x0a\x81\x051.2.3\x83\x01W"},
		{"(:DN:2.4:=D)", "\xa9\x0b\x81\x032.4\x83\x01D\x84\x01\xff"},
		{`(o=Parens R Us \28for all\29)`, "\xa3\x1a\x04\x01o\x04\x15Parens R Us (for all)"},
		{`(cn=*\2A*)`, "\xa4\x09\x04\x02cn\x30\x03\x81\x01*"},
		{`(bin=\00\00\00\04)`, "\xa3\x0b\x04\x03bin\x04\x04\x00\x00\x00\x04"},
		{`(sn=Lu\c4\8di\c4\87)`, "\xa3\x0d\x04\x02sn\x04\x07Lučić"},
	} {
		v, err := readFilter(tt.filter)
		if err != nil {
			t.Errorf("%s: %v", tt.filter, err)
			continue
		}
		if got := string(v.Append(nil)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.filter, got, tt.want)
		}
	}
	for _, tt := range []struct {
		filter string
		at     int
	}{
		{"", 0}, {"cn=a", 0}, {"(cn=a", 5}, {"(cn=a))", 6}, {"(cn)", 3}, {"(=a)", 1}, {"(c n=a)", 1}, {"(cn=a(b)", 5}, {`(cn=a\2)`, 5}, {`(cn=\zz)`, 4},
		{"(a>1)", 3}, {"(a>=*)", 4}, {"(a=**)", 5}, {"(!)", 2}, {"(&(a=b)", 7}, {"(:=x)", 1}, {"(a:b:c:=x)", 2}, {"(a:dn=x)", 2},
		{strings.Repeat("(!", 60) + "(a=b)" + strings.Repeat(")", 60), 102},
	} {
		_, err := readFilter(tt.filter)
		e, ok := err.(*filterError)
		if !ok || e.at != tt.at {
			t.Errorf("%s: %v; want octet %d", tt.filter, err, tt.at)
		}
	}
}

// FuzzFilter: what is read is a value that can be sent, and an error has a place.
func FuzzFilter(f *testing.F) {
	for _, s := range []string{"(cn=a*b)", "(&(a=b)(!(c>=d)))", `(a:dn:1.2:=\28)`, "(|)", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := readFilter(s)
		if e, ok := err.(*filterError); ok {
			if e.at < 0 || e.at > len(s) {
				t.Fatalf("%q: octet %d", s, e.at)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if _, err := ber.Parse(v.Append(nil), ber.Limits{Depth: 200}); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
	})
}

// FuzzEntry: whatever a server says an entry is, its LDIF has the lines that its
// values make, and no other.
func FuzzEntry(f *testing.F) {
	f.Add("cn=a", "cn", "a")
	f.Add("cn=é", "jpegPhoto;binary", "\xff\x00\n")
	f.Add("cn=a\ndn: x", "a", " x\r\n# y")
	f.Fuzz(func(t *testing.T, dn, name, value string) {
		op := ber.Of(ber.Application, opSearchEntry, octets(dn), ber.Of(ber.Universal, ber.TagSequence,
			ber.Of(ber.Universal, ber.TagSequence, octets(name), ber.Of(ber.Universal, ber.TagSet, octets(value)))))
		e, err := readEntry(op)
		if err != nil {
			return
		}
		var lines []string
		for line := range strings.Lines(string(appendLDIF(nil, e))) {
			if !strings.HasPrefix(line, "# ") {
				lines = append(lines, line)
			}
		}
		if len(lines) != 3 || lines[0] != "\n" || !strings.HasPrefix(lines[1], "dn:") || !strings.HasPrefix(lines[2], name+":") {
			t.Errorf("%q", lines)
		}
	})
}
