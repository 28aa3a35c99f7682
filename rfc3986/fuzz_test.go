package rfc3986_test

import (
	"errors"
	"testing"

	"anyurl/rfc3986"
	"anyurl/rule"
)

func seed(f *testing.F) {
	for _, tt := range refused {
		f.Add(tt.in)
	}
	for _, s := range mixed() {
		f.Add(s)
	}
	f.Add("http://例え.jp/é?\ue000é#é")
	f.Add("http://h/%C3%A9?%EE%80%80")
}

// Whatever the text: it reads back, its spans lie in it in order, and a
// refusal has a place and a rule; normalizing is equivalence, so it can be
// repeated; URI and IRI map to each other.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		u, err := rfc3986.ParseReference(s)
		iri, errIRI := rfc3986.ParseIRIReference(s)
		if err == nil && errIRI != nil {
			t.Fatalf("%q is a URI and no IRI: %v", s, errIRI)
		}
		for _, err := range []error{err, errIRI} {
			var e *rule.Error
			if err != nil && (!errors.As(err, &e) || e.Input != s || e.Offset < 0 || e.Offset > len(s) || e.Rule.ID == "") {
				t.Fatalf("%q: %#v", s, err)
			}
		}
		if errIRI == nil {
			check(t, s, iri)
			uri, err := rfc3986.ToURI(iri)
			if err != nil || uri.IsIRI() {
				t.Fatalf("%q maps to %q, %v", s, uri, err)
			}
			back, err := rfc3986.ToIRI(uri)
			if err != nil {
				t.Fatalf("%q maps back: %v", uri, err)
			}
			again, err := rfc3986.ToURI(back)
			if err != nil || normal(t, again) != normal(t, uri) {
				t.Fatalf("%q, %q, %q: not equivalent", uri, back, again)
			}
		}
		if err == nil {
			check(t, s, u)
		}
	})
}

func normal(t *testing.T, u rfc3986.URI) rfc3986.URI {
	t.Helper()
	n, err := rfc3986.Normalize(u, rfc3986.LevelCase)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func check(t *testing.T, s string, u rfc3986.URI) {
	t.Helper()
	if u.String() != s {
		t.Fatalf("%q reads back as %q", s, u)
	}
	last := 0
	for _, p := range []rfc3986.Part{rfc3986.PartScheme, rfc3986.PartUserinfo, rfc3986.PartHost, rfc3986.PartPort, rfc3986.PartPath, rfc3986.PartQuery, rfc3986.PartFragment} {
		start, end, ok := u.Span(p)
		if ok && (start < last || end < start || end > len(s)) {
			t.Fatalf("%q: %v is %d to %d", s, p, start, end)
		}
		if ok {
			last = end
		}
	}
	for level := rfc3986.LevelString; level <= rfc3986.LevelScheme; level++ {
		n, err := rfc3986.Normalize(u, level)
		if err != nil {
			t.Fatalf("%q at %d: %v", s, level, err)
		}
		if again, _ := rfc3986.Normalize(n, level); again != n {
			t.Fatalf("%q at %d: %q, and again %q", s, level, n, again)
		}
		if n.HasAuthority() != u.HasAuthority() || n.IsAbsolute() != u.IsAbsolute() || n.HasQuery() != u.HasQuery() || n.HasFragment() != u.HasFragment() {
			t.Fatalf("%q at %d: %q has other parts", s, level, n)
		}
	}
}

func FuzzResolve(f *testing.F) {
	all := mixed()
	for i, s := range all {
		f.Add(all[(i*7+1)%len(all)], s)
	}
	f.Fuzz(func(t *testing.T, b, r string) {
		base, err := rfc3986.Parse(b)
		if err != nil {
			return
		}
		x, err := rfc3986.ParseReference(r)
		if err != nil {
			return
		}
		target, err := rfc3986.Resolve(base, x)
		if err != nil {
			t.Fatalf("%q + %q: %v", b, r, err)
		}
		if again, err := rfc3986.Resolve(base, target); err != nil || again != target && !samePath(x) {
			t.Fatalf("%q + %q: %q, and again %q, %v", b, r, target, again, err)
		}
		rel, err := rfc3986.Relative(base, target)
		if err != nil {
			t.Fatalf("%q to %q: %v", b, target, err)
		}
		if got, err := rfc3986.Resolve(base, rel); err != nil || got != target {
			t.Fatalf("%q to %q by %q: %q, %v", b, target, rel, got, err)
		}
	})
}
