package about

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("about:blank"))
	fmt.Println(r.Token, r.Known(), err)
	// Output:
	// blank true <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"about:blank#x", `{"token":"blank"}`},
		{"about:bl%61nk?x=y", `{"token":"blank","query":"x=y","hasQuery":true}`}, // RFC 6694, section 2.3: RFC 3986's encoding
		{"about:config/a", `{"token":"config/a"}`},
		{"about:", `{"token":""}`},
		{"about:blank?", `{"token":"blank","hasQuery":true}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"about://blank", scheme.NoAuthority.ID, "//blank"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) { schemetest.Fuzz(f, Read, "about:a%20b?c d", "about:/..", "about:%2F") }
