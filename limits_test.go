package anyurl

import (
	"errors"
	"strings"
	"testing"

	"anyurl/rule"
)

// broken gives the error that err is.
func broken(t *testing.T, err error) *rule.Error {
	t.Helper()
	e, ok := errors.AsType[*rule.Error](err)
	if !ok {
		t.Fatalf("%v is no *rule.Error", err)
	}
	return e
}

// TestPunycodeTooLong has the limits on labels, also where a short cut might
// not see them.
func TestPunycodeTooLong(t *testing.T) {
	repeat := strings.Repeat
	for _, tt := range []struct {
		name, before, label, after string
		place                      int // in label; -1: it is taken
	}{
		{"as much as may be", "http://", "xn--" + repeat("a", 2000), "/", -1},
		{"one more", "http://", "xn--" + repeat("a", 2001), "/", 2004},
		{"much more", "http://", "xn--" + repeat("a", 60000), ".example/", 2004},
		{"in upper case", "http://", "XN--" + repeat("A", 2001), "/", 2004},
		{"percent-encoded", "http://", "%78n--" + repeat("a", 2001), "/", 2006},
		{"behind other labels", "https://a.b.", "xn--" + repeat("a", 2001), ":8080", 2004},
		{"behind credentials", "ws://u:p@", "xn--" + repeat("a", 2001), "?", 2004},
		{"with a tab in it", "http://", "xn--\t" + repeat("a", 2001), "/", 2005},
		{"a file's server", "file://", "xn--" + repeat("a", 2001), "/", 2004},
		{"a label that is not Punycode", "http://", repeat("a", 100000), "/", -1},
		{"an opaque host is no domain", "x://", "xn--" + repeat("a", 2001), "/", -1},
		{"a path", "http://h/", "xn--" + repeat("a", 2001), "/", -1},
		{"to be encoded", "http://", repeat("ü", 1000), "/", -1},
		{"to be encoded, one more", "http://", repeat("ü", 1001), "/", 0},
		{"to be encoded, one more, from escapes", "http://b.", repeat("%C3%BC", 1001), "/", 0},
	} {
		s := tt.before + tt.label + tt.after
		holdFast(t, s)
		u, err := Parse(s)
		if tt.place < 0 {
			if err != nil {
				t.Errorf("%s: %s", tt.name, broken(t, err).Rule.ID)
			} else if again, err := Parse(u.String()); again != u || err != nil {
				t.Errorf("%s: what is written does not read again", tt.name)
			}
			continue
		}
		if e := broken(t, err); e.Rule != PunycodeTooLong || e.Offset != len(tt.before)+tt.place || e.Input != s {
			t.Errorf("%s: %s at %d, want %s at %d", tt.name, e.Rule.ID, e.Offset, PunycodeTooLong.ID, len(tt.before)+tt.place)
		}
	}
}
