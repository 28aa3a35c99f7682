package telnet_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"anyurl/fetch"
	"anyurl/proto/telnet"
)

func ExampleScreen() {
	var s telnet.Screen
	// Erase/Write, keyboard restored; at row 2, column 3: a field that is
	// protected, and its text.
	s.Apply([]byte("\xf5\xc2\x11\xc1\xd2\x1d\x60\xc8\xc5\xd3\xd3\xd6"))
	fmt.Printf("%q\n", s.Text())
	// Output: "\n   HELLO\n"
}

// into3270 is how a host goes into 3270 mode: RFC 1576, section 3.
var into3270 = []part{
	{"\xff\xfd\x18", "\xff\xfb\x18"},
	{"\xff\xfa\x18\x01\xff\xf0", "\xff\xfa\x18\x00IBM-3279-2-E\xff\xf0"},
	{"\xff\xfd\x19\xff\xfb\x19", "\xff\xfb\x19\xff\xfd\x19"},
	{"\xff\xfd\x00\xff\xfb\x00", "\xff\xfb\x00\xff\xfd\x00"},
}

func host(parts ...part) []part { return append(append([]part(nil), into3270...), parts...) }

const query = "\x88\x00\x08\x81\x80\x80\x81\x85\xa6\x00\x17\x81\x81\x01\x00\x00\x50\x00\x18\x01\x00\x0a\x02\xe5\x00\x02\x00\x6f\x09\x0c\x07\x80" +
	"\x00\x10\x81\x85\x00\x00\x09\x0c\x00\x00\x00\x00\x03\x00\x00\x00\x00\x11\x81\xa6\x00\x00\x0b\x01\x00\x00\x50\x00\x18\x00\x50\x00\x18\xff\xef"

func TestTN3270(t *testing.T) {
	for _, tt := range []struct {
		name     string
		parts    []part
		protocol string
		body     string
	}{
		{"one screen", host(part{"\xf5\xc2\xc8\xc5\xd3\xd3\xd6\xff\xef", ""}), "tn3270", "HELLO\n"},
		{"a screen in two records", host(part{"\xf5\xc2\xc8\xc5\xff\xef", ""}, part{"\xf1\xc2\xd3\xd3\xd6\xff\xef", ""}), "tn3270", "HELLO\n"},
		{"an octet 255 in a record is doubled", host(part{"\xf5\xc2\xc8\xff\xff\xc5\xff\xef", ""}), "tn3270", "H E\n"},
		{"a query first", host(part{"\xf3\x00\x05\x01\xff\xff\x02\xff\xef", query}, part{"\xf5\xc2\xc8\xff\xef", ""}), "tn3270", "H\n"},
		{"TN3270E is declined", append([]part{{"\xff\xfd\x28", "\xff\xfc\x28"}}, host(part{"\xf5\xc2\xc8\xff\xef", ""})...), "tn3270", "H\n"},
		{"a telnet service", []part{{"\xff\xfb\x01", "\xff\xfd\x01"}, {"login: ", ""}}, "telnet", "login: "},
		{"words before the screen", append([]part{{"connecting\r\n", ""}}, host(part{"\xf5\xc2\xc8\xff\xef", ""})...), "tn3270", "H\n"},
	} {
		for _, hold := range []bool{false, true} {
			got, body, took, err := session(t, "tn3270://192.0.2.1", hold, tt.parts...)
			if err != nil || body != tt.body || got.Protocol != tt.protocol || got.Type != "text/plain" {
				t.Errorf("%s: %q, %v; want %q", tt.name, body, err, tt.body)
			}
			if took > telnet.DefaultQuiet+time.Second {
				t.Errorf("%s: took %v", tt.name, took)
			}
		}
	}
	for _, tt := range []struct {
		name, say string
		kind      error
	}{
		{"an address off the screen", "\xf5\xc2\x11\x3f\xff\xff\xff\xef", fetch.ErrMalformed},
		{"an order cut", "\xf5\xc2\x11\xff\xef", fetch.ErrMalformed},
		{"no command", "\x99\xff\xef", fetch.ErrMalformed},
		{"a record without an end", "\xf5" + strings.Repeat("\xc1", 70000), fetch.ErrTooLarge},
		{"nothing to see", "", fetch.ErrTruncated},
	} {
		_, _, _, err := session(t, "tn3270://192.0.2.1", false, host(part{tt.say, ""})...)
		var e *fetch.Error
		if !errors.Is(err, tt.kind) || !errors.As(err, &e) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestScreen(t *testing.T) {
	for _, tt := range []struct{ name, record, text string }{
		{"a command alone", "\xf5", ""},
		{"text", "\xf5\xc2\xc1\xc2\xc3", "ABC\n"},
		{"local command codes", "\x05\xc2\xc1", "A\n"},
		{"Erase/Write Alternate", "\x7e\xc2\xc1", "A\n"},
		{"14-bit address", "\xf5\xc2\x11\x00\x50\xc1", "\nA\n"},
		{"12-bit address", "\xf5\xc2\x11\xc1\x50\xc1", "\nA\n"}, // (1 << 6) + 16 is 80
		{"a field's attribute takes a place", "\xf5\xc2\xc1\x1d\xf0\xc2", "A B\n"},
		{"non-display", "\xf5\xc2\xc1\x1d\x4c\xc2\x1d\x40\xc3", "A   C\n"},
		{"non-display goes round the end", "\xf5\xc2\x11\x07\x7e\x1d\x4c\xc1\xc2\x1d\x40\xc3", "  C\n"},
		{"Start Field Extended", "\xf5\xc2\x29\x02\xc0\x4c\x42\xf1\xc1\x1d\x40\xc2", "   B\n"},
		{"Modify Field", "\xf5\xc2\x1d\x40\xc1\x11\x40\x40\x2c\x01\xc0\x4c", ""},
		{"Set Attribute", "\xf5\xc2\xc1\x28\x42\xf1\xc2", "AB\n"},
		{"Repeat to Address", "\xf5\xc2\x3c\x00\x05\xc1\xc2", "AAAAAB\n"},
		{"Repeat to where it stands is all", "\xf5\xc2\x3c\x00\x00\xc1", strings.Repeat(strings.Repeat("A", 80)+"\n", 24)},
		{"Repeat a graphic escape", "\xf5\xc2\x3c\x00\x02\x08\xad\xc1", "  A\n"},
		{"Erase Unprotected to Address", "\xf5\xc2\xc1\xc2\xc3\x11\x00\x00\x12\x00\x02", "  C\n"},
		{"and leaves what is protected", "\xf5\xc2\x1d\x60\xc1\x1d\x40\xc2\x11\x00\x00\x12\x00\x09", " A\n"},
		{"Program Tab", "\xf5\xc2\x11\x00\x05\x1d\x40\x11\x00\x00\x05\xc1", "      A\n"},
		{"Program Tab finds none", "\xf5\xc2\x11\x00\x09\x05\xc1", "A\n"},
		{"Insert Cursor", "\xf5\xc2\xc1\x13\xc2", "AB\n"},
		{"text goes round the end", "\xf5\xc2\x11\x07\x7f\xc1\xc2", "B\n" + strings.Repeat("\n", 22) + strings.Repeat(" ", 79) + "A\n"},
		{"Outbound 3270DS", "\xf3\x00\x07\x40\x00\xf5\xc2\xc1", "A\n"},
		{"the rest of all", "\x11\x00\x00\x40\x00\xf5\xc2\xc1", "A\n"},
		{"code page 037", "\xf5\xc2\xba\xbb\x4a\x5f\xa1\xb0\x79\xe0", "[]¢¬~^`\\\n"},
		{"controls are blanks", "\xf5\xc2\xc1\x0d\x15\x1c\x19\x3f\xc2", "A     B\n"},
	} {
		var s telnet.Screen
		if _, err := s.Apply([]byte(tt.record)); err != nil || s.Text() != tt.text {
			t.Errorf("%s: %q, %v; want %q", tt.name, s.Text(), err, tt.text)
		}
	}
	var s telnet.Screen
	s.Apply([]byte("\xf5\xc0\x1d\x40\xc1\x11\x00\x05\x1d\x60\xc2"))
	if s.Free() {
		t.Error("the keyboard is free")
	}
	s.Apply([]byte("\x6f")) // Erase All Unprotected
	if got := s.Text(); got != "      B\n" || !s.Free() || !s.Written() {
		t.Errorf("%q", got)
	}
}

func FuzzScreen(f *testing.F) {
	for _, s := range []string{"\xf5\xc2\xc1\x11\x00\x50\x1d\x60", "\xf3\x00\x05\x01\xff\xff\x02", "\xf3\x00\x07\x40\x00\xf5\xc2\xc1", "\xf1\xc2\x05\x05\x3c\x00\x00\x08\xc1\x12\x00\x00", "\x6f", "\xf5\xc2\x29\x02\xc0\x4c\x42\xf1\x2c\x01\xc0\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, rec []byte) {
		if len(rec) > 4<<10 {
			return
		}
		var s telnet.Screen
		s.Apply(rec)
		s.Apply(rec)
		text := s.Text()
		if !utf8.ValidString(text) || strings.Count(text, "\n") > telnet.Rows {
			t.Errorf("%q", text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if utf8.RuneCountInString(line) > telnet.Columns || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }) {
				t.Errorf("%q", line)
			}
		}
	})
}
