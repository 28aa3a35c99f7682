package gemini

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzStatus: a line that is a status is one of the six kinds, and says again
// what it said.
func FuzzStatus(f *testing.F) {
	for _, s := range []string{"20 text/gemini", "51", "20", "31  /a ", "200 OK", "7", "20\ttext/plain", "\u0661\u0660 x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		status, meta, ok := readStatus(line)
		if !ok {
			return
		}
		if status < 10 || status > 69 || strings.TrimSpace(meta) != meta {
			t.Errorf("%q is %d %q", line, status, meta)
		}
		again, same, ok := readStatus(fmt.Sprintf("%d %s", status, meta))
		if !ok || again != status || same != meta {
			t.Errorf("%q comes back as %d %q", line, again, same)
		}
		if status/10 > 3 || status/10 == 1 {
			if err := refusal(status, meta); err == nil || strings.ContainsAny(err.Error(), "\r\n\x1b") {
				t.Errorf("%q: %v", line, err)
			}
		}
	})
}
