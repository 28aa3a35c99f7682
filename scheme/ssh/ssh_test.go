package ssh

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("sftp://joe@host.example/srv/docs/a.txt"))
	fmt.Println(r.Addr(), r.User, r.Names(), err)
	// Output:
	// host.example:22 joe [srv docs a.txt] <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"ssh://h", `{"scheme":"ssh","host":"h","port":22}`},
		{"ssh://joe@h:2222/", `{"scheme":"ssh","host":"h","port":2222,"user":"joe","hasUser":true}`},
		{"ssh://joe;fingerprint=ssh-dss-c1-b1@h", `{"scheme":"ssh","host":"h","port":22,"user":"joe","hasUser":true,"fingerprint":"ssh-dss-c1-b1"}`}, // the draft, section 3.3
		{"ssh://git@h/a/b.git", `{"scheme":"ssh","host":"h","port":22,"user":"git","hasUser":true,"path":"/a/b.git"}`},
		{"sftp://u:p@h/a%20b/?c", `{"scheme":"sftp","host":"h","port":22,"user":"u","password":"p","hasUser":true,"path":"/a b/?c"}`},
		{"sftp://0x7f.1/~/x", `{"scheme":"sftp","host":"127.0.0.1","port":22,"path":"/~/x"}`},
		{"sftp://h//x", `{"scheme":"sftp","host":"h","port":22,"path":"//x"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"ssh://-oProxyCommand=x/", Option.ID, "-o"},
		{"ssh://-oProxyCommand=x@h/", Option.ID, "-o"},
		{"ssh://%2DoX@h/", Option.ID, "%2D"},
		{"ssh://u%0A@h/", scheme.Control.ID, "%0A"},
		{"sftp://h/a%00", scheme.Control.ID, "%00"},
		{"ssh:h", scheme.HostMissing.ID, "h"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "ssh://u;fingerprint=x:p@h:1/a/b", "sftp://h/..%2fa//", "ssh://;fingerprint=@h", "sftp://h/%2F", "ssh://h?")
}
