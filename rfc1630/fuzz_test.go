package rfc1630_test

import (
	"errors"
	"testing"

	"anyurl/rfc1630"
	"anyurl/rule"
)

// Whatever the text: it reads back, its parts lie in it, and a refusal has a
// place and a rule; and a form resolves to what is read again, or is refused.
func FuzzParse(f *testing.F) {
	for i, tt := range taken {
		f.Add(tt.in, refused[i%len(refused)].in)
	}
	for _, form := range []string{"g", "/g", "//g", "../../g", "./.", "?a", "#b", "", "g:h", "///"} {
		f.Add("magic://a/b/c//d/e/f", form)
	}
	f.Fuzz(func(t *testing.T, s, form string) {
		u, err := rfc1630.Parse(s)
		if err != nil {
			var e *rule.Error
			if !errors.As(err, &e) || e.Input != s || e.Offset < 0 || e.Offset > len(s) || e.Rule.ID == "" || !u.IsZero() {
				t.Fatalf("%q: %#v", s, err)
			}
			return
		}
		if u.String() != s {
			t.Fatalf("%q reads back as %q", s, u)
		}
		last := 0
		for part := range u.Parts() {
			start, end, ok := u.Span(part)
			if !ok || start < last || end < start || end > len(s) {
				t.Fatalf("%q: %v is %d to %d", s, part, start, end)
			}
			last = start // some hold what follows
		}
		got, err := rfc1630.Resolve(u, form)
		if err != nil {
			var e *rule.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(e.Input) {
				t.Fatalf("%q + %q: %#v", s, form, err)
			}
			return
		}
		if again, err := rfc1630.Parse(got.String()); err != nil || again != got {
			t.Fatalf("%q + %q = %q: %v", s, form, got, err)
		}
	})
}
