package format

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// unescape appends data[from:to] to p with its character references decoded:
// HTML Standard, 13.2.5.72 and on. In an attribute a reference without its ";"
// stands for itself when "=" or an alphanumeric follows.
func (p *piece) unescape(data []byte, from, to int, attribute bool) {
	if len(p.text) == 0 && from < to && bytes.IndexByte(data[from:to], '&') < 0 {
		// It stands there as it is read, as nearly all does. Whatever is appended
		// goes to a copy.
		p.push(from, to-from, 1, 1)
		p.text = data[from:to:to]
		return
	}
	for from < to {
		amp := bytes.IndexByte(data[from:to], '&')
		if amp < 0 {
			break
		}
		amp += from
		p.copy(data, from, amp)
		text, n := charref(data[amp:to], attribute)
		if n == 0 {
			p.copy(data, amp, amp+1)
			from = amp + 1
			continue
		}
		p.put(text, amp, amp+n)
		from = amp + n
	}
	p.copy(data, from, to)
}

// longestName is more than the length of any named reference's name.
const longestName = 40

// charref decodes the character reference that b begins with: its text and how
// many bytes it takes, 0 when there is none.
func charref(b []byte, attribute bool) (string, int) {
	end := 1
	for end < len(b) && end < longestName && (isAlnum(b[end]) || end == 1 && b[end] == '#') {
		end++
	}
	closed := end < len(b) && b[end] == ';'
	if closed {
		end++
	}
	if end < 3 {
		return "", 0
	}
	run := string(b[:end])
	text := html.UnescapeString(run)
	if text == run {
		return "", 0
	}
	// UnescapeString takes the longest name it knows and leaves the rest.
	rest := 0
	for rest < len(run)-2 && rest < len(text)-1 && text[len(text)-1-rest] == run[len(run)-1-rest] {
		rest++
	}
	// A reference that is closed was taken whole.
	if closed && !strings.HasSuffix(text, ";") {
		rest = 0
	}
	n := end - rest
	if attribute && b[n-1] != ';' && n < len(b) && (b[n] == '=' || isAlnum(b[n])) {
		return "", 0
	}
	return text[:len(text)-rest], n
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
