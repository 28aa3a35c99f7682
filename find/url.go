package find

import (
	"net/netip"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"anyurl/internal/iana"
)

// hierarchical looks at the ":" of "://".
func (e *engine) hierarchical(p int) (bool, int) {
	start, ok := e.scheme(p)
	if !ok {
		return false, p + 3
	}
	return e.reference(start, p)
}

// maxScheme bounds a scheme's length; the longest registered one has 36.
const maxScheme = 64

// scheme gives the place where the scheme before s[p] begins.
//
//	scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )        RFC 3986, 3.1
//
// Text glues things to the front of it: "1.http://", "seehttp://". A known
// scheme wins over what is glued to it.
func (e *engine) scheme(p int) (int, bool) {
	s := e.s
	low := max(e.floor, p-maxScheme)
	start := p
	for start > low && is(s[start-1], schemeC) {
		start--
	}
	glued := start
	start = uncoloured(s, start, p)
	name := s[start:p]
	if equalFold(name, "https") || equalFold(name, "http") {
		return start, true
	}
	if defanged(name) {
		return 0, false // though IANA has registered hxxp
	}
	whole := start == 0 || !is(s[start-1], schemeC) || start == e.floor || start > glued
	if whole && len(name) > 1 && is(name[0], alpha) && registered(name) {
		return start, true
	}
	for _, known := range [...]string{"https", "http", "sftp", "ftps", "ftp", "file", "gopher", "wss", "ws"} {
		if k := len(name) - len(known); k > 0 && equalFold(name[k:], known) && name[k-1] != '+' && name[k-1] != '-' {
			if known == "ws" && is(name[k-1], alpha) {
				continue // news, laws
			}
			return start + k, true
		}
	}
	if !whole || len(name) < 2 {
		return 0, false
	}
	if is(name[0], alpha) {
		return start, !equalFold(name, "default") // a label before a comment
	}
	for start < p && !is(s[start], alpha) {
		start++
	}
	return start, p-start > 1 && registered(s[start:p])
}

// defanged reports whether a scheme is spelt so that nobody opens the URL, as
// those who report attacks do. Such a URL is not live, and is left alone.
func defanged(name string) bool {
	switch toLower(name) {
	case "hxxp", "hxxps", "hxtp", "hxtps", "htxp", "htxps", "xxxp", "xxxps", "fxp", "fxps", "meow", "meows":
		return true
	}
	return false
}

// registered reports whether a scheme is in IANA's registry or begins with x-.
func registered(name string) bool {
	const longest = 40
	if len(name) > longest {
		return false
	}
	var buf [longest]byte
	for i := range len(name) {
		buf[i] = lower(name[i])
	}
	if len(name) > 2 && buf[0] == 'x' && buf[1] == '-' {
		return true
	}
	_, ok := knownSchemes()[string(buf[:len(name)])]
	return ok
}

var knownSchemes = sync.OnceValue(func() map[string]struct{} {
	all := iana.Schemes()
	names := make(map[string]struct{}, len(all))
	for _, entry := range all {
		names[entry.Name] = struct{}{}
	}
	return names
})

// needHost reports whether a scheme's URL is nothing without a host: the URL
// Standard's special schemes but file, and those whose RFCs say so.
func needHost(name string) bool {
	if len(name) > 8 {
		return false
	}
	switch toLower(name) {
	case "http", "https", "ftp", "ws", "wss", "gopher", "telnet", "wais", "nntp":
		return true
	}
	return false
}

// severalHosts reports whether a scheme's authority may list hosts.
func severalHosts(name string) bool {
	switch toLower(name) {
	case "amqp", "amqps", "cassandra", "couchbase", "etcd", "kafka", "memcached", "mongodb", "mysql", "nats", "postgres", "postgresql", "redis", "rediss", "zk", "zookeeper":
		return true
	}
	return false
}

// toLower is strings.ToLower for the short ASCII names of schemes; a name that
// is in lower case is not copied.
func toLower(s string) string {
	for i := range len(s) {
		if lower(s[i]) != s[i] {
			return strings.ToLower(s)
		}
	}
	return s
}

// reference finds the end of the reference that begins at start and whose
// scheme's ":" is s[p].
func (e *engine) reference(start, p int) (bool, int) {
	if angle, mark := e.opened(start); angle >= 0 {
		if end, ok := e.bracketed(start, p, mark); ok {
			return true, end
		}
	}
	end, ok := e.extent(e.s, start, p)
	if next, ok, coloured := e.coloured(start, p, end); coloured {
		return ok, next
	}
	if !ok {
		return false, max(end, p+1)
	}
	e.found = span{start: start, end: end, kind: URL}
	return true, end
}

// extent gives the end of a URL by its own characters. Where there is none it
// gives the place behind what was looked at.
func (e *engine) extent(s string, start, p int) (int, bool) {
	name := s[start:p]
	i := p + 1
	if !strings.HasPrefix(s[i:], "//") {
		end, ok := e.tail(s, start, i, i)
		if ok && equalFold(name, "mailto") {
			end = e.addresses(s, i, end)
		}
		return end, ok
	}
	i += 2
	quote := start > 0 && s[start-1] == '\''
	if i < len(s) && s[i] == '/' && !needHost(name) {
		end, ok := e.tail(s, start, i, i+1)
		return end, ok
	}
	if i+1 < len(s) && s[i] == '+' && is(s[i+1], digit) && !needHost(name) {
		return e.tail(s, start, i, i) // facetime://+1...
	}
	if equalFold(name, "at") && strings.HasPrefix(s[i:], "did:") {
		return e.tail(s, start, i, i) // an AT URI's authority may be a DID
	}
	host, ok := e.authority(s, i, quote, severalHosts(name))
	if !ok || strings.HasPrefix(s[host:], "::") {
		return host, false
	}
	if host, ok = e.endsWhole(s, i, host, quote); !ok || !e.mayBe(s[i:host], name) {
		return e.skipGlued(s, host), false
	}
	if host == len(s) || s[host] != '/' && s[host] != '?' && s[host] != '#' {
		return host, true
	}
	return e.tail(s, start, host, host)
}

// addresses gives the end of the mailto URL whose addresses begin at s[i]: a "?"
// or "," follows an address, and nothing else does (RFC 6068, section 2).
func (e *engine) addresses(s string, i, end int) int {
	for {
		at := strings.IndexAny(s[i:end], "@?")
		if at < 0 || s[i+at] == '?' {
			return end
		}
		host, ok := e.host(s, i+at+1)
		if !ok || host >= end || s[host] == '?' {
			return end
		}
		if s[host] != ',' && !strings.HasPrefix(s[host:], "%2C") && !strings.HasPrefix(s[host:], "%2c") {
			return host
		}
		i = host + 1
	}
}

// authority reads [ userinfo "@" ] host [ ":" port ] from s[i] and gives its
// end. Where there is no host it gives the end of what cannot be part of one.
func (e *engine) authority(s string, i int, quote, list bool) (int, bool) {
	end, ok := e.hostPort(s, i)
	for list && ok && end+1 < len(s) && s[end] == ',' && is(s[end+1], hostC) {
		next, more := e.hostPort(s, end+1)
		if !more {
			break
		}
		end = next
	}
	if end < len(s) && (is(s[end], userC) || s[end] == '@') {
		if at, found := e.userinfo(s, i, end, quote); found {
			if end, ok := e.hostPort(s, at+1); ok {
				for list && end+1 < len(s) && s[end] == ',' && is(s[end+1], hostC) {
					next, more := e.hostPort(s, end+1)
					if !more {
						break
					}
					end = next
				}
				return end, true
			}
		}
	}
	return end, ok
}

// userinfo gives the place of the "@" that ends the userinfo that began at
// s[i]; it lies behind from. Brackets in it are balanced, so that the "@" of
// what follows "(http://host)" is none.
func (e *engine) userinfo(s string, i, from int, quote bool) (at int, found bool) {
	depth := 0
	for k := i; k < from; k++ {
		if s[k] == '@' {
			at, found = k, true
		}
	}
	k := i
	for ; k < len(s) && is(s[k], userC) && k-i < e.opts.MaxLen; k++ {
		switch s[k] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				e.see(k)
				return at, found
			}
		case '\'':
			if quote {
				e.see(k)
				return at, found
			}
		case '@':
			if k >= from && depth == 0 {
				at, found = k, true
			}
		}
	}
	e.see(k)
	return at, found
}

// see notes that s[i] mattered.
func (e *engine) see(i int) {
	if i > e.reach {
		e.reach = i
	}
}

// hostPort reads host [ ":" port ]. A port that is none, and a ":" without
// one, belong to the sentence.
func (e *engine) hostPort(s string, i int) (int, bool) {
	end, ok := e.host(s, i)
	if !ok || end == len(s) || s[end] != ':' {
		return end, ok
	}
	port, k := 0, end+1
	for ; k < len(s) && is(s[k], digit) && k-end <= 6; k++ {
		port = port*10 + int(s[k]-'0')
	}
	e.see(k)
	switch {
	case k == end+1 && k < len(s) && s[k] == '/':
		return k, true // RFC 3986, 3.2.3: port = *DIGIT
	case k == end+1:
		return end, true
	case port > 65535 || k < len(s) && is(s[k], alpha|digit):
		return e.badPort(s, end, k), true
	}
	return k, true
}

// badPort gives the end of the host and port whose port, behind s[end], is
// none. With a path, a query or a fragment behind it somebody wrote a URL with
// a mistake in it, and the whole of it is given; else it is the sentence's.
func (e *engine) badPort(s string, end, k int) int {
	for k < len(s) && k-end < lookAhead && is(s[k], alpha|digit) {
		k++
	}
	e.see(k + 1)
	if k < len(s) && (s[k] == '/' || (s[k] == '?' || s[k] == '#') && k+1 < len(s) && is(s[k+1], alpha|digit)) {
		return k
	}
	return end
}

// host reads a host: an IP literal, or labels.
func (e *engine) host(s string, i int) (int, bool) {
	if i < len(s) && s[i] == '[' {
		return e.literal(s, i)
	}
	end, last, ok := e.labels(s, i, false)
	if !ok {
		return end, false
	}
	// An ASCII host beside letters of another script ends at its last known
	// top-level domain: "example.comです".
	if cut := last + asciiLen(s[last:end]); cut < end && cut > last && !e.tld(s[last:end]) {
		if last > i && e.tld(s[last:cut]) {
			return cut, true
		}
		// So does one of the names that are nobody's before a symbol.
		if r, _ := runeAt(s, cut); reserved(s[last:cut]) && unicode.IsSymbol(r) {
			return cut, true
		}
	}
	// A root dot, where something of the URL follows it.
	if end+1 < len(s) && s[end] == '.' {
		if c := s[end+1]; c == '/' || c == '#' || c == ':' && end+2 < len(s) && is(s[end+2], digit) {
			return end + 1, true
		}
	}
	return end, true
}

// literal reads IP-literal = "[" ( IPv6address / IPvFuture ) "]", with a zone
// (RFC 6874). What is neither is no host by any standard; a name in brackets is
// a placeholder.
func (e *engine) literal(s string, i int) (int, bool) {
	k := i + 1
	for k < len(s) && k-i < 128 && s[k] != ']' && (is(s[k], userC) || s[k] == ':') && s[k] != '@' {
		k++
	}
	e.see(k)
	if k == len(s) || s[k] != ']' {
		return k, false
	}
	inside := s[i+1 : k]
	if len(inside) > 2 && lower(inside[0]) == 'v' && isHex(inside[1]) {
		return k + 1, true
	}
	address, _, _ := strings.Cut(inside, "%")
	ip, err := netip.ParseAddr(address)
	return k + 1, err == nil && ip.Is6()
}

// labels reads labels separated by single dots, and gives the end and the
// start of the last one. Labels are not empty and neither begin nor end with a
// hyphen. Two dots between labels make it no host at all; more are an ellipsis.
// inner says that labels stand before s[i].
func (e *engine) labels(s string, i int, inner bool) (end, last int, ok bool) {
	limit := min(len(s), i+lookBack)
	last = i
	for {
		k := e.label(s, last, limit)
		if k == limit && limit < len(s) {
			e.see(k)
			return k, last, false // no host is that long
		}
		if k == last {
			break // an empty label
		}
		if s[last] == '-' || s[k-1] == '-' {
			if s[last] == '-' || k < len(s) && s[k] == '.' && k+1 < len(s) && is(s[k+1], hostC) {
				return e.skipHost(s, k), last, false
			}
			for k > last && s[k-1] == '-' { // "http://host--" ends before the dash
				k--
			}
			e.see(k)
			return k, last, k > last
		}
		if k-last > maxLabel && utf8.RuneCountInString(s[last:k]) > maxLabel {
			return e.skipHost(s, k), last, false
		}
		end, ok = k, true
		if k == len(s) || s[k] != '.' {
			for end > last && s[end-1] == '_' { // emphasis
				end--
			}
			e.see(k)
			return end, last, end > last
		}
		// An ASCII name beside letters of another script ends there.
		if last > i || inner {
			if cut := last + asciiLen(s[last:k]); cut < k && cut > last {
				if r, _ := runeAt(s, cut); otherScript(r) && e.tld(s[last:cut]) {
					e.see(k)
					return cut, last, true
				}
			}
		}
		if k+1 < len(s) && is(s[k+1], hostC) {
			last = k + 1
			continue
		}
		if k+2 < len(s) && s[k+1] == '.' && is(s[k+2], hostC) {
			return e.skipHost(s, k), last, false
		}
		if e.see(k + 1); k+1 < len(s) && s[k+1] != '\n' {
			e.see(k + 2)
		}
		for end > last && s[end-1] == '_' { // emphasis, before the sentence's dot
			end--
		}
		return end, last, end > last
	}
	if !ok {
		return e.skipHost(s, i), last, false
	}
	e.see(end)
	return end, lastLabel(s, i, end), true
}

// maxLabel is the length of a label: RFC 1035, 2.3.4, has 63 octets.
const maxLabel = 63

// lastLabel gives the start of the last label of s[i:end].
func lastLabel(s string, i, end int) int {
	return i + strings.LastIndexByte(s[i:end], '.') + 1
}

// label gives the end of the label that begins at s[i].
func (e *engine) label(s string, i, limit int) int {
	for i < limit {
		c := s[i]
		switch {
		case c < 0x80 && is(c, hostC):
			i++
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			i += 3
		case c >= 0x80:
			r, size := runeAt(s, i)
			if !inHost(r, size) || arrow(r) && e.schemeAt(s, i+size) {
				return i
			}
			i += size
		default:
			return i
		}
	}
	return min(i, limit)
}

// skipHost gives the end of the hosts' characters from s[i].
func (e *engine) skipHost(s string, i int) int {
	limit := min(len(s), i+lookBack)
	for i < limit && (is(s[i], hostC) || s[i] == '.' || s[i] == '*') {
		if s[i] < 0x80 {
			i++
			continue
		}
		r, size := runeAt(s, i)
		if !inHost(r, size) {
			break
		}
		i += size
	}
	e.see(i)
	return i
}

func isHex(c byte) bool {
	return is(c, digit) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// asciiLen is the length of the ASCII that s begins with.
func asciiLen(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return i
		}
	}
	return len(s)
}

// maxDepth bounds the brackets that may be open in a URL.
const maxDepth = 16

// tail reads the path, query and fragment, or the body of a URL without
// authority, from s[i], and gives its end, which lies at or behind least. The
// reference begins at start.
func (e *engine) tail(s string, start, i, least int) (int, bool) {
	var (
		opened [maxDepth]int
		depth  int
		quote  = start > 0 && s[start-1] == '\''
		limit  = e.longest(s, start)
	)
scan:
	for i < limit {
		c := s[i]
		switch tailClass[c] {
		case plain:
			i++
			continue
		case stop, escape:
			break scan
		case open:
			if depth == maxDepth || c == '[' && (strings.HasPrefix(s[i:], "[/") || e.schemeAt(s, i+1)) { // BBCode: "[/url]"; a label that is a URL
				break scan
			}
			opened[depth] = i
			depth++
		case shut:
			// The first closer that nothing opened ends the URL.
			if depth == 0 || s[opened[depth-1]] != opener(c) {
				break scan
			}
			depth--
		case quoted:
			if quote {
				break scan
			}
		case comma:
			if e.schemeAt(s, i+1) {
				break scan
			}
		case amp:
			if escaped(s[i:]) {
				break scan
			}
		case high:
			r, size := runeAt(s, i)
			if !inTail(r, size) && !(r == 0x2019 && e.letterAt(s, i+size)) || arrow(r) && e.schemeAt(s, i+size) {
				break scan
			}
			i += size
			continue
		}
		i++
	}
	e.see(i)
	if i >= limit && limit < len(s) {
		return i, false // longer than MaxLen
	}
	if depth > 0 {
		i = opened[0]
	}
	return e.trim(s, start, i, least), true
}

// letterAt reports whether a letter stands at s[i]: then the quotation mark
// before it is an apostrophe.
func (e *engine) letterAt(s string, i int) bool {
	e.see(i + utf8.UTFMax)
	r, _ := runeAt(s, i)
	return unicode.IsLetter(r)
}

func opener(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// escaped reports whether s begins with a character reference for one of
// the characters that a URL cannot hold: text that was escaped once too often.
func escaped(s string) bool {
	if len(s) < 4 {
		return false
	}
	switch s[1] {
	case 'l':
		return s[:4] == "&lt;"
	case 'g':
		return s[:4] == "&gt;"
	case 'q':
		return strings.HasPrefix(s, "&quot;")
	case 'n':
		return strings.HasPrefix(s, "&nbsp;")
	case '#':
		return strings.HasPrefix(s, "&#34;") || strings.HasPrefix(s, "&#39;")
	}
	return false
}

// schemeAt reports whether a URL with one of the most usual schemes begins at
// s[i].
func (e *engine) schemeAt(s string, i int) bool {
	e.see(i + 8)
	if i >= len(s) {
		return false
	}
	switch lower(s[i]) {
	case 'h', 'f', 'm', 't':
	default:
		return false
	}
	for _, known := range [...]string{"http://", "https://", "ftp://", "mailto:", "tel:+"} {
		if i+len(known) <= len(s) && equalFold(s[i:i+len(known)], known) {
			return true
		}
	}
	return false
}

// aside reports whether c may open what it closes behind a reference as well:
// Org's =code=, Textile's @code@, mathematics' $x$, TeX's “quotation”, Texinfo's
// braces.
func aside(c byte) bool {
	switch c {
	case '=', '@', '$', '%', '`', '{':
		return true
	}
	return false
}

// closesAside gives the end of the reference s[start:i] without what closes where
// something opens in front of it.
func (e *engine) closesAside(s string, start, i, least int) int {
	switch c := s[start-1]; c {
	case '`':
		if start > 1 && s[start-2] == '`' && i-2 >= least && s[i-2:i] == "''" {
			return i - 2
		}
	case '{':
		// @uref{URL, label}
		if start > 5 && (s[start-6:start] == "@uref{" || start > 4 && s[start-5:start] == "@url{") {
			if k := strings.IndexByte(s[least:i], ','); k >= 0 {
				return least + k
			}
		}
	case '=', '@', '$', '%':
		open := start - 1
		for open > 0 && s[open-1] == c {
			open--
		}
		if open > 0 && !is(s[open-1], blank) && strings.IndexByte("([{'\"", s[open-1]) < 0 {
			return i // "url=http://..."
		}
		for n := start - open; n > 0 && i > least && s[i-1] == c; n-- {
			i--
		}
	}
	return i
}

// trim leaves the sentence its punctuation.
func (e *engine) trim(s string, start, i, least int) int {
	if start > 0 && aside(s[start-1]) {
		i = e.closesAside(s, start, i, least)
	}
	if strings.HasSuffix(s[least:i], "*/") && (i == len(s) || is(s[i], blank)) {
		i -= 2 // the end of a comment
	}
	if strings.HasSuffix(s[least:i], "--") && i < len(s) && s[i] == '>' {
		i -= 2 // of HTML
	}
	var before byte // what stands before the reference: emphasis, perhaps
	if start > 0 {
		before = s[start-1]
	}
	apostrophes := -1
	for i > least {
		switch c := s[i-1]; c {
		case '.', ',', ':', ';', '?', '*', '^':
		case '&':
			if i-2 < least || s[i-2] != '&' {
				return i
			}
			i-- // a shell's "&&"
		case '\'':
			// It stays if it closes one inside.
			if apostrophes < 0 {
				apostrophes = strings.Count(s[least:i], "'")
			}
			if apostrophes%2 == 0 {
				return i
			}
			apostrophes--
		case '!':
			// "#!" is a way to write a path in a fragment.
			if i-2 >= least && (s[i-2] == '#' || s[i-2] == '@' && strings.IndexByte(s[least:i], '#') >= 0) {
				return i
			}
		case '_', '~':
			if before != c {
				return i
			}
		default:
			if c < 0x80 {
				return i
			}
			r, size := lastRune(s[least:i])
			if !wordPunct(r) {
				return i
			}
			i -= size - 1
		}
		i--
	}
	return i
}
