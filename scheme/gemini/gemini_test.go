package gemini

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("gemini://Capsule.example?tulips#top"))
	fmt.Println(r.Addr(), r.Request(), err)
	// Output:
	// capsule.example:1965 gemini://capsule.example/?tulips <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"gemini://h", `{"host":"h","port":1965,"path":"/"}`},
		{"gemini://H:1966/a%20b?c%0Ad#e", `{"host":"h","port":1966,"path":"/a%20b","query":"c%0Ad","hasQuery":true}`},
		{"gemini://h/?", `{"host":"h","port":1965,"path":"/","hasQuery":true}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"gemini://h/" + strings.Repeat("x", 1014), Length.ID, "x"},
		{"gemini://u@h/", scheme.NoUserinfo.ID, "u@h"}, // the specification, "URI scheme"
		{"gemini:/x", scheme.HostMissing.ID, "/x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
	if _, err := Read(anyurl.MustParse("gemini://h/" + strings.Repeat("x", 1013))); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "gemini://h:1/a?b", "gemini://[::1]?", "gemini://h//..")
}
