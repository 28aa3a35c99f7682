package domain_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"anyurl/internal/domain"
	"anyurl/rule"
)

// shared is where the web platform's vectors lie when they are at hand.
const shared = "../../../shared/data/wpt"

// vector is a case of the web platform's files; a comment stands among them
// as a string.
type vector struct {
	Comment, Message, Input string
	Output                  *string
	URLStandardOnly         bool
	Failure                 bool
}

func vectors(t *testing.T, name string) (list []vector) {
	data, err := os.ReadFile(filepath.Join(shared, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the web platform's vectors are not at hand")
	}
	if err != nil {
		t.Fatal(err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		var v vector
		if r[0] == '"' {
			continue
		}
		if err := json.Unmarshal(r, &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// TestToASCIIVectors holds ToASCII to every vector, with none left out.
func TestToASCIIVectors(t *testing.T) {
	for _, file := range []string{"toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"} {
		t.Run(file, func(t *testing.T) {
			list := vectors(t, file)
			for _, v := range list {
				if v.Input == "" {
					// UTS 46 alone gives "" here; the domain parser's step 6 is
					// failure, and no special URL can carry the vector.
					v.Output = nil
				}
				got, err := domain.ToASCII(v.Input, false)
				switch {
				case v.Output == nil && err == nil:
					t.Errorf("%q gives %q; the standard fails (%s)", v.Input, got, v.Comment)
				case v.Output != nil && err != nil:
					t.Errorf("%q: %v; the standard gives %q (%s)", v.Input, err, *v.Output, v.Comment)
				case v.Output != nil && got != *v.Output:
					t.Errorf("%q gives %q; the standard gives %q (%s)", v.Input, got, *v.Output, v.Comment)
				}
				sound(t, v.Input)
			}
			t.Logf("%d vectors", len(list))
		})
	}
}

// sound checks what must hold of any input: an error has a rule and an offset
// in the input, and what comes out goes in again unchanged, also by way of its
// Unicode form.
func sound(t *testing.T, s string) {
	t.Helper()
	for _, strict := range []bool{false, true} {
		a, err := domain.ToASCII(s, strict)
		why := domain.Why(s, strict)
		if strict && (err == nil) != (why == nil) || err != nil && why == nil {
			t.Errorf("ToASCII(%q, %v) says %v, Why %v", s, strict, err, why)
		}
		if err != nil {
			for _, err := range []error{err, why} {
				e, ok := errors.AsType[*rule.Error](err)
				if !ok || e.Rule.IsZero() || e.Offset < 0 || e.Offset > len(s) || e.Input != s {
					t.Errorf("ToASCII(%q, %v) gives the error %#v", s, strict, err)
				}
			}
			continue
		}
		if again, err := domain.ToASCII(a, strict); err != nil || again != a {
			t.Errorf("ToASCII(%q, %v) = %q, of which it then makes %q, %v", s, strict, a, again, err)
		}
		u, ok := domain.ToUnicode(a)
		if !strict && ok != (domain.Why(a, false) == nil) {
			t.Errorf("ToUnicode(%q) = %q, %v, but Why says %v", a, u, ok, domain.Why(a, false))
		}
		if back, err := domain.ToASCII(u, strict); err != nil || back != a {
			t.Errorf("ToUnicode(%q) = %q, %v, of which ToASCII makes %q, %v", a, u, ok, back, err)
		}
		if domain.NFC(u) != u {
			t.Errorf("ToUnicode(%q) = %q, which is not NFC", a, u)
		}
	}
}
