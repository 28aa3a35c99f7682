package prospero

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("prospero://host.dom//pros/name;OBJECT-VERSION=3;key=value"))
	fmt.Println(r.Addr(), r.Name, r.Version, r.Fields, err)
	// Output:
	// host.dom:1525 /pros/name 3 [{key value}] <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"prospero://host.dom//pros/name", `{"host":"host.dom","port":1525,"name":"/pros/name"}`}, // RFC 1738, 3.11
		{"prospero://host.dom:1526//pros/name;key=value", `{"host":"host.dom","port":1526,"name":"/pros/name","fields":[{"name":"key","value":"value"}]}`},
		{"prospero://h/AFTP/pub/x", `{"host":"h","port":1525,"name":"AFTP/pub/x"}`},
		{"prospero://h/a//b", `{"host":"h","port":1525,"name":"a//b"}`},
		{"prospero://h/a;object-version=2", `{"host":"h","port":1525,"name":"a","version":2}`},
		{"prospero://h/a%002", `{"host":"h","port":1525,"name":"a","version":2}`}, // RFC 1630
		{"prospero://h/a%3Bb", `{"host":"h","port":1525,"name":"a;b"}`},
		{"prospero://h/a?b:c@d&e=f", `{"host":"h","port":1525,"name":"a?b:c@d\u0026e=f"}`}, // none of them is reserved
		{"prospero://h/a;k=v=w;k2=", `{"host":"h","port":1525,"name":"a","fields":[{"name":"k","value":"v=w"},{"name":"k2","value":""}]}`},
		{"prospero://h/", `{"host":"h","port":1525,"name":""}`},
		{"prospero://h", `{"host":"h","port":1525,"name":""}`},
		{"prospero://h/a%2F..%2Fb", `{"host":"h","port":1525,"name":"a/../b"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"prospero://h/a;draft", BadField.ID, "draft"},
		{"prospero://h/a;=v", BadField.ID, "=v"},
		{"prospero://h/a;", BadField.ID, ""},
		{"prospero://h/a;OBJECT-VERSION=last", BadVersion.ID, "last"},
		{"prospero://h/a%00x", BadVersion.ID, "x"},
		{"prospero://h/a%001;OBJECT-VERSION=2", BadVersion.ID, "OBJECT"},
		{"prospero://h/a;OBJECT-VERSION=1;OBJECT-VERSION=1", BadVersion.ID, "OBJECT-VERSION=1"},
		{"prospero://h/a%0Ab", scheme.Control.ID, "%0Ab"},
		{"prospero://h/a;k=%00", scheme.Control.ID, "%00"},
		{"prospero://u@h/a", scheme.NoUserinfo.ID, "u@h"},
		{"prospero:///a", scheme.HostMissing.ID, "/a"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "prospero://h:1//a/b;k=v;OBJECT-VERSION=1", "prospero://h/.%2F..;=", "prospero://h/a%0012", "prospero://h/.;a=b")
}
