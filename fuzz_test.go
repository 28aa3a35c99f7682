package anyurl_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/rule"
)

// ruleIDs are the IDs of the rules that an error of this package may cite.
func ruleIDs() (ids []string) {
	for _, r := range anyurl.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

func checkError(t *testing.T, s string, err error, ids []string) {
	t.Helper()
	e, ok := err.(*rule.Error)
	switch {
	case !ok:
		t.Fatalf("%q: %T is no *rule.Error", s, err)
	case e.Input != s:
		t.Fatalf("%q: the error is about %q", s, e.Input)
	case e.Offset < 0 || e.Offset > len(s):
		t.Fatalf("%q: offset %d is not in it", s, e.Offset)
	case !slices.Contains(ids, e.Rule.ID) || e.Rule.Cite == "" || e.Rule.Says == "":
		t.Fatalf("%q: %+v is no rule of this package", s, e.Rule)
	}
}

// checkURL holds what is true of every URL.
func checkURL(t *testing.T, u anyurl.URL) {
	t.Helper()
	s := u.String()
	again, err := anyurl.Parse(s)
	if err != nil || again != u {
		t.Fatalf("%q reads again as %#v, %v, and was %#v", s, again, err, u)
	}
	for i := range len(s) {
		// "The URL serializer … returns an ASCII string"; a space only in an
		// opaque path.
		if s[i] > 0x7e || s[i] < ' ' || s[i] == ' ' && !u.OpaquePath() {
			t.Fatalf("%q holds %#x", s, s[i])
		}
	}
	// The parts make up the whole.
	var b strings.Builder
	b.WriteString(u.Scheme() + ":")
	if u.HasHost() {
		b.WriteString("//")
		if u.HasUserinfo() {
			b.WriteString(u.Username())
			if u.Password() != "" {
				b.WriteString(":" + u.Password())
			}
			b.WriteString("@")
		}
		b.WriteString(u.HostPort())
	} else if strings.HasPrefix(u.Path(), "//") {
		b.WriteString("/.")
	}
	b.WriteString(u.Path())
	if u.HasQuery() {
		b.WriteString("?" + u.Query())
	}
	if u.HasFragment() {
		b.WriteString("#" + u.Fragment())
	}
	if b.String() != s {
		t.Fatalf("the parts of %q make up %q", s, b.String())
	}
	if !u.OpaquePath() {
		var path strings.Builder
		for segment := range u.Segments() {
			path.WriteString("/" + segment)
		}
		if path.String() != u.Path() {
			t.Fatalf("the segments of %q make up %q", u.Path(), path.String())
		}
	}
	checkHost(t, u.Host(), u.IsSpecial())
	// The first "@" ends the credentials; a fragment may hold the same text again.
	credentials, _, _ := strings.Cut(u.Redacted(), "@")
	if p := u.Password(); p != "" && strings.HasSuffix(credentials, ":"+p) && p != "***" {
		t.Fatalf("%q shows its password", u.Redacted())
	}
}

func checkHost(t *testing.T, h anyurl.Host, special bool) {
	t.Helper()
	if h.IsZero() {
		return
	}
	if h.String() != "" {
		if again, err := anyurl.ParseHost(h.String(), special); err != nil || again != h {
			t.Fatalf("the host %q reads again as %q, %v", h, again, err)
		}
	}
	addr, ok := h.Addr()
	if ok != (h.Kind() == anyurl.HostIPv4 || h.Kind() == anyurl.HostIPv6) {
		t.Fatalf("the host %q of kind %s has an address: %v", h, h.Kind(), ok)
	}
	// net/netip writes addresses as we do, but for IPv4 in IPv6.
	if ok && !addr.Is4In6() && addr.String() != h.Unbracketed() {
		t.Fatalf("the host %q is %s", h, addr)
	}
}

func addSeeds(f *testing.F) {
	for _, s := range []string{
		"http://u:p@ex.example:8080/a/b?c=d#e", "HTTP://EX.example:80/../a b", "file:///C|/a", "file://h/..", "x:/.//a",
		"mailto:a@b.example", "x:a  ?b", "http://[::1.2.3.4]/", "http://0x7f.1/", "http://bücher.example/é?é#é", "http://a%00/",
		" \thttp:\\\\h\n/", "javascript:alert(1)", "data:text/plain,a b #c", "blob:https://h/x", "//h/a", "?q", "#f", "../..", "C|/x",
		"http://xn--a/", "http://a<\u0338/", "\xff\xe2\x82", "http://1.2.3.4.5/",
	} {
		f.Add(s)
	}
}

func FuzzParse(f *testing.F) {
	addSeeds(f)
	ids := ruleIDs()
	f.Fuzz(func(t *testing.T, s string) {
		var bases []anyurl.URL
		for _, b := range []string{"", "http://h/a/b?c#d", "file:///C:/a/b", "x:/.//a", "x:a?b#c"} {
			var base anyurl.URL
			if b != "" {
				base = anyurl.MustParse(b)
			}
			bases = append(bases, base)
		}
		for _, base := range bases {
			p := anyurl.Parser{Base: base, Report: func(e *rule.Error) { checkError(t, s, e, ids) }}
			u, err := p.Parse(s)
			if err != nil {
				checkError(t, s, err, ids)
				continue
			}
			checkURL(t, u)
			if v, err := anyurl.ParseRef(s, base); err != nil || v != u {
				t.Fatalf("%q reads as %q when it reports and as %q when not", s, u, v)
			}
		}
		_, err := anyurl.ParseTyped(s)
		if err != nil {
			checkError(t, s, err, ids)
		}
	})
}

func FuzzSet(f *testing.F) {
	for _, u := range []string{"http://u:p@h:81/a?b#c", "file:///C:/a", "x:/.//a", "mailto:a", "x://h"} {
		for _, v := range []string{"", "https:", "a:b", "h:80", "/..//b", "//", "é ", "?", "#", "C|", "[::1]:9", "\t1"} {
			f.Add(u, v)
		}
	}
	ids := ruleIDs()
	f.Fuzz(func(t *testing.T, s, value string) {
		u, err := anyurl.Parse(s)
		if err != nil {
			return
		}
		for _, attribute := range []string{"protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"} {
			v, err := set(u, attribute, value)
			if err != nil {
				checkError(t, value, err, ids)
			}
			checkURL(t, v)
		}
		v, err := u.Join(value, "x")
		if err == nil {
			checkURL(t, v)
			kept := strings.TrimSuffix(u.Path(), "/") + "/"
			if !strings.HasPrefix(v.Path(), kept) {
				t.Fatalf("%q joined with %q climbs to %q", u, value, v)
			}
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "a=1&b=2", "a&a=&=a&;=&%zz=%FF+", "&&=&", "🌈=ﬁ"} {
		f.Add(s, "a", "b c")
	}
	f.Fuzz(func(t *testing.T, s, name, value string) {
		name, value = strings.ToValidUTF8(name, "x"), strings.ToValidUTF8(value, "x")
		q := anyurl.ParseQuery(s)
		added := q.Add(name, value)
		if got := added.Values(name); len(got) == 0 || got[len(got)-1] != value {
			t.Fatalf("Add(%q, %q) to %q gives %q", name, value, q, added)
		}
		if got := q.Set(name, value).Values(name); len(got) != 1 || got[0] != value {
			t.Fatalf("Set(%q, %q) in %q gives %q", name, value, q, got)
		}
		if q.Delete(name).Has(name) {
			t.Fatalf("Delete(%q) from %q leaves it", name, q)
		}
		if sorted := q.Sort(); sorted.Len() != q.Len() || sorted.Sort() != sorted {
			t.Fatalf("%q sorts as %q and then as %q", q, sorted, sorted.Sort())
		}
		if got := anyurl.QueryOf(q.All()); !slices.Equal(pairsOf(got), pairsOf(q)) {
			t.Fatalf("%q is written %q", q, got)
		}
	})
}

func pairsOf(q anyurl.Query) (pairs [][2]string) {
	for n, v := range q.All() {
		pairs = append(pairs, [2]string{n, v})
	}
	return pairs
}

func FuzzFilePath(f *testing.F) {
	for _, s := range []string{
		"/etc/motd", "/a%2F b/\xff", `C:\a`, `\\s\a`, `\\?\C:\a`, "/C|/../a", "/C:/../a", "/a//..", `\\0\..`, `\\s\a\..\..\b`,
		`\\localhost\a`, `\\--1.ipv6-literal.net\a`, `\\?\UNC\.\a`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		for _, style := range []anyurl.PathStyle{anyurl.UnixPath, anyurl.WindowsPath} {
			u, err := anyurl.FileURL(path, style)
			if err != nil {
				continue
			}
			checkURL(t, u)
			back, err := u.FilePath(style)
			if err != nil {
				t.Fatalf("%q is %q, which has no path: %v", path, u, err)
			}
			if again, err := anyurl.FileURL(back, style); err != nil || again != u {
				t.Fatalf("%q is %q is %q is %q, %v", path, u, back, again, err)
			}
		}
	})
}

// TestHostAgainstNetip holds our readings of addresses against net/netip's,
// which takes a part of them.
func TestHostAgainstNetip(t *testing.T) {
	pieces := []string{"", ":", "::", "0", "1", "f", "00", "10000", "1.2.3.4", "1.2.3", "256.1.1.1", "%e"}
	var grow func(s string, n int)
	grow = func(s string, n int) {
		addr, err := netip.ParseAddr(s)
		h, ours := anyurl.ParseHost("["+s+"]", true)
		switch {
		case err == nil && addr.Is6() && addr.Zone() == "":
			if got, ok := h.Addr(); ours != nil || !ok || got != addr {
				t.Fatalf("net/netip reads %q as %s; [%[1]s] is %s, %v", s, addr, h, ours)
			}
		case ours == nil:
			t.Fatalf("net/netip says %v; [%s] is %s", err, s, h)
		}
		if n > 0 {
			for _, p := range pieces {
				grow(s+p, n-1)
			}
		}
	}
	grow("", 5)
}
