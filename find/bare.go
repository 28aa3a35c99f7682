package find

import (
	"math/bits"
	"net/netip"
	"strings"
	"sync"
	"unicode"

	"anyurl/internal/iana"
)

// domains is the set of top-level domains, behind a filter that most words do
// not pass.
type domains struct {
	filter [1 << 10]uint64
	names  map[string]struct{}
}

var knownDomains = sync.OnceValue(func() *domains {
	all := iana.TLDs()
	d := &domains{names: make(map[string]struct{}, len(all))}
	for _, name := range all {
		d.names[name] = struct{}{}
		h := hash(mix(name))
		d.filter[h>>6] |= 1 << (h & 63)
	}
	return d
})

// mix is what hash is taken of: the bytes of a label, in lower case if they are
// letters, or of a long one its first and last eight.
func mix(label string) (m uint64) {
	const letter = 0x2020202020202020
	if n := len(label); n >= 8 {
		m = load(label, 0) | letter
		if n > 8 {
			m += bits.RotateLeft64(load(label, n-8)|letter, 19)
		}
		return m
	}
	for i := range len(label) {
		m |= uint64(label[i]|0x20) << (8 * i)
	}
	return m
}

// mixOf is mix of s[i:j], which has seven bytes behind it.
func mixOf(s string, i, j int) uint64 {
	if j-i >= 8 {
		return mix(s[i:j])
	}
	return (load(s, i) | 0x2020202020202020) & (1<<(8*(j-i)) - 1)
}

func hash(mix uint64) uint64 { return mix * 0x9E3779B97F4A7C15 >> 48 }

// may reports whether a label of this mix may be a top-level domain.
func (d *domains) may(mix uint64) bool {
	h := hash(mix)
	return d.filter[h>>6]>>(h&63)&1 != 0
}

// longestDomain is in octets, of the U-labels too.
const longestDomain = 96

// tld reports whether a label is a known top-level domain, in any case.
func (e *engine) tld(label string) bool {
	if len(label) < 2 || len(label) > longestDomain {
		return false
	}
	if e.domains == nil {
		e.domains = knownDomains()
	}
	ascii := asciiLen(label) == len(label)
	var buf [longestDomain]byte
	if ascii {
		if !e.domains.may(mix(label)) {
			return false
		}
		for i := range len(label) {
			buf[i] = lower(label[i])
		}
		_, ok := e.domains.names[string(buf[:len(label)])]
		return ok
	}
	_, ok := e.domains.names[strings.ToLower(label)]
	return ok
}

// domain looks at a "." between letters or digits. The labels around it are
// read to their end first: most end in no top-level domain, and nothing before
// the "." was looked at then.
func (e *engine) domain(p int) (bool, int) {
	if end := e.idle(p + 1); end > 0 {
		return false, end
	}
	return e.domainOf(p)
}

// domainOf is domain for a name that idle lets pass.
func (e *engine) domainOf(p int) (bool, int) {
	s := e.s
	end, last, ok := e.labels(s, p+1, true)
	if !ok {
		return false, end
	}
	// As in host: an ASCII name beside other letters ends at its last known
	// top-level domain.
	if cut := asciiLen(s[last:end]) + last; last < cut && cut < end && !e.tld(s[last:end]) && e.tld(s[last:cut]) {
		end = cut
	}
	if ip4, ok := e.address(p, end); ok {
		return ip4, e.found.end
	}
	label := s[last:end]
	if !e.tld(label) {
		return false, e.skipUser(end)
	}
	start := e.labelsBack(p, end)
	if start < 0 {
		return false, end
	}
	if start == p {
		return false, end
	}
	next := byte(' ')
	if end < len(s) {
		next = s[end]
	}
	switch next {
	case '(', '@':
		return false, end
	case '[', '{':
		if spelledDot(s[end:]) {
			return false, end
		}
	case '\\':
		if strings.HasPrefix(s[end:], `\.`) || strings.HasPrefix(s[end:], `\\.`) { // a regular expression
			return false, end
		}
	case '.':
		if strings.HasPrefix(s[end:], ".(") { // Go's type assertion
			return false, end
		}
	case ':':
		if strings.HasPrefix(s[end:], "://") || strings.HasPrefix(s[end:], "::") {
			return false, end
		}
	}
	if at := e.skipUser(end); at < len(s) && (s[at] == '@' || s[at] == '=' && before(s, start) == '=') {
		if s[at] == '=' { // a bounce's address holds another one
			at = e.skipUser(at + 1)
		}
		if at < len(s) && s[at] == '@' {
			return false, at // the local part of an address
		}
	}
	// Emphasis: "_www.example.com_". A name may begin with "_" in the DNS, as
	// "_dmarc.example.com" does.
	if s[start] == '_' && (end < len(s) && s[end] == '_' || equalPrefix(strings.TrimLeft(s[start:end], "_"), "www.")) {
		for s[start] == '_' {
			start++
		}
		if start >= p {
			return false, end
		}
	}
	kind := Domain
	if len(s[start:end]) > 4 && equalFold(s[start:start+4], "www.") {
		kind = WWW
		if strings.IndexByte(s[start+4:end], '.') < 0 {
			return false, end
		}
	}
	from := start
	before := before(s, start)
	if unmarkedAt(s, start) {
		return e.email(start - 1) // "kim+@example.org": no mark stands there
	}
	if before == '/' {
		// "//host/..." is a network-path reference where nothing stands before it.
		if start < 2 || s[start-2] != '/' || start > 2 && !is(s[start-3], blank) && strings.IndexByte("\"'(=[<,>", s[start-3]) < 0 {
			return false, end
		}
		from, kind = start-2, Relative
		if from < e.floor {
			return false, end
		}
		if ok, next := e.brokenScheme(from); ok {
			return true, next
		}
	}
	stop := end
	if port, ok := e.port(end); ok {
		stop = port
	}
	if stop < len(s) && (s[stop] == '/' || s[stop] == '?' || s[stop] == '#') && !strings.HasPrefix(s[stop:], "/*") {
		stop, ok = e.tail(s, from, stop, stop)
		if !ok {
			return false, stop
		}
	}
	if kind == Domain && !e.plausible(start, end, stop, label, before, next) {
		return false, end
	}
	e.found = span{start: from, end: stop, kind: kind}
	return true, stop
}

// unmarkedAt reports whether an "@" that is no mark, for want of a letter before
// it, stands before the host at s[i].
func unmarkedAt(s string, i int) bool {
	return i > 2 && s[i-1] == '@' && (s[i-2] == '+' || s[i-2] == '-') && is(s[i-3], alpha|digit)
}

// before gives the byte before s[i], or 0.
func before(s string, i int) byte {
	if i == 0 {
		return 0
	}
	return s[i-1]
}

// idle gives the end of the name around the "." before s[i] when it is plain to
// see that it is no domain, or 0: its labels are of ASCII characters, the last
// is no top-level domain, and what follows is no part of a host.
func (e *engine) idle(i int) int {
	const (
		low7   = 0x7F7F7F7F7F7F7F7F
		letter = 0x2020202020202020
	)
	s := e.s
	if e.slow {
		return 0
	}
	if e.domains == nil {
		e.domains = knownDomains()
	}
	if simd() && i+40 <= len(s) {
		return e.idleHead(i)
	}
	for limit := i + lookAhead; i < limit && i+9 <= len(s); {
		// Eight bytes at once: the top bits of others are those that are no letters.
		x := load(s, i) | letter
		atLeastA := x&low7 + ones*(0x80-'a')
		aboveZ := x&low7 + ones*(0x7F-'z')
		others := (x | aboveZ | ^atLeastA) & tops
		var key uint64
		n := 8
		if others != 0 {
			n = bits.TrailingZeros64(others) >> 3
			key = x & (1<<(8*n) - 1) // as mix has it
		} else {
			for i+n < len(s) && n < lookAhead && is(s[i+n], alpha) {
				n++
			}
			if i+n+1 >= len(s) || n == lookAhead {
				return 0
			}
			key = mix(s[i : i+n])
		}
		c := s[i+n]
		if c == '.' && is(s[i+n+1], alpha) {
			i += n + 1
			continue
		}
		if is(c, hostC|localC) || n > 1 && c != '(' && e.domains.may(key) {
			return 0
		}
		e.see(i + n)
		return i + n
	}
	return 0
}

// idleHead is idle for a name whose labels end within 32 bytes.
func (e *engine) idleHead(i int) int {
	s := e.s
	labels, dots, hyphens := labels(s, i)
	n := bits.TrailingZeros32(^(labels | dots | hyphens))
	if n == 0 || n == 32 {
		return 0
	}
	c := s[i+n]
	if c >= 0x80 || c == '%' {
		return 0 // the label goes on
	}
	end := n
	if dots>>(n-1)&1 != 0 {
		end-- // the sentence's
	}
	// Labels neither are empty nor begin or end with a hyphen, nor with what may
	// be emphasis.
	in := uint32(1)<<end - 1
	dots, hyphens = dots&in, hyphens&in
	odd := dots&((dots|hyphens)<<1) | hyphens&(dots<<1) | (dots|hyphens)>>(end-1) | (dots|hyphens)&1
	if odd != 0 || s[i+end-1] == '_' {
		return 0
	}
	last := i + bits.Len32(dots)
	n, end = i+n, i+end
	more := end < n || is(c, localC)
	if is(s[end-1], digit) && is(s[i-2], digit) && (more || i < 5 || bits.OnesCount32(dots) == 2 || s[i-3] == '.' || s[i-4] == '.' || s[i-5] == '.') {
		return 0 // an address, perhaps
	}
	if end-last > 1 && c != '(' && e.domains.may(mixOf(s, last, end)) {
		return 0
	}
	if more {
		return e.skipUser(end)
	}
	e.see(n)
	return n
}

// port reads ":" 1*5DIGIT at s[i], with nothing glued to it.
func (e *engine) port(i int) (int, bool) {
	s := e.s
	if i+1 >= len(s) || s[i] != ':' || !is(s[i+1], digit) {
		return i, false
	}
	k, port := i+1, 0
	for ; k < len(s) && is(s[k], digit) && k-i <= 6; k++ {
		port = port*10 + int(s[k]-'0')
	}
	e.see(k + 2)
	if port == 0 || port > 65535 || k < len(s) && is(s[k], alpha|digit) {
		return i, false
	}
	if k+1 < len(s) && s[k] == ':' && !is(s[k+1], blank) { // a line and a column
		return i, false
	}
	return k, true
}

// skipUser gives the end of the characters of a local part from s[i].
func (e *engine) skipUser(i int) int {
	limit := min(len(e.s), i+lookAhead)
	for i < limit && is(e.s[i], localC) {
		i++
	}
	e.see(i)
	return i
}

// labelsBack gives the start of the host that goes over s[p], or -1 where what
// stands before it rules one out.
func (e *engine) labelsBack(p, end int) int {
	s := e.s
	low := max(e.floor, p-maxHost, 0)
	start := p
	for start > low && (is(s[start-1], hostC) || s[start-1] == '.') {
		start--
	}
	if start == low && start > 0 && start > e.floor {
		return -1 // too long
	}
	start = uncoloured(s, start, p)
	// Among the octets above ASCII, only letters and symbols are a host's.
	for i := start; i < p; {
		if s[i] < 0x80 {
			i++
			continue
		}
		r, size := runeAt(s, i)
		if i += size; !inHost(r, size) || i < p && ornament(r, s[i]) {
			start = i
		}
	}
	// An ASCII name straight behind letters of another script begins there.
	if asciiLen(s[strings.LastIndexByte(s[:end], '.')+1:end]) == end-strings.LastIndexByte(s[:end], '.')-1 {
		for i := start; i < p; {
			if s[i] < 0x80 {
				i++
				continue
			}
			r, size := runeAt(s, i)
			i += size
			if i < p && s[i] < 0x80 && is(s[i], alpha|digit) && otherScript(r) {
				start = i
			}
		}
	}
	if start > 0 && start == e.floor && (is(s[start-1], hostC) || s[start-1] == '.') {
		return -1 // what was passed over runs into it
	}
	if start > 0 && s[start] == '-' && strings.IndexByte("@$\\%#&+!/:", s[start-1]) >= 0 {
		return -1
	}
	for start < p && s[start] == '-' {
		start++
	}
	// An empty label, or one with a hyphen at its end.
	if start < p && s[start] == '.' {
		return -1
	}
	for i := start; i < p; i++ {
		if s[i] == '.' && (s[i+1] == '.' || s[i+1] == '-' || s[i-1] == '-') {
			return -1
		}
	}
	if start > 0 && strings.IndexByte("@$\\%#&+!", s[start-1]) >= 0 && !unmarkedAt(s, start) {
		// "tests!example.com": a sentence that lacks its blank.
		if s[start-1] != '!' || start < 2 || !is(s[start-2], alpha) || !usual(toLower(s[strings.LastIndexByte(s[:end], '.')+1:end])) {
			return -1
		}
	}
	if start > 1 && s[start-1] == ':' && s[start-2] == ':' {
		return -1
	}
	// The rest of a name that was taken apart ("a[.]example.com"), or that holds
	// what shows nothing of itself.
	if start > 2 && (s[start-1] == ']' || s[start-1] == ')') {
		if k := strings.LastIndexByte(s[max(0, start-6):start], opener(s[start-1])); k >= 0 && spelledDot(s[max(0, start-6)+k:]) {
			return -1
		}
	}
	if start > 2 && start > e.floor && s[start-1] >= 0x80 {
		if r, size := lastRune(s[:start]); unicode.Is(unicode.Cf, r) && start > size && is(s[start-size-1], alpha|digit) {
			return -1
		}
	}
	return start
}

// maxHost bounds a bare host's length. The DNS has 253 octets; an
// internationalised name may need some more.
const maxHost = 512

// plausible sorts out what only looks like a bare domain. The host is
// s[start:end], the reference ends at stop. Whether it is a file's is asked last:
// most names are sorted out before.
func (e *engine) plausible(start, end, stop int, label string, before, next byte) bool {
	return e.hostLike(start, end, stop, label, before, next) &&
		(usual(toLower(label)) || !document(e.s[start:end]) && !e.changed(start, stop))
}

// hostLike is plausible but for the names of files that the text around tells.
func (e *engine) hostLike(start, end, stop int, label string, before, next byte) bool {
	s := e.s
	name := s[start : end-len(label)-1]
	parts := 2 + strings.Count(name, ".")
	// "_" is no character of the names that are registered.
	if under := strings.LastIndexByte(s[start:end], '_'); under >= 0 && strings.Count(s[start+under:end], ".") < 2 {
		return false
	}
	// A sentence whose blank is missing: "done.It was".
	if label[0] != lower(label[0]) && label[len(label)-1] == lower(label[len(label)-1]) {
		return false
	}
	low := toLower(label)
	if !usual(low) {
		// A field of a program: in upper case behind lower case ("tok.INT"), with
		// "_", or before a "?" that begins no query.
		if label != low && (parts == 2 || strings.ToUpper(name) != name) {
			return false
		}
		if strings.IndexByte(name, '_') >= 0 || stop > end && s[end] != '/' && s[end] != ':' {
			return false
		}
	}
	if stop > end { // a port or a path speaks for it
		// But not for a place in a file: "foo.py:12: error", "(Foo.java:42)".
		place := s[end] == ':' && (stop < len(s) && s[stop] == ':' || before == '(' && stop < len(s) && s[stop] == ')')
		return !(place && parts == 2 && fileEnding(low, name))
	}
	if fileEnding(low, name) && (parts == 2 || inner(name)) {
		return false
	}
	if usual(low) {
		return next != '=' || before != ' '
	}
	return low != "arpa" && e.meantAsHost(start, end, name, low)
}

// changed reports whether s[start:stop] is among the files that an entry of a
// change log begins with: GNU Coding Standards, "Style of Change Logs". They stand
// behind a "*" that is indented, with commas between them, and a colon or the
// function's name in parentheses follows.
func (e *engine) changed(start, stop int) bool {
	s := e.s
	e.see(stop + 1)
	switch {
	case stop == len(s):
		return false
	case s[stop] == ':' || s[stop] == ',':
	case s[stop] != ' ' || stop+1 == len(s) || s[stop+1] != '(':
		return false
	}
	i, low := start, max(0, start-lookBack/4)
	for i > low && (s[i-1] > ' ' && s[i-1] != ':' && s[i-1] != '*' || s[i-1] == ' ' && i-2 > low && s[i-2] == ',') {
		i--
	}
	if i-3 < low || s[i-1] != ' ' || s[i-2] != '*' {
		return false
	}
	for i -= 2; i > low && s[i-1] == '\t'; {
		i--
	}
	return s[i] == '\t' && (i == 0 || s[i-1] == '\n')
}

// document reports whether a name begins as those files do that come with
// programs, and that are written so: "README.dev", "Makefile.vc".
func document(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	for _, prefix := range [...]string{"README", "Makefile", "GNUmakefile", "ChangeLog", "CHANGELOG", "CHANGES", "LICENSE", "COPYING", "INSTALL", "NEWS", "TODO", "AUTHORS",
		"THANKS", "HACKING", "CONTRIBUTING", "Dockerfile", "Containerfile"} {
		if rest, ok := strings.CutPrefix(first, prefix); ok && (rest == "" || rest[0] == '-' || rest[0] == '_') {
			return true
		}
	}
	return false
}

// usual are top-level domains that are no words of a program.
func usual(label string) bool {
	switch label {
	case "com", "org", "edu", "gov", "mil":
		return true
	}
	return label[0] >= 0x80 || strings.HasPrefix(label, "xn--")
}

// fileEnding reports whether a name under a top-level domain, which is in lower
// case, looks like a file's.
func fileEnding(label, name string) bool {
	switch label {
	case "am", "build", "cab", "cc", "data", "dot", "inc", "java", "man", "map", "md", "mk", "ml", "mm", "mo", "mov", "pl", "pm", "properties", "ps", "pub", "py", "rs", "sh", "so", "target", "tf", "zip":
		return true
	case "app": // a program of macOS
		return name[0] != lower(name[0])
	case "la":
		return strings.HasPrefix(name, "lib")
	case "ac", "in", "info", "bz":
		first, _, _ := strings.Cut(toLower(name), ".")
		switch first {
		case "configure", "config", "makefile", "manifest", "dir", "tar", "version":
			return true
		}
		return label == "in" && inner(name) // what configure makes "config.h" of
	}
	return false
}

// inner reports whether the last label of name is what files have before their
// ending: "app.js.map", "a.pb.cc", "x.test.rs".
func inner(name string) bool {
	switch last := name[strings.LastIndexByte(name, '.')+1:]; last {
	case "c", "conf", "cpp", "css", "d", "desktop", "grpc", "h", "js", "json", "map", "min", "pb", "pc", "postinst", "pre", "py", "service", "sh", "spec", "tar", "test", "ts", "tab",
		"tmpl", "xml":
		return true
	}
	return false
}

// address looks whether the run around s[p] that ends at end is an IPv4
// address with a port or a path behind it, leaves it in e.found, and reports
// whether it is a match; decided reports that it is an address or a number
// and no name.
func (e *engine) address(p, end int) (match, decided bool) {
	s := e.s
	if !is(s[end-1], digit) || !is(s[p-1], digit) {
		return false, false
	}
	start := p
	low := max(e.floor, p-16)
	for start > low && (is(s[start-1], digit) || s[start-1] == '.') {
		start--
	}
	e.found = span{start: start, end: end, kind: Domain}
	if start > 2 && s[start-1] == '[' && s[start-2] == '@' && end < len(s) && s[end] == ']' && dottedQuad(s[start:end]) {
		// address-literal = "[" IPv4-address-literal "]"        RFC 5321, 4.1.3
		return e.emailAt(start-2, end+1), true
	}
	if !dottedQuad(s[start:end]) || start > 0 && (is(s[start-1], hostC) || strings.IndexByte(".@/$%#\\:", s[start-1]) >= 0) {
		return false, allDigits(s[p:end])
	}
	stop, ok := e.port(end)
	if stop < len(s) && s[stop] == '/' && stop+1 < len(s) && !is(s[stop+1], digit) {
		if stop, ok = e.tail(s, start, stop, stop); !ok {
			return false, true
		}
	}
	e.found.end = max(stop, end)
	return ok, true
}

// bracketedIP looks whether the ":" at s[p] is the first one of an IPv6 address in
// brackets that a path follows, perhaps over a port.
func (e *engine) bracketedIP(p int) (int, bool) {
	s := e.s
	if p > 6 && s[p-6:p] == "@[IPv6" {
		// address-literal = "[" "IPv6:" IPv6-addr "]"        RFC 5321, 4.1.3
		end := p + 1
		for end < len(s) && end-p < 64 && (isHex(s[end]) || s[end] == ':' || s[end] == '.') {
			end++
		}
		e.see(end + 1)
		if ip, err := netip.ParseAddr(s[p+1 : end]); err != nil || !ip.Is6() || end == len(s) || s[end] != ']' {
			return 0, false
		}
		if !e.emailAt(p-6, end+1) {
			return 0, false
		}
		return e.found.end, true
	}
	start := p
	for start > e.floor && p-start < 5 && isHex(s[start-1]) {
		start--
	}
	if start--; start < e.floor || s[start] != '[' || start > 0 && (is(s[start-1], word) || strings.IndexByte("/@.])", s[start-1]) >= 0) {
		return 0, false
	}
	end, ok := e.literal(s, start)
	if !ok {
		return 0, false
	}
	stop, _ := e.port(end)
	if stop+1 >= len(s) || s[stop] != '/' || !is(s[stop+1], word) {
		e.see(stop + 1)
		return 0, false
	}
	if stop, ok = e.tail(s, start, stop, stop); !ok {
		return 0, false
	}
	e.found = span{start: start, end: stop, kind: IP}
	return stop, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !is(s[i], digit) && s[i] != '.' {
			return false
		}
	}
	return true
}

// dottedQuad reports whether s is an IPv4 address in its usual form
// (RFC 3986, 3.2.2: IPv4address).
func dottedQuad(s string) bool {
	parts, value, length := 1, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			if length == 0 {
				return false
			}
			parts++
			value, length = 0, 0
		case !is(c, digit) || length > 0 && value == 0:
			return false
		default:
			value = value*10 + int(c-'0')
			length++
			if value > 255 {
				return false
			}
		}
	}
	return parts == 4 && length > 0 && s[0] != '0'
}

// maxLocal bounds an address's local part: RFC 5321, 4.5.3.1.1.
const maxLocal = 64

// email looks at an "@".
func (e *engine) email(p int) (bool, int) {
	s := e.s
	end, last, ok := e.labels(s, p+1, true)
	if !ok || last == p+1 {
		return false, end
	}
	if cut := last + asciiLen(s[last:end]); cut < end && cut > last && !e.tld(s[last:end]) {
		end = cut
	}
	if !e.tld(s[last:end]) || strings.IndexByte(s[p+1:end], '_') >= 0 {
		return false, end
	}
	if end+1 < len(s) && s[end] == ':' && (is(s[end+1], alpha) || strings.IndexByte("/~:", s[end+1]) >= 0) {
		return false, end // scp's way to name a file, and rsync's to name a module
	}
	if e.emailAt(p, end) {
		return true, e.found.end
	}
	return false, end
}

// emailAt looks at the local part of an address whose "@" is s[p] and whose
// host ends at end.
func (e *engine) emailAt(p, end int) bool {
	s := e.s
	low := max(e.floor, p-maxLocal-1, 0)
	start := p
	for start > low && (is(s[start-1], localC) || s[start-1] >= 0x80) {
		start--
	}
	start = uncoloured(s, start, p)
	if p-start > maxLocal || start == low && start > 0 && start == e.floor && is(s[start-1], localC) {
		return false
	}
	for i := start; i < p; {
		if s[i] < 0x80 {
			i++
			continue
		}
		r, size := runeAt(s, i)
		if i += size; !inHost(r, size) || ornament(r, s[i]) {
			start = i
		}
	}
	// An ASCII address straight behind text that has no blanks begins there.
	for i := start; i < p; {
		r, size := runeAt(s, i)
		if i += size; i < p && is(s[i], alpha|digit) && s[i] < 0x80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			start = i
		}
	}
	if start > 0 && s[start] == '.' && s[start-1] == '"' {
		return false // the rest of a quoted local part
	}
	for start < p && s[start] < 0x80 && !is(s[start], word) {
		if s[start] == '~' && is(s[start+1], alpha|digit) && (start == 0 || is(s[start-1], blank)) {
			break // "~kim@example.com"; two of them strike out
		}
		start++
	}
	start = e.moreLocal(start, low)
	// What stands beyond ASCII behind a ":" is no mark, and opaque takes no name
	// of two letters, nor with a digit.
	for _, scheme := range [...]string{"mailto:", "im:", "h323:"} {
		k := start - len(scheme)
		if k >= e.floor && s[start-1] == ':' && equalPrefix(s[k:], scheme) && (scheme == "mailto:" || k == 0 || !is(s[k-1], word|schemeC)) {
			ok, _ := e.reference(k, start-1)
			return ok
		}
	}
	if end < len(s) && s[end] == '_' { // emphasis
		for start < p && s[start] == '_' {
			start++
		}
	}
	if start == p || s[p-1] == '.' || strings.Contains(s[start:p], "..") {
		return false
	}
	if start > 0 && (s[start-1] == '/' || s[start-1] == '@') {
		return false
	}
	e.found = span{start: start, end: end, kind: Email}
	return true
}

// moreLocal gives the start of the local part of which s[start] is where its
// usual characters begin: "=" and "/" are legal in it (RFC 5322, 3.2.3), but
// separate nearly everywhere. They do not in a bounce's address, which holds
// two "=" or more ("bounce-1=kim=example.com@", "prvs=1=kim@"), and behind "~".
func (e *engine) moreLocal(start, low int) int {
	s := e.s
	if start <= low || s[start-1] != '=' && s[start-1] != '/' {
		return start
	}
	c := s[start-1]
	i, n := start, 0
	for i > low && (is(s[i-1], localC) || s[i-1] == c) {
		i--
		if s[i] == c {
			n++
		}
	}
	begins := i == 0 || is(s[i-1], blank) || strings.IndexByte("<\"'(,;:", s[i-1]) >= 0
	switch {
	case !begins:
	case c == '=' && n > 1 && is(s[i], alpha|digit), c == '/' && s[i] == '~':
		return i
	}
	return start
}
