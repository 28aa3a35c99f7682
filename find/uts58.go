package find

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:generate go run ./gen -data ../../shared/data/uts58 -o uts58_table.go

// Link_Term's values (UTS #58, section 2): what a character is to the end of
// a link.
const (
	linkHard    = iota // ends it
	linkSoft           // stays if something that may stay follows
	linkClose          // stays if it closes what was opened
	linkOpen           // opens
	linkInclude        // stays
)

func linkTerm(r rune) int {
	i := sort.Search(len(linkTermRuns), func(i int) bool { return rune(linkTermRuns[i]>>3) > r })
	if i == 0 {
		return linkHard
	}
	return int(linkTermRuns[i-1] & 7)
}

func linkEmail(r rune) bool {
	i := sort.Search(len(linkEmailRuns), func(i int) bool { return rune(linkEmailRuns[i]) > r })
	return i&1 == 1
}

// linkBracket gives the opening bracket for a closing one, or 0.
func linkBracket(r rune) rune {
	i := sort.Search(len(linkBrackets), func(i int) bool { return linkBrackets[i][0] >= r })
	if i < len(linkBrackets) && linkBrackets[i][0] == r {
		return linkBrackets[i][1]
	}
	return 0
}

// nextUTS58 is next for the profile of UTS #58. It looks at every ":", "@" and
// dot.
func (e *engine) nextUTS58() bool {
	s := e.s
	for i := e.pos; i < len(s); {
		size := 1
		switch c := s[i]; {
		case c == ':' || c == '@' || c == '.':
		case (c == 0xE3 || c == 0xEF) && dotSize(s, i) > 0:
			size = dotSize(s, i)
		default:
			i++
			continue
		}
		if !e.eof && !e.known(i) {
			e.pos = i
			return e.wait()
		}
		e.reach = i
		var ok bool
		var next int
		switch s[i] {
		case ':':
			ok, next = e.schemed58(i)
		case '@':
			ok, next = e.email58(i)
		default:
			ok, next = e.domain58(i, size)
		}
		if !e.eof && !e.known(e.reach) {
			e.pos = i
			return e.wait()
		}
		i = max(next, i+1)
		e.pos = i
		if i-e.counted > blockLen {
			e.countTo(i - lookBack)
		}
		if ok && e.take() {
			return true
		}
	}
	if e.eof {
		e.pos = len(s)
	} else {
		// The first bytes of a dot may have come; but nothing is looked at twice.
		e.pos = max(e.pos, len(s)-utf8.UTFMax)
	}
	return e.wait()
}

// dotSize gives the size of the dot at s[i], which UTS #46 maps to "." where
// it is none, or 0.
func dotSize(s string, i int) int {
	if s[i] == '.' {
		return 1
	}
	if strings.HasPrefix(s[i:], "。") || strings.HasPrefix(s[i:], "．") || strings.HasPrefix(s[i:], "｡") {
		return 3
	}
	return 0
}

// schemed58 looks at a ":": of http, https and mailto.
func (e *engine) schemed58(p int) (bool, int) {
	s := e.s
	for _, scheme := range [...]string{"https", "http", "mailto"} {
		start := p - len(scheme)
		if start < e.floor || !equalFold(s[start:p], scheme) {
			continue
		}
		if start > 0 && is(s[start-1], word) && s[start-1] < 0x80 {
			return false, p + 1
		}
		if scheme == "mailto" {
			return e.mailto58(start, p)
		}
		if !strings.HasPrefix(s[p+1:], "//") {
			return false, p + 1
		}
		end, _, labels := e.host58(p + 3)
		if labels == 0 || end < len(s) && s[end] == '@' {
			return false, e.token58(p + 3)
		}
		end = e.port58(end)
		if end < len(s) && s[end] == '@' { // userinfo: never linked
			return false, e.token58(end)
		}
		stop, ok := e.parts58(start, end)
		if !ok {
			return false, stop
		}
		e.found = span{start: start, end: stop, kind: URL}
		return true, stop
	}
	return false, p + 1
}

// token58 gives the end of what cannot be linked any more: the next white
// space.
func (e *engine) token58(i int) int {
	limit := e.longest(e.s, i)
	for i < limit && !is(e.s[i], blank) {
		i++
	}
	e.see(i)
	return i
}

// host58 reads a host from s[i] and gives its end, the start of its last label
// and the number of labels; no labels, where a label is empty or has a hyphen
// at an end.
func (e *engine) host58(i int) (end, last, labels int) {
	s := e.s
	limit := min(len(s), i+lookBack)
	for {
		k := i
		for k < limit {
			if s[k] < 0x80 {
				if !is(s[k], alpha|digit) && s[k] != '-' {
					break
				}
				k++
				continue
			}
			r, size := runeAt(s, k)
			if !inHost58(r, size) {
				break
			}
			k += size
		}
		e.see(k + utf8.UTFMax)
		switch {
		case k == i:
			// A dot at the end is the sentence's, or the root's before a path; two
			// dots rule the host out.
			if labels > 0 && !(i < len(s) && dotSize(s, i) > 0) {
				return end, last, labels
			}
			return end, last, 0
		case s[i] == '-' || s[k-1] == '-' || k == limit && limit < len(s):
			return k, last, 0
		}
		end, last = k, i
		labels++
		if k == len(s) {
			return end, last, labels
		}
		size := dotSize(s, k)
		if size == 0 {
			return end, last, labels
		}
		i = k + size
	}
}

// inHost58 approximates what UTS #46 finds valid or mapped: letters, marks,
// digits, symbols and the joiners.
func inHost58(r rune, size int) bool {
	if r == utf8.RuneError && size <= 1 || r == 0x3002 || r == 0xFF0E || r == 0xFF61 {
		return false
	}
	return wordPunct(r) || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

func (e *engine) port58(i int) int {
	if port, ok := e.port(i); ok {
		return port
	}
	return i
}

// parts58 reads path, query and fragment behind a host that ends at i: UTS #58,
// section 3, link termination.
func (e *engine) parts58(start, i int) (int, bool) {
	s := e.s
	// The root's dot, where a part follows it.
	if i+1 < len(s) && s[i] == '.' && (s[i+1] == '/' || s[i+1] == '?' || s[i+1] == '#') {
		i++
	}
	if i == len(s) || s[i] != '/' && s[i] != '?' && s[i] != '#' {
		e.see(i)
		return i, true
	}
	const depth = 125 // the standard's own bound
	var (
		opened    [depth]rune
		n         int
		part      = s[i]
		safe      = i
		directive bool // a fragment directive has begun
		limit     = e.longest(s, start)
		k         = i
	)
scan:
	for k < limit {
		r, size := runeAt(s, k)
		if r == utf8.RuneError && size == 1 {
			break
		}
		// Interior syntax: brackets do not match across it.
		switch {
		case r == '#' && part != '#':
			part, n = '#', 0
		case r == '?' && part == '/':
			part, n = '?', 0
		case r == '/' && part == '/', (r == '=' || r == '&') && part == '?':
			n = 0
		case r == ':' && part == '#' && strings.HasPrefix(s[k:], ":~:"):
			n, directive = 0, true
		case (r == '=' || r == '&') && directive:
			n = 0
		}
		k += size
		switch linkTerm(r) {
		case linkHard:
			k -= size
			break scan
		case linkClose:
			if n == 0 || opened[n-1] != linkBracket(r) {
				k -= size
				break scan
			}
			n--
			safe = k
		case linkOpen:
			if n == depth {
				break scan
			}
			opened[n] = r
			n++
		case linkInclude:
			safe = k
		}
	}
	e.see(k + utf8.UTFMax)
	if k >= limit && limit < len(s) {
		return k, false
	}
	return safe, true
}

// domain58 looks at a dot of a bare domain.
func (e *engine) domain58(p, size int) (bool, int) {
	s := e.s
	if p == 0 {
		return false, p + size
	}
	start := e.hostBack58(p)
	end, last, labels := e.host58(start)
	if start == p {
		return false, p + size
	}
	if labels == 0 {
		// What follows two dots may still be a name's own part: it is not.
		return false, max(end, p+size)
	}
	if start > 0 && start == e.floor && (inLabel58(s, start) || s[start-1] == '@') {
		return false, max(end, p+size)
	}
	if start > 0 && (dotBefore58(s, start) || s[start-1] == '@' || s[start-1] == '/') {
		return false, max(end, p+size)
	}
	// The local part of an address, unless a path follows.
	k := end
	limit := min(len(s), end+4*maxLocal)
	if end < len(s) && (s[end] == '/' || s[end] == '?' || s[end] == '#') {
		limit = end
	}
	for k < limit {
		r, n := runeAt(s, k)
		if !linkEmail(r) {
			break
		}
		k += n
	}
	e.see(k + utf8.UTFMax)
	if k < len(s) && s[k] == '@' {
		return false, k
	}
	if labels < 2 || !e.tld(s[last:end]) {
		return false, end
	}
	stop, ok := e.parts58(start, e.port58(end))
	if !ok {
		return false, stop
	}
	kind := Domain
	if end-start > 4 && equalFold(s[start:start+4], "www.") {
		kind = WWW
	}
	e.found = span{start: start, end: stop, kind: kind}
	return true, stop
}

// inLabel58 reports whether what stands before s[i] is of a label.
func inLabel58(s string, i int) bool {
	r, size := lastRune(s[:i])
	return r == '-' || r < 0x80 && is(byte(r), alpha|digit) || r >= 0x80 && inHost58(r, size)
}

// dotBefore58 reports whether a dot stands before s[i].
func dotBefore58(s string, i int) bool {
	if s[i-1] == '.' {
		return true
	}
	return i >= 3 && dotSize(s, i-3) == 3
}

// hostBack58 gives the start of the labels and single dots before s[p].
func (e *engine) hostBack58(p int) int {
	s := e.s
	low := max(e.floor, p-maxHost, 0)
	i := p
	for i > low {
		r, size := lastRune(s[low:i])
		switch {
		case r == '-' || r < 0x80 && is(byte(r), alpha|digit) || r >= 0x80 && inHost58(r, size):
		case r == '.' || r == 0x3002 || r == 0xFF0E || r == 0xFF61:
		default:
			return i
		}
		i -= size
	}
	return i
}

// local58 reports whether s[i:p] is a local part: Link_Email characters, with
// single dots inside.
func local58(s string) bool {
	return s != "" && s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// email58 looks at an "@". Where the local part is none, the domain behind it
// is not linked either.
func (e *engine) email58(p int) (bool, int) {
	s := e.s
	low := max(e.floor, p-4*maxLocal, 0)
	start := p
	for start > low {
		r, size := lastRune(s[low:start])
		if !linkEmail(r) || r == utf8.RuneError && size == 1 {
			break
		}
		start -= size
	}
	end, last, labels := e.host58(p + 1)
	if !local58(s[start:p]) || utf8.RuneCountInString(s[start:p]) > maxLocal || labels < 2 || !e.tld(s[last:end]) {
		return false, max(end, p+1)
	}
	e.found = span{start: start, end: end, kind: Email}
	return true, end
}

// mailto58 reads the address behind "mailto:".
func (e *engine) mailto58(start, p int) (bool, int) {
	s := e.s
	k := p + 1
	for limit := min(len(s), k+4*maxLocal); k < limit; {
		r, size := runeAt(s, k)
		if !linkEmail(r) || r == utf8.RuneError && size == 1 {
			break
		}
		k += size
	}
	e.see(k + utf8.UTFMax)
	if k >= len(s) || s[k] != '@' || !local58(s[p+1:k]) {
		return false, e.token58(p + 1)
	}
	end, last, labels := e.host58(k + 1)
	if labels < 2 || !e.tld(s[last:end]) {
		return false, e.token58(p + 1)
	}
	e.found = span{start: start, end: end, kind: URL}
	return true, end
}
