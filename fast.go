package anyurl

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"anyurl/internal/domain"
	"anyurl/percent"
)

// Almost every URL that one meets is its own serialisation already. The fast
// path checks that in one pass and gives offsets into the caller's string; what
// it does not take, for whatever reason, goes to the machine. It takes http and
// https URLs with a lower-case ASCII domain or a plain IPv4 address, and no
// credentials. One thing may be in need of change: the case of the host, or dot
// segments, or an international host, or what is to be percent-encoded. It never
// takes what the machine would read otherwise: tests hold the two together
// (fast_test.go).

// extents is what a scan says of s from start on, where the host begins.
type extents struct {
	hostEnd  int // the first byte that is none of a-z, 0-9, "-", "." and "_", or len(s)
	pathEnd  int // the first "?" or "#", or len(s)
	queryEnd int // the first "#", or len(s)
	dots     int // the "/" in front of the path's first dot segment, or -1
}

// fast reads s into u, which must be the zero URL, or gives false and leaves u
// as it is.
func fast(s string, u *URL) bool {
	var start int
	var special schemeType
	switch {
	case len(s) >= 8 && s[:8] == "https://":
		start, special = 8, schemeHTTPS
	case len(s) >= 7 && s[:7] == "http://":
		start, special = 7, schemeHTTP
	default:
		return false
	}
	if uint64(len(s)) > MaxLen {
		return false
	}
	if len(s) >= start+8 {
		// A look ahead saves international hosts the scan.
		if beyond := word(s[start:start+8]) & high; beyond != 0 {
			return fastIDNA(s, start, start+bits.TrailingZeros64(beyond)/8, special, u)
		}
	}
	at, ok := scan(s, start)
	// The path has to begin where the host, or the port behind it, ends.
	path := at.hostEnd
	if path == len(s) {
		return false
	}
	href := s
	switch c := s[path]; {
	case c >= 0x80:
		return fastIDNA(s, start, path, special, u)
	case 'A' <= c && c <= 'Z':
		if !ok || at.dots >= 0 {
			return false
		}
		// Only the case of the host is to be changed.
		for path < len(s) && classOf[lowerOf[s[path]]]&inHost != 0 {
			path++
		}
		if path == len(s) || s[path] != '/' && s[path] != ':' {
			return false
		}
		at.hostEnd = path
		href = lowerRange(s, start, path)
	}
	// There is no limit on a name, but one on what may be Punycode in it.
	if path == start || path-start > domain.MaxPunycode {
		return false
	}
	var port uint16
	if s[path] == ':' {
		port, path = canonicalPort(s, path+1)
		if path == len(s) || port == 0 || port == special.defaultPort() {
			return false
		}
	}
	if s[path] != '/' {
		return false
	}
	kind := HostDomain
	if mayEndInNumber(href[start:at.hostEnd]) {
		if kind = kindOfNumeric(href[start:at.hostEnd]); kind == HostNone {
			return false
		}
	}
	switch {
	case !ok:
		if href = encoded(s, path, &at); href == "" {
			return false
		}
	case at.dots >= 0:
		if len(s) > shortHand {
			return false
		}
		href = withoutDots(s, path, &at)
	}
	u.href = href
	u.scheme = uint32(start - len("://"))
	u.user = uint32(start)
	u.host = uint32(start)
	u.hostEnd = uint32(at.hostEnd)
	u.path = uint32(path)
	u.pathEnd = uint32(at.pathEnd)
	u.queryEnd = uint32(at.queryEnd)
	u.port = port
	u.kind = kind
	u.special = special
	return true
}

// shortHand is how long a URL may be for the fast path to mend it: clearing the
// room for a longer one takes time, too.
const shortHand = 256

// fastIDNA is fast for a host that has bytes above 0x7F, the first one at s[i], if it
// is the only thing to be changed, and its labels up to the last such byte are those
// that package domain calls plain.
func fastIDNA(s string, start, i int, special schemeType, u *URL) bool {
	if len(s) > shortHand {
		return false
	}
	var at extents
	for ok := false; !ok; {
		// The label with s[i] ends; what follows needs no change, or has another one.
		for i < len(s) && s[i] != '.' && s[i] != '/' && s[i] != ':' {
			i++
		}
		if at, ok = scan(s, i); !ok {
			if at.hostEnd <= i || at.hostEnd == len(s) || s[at.hostEnd] < 0x80 {
				return false
			}
			i = at.hostEnd
		}
	}
	path := at.hostEnd
	ascii := s[i:path] // "" or "." and further labels
	if strings.Contains(ascii, "xn--") || ascii != "" && mayEndInNumber(ascii) && kindOfNumeric(ascii) != HostDomain {
		return false
	}
	var port uint16
	if path < len(s) && s[path] == ':' {
		port, path = canonicalPort(s, path+1)
		if port == 0 || port == special.defaultPort() {
			return false
		}
	}
	if path == len(s) || s[path] != '/' || at.dots >= 0 {
		return false
	}
	var room [64]byte
	labels, ok := domain.AppendPlain(room[:0], s[start:i])
	if !ok {
		return false
	}
	more := start + len(labels) - i
	u.href = s[:start] + string(labels) + s[i:]
	u.scheme = uint32(start - len("://"))
	u.user = uint32(start)
	u.host = uint32(start)
	u.hostEnd = uint32(at.hostEnd + more)
	u.path = uint32(path + more)
	u.pathEnd = uint32(at.pathEnd + more)
	u.queryEnd = uint32(at.queryEnd + more)
	u.port = port
	u.kind = HostDomain
	u.special = special
	return true
}

// encoded gives s, the path of which begins at s[path], with what has to be encoded
// encoded, and moves the ends in at to where they are then. If there is more to do,
// or s is long, it gives "".
func encoded(s string, path int, at *extents) string {
	if len(s) > shortHand || s[len(s)-1] <= ' ' { // the standard trims that
		return ""
	}
	from := stop(s, path, at)
	if at.dots >= 0 || !utf8.ValidString(s[from:]) {
		return ""
	}
	var room [shortHand + shortHand/4]byte // mostly enough
	out := append(room[:0], s[:from]...)
	steps := &pathSteps
	if at.pathEnd < from {
		steps = &querySteps
	}
	run := from
	for i := from; i < len(s); i++ {
		switch steps[s[i]] {
		case stepEncode:
			out = append(out, s[run:i]...)
			out = percent.AppendByte(out, s[i])
			run = i + 1
		case stepSlash:
			if _, dots := dotSegment(s[i+1:]); dots > 0 {
				return ""
			}
		case stepEnd:
			out = append(out, s[run:i]...)
			run = i
			if steps == &pathSteps {
				at.pathEnd = len(out)
			}
			if steps = &querySteps; s[i] == '#' {
				at.queryEnd = len(out)
				steps = &fragmentSteps
			}
		case stepOther:
			return ""
		}
	}
	out = append(out, s[run:]...)
	if steps == &pathSteps {
		at.pathEnd = len(out)
	}
	if steps != &fragmentSteps {
		at.queryEnd = len(out)
	}
	return string(out)
}

// The steps of encoded: what is to be done with a byte.
const (
	stepCopy = iota
	stepEncode
	stepSlash
	stepEnd   // a part ends
	stepOther // tabs and newlines go, and "\" is "/"
)

var (
	pathSteps     = stepsWith(&percent.Path, "?#", "/", "\t\n\r\\")
	querySteps    = stepsWith(&percent.SpecialQuery, "#", "", "\t\n\r")
	fragmentSteps = stepsWith(&percent.Fragment, "", "", "\t\n\r")
)

func stepsWith(set *percent.Set, ends, slash, other string) (t [256]uint8) {
	for i := range t {
		if set[i] {
			t[i] = stepEncode
		}
	}
	for step, bytes := range map[uint8]string{stepEnd: ends, stepSlash: slash, stepOther: other} {
		for _, c := range []byte(bytes) {
			t[c] = step
		}
	}
	return t
}

// withoutDots gives s, which is at most shortHand bytes long, without the dot segments
// of its path, which begins at s[path], and moves the ends in at to where they are
// then.
func withoutDots(s string, path int, at *extents) string {
	var room [shortHand]byte
	out := room[:0]
	run := 0
	for i := at.dots; i >= 0; i = dotsFrom(s, i, at.pathEnd) {
		out = append(out, s[run:i]...)
		// s[i] is "/", and a dot segment follows; maybe more of them do.
		for {
			length, dots := dotSegment(s[i+1 : at.pathEnd])
			if dots == 0 {
				break
			}
			if dots == 2 { // shorten
				last := len(out)
				for last > path {
					last--
					if out[last] == '/' {
						break
					}
				}
				out = out[:last]
			}
			i += 1 + length
			if i == at.pathEnd {
				// The empty string takes the place of the last dot segment.
				out = append(out, '/')
				break
			}
		}
		run = i
	}
	out = append(out, s[run:]...)
	gone := len(s) - len(out)
	at.pathEnd -= gone
	at.queryEnd -= gone
	return string(out)
}

// lowerRange gives s with the ASCII letters of s[from:to] in lower case.
func lowerRange(s string, from, to int) string {
	var out strings.Builder
	out.Grow(len(s))
	out.WriteString(s[:from])
	for i := from; i < to; i++ {
		out.WriteByte(lowerOf[s[i]])
	}
	out.WriteString(s[to:])
	return out.String()
}

// fastResolve reads ref, which is relative, into u, which must be the zero URL,
// or gives false and leaves u as it is. It takes references of which the path,
// behind leading "./" and "../", needs no change, to a base that is special,
// though no file URL.
func fastResolve(ref string, base *URL, u *URL) bool {
	if base.special == notSpecial || base.special == schemeFile || ref == "" {
		return false
	}
	end := int(base.path) // how much of base stays
	switch ref[0] {
	case '/':
		// "//" is an authority, and a first segment may be "..".
		if len(ref) == 1 || ref[1] == '/' || ref[1] == '.' || ref[1] == '%' {
			return false
		}
	case '?':
		end = int(base.pathEnd)
	case '#':
		end = int(base.queryEnd)
	default:
		end = lastSlash(base.href, int(base.pathEnd))
		for ref[0] == '.' {
			switch {
			case strings.HasPrefix(ref, "../"):
				ref = ref[3:]
				if end > int(base.path) {
					end = lastSlash(base.href, end)
				}
			case strings.HasPrefix(ref, "./"):
				ref = ref[2:]
			default:
				return false // a name that begins with a dot, or ends in one
			}
			if ref == "" {
				return false
			}
		}
		// The next segment stands behind the slash that stays.
		end++
		if c := ref[0]; c == '/' || c == '?' || c == '#' || c == '%' || strings.IndexByte(ref, ':') >= 0 && hasScheme(ref) {
			return false
		}
	}
	at, ok := scan(ref, 0)
	if !ok || at.dots >= 0 || uint64(end)+uint64(len(ref)) > MaxLen {
		return false
	}
	u.href = base.href[:end] + ref
	u.parts = base.parts
	if ref[0] != '#' {
		u.pathEnd = uint32(end + at.pathEnd)
	}
	u.queryEnd = uint32(end + at.queryEnd)
	return true
}

// lastSlash gives the place of the last "/" in s[:end]. There must be one.
func lastSlash(s string, end int) int {
	for ; end >= 8; end -= 8 {
		x := word(s[end-8 : end])
		if set := between(x&^high, '/', '/') &^ x & high; set != 0 {
			return end - 1 - bits.LeadingZeros64(set)/8
		}
	}
	return strings.LastIndexByte(s[:end], '/')
}

// hasScheme reports whether s begins with what may be a scheme and a colon.
func hasScheme(s string) bool {
	for i := range len(s) {
		if !isSchemeByte(s[i]) {
			return s[i] == ':'
		}
	}
	return false
}

// canonicalPort reads the port that begins at s[i] and gives 0 unless it is
// written as a serialised one is. It gives also where the digits end.
func canonicalPort(s string, i int) (port uint16, end int) {
	if i == len(s) || s[i] == '0' {
		return 0, i
	}
	end = i
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	port, ok := portNumber(s[i:end])
	if !ok {
		return 0, end
	}
	return port, end
}

// mayEndInNumber reports whether the host could be one that ends in a number:
// its last label consists of digits and letters up to "f" and "x", which a
// look at its last byte mostly settles.
func mayEndInNumber[S []byte | string](host S) bool {
	c := host[len(host)-1]
	return c <= 'f' || c == 'x'
}

// kindOfNumeric says whether a lower-case host, which may end in a number, is a
// domain or an IPv4 address as serialised. It gives HostNone for an address in
// any other form.
func kindOfNumeric(host string) HostKind {
	end := len(host)
	if host[end-1] == '.' {
		end--
	}
	first := end
	for first > 0 && host[first-1] != '.' {
		first--
	}
	if first == end || !isDigit(host[first]) {
		return HostDomain
	}
	// Four decimal numbers without leading zeros, up to 255 each.
	numbers := 0
	for i := 0; ; i++ {
		start, n := i, 0
		for i < len(host) && i < start+4 && isDigit(host[i]) {
			n = n*10 + int(host[i]-'0')
			i++
		}
		if i == start || n > 255 || host[start] == '0' && i > start+1 {
			return HostNone
		}
		numbers++
		if i == len(host) {
			break
		}
		if host[i] != '.' || numbers == 4 {
			return HostNone
		}
	}
	if numbers != 4 {
		return HostNone
	}
	return HostIPv4
}

// The classes of bytes: where a byte may stand as it is in a special URL.
const (
	inHost uint8 = 1 << iota
	inPath
	inQuery
	inFragment
)

// classOf says where each byte may stand.
var classOf = func() (t [256]uint8) {
	for i := range t {
		c := byte(i)
		if 'a' <= c && c <= 'z' || isDigit(c) || c == '-' || c == '.' || c == '_' {
			t[i] |= inHost
		}
		if !percent.Path[c] && c != '\\' {
			t[i] |= inPath
		}
		if !percent.SpecialQuery[c] {
			t[i] |= inQuery
		}
		if !percent.Fragment[c] {
			t[i] |= inFragment
		}
	}
	return t
}()

// scanWords is scan in Go, eight bytes at a time as long as they are those that
// hosts and paths mostly consist of. It reports whether s, from start on, is an
// authority, a path, a query and a fragment in which, but for dot segments, no
// byte needs to be changed. If s has less than eight bytes, it says no.
func scanWords(s string, start int) (at extents, ok bool) {
	if len(s) < 8 {
		return at, false
	}
	i := start
	for {
		var x uint64
		if len(s)-i >= 8 {
			x = word(s[i : i+8])
		} else {
			x = lastWord(s, i)
		}
		// A branch that is foreseen is quicker than to wait for where i is.
		other := ^hostWord(x) & high
		if other == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(other) / 8
		if i == len(s) || s[i] != '_' {
			break
		}
		i++ // "_" is in no hostWord, but in hosts
	}
	at.hostEnd = i
	// A dot segment begins with "/." or "/%", also with "/" the last byte of a word.
	var maybeDots, slash uint64
	for {
		var x uint64
		if len(s)-i >= 8 {
			x = word(s[i : i+8])
		} else {
			x = lastWord(s, i)
		}
		y := x &^ high
		before := slash
		slash = between(y, '/', '/') & high
		maybeDots |= (slash<<8 | before>>56) & between(y, '%', '.')
		other := ^pathWord(x) & high
		if other == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(other) / 8
		slash = 0
		if i == len(s) || classOf[s[i]]&inPath == 0 {
			break
		}
		i++ // a rare byte
	}
	at.dots = -1
	if maybeDots&high != 0 {
		at.dots = dotsFrom(s, at.hostEnd, i)
	}
	at.pathEnd = i
	if i < len(s) && s[i] == '?' {
		i++
		for {
			var x uint64
			if len(s)-i >= 8 {
				x = word(s[i : i+8])
			} else {
				x = lastWord(s, i)
			}
			other := ^queryWord(x) & high
			if other == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(other) / 8
			if i == len(s) || classOf[s[i]]&inQuery == 0 {
				break
			}
			i++ // a rare byte
		}
	}
	at.queryEnd = i
	if i < len(s) && s[i] == '#' {
		i++
		for i < len(s) && classOf[s[i]]&inFragment != 0 {
			i++
		}
	}
	return at, i == len(s)
}

// Eight bytes in a word, the first one lowest. A set of bytes of a word is the
// word of their highest bits; its other bits say nothing.
const (
	each = 0x0101010101010101
	high = 0x80 * each
)

// word gives eight bytes as a word.
func word(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// lastWord gives the bytes of s from i on, of which there are less than eight,
// with zeros behind them.
func lastWord(s string, i int) uint64 {
	return word(s[len(s)-8:]) >> (64 - 8*uint(len(s)-i))
}

// between gives the bytes of y that lie between lo and hi. No byte of y may be
// above 0x7F.
func between(y uint64, lo, hi uint64) uint64 {
	return (y + (0x80-lo)*each) &^ (y + (0x7f-hi)*each)
}

// hostWord gives the bytes of x that are in a-z, 0-9, "-" and ".".
func hostWord(x uint64) uint64 {
	y := x &^ high
	return (between(y, 'a', 'z') | between(y, '-', '.') | between(y, '0', '9')) &^ x
}

// pathWord gives the bytes of x that are in A-Z, a-z, "_" and "$" to ";", which
// are all of those between but "!", "=", "@", "[", "]", "|" and "~" that a path
// may hold.
func pathWord(x uint64) uint64 {
	y := x &^ high
	return (between(y|0x20*each, 'a', 'z') | between(y, '$', ';') | between(y, '_', '_')) &^ x
}

// queryWord is pathWord without "'", which is encoded in the query of a special URL.
func queryWord(x uint64) uint64 { return pathWord(x) &^ between(x&^high, '\'', '\'') }

// afterSlash gives the bytes of x that follow "/" and are in "%" to ".".
func afterSlash(x uint64) uint64 {
	y := x &^ high
	return between(y, '/', '/') & high << 8 & between(y, '%', '.')
}

// leading gives the number of bytes of a word that are in a set before the
// first one that is not.
func leading(set uint64) int { return bits.TrailingZeros64(^set&high) / 8 }

// dotsFrom gives the first "/" of s[i:end] that a dot segment follows, or -1. A
// path ends at s[end].
func dotsFrom(s string, i, end int) int {
	for ; end-i >= 8; i += 7 {
		for set := afterSlash(word(s[i:i+8])) & high; set != 0; set &= set - 1 {
			k := i + bits.TrailingZeros64(set)/8
			if s[k-1] == '/' {
				if _, dots := dotSegment(s[k:end]); dots > 0 {
					return k - 1
				}
			}
		}
	}
	for ; i < end; i++ {
		if s[i] == '/' {
			if _, dots := dotSegment(s[i+1 : end]); dots > 0 {
				return i
			}
		}
	}
	return -1
}

// dotSegment says of the path segment that s begins with how long it is, if it
// is a single-dot or a double-dot URL path segment, and how many dots it has; or
// else it gives no dots. It takes also "\" for the end of a segment.
func dotSegment(s string) (length, dots int) {
	for ; dots < 3; dots++ {
		rest := s[length:]
		switch {
		case rest != "" && rest[0] == '.':
			length++
		case len(rest) > 2 && rest[0] == '%' && rest[1] == '2' && rest[2]|0x20 == 'e':
			length += 3
		case rest == "" || rest[0] == '/' || rest[0] == '\\' || rest[0] == '?' || rest[0] == '#':
			return length, dots
		default:
			return 0, 0
		}
	}
	return 0, 0
}
