package percent_test

import (
	"errors"
	"fmt"
	"testing"

	"anyurl/percent"
	"anyurl/rule"
)

func ExampleEncode() {
	fmt.Println(percent.Encode("50% of /etc?", &percent.Component))
	// Output: 50%25%20of%20%2Fetc%3F
}

func ExampleDecode() {
	fmt.Println(percent.Decode("%2Fetc/100%"))
	// Output: /etc/100%
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"abc", "abc"},
		{"%41%7a", "Az"},
		{"%e2%82%AC", "€"},
		{"%2525", "%25"}, // once only
		{"%", "%"},
		{"%4", "%4"},
		{"%4g%g4", "%4g%g4"},
		{"%%41", "%A"},
		{"%00%0d%0A", "\x00\r\n"},
		{"a+b", "a+b"}, // "+" means a space in forms alone
	} {
		if got := percent.Decode(tt.in); got != tt.want {
			t.Errorf("Decode(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if got := string(percent.AppendDecode([]byte("x"), tt.in)); got != "x"+tt.want {
			t.Errorf("AppendDecode(x, %q) = %q", tt.in, got)
		}
	}
}

// The bytes that each set holds between 0x20 and 0x7E, as the URL Standard's
// section "percent-encoded bytes" lists them.
func TestSets(t *testing.T) {
	for _, tt := range []struct {
		name  string
		set   *percent.Set
		ascii string
	}{
		{"C0 control", &percent.C0Control, ""},
		{"fragment", &percent.Fragment, " \"<>`"},
		{"query", &percent.Query, " \"#<>"},
		{"special-query", &percent.SpecialQuery, " \"#'<>"},
		{"path", &percent.Path, " \"#<>?^`{}"},
		{"userinfo", &percent.Userinfo, " \"#/:;<=>?@[\\]^`{|}"},
		{"component", &percent.Component, " \"#$%&+,/:;<=>?@[\\]^`{|}"},
		{"form", &percent.Form, " !\"#$%&'()+,/:;<=>?@[\\]^`{|}~"},
	} {
		var got []byte
		for c := range 256 {
			switch {
			case c < 0x20 || c > 0x7e:
				if !tt.set.Has(byte(c)) {
					t.Errorf("%s lacks %#x", tt.name, c)
				}
			case tt.set.Has(byte(c)):
				got = append(got, byte(c))
			}
		}
		if string(got) != tt.ascii {
			t.Errorf("%s holds %q, want %q", tt.name, got, tt.ascii)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, tt := range []struct {
		in   string
		set  *percent.Set
		want string
	}{
		{"", &percent.Form, ""},
		{"plain", &percent.Path, "plain"},
		{"a b?c", &percent.Path, "a%20b%3Fc"},
		{"a%20b", &percent.Path, "a%20b"}, // encoded already
		{"a%20b", &percent.Component, "a%2520b"},
		{"é\x00\xff", &percent.C0Control, "%C3%A9%00%FF"},
		{"it's", &percent.SpecialQuery, "it%27s"},
		{"it's", &percent.Query, "it's"},
	} {
		if got := percent.Encode(tt.in, tt.set); got != tt.want {
			t.Errorf("Encode(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		in     string
		offset int // -1: nothing wrong
	}{
		{"", -1}, {"%41%4f", -1}, {"%", 0}, {"a%4", 1}, {"%41%zz", 3}, {"%%41", 0},
	} {
		err := percent.Check(tt.in)
		var re *rule.Error
		switch {
		case tt.offset < 0 && err != nil:
			t.Errorf("Check(%q) = %v", tt.in, err)
		case tt.offset >= 0 && (!errors.As(err, &re) || re.Offset != tt.offset || re.Rule != percent.BadEscape):
			t.Errorf("Check(%q) = %v, want offset %d", tt.in, err, tt.offset)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "a b", "%", "%41", "é\x00\xff", "100%25"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, set := range []*percent.Set{&percent.Component, &percent.Form, &percent.Unreserved} {
			if got := percent.Decode(percent.Encode(s, set)); got != s {
				t.Errorf("Decode(Encode(%q)) = %q", s, got)
			}
		}
		if percent.Check(s) == nil && len(percent.Decode(s)) > len(s) {
			t.Errorf("Decode(%q) grew", s)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, s := range []string{"plain/path/without/escapes", "caf%C3%A9/na%C3%AFve"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				percent.Decode(s)
			}
		})
	}
}
