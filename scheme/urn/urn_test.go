package urn

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("URN:ISBN:0451450523#p3"))
	fmt.Println(r.NID, r.NSS, r.Name(), err)
	// Output:
	// isbn 0451450523 urn:isbn:0451450523 <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"urn:example:a123,z456", `{"nid":"example","nss":"a123,z456"}`}, // RFC 8141, section 3.2
		{"URN:EXAMPLE:a%2cb", `{"nid":"example","nss":"a%2Cb"}`},         // ibid.: the NID and escapes have no case
		{"urn:example:1/406/47452/2", `{"nid":"example","nss":"1/406/47452/2"}`},
		{"urn:example:foo-bar-baz-qux?+CCResolve:cc=uk", `{"nid":"example","nss":"foo-bar-baz-qux","r":"CCResolve:cc=uk"}`}, // section 2.3.1
		{"urn:example:weather?=op=map&lat=39.56", `{"nid":"example","nss":"weather","q":"op=map\u0026lat=39.56"}`},          // section 2.3.2
		{"urn:example:a?+b?=c#d", `{"nid":"example","nss":"a","r":"b","q":"c","f":"d","hasFragment":true}`},
		{"urn:example:a?=b?+c", `{"nid":"example","nss":"a","q":"b?+c"}`},
		{"urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", `{"nid":"uuid","nss":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"urn:a:b", NID.ID, "a:b"}, // two octets at least
		{"urn:-isbn:0", NID.ID, "-isbn"},
		{"urn:isbn-:0", NID.ID, "isbn-"},
		{"urn:is_bn:0", NID.ID, "is_bn"},
		{"urn:isbn", NID.ID, "isbn"},
		{"urn:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:b", NID.ID, "aaa"}, // 33
		{"urn:isbn:", NSS.ID, ""},
		{"urn:isbn:/x", NSS.ID, "/x"},
		{"urn:example:a?b", Component.ID, "b"},
		{"urn:example:a?", Component.ID, ""},
		{"urn:example:a?+", Component.ID, ""},
		{"urn:example:a?+b?=", Component.ID, "="},
		{"urn:example:a?=/b", Component.ID, "=/b"},
		{"urn://isbn:1/", scheme.NoAuthority.ID, "//isbn"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "urn:ab:c?+d?=e#f", "urn:AB:%af", "urn:ab:c?=d?=e", "urn:a-b:c#")
}
