package afs

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("afs://grand.central.org/doc/afs/README"))
	fmt.Println("/afs/"+r.Path(), err)
	// Output:
	// /afs/grand.central.org/doc/afs/README <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"afs://CS.example/doc/read%20me", `{"cell":"cs.example","parts":["doc","read me"]}`},
		{"afs://cs.example/doc/", `{"cell":"cs.example","parts":["doc"],"dir":true}`},
		{"afs://cs.example", `{"cell":"cs.example","dir":true}`},
		{"afs://cs.example//a//b", `{"cell":"cs.example","parts":["a","b"]}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"afs://cs.example/a%2F..%2Fb", Name.ID, "%2F..%2Fb"},
		{"afs://cs.example/a%00", Name.ID, "%00"},
		{"afs://.cs.example/a", Cell.ID, ".cs"},
		{"afs://cs..example/a", Cell.ID, "cs.."},
		{"afs://..%2F/a", Cell.ID, ".."},
		{"afs://[::1]/a", Cell.ID, "[::1]"},
		{"afs://" + strings.Repeat("a.", 127) + "aa/", Cell.ID, "a.a."},
		{"afs://cs.example:80/x", scheme.NoPort.ID, ":80"},
		{"afs://u@cs.example/x", scheme.NoUserinfo.ID, "u@"},
		{"afs://cs.example/x?y", scheme.NoQuery.ID, "?y"},
		{"afs:/x", scheme.HostMissing.ID, "/x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "afs://C/a//b/", "afs://c.d/..%2f", "afs://c", "afs://%41/a")
}
