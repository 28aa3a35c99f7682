package news

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("news:two%242%2Fx%25y@example.org"))
	fmt.Println(r.MessageID, err)
	// Output:
	// two$2/x%y@example.org <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"news:comp.example", `{"scheme":"news","group":"comp.example"}`},
		{"news:*", `{"scheme":"news","group":"*"}`},                                                 // RFC 1738, 3.6: all of them
		{"news:comp.*", `{"scheme":"news","group":"comp.*"}`},                                       // RFC 5538: a wildmat
		{"news:one@a.example", `{"scheme":"news","messageId":"one@a.example"}`},                     //
		{"news:one%40a.example", `{"scheme":"news","messageId":"one@a.example"}`},                   // decode, then look for "@"
		{"news:%3Cone@a.example%3E", `{"scheme":"news","messageId":"one@a.example"}`},               //
		{"news:a/b?c@a.example", `{"scheme":"news","messageId":"a/b?c@a.example"}`},                 // no path and no query here
		{"news:two%242%2Fx%25y@a.example", `{"scheme":"news","messageId":"two$2/x%y@a.example"}`},   //
		{"news:one@a.example#f", `{"scheme":"news","messageId":"one@a.example"}`},                   //
		{"news://h/comp.example", `{"scheme":"news","host":"h","port":119,"group":"comp.example"}`}, // RFC 5538
		{"news://h:1190/one@a.example", `{"scheme":"news","host":"h","port":1190,"messageId":"one@a.example"}`},
		{"news://u:p@h/*", `{"scheme":"news","host":"h","port":119,"user":"u","password":"p","hasUser":true,"group":"*"}`},
		{"nntp://h/comp.example/12", `{"scheme":"nntp","host":"h","port":119,"group":"comp.example","number":12,"hasNumber":true}`},
		{"nntp://h/comp.example/0", `{"scheme":"nntp","host":"h","port":119,"group":"comp.example","hasNumber":true}`},
		{"nntp://h/comp.example", `{"scheme":"nntp","host":"h","port":119,"group":"comp.example"}`},
		{"nntp:comp.example/12", `{"scheme":"nntp","group":"comp.example","number":12,"hasNumber":true}`}, // RFC 1630: the reader's server
		{"nntp://h/one@a.example", `{"scheme":"nntp","host":"h","port":119,"messageId":"one@a.example"}`},
		{"snews://h/comp.example", `{"scheme":"snews","host":"h","port":563,"group":"comp.example"}`},
		{"news:caf%C3%A9.test", `{"scheme":"news","group":"café.test"}`}, // RFC 5538: UTF-8
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"news:", Nothing.ID, ""},
		{"news://h/", Nothing.ID, ""},
		{"nntp://h/", Nothing.ID, ""},
		{"nntp://h//12", Nothing.ID, "/12"},
		{"news:comp.example%0D%0APOST", Word.ID, "%0D%0APOST"},
		{"news:a%20b@h", Word.ID, "%20b"},
		{"news:a%09@h", Word.ID, "%09"},
		{"news:@h", MessageID.ID, "@h"},
		{"news:a@", MessageID.ID, "a@"},
		{"news:a%3Cb@h", MessageID.ID, "a%3Cb"},
		{"news:" + strings.Repeat("a", 248) + "@h", MessageID.ID, "aaa"}, // RFC 3977, 3.6: 250 with the brackets
		{"news:comp.example/12", Group.ID, "/12"},
		{"nntp://h/a%2Fb/1", Group.ID, "%2Fb"},
		{"nntp://h/comp.example/first", Number.ID, "first"},
		{"nntp://h/comp.example/", Number.ID, ""},
		{"nntp://h/comp.example/12345678901234567", Number.ID, "1234"},
		{"nntp://h/comp.example/+1", Number.ID, "+1"},
		{"nntp://h/comp.example/1?x", Number.ID, "1?x"},
		{"news:///comp.example", scheme.HostMissing.ID, "/comp"},
		{"news://u%0D%0A@h/x", scheme.Control.ID, "%0D%0A"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func TestAddr(t *testing.T) {
	for s, want := range map[string]string{"news:a.b": "", "nntp://h/a.b": "h:119", "snews://[::1]:1/a.b": "[::1]:1"} {
		r, err := Read(anyurl.MustParse(s))
		if err != nil || r.Addr() != want || r.TLS() != (r.Scheme == "snews") {
			t.Errorf("%s: %q, %v", s, r.Addr(), err)
		}
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "news:a@b", "news://u:p@h:1/*", "nntp:a/00012", "nntp://h/a%2E/1", "news://h/%2E%2E%40", "snews://h/..%2f")
}
