package anyurl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
)

func TestZero(t *testing.T) {
	var u anyurl.URL
	if !u.IsZero() || u.String() != "" || u.Scheme() != "" || u.HasHost() || u.OpaquePath() || u.HasUserinfo() ||
		u.HasPort() || u.EffectivePort() != 0 || u.Path() != "" || u.HasQuery() || u.HasFragment() ||
		u.Origin() != "null" || u.Redacted() != "" || u.HostPort() != "" || !u.Host().IsZero() {
		t.Errorf("the zero URL has parts: %#v", u)
	}
	if len(slices.Collect(u.Segments())) != 0 {
		t.Error("the zero URL has segments")
	}
	if u == anyurl.MustParse("a:") {
		t.Error("the zero URL equals a URL")
	}
}

func TestComparable(t *testing.T) {
	set := map[anyurl.URL]bool{anyurl.MustParse("HTTP://A.example:80/b/../c"): true}
	if !set[anyurl.MustParse("http://a.example/c")] {
		t.Error("two URLs of one serialisation are two keys")
	}
}

// The zero URL has no scheme that a part could follow.
func TestZeroSetters(t *testing.T) {
	for _, attribute := range []string{"protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"} {
		if v, err := set(anyurl.URL{}, attribute, "1"); err == nil || !v.IsZero() {
			t.Errorf("%s of the zero URL: %q, %v", attribute, v, err)
		}
	}
}

func TestRedacted(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"http://a.example/", "http://a.example/"},
		{"http://u@a.example/", "http://u@a.example/"},
		{"http://u:secret@a.example/?q#f", "http://u:***@a.example/?q#f"},
		{"http://:secret@a.example/", "http://:***@a.example/"},
		{"view-source:http://u:secret@a.example/", "view-source:http://u:***@a.example/"},
		{"http://a.example/?u=http://u:secret@b.example/", "http://a.example/?u=http://u:***@b.example/"},
		{"http://a.example/?u=http%3A%2F%2Fu%3Asecret%40b.example", "http://a.example/?u=http%3A%2F%2Fu%3A***%40b.example"},
		{"mailto:u@a.example", "mailto:u@a.example"},
	} {
		if got := anyurl.MustParse(tt.in).Redacted(); got != tt.want {
			t.Errorf("%q redacted is %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSegments(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"http://a.example", []string{""}},
		{"http://a.example/b/c%2Fd/", []string{"b", "c%2Fd", ""}},
		{"http://a.example//b", []string{"", "b"}},
		{"x://a.example", nil}, // URL representation: the path is « »
		{"mailto:a/b", nil},    // opaque
		{"x:/a", []string{"a"}},
		{"x:/.//a", []string{"", "a"}}, // URL serializing, step 3
	} {
		if got := slices.Collect(anyurl.MustParse(tt.in).Segments()); !slices.Equal(got, tt.want) {
			t.Errorf("%q has the segments %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, tt := range []struct {
		base     string
		segments []string
		want     string // a rule's ID, if it has no ":"
	}{
		{"http://a.example", []string{"b"}, "http://a.example/b"},
		{"http://a.example/b/?q#f", []string{"c", "d"}, "http://a.example/b/c/d?q#f"},
		{"http://a.example/b", []string{"c", ""}, "http://a.example/b/c/"},
		{"http://a.example/b", []string{"c/d", `e\f`, "g%2Fh"}, "http://a.example/b/c%2Fd/e%5Cf/g%252Fh"},
		{"http://a.example/b", []string{"%2e%2E"}, "http://a.example/b/%252e%252E"},
		{"http://a.example/b", []string{"?", "#", "é", "\t"}, "http://a.example/b/%3F/%23/%C3%A9/%09"},
		{"http://a.example/b", []string{"c", ".."}, "url/dot-segment"},
		{"http://a.example/b", []string{"."}, "url/dot-segment"},
		{"file:///", []string{"C|", "x"}, "file:///C%7C/x"},
		{"x:/", []string{"", "a"}, "x:/.//a"},
		{"x://h", []string{"a"}, "x://h/a"},
		{"mailto:a@b.example", []string{"c"}, "url/opaque-path"},
	} {
		base := anyurl.MustParse(tt.base)
		got, err := base.Join(tt.segments...)
		if !strings.Contains(tt.want, ":") {
			wantRule(t, fmt.Sprintf("Join(%q, %q)", tt.base, tt.segments), err, tt.want, -1)
			continue
		}
		if err != nil || got.String() != tt.want {
			t.Errorf("Join(%q, %q) = %q, %v, want %q", tt.base, tt.segments, got, err, tt.want)
		}
		if again, err := anyurl.Parse(got.String()); err != nil || again != got {
			t.Errorf("Join(%q, %q) = %q, which reads as %q, %v", tt.base, tt.segments, got, again, err)
		}
	}
}

// wantRule holds err to be a *rule.Error for the rule of that ID, at that
// offset unless it is negative.
func wantRule(t *testing.T, what string, err error, id string, offset int) {
	t.Helper()
	var re *rule.Error
	if !errors.As(err, &re) {
		t.Errorf("%s: %v, want an error for %s", what, err, id)
		return
	}
	if re.Rule.ID != id || offset >= 0 && re.Offset != offset {
		t.Errorf("%s: %s at %d, want %s at %d", what, re.Rule.ID, re.Offset, id, offset)
	}
	if re.Offset < 0 || re.Offset > len(re.Input) {
		t.Errorf("%s: offset %d is not in %q", what, re.Offset, re.Input)
	}
	if !slices.Contains(anyurl.Rules(), re.Rule) {
		t.Errorf("%s: %s is not listed in Rules", what, re.Rule.ID)
	}
}

func TestQuery(t *testing.T) {
	q := anyurl.ParseQuery("?a=1&&b&c=%7e&a=2+3&d;e=f&%41=g")
	type pairs = [][2]string
	collect := func(q anyurl.Query) (p pairs) {
		for n, v := range q.All() {
			p = append(p, [2]string{n, v})
		}
		return p
	}
	want := pairs{{"a", "1"}, {"b", ""}, {"c", "~"}, {"a", "2 3"}, {"d;e", "f"}, {"A", "g"}}
	if got := collect(q); !slices.Equal(got, want) {
		t.Errorf("pairs are %q, want %q", got, want)
	}
	if q.Len() != len(want) || !q.Has("b") || q.Has("x") {
		t.Errorf("Len or Has is wrong: %d", q.Len())
	}
	if got := q.Values("a"); !slices.Equal(got, []string{"1", "2 3"}) {
		t.Errorf("the values for a are %q", got)
	}
	for _, tt := range []struct {
		what      string
		got, want anyurl.Query
	}{
		{"Add", q.Add("é&", "=x y"), anyurl.ParseQuery("a=1&&b&c=%7e&a=2+3&d;e=f&%41=g&%C3%A9%26=%3Dx+y")},
		{"AddKey", q.AddKey("z"), anyurl.ParseQuery("a=1&&b&c=%7e&a=2+3&d;e=f&%41=g&z")},
		{"Set", q.Set("a", "0"), anyurl.ParseQuery("a=0&b&c=%7e&d;e=f&%41=g")},
		{"Set of a new name", anyurl.ParseQuery("b").Set("a", "0"), anyurl.ParseQuery("b&a=0")},
		{"Delete", q.Delete("a"), anyurl.ParseQuery("b&c=%7e&d;e=f&%41=g")},
		{"Delete of what is not there", q.Delete("x"), q},
		{"Sort", q.Sort(), anyurl.ParseQuery("%41=g&a=1&a=2+3&b&c=%7e&d;e=f")},
		// URLSearchParams sort: by code units, so a surrogate pair sorts before U+FB01
		{"Sort by code units", anyurl.ParseQuery("ﬁ&🌈").Sort(), anyurl.ParseQuery("🌈&ﬁ")},
		{"QueryOf", anyurl.QueryOf(maps.All(map[string]string{"a b": "c"})), anyurl.ParseQuery("a+b=c")},
		{"ill-formed UTF-8", anyurl.ParseQuery("").Add("\xff", ""), anyurl.ParseQuery("%EF%BF%BD=")},
	} {
		if tt.got != tt.want {
			t.Errorf("%s gives %q, want %q", tt.what, tt.got, tt.want)
		}
	}
	if v, ok := anyurl.ParseQuery("a=%FF").Get("a"); v != "\uFFFD" || !ok {
		t.Errorf("an octet that is not UTF-8 reads as %q", v)
	}
	u := anyurl.MustParse("http://a.example/?b=2&a=1#f")
	if got, err := u.WithParams(u.Params().Sort()); err != nil || got.String() != "http://a.example/?a=1&b=2#f" {
		t.Errorf("sorted: %q, %v", got, err)
	}
	if got, err := u.WithParams(anyurl.Query{}); err != nil || got.String() != "http://a.example/#f" {
		t.Errorf("emptied: %q, %v", got, err)
	}
}

func TestFileURL(t *testing.T) {
	for _, tt := range []struct {
		style anyurl.PathStyle
		path  string
		url   string // a rule's ID, if it has no "://"
		back  string // the path of url, if it is not path
	}{
		{anyurl.UnixPath, "/", "file:///", ""},
		{anyurl.UnixPath, "/etc/motd", "file:///etc/motd", ""},
		{anyurl.UnixPath, "/a b/50%/c?d#e/f\\g;h:i", "file:///a%20b/50%25/c%3Fd%23e/f%5Cg;h:i", ""},
		{anyurl.UnixPath, "/\xff\n", "file:///%FF%0A", ""},
		{anyurl.UnixPath, "/C|/x", "file:///C%7C/x", ""},
		{anyurl.UnixPath, "//a//b/", "file:////a//b/", ""},
		{anyurl.UnixPath, "/a/./b/../c", "file:///a/c", "/a/c"},
		{anyurl.UnixPath, "/%2e", "file:///%252e", ""},
		// ".." goes up as in a file system: a drive letter is a name like any
		// other, which the standard's shorten would keep, and several slashes
		// are one
		{anyurl.UnixPath, "/C:/../a", "file:///a", "/a"},
		{anyurl.UnixPath, "/a//..", "file:///", "/"},
		{anyurl.UnixPath, "/a//../b", "file:///b", "/b"},
		{anyurl.UnixPath, "/a/b//./../.", "file:///a/", "/a/"},
		{anyurl.UnixPath, "/../..", "file:///", "/"},
		{anyurl.UnixPath, "a", "url/file-path", ""},
		{anyurl.UnixPath, "", "url/file-path", ""},
		{anyurl.UnixPath, "/a\x00", "url/file-path", ""},
		// RFC 8089, appendix E.2: drive letters
		{anyurl.WindowsPath, `C:\`, "file:///C:/", ""},
		{anyurl.WindowsPath, `c:\a b\c#d`, "file:///c:/a%20b/c%23d", ""},
		{anyurl.WindowsPath, `C:/a`, "file:///C:/a", `C:\a`},
		// RFC 8089, appendix E.3: UNC strings
		{anyurl.WindowsPath, `\\server\share\a`, "file://server/share/a", ""},
		{anyurl.WindowsPath, `\\?\UNC\server\share`, "file://server/share", `\\server\share`},
		{anyurl.WindowsPath, `\\?\C:\a`, "file:///C:/a", `C:\a`},
		{anyurl.WindowsPath, `C:\a\..\..\b`, "file:///C:/b", `C:\b`},
		{anyurl.WindowsPath, `\\server\share\..\..\a`, "file://server/share/a", `\\server\share\a`},
		{anyurl.WindowsPath, `\\server\share\.`, "file://server/share/", `\\server\share\`},
		{anyurl.WindowsPath, `\\server\C:\a`, "file://server/C:/a", ""},
		{anyurl.WindowsPath, `\\0\share`, "file://0.0.0.0/share", `\\0.0.0.0\share`},
		{anyurl.WindowsPath, `\\2001-db8--1.ipv6-literal.net\share`, "file://[2001:db8::1]/share", ""},
		{anyurl.WindowsPath, `\\--1.IPv6-Literal.net\share`, "file://[::1]/share", `\\0--1.ipv6-literal.net\share`},
		{anyurl.WindowsPath, `\\fe80--.ipv6-literal.net\share`, "file://[fe80::]/share", `\\fe80--0.ipv6-literal.net\share`},
		{anyurl.WindowsPath, `\\0\..`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\server\.\a`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\server\\a`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\localhost\share`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\%73\share`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\?\UNC\.\share`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\.\COM1`, "url/file-path", ""},
		{anyurl.WindowsPath, `\\server`, "url/file-path", ""},
		{anyurl.WindowsPath, `\a`, "url/file-path", ""},
		{anyurl.WindowsPath, `C:a`, "url/file-path", ""},
		{anyurl.WindowsPath, `a\b`, "url/file-path", ""},
	} {
		u, err := anyurl.FileURL(tt.path, tt.style)
		if !strings.Contains(tt.url, "://") {
			wantRule(t, fmt.Sprintf("FileURL(%q)", tt.path), err, tt.url, -1)
			continue
		}
		if err != nil || u.String() != tt.url {
			t.Errorf("FileURL(%q) = %q, %v, want %q", tt.path, u, err, tt.url)
			continue
		}
		back := tt.back
		if back == "" {
			back = tt.path
		}
		if got, err := u.FilePath(tt.style); err != nil || got != back {
			t.Errorf("FilePath of %q = %q, %v, want %q", u, got, err, back)
		}
	}
	for _, tt := range []struct {
		style anyurl.PathStyle
		url   string
	}{
		{anyurl.UnixPath, "http://a.example/"},
		{anyurl.UnixPath, "file://server/a"},
		{anyurl.UnixPath, "file:///a%2Fb"},
		{anyurl.UnixPath, "file:///a%00"},
		{anyurl.WindowsPath, "file:///etc/motd"},
		{anyurl.WindowsPath, "file:///C:/a%5Cb"},
		{anyurl.WindowsPath, "file://server"},
		{anyurl.WindowsPath, "file://server//a"},
	} {
		path, err := anyurl.MustParse(tt.url).FilePath(tt.style)
		wantRule(t, fmt.Sprintf("FilePath of %q = %q", tt.url, path), err, "url/file-path", -1)
	}
	if got, err := anyurl.MustParse("file:///C:").FilePath(anyurl.WindowsPath); got != `C:\` || err != nil {
		t.Errorf("FilePath of a drive = %q, %v", got, err)
	}
}

func TestTyped(t *testing.T) {
	for _, tt := range []struct{ in, want string }{ // want: a rule's ID, if it has no ":"
		{"http://a.example", "http://a.example/"},
		{" HTTPS://A.example/ ", "https://a.example/"},
		{"example.com/x", "https://example.com/x"},
		{"example.com", "https://example.com/"},
		{"example.com:8080/x", "https://example.com:8080/x"},
		{"example.com:80", "http://example.com/"},
		{"localhost", "http://localhost/"},
		{"localhost:8080", "http://localhost:8080/"},
		{"localhost:8080?q", "http://localhost:8080/?q"},
		{"app.localhost:443/x", "http://app.localhost:443/x"},
		{"192.168.2.2:66", "http://192.168.2.2:66/"},
		{"[::1]:80/x", "http://[::1]/x"},
		{"//a.example/b", "https://a.example/b"},
		{`\\a.example\b`, "https://a.example/b"},
		{"intranet/", "https://intranet/"},
		{"intranet:8080", "https://intranet:8080/"},
		{"bücher.example", "https://xn--bcher-kva.example/"},
		{"me@example.com", "mailto:me@example.com"},
		{"mailto:me@example.com", "mailto:me@example.com"},
		{"tel:911", "tel:911"},
		{"urn:isbn:0", "urn:isbn:0"},
		{"gopher://a.example/", "gopher://a.example/"},
		{"/etc/motd", "file:///etc/motd"},
		{`C:\motd`, "file:///C:/motd"},
		{"hello", "url/not-typed"},
		{"hello world", "url/not-typed"},
		{"", "url/not-typed"},
		{"  ", "url/not-typed"},
		{"a b.example", "url/domain-to-ascii"},
		{"1.2.3.4.5", "url/ipv4-too-many-parts"},
		{"[::1", "url/ipv6-unclosed"},
	} {
		got, err := anyurl.ParseTyped(tt.in)
		if !strings.Contains(tt.want, ":") {
			wantRule(t, fmt.Sprintf("ParseTyped(%q) = %q", tt.in, got), err, tt.want, -1)
			continue
		}
		if err != nil || got.String() != tt.want {
			t.Errorf("ParseTyped(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestMarshal(t *testing.T) {
	type doc struct{ URL, None anyurl.URL }
	in := doc{URL: anyurl.MustParse("http://u:p@a.example/?q")}
	data, err := json.Marshal(in)
	if want := `{"URL":"http://u:p@a.example/?q","None":""}`; err != nil || string(data) != want {
		t.Errorf("JSON is %s, %v, want %s", data, err, want)
	}
	var out doc
	if err := json.Unmarshal(data, &out); err != nil || out != in {
		t.Errorf("back from JSON: %v, %v", out, err)
	}
	var u anyurl.URL
	wantRule(t, "UnmarshalText", u.UnmarshalText([]byte("http://")), "url/host-missing", 7)

	bin, err := in.URL.MarshalBinary()
	if err2 := u.UnmarshalBinary(bin); err != nil || err2 != nil || u != in.URL {
		t.Errorf("back from binary: %v, %v, %v", u, err, err2)
	}
	for _, src := range []any{nil, "", []byte("")} {
		v := in.URL
		if err := v.Scan(src); err != nil || !v.IsZero() {
			t.Errorf("Scan(%#v) gives %v, %v", src, v, err)
		}
	}
	for _, src := range []any{in.URL.String(), []byte(in.URL.String())} {
		var v anyurl.URL
		if err := v.Scan(src); err != nil || v != in.URL {
			t.Errorf("Scan(%#v) gives %v, %v", src, v, err)
		}
	}
	if err := u.Scan(7); err == nil {
		t.Error("a number is scanned as a URL")
	}
	if v, err := in.URL.Value(); v != in.URL.String() || err != nil {
		t.Errorf("Value gives %v, %v", v, err)
	}
	if v, err := in.None.Value(); v != nil || err != nil {
		t.Errorf("Value of the zero URL gives %v, %v", v, err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("get", "url", in.URL)
	if !strings.Contains(log.String(), "url=http://u:***@a.example/?q") {
		t.Errorf("the log reads %s", log.String())
	}
}

func TestWithout(t *testing.T) {
	u := anyurl.MustParse("http://a.example/?q#f")
	if got := u.WithoutQuery(); got != anyurl.MustParse("http://a.example/#f") {
		t.Errorf("without its query: %q", got)
	}
	if got := u.WithoutFragment(); got != anyurl.MustParse("http://a.example/?q") {
		t.Errorf("without its fragment: %q", got)
	}
}

func TestHost(t *testing.T) {
	for _, tt := range []struct {
		in         string
		special    bool
		want, kind string
		addr       string
	}{
		{"EX.example", true, "ex.example", "domain", ""},
		{"0x7f.1", true, "127.0.0.1", "ipv4", "127.0.0.1"},
		{"[::0001]", true, "[::1]", "ipv6", "::1"},
		{"[::1]", false, "[::1]", "ipv6", "::1"},
		{"Ex.example", false, "Ex.example", "opaque", ""},
		{"0x7f.1", false, "0x7f.1", "opaque", ""},
		{"", false, "", "empty", ""},
		{"é", false, "%C3%A9", "opaque", ""},
	} {
		h, err := anyurl.ParseHost(tt.in, tt.special)
		addr, ok := h.Addr()
		if err != nil || h.String() != tt.want || h.Kind().String() != tt.kind || ok != (tt.addr != "") || ok && addr.String() != tt.addr {
			t.Errorf("ParseHost(%q, %v) = %q, %v, %v, %v", tt.in, tt.special, h, h.Kind(), addr, err)
		}
	}
	_, err := anyurl.ParseHost("", true)
	wantRule(t, "an empty host", err, "url/host-missing", 0)
	_, err = anyurl.ParseHost("a:80", true)
	wantRule(t, "a host with a port", err, "url/domain-to-ascii", 1)
}
