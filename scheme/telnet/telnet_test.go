package telnet

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("telnet://guest@library.example/"))
	fmt.Println(r.Addr(), r.User, err)
	// Output:
	// library.example:23 guest <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"telnet://h", `{"scheme":"telnet","host":"h","port":23}`},
		{"telnet://h/", `{"scheme":"telnet","host":"h","port":23}`}, // RFC 4248: the final "/" may be left out
		{"telnet://guest@h:2323/", `{"scheme":"telnet","host":"h","port":2323,"user":"guest","hasUser":true}`},
		{"telnet://a%40b:c%3Ad@h", `{"scheme":"telnet","host":"h","port":23,"user":"a@b","password":"c:d","hasUser":true}`},
		{"tn3270://[::1]", `{"scheme":"tn3270","host":"[::1]","port":23}`}, // RFC 6270: the default is Telnet's
		{"rlogin://u@h", `{"scheme":"rlogin","host":"h","port":513,"user":"u","hasUser":true}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"telnet://h/path", NoPath.ID, "path"},
		{"telnet://h/?q", NoPath.ID, "?q"},
		{"telnet://h?q", NoPath.ID, "?q"},
		{"telnet://u%0D%0A:p@h/", scheme.Control.ID, "%0D%0A"},
		{"telnet://u:%FF%F4@h/", scheme.Control.ID, "%FF"}, // RFC 854: IAC
		{"telnet:h", scheme.HostMissing.ID, "h"},           // no URL of either document
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "telnet://u:p@h:1/", "rlogin://@h", "tn3270://h/%2F")
}
