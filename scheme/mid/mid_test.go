package mid

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("cid:foo4%25foo1@bar.net"))
	fmt.Printf("Content-ID: <%s> %v\n", r.ContentID, err)
	// Output:
	// Content-ID: <foo4%foo1@bar.net> <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"mid:960830.1639@XIson.com", `{"scheme":"mid","messageId":"960830.1639@XIson.com"}`}, // RFC 2392, section 2
		{"mid:960830.1639@XIson.com/partA.960830.1639@XIson.com", `{"scheme":"mid","messageId":"960830.1639@XIson.com","contentId":"partA.960830.1639@XIson.com"}`},
		{"cid:foo4%25foo1@bar.net", `{"scheme":"cid","contentId":"foo4%foo1@bar.net"}`},
		{"mid:a%2Fb@c", `{"scheme":"mid","messageId":"a/b@c"}`}, // parted first, decoded then
		{"cid:a/b?c@d", `{"scheme":"cid","contentId":"a/b?c@d"}`},
		{"mid:%3Ca@b%3E/<c@d>", `{"scheme":"mid","messageId":"a@b","contentId":"c@d"}`},
		{"cid:logo", `{"scheme":"cid","contentId":"logo"}`}, // mail in the wild
		{"cid:a@b#f", `{"scheme":"cid","contentId":"a@b"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"mid:", Identifier.ID, ""},
		{"cid:", Identifier.ID, ""},
		{"mid:/a@b", Identifier.ID, "/a@b"},
		{"mid:a@b/", Identifier.ID, ""},
		{"cid:%3C%3E", Identifier.ID, "%3C%3E"},
		{"cid:%3C", Identifier.ID, "%3C"},
		{"cid:a%0D%0Ab", Identifier.ID, "%0D%0Ab"},
		{"cid:image%201@a", Identifier.ID, "%201"},
		{"mid:a%3Eb@c", Identifier.ID, "%3Eb"},
		{"mid://a@b", scheme.NoAuthority.ID, "//a@b"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "mid:a%2F@b/c@d", "cid:<a@b>", "cid:%3C%3C%3E%3E", "mid:../x", "cid:/a/../b")
}
