package spartan

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("spartan://capsule.example/guestbook?hello%20there"))
	fmt.Printf("%s %d\n%s %v\n", r.Path, len(r.Data), r.Data, err)
	// Output:
	// /guestbook 11
	// hello there <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"spartan://h", `{"host":"h","port":300,"path":"/"}`},
		{"spartan://H:1/a%20b?c%0D%0Ad", `{"host":"h","port":1,"path":"/a%20b","data":"c\r\nd","hasData":true}`}, // sent by its length
		{"spartan://h/?", `{"host":"h","port":300,"path":"/","hasData":true}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"spartan://u@h/", scheme.NoUserinfo.ID, "u@h"},
		{"spartan:/x", scheme.HostMissing.ID, "/x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "spartan://h:1/a?b%26", "spartan://h?", "spartan://h//..")
}
