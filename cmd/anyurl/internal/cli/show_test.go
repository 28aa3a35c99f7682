package cli

import "testing"

func TestMaskedWire(t *testing.T) {
	c := &call{}
	for _, tt := range []struct{ line, want string }{
		{"RCPT TO:<joe@a.example>", "RCPT TO:<joe@a.example>"}, // RFC 5321, section 4.1.1.3
		{"MAIL FROM:<kim@a.example> SIZE=120", "MAIL FROM:<kim@a.example> SIZE=120"},
		{"rcpt to:<ftp://joe:secret@a.example>", "rcpt to:<ftp://joe:***@a.example>"},
		{"GET ftp://joe:secret@a.example/ HTTP/1.1", "GET ftp://joe:***@a.example/ HTTP/1.1"},
		{"joe:secret@a.example", "joe:***@a.example"},
		{"two\r\nlines", `two\r\nlines`},
	} {
		if got := c.maskedWire(tt.line); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.line, got, tt.want)
		}
	}
}
