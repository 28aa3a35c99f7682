package abnf_test

import (
	"fmt"
	"testing"

	"anyurl/internal/abnf"
)

func Example() {
	// unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"     RFC 3986, section 2.3
	unreserved := abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~"))
	fmt.Println(unreserved.Span("read.me%20now"))
	// Output: 7
}

func TestSets(t *testing.T) {
	vowels := abnf.Bytes("aeiou")
	for _, tt := range []struct {
		name string
		set  abnf.Set
		in   string
		out  string
	}{
		{"range holds both ends", abnf.Range('b', 'd'), "bcd", "aeBD"},
		{"range up to the last byte ends", abnf.Range(0xfe, 0xff), "\xfe\xff", "\xfd\x00"},
		{"or", vowels.Or(abnf.Digit, abnf.Bytes("-")), "a9-", "bZ_"},
		{"minus", abnf.Alpha.Minus(vowels), "bcdZ", "aeiou1"},
		{"not", vowels.Not(), "b\x00\xff", "aeiou"},
		{"hexdig is of either case", abnf.HexDig, "09afAF", "gG/:@`"},
	} {
		for i := range len(tt.in) {
			if !tt.set.Has(tt.in[i]) {
				t.Errorf("%s: %q is missing", tt.name, tt.in[i])
			}
		}
		for i := range len(tt.out) {
			if tt.set.Has(tt.out[i]) {
				t.Errorf("%s: %q should not be there", tt.name, tt.out[i])
			}
		}
	}
}

func TestOpsLeaveTheirOperandsAlone(t *testing.T) {
	a, b := abnf.Bytes("a"), abnf.Bytes("b")
	_ = a.Or(b)
	_ = a.Minus(a)
	_ = a.Not()
	if a != abnf.Bytes("a") || b != abnf.Bytes("b") {
		t.Error("an operation changed its operand")
	}
}

func TestScan(t *testing.T) {
	set := abnf.Alpha
	for _, tt := range []struct {
		text     string
		from, to int
	}{
		{"", 0, 0},
		{"ab", 0, 2},
		{"ab/c", 0, 2},
		{"ab/c", 3, 4},
		{"a%2Fb%zzc", 0, 5},
		{"a%2fb", 0, 5},
		{"a%2", 0, 1},
		{"a%", 0, 1},
		{"%41", 0, 3},
	} {
		if got := set.Scan(tt.text, tt.from); got != tt.to {
			t.Errorf("%q from %d: %d, want %d", tt.text, tt.from, got, tt.to)
		}
	}
}
