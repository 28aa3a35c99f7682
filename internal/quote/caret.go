package quote

import (
	"strings"
	"unicode/utf8"
)

// reach is how many bytes [Caret] shows on either side of the offset.
const reach = 60

// Caret gives the two lines that point into s: s masked and quoted, and a "^"
// under the character at the byte offset. An offset within a password points at
// what hides it, an offset of len(s) behind the last character; one outside s
// is taken for the nearest end. Of a long s only the neighbourhood is shown,
// with "…" where it was cut.
//
//	http://[::1/x
//	       ^
func Caret(s string, offset int) (line, marker string) {
	offset = min(max(offset, 0), len(s))
	spans := secrets(s)
	from, to := cut(s, offset-reach), cut(s, offset+reach)
	for _, sp := range spans {
		if sp.start < from && from < sp.end {
			from = sp.start
		}
	}
	var b strings.Builder
	column, at := 0, -1
	if from > 0 {
		b.WriteString("…")
		column++
	}
	marks := maxMarks
	for i := from; i < to; {
		for len(spans) > 0 && spans[0].end <= i && spans[0].start < i {
			spans = spans[1:]
		}
		n, columns := 0, 0
		if len(spans) > 0 && spans[0].start == i {
			n, columns, marks = spans[0].end-i, len(Hidden), 0
			b.WriteString(Hidden)
			spans = spans[1:]
		} else {
			n, marks = next(s[i:], marks)
			columns = writePiece(&b, s[i:i+n], marks)
		}
		if at < 0 && (offset < i+n || n == 0 && offset == i) {
			at = column
		}
		column += columns
		i += n
	}
	if at < 0 {
		at = column
	}
	if to < len(s) {
		b.WriteString("…")
	}
	return b.String(), strings.Repeat(" ", at) + "^"
}

// cut moves i into s and back to where a character begins.
func cut(s string, i int) int {
	if i <= 0 {
		return 0
	}
	if i >= len(s) {
		return len(s)
	}
	for back := 0; back < utf8.UTFMax && i > back; back++ {
		if utf8.RuneStart(s[i-back]) {
			return i - back
		}
	}
	return i
}
