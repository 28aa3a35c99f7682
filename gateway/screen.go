package gateway

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The terminal's size: what hosts of the age of Telnet expect.
const (
	Columns = 80
	Rows    = 24
)

// A cell is one place on the screen.
type cell struct {
	char rune
	look look
}

// A look is how a character stands there.
type look struct {
	fore, back                       uint8 // 0 is the page's own, else a colour of ECMA-48 and one
	bold, faint, italic, under, turn bool
}

// class names a look for the style sheet; "" is plain.
func (l look) class() string {
	var names []string
	if l.fore > 0 {
		names = append(names, fmt.Sprintf("f%d", l.fore-1))
	}
	if l.back > 0 {
		names = append(names, fmt.Sprintf("b%d", l.back-1))
	}
	for _, x := range []struct {
		on   bool
		name string
	}{{l.bold, "bold"}, {l.faint, "faint"}, {l.italic, "italic"}, {l.under, "under"}, {l.turn, "turn"}} {
		if x.on {
			names = append(names, x.name)
		}
	}
	return strings.Join(names, " ")
}

// A screen is a terminal of the VT100 family (ECMA-48), as far as services over
// Telnet use one. What a host writes becomes characters in places; nothing it
// writes can be more than that, and the two questions it may ask are answered
// with numbers alone.
type screen struct {
	grid        [Rows][Columns]cell
	row, col    int
	full        bool // the last column was written: the next character begins a line
	look        look
	top, bottom int // the scrolling region
	saved       struct {
		row, col int
		look     look
	}
	lines  bool   // the line drawing characters are in use
	hidden bool   // the cursor
	rest   []byte // of a sequence or a character that goes on
	answer []byte // to the host
	gone   []string
	bells  int
}

func newScreen() *screen {
	s := &screen{bottom: Rows - 1}
	s.erase(0, 0, Rows-1, Columns-1)
	return s
}

// mostGone bounds the lines that scrolled off and were not yet shown.
const mostGone = 1000

// longestSequence bounds a control sequence that never ends.
const longestSequence = 256

// Write draws what a host sent.
func (s *screen) Write(p []byte) (int, error) {
	in := p
	if len(s.rest) > 0 {
		in = append(s.rest, p...)
		s.rest = nil
	}
	for len(in) > 0 {
		n := s.step(in)
		if n == 0 { // goes on in the next piece
			if len(in) < longestSequence {
				s.rest = append([]byte(nil), in...)
				break
			}
			n = 1
		}
		in = in[n:]
	}
	return len(p), nil
}

// step does what the beginning of in says and gives its length, 0 if it is not
// all there yet.
func (s *screen) step(in []byte) int {
	c := in[0]
	switch {
	case c == 0x1b:
		return s.escape(in)
	case c < ' ' || c == 0x7f:
		s.control(c)
		return 1
	case c < 0x80:
		s.put(rune(c))
		return 1
	}
	if !utf8.FullRune(in) {
		return 0
	}
	r, n := utf8.DecodeRune(in)
	if r == utf8.RuneError && n == 1 {
		r = rune(c) // ISO 8859-1
	}
	if r < 0xa0 || acts(r) {
		return n
	}
	s.put(r)
	return n
}

func (s *screen) control(c byte) {
	switch c {
	case '\a':
		s.bells++
	case '\b':
		s.col, s.full = max(s.col-1, 0), false
	case '\t':
		s.col = min(s.col/8*8+8, Columns-1)
	case '\n', '\v', '\f':
		s.down()
	case '\r':
		s.col, s.full = 0, false
	case 0x0e, 0x0f:
		s.lines = c == 0x0e
	}
}

// drawing are the characters of the DEC line drawing set from "`" on.
const drawing = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"

func (s *screen) put(r rune) {
	if s.full {
		s.col, s.full = 0, false
		s.down()
	}
	if s.lines && r >= '`' && r <= '~' {
		r = []rune(drawing)[r-'`']
	}
	s.grid[s.row][s.col] = cell{r, s.look}
	if s.col == Columns-1 {
		s.full = true
	} else {
		s.col++
	}
}

// down goes to the next line; at the end of the region, the region moves up.
func (s *screen) down() {
	switch {
	case s.row == s.bottom:
		s.scroll(s.top, 1)
	case s.row < Rows-1:
		s.row++
	}
}

// scroll moves the lines from a row to the region's end up by n, or down.
func (s *screen) scroll(from, n int) {
	size := s.bottom - from + 1
	if size <= 0 {
		return
	}
	if n > 0 {
		n = min(n, size)
		if from == 0 && s.bottom == Rows-1 {
			for i := range n {
				if len(s.gone) < mostGone {
					s.gone = append(s.gone, s.text(i))
				}
			}
		}
		copy(s.grid[from:s.bottom+1], s.grid[from+n:s.bottom+1])
		s.erase(s.bottom-n+1, 0, s.bottom, Columns-1)
		return
	}
	n = min(-n, size)
	copy(s.grid[from+n:s.bottom+1], s.grid[from:s.bottom+1-n])
	s.erase(from, 0, from+n-1, Columns-1)
}

// erase blanks from one place to another, in reading order.
func (s *screen) erase(row, col, toRow, toCol int) {
	for r := row; r <= toRow; r++ {
		first, last := 0, Columns-1
		if r == row {
			first = col
		}
		if r == toRow {
			last = toCol
		}
		for c := first; c <= last; c++ {
			s.grid[r][c] = cell{' ', look{back: s.look.back}}
		}
	}
}

// text is a row without the blanks at its end.
func (s *screen) text(row int) string {
	var b strings.Builder
	for _, c := range s.grid[row] {
		b.WriteRune(c.char)
	}
	return strings.TrimRight(b.String(), " ")
}

// escape does an escape sequence.
func (s *screen) escape(in []byte) int {
	if len(in) < 2 {
		return 0
	}
	switch in[1] {
	case '[':
		return s.sequence(in)
	case ']', 'P', '_', '^', 'X': // a string, such as a window's title: passed over
		for i := 2; i < len(in); i++ {
			if in[i] == '\a' {
				return i + 1
			}
			if in[i] == 0x1b {
				if i+1 == len(in) {
					return 0
				}
				return i + 2
			}
		}
		return 0
	case '(', ')', '*', '+', '#', '%', ' ':
		if len(in) < 3 {
			return 0
		}
		if in[1] == '(' {
			s.lines = in[2] == '0'
		}
		return 3
	case '7':
		s.save()
	case '8':
		s.restore()
	case 'D':
		s.down()
	case 'E':
		s.col, s.full = 0, false
		s.down()
	case 'M':
		if s.row == s.top {
			s.scroll(s.top, -1)
		} else {
			s.row = max(s.row-1, 0)
		}
	case 'c':
		answer := s.answer
		*s = *newScreen()
		s.answer = answer
	}
	return 2
}

func (s *screen) save() { s.saved.row, s.saved.col, s.saved.look = s.row, s.col, s.look }
func (s *screen) restore() {
	s.row, s.col, s.look, s.full = s.saved.row, s.saved.col, s.saved.look, false
}

// sequence does a control sequence: parameters, then what to do.
func (s *screen) sequence(in []byte) int {
	i := 2
	private := byte(0)
	if i < len(in) && in[i] >= '<' && in[i] <= '?' {
		private = in[i]
		i++
	}
	var params []int
	n, some := 0, false
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case c >= '0' && c <= '9':
			n, some = min(n*10+int(c-'0'), 9999), true
		case c == ';' || c == ':':
			params = append(params, n)
			n, some = 0, true
			if len(params) > 32 {
				return i + 1
			}
		case c >= 0x40 && c <= 0x7e:
			if some {
				params = append(params, n)
			}
			s.do(c, private, params)
			return i + 1
		case c >= 0x20 && c < 0x30: // an intermediate: none of those is ours
			private = c
		default: // no sequence at all
			return i
		}
	}
	return 0
}

// do does what a control sequence says (ECMA-48, section 8.3).
func (s *screen) do(what, private byte, params []int) {
	at := func(i, otherwise int) int {
		if i < len(params) && params[i] > 0 {
			return params[i]
		}
		return otherwise
	}
	if private != 0 {
		if private == '?' && (what == 'h' || what == 'l') {
			for _, p := range params {
				switch p {
				case 25:
					s.hidden = what == 'l'
				case 47, 1047, 1049:
					s.erase(0, 0, Rows-1, Columns-1)
				}
			}
		}
		return
	}
	n := at(0, 1)
	row, col := s.row, s.col
	switch what {
	case 'A':
		row -= n
	case 'B', 'e':
		row += n
	case 'C', 'a':
		col += n
	case 'D':
		col -= n
	case 'E':
		row, col = row+n, 0
	case 'F':
		row, col = row-n, 0
	case 'G', '`':
		col = n - 1
	case 'd':
		row = n - 1
	case 'H', 'f':
		row, col = n-1, at(1, 1)-1
	case 'J':
		s.clear(at(0, 0))
	case 'K':
		switch at(0, 0) {
		case 0:
			s.erase(row, col, row, Columns-1)
		case 1:
			s.erase(row, 0, row, col)
		case 2:
			s.erase(row, 0, row, Columns-1)
		}
	case 'L', 'M':
		if row >= s.top && row <= s.bottom {
			if what == 'L' {
				n = -n
			}
			s.scroll(max(row, s.top), n)
		}
	case 'S', 'T':
		if what == 'T' {
			n = -n
		}
		s.scroll(s.top, n)
	case '@', 'P', 'X':
		s.shift(what, min(n, Columns-col))
	case 'm':
		s.looks(params)
	case 'r':
		top, bottom := at(0, 1)-1, min(at(1, Rows), Rows)-1
		if top < bottom {
			s.top, s.bottom, row, col = top, bottom, 0, 0
		}
	case 's':
		s.save()
	case 'u':
		s.restore()
		return
	case 'c':
		s.reply("\x1b[?6c") // a VT102
	case 'n':
		switch at(0, 0) {
		case 5:
			s.reply("\x1b[0n")
		case 6:
			s.reply(fmt.Sprintf("\x1b[%d;%dR", s.row+1, s.col+1))
		}
	}
	if row != s.row || col != s.col {
		s.full = false
	}
	s.row, s.col = max(0, min(row, Rows-1)), max(0, min(col, Columns-1))
}

func (s *screen) clear(how int) {
	switch how {
	case 0:
		s.erase(s.row, s.col, Rows-1, Columns-1)
	case 1:
		s.erase(0, 0, s.row, s.col)
	case 2, 3:
		s.erase(0, 0, Rows-1, Columns-1)
	}
}

// shift makes room in the line, takes characters out of it, or blanks them.
func (s *screen) shift(what byte, n int) {
	line := s.grid[s.row][s.col:]
	switch what {
	case '@':
		copy(line[n:], line)
		s.erase(s.row, s.col, s.row, s.col+n-1)
	case 'P':
		copy(line, line[n:])
		s.erase(s.row, Columns-n, s.row, Columns-1)
	case 'X':
		s.erase(s.row, s.col, s.row, s.col+n-1)
	}
}

// reply answers the host, within bounds: one that asks without end gets no more.
func (s *screen) reply(text string) {
	if len(s.answer) < longestSequence {
		s.answer = append(s.answer, text...)
	}
}

// looks changes how characters look from here on (SGR).
func (s *screen) looks(params []int) {
	if len(params) == 0 {
		s.look = look{}
	}
	for i := 0; i < len(params); i++ {
		switch p := params[i]; {
		case p == 0:
			s.look = look{}
		case p == 1:
			s.look.bold = true
		case p == 2:
			s.look.faint = true
		case p == 3:
			s.look.italic = true
		case p == 4:
			s.look.under = true
		case p == 7:
			s.look.turn = true
		case p == 22:
			s.look.bold, s.look.faint = false, false
		case p == 23:
			s.look.italic = false
		case p == 24:
			s.look.under = false
		case p == 27:
			s.look.turn = false
		case p >= 30 && p <= 37:
			s.look.fore = uint8(p-30) + 1
		case p >= 90 && p <= 97:
			s.look.fore = uint8(p-90) + 9
		case p == 39:
			s.look.fore = 0
		case p >= 40 && p <= 47:
			s.look.back = uint8(p-40) + 1
		case p >= 100 && p <= 107:
			s.look.back = uint8(p-100) + 9
		case p == 49:
			s.look.back = 0
		case p == 38 || p == 48: // of 256 colours or of all: the first sixteen, else none
			if i+2 < len(params) && params[i+1] == 5 {
				if c := params[i+2]; c < 16 && p == 38 {
					s.look.fore = uint8(c) + 1
				} else if c < 16 {
					s.look.back = uint8(c) + 1
				}
				i += 2
			} else {
				i += 4
			}
		}
	}
}

// A run is characters of one look, as they are sent to the page.
type run [2]string // the text, the class

// runs is a row as a page draws it.
func (s *screen) runs(row int) (list []run) {
	line := &s.grid[row]
	for i := 0; i < Columns; {
		j := i
		var b strings.Builder
		for j < Columns && line[j].look == line[i].look {
			b.WriteRune(line[j].char)
			j++
		}
		list = append(list, run{b.String(), line[i].look.class()})
		i = j
	}
	return list
}
