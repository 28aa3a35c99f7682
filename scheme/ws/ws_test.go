package ws

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("wss://chat.example/room?id=7"))
	fmt.Println(r.Addr(), r.Target(), err)
	// Output:
	// chat.example:443 /room?id=7 <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"ws://h", `{"tls":false,"host":"h","port":80,"path":"/"}`},
		{"wss://h:8443/a?", `{"tls":true,"host":"h","port":8443,"path":"/a","hasQuery":true}`},
		{"ws://0x7f.1/a?b", `{"tls":false,"host":"127.0.0.1","port":80,"path":"/a","query":"b","hasQuery":true}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"ws://h/chat#top", Fragment.ID, "#top"},
		{"ws://h/chat?x#", Fragment.ID, "#"},
		{"ws://u@h/", scheme.NoUserinfo.ID, "u@h"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) { schemetest.Fuzz(f, Read, "ws://h:1/a?b", "wss://[::1]?", "ws://h/#") }
