package wais

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("wais://wais.example/garden?tulips+holland"))
	fmt.Printf("%s %q %q %v\n", r.Addr(), r.Database, r.Search, err)
	// Output:
	// wais.example:210 "garden" "tulips holland" <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"wais://h/garden", `{"host":"h","port":210,"database":"garden"}`},
		{"wais://h:2100/", `{"host":"h","port":2100,"database":""}`}, // the directory of databases
		{"wais://h", `{"host":"h","port":210,"database":""}`},
		{"wais://h/%2Fsrv%2Fdb", `{"host":"h","port":210,"database":"/srv/db"}`}, // a "/" of the name is encoded
		{"wais://h/garden?tulips+holland", `{"host":"h","port":210,"database":"garden","search":"tulips holland","hasSearch":true}`},
		{"wais://h/garden?a%2Bb", `{"host":"h","port":210,"database":"garden","search":"a+b","hasSearch":true}`},
		{"wais://h/garden?", `{"host":"h","port":210,"database":"garden","hasSearch":true}`},
		// RFC 1738: the identifier's octets, here tag 1, length 1, "a" and tag 3, length 2, "b;"
		{"wais://h/g/TEXT/%01%01a%03%02b%3B", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"%01%01a%03%02b%3B"}`},
		{"wais://h/g/TEXT/1=a;3=b%3B;", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"%01%01a%03%02b%3B"}`},                                 // RFC 1630's spelling of it
		{"wais://h/g/TEXT/74/1=a;3=b%3B;", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"%01%01a%03%02b%3B","length":74,"hasLength":true}`}, // the browsers'
		{"wais://h/g/TEXT,HTML/a/b", `{"host":"h","port":210,"database":"g","type":"TEXT,HTML","doc":"a%2Fb"}`},
		{"wais://h/g/TEXT/74/x", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"74%2Fx"}`},
		{"wais://h/g/TEXT/1=a", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"1%3Da"}`}, // no ";": octets
		{"wais://h/g/TEXT/1%3Da;", `{"host":"h","port":210,"database":"g","type":"TEXT","doc":"1%3Da%3B"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"wais://h/garden/TEXT", Document.ID, ""},
		{"wais://h/garden/TEXT/", Document.ID, ""},
		{"wais://h/garden//x", Document.ID, "/x"},
		{"wais://h/garden/TEXT/x?y", DocumentSearch.ID, "?y"},
		{"wais://h/gar%0Aden", scheme.Control.ID, "%0Aden"},
		{"wais://h/garden?a%00", scheme.Control.ID, "%00"},
		{"wais://h/garden/T%1F/x", scheme.Control.ID, "%1F"},
		{"wais://u@h/garden", scheme.NoUserinfo.ID, "u@h"},
		{"wais:///garden", scheme.HostMissing.ID, "/garden"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func TestRead1738(t *testing.T) {
	r, err := Read1738(anyurl.MustParse("wais://h/garden?a+b%20c"))
	if err != nil || r.Search != "a+b c" {
		t.Errorf("%q, %v", r.Search, err)
	}
}

func TestTagged(t *testing.T) {
	long := ""
	for range 243 {
		long += "x"
	}
	for _, tt := range []struct{ path, octets string }{
		{"1=a;", "\x01\x01a"},
		{"1=" + long + ";", "\x01\x81\x73" + long}, // 243 is 81 73
		{"3=0%2074;", "\x03\x040 74"},
		{"255=;", "\xff\x00"},
	} {
		doc, ok := components(tt.path)
		if !ok || string(doc) != tt.octets {
			t.Errorf("%s is %q, %v", tt.path, doc, ok)
		}
		if got := (Ref{Doc: doc}).Tagged(); got != tt.path {
			t.Errorf("%q is written as %q", doc, got)
		}
	}
	for _, bad := range []string{"", "1", "1=", "=a;", "0=a;", "256=a;", "a=b;", "+1=a;", "1=a;x"} {
		if doc, ok := components(bad); ok {
			t.Errorf("%q is %q", bad, doc)
		}
	}
	for _, bad := range []string{"\x01", "\x01\x80", "\x01\x05a", "\x00\x00", "\x01\xff\xff\xff\xff\xff\xff\x7f"} {
		if s, ok := DocID(bad).tagged(); ok {
			t.Errorf("%q is %q", bad, s)
		}
	}
	if got := (Ref{Type: "TEXT,HTML"}).Types(); len(got) != 2 || got[1] != "HTML" {
		t.Errorf("%q", got)
	}
	if got := (Ref{}).Types(); got != nil {
		t.Errorf("%q", got)
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "wais://h:1/g?a+%2B%20b", "wais://h/g/T/12/1=a;2=;", "wais://h/g/T/%01%01", "wais://h/g/T/..%2F", "wais://h/g/T/007/1=a;")
}
