package rfc3986_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"anyurl/rfc3986"
	"anyurl/rule"
)

// "-" stands for a part that is not there.
func part(u rfc3986.URI, p rfc3986.Part) string {
	start, end, ok := u.Span(p)
	if !ok {
		return "-"
	}
	return u.String()[start:end]
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in, scheme, userinfo, host, kind, port, path, query, fragment string
	}{
		// RFC 3986, section 1.1.2
		{"ftp://ftp.is.co.za/rfc/rfc1808.txt", "ftp", "-", "ftp.is.co.za", "regname", "-", "/rfc/rfc1808.txt", "-", "-"},
		{"http://www.ietf.org/rfc/rfc2396.txt", "http", "-", "www.ietf.org", "regname", "-", "/rfc/rfc2396.txt", "-", "-"},
		{"ldap://[2001:db8::7]/c=GB?objectClass?one", "ldap", "-", "[2001:db8::7]", "ipv6", "-", "/c=GB", "objectClass?one", "-"},
		{"mailto:John.Doe@example.com", "mailto", "-", "-", "none", "-", "John.Doe@example.com", "-", "-"},
		{"news:comp.infosystems.www.servers.unix", "news", "-", "-", "none", "-", "comp.infosystems.www.servers.unix", "-", "-"},
		{"tel:+1-816-555-1212", "tel", "-", "-", "none", "-", "+1-816-555-1212", "-", "-"},
		{"telnet://192.0.2.16:80/", "telnet", "-", "192.0.2.16", "ipv4", "80", "/", "-", "-"},
		{"urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "urn", "-", "-", "none", "-", "oasis:names:specification:docbook:dtd:xml:4.1.2", "-", "-"},
		// section 3
		{"foo://example.com:8042/over/there?name=ferret#nose", "foo", "-", "example.com", "regname", "8042", "/over/there", "name=ferret", "nose"},
		{"urn:example:animal:ferret:nose", "urn", "-", "-", "none", "-", "example:animal:ferret:nose", "-", "-"},
		// section 7.6
		{"ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm", "ftp", "cnn.example.com&story=breaking_news", "10.0.0.1", "ipv4", "-", "/top_story.htm", "-", "-"},
		// appendices B and C
		{"http://www.ics.uci.edu/pub/ietf/uri/#Related", "http", "-", "www.ics.uci.edu", "regname", "-", "/pub/ietf/uri/", "-", "Related"},
		{"http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING", "http", "-", "www.ics.uci.edu", "regname", "-", "/pub/ietf/uri/historical.html", "-", "WARNING"},
		// every component there and empty
		{"a://@:?#", "a", "", "", "regname", "", "", "", ""},
		{"a:", "a", "-", "-", "none", "-", "", "-", "-"},
		{"file:///etc/motd", "file", "-", "", "regname", "-", "/etc/motd", "-", "-"},
		{"a:/", "a", "-", "-", "none", "-", "/", "-", "-"},
		{"a:b/c//d", "a", "-", "-", "none", "-", "b/c//d", "-", "-"},
		{"A+-.9://h", "A+-.9", "-", "h", "regname", "-", "", "-", "-"},
		// 3.2.1: everything before the one "@" is userinfo, colons included
		{"http://u:p:q@h:1/", "http", "u:p:q", "h", "regname", "1", "/", "-", "-"},
		{"http://a.example:80@b.example/", "http", "a.example:80", "b.example", "regname", "-", "/", "-", "-"},
		{"http://u@[::1]:80/", "http", "u", "[::1]", "ipv6", "80", "/", "-", "-"},
		// 3.2.2: first match wins
		{"http://127.0.0.1", "http", "-", "127.0.0.1", "ipv4", "-", "", "-", "-"},
		{"http://127.0.0.01", "http", "-", "127.0.0.01", "regname", "-", "", "-", "-"},
		{"http://256.0.0.1", "http", "-", "256.0.0.1", "regname", "-", "", "-", "-"},
		{"http://1.2.3.4.5", "http", "-", "1.2.3.4.5", "regname", "-", "", "-", "-"},
		{"http://1.2.3", "http", "-", "1.2.3", "regname", "-", "", "-", "-"},
		{"http://0x7f.1", "http", "-", "0x7f.1", "regname", "-", "", "-", "-"},
		{"http://a%20b!$&'()*+,;=", "http", "-", "a%20b!$&'()*+,;=", "regname", "-", "", "-", "-"},
		{"http://[v7.a:b]", "http", "-", "[v7.a:b]", "ipvfuture", "-", "", "-", "-"},
		{"http://[VfF.~]:", "http", "-", "[VfF.~]", "ipvfuture", "", "", "-", "-"},
		{"http://[1:2:3:4:5:6:7:8]", "http", "-", "[1:2:3:4:5:6:7:8]", "ipv6", "-", "", "-", "-"},
		{"http://[::]", "http", "-", "[::]", "ipv6", "-", "", "-", "-"},
		{"http://[1:2:3:4:5:6:7::]", "http", "-", "[1:2:3:4:5:6:7::]", "ipv6", "-", "", "-", "-"},
		{"http://[::2:3:4:5:6:7:8]", "http", "-", "[::2:3:4:5:6:7:8]", "ipv6", "-", "", "-", "-"},
		{"http://[::ffff:255.249.199.99]", "http", "-", "[::ffff:255.249.199.99]", "ipv6", "-", "", "-", "-"},
		{"http://[1:2:3:4:5:6:0.0.0.0]", "http", "-", "[1:2:3:4:5:6:0.0.0.0]", "ipv6", "-", "", "-", "-"},
		// 3.2.3: any digits, also more than a port can be
		{"http://h:0123456789/", "http", "-", "h", "regname", "0123456789", "/", "-", "-"},
		// 3.4, 3.5: slash and question mark are data there
		{"a:b?c/?d#e/?f", "a", "-", "-", "none", "-", "b", "c/?d", "e/?f"},
		{"a:b#c?d", "a", "-", "-", "none", "-", "b", "-", "c?d"},
		// 4.2: relative references
		{"", "-", "-", "-", "none", "-", "", "-", "-"},
		{"//h", "-", "-", "h", "regname", "-", "", "-", "-"},
		{"///x", "-", "-", "", "regname", "-", "/x", "-", "-"},
		{"./a:b", "-", "-", "-", "none", "-", "./a:b", "-", "-"},
		{"a/b:c", "-", "-", "-", "none", "-", "a/b:c", "-", "-"},
		{"?a:b", "-", "-", "-", "none", "-", "", "a:b", "-"},
		{"#a:b", "-", "-", "-", "none", "-", "", "-", "a:b"},
		{"1", "-", "-", "-", "none", "-", "1", "-", "-"},
	} {
		u, err := rfc3986.ParseReference(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		got := []string{part(u, rfc3986.PartScheme), part(u, rfc3986.PartUserinfo), part(u, rfc3986.PartHost), u.HostKind().String(),
			part(u, rfc3986.PartPort), part(u, rfc3986.PartPath), part(u, rfc3986.PartQuery), part(u, rfc3986.PartFragment)}
		want := []string{tt.scheme, tt.userinfo, tt.host, tt.kind, tt.port, tt.path, tt.query, tt.fragment}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q:\n got %q\nwant %q", tt.in, got, want)
		}
		if u.String() != tt.in || u.IsZero() {
			t.Errorf("%q reads back as %q", tt.in, u)
		}
		if _, err := rfc3986.Parse(tt.in); (err == nil) != u.IsAbsolute() {
			t.Errorf("Parse(%q) = %v", tt.in, err)
		}
		accessors := []string{u.Scheme(), u.Userinfo(), u.Host(), u.Port(), u.Path(), u.Query(), u.Fragment()}
		for i, p := range []rfc3986.Part{rfc3986.PartScheme, rfc3986.PartUserinfo, rfc3986.PartHost, rfc3986.PartPort,
			rfc3986.PartPath, rfc3986.PartQuery, rfc3986.PartFragment} {
			if want := strings.TrimPrefix(part(u, p), "-"); accessors[i] != want && part(u, p) != accessors[i] {
				t.Errorf("%q: %v is %q, its span %q", tt.in, p, accessors[i], want)
			}
		}
	}
}

var refused = []struct {
	in     string
	offset int
	rule   string
}{
	{"", 0, "rfc3986/scheme"},
	{"a", 1, "rfc3986/scheme"},
	{"a b:", 1, "rfc3986/scheme"},
	{"1a:", 0, "rfc3986/scheme"},
	{"//a.example/x", 0, "rfc3986/scheme"},
	{"http://h/%", 9, "rfc3986/pct-encoded"},
	{"http://h/%4", 9, "rfc3986/pct-encoded"},
	{"http://h/%4g", 9, "rfc3986/pct-encoded"},
	{"http://%zz/", 7, "rfc3986/pct-encoded"},
	{"http://h:%zz/", 9, "rfc3986/pct-encoded"},
	{"http://h:%41/", 9, "rfc3986/port"},
	{`http://h\x`, 8, "rfc3986/reg-name"},
	{`http:\\h\x`, 5, "rfc3986/path"},
	{"http://h/a b", 10, "rfc3986/path"},
	{"http://h/a\n", 10, "rfc3986/path"},
	{"http://h/\x00", 9, "rfc3986/path"},
	{"http://h/\x7f", 9, "rfc3986/path"},
	{"http://é/", 7, "rfc3986/reg-name"},
	{"http://h/<", 9, "rfc3986/path"},
	{"http://h/{id}", 9, "rfc3986/path"},
	{"http://h?a|b", 10, "rfc3986/query"},
	{"http://a@b@c/", 10, "rfc3986/userinfo"},
	{"http://a@b:c@d/", 11, "rfc3986/port"},
	{"http://a[b/", 8, "rfc3986/reg-name"},
	{"http://a]/", 8, "rfc3986/reg-name"},
	{"http://[::1/x", 7, "rfc3986/ip-literal"},
	{"http://[", 7, "rfc3986/ip-literal"},
	{"http://[::1]a", 12, "rfc3986/ip-literal"},
	{"http://[::1]:a", 13, "rfc3986/port"},
	{"http://[]/", 8, "rfc3986/ipv6address"},
	{"http://[:]/", 8, "rfc3986/ipv6address"},
	{"http://[:1::]/", 8, "rfc3986/ipv6address"},
	{"http://[1:2::3::4]/", 15, "rfc3986/ipv6address"},
	{"http://[1:::2]/", 11, "rfc3986/ipv6address"},
	{"http://[12345::]/", 8, "rfc3986/ipv6address"},
	{"http://[1:2:3:4:5:6:7]/", 21, "rfc3986/ipv6address"},
	{"http://[1:2:3:4:5:6:7:8:9]/", 25, "rfc3986/ipv6address"},
	{"http://[1:2:3:4:5:6:7:]/", 22, "rfc3986/ipv6address"},
	{"http://[1:2:3:4::5:6:7:8]/", 24, "rfc3986/ipv6address"}, // "::" stands for one group at least
	{"http://[fe80::1%25eth0]/", 15, "rfc3986/ipv6address"},   // RFC 6874 is another document
	{"http://[::1.2.3]/", 10, "rfc3986/ipv4address"},
	{"http://[::1.2.3.04]/", 10, "rfc3986/ipv4address"},
	{"http://[::1.2.3.256]/", 10, "rfc3986/ipv4address"},
	{"http://[1.2.3.4::]/", 8, "rfc3986/ipv4address"}, // ls32 stands last
	{"http://[1.2.3.4]/", 15, "rfc3986/ipv6address"},
	{"http://[v7]/", 10, "rfc3986/ipvfuture"},
	{"http://[v.a]/", 9, "rfc3986/ipvfuture"},
	{"http://[v7.]/", 11, "rfc3986/ipvfuture"},
	{"http://[v7.a%41]/", 12, "rfc3986/ipvfuture"},
	{"http://h:http/", 9, "rfc3986/port"},
	{"http://h:80:81/", 11, "rfc3986/port"},
	{"http://h/a[1]", 10, "rfc3986/path"},
	{"http://h/?a[]=1", 11, "rfc3986/query"},
	{"http://h/#a#b", 11, "rfc3986/fragment"},
	{"http://h/#a[", 11, "rfc3986/fragment"},
}

func TestRefused(t *testing.T) {
	for _, tt := range refused {
		u, err := rfc3986.Parse(tt.in)
		checkError(t, tt.in, err, tt.offset, tt.rule)
		if !u.IsZero() {
			t.Errorf("%q: refused, but gave %q", tt.in, u)
		}
	}
	for _, in := range []string{"1st:part", ":", "a%41b:c", "@:"} {
		_, err := rfc3986.ParseReference(in)
		checkError(t, in, err, strings.IndexByte(in, ':'), "rfc3986/path-noscheme")
	}
}

func checkError(t *testing.T, in string, err error, offset int, id string) {
	t.Helper()
	var e *rule.Error
	switch {
	case err == nil:
		t.Errorf("%q: taken, want %s", in, id)
	case !errors.As(err, &e):
		t.Errorf("%q: %T is no *rule.Error", in, err)
	case e.Offset != offset || e.Rule.ID != id || e.Input != in:
		t.Errorf("%q: offset %d breaks %s, want offset %d, %s", in, e.Offset, e.Rule.ID, offset, id)
	}
}

// Every rule's example breaks the rule, in one of the four readings.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rfc3986.Rules() {
		if seen[r.ID] || r.Cite == "" || r.Says == "" || r.Fix == "" {
			t.Errorf("%q: twice, or not whole", r.ID)
		}
		seen[r.ID] = true
		if r.Example == "" {
			if r.ID != "rfc3986/length" {
				t.Errorf("%s has no example", r.ID)
			}
			continue
		}
		ok := false
		for _, parse := range []func(string) (rfc3986.URI, error){rfc3986.Parse, rfc3986.ParseReference, rfc3986.ParseIRI} {
			_, err := parse(r.Example)
			ok = ok || errors.Is(err, &rule.Error{Rule: r})
		}
		if !ok && r.ID != "rfc3986/base" && r.ID != "rfc3986/dot-segments" { // see TestResolveErrors, TestRelativeErrors
			t.Errorf("%s: its example %q does not break it", r.ID, r.Example)
		}
	}
}

func TestParseAllocates(t *testing.T) {
	for _, in := range []string{"http://user@www.example.com:8080/a/b%20c?d=e#f", "http://[2001:db8::1.2.3.4]/", "mailto:a@b.example"} {
		if n := testing.AllocsPerRun(100, func() { rfc3986.Parse(in) }); n != 0 {
			t.Errorf("Parse(%q) allocates %v times", in, n)
		}
	}
	in := "http://例え.example/é"
	if n := testing.AllocsPerRun(100, func() { rfc3986.ParseIRI(in) }); n != 0 {
		t.Errorf("ParseIRI(%q) allocates %v times", in, n)
	}
}

// The real list: all of it is read back, and what is refused has a place and a
// rule.
func TestRealURLs(t *testing.T) {
	n := 0
	for _, in := range realURLs(t) {
		u, err := rfc3986.Parse(in)
		if err == nil {
			n++
			if u.String() != in || !u.HasAuthority() {
				t.Fatalf("%q reads back as %q", in, u)
			}
			continue
		}
		var e *rule.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(in) || e.Rule.IsZero() {
			t.Fatalf("%q: %#v", in, err)
		}
	}
	t.Logf("%d URLs taken", n)
}

func realURLs(t testing.TB) []string {
	data, err := os.ReadFile("../../shared/data/urls/real-urls.txt")
	if err != nil {
		t.Skip("the list of real URLs is not here: ", err)
	}
	return strings.Fields(string(data))
}

func BenchmarkParse(b *testing.B) {
	urls := realURLs(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := rfc3986.Parse(urls[i%len(urls)]); err != nil && len(err.Error()) == 0 {
			b.Fatal(err)
		}
	}
}

// An octet that no production holds breaks the rule of its place, in words of
// its own.
func TestReasons(t *testing.T) {
	for _, tt := range []struct{ in, says string }{
		{"http://h\\x", `read as "/" by the URL Standard`},
		{"http://h/a b", `white space`},
		{"http://h/\x01", `control character`},
		{"http://h/é", `outside US-ASCII`},
		{"http://h?{", `no production of the grammar`},
		{"http://h/[", `"[" and "]"`},
	} {
		var e *rule.Error
		if _, err := rfc3986.Parse(tt.in); !errors.As(err, &e) || !strings.Contains(e.Rule.Says, tt.says) || e.Rule.Cite == "" || e.Rule.Fix == "" {
			t.Errorf("%q: %v, want %s", tt.in, err, tt.says)
		}
	}
}
