package rfc1738_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"anyurl/rfc1738"
	"anyurl/rule"
)

func describe(u rfc1738.URL) string {
	var b strings.Builder
	fmt.Fprint(&b, u.Production())
	for part, text := range u.Parts() {
		fmt.Fprintf(&b, " %v=%s", part, text)
	}
	return b.String()
}

var taken = []struct{ in, want string }{
	// the examples that the document prints, in order
	{"http://www.acl.lanl.gov/URI/archive/uri-archive.index.html", "httpurl scheme=http host=www.acl.lanl.gov hpath=URI/archive/uri-archive.index.html"},
	{"ftp://@host.com/", "ftpurl scheme=ftp user= host=host.com fpath="},                  // 3.1: "an empty user name and no password"
	{"ftp://host.com/", "ftpurl scheme=ftp host=host.com fpath="},                         // "no user name"
	{"ftp://foo:@host.com/", "ftpurl scheme=ftp user=foo password= host=host.com fpath="}, // "an empty password"
	{"ftp://myname@host.dom/%2Fetc/motd", "ftpurl scheme=ftp user=myname host=host.dom fpath=%2Fetc/motd"},
	{"ftp://myname@host.dom/etc/motd", "ftpurl scheme=ftp user=myname host=host.dom fpath=etc/motd"},
	{"ftp://myname@host.dom//etc/motd", "ftpurl scheme=ftp user=myname host=host.dom fpath=/etc/motd"},
	{"file://vms.host.edu/disk$user/my/notes/note12345.txt", "fileurl scheme=file host=vms.host.edu fpath=disk$user/my/notes/note12345.txt"},
	{"prospero://host.dom//pros/name", "prosperourl scheme=prospero host=host.dom ppath=/pros/name"},
	{"ftp://info.cern.ch/pub/www/doc;type=d", "ftpurl scheme=ftp host=info.cern.ch fpath=pub/www/doc ftptype=d"},
	{"ftp://ds.internic.net/rfc", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc"},
	{"http://ds.internic.net/instructions/overview.html", "httpurl scheme=http host=ds.internic.net hpath=instructions/overview.html"}, // without its "#WARNING"
	{"ftp://ds.internic.net/rfc/rfc1436.txt;type=a", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1436.txt ftptype=a"},
	{"ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol", "ftpurl scheme=ftp host=boombox.micro.umn.edu fpath=pub/gopher/gopher_protocol"},
	{"ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z", "ftpurl scheme=ftp host=info.cern.ch fpath=pub/www/doc/http-spec.txt.Z"},
	{"ftp://quake.think.com/pub/wais/doc/protspec.txt", "ftpurl scheme=ftp host=quake.think.com fpath=pub/wais/doc/protspec.txt"},
	{"ftp://ds.internic.net/rfc/rfc1630.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1630.txt"},
	{"ftp://ds.internic.net/rfc/rfc1123.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1123.txt"},
	{"ftp://ds.internic.net/rfc/rfc822.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc822.txt"},
	{"ftp://ds.internic.net/rfc/rfc1036.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1036.txt"},
	{"ftp://quake.think.com/pub/wais/doc/doc-ids.txt", "ftpurl scheme=ftp host=quake.think.com fpath=pub/wais/doc/doc-ids.txt"},
	{"ftp://ds.internic.net/rfc/rfc977.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc977.txt"},
	{"ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=internet-drafts/draft-ietf-uri-irl-fun-req-02.txt"},
	{"ftp://ds.internic.net/rfc/rfc1034.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1034.txt"},
	{"ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z", "ftpurl scheme=ftp host=prospero.isi.edu fpath=pub/prospero/doc/prospero-protocol.PS.Z"},
	{"ftp://ds.internic.net/rfc/rfc959.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc959.txt"},
	{"ftp://ds.internic.net/rfc/rfc1737.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1737.txt"},
	{"ftp://ds.internic.net/rfc/rfc1625.txt", "ftpurl scheme=ftp host=ds.internic.net fpath=rfc/rfc1625.txt"},
	{"ftp://uu.psi.com/wp/nir.txt", "ftpurl scheme=ftp host=uu.psi.com fpath=wp/nir.txt"},
	// 3.4.7 and 3.4.8 print what stands behind the second "%09"
	{"gopher://h/0a%09%09+application/postscript%20Es_ES", "gopherurl scheme=gopher host=h gtype=0 selector=a search= gopher+_string=+application/postscript%20Es_ES"},
	{"gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Aasked%0D%0A.%0D%0A", "gopherurl scheme=gopher host=h gtype=0 selector=a search= gopher+_string=+%091%0D%0A+-1%0D%0Aasked%0D%0A.%0D%0A"},

	// ftp: 3.2
	{"ftp://h", "ftpurl scheme=ftp host=h"},
	{"FTP://h:21/", "ftpurl scheme=FTP host=h port=21 fpath="},
	{"ftp://u;?&=:p;?&=@h/", "ftpurl scheme=ftp user=u;?&= password=p;?&= host=h fpath="},
	{"ftp://u%40:p%3A@h/", "ftpurl scheme=ftp user=u%40 password=p%3A host=h fpath="},
	{"ftp://:@h/", "ftpurl scheme=ftp user= password= host=h fpath="},
	{"ftp://h/a?b:c@d&e=f", "ftpurl scheme=ftp host=h fpath=a?b:c@d&e=f"},
	{"ftp://h/;type=I", "ftpurl scheme=ftp host=h fpath= ftptype=I"},
	// hosts: 3.1
	{"http://1.2.3.4", "httpurl scheme=http host=1.2.3.4"},
	{"http://999.0.00.1", "httpurl scheme=http host=999.0.00.1"}, // digits, however many
	{"http://a-b.c--d.x9", "httpurl scheme=http host=a-b.c--d.x9"},
	{"http://1.2.3.4.5.a", "httpurl scheme=http host=1.2.3.4.5.a"},
	{"http://3com.x:0080/", "httpurl scheme=http host=3com.x port=0080 hpath="},
	// http: 3.3
	{"http://h/a;b:c@d&e=f/?g;h:i@j&k=l", "httpurl scheme=http host=h hpath=a;b:c@d&e=f/ search=g;h:i@j&k=l"},
	{"http://h/?", "httpurl scheme=http host=h hpath= search="},
	// file: 3.10
	{"file:///a//b", "fileurl scheme=file host= fpath=a//b"},
	{"file://localhost/", "fileurl scheme=file host=localhost fpath="},
	// gopher: 3.4
	{"gopher://h", "gopherurl scheme=gopher host=h"},
	{"gopher://h:70/", "gopherurl scheme=gopher host=h port=70"},
	{"gopher://h/1", "gopherurl scheme=gopher host=h gtype=1 selector="},
	{"gopher://h/7/a?b;c%09d%20e", "gopherurl scheme=gopher host=h gtype=7 selector=/a?b;c search=d%20e"},
	{"gopher://h/0a%09%09+", "gopherurl scheme=gopher host=h gtype=0 selector=a search= gopher+_string=+"},
	{"gopher://h/0a%09b/c%09d%09e", "gopherurl scheme=gopher host=h gtype=0 selector=a search=b/c gopher+_string=d%09e"},
	{"gopher://h/%31a", "gopherurl scheme=gopher host=h gtype=%31 selector=a"},
	// mailto, news, nntp, telnet: 3.5 to 3.8
	{"mailto:a%25b@c.example", "mailtourl scheme=mailto encoded822addr=a%25b@c.example"},
	{"news:*", "newsurl scheme=news grouppart=*"},
	{"news:comp.lang.c++", "newsurl scheme=news grouppart=comp.lang.c++ group=comp.lang.c++"},
	{"news:1/2?3;*@a.example", "newsurl scheme=news grouppart=1/2?3;*@a.example article=1/2?3;*@a.example host=a.example"},
	{"nntp://h/alt.test", "nntpurl scheme=nntp host=h group=alt.test"},
	{"nntp://h:119/alt.test/0123", "nntpurl scheme=nntp host=h port=119 group=alt.test digits=0123"},
	{"telnet://u:p@h:23/", "telneturl scheme=telnet user=u password=p host=h port=23"},
	{"telnet://h", "telneturl scheme=telnet host=h"},
	// wais: 3.9
	{"wais://h/", "waisdatabase scheme=wais host=h database="},
	{"wais://h:210/db", "waisdatabase scheme=wais host=h port=210 database=db"},
	{"wais://h/db?a&b", "waisindex scheme=wais host=h database=db search=a&b"},
	{"wais://h/db/TEXT/1%3D2", "waisdoc scheme=wais host=h database=db wtype=TEXT wpath=1%3D2"},
	{"wais://h///", "waisdoc scheme=wais host=h database= wtype= wpath="},
	// prospero: 3.11
	{"prospero://h:191/a/b;v=1;w=", "prosperourl scheme=prospero host=h port=191 ppath=a/b fieldspec=;v=1;w="},
	{"prospero://h/;=", "prosperourl scheme=prospero host=h ppath= fieldspec=;="},
	// otherurl
	{"x-foo:a?b;c//d", "otherurl scheme=x-foo"},
	{"https://u:p@h:1/a;b?c", "otherurl scheme=https user=u password=p host=h port=1 urlpath=a;b?c"},
	{"https://h?x", "otherurl scheme=https"}, // no login, but *xchar all the same
	{"z39.50r://h/db", "otherurl scheme=z39.50r host=h urlpath=db"},
	{"+:", "otherurl scheme=+"},
	{"prosperox:a", "otherurl scheme=prosperox"},
}

func TestParse(t *testing.T) {
	for _, tt := range taken {
		u, err := rfc1738.Parse(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got := describe(u); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.in, got, tt.want)
		}
		if u.String() != tt.in || u.IsZero() {
			t.Errorf("%q reads back as %q", tt.in, u)
		}
		if scheme, part, _ := strings.Cut(tt.in, ":"); u.Scheme() != scheme || u.Text(rfc1738.SchemePart) != part {
			t.Errorf("%q: %q and %q", tt.in, u.Scheme(), u.Text(rfc1738.SchemePart))
		}
		if _, err := rfc1738.ParseGeneric(tt.in); err != nil {
			t.Errorf("%q: a url is a genericurl: %v", tt.in, err)
		}
	}
}

func TestAccessors(t *testing.T) {
	u, err := rfc1738.Parse("prospero://h.dom:1525/a//b;n=1;;m=2")
	if err == nil {
		t.Errorf("a fieldspec without a name and \"=\" was taken: %v", u)
	}
	u, err = rfc1738.Parse("prospero://1.2.3.4:1525/a//b;n=1;=;m=2")
	if err != nil {
		t.Fatal(err)
	}
	if u.Host() != "1.2.3.4" || u.HostKind() != rfc1738.Hostnumber || u.Port() != "1525" || u.Path() != "a//b" || u.HasQuery() || u.HasUserinfo() {
		t.Error(describe(u))
	}
	if got := slices.Collect(u.Segments()); !slices.Equal(got, []string{"a", "", "b"}) {
		t.Errorf("segments %q", got)
	}
	var fields []string
	for name, value := range u.Fields() {
		fields = append(fields, name+"="+value)
	}
	if got := strings.Join(fields, " "); got != "n=1 = m=2" {
		t.Errorf("fields %q", got)
	}
	u, _ = rfc1738.Parse("ftp://u:p@h/")
	if u.Userinfo() != "u:p" || u.HostKind() != rfc1738.Hostname {
		t.Error(describe(u))
	}
	u, _ = rfc1738.Parse("wais://h/d?q")
	if u.Query() != "q" || !u.HasQuery() || len(slices.Collect(u.Segments())) != 0 {
		t.Error(describe(u))
	}
	start, end, ok := u.Span(rfc1738.Search)
	if start != 11 || end != 12 || !ok {
		t.Error(u.Span(rfc1738.Search))
	}
	if (rfc1738.URL{}).Has(rfc1738.SchemePart) || (rfc1738.URL{}).Production().String() != "" {
		t.Error("the zero value has parts")
	}
}

var refused = []struct {
	in     string
	offset int
	rule   string
}{
	// the appendix prints it; the fragment is no part of a URL
	{"http://ds.internic.net/instructions/overview.html#WARNING", 49, "rfc1738/hsegment"},

	{"", 0, "rfc1738/scheme"},
	{"a", 1, "rfc1738/scheme"},
	{":a", 0, "rfc1738/scheme"},
	{"a_b:c", 1, "rfc1738/scheme"},
	{"http://h/%4", 9, "rfc1738/escape"},
	{"x:%zz", 2, "rfc1738/escape"},
	{"http://h/\x00", 9, "rfc1738/hsegment"},
	{"mailto:\x7f", 7, "rfc1738/encoded822addr"},
	{"http://é/", 7, "rfc1738/host"},
	{"http://h/a b", 10, "rfc1738/hsegment"},
	{"http://h\\a", 8, "rfc1738/host"},
	{"http://h/{}", 9, "rfc1738/hsegment"},
	{"http://[::1]/", 7, "rfc1738/host"},
	{"http://h/#f", 9, "rfc1738/hsegment"},
	{"http://h#f", 8, "rfc1738/host"},
	{"x:<", 2, "rfc1738/schemepart"},
	{"http:", 5, "rfc1738/ip-schemepart"},
	{"http:/h", 6, "rfc1738/ip-schemepart"},
	{"ftp://a@b@c/", 9, "rfc1738/login"},
	{"ftp://a:b:c@d/", 11, "rfc1738/login"},
	{"telnet://a/b@c", 11, "rfc1738/telneturl"},
	{"http://u@h/", 8, "rfc1738/hostport"},
	{"http://u:p@h/", 10, "rfc1738/hostport"},
	{"http://u;x@h/", 10, "rfc1738/hostport"},
	{"http://", 7, "rfc1738/host"},
	{"http://:80/", 7, "rfc1738/host"},
	{"http://a_b/", 8, "rfc1738/host"},
	{"http://a%41/", 8, "rfc1738/host"},
	{"http://a..b/", 9, "rfc1738/domainlabel"},
	{"http://a-/", 8, "rfc1738/domainlabel"},
	{"http://a.-b.c/", 9, "rfc1738/domainlabel"},
	{"http://a./", 9, "rfc1738/toplabel"},
	{"http://1.2.3/", 11, "rfc1738/toplabel"},
	{"http://1.2.3.4.5/", 15, "rfc1738/toplabel"},
	{"http://h:/", 9, "rfc1738/port"},
	{"http://h:8a/", 10, "rfc1738/port"},
	{"ftp://h?x", 7, "rfc1738/ftpurl"},
	{"ftp://h/a;b", 9, "rfc1738/ftptype"},
	{"ftp://h/a;TYPE=a", 9, "rfc1738/ftptype"}, // 5: letters in quotes are themselves, as ftptype's two cases show
	{"ftp://h/a;type=", 15, "rfc1738/ftptype"},
	{"ftp://h/a;type=x", 15, "rfc1738/ftptype"},
	{"ftp://h/a;type=ab", 16, "rfc1738/ftptype"},
	{"file:///a;b", 9, "rfc1738/fsegment"},
	{"file://", 7, "rfc1738/fileurl"},
	{"file://h", 8, "rfc1738/fileurl"},
	{"file://h:80/", 8, "rfc1738/fileurl"},
	{"http://h?x", 8, "rfc1738/httpurl"},
	{"http://h/?a?b", 11, "rfc1738/search"},
	{"http://h/?a/b", 11, "rfc1738/search"},
	{"gopher://h?x", 10, "rfc1738/gopherurl"},
	{"mailto:", 7, "rfc1738/encoded822addr"},
	{"news:", 5, "rfc1738/group"},
	{"news:**", 5, "rfc1738/group"},
	{"news:a/b", 6, "rfc1738/group"},
	{"news:@h", 5, "rfc1738/article"},
	{"news:a@h/", 8, "rfc1738/article"},
	{"news:a@b@c", 8, "rfc1738/article"},
	{"nntp://h", 8, "rfc1738/nntpurl"},
	{"nntp://h/", 9, "rfc1738/group"},
	{"nntp://h/a/", 11, "rfc1738/nntpurl"},
	{"nntp://h/a/1x", 12, "rfc1738/nntpurl"},
	{"nntp://h/a@b", 10, "rfc1738/group"},
	{"telnet://h/x", 11, "rfc1738/telneturl"},
	{"wais://h", 8, "rfc1738/waisurl"},
	{"wais://h/a/b", 12, "rfc1738/waisurl"},
	{"wais://h/a/b?c", 12, "rfc1738/wtype"},
	{"wais://h/a=b", 10, "rfc1738/database"},
	{"wais://h/a/b/c/d", 14, "rfc1738/wpath"},
	{"wais://h/a?b?c", 12, "rfc1738/search"},
	{"prospero://h", 12, "rfc1738/prosperourl"},
	{"prospero://h?x", 12, "rfc1738/prosperourl"},
	{"prospero://h/a;b", 16, "rfc1738/fieldspec"},
	{"prospero://h/a;b=c=d", 18, "rfc1738/fieldspec"},
	{"prospero://h/a;b=c/d", 18, "rfc1738/fieldspec"},
}

func TestRefused(t *testing.T) {
	for _, tt := range refused {
		u, err := rfc1738.Parse(tt.in)
		var e *rule.Error
		switch {
		case err == nil:
			t.Errorf("%q: taken as %s, want %s", tt.in, describe(u), tt.rule)
		case !errors.As(err, &e):
			t.Errorf("%q: %T is no *rule.Error", tt.in, err)
		case e.Offset != tt.offset || e.Rule.ID != tt.rule || e.Input != tt.in || !u.IsZero():
			t.Errorf("%q: offset %d breaks %s, want offset %d, %s", tt.in, e.Offset, e.Rule.ID, tt.offset, tt.rule)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rfc1738.Rules() {
		if seen[r.ID] || r.Cite == "" || r.Says == "" || r.Fix == "" {
			t.Errorf("%q: twice, or not whole", r.ID)
		}
		seen[r.ID] = true
		if r.ID == "rfc1738/length" {
			continue
		}
		parse := rfc1738.Parse
		if r.ID == "rfc1738/relative" {
			parse = func(s string) (rfc1738.URL, error) { return rfc1738.Resolve(rfc1738.URL{}, s) }
		}
		if _, err := parse(r.Example); !errors.Is(err, &rule.Error{Rule: r}) {
			t.Errorf("%s: its example %q gives %v", r.ID, r.Example, err)
		}
	}
}

func TestResolve(t *testing.T) {
	base, err := rfc1738.Parse("http://h/a/b")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := rfc1738.Resolve(base, "ftp://i/c"); err != nil || u.String() != "ftp://i/c" {
		t.Error(u, err)
	}
	for ref, id := range map[string]string{"c": "rfc1738/relative", "": "rfc1738/relative", "//i": "rfc1738/relative", "http://i/~": "rfc1738/hsegment"} {
		var e *rule.Error
		if _, err := rfc1738.Resolve(base, ref); !errors.As(err, &e) || e.Rule.ID != id {
			t.Errorf("%q: %v, want %s", ref, err, id)
		}
	}
}

// The path as RFC 3986 has it.
func TestGenericPath(t *testing.T) {
	for _, tt := range []struct {
		in, want  string
		authority bool
	}{
		{"http://h:80/a/b?c", "/a/b", true},
		{"http://h", "", true},
		{"ftp://u@h/a;type=i", "/a;type=i", true},
		{"file:///a", "/a", true},
		{"gopher://h/7a%09b", "/7a%09b", true},
		{"wais://h/d?s", "/d", true},
		{"mailto:a@b", "a@b", false},
		{"news:a@b", "a@b", false},
		{"https://h/a?b", "/a?b", true},
		{"x:a?b", "a?b", false},
	} {
		u, err := rfc1738.Parse(tt.in)
		if err != nil || u.GenericPath() != tt.want || u.HasAuthority() != tt.authority {
			t.Errorf("%q: %q, %v, %v", tt.in, u.GenericPath(), u.HasAuthority(), err)
		}
	}
}

func TestParseAllocates(t *testing.T) {
	for _, tt := range taken {
		if n := testing.AllocsPerRun(10, func() { rfc1738.Parse(tt.in) }); n != 0 {
			t.Errorf("Parse(%q) allocates %v times", tt.in, n)
		}
	}
}

// Every text is read in one pass, or two; the test ends within its deadline
// only if time is linear.
func TestLong(t *testing.T) {
	for _, s := range []string{"http://", "ftp://", "x://", "news:", "prospero://h/;", "gopher://h/1", "mailto:"} {
		for _, tail := range []string{"a", ":", "@", "%09", ";=", "a.", "/", "?"} {
			rfc1738.Parse(s + strings.Repeat(tail, 1e6))
		}
	}
}

// An octet that no production holds breaks the rule of its place, in words of
// its own.
func TestReasons(t *testing.T) {
	for _, tt := range []struct{ in, says string }{
		{"http://h\\x", `read as "/" by the URL Standard`},
		{"x:a b", `a space is unsafe`},
		{"mailto:\x7f", `control character`},
		{"http://h/é", `outside US-ASCII`},
		{"ftp://h/~", `gateways modify`},
		{"http://h/a#b", `delimit URLs`},
		{"http://h/?a/b", `"/" and "?" are reserved`},
	} {
		var e *rule.Error
		if _, err := rfc1738.Parse(tt.in); !errors.As(err, &e) || !strings.Contains(e.Rule.Says, tt.says) || e.Rule.Cite == "" || e.Rule.Fix == "" {
			t.Errorf("%q: %v, want %s", tt.in, err, tt.says)
		}
	}
}
