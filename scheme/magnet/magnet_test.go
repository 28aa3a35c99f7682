package magnet

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=red+tulips"))
	fmt.Println(r.Topics, r.Name, err)
	// Output:
	// [urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a] red tulips <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"magnet:?xt=urn:sha1:A&xl=12&tr=http%3A%2F%2Ft.example%2Fa&tr=udp://u.example:80&as=http://s.example/&x.pe=h:1",
			`{"topics":["urn:sha1:A"],"length":12,"trackers":["http://t.example/a","udp://u.example:80"],"sources":["http://s.example/"],"params":[{"key":"xt","value":"urn:sha1:A"},{"key":"xl","value":"12"},{"key":"tr","value":"http://t.example/a"},{"key":"tr","value":"udp://u.example:80"},{"key":"as","value":"http://s.example/"},{"key":"x.pe","value":"h:1"}]}`},
		{"magnet:?xt.1=urn:a&xt.2=urn:b&&dn", `{"topics":["urn:a","urn:b"],"params":[{"key":"xt.1","value":"urn:a"},{"key":"xt.2","value":"urn:b"},{"key":"dn","value":""}]}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"magnet:?dn=tulips", Topic.ID, "dn"},
		{"magnet:", Topic.ID, ""},
		{"magnet:?xt=", Topic.ID, "xt="},
		{"magnet://?xt=urn:a", scheme.NoAuthority.ID, "//?xt"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "magnet:?xt=a&b=c+d%2B&=&e", "magnet:x?xt=%26", "magnet:?XT.=a")
}
