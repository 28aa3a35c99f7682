package find

import "strings"

// Angle brackets: RFC 1738's appendix ("<URL:" ... ">"), RFC 3986's Appendix C.

const (
	// maxWrap bounds a reference in angle brackets that holds white space.
	maxWrap = 4 << 10
	// maxIndent bounds the white space behind "<".
	maxIndent = 128
)

// opened looks for "<" or "<URL:" before start, over white space. It gives the
// place of the "<", or -1, and whether there is a "URL:" mark.
func (e *engine) opened(start int) (angle int, mark bool) {
	s := e.s
	low := max(e.floor, start-maxIndent)
	i := start
	for i > low && is(s[i-1], blank) {
		i--
	}
	if i-4 >= low && equalFold(s[i-4:i], "url:") {
		mark = true
		i -= 4
		for i > low && is(s[i-1], blank) {
			i--
		}
	}
	if i > low && s[i-1] == '<' {
		return i - 1, mark
	}
	return -1, mark
}

// bracketed reads the reference that begins at start, inside angle brackets,
// to the ">". White space in it goes; a page break of an RFC goes with it. It
// leaves what it finds in e.found and gives the place behind it.
func (e *engine) bracketed(start, p int, mark bool) (int, bool) {
	s := e.s
	limit := min(len(s), start+maxWrap)
	e.joined = e.joined[:0]
	var (
		hyphen bool
		quote  = e.quoteMark(start)
		gaps   int // blanks on one line: few in a URL, many in prose
		end    = start
		from   = start // what is not yet in e.joined
		broken bool
	)
	i := start
scan:
	for {
		if i == limit {
			e.see(i)
			return 0, false
		}
		switch c := s[i]; {
		case c == '>':
			break scan
		case c == '<' || c == '"' || c == '`' || c < ' ' && !is(c, blank) || c == 0x7F:
			e.see(i)
			return 0, false
		case is(c, blank):
			e.joined = append(e.joined, s[from:i]...)
			line := false
			back := i
			for i < limit && is(s[i], blank) {
				line = line || s[i] == '\n' || s[i] == '\r'
				i++
			}
			if line {
				i = e.pageBreak(i, limit)
				if quote != "" && strings.HasPrefix(s[i:limit], quote) {
					for i += len(quote); i < limit && is(s[i], blank); i++ {
					}
				}
			}
			if i < limit && s[i] == '>' {
				if gaps > 0 && !line && !mark && !is(before(s, start), blank) {
					e.see(i)
					return 0, false // "a > b"
				}
				from = i
				break scan
			}
			if e.schemeAt(s, i) || strings.HasPrefix(s[i:], "&& ") || strings.HasPrefix(s[i:], "|| ") {
				return 0, false // another URL in the same brackets, or a program's comparison
			}
			broken = true
			if !line {
				gaps++
			} else if s[back-1] == '-' {
				hyphen = true
			}
			from = i
			continue
		}
		i++
		end = i
	}
	e.see(i)
	if !mark && gaps > 2 || gaps > 8 {
		return 0, false
	}
	url := s[start:end]
	if broken {
		e.joined = append(e.joined, s[from:i]...)
		url = view(e.joined)
	}
	// What the brackets hold must be a URL to its last character, but it may
	// hold characters that end one elsewhere.
	colon := strings.IndexByte(url, ':')
	if colon < 0 || !e.whole(url, colon) {
		return 0, false
	}
	e.found = span{start: start, end: end, kind: URL, joined: broken, hyphen: hyphen}
	return end, true
}

// quoteMark gives what begins the line of s[i] and may begin the next ones as
// well, as the quote marks of mail (RFC 3676, 4.5) and the marks of comments
// and those of a patch's lines do, or "".
func (e *engine) quoteMark(i int) string {
	s := e.s
	from := max(0, i-lineBack)
	k := strings.LastIndexByte(s[from:i], '\n')
	if k < 0 && from > 0 {
		return ""
	}
	from += k + 1
	for from < i && (s[from] == ' ' || s[from] == '\t') {
		from++
	}
	if strings.HasPrefix(s[from:i], "/*") {
		return "*" // a comment's other lines
	}
	end := from
	for end < i && (strings.IndexByte(">#*|;%!+-", s[end]) >= 0 || s[end] == '/' && end+1 < i && (s[end+1] == '/' || end > from)) {
		end++
	}
	if end == i || !is(s[end], blank) && !(end == from+1 && (s[from] == '+' || s[from] == '-')) {
		return ""
	}
	return s[from:end]
}

// brokenScheme looks for a scheme in angle brackets whose ":" white space
// parts from the "//" at s[i]: no mark, since nothing stands behind it.
func (e *engine) brokenScheme(i int) (bool, int) {
	s := e.s
	k := i
	for k > e.floor && i-k < maxIndent && is(s[k-1], blank) {
		k--
	}
	if k == i || k == e.floor || s[k-1] != ':' {
		return false, 0
	}
	start, ok := e.scheme(k - 1)
	if !ok {
		return false, 0
	}
	angle, mark := e.opened(start)
	if angle < 0 {
		return false, 0
	}
	end, ok := e.bracketed(start, k-1, mark)
	return ok, end
}

// whole reports whether the host of a delimited URL ends where a host may.
func (e *engine) whole(url string, colon int) bool {
	i := colon + 1
	if !strings.HasPrefix(url[i:], "//") {
		return i < len(url)
	}
	i += 2
	name := url[:colon]
	if i < len(url) && url[i] == '/' && !needHost(name) {
		return true
	}
	inner := engine{opts: e.opts, eof: true}
	end, ok := inner.authority(url, i, false, severalHosts(name))
	return ok && (end == len(url) || strings.IndexByte("/?#", url[end]) >= 0) || mistaken(url[i:])
}

// mistaken reports whether an authority, and what follows it, in angle brackets
// is one that somebody wrote with a mistake in it: a port that is none, a
// bracket that is not closed, a character that no host has. The URL is given
// whole, for the URL Standard to refuse. What stands for a host to be filled in
// is none, nor is an ellipsis.
func mistaken(authority string) bool {
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if strings.ContainsAny(host, "*{}$") || strings.Contains(host, "..") {
		return false
	}
	if strings.HasPrefix(host, "[") && !strings.Contains(host, ":") && !strings.Contains(host, ".") {
		return false // [host]
	}
	for i := range len(host) {
		if host[i] >= 0x80 || is(host[i], alpha|digit) {
			return host[0] != ':'
		}
	}
	return false
}

// pageBreak skips what an RFC prints between two pages: the footer that ends
// in "[Page 7]", a form feed, the header, and the empty lines around them. i
// lies behind white space that held a line end.
func (e *engine) pageBreak(i, limit int) int {
	s := e.s
	footer := line(s, i, limit)
	text := strings.TrimRight(s[i:footer], " \t\r")
	if !strings.HasSuffix(text, "]") || !strings.Contains(text, "[Page ") {
		return i
	}
	k, feed := footer, false
	for k < limit && is(s[k], blank) {
		feed = feed || s[k] == '\f'
		k++
	}
	e.see(k)
	if !feed {
		return i
	}
	header := line(s, k, limit)
	for k = header; k < limit && is(s[k], blank); k++ {
	}
	e.see(k)
	return k
}

// line gives the end of the line that s[i] is in.
func line(s string, i, limit int) int {
	if n := strings.IndexByte(s[i:limit], '\n'); n >= 0 {
		return i + n
	}
	return limit
}
