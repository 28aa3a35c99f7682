package git

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("git://git.example/tulips/garden.git"))
	fmt.Println(r.Addr(), r.Path, err)
	// Output:
	// git.example:9418 /tulips/garden.git <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"git://H/a.git", `{"host":"h","port":9418,"path":"/a.git"}`},
		{"git://h:1/~joe/a%20b?c", `{"host":"h","port":1,"path":"/~joe/a b?c"}`},
		{"git://h/a/", `{"host":"h","port":9418,"path":"/a/"}`},
		{"git://h//a", `{"host":"h","port":9418,"path":"//a"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"git://h/", Repository.ID, "/"},
		{"git://h", Repository.ID, ""},
		{"git://h?x", Repository.ID, "?x"},
		{"git://h/a%00host=b", ControlOctet.ID, "%00host"},
		{"git://h/a%0Ab", ControlOctet.ID, "%0Ab"},
		{"git://-x/a", Option.ID, "-x"},
		{"git://u@h/a", scheme.NoUserinfo.ID, "u@h"},
		{"git:h/a", scheme.HostMissing.ID, "h/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "git://h:1/a/..%2Fb", "git://h/?", "git://h/.%2F")
}
