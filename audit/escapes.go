package audit

import (
	"strings"
	"unicode/utf8"
)

// An escape is "%" and two digits, or what only looks like it.
type escape struct {
	start, end int
	c          byte
	ok         bool
}

// escapeAt reads the escape at i, where a "%" stands. Tabs and line ends within
// are not there for the URL Standard.
func (p *pass) escapeAt(i int) escape {
	first := p.skip(i + 1)
	if first >= p.hi || !isHex(p.in[first]) {
		return escape{start: i, end: i + 1}
	}
	second := p.skip(first + 1)
	if second >= p.hi || !isHex(p.in[second]) {
		return escape{start: i, end: first + 1}
	}
	return escape{i, second + 1, unhex(p.in[first])<<4 | unhex(p.in[second]), true}
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// escapes reports on what is percent-encoded, anywhere.
func (p *pass) escapes() {
	var run [utf8.UTFMax * 8]byte // escapes of a character outside ASCII that follow each other
	var at [len(run) + 1]int
	n := 0
	flush := func() {
		if n > 0 {
			p.encodedText(run[:n], at[:n+1])
		}
		n = 0
	}
	for i := p.lo; i < p.hi; {
		if n > 0 && p.in[i] != '%' {
			flush()
		}
		if p.in[i] != '%' {
			next := strings.IndexByte(p.in[i:p.hi], '%')
			if next < 0 {
				break
			}
			i += next
			continue
		}
		e := p.escapeAt(i)
		switch {
		case !e.ok:
			flush()
			p.add(invalidPercent, e.start, e.end)
			i = e.start + 1
			continue
		case e.c < utf8.RuneSelf:
			flush()
			p.encodedASCII(e)
		default:
			if n+1 == len(run) && utf8.RuneStart(e.c) {
				flush()
			}
			if n == len(run) {
				flush() // no UTF-8 in there anyway
			}
			run[n], at[n] = e.c, e.start
			n++
			at[n] = e.end
		}
		i = e.end
	}
	flush()
}

func (p *pass) encodedASCII(e escape) {
	if p.name == "wais" && e.c < ' ' && p.isNumber(e) {
		return
	}
	switch c := e.c; {
	case c == '\r' || c == '\n':
		f := p.add(encodedCRLF, e.start, e.end)
		if f != nil && p.inMailBody(e.start) {
			f.Severity = Info // RFC 6068, section 5: how a line ends there
		}
	case c == 0:
		p.add(encodedNUL, e.start, e.end)
	case c == '\t' && isGopher(p.name):
		// the separator of selector, search and Gopher+ string (RFC 4266, section 2.2)
	case c < ' ' || c == 0x7f:
		p.add(encodedControl, e.start, e.end)
		if c == 0x1b {
			p.add(terminalEscape, e.start, e.end)
		}
	case c == '\\':
		p.add(encodedBackslash, e.start, e.end)
	case c == '%':
		a := p.skip(e.end)
		b := p.skip(a + 1)
		if b < p.hi && isHex(p.in[a]) && isHex(p.in[b]) {
			p.add(doubleEncoding, e.start, b+1)
		}
	}
}

// encodedText reports on octets above ASCII; the escape of s[k] stands at
// at[k], and ends where the next begins or at the last of at.
func (p *pass) encodedText(s []byte, at []int) {
	for k := 0; k < len(s); {
		r, n := utf8.DecodeRune(s[k:])
		start, end := at[k], at[k+n-1]+3
		if k+n == len(s) {
			end = at[k+n]
		}
		end = min(end, p.hi)
		switch {
		case r == utf8.RuneError && n == 1:
			p.add(invalidUTF8, start, end)
		case r < 0xa0 || r == 0x2028 || r == 0x2029:
			p.add(encodedControl, start, end)
			if r == 0x9b {
				p.add(terminalEscape, start, end)
			}
		case isBidiControl(r):
			p.say(bidiControlEncoded, start, end, "decoded, "+bidiNames(r)+" reorders what is shown")
		case isZeroWidth(r) && p.host.ok && p.host.start <= start && start < p.host.end:
			p.add(zeroWidth, start, end)
		case 0xe0000 <= r && r <= 0xe007f:
			p.add(invisibleTag, start, end)
		}
		k += n
	}
}

// inMailBody reports whether i stands in the body field of a mailto URL.
func (p *pass) inMailBody(i int) bool {
	if p.name != "mailto" || !p.query.ok || i < p.query.start || i >= p.query.end {
		return false
	}
	start := strings.LastIndexByte(p.in[p.query.start:i], '&') + 1 + p.query.start
	name, _, _ := strings.Cut(p.in[start:p.query.end], "=")
	return strings.EqualFold(name, "body")
}

// decode undoes the escapes in s, once.
func decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	out := make([]byte, i, len(s))
	copy(out, s)
	for i < len(s) {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 3
			continue
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}

// findEscape looks in t for the first escape of an octet that want accepts.
func (p *pass) findEscape(t part, want func(byte) bool) (escape, bool) {
	if !t.ok || p.seen&percentSign == 0 {
		return escape{}, false
	}
	for i := t.start; i < t.end; i++ {
		if p.in[i] == '%' {
			if e := p.escapeAt(i); e.ok && want(e.c) && !p.isNumber(e) {
				return e, true
			}
		}
	}
	return escape{}, false
}
