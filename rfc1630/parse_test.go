package rfc1630_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"anyurl/rfc1630"
	"anyurl/rule"
)

func describe(u rfc1630.URI) string {
	var b strings.Builder
	fmt.Fprint(&b, u.Production())
	for part, text := range u.Parts() {
		fmt.Fprintf(&b, " %v=%s", part, text)
	}
	return b.String()
}

var taken = []struct{ in, want string }{
	// the examples that the document prints, without line breaks
	{"http://info.cern.ch/albert/bertram/marie-claude", "httpaddress scheme=http host=info.cern.ch path=albert/bertram/marie-claude"},
	{"http://info.cern.ch/albert/bertram/marie%2Dclaude", "httpaddress scheme=http host=info.cern.ch path=albert/bertram/marie%2Dclaude"},
	{"http://info.cern.ch/albert/bertram%2Fmarie-claude", "httpaddress scheme=http host=info.cern.ch path=albert/bertram%2Fmarie-claude"},
	{"magic://a/b/c//d/e/f", "uri scheme=magic path=//a/b/c//d/e/f"},
	{"magic://a/b/c//d/e/", "uri scheme=magic path=//a/b/c//d/e/"},
	{"g:h", "uri scheme=g path=h"},
	{"ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol", "ftpaddress scheme=ftp host=boombox.micro.umn.edu path=pub/gopher/gopher_protocol"},
	{"ftp://info.cern.ch/pub/www/doc/http-spec.txt", "ftpaddress scheme=ftp host=info.cern.ch path=pub/www/doc/http-spec.txt"},
	{"ftp://quake.think.com/pub/wais/doc/protspec.txt", "ftpaddress scheme=ftp host=quake.think.com path=pub/wais/doc/protspec.txt"},
	{"ftp://ds.internic.net/rfc/rfc977.txt", "ftpaddress scheme=ftp host=ds.internic.net path=rfc/rfc977.txt"},
	{"wais://quake.think.com/wais-discussion-archives?lynch", "waisindex scheme=wais host=quake.think.com database=wais-discussion-archives search=lynch"},
	{"ftp://prospero.isi.edu/pub/prospero/oir.ps", "ftpaddress scheme=ftp host=prospero.isi.edu path=pub/prospero/oir.ps"},
	{"ftp://uu.psi.com/wp/nir.txt", "ftpaddress scheme=ftp host=uu.psi.com path=wp/nir.txt"},
	{"ftp://ds.internic.net/rfc/rfc1034.txt", "ftpaddress scheme=ftp host=ds.internic.net path=rfc/rfc1034.txt"},
	{"ftp://ds.internic.net/rfc/rfc959.txt", "ftpaddress scheme=ftp host=ds.internic.net path=rfc/rfc959.txt"},
	{"ftp://quake.think.com/pub/wais/doc/doc-ids.txt", "ftpaddress scheme=ftp host=quake.think.com path=pub/wais/doc/doc-ids.txt"},
	// what the one that holds spaces would be
	{"gopher://gopher.micro.umn.edu/00/Information%20About%20Gopher/About%20Gopher", "gopheraddress scheme=gopher host=gopher.micro.umn.edu gtype=0 gcommand=0/Information%20About%20Gopher/About%20Gopher"},

	// generic syntax
	{"x:", "uri scheme=x path="},
	{"x:?a+b", "uri scheme=x path= search=a+b"},
	{"x:/a/", "uri scheme=x path=/a/"},
	{"a$-_@.&!*\"'(),%41:a+b$@", "uri scheme=a$-_@.&!*\"'(),%41 path=a+b$@"},
	{"HTTP://h/", "uri scheme=HTTP path=//h/"}, // single letters stand for themselves: this is no httpaddress
	{"file://h/a", "uri scheme=file path=//h/a"},
	{"x:a#b", "uri scheme=x path=a fragmentid=b"},
	{"x:a#", "uri scheme=x path=a fragmentid="}, // a void fragment-id, with the hash sign
	// http
	{"http://h", "httpaddress scheme=http host=h"},
	{"http://h:80", "httpaddress scheme=http host=h port=80"},
	{"http://h/", "httpaddress scheme=http host=h path="},
	{"http://h?a+b", "httpaddress scheme=http host=h search=a+b"},
	{"http://h//a//?++", "httpaddress scheme=http host=h path=/a// search=++"},
	{"http://1.22.333.4444/#x", "httpaddress scheme=http host=1.22.333.4444 path= fragmentid=x"},
	{"http://a%41!.(b)/", "httpaddress scheme=http host=a%41!.(b) path="},
	{"url:http://h", "httpaddress prefix=url scheme=http host=h"},
	// ftp
	{"ftp://u:p@h:21/a", "ftpaddress scheme=ftp user=u password=p host=h port=21 path=a"},
	{"ftp://u@h/a;type=AN", "ftpaddress scheme=ftp user=u host=h path=a ftptype=AN"},
	{"ftp://h/;type=ET", "ftpaddress scheme=ftp host=h path= ftptype=ET"},
	{"ftp://h/a;type=I", "ftpaddress scheme=ftp host=h path=a ftptype=I"},
	{"ftp://h/a;type=L36#x", "ftpaddress scheme=ftp host=h path=a ftptype=L36 fragmentid=x"},
	{"ftp://h/aAN", "ftpaddress scheme=ftp host=h path=aAN"}, // nothing tells a type from the path
	// afs
	{"afs://cell.name/a/b", "afsaddress scheme=afs cellname=cell.name path=a/b"},
	// news, nntp
	{"news:*", "newsaddress scheme=news groupart=*"},
	{"news:alt.hypertext", "newsaddress scheme=news groupart=alt.hypertext group=alt.hypertext"},
	{"news:comp.lang.c++", "newsaddress scheme=news groupart=comp.lang.c++ group=comp.lang.c++"},
	{"news:1$a@b@h.x", "newsaddress scheme=news groupart=1$a@b@h.x article=1$a@b@h.x host=h.x"},
	{"news:*@1.2.3.4", "newsaddress scheme=news groupart=*@1.2.3.4 article=*@1.2.3.4 host=1.2.3.4"},
	{"news:a@1", "newsaddress scheme=news groupart=a@1 group=a@1"},
	{"nntp:alt.test/0123", "nntpaddress scheme=nntp group=alt.test digits=0123"},
	// mid, cid, mailto
	{"mid:a.1@h.x", "midaddress scheme=mid addr-spec=a.1@h.x host=h.x"},
	{"cid:a@1.2.3.4", "cidaddress scheme=cid addr-spec=a@1.2.3.4 host=1.2.3.4"},
	{"mailto:a%25b@h.x", "mailtoaddress scheme=mailto xalphas=a%25b host=h.x"},
	{"mailto:@@h", "mailtoaddress scheme=mailto xalphas=@ host=h"},
	// wais
	{"wais://h:210/db", "waisindex scheme=wais host=h port=210 database=db"},
	{"wais://h/db?a+b", "waisindex scheme=wais host=h database=db search=a+b"},
	{"wais://h/db/TEXT/1=a/b;2=;", "waisdoc scheme=wais host=h database=db wtype=TEXT wpath=1=a/b;2=;"},
	// prospero
	{"prospero://h/a/b", "prosperolink scheme=prospero host=h hsoname=a/b"},
	{"prospero://h:191/", "prosperolink scheme=prospero host=h port=191 hsoname="},
	{"prospero://h/a%00b%0012ab", "prosperolink scheme=prospero host=h hsoname=a%00b version=12 attributes=ab"},
	{"prospero://h/a%0012", "prosperolink scheme=prospero host=h hsoname=a version=12"},
	{"prospero://h/a%00x", "prosperolink scheme=prospero host=h hsoname=a%00x"},
	// telnet, gopher
	{"telnet://u:p@h:23", "telnetaddress scheme=telnet user=u password=p host=h port=23"},
	{"gopher://h", "gopheraddress scheme=gopher host=h"},
	{"gopher://h:70/1", "gopheraddress scheme=gopher host=h port=70 gtype=1 gcommand="},
	{"gopher://h/%31/a", "gopheraddress scheme=gopher host=h gtype=%31 gcommand=/a"},
}

func TestParse(t *testing.T) {
	for _, tt := range taken {
		u, err := rfc1630.Parse(tt.in)
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
	}
}

func TestAccessors(t *testing.T) {
	u, err := rfc1630.Parse("ftp://u:p@1.2.3.4:21/a#f")
	if err != nil {
		t.Fatal(err)
	}
	if u.Scheme() != "ftp" || u.Userinfo() != "u:p" || !u.HasUserinfo() || u.Host() != "1.2.3.4" || u.HostKind() != rfc1630.Hostnumber ||
		u.Port() != "21" || u.Path() != "a" || u.HasQuery() || u.Fragment() != "f" || !u.HasFragment() {
		t.Error(describe(u))
	}
	u, _ = rfc1630.ParseGeneric("x:y?a+b+c")
	if got := slices.Collect(u.Words()); !slices.Equal(got, []string{"a", "b", "c"}) || u.Query() != "a+b+c" || u.HostKind() != rfc1630.HostNone {
		t.Error(describe(u), got)
	}
	if start, end, ok := u.Span(rfc1630.Search); start != 4 || end != 9 || !ok {
		t.Error(u.Span(rfc1630.Search))
	}
}

var refused = []struct {
	in     string
	offset int
	rule   string
}{
	// "illegal, as all % characters imply encodings"
	{"fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", 36, "rfc1630/escape"},
	{"news:12345667123%asdghfh@info.cern.ch", 16, "rfc1630/escape"},
	// printed with spaces
	{"ftp://boombox.micro.umn.edu/pub/gopher/ gopher_protocol", 39, "rfc1630/ftpaddress"},
	{"ftp://quake.think.com/pub/wa is/doc/protspec.txt", 28, "rfc1630/ftpaddress"},
	{"ftp: //quake.think.com/pub/wais/doc/doc-ids.txt", 4, "rfc1630/url"},
	{"gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher", 44, "rfc1630/gopheraddress"},

	{"", 0, "rfc1630/scheme"},
	{"abc", 3, "rfc1630/scheme"},
	{"1:a", 0, "rfc1630/scheme"},
	{"a+b:c", 1, "rfc1630/scheme"},
	{"x:\x00", 2, "rfc1630/path"},
	{"x:é", 2, "rfc1630/path"},
	{"x:`", 2, "rfc1630/path"},
	{`http:\\h`, 5, "rfc1630/url"},
	{"http://h/~a", 9, "rfc1630/path"},
	{"http://[::1]/", 7, "rfc1630/host"},
	{"x:<", 2, "rfc1630/path"},
	{"x:a;b", 3, "rfc1630/path"},
	{"http://h/a:b", 10, "rfc1630/path"},
	{"x:?", 3, "rfc1630/search"},
	{"x:?a++b", 5, "rfc1630/search"},
	{"x:?a+", 5, "rfc1630/search"},
	{"http://h/?", 10, "rfc1630/search"},
	{"http://h/?a/b", 11, "rfc1630/search"},
	{"http://h/#a#b", 11, "rfc1630/fragmentid"},
	{"x:#a+b", 4, "rfc1630/fragmentid"}, // the generic xalpha holds no "+"
	{"http:h", 5, "rfc1630/url"},
	{"url:x:a", 4, "rfc1630/prefixedurl"},
	{"url:afs://c/p", 4, "rfc1630/prefixedurl"},
	{"http://u@h/", 8, "rfc1630/hostport"},
	{"gopher://u:p@h", 12, "rfc1630/hostport"},
	{"ftp://a@b@c/", 9, "rfc1630/login"},
	{"ftp://a%41@b/", 10, "rfc1630/login"}, // alphanum2 holds no escape
	{"ftp://@b/", 6, "rfc1630/login"},
	{"telnet://a:b:c@d", 14, "rfc1630/login"},
	{"afs://a@b/c", 7, "rfc1630/afsaddress"},
	{"http://", 7, "rfc1630/host"},
	{"http://.a/", 7, "rfc1630/host"},
	{"http://1.2.3/", 7, "rfc1630/hostnumber"},
	{"http://3com.x/", 7, "rfc1630/hostnumber"},
	{"http://h:/", 9, "rfc1630/port"},
	{"http://h:8x/", 10, "rfc1630/port"},
	{"http://h;x", 8, "rfc1630/httpaddress"},
	{"ftp://h", 7, "rfc1630/ftpaddress"},
	{"ftp://h/a?b", 9, "rfc1630/ftpaddress"},
	{"ftp://h/a;type=", 15, "rfc1630/ftptype"},
	{"ftp://h/a;type=A", 15, "rfc1630/ftptype"},
	{"ftp://h/a;type=AX", 15, "rfc1630/ftptype"},
	{"ftp://h/a;type=II", 16, "rfc1630/ftptype"},
	{"ftp://h/a;type=L", 15, "rfc1630/ftptype"},
	{"afs://c", 7, "rfc1630/afsaddress"},
	{"afs://1/p", 6, "rfc1630/host"},
	{"news:", 5, "rfc1630/groupart"},
	{"news:a/b", 6, "rfc1630/groupart"},
	{"news:**", 5, "rfc1630/groupart"},
	{"news:1@", 5, "rfc1630/groupart"},
	{"nntp://h/a/1", 5, "rfc1630/nntpaddress"},
	{"nntp:a", 6, "rfc1630/nntpaddress"},
	{"nntp:a/1x", 8, "rfc1630/nntpaddress"},
	{"mid:a", 5, "rfc1630/addr-spec"},
	{"cid:@h", 6, "rfc1630/addr-spec"},
	{"mailto:a", 8, "rfc1630/mailtoaddress"},
	{"mailto:a@1.2.3.4", 16, "rfc1630/mailtoaddress"}, // a hostname, not a host
	{"wais://h/", 9, "rfc1630/waisaddress"},
	{"wais://h/a/b", 12, "rfc1630/waisaddress"},
	{"wais://h/a/b/", 13, "rfc1630/wpath"},
	{"wais://h/a/b/1=a", 16, "rfc1630/wpath"},
	{"wais://h/a/b/1=a;x", 17, "rfc1630/wpath"},
	{"prospero://h", 12, "rfc1630/prosperolink"},
	{"prospero://h/a;b=c", 14, "rfc1630/path"},
	{"telnet://h/", 10, "rfc1630/telnetaddress"},
	{"gopher://h/", 11, "rfc1630/gtype"},
	{"gopher://h/7a?b", 13, "rfc1630/gopheraddress"},
}

func TestRefused(t *testing.T) {
	for _, tt := range refused {
		u, err := rfc1630.Parse(tt.in)
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
	for _, r := range rfc1630.Rules() {
		if seen[r.ID] || r.Cite == "" || r.Says == "" || r.Fix == "" {
			t.Errorf("%q: twice, or not whole", r.ID)
		}
		seen[r.ID] = true
		if r.ID == "rfc1630/length" {
			continue
		}
		if _, err := rfc1630.Parse(r.Example); !errors.Is(err, &rule.Error{Rule: r}) {
			t.Errorf("%s: its example %q gives %v", r.ID, r.Example, err)
		}
	}
}

// The path as RFC 3986 has it.
func TestGenericPath(t *testing.T) {
	for _, tt := range []struct {
		in, want  string
		authority bool
	}{
		{"http://h:80/a/b?c#d", "/a/b", true},
		{"http://h#d", "", true},
		{"url:ftp://u@h/a;type=I", "/a;type=I", true},
		{"wais://h/d?s", "/d", true},
		{"mailto:a@b", "a@b", false},
		{"nntp:a/1", "a/1", false},
		{"x://h/a?b", "//h/a", false},
		{"afs://c/a", "/a", true},
	} {
		u, err := rfc1630.Parse(tt.in)
		if err != nil || u.GenericPath() != tt.want || u.HasAuthority() != tt.authority {
			t.Errorf("%q: %q, %v, %v", tt.in, u.GenericPath(), u.HasAuthority(), err)
		}
	}
	if got := (rfc1630.URI{}).GenericPath(); got != "" {
		t.Error(got)
	}
}

func TestParseAllocates(t *testing.T) {
	for _, tt := range taken {
		if n := testing.AllocsPerRun(10, func() { rfc1630.Parse(tt.in) }); n != 0 {
			t.Errorf("Parse(%q) allocates %v times", tt.in, n)
		}
	}
}

// Section "Partial (relative) form". The rows of the first group are those
// printed, in both contexts; see docs/decisions/rfc1630-grammar.md.
func TestResolve(t *testing.T) {
	for _, tt := range []struct{ context, form, want string }{
		{"magic://a/b/c//d/e/f", "g:h", "g:h"},
		{"magic://a/b/c//d/e/f", "g", "magic://a/b/c//d/e/g"},
		{"magic://a/b/c//d/e/f", "/g", "magic://a/g"},
		{"magic://a/b/c//d/e/f", "//g", "magic://g"},
		{"magic://a/b/c//d/e/f", "../g", "magic://a/b/c//d/g"},
		{"magic://a/b/c//d/e/", "g:h", "g:h"},
		{"magic://a/b/c//d/e/", "g", "magic://a/b/c//d/e/g"},
		{"magic://a/b/c//d/e/", "/g", "magic://a/g"},
		{"magic://a/b/c//d/e/", "//g", "magic://g"},
		{"magic://a/b/c//d/e/", "../g", "magic://a/b/c//d/g"},
		// slashes
		{"magic://a/b", "///g", "magic:///g"},
		{"magic:a//b///c/d", "///g", "magic:a//b///g"},
		{"news:a", "/g", ""}, // a newsaddress has no slashes
		{"x:a", "/g", "x:/g"},
		{"x:a", "g", "x:g"},
		// removed: "xxx/../" and "/.", as complete elements
		{"magic://a/b/c", "./g", "magic://a/b/g"},
		{"magic://a/b/c", ".", "magic://a/b"},
		{"magic://a/b/c", "./", "magic://a/b/"},
		{"magic://a/b/c", "..", "magic://a/b/.."},
		{"magic://a/b/c", "../", "magic://a/"},
		{"magic://a/b/c", ".g/..g/g./g..", "magic://a/b/.g/..g/g./g.."},
		{"magic://a/b/c/d", "x/y/../../z/./../g", "magic://a/b/c/g"},
		{"magic://a/b", "../../g", "magic://a/../../g"}, // not up to another host
		{"magic://a", "g", "magic://g"},                 // the rightmost slash is the one before a
		{"x:a/b", "../../g", "x:../g"},
		{"x:/a/b", "../../g", "x:/../g"},
		{"magic://a//b/c", "../../g", "magic://a/g"},
		// search and fragment identifier
		{"http://h/a/b?s+t#f", "g", "http://h/a/g"},
		{"http://h/a/b?s+t#f", "/g?u#v", "http://h/g?u#v"},
		{"http://h/a/b?s+t#f", "?u", "http://h/a/b?u"},
		{"http://h/a/b?s+t#f", "#v", "http://h/a/b?s+t#v"},
		{"http://h/a/b?s+t#f", "", "http://h/a/b?s+t"},
		{"http://h/a/b", "//i:80/c", "http://i:80/c"},
		{"url:http://h/a/b", "c", "url:http://h/a/c"},
		// what the scheme's grammar does not take, or no form has
		{"http://h/a/b", "//1/c", ""},
		{"http://h/a/b", "c:d", "c:d"},
		{"http://h/a/b", "c d", ""},
		{"http://h/a/b", "%zz", ""},
		{"http://h/a/b", "c/d:e", ""},
	} {
		context, err := rfc1630.Parse(tt.context)
		if err != nil {
			t.Errorf("%q: %v", tt.context, err)
			continue
		}
		got, err := rfc1630.Resolve(context, tt.form)
		if (err == nil) != (tt.want != "") || got.String() != tt.want {
			t.Errorf("%s + %s = %s, %v, want %s", tt.context, tt.form, got, err, tt.want)
		}
	}
	if _, err := rfc1630.Resolve(rfc1630.URI{}, "g"); err == nil {
		t.Error("a form was resolved in no context")
	}
}

func TestLong(t *testing.T) {
	for _, s := range []string{"http://", "ftp://", "x:", "news:", "mailto:", "wais://h/a/b/", "prospero://h/", "gopher://h/1"} {
		for _, tail := range []string{"a", ":", "@", "@1.2.3.4", "%00", "1=;", "a.", "/", "?", "+"} {
			rfc1630.Parse(s + strings.Repeat(tail, 5e5))
		}
	}
	context, _ := rfc1630.Parse("x:/a")
	rfc1630.Resolve(context, strings.Repeat("a/", 5e5)+strings.Repeat("../", 5e5))
	rfc1630.Resolve(context, strings.Repeat("/", 5e5))
}

// An octet that no production holds breaks the rule of its place, in words of
// its own.
func TestReasons(t *testing.T) {
	for _, tt := range []struct{ in, says string }{
		{"http://h\\x", `read as "/" by the URL Standard`},
		{"x:a b", `a space is encoded`},
		{"mailto:a@h\x7f", `control character`},
		{"http://h/é", `outside US-ASCII`},
		{"ftp://h/~", `national characters`},
		{"http://h/<", `punctuation`},
		{"x:a;b", `reserved`},
	} {
		var e *rule.Error
		if _, err := rfc1630.Parse(tt.in); !errors.As(err, &e) || !strings.Contains(e.Rule.Says, tt.says) || e.Rule.Cite == "" || e.Rule.Fix == "" {
			t.Errorf("%q: %v, want %s", tt.in, err, tt.says)
		}
	}
}
