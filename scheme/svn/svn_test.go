package svn

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("svn://svn.example/garden/trunk"))
	fmt.Println(r.Addr(), r.Path, err)
	// Output:
	// svn.example:3690 /garden/trunk <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"svn://h", `{"host":"h","port":3690,"path":"/"}`},
		{"svn://u:p@H:1/a%20b?c", `{"host":"h","port":1,"user":"u","password":"p","hasUser":true,"path":"/a b?c"}`},
		{"svn+ssh://joe@h/a", `{"ssh":true,"host":"h","port":22,"user":"joe","hasUser":true,"path":"/a"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"svn+ssh://-oProxyCommand=x/a", Option.ID, "-o"},
		{"svn://-x@h/a", Option.ID, "-x"},
		{"svn://u%0D@h/a", scheme.Control.ID, "%0D"},
		{"svn://h/a%00", scheme.Control.ID, "%00"},
		{"svn:h/a", scheme.HostMissing.ID, "h/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "svn://u:p@h:1/a/..%2Fb", "svn+ssh://h?a", "svn://h/..%2f")
}
