package find

import (
	"os"
	"strings"
	"testing"
)

// TestUTS58 holds the standard's own lines: a link stands between ⸠ and ⸡.
func TestUTS58(t *testing.T) {
	data, err := os.ReadFile("../../shared/data/uts58/LinkDetectionTest.txt")
	if err != nil {
		t.Skip("the standard's test lines are not there: ", err)
	}
	lines := 0
	for want := range strings.Lines(string(data)) {
		want = strings.TrimRight(want, "\r\n")
		if strings.TrimSpace(want) == "" || strings.HasPrefix(want, "#") {
			continue
		}
		lines++
		text := strings.NewReplacer("⸠", "", "⸡", "").Replace(want)
		if got := bracket(text, collect(text, Options{Profile: UTS58})); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
		if got := bracket(text, read(t, &chunks{text: text}, Options{Profile: UTS58})); got != want {
			t.Errorf("read\n got %s\nwant %s", got, want)
		}
	}
	if lines != 344 {
		t.Errorf("%d lines, want 344", lines)
	}
}

func bracket(text string, matches []Match) string {
	var b strings.Builder
	at := 0
	for _, m := range matches {
		b.WriteString(text[at:m.Start])
		b.WriteString("⸠")
		b.WriteString(m.Text)
		b.WriteString("⸡")
		at = m.End
	}
	b.WriteString(text[at:])
	return b.String()
}
