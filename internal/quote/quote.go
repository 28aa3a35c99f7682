// Package quote makes text from a URL safe to show to a person: on a terminal,
// in a log line, in a page.
//
// A URL is written by strangers. It may hold escape sequences that a terminal
// obeys, bidirectional controls that show a different order than the one that
// is read, characters that show as nothing, and passwords. [Text] answers the
// first three, [Mask] the last, and [Caret] points into what is left. Start
// with Text.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with everything that a person would not see as itself written
// as an escape: \t, \n and \r; \u{..} for the other controls, bidirectional
// and invisible characters, spaces other than U+0020 and what Unicode has not
// assigned; \xNN for an octet that is not UTF-8. A combining mark is escaped
// where it has no base to stand on and where more than four are piled up.
//
// The result is one line of printable text, and Text of it is itself. It
// allocates only when there is something to escape.
func Text(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := maxMarks
	for i := 0; i < len(s); {
		var n int
		n, marks = next(s[i:], marks)
		writePiece(&b, s[i:i+n], marks)
		i += n
	}
	return b.String()
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// maxMarks is how many combining marks may stand on one base. Text begins as
// though a base were full, since there is none.
const maxMarks = 4

// next gives the length of the first piece of s, a character or a stray octet,
// and the number of marks on the current base, with this piece; escaped pieces
// are no base, and a count above maxMarks tells that the mark is to be escaped.
func next(s string, marks int) (n, now int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n <= 1, !shows(r):
		return n, maxMarks
	case r >= 0x300 && unicode.Is(unicode.M, r):
		return n, min(marks, maxMarks) + 1
	}
	return n, 0
}

// shows reports whether a person sees r as itself.
func shows(r rune) bool {
	if r < 0x7f {
		return r >= 0x20
	}
	// IsPrint holds letters, marks, numbers, punctuation and symbols: it leaves
	// out Cc, Cf (bidi controls, zero width, tags), Zs but U+0020, Zl, Zp, Co
	// and Cn.
	return unicode.IsPrint(r) && !unicode.Is(blank, r)
}

// blank is what counts as a letter, mark or symbol and yet shows as nothing:
// the rest of Default_Ignorable_Code_Point, and the empty braille cell.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034f, 0x034f, 1}, // combining grapheme joiner
		{0x115f, 0x1160, 1}, // Hangul fillers
		{0x17b4, 0x17b5, 1}, // Khmer inherent vowels
		{0x180b, 0x180f, 1}, // Mongolian variation selectors
		{0x2800, 0x2800, 1}, // braille pattern blank
		{0x3164, 0x3164, 1}, // Hangul filler
		{0xfe00, 0xfe0f, 1}, // variation selectors
		{0xffa0, 0xffa0, 1}, // halfwidth Hangul filler
		{0xfffc, 0xfffc, 1}, // object replacement character
	},
	R32: []unicode.Range32{
		{0xe0100, 0xe01ef, 1}, // variation selectors supplement
	},
}

const hex = "0123456789abcdef"

// writePiece writes what next found, as it is or as an escape, and returns the
// number of columns it takes.
func writePiece(b *strings.Builder, piece string, marks int) (columns int) {
	r, n := utf8.DecodeRuneInString(piece)
	switch {
	case r == utf8.RuneError && n == 1:
		b.WriteString(`\x`)
		b.WriteByte(hex[piece[0]>>4])
		b.WriteByte(hex[piece[0]&15])
		return 4
	case marks <= maxMarks && shows(r):
		b.WriteString(piece)
		return width(r)
	case r == '\t':
		b.WriteString(`\t`)
		return 2
	case r == '\n':
		b.WriteString(`\n`)
		return 2
	case r == '\r':
		b.WriteString(`\r`)
		return 2
	}
	shift := 0
	for r>>shift > 15 {
		shift += 4
	}
	columns = len(`\u{}`) + shift/4 + 1
	b.WriteString(`\u{`)
	for ; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&15])
	}
	b.WriteByte('}')
	return columns
}

// width is the number of terminal columns of a character that shows.
func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide is East_Asian_Width W and F (UAX #11), in whole blocks where a block has
// hardly anything else.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x231a, 0x231b, 1},
		{0x2e80, 0x303e, 1},
		{0x3041, 0xa4cf, 1},
		{0xa960, 0xa97f, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe10, 0xfe19, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff01, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18dff, 1},
		{0x1b000, 0x1b2ff, 1},
		{0x1f300, 0x1f64f, 1},
		{0x1f680, 0x1f6ff, 1},
		{0x1f900, 0x1f9ff, 1},
		{0x1fa70, 0x1faff, 1},
		{0x20000, 0x3fffd, 1},
	},
}
