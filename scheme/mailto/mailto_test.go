package mailto

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("mailto:joe@a.example?subject=Hi%20there&cc=ann@b.example"))
	fmt.Println(r.To, r.Cc, r.Subject, err)
	// Output:
	// [joe@a.example] [ann@b.example] Hi there <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"mailto:joe@a.example", `{"to":["joe@a.example"]}`},
		{"mailto:gorby%25kremvax@a.example", `{"to":["gorby%kremvax@a.example"]}`}, // RFC 6068, section 6
		{"mailto:unlikely%3Faddress@a.example?blat=foop", `{"to":["unlikely?address@a.example"],"fields":[{"name":"blat","value":"foop"}]}`},
		{"mailto:a@x,b@y?cc=c@z&subject=Hi%20there&body=l1%0D%0Al2", `{"to":["a@x","b@y"],"cc":["c@z"],"subject":"Hi there","body":"l1\r\nl2"}`},
		{"mailto:?to=a@x", `{"to":["a@x"]}`},
		{"mailto:a@x?to=b@y,c@z", `{"to":["a@x","b@y","c@z"]}`}, // section 2: they are joined
		{"mailto:", `{}`},
		{"mailto:%22not%40me%22@a.example", `{"to":["\"not@me\"@a.example"]}`},                    // section 6
		{"mailto:%22a%2Cb%22@a.example", `{"to":["\"a,b\"@a.example"]}`},                          // an encoded comma parts nothing
		{"mailto:joe@%5B192.0.2.1%5D", `{"to":["joe@[192.0.2.1]"]}`},                              // a domain literal
		{"mailto:user@a.example?subject=caf%C3%A9", `{"to":["user@a.example"],"subject":"café"}`}, // section 6.2
		{"mailto:a+b@x?subject=1+1", `{"to":["a+b@x"],"subject":"1+1"}`},                          // "+" is a plus sign
		{"mailto:a@x?SUBJECT=s&BoDy=b", `{"to":["a@x"],"subject":"s","body":"b"}`},                // names in any case
		{"mailto:a@x?body=1&body=2", `{"to":["a@x"],"body":"1\r\n2"}`},
		{"mailto:a@x?body=1%0A2%0D3", `{"to":["a@x"],"body":"1\r\n2\r\n3"}`},
		{"mailto:a@x?cc=Bob%20%3Cbob@y%3E,c@z", `{"to":["a@x"],"cc":["bob@y","c@z"]}`},
		{"mailto:a@x?subject=&&in-reply-to=%3C1@y%3E", `{"to":["a@x"],"fields":[{"name":"in-reply-to","value":"<1@y>"}]}`},
		{"mailto:a@x?keywords", `{"to":["a@x"],"fields":[{"name":"keywords","value":""}]}`},
		{"mailto:a@x#f", `{"to":["a@x"]}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"mailto:joe", Address.ID, "joe"},
		{"mailto:a@x,,b@y", Address.ID, ",b@y"},
		{"mailto:a@x,b", Address.ID, "b"},
		{"mailto:Joe%20%3Cjoe@x%3E", Address.ID, "Joe"}, // RFC 6068: addr-spec alone
		{"mailto:a@x?cc=b", Address.ID, "b"},
		{"mailto:a@x%0D%0ABcc:y@z", ControlOctet.ID, "%0D%0ABcc"},
		{"mailto:a@x?subject=s%0ABcc:y@z", ControlOctet.ID, "%0ABcc"},
		{"mailto:a@x?x-y=%00", ControlOctet.ID, "%00"},
		{"mailto:a@x?body=%00", ControlOctet.ID, "%00"},
		{"mailto:a@x?=v", FieldName.ID, "=v"},
		{"mailto:a@x?a%3Ab=v", FieldName.ID, "%3Ab"},
		{"mailto:a@x?a%0D%0Ab=v", FieldName.ID, "%0D%0Ab"},
		{"mailto:a@x?subject=1&subject=2", FieldTwice.ID, "subject=2"},
		{"mailto://joe@a.example", scheme.NoAuthority.ID, "//joe"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func TestRead1738(t *testing.T) {
	r, err := Read1738(anyurl.MustParse("mailto:what?@a.example"))
	if err != nil || len(r.To) != 1 || r.To[0] != "what?@a.example" {
		t.Errorf("%v, %v", r, err)
	}
	for _, s := range []string{"mailto:", "mailto:a@x,b@y"} {
		if r, err := Read1738(anyurl.MustParse(s)); err == nil {
			t.Errorf("%s: %v", s, r)
		}
	}
}

func TestSafe(t *testing.T) {
	for name, want := range map[string]bool{"Subject": true, "in-reply-to": true, "bcc": false, "from": false, "content-type": false, "x-mailer": false} {
		if Safe(name) != want {
			t.Errorf("Safe(%q) = %v", name, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "mailto:a@x,b@y?cc=c@z&subject=s&body=b%0A&body=c&x=y", "mailto:%22%5C%22%22@%5B::%5D", "mailto:a@x?to=", "mailto:?a=%2C&cc=%20%3Ca@x%3E")
}
