package nfs

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("nfs://files.example//srv/docs/a%20b.txt"))
	fmt.Println(r.Addr(), r.Path(), err)
	// Output:
	// files.example:2049 /srv/docs/a b.txt <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"nfs://h", `{"host":"h","port":2049,"dir":true}`},
		{"nfs://h/", `{"host":"h","port":2049,"dir":true}`},
		{"nfs://h//", `{"host":"h","port":2049,"absolute":true,"dir":true}`},
		{"nfs://h/a/b", `{"host":"h","port":2049,"parts":["a","b"]}`},
		{"nfs://h:20490//a/b/", `{"host":"h","port":20490,"absolute":true,"parts":["a","b"],"dir":true}`}, // RFC 2224: a second slash
		{"nfs://h/a//b", `{"host":"h","port":2049,"parts":["a","b"]}`},
		{"nfs://h/a%2Fb", `{"host":"h","port":2049,"parts":["a/b"]}`},
		{"nfs://[::1]/caf%C3%A9", `{"host":"[::1]","port":2049,"parts":["café"]}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"nfs://h/a%00", Name.ID, "%00"},
		{"nfs://h/a/" + strings.Repeat("x", 256), Name.ID, "xxx"},
		{"nfs://h/export?version=4", scheme.NoQuery.ID, "?version"},
		{"nfs://u@h/a", scheme.NoUserinfo.ID, "u@h"},
		{"nfs:/a", scheme.HostMissing.ID, "/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func TestPath(t *testing.T) {
	for s, want := range map[string]string{"nfs://h": ".", "nfs://h//": "/", "nfs://h/a/b/": "a/b", "nfs://h//a": "/a"} {
		if r, err := Read(anyurl.MustParse(s)); err != nil || r.Path() != want {
			t.Errorf("%s: %q, %v", s, r.Path(), err)
		}
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "nfs://h//a//", "nfs://h:1/..%2fa", "nfs://h/%2e%2e%2f/")
}
