package find

import "math/bits"

// Most references are "http://" or "https://", a host of ASCII letters, and
// nothing unusual behind it. quick reads those in two loops; everything else
// takes the long way, which gives the same answer (TestQuick).

// What a byte is to quick, beside tailClass.
const (
	quickSlash = iota + 1 // the tail begins
	quickEnd              // what may stand behind a host and never belongs to it
)

var (
	quickHost = makeQuickHost()
	quickLast = makeQuickLast()
)

func makeQuickHost() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c < ' ' && !is(byte(c), blank) || c == 0x7F:
			// A control character in a host: endsWhole looks.
		case tailClass[c] == stop || tailClass[c] == shut:
			t[c] = quickEnd
		}
	}
	t['/'] = quickSlash
	return t
}

// makeQuickLast marks the bytes that trim leaves at the end of a reference.
func makeQuickLast() (t [256]bool) {
	for c := range 0x80 {
		t[c] = is(byte(c), alpha|digit)
	}
	for _, c := range []byte("/-+=#%$@)") {
		t[c] = true
	}
	return t
}

// quick looks at the ":" of "://".
func (e *engine) quick(p int) (end int, ok bool) {
	s := e.s
	start := p - 4
	if p >= 5 && s[p-1] == 's' {
		start--
	}
	if start < e.floor || s[start:start+4] != "http" || p+2 >= len(s) || s[p+2] != '/' {
		return 0, false
	}
	quote, before := false, byte(0)
	if start > 0 {
		before = s[start-1]
		if is(before, schemeC) {
			return 0, false // something glued to the scheme
		}
		quote = before == '\''
		// A wrapper: "<" or "URL:", perhaps over white space.
		i := start
		for i > 0 && is(s[i-1], blank) && start-i < 16 {
			i--
		}
		if i > 0 && (s[i-1] == '<' || is(s[i-1], blank) || s[i-1] == ':' && i > 1 && s[i-2]|0x20 == 'l') {
			return 0, false
		}
	}
	limit := e.longest(s, start)
	if limit-p > lookBack {
		limit = p + lookBack // longer ones are rare, and labels has its own bound
	}
	s = s[:limit]
	i := p + 3
	from := 0 // no byte before it ends the tail
	if n := 32; simd() && i+n <= len(s) {
		labels, dots, hyphens, end := head(s, i)
		n = bits.TrailingZeros32(^(labels | dots | hyphens))
		marks := dots&((dots|hyphens)<<1) | hyphens&(dots<<1)
		if n == 0 || labels&1 == 0 || n == 32 || labels>>(n-1)&1 == 0 || marks<<(32-n) != 0 {
			return 0, false
		}
		i += n
		from = end
	} else {
		var plain bool
		if i, plain = plainHost(s, i); !plain {
			return 0, false
		}
	}
	if s[i-1] == '_' || is(s[i-1], digit) && !e.mayBe(s[p+3:i], "http") {
		return 0, false
	}
	switch quickHost[s[i]] {
	case quickSlash:
	case quickEnd:
		if s[i] == '\\' {
			return 0, false
		}
		e.see(i)
		e.found = span{start: start, end: i, kind: URL}
		return i, true
	default:
		return 0, false
	}
	least := i
	for i = max(i, from); ; i++ {
		if i >= len(s) {
			break
		}
		if tailClass[s[i]] == plain {
			if i = plainEnd(s, i); i == len(s) {
				break
			}
		}
		switch tailClass[s[i]] {
		case quoted:
			if !quote {
				continue
			}
			e.see(i)
			i = e.trim(e.s, start, i, least)
			e.found = span{start: start, end: i, kind: URL}
			return i, true
		case comma:
			if i+1 < len(s) && (s[i+1]|0x20 == 'h' || s[i+1]|0x20 == 'f' || s[i+1]|0x20 == 'm' || s[i+1]|0x20 == 't') { // http, ftp, mailto, tel
				return 0, false
			}
			if before == '{' {
				return 0, false // Texinfo's, perhaps
			}
			continue
		case amp:
			if i+1 < len(s) && is(s[i+1], alpha|digit) && s[i+1] != 'l' && s[i+1] != 'g' && s[i+1] != 'q' && s[i+1] != 'n' {
				continue
			}
			return 0, false
		case stop, shut:
			e.see(i)
			if !quickLast[s[i-1]] || s[i-1] == before || s[i-1] == '/' && s[i-2] == '*' || s[i] == '>' && s[i-1] == '-' {
				i = e.trim(e.s, start, i, least)
			}
			e.found = span{start: start, end: i, kind: URL}
			return i, true
		}
		break
	}
	return 0, false
}
