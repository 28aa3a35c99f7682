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
