package data

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("data:text/plain;base64,dHVsaXBz"))
	fmt.Printf("%s %s %v\n", r.Type, r.Data, err)
	// Output:
	// text/plain tulips <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{ // data in JSON is Base64
		{"data:,A%20brief%20note", `{"type":"text/plain;charset=US-ASCII","data":"QSBicmllZiBub3Rl"}`}, // RFC 2397, section 4
		{"data:text/html,%3Cp%3E", `{"type":"text/html","data":"PHA+"}`},
		{"data:;charset=utf-8,a", `{"type":"text/plain;charset=utf-8","data":"YQ=="}`},
		{"data:text/plain;base64,YQ", `{"type":"text/plain","base64":true,"data":"YQ=="}`}, // Infra: padding may be missing
		{"data:text/plain; BASE64,Y%20Q%3D%3D", `{"type":"text/plain","base64":true,"data":"YQ=="}`},
		{"data:;base64,", `{"type":"text/plain;charset=US-ASCII","base64":true,"data":""}`},
		{"data:nonsense,a", `{"type":"text/plain;charset=US-ASCII","data":"YQ=="}`},
		{"data:base64,a", `{"type":"text/plain;charset=US-ASCII","data":"YQ=="}`}, // no ";": no mark
		{"data:,a?b/c", `{"type":"text/plain;charset=US-ASCII","data":"YT9iL2M="}`},
		{"data:,a#b", `{"type":"text/plain;charset=US-ASCII","data":"YQ=="}`},
		{"data:,%00%FF", `{"type":"text/plain;charset=US-ASCII","data":"AP8="}`},
		{"data://x/y,a", `{"type":"text/plain;charset=US-ASCII","data":"YQ=="}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"data:text/plain;base64", Comma.ID, ""},
		{"data:#,", Comma.ID, "#"},
		{"data:;base64,tulips!", Base64.ID, "tulips!"},
		{"data:;base64,A", Base64.ID, "A"}, // Infra, step 3: a rest of one
		{"data:;base64,AA=", Base64.ID, "AA="},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "data:,a%20b", "data:text/html;x=y;base64,YQ==", "data:;base64;base64,", "data://h/a;b,?", "data:a/b ;base64 ,x")
}
