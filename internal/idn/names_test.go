package idn

import (
	"slices"
	"testing"
)

// TestNames holds what the search in the list assumes.
func TestNames(t *testing.T) {
	if !slices.IsSorted(names[:]) {
		t.Error("the names are out of order")
	}
	for i, name := range names {
		if fold(name) != name || len(name) < 4 {
			t.Errorf("%q cannot be found", name)
		}
		if i > 0 && names[i-1] == name {
			t.Errorf("%q is twice there", name)
		}
	}
	if !slices.IsSorted(looksOne[:]) || !slices.IsSortedFunc(looksMore[:], func(a, b struct {
		c  rune
		to string
	}) int {
		return int(a.c - b.c)
	}) {
		t.Error("the looks are out of order")
	}
}

// TestSkeleton holds what text outside ASCII is taken for.
func TestSkeleton(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"g\u00F6\u00F6gle", "google"},                                          // marks are dropped
		{"payp\u0430\u04CF", "paypai"},                                          // UTS 39: the palochka is an i
		{"\u043C\u0456\u0441\u0433\u043E\u0455\u043E\u0493\u0442", "microsoft"}, // with ours: em, ghe with stroke, te
		{"\u0448\u043D\u0430\u0442\u0455app", "whatsapp"},                       // sha, en, te
		{"\u03C9\u03B9\u03BA\u03B9", "wiki"},                                    // omega, kappa
		{"\u13DA\u13E2", "sp"},                                                  // capitals count as small letters
		{"vv\u00ECn", "win"},
		{"rn\u00E1il", "mail"},
		{"1\u00E0b0", "labo"},
		{"\u00E6\u0153", "aeoe"},
		{"\u0966\u0967\u0968", ""}, // a digit one of India is taken for nothing
		{"\u4E2D", ""},
	} {
		if got, _ := skeleton([]rune(tt.in)); got != tt.want {
			t.Errorf("%+q is taken for %q, want %q", tt.in, got, tt.want)
		}
	}
}
