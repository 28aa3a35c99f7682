package gateway

import (
	"strings"
	"testing"
)

// drawn is what stands on a screen, rows parted by "|", blank ones left out.
func drawn(s *screen) string {
	var rows []string
	for i := range Rows {
		if text := s.text(i); text != "" {
			rows = append(rows, text)
		}
	}
	return strings.Join(rows, "|")
}

func TestScreen(t *testing.T) {
	for _, tt := range []struct{ in, want, answer string }{
		{"hello", "hello", ""},
		{"one\r\ntwo", "one|two", ""},
		{"over\rOV", "OVer", ""},
		{"ab\bc", "ac", ""},
		{"a\tb", "a       b", ""},
		{"\x1b[2J\x1b[3;5Hx", "    x", ""},
		{"abc\x1b[2D\x1b[K", "a", ""},
		{"abc\x1b[1K\x1b[Hx", "x", ""},
		{"abcd\x1b[3D\x1b[2P", "ad", ""},   // DCH
		{"ad\x1b[D\x1b[2@", "a  d", ""},    // ICH
		{"abcd\x1b[3D\x1b[2X", "a  d", ""}, // ECH
		{"a\r\nb\r\nc\x1b[2;1H\x1b[M", "a|c", ""},
		{"a\r\nb\x1b[1;1H\x1b[L", "a|b", ""},
		{"\x1b[31;1mred\x1b[0m", "red", ""},
		{"\x1b[38;5;9mx\x1b[48;2;1;2;3my", "xy", ""},
		{"\x1b(0lqk\x1b(B x", "┌─┐ x", ""},
		{"\x1b]0;a title\x07text", "text", ""},
		{"\x1bPdevice\x1b\\text", "text", ""},
		{"\x1b[6n", "", "\x1b[1;1R"},
		{"\x1b[5n\x1b[c", "", "\x1b[0n\x1b[?6c"},
		{"\x1b[?25lx", "x", ""},
		{"\x1b7\x1b[5;5H\x1b8x", "x", ""},
		{"caf\xe9 caf\xc3\xa9", "café café", ""},
		{"a\u202eb", "ab", ""},
		{"\x1b[999;999Hx", strings.Repeat(" ", 79) + "x", ""},
		{"\x1b[2;3r\x1b[3;1Ha\nb", "a| b", ""},
		{"\x1bcx", "x", ""},
		{strings.Repeat("x", 81), strings.Repeat("x", 80) + "|x", ""},
	} {
		s := newScreen()
		s.Write([]byte(tt.in))
		if got := drawn(s); got != tt.want {
			t.Errorf("%q draws %q, want %q", tt.in, got, tt.want)
		}
		if string(s.answer) != tt.answer {
			t.Errorf("%q is answered with %q, want %q", tt.in, s.answer, tt.answer)
		}
		// In pieces it is the same.
		p := newScreen()
		for i := range len(tt.in) {
			p.Write([]byte(tt.in[i : i+1]))
		}
		if drawn(p) != drawn(s) || string(p.answer) != string(s.answer) {
			t.Errorf("%q, an octet at a time, draws %q", tt.in, drawn(p))
		}
	}
}

func TestScreenScrolls(t *testing.T) {
	s := newScreen()
	for i := range 30 {
		s.Write([]byte(strings.Repeat(string(rune('a'+i%26)), 3) + "\r\n"))
	}
	if len(s.gone) != 7 || s.gone[0] != "aaa" || s.text(0) != "hhh" {
		t.Errorf("%q left, %q is on top", s.gone, s.text(0))
	}
	s.Write([]byte("\x1b[32mgreen\x1b[1m!"))
	if r := s.runs(23); r[0] != (run{"green", "f2"}) || r[1] != (run{"!", "f2 bold"}) {
		t.Errorf("%q", r)
	}
}

// FuzzScreen holds that nothing a host writes gets out of its bounds.
func FuzzScreen(f *testing.F) {
	for _, s := range []string{"\x1b[;;;;m", "\x1b[99999999A", "\x1b[5;2r\x1b[M", "\x1b]", "\x1b[6n\x1b[6n", "\xff\xfe", "\x1b(0~", "\x1b[10S\x1b[10T\x1b[L", "\x1b[1;1r\n\x1bM", "\x1b[79G\x1b[9P\x1b[9@"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		s := newScreen()
		s.Write(in)
		if s.row < 0 || s.row >= Rows || s.col < 0 || s.col >= Columns || s.top >= s.bottom {
			t.Fatalf("row %d, column %d, region %d to %d", s.row, s.col, s.top, s.bottom)
		}
		if len(s.rest) > longestSequence || len(s.answer) > 2*longestSequence || len(s.gone) > mostGone {
			t.Fatalf("%d octets wait, %d answer, %d lines are gone", len(s.rest), len(s.answer), len(s.gone))
		}
		for i := range Rows {
			width := 0
			for _, r := range s.runs(i) {
				if strings.ContainsFunc(r[0], acts) {
					t.Fatalf("row %d holds %q", i, r[0])
				}
				width += len([]rune(r[0]))
			}
			if width != Columns {
				t.Fatalf("row %d is %d wide", i, width)
			}
		}
	})
}
