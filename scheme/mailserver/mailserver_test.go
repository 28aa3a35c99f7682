package mailserver

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("mailserver:listserv@a.example//get%20faq"))
	fmt.Printf("%s %q %q %v\n", r.To, r.Subject, r.Body, err)
	// Output:
	// listserv@a.example "" "get faq" <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"mailserver:infobot@a.example/current-issue/", `{"to":"infobot@a.example","subject":"current-issue","body":""}`}, // the drafts' own
		{"mailserver:list@a.example//send%20issue", `{"to":"list@a.example","subject":"","body":"send issue"}`},           // ibid.
		{"mailserver:l@a.example//get%20file%0D%0Aend", `{"to":"l@a.example","subject":"","body":"get file\r\nend"}`},
		{"mailserver:l@a.example", `{"to":"l@a.example","subject":"","body":""}`},
		{"mailserver:l@a.example/s", `{"to":"l@a.example","subject":"s","body":""}`},
		{"mailserver:a%2Fb@a.example/s%2Ft/a/b%2Fc?d", `{"to":"a/b@a.example","subject":"s/t","body":"a/b/c?d"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"mailserver:listserv/x/y", Address.ID, "listserv"},
		{"mailserver:", Address.ID, ""},
		{"mailserver:a@x%0A/s/b", ControlOctet.ID, "%0A/s"},
		{"mailserver:a@x/s%0D%0ABcc:b@y/b", ControlOctet.ID, "%0D%0ABcc"},
		{"mailserver:a@x/s/b%00", ControlOctet.ID, "%00"},
		{"mailserver://a@x/s/b", scheme.NoAuthority.ID, "//a@x"},
		{"mailto:a@x", scheme.OtherScheme.ID, "mailto"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "mailserver:a@x/s/b%0D", "mailserver:%22/%22@x/..//", "mailserver:a@x")
}
