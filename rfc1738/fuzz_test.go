package rfc1738_test

import (
	"errors"
	"testing"

	"anyurl/rfc1738"
	"anyurl/rule"
)

// Whatever the text: it reads back, its parts stand in it in order, and a
// refusal has a place and a rule; and what a scheme's grammar takes, the
// generic form takes.
func FuzzParse(f *testing.F) {
	for _, tt := range taken {
		f.Add(tt.in)
	}
	for _, tt := range refused {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := rfc1738.Parse(s)
		if err != nil {
			var e *rule.Error
			if !errors.As(err, &e) || e.Input != s || e.Offset < 0 || e.Offset > len(s) || e.Rule.ID == "" || !u.IsZero() {
				t.Fatalf("%q: %#v", s, err)
			}
			return
		}
		if _, err := rfc1738.ParseGeneric(s); err != nil {
			t.Fatalf("%q is a url and no genericurl: %v", s, err)
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
			if last = end; part == rfc1738.GroupPart || part == rfc1738.Article {
				last = start // they hold what follows
			}
		}
	})
}
