package tftp

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("tftp://boot.example/pxelinux.cfg/default;mode=netascii"))
	fmt.Println(r.Addr(), r.File, r.Mode, err)
	// Output:
	// boot.example:69 pxelinux.cfg/default netascii <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"tftp://example.com/myconfigurationfile;mode=netascii", `{"host":"example.com","port":69,"file":"myconfigurationfile","mode":"netascii"}`}, // RFC 3617, section 4
		{"tftp://h/a;MODE=Octet", `{"host":"h","port":69,"file":"a","mode":"octet"}`},
		{"tftp://h:6900/boot/a%20b%3Bc", `{"host":"h","port":6900,"file":"boot/a b;c"}`},
		{"tftp://[::1]//boot/x", `{"host":"[::1]","port":69,"file":"/boot/x"}`},
		{"tftp://0x7f.1/x", `{"host":"127.0.0.1","port":69,"file":"x"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"tftp://h/", BadFile.ID, ""},
		{"tftp://h", BadFile.ID, ""},
		{"tftp://h/;mode=octet", BadFile.ID, ";mode"},
		{"tftp://h/a%00octet", BadFile.ID, "%00"},
		{"tftp://h/" + strings.Repeat("x", 401), BadFile.ID, "xxx"},
		{"tftp://h/a;mode=mail", BadMode.ID, "mode=mail"},
		{"tftp://h/a;type=i", BadMode.ID, "type=i"},
		{"tftp://h/a;mode=octet;x", BadMode.ID, "mode"},
		{"tftp://u@h/a", scheme.NoUserinfo.ID, "u@"},
		{"tftp://h/a?b", scheme.NoQuery.ID, "?b"},
		{"tftp:/a", scheme.HostMissing.ID, "/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "tftp://h//a/b;mode=octet", "tftp://h/%2e%2e%2f;mode=", "tftp://h/a%3bb")
}
