package rfc3986_test

import (
	"strings"
	"testing"

	"anyurl/rfc3986"
)

func ref(t testing.TB, s string) rfc3986.URI {
	t.Helper()
	u, err := rfc3986.ParseReference(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return u
}

func TestResolve(t *testing.T) {
	const base = "http://a/b/c/d;p?q"
	for _, tt := range []struct{ base, ref, want string }{
		// RFC 3986, section 5.4.1, in the order printed
		{base, "g:h", "g:h"},
		{base, "g", "http://a/b/c/g"},
		{base, "./g", "http://a/b/c/g"},
		{base, "g/", "http://a/b/c/g/"},
		{base, "/g", "http://a/g"},
		{base, "//g", "http://g"},
		{base, "?y", "http://a/b/c/d;p?y"},
		{base, "g?y", "http://a/b/c/g?y"},
		{base, "#s", "http://a/b/c/d;p?q#s"},
		{base, "g#s", "http://a/b/c/g#s"},
		{base, "g?y#s", "http://a/b/c/g?y#s"},
		{base, ";x", "http://a/b/c/;x"},
		{base, "g;x", "http://a/b/c/g;x"},
		{base, "g;x?y#s", "http://a/b/c/g;x?y#s"},
		{base, "", "http://a/b/c/d;p?q"},
		{base, ".", "http://a/b/c/"},
		{base, "./", "http://a/b/c/"},
		{base, "..", "http://a/b/"},
		{base, "../", "http://a/b/"},
		{base, "../g", "http://a/b/g"},
		{base, "../..", "http://a/"},
		{base, "../../", "http://a/"},
		{base, "../../g", "http://a/g"},
		// 5.4.2
		{base, "../../../g", "http://a/g"},
		{base, "../../../../g", "http://a/g"},
		{base, "/./g", "http://a/g"},
		{base, "/../g", "http://a/g"},
		{base, "g.", "http://a/b/c/g."},
		{base, ".g", "http://a/b/c/.g"},
		{base, "g..", "http://a/b/c/g.."},
		{base, "..g", "http://a/b/c/..g"},
		{base, "./../g", "http://a/b/g"},
		{base, "./g/.", "http://a/b/c/g/"},
		{base, "g/./h", "http://a/b/c/g/h"},
		{base, "g/../h", "http://a/b/c/h"},
		{base, "g;x=1/./y", "http://a/b/c/g;x=1/y"},
		{base, "g;x=1/../y", "http://a/b/c/y"},
		{base, "g?y/./x", "http://a/b/c/g?y/./x"},
		{base, "g?y/../x", "http://a/b/c/g?y/../x"},
		{base, "g#s/./x", "http://a/b/c/g#s/./x"},
		{base, "g#s/../x", "http://a/b/c/g#s/../x"},
		{base, "http:g", "http:g"},
		// 5.2.3: a base with an authority and no path
		{"http://h", "g", "http://h/g"},
		{"http://h?q", "g", "http://h/g"},
		{"http://h?q", "", "http://h?q"},
		{"mailto:a@b", "c", "mailto:c"},
		{"a:b/c", "d", "a:b/d"},
		// 5.2.2: R.fragment alone; the base's is never kept
		{"http://h/p#f", "", "http://h/p"},
		{"http://h/p?#f", "", "http://h/p?"},
		{"http://h/p?q", "?", "http://h/p?"},
		{"http://h/p", "#", "http://h/p#"},
		// 5.2.4, step C from a path without a root leaves a slash
		{"a:b/c", "../../d", "a:/d"},
		{"a:b", "x:y/../z", "x:/z"},
		// 3.3: a path must not become an authority
		{"a:/b/c", "/.//d", "a:/.//d"},
		{"a:/b/c", "..//d", "a:/.//d"},
		{"a:/b", "x:/.//y", "x:/.//y"},
		{"a:/b", "x:/..//y", "x:/.//y"},
		{"http://h/b/c", "..//d", "http://h//d"},
		{"http://h", "/.//d", "http://h//d"},
	} {
		got, err := rfc3986.Resolve(ref(t, tt.base), ref(t, tt.ref))
		if err != nil || got.String() != tt.want {
			t.Errorf("%s + %s = %s, %v, want %s", tt.base, tt.ref, got, err, tt.want)
		}
		if got != ref(t, tt.want) {
			t.Errorf("%s + %s: not the value that its text parses to", tt.base, tt.ref)
		}
	}
}

// Section 5.2.2, "if not strict"; the example is the last of section 5.4.2.
func TestResolveNonStrict(t *testing.T) {
	for _, tt := range []struct{ base, ref, want string }{
		{"http://a/b/c/d;p?q", "http:g", "http://a/b/c/g"},
		{"http://a/b/c/d;p?q", "HTTP:g", "http://a/b/c/g"},
		{"http://a/b/c/d;p?q", "http:", "http://a/b/c/d;p?q"},
		{"http://a/b/c/d;p?q", "http:/g", "http://a/g"},
		{"http://a/b/c/d;p?q", "http://g", "http://g"},
		{"http://a/b/c/d;p?q", "https:g", "https:g"},
		{"http://a/b/c/d;p?q", "../g", "http://a/b/g"},
	} {
		got, err := rfc3986.ResolveNonStrict(ref(t, tt.base), ref(t, tt.ref))
		if err != nil || got.String() != tt.want {
			t.Errorf("%s + %s = %s, %v, want %s", tt.base, tt.ref, got, err, tt.want)
		}
	}
}

// RFC 1808, section 5, in the order printed, with its base. What RFC 3986
// changed stands in the third column with what it gives now, and why is said
// beside it.
func TestRFC1808(t *testing.T) {
	base := ref(t, "http://a/b/c/d;p?q#f")
	for _, tt := range []struct{ ref, want, now string }{
		// 5.1
		{"g:h", "g:h", ""},
		{"g", "http://a/b/c/g", ""},
		{"./g", "http://a/b/c/g", ""},
		{"g/", "http://a/b/c/g/", ""},
		{"/g", "http://a/g", ""},
		{"//g", "http://g", ""},
		{"?y", "http://a/b/c/d;p?y", ""},
		{"g?y", "http://a/b/c/g?y", ""},
		{"g?y/./x", "http://a/b/c/g?y/./x", ""},
		{"#s", "http://a/b/c/d;p?q#s", ""},
		{"g#s", "http://a/b/c/g#s", ""},
		{"g#s/./x", "http://a/b/c/g#s/./x", ""},
		{"g?y#s", "http://a/b/c/g?y#s", ""},
		{";x", "http://a/b/c/d;x", "http://a/b/c/;x"}, // parameters are part of a segment now (RFC 2396, appendix G.4)
		{"g;x", "http://a/b/c/g;x", ""},
		{"g;x?y#s", "http://a/b/c/g;x?y#s", ""},
		{".", "http://a/b/c/", ""},
		{"./", "http://a/b/c/", ""},
		{"..", "http://a/b/", ""},
		{"../", "http://a/b/", ""},
		{"../g", "http://a/b/g", ""},
		{"../..", "http://a/", ""},
		{"../../", "http://a/", ""},
		{"../../g", "http://a/g", ""},
		// 5.2
		{"", "http://a/b/c/d;p?q#f", "http://a/b/c/d;p?q"}, // the fragment is no part of the base (RFC 3986, section 5.1)
		{"../../../g", "http://a/../g", "http://a/g"},      // steps above the root vanish (section 5.4.2)
		{"../../../../g", "http://a/../../g", "http://a/g"},
		{"/./g", "http://a/./g", "http://a/g"}, // absolute paths lose dot segments as well (section 5.2.2)
		{"/../g", "http://a/../g", "http://a/g"},
		{"g.", "http://a/b/c/g.", ""},
		{".g", "http://a/b/c/.g", ""},
		{"g..", "http://a/b/c/g..", ""},
		{"..g", "http://a/b/c/..g", ""},
		{"./../g", "http://a/b/g", ""},
		{"./g/.", "http://a/b/c/g/", ""},
		{"g/./h", "http://a/b/c/g/h", ""},
		{"g/../h", "http://a/b/c/h", ""},
		{"http:g", "http:g", ""},
		{"http:", "http:", ""},
	} {
		want := tt.want
		if tt.now != "" {
			want = tt.now
		}
		got, err := rfc3986.Resolve(base, ref(t, tt.ref))
		if err != nil || got.String() != want {
			t.Errorf("%s = %s, %v, want %s", tt.ref, got, err, want)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	_, err := rfc3986.Resolve(ref(t, "/a/b"), ref(t, "c"))
	checkError(t, "/a/b", err, 0, "rfc3986/base")
	_, err = rfc3986.Relative(ref(t, "/a/b"), ref(t, "a:b"))
	checkError(t, "/a/b", err, 0, "rfc3986/base")
}

func TestRelative(t *testing.T) {
	for _, tt := range []struct{ base, target, want string }{
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q", ""},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q#s", "#s"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?y", "?y"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p", "d;p"},
		{"http://a/b/c/d;p?q", "http://a/b/c/g", "g"},
		{"http://a/b/c/d;p?q", "http://a/b/c/", "./"},
		{"http://a/b/c/d;p?q", "http://a/b/", "../"},
		{"http://a/b/c/d;p?q", "http://a/b/g?y#s", "../g?y#s"},
		{"http://a/b/c/d;p?q", "http://a/", "../../"},
		{"http://a/b/c/d;p?q", "http://a/b/c/x:y", "./x:y"},
		{"http://a/b/c/d;p?q", "http://a/b/c//x", ".//x"},
		{"http://a/b/c/d;p?q", "http://a", "//a"},
		{"http://a/b/c/d;p?q", "http://g/x", "//g/x"},
		{"http://a/b/c/d;p?q", "HTTP://a/b/c/g", "HTTP://a/b/c/g"}, // the base's spelling would come out
		{"http://a/b/c/d;p?q", "mailto:x@y", "mailto:x@y"},
		{"http://a/b/c/d;p?q", "http:x", "http:x"},
		{"http://a/b", "http://a//c", ".//c"},
		{"http://a", "http://a/b", "b"},
		{"http://a", "http://a/", "./"},
		{"http://a?q", "http://a", "//a"},
		{"mailto:a", "mailto:b", "b"},
		{"mailto:a", "mailto:", "./"},
		{"a:/b", "a:/.//c", ".//c"},
		{"a:/b/c", "a:/.//c", ".././/c"},
		{"a:b/c", "a:b/d", "d"},
	} {
		got, err := rfc3986.Relative(ref(t, tt.base), ref(t, tt.target))
		if err != nil || got.String() != tt.want {
			t.Errorf("from %s to %s: %s, %v, want %q", tt.base, tt.target, got, err, tt.want)
		}
	}
	_, err := rfc3986.Relative(ref(t, "http://a/b"), ref(t, "http://a/b/../c"))
	checkError(t, "http://a/b/../c", err, 8, "rfc3986/dot-segments")
	_, err = rfc3986.Relative(ref(t, "http://a/b"), ref(t, "c"))
	checkError(t, "c", err, 1, "rfc3986/scheme")
}

// Time is linear: a path of a hundred thousand steps down and as many up. The
// test ends within its deadline only if it is.
func TestResolveLong(t *testing.T) {
	long := strings.Repeat("a/", 1e6) + strings.Repeat("../", 1e6) + "g"
	got, err := rfc3986.Resolve(ref(t, "http://h/b"), ref(t, long))
	if err != nil || got.String() != "http://h/g" {
		t.Errorf("%.40s, %v", got, err)
	}
}

// A set of texts that meet in every way: absolute and relative, with and
// without each part, with paths that could turn into hosts.
func mixed() (all []string) {
	for _, authority := range []string{"", "//h", "//", "//u@h:1"} {
		for _, path := range []string{"", "/", "//", "/.", "/..", "/a", "/a/", "/a//b", "/./", "/.//", "/..//x", "/a/../..//x", "/a/b:c", "/x:y", "/a/./b",
			"a", "a/", ".", "..", "./", "../", "../x", "./x:y", "a/..//b", ".//b", "a/b/../../c"} {
			if authority != "" && path != "" && path[0] != '/' || authority == "" && strings.HasPrefix(path, "//") {
				continue
			}
			for _, rest := range []string{"", "?", "?q", "#", "#f", "?q/../x#f"} {
				all = append(all, authority+path+rest, "s:"+authority+path+rest)
			}
		}
	}
	return append(all, "t:a", "S:/a", "t://h/a", "s:a:b", "s:x/y:z")
}

// Resolution never moves text from one part to another: the result's authority
// is the base's or the reference's own, and its path is what section 5.2 makes.
func TestResolveKeepsParts(t *testing.T) {
	all := mixed()
	for _, b := range all {
		base := ref(t, b)
		if !base.IsAbsolute() {
			continue
		}
		for _, r := range all {
			r := ref(t, r)
			got, err := rfc3986.Resolve(base, r)
			if err != nil {
				t.Fatalf("%s + %s: %v", base, r, err)
			}
			from := base
			if r.IsAbsolute() || r.HasAuthority() {
				from = r
			}
			if got.Authority() != from.Authority() || got.HasAuthority() != from.HasAuthority() || !got.IsAbsolute() {
				t.Fatalf("%s + %s = %s: the authority is not %s's", base, r, got, from)
			}
			if got != ref(t, got.String()) {
				t.Fatalf("%s + %s = %s: not the value that its text parses to", base, r, got)
			}
			// what is resolved already stays as it is, unless it is the base's own path
			if again, _ := rfc3986.Resolve(base, got); again != got && !samePath(r) {
				t.Fatalf("%s + %s = %s, and again %s", base, r, got, again)
			}
		}
	}
}

// samePath reports whether a reference takes its base's path as it is, dot
// segments and all (section 5.2.2).
func samePath(r rfc3986.URI) bool { return !r.IsAbsolute() && !r.HasAuthority() && r.Path() == "" }

// resolve(base, relative(base, x)) == x for every x that resolution can give.
func TestRelativeResolves(t *testing.T) {
	all := mixed()
	for _, b := range all {
		base := ref(t, b)
		if !base.IsAbsolute() {
			continue
		}
		for _, x := range all {
			target, err := rfc3986.Resolve(base, ref(t, x))
			if err != nil {
				t.Fatal(err)
			}
			rel, err := rfc3986.Relative(base, target)
			if err != nil {
				t.Fatalf("from %s to %s: %v", base, target, err)
			}
			if got, err := rfc3986.Resolve(base, rel); err != nil || got != target {
				t.Fatalf("from %s to %s by %s: %s, %v", base, target, rel, got, err)
			}
		}
	}
}
