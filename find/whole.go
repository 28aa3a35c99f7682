package find

import (
	"strings"
	"unicode"

	"anyurl"
)

// A URL is found with the whole of its authority or not at all: where the text
// ends it in the middle of a host, what is before the cut names another one.

// endsWhole looks at what stands behind the authority s[i:end] and gives its
// end, which lies further on where a dot of another script joins more labels to
// it. It reports false where the host goes on with what is no host's.
func (e *engine) endsWhole(s string, i, end int, quote bool) (int, bool) {
	for end < len(s) && s[end] >= 0x80 {
		e.see(end + lookAhead)
		more, ok, joined := e.foreign(s, i, end)
		if !ok {
			return end, false
		}
		if !joined {
			return end, true
		}
		end = more
	}
	if end == len(s) || s[end] == '\n' {
		return end, true // nothing behind the line matters
	}
	e.see(end + 1)
	next := byte(' ')
	if end+1 < len(s) {
		next = s[end+1]
	}
	switch c := s[end]; c {
	case '@':
		return end, false // userinfo, and no host behind it
	case ':':
		return end, is(next, blank) || next == '/' || !e.portLeft(s, end+1) && !e.atFollows(s, end)
	case '-':
		// "http://host-%d.example"
		k := end
		for k < len(s) && k-end < maxLabel && s[k] == '-' {
			k++
		}
		e.see(k + 2)
		return end, !placeholder(s[k:])
	case '\\':
		// A regular expression: "https://a\.example/".
		k := end + 1
		if next == '\\' {
			k++
		}
		return end, !(k+1 < len(s) && s[k] == '.' && (is(s[k+1], hostC) || s[k+1] == '*'))
	case '(', '[', '{':
		if spelledDot(s[end:]) {
			return end, false
		}
		// "http://host{n}.example": what a template leaves open.
		return end, c != '{' || e.closed(s, end)
	case '.':
		// "https://api.{region}.example", "http://a.*.example"
		if next == '{' || next == '$' || next == '%' || next == '*' && end+2 < len(s) && (s[end+2] == '.' || is(s[end+2], hostC)) {
			return end, false
		}
		return end, !(next == '[' && spelledDot(s[end+1:]))
	case '\'':
		if quote {
			return end, true
		}
		fallthrough
	case '^', '&', '=', '+', '~', '!', '*', '$', '%':
		if c == '&' && escaped(s[end:]) {
			return end, true
		}
		// Sub-delimiters may stand in a host (RFC 3986, 3.2.2: reg-name), and
		// none has any: what is before one is a host where it looks whole.
		return end, !is(next, hostC) && next != '{' && next != '(' || e.complete(s, i, end)
	}
	if c := s[end]; c < ' ' || c == 0x7F {
		// ESC and BEL end a terminal's hyperlink, NUL an entry of a list.
		return end, is(c, blank) || c == 0x1B || c == 0x07 || !is(next, hostC) || c == 0 && e.entryAt(s, end+1)
	}
	return end, true
}

// portLeft reports whether at s[i], behind a ":", a port is left to be filled in:
// "%d", "$PORT", "{port}", "<port>", "[port]", "PORT", or any one ("*").
func (e *engine) portLeft(s string, i int) bool {
	e.see(i + 8)
	rest := s[i:]
	if len(rest) > 1 && (rest[0] == '<' || rest[0] == '[') {
		rest = rest[1:]
	}
	switch {
	case placeholder(s[i:]), strings.HasPrefix(rest, "*/"):
		return true
	case len(rest) < 4 || !equalFold(rest[:4], "port"):
		return false
	}
	return len(rest) == 4 || !is(rest[4], word) && rest[4] != '/' // with a path it is a mistake
}

// placeholder reports whether s begins with what is to be filled in by a program or
// a shell: "%s", "$HOST", "${HOST}", "{host}", "{{ host }}".
func placeholder(s string) bool {
	if len(s) < 2 {
		return false
	}
	switch c := s[1]; s[0] {
	case '%':
		return is(c, alpha) && (len(s) == 2 || !isHex(c) || !isHex(s[2])) || c == '(' || c == '{'
	case '$':
		return is(c, word) || c == '{' || c == '('
	case '{':
		return is(c, word) || c == '}' || c == '{' || c == '$' || c == '%'
	}
	return false
}

// entryAt reports whether s[i] begins another entry of a list: a URL, or a name
// with its value, as an environment has them.
func (e *engine) entryAt(s string, i int) bool {
	if e.schemeAt(s, i) {
		return true
	}
	k := i
	for k < len(s) && k-i < lookAhead && s[k] < 0x80 && is(s[k], word) {
		k++
	}
	e.see(k)
	return k > i && k < len(s) && s[k] == '='
}

// foreign looks at a character beyond ASCII straight behind a host. Dots of
// other scripts are dots in a host (UTS 46, 4); what shows nothing of itself
// ("tru\u202Ested") hides a host. joined reports that labels follow to end.
func (e *engine) foreign(s string, i, end int) (more int, ok, joined bool) {
	r, size := runeAt(s, end)
	k := end + size
	if k == len(s) {
		return end, true, false
	}
	switch {
	case r == 0x3002 || r == 0xFF0E || r == 0xFF61:
		if !is(s[k], hostC) || s[k] == '-' || s[k] == '_' {
			return end, true, false
		}
		next, found := e.hostPort(s, k)
		if !found {
			return end, true, false
		}
		host, _, _ := strings.Cut(s[k:next], ":")
		last := host[strings.LastIndexByte(host, '.')+1:]
		if e.tld(last) || allDigits(last) || last[0] < 0x80 && !e.complete(s, i, end) {
			return next, true, true
		}
		return end, true, false // a sentence's full stop
	case unicode.Is(unicode.Cf, r):
		for k < len(s) {
			r, size := runeAt(s, k)
			if !unicode.Is(unicode.Cf, r) {
				break
			}
			k += size
		}
		e.see(k)
		if k < len(s) && s[k] == '.' {
			e.see(k + 1)
			return end, k+1 == len(s) || !is(s[k+1], hostC), false // the sentence's, or the host's
		}
		return end, k == len(s) || s[k] >= 0x80 || !is(s[k], hostC), false
	}
	return end, true, false
}

// complete reports whether the authority s[i:end] ends in a known top-level
// domain, in an address or in a port.
func (e *engine) complete(s string, i, end int) bool {
	host := s[i+strings.LastIndexByte(s[i:end], '@')+1 : end]
	last := host[strings.LastIndexByte(host, '.')+1:]
	return reserved(last) || len(last) < len(host) && e.tld(last) || strings.ContainsAny(host, ":]") || dottedQuad(host)
}

// reserved reports whether a label is a name that is kept from the DNS, or for
// networks of one's own: RFC 2606, RFC 6762, ICANN's "internal".
func reserved(label string) bool {
	switch toLower(label) {
	case "localhost", "example", "test", "invalid", "local", "internal":
		return true
	}
	return false
}

// closed reports whether the brace at s[end] begins another argument, as in
// LaTeX: nothing of a host follows where it closes.
func (e *engine) closed(s string, end int) bool {
	k := end
	for k < len(s) && k-end < lookAhead && s[k] != '}' && !is(s[k], blank) {
		k++
	}
	e.see(k + 1)
	return k+1 >= len(s) || s[k] != '}' || !is(s[k+1], hostC) && s[k+1] != '.'
}

// atFollows reports whether an "@" stands further on before white space, and before
// another scheme: what is before it was meant as userinfo.
func (e *engine) atFollows(s string, i int) bool {
	limit := min(len(s), i+lookBack)
	for ; i < limit && s[i] > ' ' && tailClass[s[i]] != stop && !strings.HasPrefix(s[i:], "://"); i++ {
		if s[i] == '@' {
			return true
		}
	}
	e.see(i + 2)
	return false
}

// spelledDot reports whether s begins with a dot, or an "@", that was taken
// apart so that nobody opens the URL: "[.]", "(dot)".
func spelledDot(s string) bool {
	if len(s) < 3 {
		return false
	}
	shut := byte(')')
	if s[0] != '(' {
		shut = s[0] + 2
	}
	for _, inside := range [...]string{".", "dot", "@", "at"} {
		if n := len(inside); len(s) >= n+2 && equalFold(s[1:n+1], inside) && s[n+1] == shut {
			return true
		}
	}
	return false
}

// mayBe reports whether an authority, of a scheme, may be one at all: in a
// special URL, what ends in a number is an IPv4 address or a failure (URL
// Standard, host parsing, 7 and 8).
func (e *engine) mayBe(authority, scheme string) bool {
	if !is(authority[len(authority)-1], digit) || !needHost(scheme) {
		return true
	}
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if host == "" || host[0] == '[' {
		return true
	}
	host, _, _ = strings.Cut(host, ":")
	dot := strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')
	if dot+1 == len(host) || !is(host[dot+1], digit) || dottedQuad(host) {
		return true
	}
	_, err := anyurl.ParseHost(host, true)
	return err == nil
}

// skipGlued gives the end of what is glued to a host that is none, or the place
// where another URL's scheme ends.
func (e *engine) skipGlued(s string, i int) int {
	limit := min(len(s), i+lookBack)
	for i < limit && s[i] > ' ' && s[i] != 0x7F && strings.IndexByte("<>\"`|,;", s[i]) < 0 && !strings.HasPrefix(s[i:], "://") {
		if s[i] < 0x80 {
			i++
			continue
		}
		r, size := runeAt(s, i)
		if !inHost(r, size) && !unicode.Is(unicode.Cf, r) {
			break
		}
		i += size
	}
	e.see(i + 3)
	return i
}
