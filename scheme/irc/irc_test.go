package irc

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("irc://chat.example/tulips"))
	channel, _ := r.Channel()
	fmt.Println(r.Addr(), channel, err)
	// Output:
	// chat.example:6667 #tulips <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"irc://h", `{"scheme":"irc","host":"h","port":6667}`},
		{"ircs://H/%23a", `{"scheme":"ircs","host":"h","port":6697,"target":"#a"}`},
		{"irc6://u:p@h:1/a,isnick,needpass", `{"scheme":"irc6","host":"h","port":1,"user":"u","password":"p","hasUser":true,"target":"a","flags":["isnick","needpass"]}`},
		{"irc://h/a,needkey?key=b%26c", `{"scheme":"irc","host":"h","port":6667,"target":"a","flags":["needkey"],"key":"b\u0026c"}`},
		{"irc://h/#a", `{"scheme":"irc","host":"h","port":6667,"target":"#a"}`}, // met in the wild
		{"irc://h/a%2Cb", `{"scheme":"irc","host":"h","port":6667,"target":"a,b"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"irc://h/%23a%0D%0AQUIT", Word.ID, "%0D%0AQUIT"},
		{"irc://h/a%20b", Word.ID, "%20b"},
		{"irc://h/#a%0A", Word.ID, "%0A"},
		{"irc://u%00@h/", Word.ID, "%00"},
		{"irc://h/a?key=%0A", Word.ID, "%0A"},
		{"irc:h", scheme.HostMissing.ID, "h"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func TestChannel(t *testing.T) {
	for s, want := range map[string]string{"irc://h/": "", "irc://h/a": "#a", "irc://h/%23%23a": "##a", "irc://h/&a": "&a", "irc://h/a,isnick": "", "irc://h/a,x": "#a"} {
		r, err := Read(anyurl.MustParse(s))
		if got, ok := r.Channel(); got != want || ok != (want != "") || err != nil {
			t.Errorf("%s: %q, %v, %v", s, got, ok, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "irc://u:p@h:1/a,b?key=c&d", "ircs://h#x,y", "irc6://h/,a", "irc://h/..,a", "irc://h/?key=#x")
}
