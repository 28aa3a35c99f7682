package nest

import (
	"fmt"
	"testing"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/schemetest"
)

func Example() {
	r, err := Read(anyurl.MustParse("jar:https://a.example/x.jar!/META-INF/MANIFEST.MF"))
	fmt.Println(r.Inner, r.Entry, err)
	// Output:
	// https://a.example/x.jar /META-INF/MANIFEST.MF <nil>
}

func TestRead(t *testing.T) {
	schemetest.Reads(t, Read, []schemetest.Row{
		{"view-source:HTTP://A.example?b#c", `{"scheme":"view-source","inner":"http://a.example/?b#c"}`},
		{"jar:file:///x.jar!/", `{"scheme":"jar","inner":"file:///x.jar"}`},
		{"jar:jar:http://h/a.war!/b.jar!/c", `{"scheme":"jar","inner":"jar:http://h/a.war!/b.jar","entry":"/c"}`},
		{"feed:https://h/news.xml", `{"scheme":"feed","inner":"https://h/news.xml"}`},
		{"feed://h/news.xml", `{"scheme":"feed","inner":"http://h/news.xml"}`},
	})
	schemetest.Refuses(t, Read, []schemetest.Fault{
		{"view-source:tulips", Inner.ID, "tulips"},
		{"view-source:http://[", Inner.ID, "http"},
		{"jar:https://h/x.jar", Entry.ID, ""},
		{"jar:!/x", Inner.ID, "!/x"},
		{"feed:x", Inner.ID, "x"},
		{"http://h/", scheme.OtherScheme.ID, "http"},
	})
}

func FuzzRead(f *testing.F) {
	schemetest.Fuzz(f, Read, "view-source:http://h/?a#b", "jar:http://h/a!/b?c#d", "jar:x:y!/..", "feed://u:p@h:1/a", "feed:feed:x:y", "view-source: x:y ")
}
