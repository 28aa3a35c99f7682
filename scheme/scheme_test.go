package scheme_test

import (
	"fmt"
	"strings"
	"testing"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/rule"
	"anyurl/scheme"
)

func ExamplePart() {
	u := anyurl.MustParse("ftp://a.example/pub/x%0Ay")
	name := scheme.Path(u).Split('/')[2]
	fmt.Println(name.Forbid(&scheme.LineEnds, scheme.Control))
	// Output:
	// offset 21: an encoded control character stands where it would end a line of the protocol or begin another (RFC 1738, section 6)
}

func TestParts(t *testing.T) {
	for _, tt := range []struct{ url, user, password, host, path, query, rest string }{
		{"http://u:p@h:81/a/b?c#d", "u", "p", "h", "/a/b", "c", "/a/b?c"},
		{"http://u@h/?#", "u", "", "h", "/", "", "/?"},
		{"http://:p@h/", "", "p", "h", "/", "", "/"},
		{"gopher://[::1]:7070", "", "", "[::1]", "", "", ""},
		{"gopher://[::1]:7070#f", "", "", "[::1]", "", "", ""},
		{"gopher:///1", "", "", "", "/1", "", "/1"},
		{"news:a@b?c#d", "", "", "", "a@b", "c", "a@b?c"},
		{"web+x:/..//y", "", "", "", "//y", "", "//y"}, // serialised with "/." in front
		{"mailto:", "", "", "", "", "", ""},
		{"a:?b", "", "", "", "", "b", "?b"},
	} {
		u := anyurl.MustParse(tt.url)
		for _, p := range []struct {
			name, want string
			part       scheme.Part
		}{
			{"all", u.String(), scheme.All(u)},
			{"scheme", u.Scheme(), scheme.SchemeOf(u)},
			{"user", tt.user, scheme.User(u)},
			{"password", tt.password, scheme.Password(u)},
			{"host", tt.host, scheme.HostPart(u)},
			{"path", tt.path, scheme.Path(u)},
			{"query", tt.query, scheme.Query(u)},
			{"rest", tt.rest, scheme.Rest(u)},
		} {
			if p.part.Raw() != p.want || p.part.Len() != len(p.want) {
				t.Errorf("%s: %s is %q, want %q", u, p.name, p.part.Raw(), p.want)
			}
			e := p.part.Error(0, scheme.Control).(*rule.Error)
			if !strings.HasPrefix(e.Input[e.Offset:], p.want) || e.Input != u.String() {
				t.Errorf("%s: %s is said to stand at %q", u, p.name, e.Input[e.Offset:])
			}
		}
	}
}

func TestSplitAndFind(t *testing.T) {
	p := scheme.Path(anyurl.MustParse("x:a%2Fb/c//%09d"))
	parts := p.Split('/')
	if len(parts) != 4 || parts[0].Text() != "a/b" || parts[1].Raw() != "c" || parts[2].Raw() != "" || parts[3].Text() != "\td" {
		t.Errorf("%v", parts)
	}
	tab := abnf.Bytes("\t")
	if i := p.Find(&tab); i != len("a%2Fb/c//") {
		t.Errorf("TAB at %d", i)
	}
	if i := parts[0].Find(&tab); i != -1 {
		t.Errorf("TAB at %d of another part", i)
	}
}

func TestForbid(t *testing.T) {
	u := anyurl.MustParse("x://u@h:1/p?q")
	for _, tt := range []struct {
		err  error
		rule rule.Rule
		at   string
	}{
		{scheme.ForbidUserinfo(u), scheme.NoUserinfo, "u@h"},
		{scheme.ForbidPort(u), scheme.NoPort, ":1/p"},
		{scheme.ForbidQuery(u), scheme.NoQuery, "?q"},
		{scheme.ForbidAuthority(u), scheme.NoAuthority, "//u"},
		{scheme.Expect(u, "y", "z"), scheme.OtherScheme, "x:"},
		{scheme.Expect(anyurl.URL{}, ""), scheme.OtherScheme, ""},
	} {
		e, ok := tt.err.(*rule.Error)
		if !ok || e.Rule != tt.rule || !strings.HasPrefix(e.Input[e.Offset:], tt.at) {
			t.Errorf("%v, want %s at %q", tt.err, tt.rule.ID, tt.at)
		}
	}
	plain := anyurl.MustParse("x:p")
	for _, err := range []error{scheme.ForbidUserinfo(plain), scheme.ForbidPort(plain), scheme.ForbidQuery(plain), scheme.ForbidAuthority(plain), scheme.Expect(plain, "x")} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestDialable(t *testing.T) {
	for _, tt := range []struct{ url, want string }{ // "" where it is refused
		{"ftp://H.example/", "h.example"},
		{"gopher://H.example/", "h.example"},
		{"gopher://0300.0250.1/", "192.168.0.1"},
		{"gopher://[::FFFF:1.2.3.4]/", "[::ffff:102:304]"},
		{"gopher://%31%32%37.1/", "127.0.0.1"},
		{"gopher://a%0Ab/", ""},
		{"gopher://%00/", ""},
		{"gopher://1.2.3.4.5/", ""},
		{"gopher:///", ""},
		{"gopher:x", ""},
	} {
		u := anyurl.MustParse(tt.url)
		h, err := scheme.Dialable(u)
		if h.String() != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v; want %q", u, h, err, tt.want)
		}
		if e, ok := err.(*rule.Error); err != nil && (!ok || e.Input != u.String() || e.Offset > len(e.Input)) {
			t.Errorf("%s: %#v", u, err)
		}
	}
}

func TestBuild(t *testing.T) {
	h := anyurl.MustParse("ftp://h.example/").Host()
	for _, tt := range []struct {
		a          scheme.Authority
		rest, want string
	}{
		{scheme.Authority{Host: h, Port: 70, Default: 70}, "/1", "gopher://h.example/1"},
		{scheme.Authority{Host: h, Port: 71, Default: 70}, "", "gopher://h.example:71"},
		{scheme.Authority{Host: h, Port: 0, Default: 70}, "/", "gopher://h.example:0/"},
		{scheme.Authority{HasUser: true, User: "a@b", Password: "c:/%d", Host: h}, "/", "gopher://a%40b:c%3A%2F%25d@h.example/"},
		{scheme.Authority{HasUser: true, Password: "p", Host: h}, "/", "gopher://:p@h.example/"},
		{scheme.Authority{Port: 1}, "/", ""}, // a port without a host
	} {
		if got := scheme.Build("gopher", tt.a, tt.rest).String(); got != tt.want {
			t.Errorf("%+v %q: %q, want %q", tt.a, tt.rest, got, tt.want)
		}
	}
	if got := scheme.Opaque("news", "a@b").String(); got != "news:a@b" {
		t.Errorf("%q", got)
	}
}

// TestEscapePath: what goes into a path comes out of it again, dot segments too.
func TestEscapePath(t *testing.T) {
	for _, s := range []string{"a/b", "/a//b/", "../x", "a/../b", "a/.", "./a", "a b?c#d%2F", "\xff\x00\\^|", ";=@:&"} {
		u := scheme.Build("x", scheme.Authority{Host: anyurl.MustParse("ftp://h/").Host()}, "/"+scheme.EscapePath(s, scheme.Segment))
		if got := scheme.Path(u).From(1).Text(); got != s {
			t.Errorf("%q is written as %s and comes back as %q", s, u, got)
		}
	}
	if got := scheme.EscapePath("a/b", scheme.Segment); got != "a/b" {
		t.Errorf("%q", got)
	}
}

func TestIsAddrSpec(t *testing.T) {
	for s, want := range map[string]bool{
		"joe@a.example": true, "a.b+c@h": true, `"not@me"@a.example`: true, `"a\"b"@h`: true, "gorby%kremvax@a.example": true,
		"joe@[192.0.2.1]": true, "jörg@bücher.example": true, "a/b=c@h": true, `""@h`: true,
		"": false, "joe": false, "@h": false, "joe@": false, "a@b@c": false, ".a@h": false, "a.@h": false, "a..b@h": false,
		"a b@h": false, "a@h h": false, "a\r\n@h": false, `"a@h`: false, `"a"b@h`: false, "\"a\n\"@h": false, "a@[": false, "a@[]": false,
		"Joe <joe@h>": false, "a@h.": false, "a@-": true, "\xff@h": false, "a,b@h": false, `"\`: false,
	} {
		if scheme.IsAddrSpec(s) != want {
			t.Errorf("IsAddrSpec(%q) = %v", s, !want)
		}
	}
}

func TestLines(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a\nb": "a\r\nb", "a\rb\r": "a\r\nb\r\n", "a\r\n\n": "a\r\n\r\n"} {
		if got := scheme.Lines(in); got != want || scheme.Lines(got) != got {
			t.Errorf("Lines(%q) = %q", in, got)
		}
	}
}
