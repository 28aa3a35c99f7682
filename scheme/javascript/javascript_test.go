package javascript

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("javascript:alert(%22tulips%22)"))
	fmt.Println(r.Code, err)
	// Output:
	// alert("tulips") <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"javascript:a?b:c#d", `{"code":"a?b:c#d"}`}, // HTML: no part of it is left out
		{"javascript://x%0Aalert(1)", `{"code":"//x\nalert(1)"}`},
		{"javascript:/a/.test(b)//../c", `{"code":"/a/.test(b)/c"}`}, // the URL Standard has read "/a" as a path
		{"javascript:x/../y", `{"code":"x/../y"}`},
		{"javascript:", `{"code":""}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "javascript://a/b?c#d", "javascript:/..//x", "javascript: a ", "javascript:%2F%2Fa")
}
