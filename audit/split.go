package audit

import "strings"

// A part is a stretch of the input, end excluded. Its zero value is no part:
// no part of an input that has one stands at [0, 0) but an empty scheme.
type part struct {
	start, end int
	ok         bool
}

func (t part) empty() bool { return t.start == t.end }

// parts says where in the input, before any clean-up, the URL Standard finds
// what it finds. It is no second reading: the values come from package anyurl,
// this only tells where they came from, also when the whole was refused.
type parts struct {
	lo, hi  int    // the input without C0 controls and spaces around it
	scheme  part   // without the colon
	name    string // the scheme in lower case; for a reference, the base's
	special bool

	slashes    part // what stands before an authority, or "/" alone
	slashCount int
	authority  part
	userinfo   part // without "@"
	user       part
	password   part
	host       part
	port       part
	path       part
	opaque     bool
	query      part // without "?"
	fragment   part // without "#"
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skip moves i over what the URL Standard removes: tabs and line ends.
func (p *pass) skip(i int) int {
	if p.seen&tabOrNewline == 0 {
		return i
	}
	for i < p.hi && (p.in[i] == '\t' || p.in[i] == '\n' || p.in[i] == '\r') {
		i++
	}
	return i
}

// text is a part as the URL Standard sees it, without tabs and line ends.
func (p *pass) text(t part) string {
	s := p.in[t.start:t.end]
	if p.seen&tabOrNewline == 0 || !strings.ContainsAny(s, "\t\n\r") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; c != '\t' && c != '\n' && c != '\r' {
			out = append(out, c)
		}
	}
	return string(out)
}

// split finds the parts.
func (p *pass) split() {
	in := p.in
	p.lo, p.hi = 0, len(in)
	for p.hi > 0 && in[p.hi-1] <= ' ' {
		p.hi--
	}
	for p.lo < p.hi && in[p.lo] <= ' ' {
		p.lo++
	}
	i := p.splitScheme()
	file := p.name == "file"
	relative := !p.scheme.ok
	if p.scheme.ok && p.ref && p.special && !file && p.name == p.base.Scheme() {
		// special relative or authority state: "//" and nothing else leads on
		first := p.skip(i)
		second := p.skip(first + 1)
		relative = !(second < p.hi && in[first] == '/' && in[second] == '/')
	}

	// The slashes.
	end := i
	for end < p.hi {
		if c := in[end]; c == '/' || p.special && c == '\\' {
			p.slashCount++
		} else if c != '\t' && c != '\n' && c != '\r' {
			break
		}
		end++
		if p.slashCount == 2 && (file || !p.special) {
			break
		}
	}
	hasAuthority := p.slashCount >= 2 || p.special && !file && !relative
	if p.slashCount > 0 {
		p.slashes = part{i, end, true}
	}
	switch {
	case hasAuthority:
		i = p.splitAuthority(end, file)
	case p.slashCount == 0 && p.scheme.ok && !p.special:
		p.opaque = true
	}
	p.splitRest(i)
}

// splitScheme finds the scheme and returns what follows it.
func (p *pass) splitScheme() int {
	in := p.in
	p.name = p.base.Scheme()
	p.special = p.ref && p.base.IsSpecial()
	if !p.ref {
		p.special = true // an input without a scheme is told of as though http were meant
	}
	if p.lo == p.hi || !isAlpha(in[p.lo]) {
		return p.lo
	}
	upper := false
	i := p.lo
	for i < p.hi {
		switch c := in[i]; {
		case 'a' <= c && c <= 'z', isDigit(c), c == '+', c == '-', c == '.', c == '\t', c == '\n', c == '\r':
		case 'A' <= c && c <= 'Z':
			upper = true
		case c == ':':
			p.scheme = part{p.lo, i, true}
			p.name = p.text(p.scheme)
			if upper {
				p.name = strings.ToLower(p.name)
			}
			p.special = isSpecial(p.name)
			return i + 1
		default:
			return p.lo
		}
		i++
	}
	return p.lo
}

func isSpecial(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp", "file":
		return true
	}
	return false
}

// splitAuthority finds the parts of an authority and returns its end.
func (p *pass) splitAuthority(start int, file bool) int {
	in := p.in
	end, at, colon := start, -1, -1
	for end < p.hi {
		c := in[end]
		if c == '/' || c == '?' || c == '#' || p.special && c == '\\' {
			break
		}
		switch c {
		case '@':
			at = end
		case ':':
			if colon < 0 && at < 0 {
				colon = end
			}
		}
		end++
	}
	p.authority = part{start, end, true}
	host := start
	if file {
		if isDrive(p.text(p.authority)) {
			p.authority = part{} // file host state: a drive letter is no host
			return start
		}
		p.host = part{start, end, true}
		return end
	}
	if at >= 0 {
		p.userinfo = part{start, at, true}
		p.user = p.userinfo
		if colon >= 0 && colon < at {
			p.user.end = colon
			p.password = part{colon + 1, at, true}
		}
		host = at + 1
	}
	inBrackets := false
	p.host = part{host, end, true}
	for i := host; i < end; i++ {
		switch c := in[i]; {
		case c == '[':
			inBrackets = true
		case c == ']':
			inBrackets = false
		case c == ':' && !inBrackets:
			p.host.end = i
			p.port = part{i + 1, end, true}
			return end
		}
	}
	return end
}

func isDrive(s string) bool {
	return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|')
}

// splitRest finds path, query and fragment.
func (p *pass) splitRest(i int) {
	rest := p.in[i:p.hi]
	if at := strings.IndexByte(rest, '#'); at >= 0 {
		p.fragment = part{i + at + 1, p.hi, true}
		rest = rest[:at]
	}
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		p.query = part{i + at + 1, i + len(rest), true}
		rest = rest[:at]
	}
	p.path = part{i, i + len(rest), true}
}
