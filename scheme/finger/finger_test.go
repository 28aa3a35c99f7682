package finger

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("finger://host.example/joe"))
	fmt.Println(r.Addr(), r.Query, err)
	// Output:
	// host.example:79 joe <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"finger://h", `{"host":"h","port":79,"query":""}`},
		{"finger://H:7979/joe", `{"host":"h","port":7979,"query":"joe"}`},
		{"finger://joe@h", `{"host":"h","port":79,"query":"joe"}`},
		{"finger://h/joe@other.example", `{"host":"h","port":79,"query":"joe@other.example"}`}, // RFC 1288, 2.3: {Q2}
		{"finger://h//W%20joe", `{"host":"h","port":79,"query":"/W joe"}`},
		{"finger://h/a?b", `{"host":"h","port":79,"query":"a?b"}`},
		{"finger://..@h", `{"host":"h","port":79,"query":".."}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"finger://h/joe%0D%0A", ControlOctet.ID, "%0D%0A"},
		{"finger://joe%00@h", ControlOctet.ID, "%00"},
		{"finger://joe@h/ann", Twice.ID, "joe"},
		{"finger://joe:x@h/", Twice.ID, "joe"},
		{"finger:joe", scheme.HostMissing.ID, "joe"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "finger://h:1/a/../b", "finger://%2e@h", "finger://h/%2F..", "finger://h?")
}
