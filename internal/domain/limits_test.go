package domain_test

import (
	"errors"
	"strings"
	"testing"

	"anyurl/internal/domain"
	"anyurl/rule"
)

// TestLimits has names at our limits and one beyond them: a place of 0 or more
// is where the limit is passed.
func TestLimits(t *testing.T) {
	repeat := strings.Repeat
	full := "xn--" + repeat("a", domain.MaxPunycode)
	long := repeat("a", 5000)
	for _, tt := range []struct {
		name, in string
		place    int // -1: none
	}{
		{"as much as may be", full, -1},
		{"one more", full + "a", len(full)},
		{"in upper case", "XN--" + full + "a", len(full)},
		{"behind another label", "b." + full + "a.example", 2 + len(full)},
		{"the second of two", full + "." + full + "a.", 2*len(full) + 1},
		{"behind a long label that is no Punycode", long + "." + full + "a", len(long) + 1 + len(full)},
		{"no Punycode", long, -1},
		{"no Punycode, beside what is", long + ".xn--a." + long, -1},
		{"xn-- elsewhere", "a" + full + "a", -1},
		{"beside a label to be encoded", "\u00FC." + full + "a", 3 + len(full)},
		{"to be encoded", repeat("\u00FC", domain.MaxEncoded), -1},
		{"one code point more", repeat("\u00FC", domain.MaxEncoded+1), 0},
		{"mostly ASCII", repeat("a", domain.MaxEncoded-1) + "\u00FC", -1},
		{"mostly ASCII, one more", repeat("a", domain.MaxEncoded) + "\u00FC", 0},
		{"one more, in the second label", "b." + repeat("\u00FC", domain.MaxEncoded+1), 2},
		{"one more, out of order", repeat("\u00C9", domain.MaxEncoded+1), 0},
	} {
		got, err := domain.ToASCII(tt.in, false)
		if tt.place < 0 {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err.(*rule.Error).Rule)
			} else if again, err := domain.ToASCII(got, false); again != got || err != nil {
				t.Errorf("%s: the answer does not read again: %v", tt.name, err)
			}
			continue
		}
		e, ok := errors.AsType[*rule.Error](err)
		if !ok || e.Rule != domain.PunycodeLength || e.Offset != tt.place || e.Input != tt.in {
			t.Errorf("%s: %v at %d, want %s at %d", tt.name, e.Rule.ID, e.Offset, domain.PunycodeLength.ID, tt.place)
		}
	}
}

// TestLimitOfWhatIsWritten: few code points that lie far apart make much
// Punycode. What is written is within the limit for what is read.
func TestLimitOfWhatIsWritten(t *testing.T) {
	refused := false
	var label strings.Builder
	for n := range domain.MaxEncoded {
		label.WriteRune(rune([]int{0x4E00, 0x20000}[n%2] + n*7919%20000))
		got, err := domain.ToASCII(label.String(), false)
		switch {
		case err != nil:
			refused = true
		case refused:
			t.Fatalf("%d code points are refused, and %d are not", n, n+1)
		case domain.TooLong(got) >= 0:
			t.Fatalf("%d code points give %d bytes", n+1, len(got))
		}
	}
	if !refused {
		t.Error("nothing is refused")
	}
}

// TestToUnicodeLimit: what is too long to be read as Punycode is shown as it is.
func TestToUnicodeLimit(t *testing.T) {
	good, _ := domain.ToASCII(strings.Repeat("\u00FC", 900), false)
	if shown, ok := domain.ToUnicode(good); !ok || shown == good {
		t.Errorf("%d bytes are not read", len(good))
	}
	bad := "xn--" + strings.Repeat("a", domain.MaxPunycode+1)
	if shown, ok := domain.ToUnicode(bad); ok || shown != bad {
		t.Error("a label that is too long is read")
	}
	var e *rule.Error
	if err := domain.Why(bad, false); !errors.As(err, &e) || e.Rule != domain.PunycodeLength || e.Offset != len(bad)-1 {
		t.Errorf("Why tells %v", e)
	}
}
