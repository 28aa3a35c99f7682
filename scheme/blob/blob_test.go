package blob

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("blob:https://a.example/9115d58c-bcda-ff47-86e5-083e9a215304"))
	fmt.Println(r.Origin, r.ID, err)
	// Output:
	// https://a.example 9115d58c-bcda-ff47-86e5-083e9a215304 <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"blob:https://A.example:443/x", `{"origin":"https://a.example","id":"x"}`},
		{"blob:http://a.example:8080/x/y?z#f", `{"origin":"http://a.example:8080","id":"x/y?z"}`},
		{"blob:null/x", `{"origin":"null","id":"x"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"blob:tulips", Form.ID, "tulips"},
		{"blob:https://a.example/", Form.ID, "https"},
		{"blob:https://u@a.example/x", Form.ID, "https"},
		{"blob:data:,x", Form.ID, "data"},
		{"blob:null/", Form.ID, "null"},
		{"blob://h/x", Form.ID, "h/x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "blob:http://[::1]:1/a?b", "blob:null/..", "blob:blob:http://h/x", "blob:file:///x", "blob:http://h/ ")
}
