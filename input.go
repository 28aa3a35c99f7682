package anyurl

import (
	"unicode/utf8"

	"anyurl/rule"
)

// tellTrimmed reports what was removed from the input before the machine runs:
// basic URL parser, 1.2. and 2. The input ends at src[end].
func (m *machine) tellTrimmed(end int) {
	// 1.2. If input contains any leading or trailing C0 control or space,
	//      invalid-URL-unit validation error.
	if m.lead > 0 {
		m.tellSource(InvalidURLUnit, 0)
	} else if end < len(m.src) {
		m.tellSource(InvalidURLUnit, end)
	}
	for i := m.lead; i < end && !m.exact; {
		n, ok := utf8Len(m.src[i:])
		if !ok {
			m.tellSource(NotUTF8, i)
			break
		}
		i += n
	}
	// 2. If input contains any ASCII tab or newline, invalid-URL-unit
	//    validation error.
	for i := m.lead; i < end && !m.exact; i++ {
		if isTabOrNewline(m.src[i]) {
			m.tellSource(InvalidURLUnit, i)
			break
		}
	}
}

// cleanText reads ill-formed UTF-8 in s as U+FFFD, as the Encoding Standard's
// UTF-8 decoder does, and removes all ASCII tab or newline (step 3 of the basic
// URL parser). It reports whether there was nothing to do.
func cleanText(s string) (clean string, exact bool) {
	ascii, controls := facts(s)
	if !controls && (ascii || wellFormed(s)) {
		return s, true
	}
	s = scalarValues(s)
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if !isTabOrNewline(s[i]) {
			out = append(out, s[i])
		}
	}
	return string(out), false
}

// facts reports whether s is ASCII, and whether it has controls from U+0009 to
// U+000D.
func facts(s string) (ascii, controls bool) {
	var all, some uint64
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		x := word(s[i : i+8])
		all |= x
		some |= between(x&^high, '\t', '\r') &^ x
	}
	for ; i < len(s); i++ {
		all |= uint64(s[i])
		if '\t' <= s[i] && s[i] <= '\r' {
			some = high
		}
	}
	return all&high == 0, some&high != 0
}

// wellFormed is utf8.ValidString for text that is mostly ASCII.
func wellFormed(s string) bool {
	for i := 0; i < len(s); {
		if len(s)-i >= 8 {
			if n := leading(^word(s[i : i+8])); n > 0 {
				i += n
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}

// scalarValues reads ill-formed UTF-8 as U+FFFD, one for each maximal subpart.
func scalarValues(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n, ok := utf8Len(s[i:])
		if ok {
			out = append(out, s[i:i+n]...)
		} else {
			out = append(out, "\uFFFD"...)
		}
		i += n
	}
	return string(out)
}

// utf8Len gives the length of the code point or, if there is none, of the
// maximal subpart of one that s begins with.
func utf8Len(s string) (n int, ok bool) {
	if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
		return n, true
	}
	// A maximal subpart is a proper prefix of some well-formed sequence: it is
	// cut where the sequence, completed by the lowest or the highest trailing
	// bytes, would be ill-formed.
	lead := s[0]
	want := 0
	switch {
	case lead >= 0xc2 && lead <= 0xdf:
		want = 2
	case lead >= 0xe0 && lead <= 0xef:
		want = 3
	case lead >= 0xf0 && lead <= 0xf4:
		want = 4
	}
	lo, hi := byte(0x80), byte(0xbf)
	switch lead {
	case 0xe0:
		lo = 0xa0
	case 0xed:
		hi = 0x9f
	case 0xf0:
		lo = 0x90
	case 0xf4:
		hi = 0x8f
	}
	n = 1
	for n < want && n < len(s) && lo <= s[n] && s[n] <= hi {
		n++
		lo, hi = 0x80, 0xbf
	}
	return n, false
}

func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// source gives the offset in src of the byte that became in[i].
func (m *machine) source(i int) int {
	if m.exact {
		return m.lead + i
	}
	if i < m.atIn {
		m.atIn, m.atSrc = 0, m.lead
	}
	in, src := m.atIn, m.atSrc
	for src < len(m.src) {
		if isTabOrNewline(m.src[src]) {
			src++
			continue
		}
		n, ok := utf8Len(m.src[src:])
		step := n
		if !ok {
			step = len("\uFFFD")
		}
		if in+step > i {
			break
		}
		in += step
		src += n
	}
	m.atIn, m.atSrc = in, src
	return src
}

// fail gives the error for a rule that in[i] broke. Its Input is still to be
// set.
func (m *machine) fail(r rule.Rule, i int) *rule.Error {
	return &rule.Error{Offset: m.source(i), Rule: r}
}

// tell reports a rule that in[i] broke without ending the parse.
func (m *machine) tell(r rule.Rule, i int) {
	if m.report != nil {
		m.tellSource(r, m.source(i))
	}
}

func (m *machine) tellSource(r rule.Rule, offset int) {
	m.report(&rule.Error{Offset: offset, Rule: r})
}

// c gives the standard's c: the byte of the code point at pointer, or eof. No
// decision of the machine needs more of a code point than its first byte.
func (m *machine) c(pointer int) int {
	if pointer < len(m.in) {
		return int(m.in[pointer])
	}
	return eof
}
