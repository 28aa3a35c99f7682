package z3950

import (
	"bytes"
	"strings"
	"testing"

	"anyurl/internal/ber"
)

// A record of ISO 2709 as the Library of Congress's samples have it: control
// fields, indicators, subfields, an octet that is no UTF-8, a control octet.
const sample = "00162nam  2200073 a 4500" +
	"001000900000" + "008000500009" + "100001700014" + "245003600031" + "\x1e" +
	"11224466\x1e" + "9107\x1e" + "10\x1faJack Collins\x1e" + "10\x1faHow to\x1fbprogram \xe1e\x1b[2J /\x1fcJ. C.\x1e" + "\x1d"

func TestParseMARC(t *testing.T) {
	m, err := ParseMARC([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Field("245", "a"); got != "How to" {
		t.Errorf("245 $a is %q", got)
	}
	if m.Field("001", "") != "11224466" || m.Field("100", "") != "Jack Collins" || m.Field("999", "") != "" {
		t.Errorf("%+v", m)
	}
	lines := strings.Split(m.String(), "\n")
	if len(lines) != 6 || lines[1] != "001 11224466" || lines[3] != "100 10 $a Jack Collins" || strings.ContainsRune(m.String(), 0x1b) || !strings.HasPrefix(lines[4], "245 10 $a How to $b program ") {
		t.Errorf("%q", lines)
	}
	r := Record{Syntax: syntaxMARC21, Octets: []byte(sample)}
	if r.ID() != "11224466" || !strings.HasPrefix(r.Title(), "How to program") || strings.HasSuffix(r.Title(), "/") {
		t.Errorf("%q %q", r.ID(), r.Title())
	}
}

func TestParseMARCRefuses(t *testing.T) {
	for _, bad := range []string{
		"",
		sample[:20],
		sample[:24],
		strings.Replace(sample, "00073", "99999", 1), // fields behind the end
		strings.Replace(sample, "00073", "00003", 1), // fields within the leader
		strings.Replace(sample, "00073", "abcde", 1),
		strings.Replace(sample, "0036", "9999", 1), // a field longer than the record
		strings.Replace(sample, "00031", "99999", 1),
		strings.Replace(sample, "245003600031", "245-03600031", 1),
		strings.Replace(sample, "4500", "0000", 1), // a directory of nothing
	} {
		if m, err := ParseMARC([]byte(bad)); err == nil {
			t.Errorf("%q is read as %+v", bad, m)
		}
	}
	// What is no MARC is shown as it came.
	if text, typ := (Record{Syntax: syntaxMARC21, Octets: []byte("nothing")}).Readable(); string(text) != "nothing" || typ != "application/marc" {
		t.Errorf("%q %q", text, typ)
	}
}

func element1(typ, tag int64, content ber.Value) ber.Value {
	return ber.Of(ber.Universal, ber.TagSequence,
		ber.Int(ber.Context, 1, typ), ber.Of(ber.Context, 2, ber.Int(ber.Context, 2, tag)), ber.Of(ber.Context, 4, content))
}

func TestGRS(t *testing.T) {
	v := ber.Of(ber.Universal, ber.TagSequence,
		element1(1, 14, ber.String(ber.Universal, ber.TagOctetString, "n-7")),
		element1(2, 1, ber.String(ber.Universal, ber.TagGeneralString, "Tulips\nof Holland")),
		element1(4, 52, ber.Of(ber.Context, 6, element1(2, 2, ber.Int(ber.Universal, ber.TagInteger, 42)), element1(2, 3, ber.Bool(ber.Universal, ber.TagBoolean, true)))),
		element1(2, 9, ber.Value{Class: ber.Context, Tag: 2}),
		ber.Of(ber.Universal, ber.TagSequence, ber.Of(ber.Context, 2, ber.String(ber.Context, 1, "note")), ber.Of(ber.Context, 4, ber.OID(ber.Universal, ber.TagOID, "1.2.3"))),
		ber.Of(ber.Universal, ber.TagSequence),
	)
	r := Record{Syntax: syntaxGRS1, Value: &v}
	text, typ := r.Readable()
	lines := strings.Split(string(text), "\n")
	want := []string{"(1,14) n-7", "(2,1) Tulips", "(4,52)", "  (2,2) 42", "  (2,3) true", "(2,9) (nothing)", "(,note) 1.2.3", "(,)", ""}
	if len(lines) != len(want) || typ != "text/plain" {
		t.Fatalf("%q %q", lines, typ)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d: %q, want %q", i+1, lines[i], want[i])
		}
	}
	if r.ID() != "n-7" || !strings.HasPrefix(r.Title(), "Tulips") {
		t.Errorf("%q %q", r.ID(), r.Title())
	}
}

func TestOPAC(t *testing.T) {
	v := ber.Of(ber.Universal, ber.TagSequence,
		ber.Of(ber.Context, 1, ber.OID(ber.Universal, ber.TagOID, syntaxMARC21), ber.String(ber.Context, 1, sample)),
		ber.Int(ber.Context, 2, 1),
		ber.Of(ber.Context, 3, ber.String(ber.Context, 9, "MLCM 89")))
	r := Record{Syntax: syntaxOPAC, Value: &v}
	text, _ := r.Readable()
	if !bytes.Contains(text, []byte("100 10 $a Jack Collins\n")) || !bytes.Contains(text, []byte("[9] MLCM 89\n")) || r.ID() != "11224466" {
		t.Errorf("%s %q", text, r.ID())
	}
}

func TestXMLNames(t *testing.T) {
	for _, tt := range []struct{ xml, title, id string }{
		{`<record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001"> 7 </controlfield><datafield tag="245"><subfield code="a">A &amp; B /</subfield></datafield></record>`, "A & B", "7"},
		{`<dc><title>One</title><title>Two</title><identifier>u:1</identifier></dc>`, "One", "u:1"},
		{`<doc><id>bk</id><text>no title</text></doc>`, "", "bk"},
		{`<title>never closed`, "", ""},
		{`no xml`, "", ""},
		{`<?xml version="1.0" encoding="x-unknown"?><a><title>T</title></a>`, "T", ""},
	} {
		r := Record{Syntax: syntaxXML, Octets: []byte(tt.xml)}
		if r.Title() != tt.title || r.ID() != tt.id {
			t.Errorf("%s: %q %q", tt.xml, r.Title(), r.ID())
		}
		if text, typ := r.Readable(); string(text) != tt.xml || typ != "text/xml" {
			t.Errorf("%q %q", text, typ)
		}
	}
}

func TestSyntaxes(t *testing.T) {
	for name, want := range map[string]string{
		"marc": syntaxMARC21, "USMARC": syntaxMARC21, "sutrs": syntaxSUTRS, "xml": syntaxXML, "grs-1": syntaxGRS1,
		"1.2.840.10003.5.1": arc + "5.1", "nonsense": "", "": "",
	} {
		if got := syntaxOID(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for oid, want := range map[string]string{syntaxMARC21: "marc", syntaxGRS1: "grs-1", syntaxXML: "xml", "1.2.3": "1.2.3"} {
		if got := syntaxName(oid); got != want {
			t.Errorf("%s is %q", oid, got)
		}
	}
	for tail, want := range map[string]string{"1": "application/marc", "10": "application/marc", "109.3": "text/html", "109.10": "text/xml", "101": "text/plain", "9.9": "application/octet-stream"} {
		if got := mediaType(arc + "5." + tail); got != want {
			t.Errorf("%s is %q", tail, got)
		}
	}
}

// FuzzMARC holds that nothing in a record adds a line to its text or a control
// to a line, and that nothing comes out of it that was not in it.
func FuzzMARC(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(sample[:60]))
	f.Add([]byte(strings.Replace(sample, "2200073", "9900073", 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseMARC(b)
		if err != nil {
			return
		}
		text := m.String()
		if n := strings.Count(text, "\n"); n != len(m.Fields)+1 {
			t.Errorf("%d lines for %d fields", n, len(m.Fields))
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Errorf("a control in %q", text)
		}
		for _, f := range m.Fields {
			for _, s := range f.Subfields {
				if !bytes.Contains(b, []byte(s.Code+s.Data)) {
					t.Errorf("%q was not there", s.Code+s.Data)
				}
			}
		}
	})
}

// FuzzResponse holds that whatever BER a server sends is read without a panic
// and shown without a control in a line of ours.
func FuzzResponse(f *testing.F) {
	rec := ber.Of(ber.Universal, ber.TagSequence, ber.String(ber.Context, 0, "db"), ber.Of(ber.Context, 1, ber.Of(ber.Context, 1,
		ber.Of(ber.Universal, ber.TagExternal, ber.OID(ber.Universal, ber.TagOID, syntaxGRS1), ber.Of(ber.Context, 0, ber.Of(ber.Universal, ber.TagSequence, element1(2, 1, ber.String(ber.Universal, ber.TagGeneralString, "x"))))))))
	f.Add(ber.Of(ber.Context, 25, ber.Of(ber.Context, 28, rec)).Append(nil))
	f.Add(ber.Of(ber.Context, 25, ber.Of(ber.Context, 130, ber.Int(ber.Universal, ber.TagInteger, 13))).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ber.Parse(b, ber.Limits{})
		if err != nil {
			return
		}
		list, d := records(v)
		if d != nil && d.Error() == "" {
			t.Error("a diagnostic says nothing")
		}
		for _, r := range list {
			r.Title()
			r.ID()
			text, _ := r.Readable()
			if r.Value != nil && bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\n' }) {
				t.Errorf("a control in %q", text)
			}
		}
	})
}
