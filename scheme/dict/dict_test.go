package dict

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("dict://dict.example/d:tulip:wn"))
	fmt.Println(r.Addr(), r.Word, r.Database, err)
	// Output:
	// dict.example:2628 tulip wn <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{ // RFC 2229, section 5
		{"dict://dict.org/d:shortcake:", `{"host":"dict.org","port":2628,"define":true,"word":"shortcake","database":"!"}`},
		{"dict://dict.org/d:shortcake:*", `{"host":"dict.org","port":2628,"define":true,"word":"shortcake","database":"*"}`},
		{"dict://dict.org/d:shortcake:wordnet:", `{"host":"dict.org","port":2628,"define":true,"word":"shortcake","database":"wordnet"}`},
		{"dict://dict.org/d:shortcake:wordnet:1", `{"host":"dict.org","port":2628,"define":true,"word":"shortcake","database":"wordnet","n":1}`},
		{"dict://dict.org/d:abcdefgh", `{"host":"dict.org","port":2628,"define":true,"word":"abcdefgh","database":"!"}`},
		{"dict://dict.org/m:sun", `{"host":"dict.org","port":2628,"word":"sun","database":"!","strategy":"."}`},
		{"dict://dict.org/m:sun::soundex", `{"host":"dict.org","port":2628,"word":"sun","database":"!","strategy":"soundex"}`},
		{"dict://dict.org/m:sun:wordnet::1", `{"host":"dict.org","port":2628,"word":"sun","database":"wordnet","strategy":".","n":1}`},
		{"dict://joe;AUTH@h:1/M:a%3Ab%20c", `{"host":"h","port":1,"user":"joe","auth":"AUTH","word":"a:b c","database":"!","strategy":"."}`},
		{"dict://h", `{"host":"h","port":2628}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"dict://h/tulip", Form.ID, "tulip"},
		{"dict://h/d:", Form.ID, "d:"},
		{"dict://h/x:tulip", Form.ID, "x:"},
		{"dict://h/d:a:b:0", Form.ID, "0"},
		{"dict://h/d:a:b:1:2", Form.ID, "d:a"},
		{"dict://h/d:a%0D%0AQUIT", ControlOctet.ID, "%0D%0AQUIT"},
		{"dict://u%0A@h/d:a", ControlOctet.ID, "%0A"},
		{"dict://u:p@h/d:a", scheme.NoUserinfo.ID, "p@h"},
		{"dict:d:a", scheme.HostMissing.ID, "d:a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "dict://u;a@h:1/d:a:b:2", "dict://h/m:a/..%2F:b:c:3", "dict://h?d:x", "dict://;@h/d:%3A")
}
