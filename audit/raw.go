package audit

import (
	"unicode"
	"unicode/utf8"
)

// A class is a set of kinds of bytes. Most URLs hold none of the kinds that
// most detectors wait for, so one look at every byte spares all the others.
type class uint8

const (
	tabOrNewline class = 1 << iota
	control            // the other C0 controls, and DEL
	space              // U+0020
	high               // no ASCII
	percentSign
	backslashes
	unsafes // RFC 1738, section 2.2: printable, and unsafe
	bracket
)

var classOf = func() (t [256]class) {
	for c := range 256 {
		switch {
		case c == '\t' || c == '\n' || c == '\r':
			t[c] = tabOrNewline
		case c < ' ' || c == 0x7f:
			t[c] = control
		case c == ' ':
			t[c] = space
		case c >= 0x80:
			t[c] = high
		case c == '%':
			t[c] = percentSign
		case c == '\\':
			t[c] = backslashes
		case c == '<' || c == '>' || c == '"' || c == '{' || c == '}' || c == '|' || c == '^' || c == '`':
			t[c] = unsafes
		case c == '[' || c == ']':
			t[c] = bracket
		}
	}
	return t
}()

func classes(s string) (seen class) {
	for i := range len(s) {
		seen |= classOf[s[i]]
	}
	return seen
}

// raw reports on characters that stand in the input unencoded.
func (p *pass) raw() {
	end := p.hi // of what "before the fragment" means
	if p.fragment.ok {
		end = p.fragment.start - 1
	}
	for i := 0; i < len(p.in); {
		c := p.in[i]
		if classOf[c]&^(percentSign|bracket) == 0 {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			p.rawASCII(i, c, end)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(p.in[i:])
		p.rawRune(i, i+n, r, n)
		i += n
	}
}

func (p *pass) rawASCII(i int, c byte, beforeFragment int) {
	switch classOf[c] {
	case tabOrNewline, control:
		p.say(controlChar, i, i+1, controlNames(c))
		if c == 0x1b {
			p.add(terminalEscape, i, i+1)
		}
	case space:
		p.space(i, i+1)
	case backslashes:
		if i < beforeFragment {
			p.add(backslash, i, i+1)
		}
	case unsafes:
		p.add(unsafeChar, i, i+1)
	}
}

func controlNames(c byte) string {
	switch c {
	case '\t', '\n', '\r':
		return "a tab or line end stands in the URL: the URL Standard drops it, other readers do not"
	case 0:
		return "a NUL stands in the URL: it ends the string for some readers"
	}
	return table[controlChar].Says
}

// space reports white space. Inside a reference's path, query or fragment it
// stays where it is and is no more than untidy; what stands in front, behind or
// in the host matters more, and takes the place of such a one.
func (p *pass) space(start, end int) {
	harmless := p.inside(start)
	if f := p.add(whitespace, start, end); f != nil {
		if harmless {
			f.Severity = Info
		}
		return
	}
	for i := range p.found {
		if f := &p.found[i]; !harmless && f.Severity == Info && f.Code == table[whitespace].Code {
			*f = newFinding(whitespace, start, end)
		}
	}
}

// inside reports whether i stands in the path, query or fragment of a
// reference.
func (p *pass) inside(i int) bool {
	return p.ref && !p.scheme.ok && p.path.ok && i >= p.path.start && i < p.hi
}

func (p *pass) rawRune(start, end int, r rune, n int) {
	if r == utf8.RuneError && n == 1 {
		p.add(invalidUTF8, start, end)
		return
	}
	p.add(nonASCII, start, end)
	switch {
	case r < 0xa0 || r == 0x2028 || r == 0x2029:
		p.add(controlChar, start, end)
		if r == 0x9b {
			p.add(terminalEscape, start, end)
		}
	case isBidiControl(r):
		p.say(bidiControl, start, end, bidiNames(r)+" reorders what is shown")
	case isZeroWidth(r):
		p.add(zeroWidth, start, end)
	case 0xe0000 <= r && r <= 0xe007f:
		p.add(invisibleTag, start, end)
	case r > 0x7f && unicode.Is(unicode.Zs, r):
		p.space(start, end)
	}
}

func isBidiControl(r rune) bool {
	switch r {
	case 0x061c, 0x200e, 0x200f:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

func bidiNames(r rune) string {
	switch r {
	case 0x202d, 0x202e:
		return "an override"
	case 0x202a, 0x202b:
		return "an embedding"
	case 0x2066, 0x2067, 0x2068:
		return "an isolate"
	}
	return "a control character"
}

func isZeroWidth(r rune) bool {
	switch r {
	case 0x00ad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff:
		return true
	}
	return false
}
