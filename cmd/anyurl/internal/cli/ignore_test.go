package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestIgnoredBy(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // the lines that are exempt
	}{
		{"a\nb <!-- anyurl-ignore -->\nc", "2"},
		{"a\n<!-- anyurl-ignore -->\nc\nd", "2 3"},
		{"a\n<!-- anyurl-ignore-next-line -->\nc\nd", "3"},
		{"a\n<!-- anyurl-ignore-start -->\nc\n<!-- anyurl-ignore-end -->\ne", "2 3 4"},
		{"a\n<!--anyurl-ignore-start-->\nc\nd", "2 3 4"},
		{"a // anyurl-ignore\nb # anyurl-ignore: it is an example\nc", "1 2"},
		{"<!-- lychee-ignore-start -->\nb\n<!-- lychee-ignore-end -->\nd", "1 2 3"},
		{"<!-- markdown-link-check-disable -->\nb\n<!-- markdown-link-check-enable -->\nd", "1 2 3"},
		{"<!-- markdown-link-check-disable-next-line -->\nb\nc <!-- markdown-link-check-disable-line -->\nd", "2 3"},
		{"write `<!-- anyurl-ignore-start -->` to exempt what follows\nb", ""},
		{"the word anyurl-ignore alone exempts nothing\nb", ""},
		{"{/* anyurl-ignore */}\nb", "1 2"},
		{".. anyurl-ignore\nb", "1 2"},
	} {
		g := ignoredBy([]byte(tt.text))
		var got []string
		for n := 1; n <= strings.Count(tt.text, "\n")+1; n++ {
			if g.has(n) {
				got = append(got, fmt.Sprint(n))
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: lines %q, want %q", tt.text, s, tt.want)
		}
	}
}
