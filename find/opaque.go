package find

import "strings"

// opaque looks at a ":" that "//" does not follow: of mailto:, news:, urn: and
// their like, whose names are words of prose and code too, so that each must
// be followed by what its scheme demands.
func (e *engine) opaque(p int) (bool, int) {
	if s := e.s; p < 3 || !is(s[p-1], alpha) && !digitName(s[:p]) || !is(s[p-2], schemeC) || !is(s[p-3], schemeC) {
		return false, p + 1 // no name, or a short one
	}
	return e.named(p)
}

// besideName marks the bytes before a name that make it a part of something else,
// most times, or end a control sequence's numbers.
var besideName = func() (t [256]bool) {
	for c := range 0x80 {
		t[c] = is(byte(c), word|schemeC)
	}
	for _, c := range []byte("@#$/\\:[;") {
		t[c] = true
	}
	return t
}()

// nameBehind gives where the name s[start:p] begins, which stands behind such a
// byte. It reports false where it is a part of something else.
func nameBehind(s string, start, p int) (int, bool) {
	if begin := uncoloured(s, start, p); begin > start {
		return begin, true
	}
	switch s[start-1] {
	case '[', ';':
		return start, true
	case ':':
		if start >= 4 && equalFold(s[start-4:start], "url:") {
			return start, true
		}
	}
	// "Contact:mailto:", "_mailto:": no program has such a name.
	letter := equalFold(s[start:p], "mailto") && strings.IndexByte(":_#/", s[start-1]) >= 0
	return start, letter || behindLabel(s, start, p)
}

// digitName reports whether s ends in one of the two names that end in a digit.
func digitName(s string) bool {
	switch s[len(s)-2:] {
	case "11":
		return strings.HasSuffix(s, "pkcs11")
	case "23":
		return strings.HasSuffix(s, "h323")
	}
	return false
}

// named is opaque for a ":" with a name before it.
func (e *engine) named(p int) (bool, int) {
	s := e.s
	low := max(e.floor, p-maxName)
	start := p
	for start > low && is(s[start-1], schemeC) {
		start--
	}
	if start > 0 && besideName[s[start-1]] {
		var ok bool
		if start, ok = nameBehind(s, start, p); !ok {
			return false, p + 1
		}
	}
	for start < p && !is(s[start], alpha) {
		start++
	}
	if p-start < 3 {
		return false, p + 1
	}
	want := wanted(s[start:p])
	if !want {
		// Only angle brackets could say that it is a scheme.
		if c := s[p+1]; !is(c, alpha|digit) && c != '/' {
			return false, p + 1
		}
		if start == 0 || s[start-1] != '<' && s[start-1] != ':' && !is(s[start-1], blank) {
			return false, p + 1
		}
		if angle, _ := e.opened(start); angle < 0 {
			return false, p + 1
		}
	}
	var buf [maxName]byte
	name := buf[:p-start]
	for i := range name {
		name[i] = lower(s[start+i])
	}
	body := s[p+1 : min(len(s), p+1+bodyLen)]
	body = body[:run(body)]
	if body == "" {
		return false, p + 1
	}
	if !want || !meant(string(name), body) || fieldLabel(s[start:p], body) {
		// Inside <URL:...> any scheme is meant; inside <...> a registered one is.
		if string(name) == "url" || !is(body[0], alpha|digit) && body[0] != '/' {
			return false, p + 1
		}
		angle, mark := e.opened(start)
		if angle < 0 || !mark && !registered(s[start:p]) {
			return false, p + 1
		}
		if end, ok := e.bracketed(start, p, mark); ok {
			return true, end
		}
		return false, p + 1
	}
	if composite(string(name)) {
		// The inner URL's authority is the outer one's.
		inner := p
		for range 3 {
			k := inner + 1
			for k < len(s) && k-inner <= maxScheme && is(s[k], schemeC) {
				k++
			}
			e.see(k)
			if k == len(s) || s[k] != ':' || k == inner+1 {
				break
			}
			inner = k
			if strings.HasPrefix(s[inner+1:], "//") {
				ok, next := e.reference(start, inner)
				return ok, max(next, p+1)
			}
		}
		if string(name) != "jdbc" && string(name) != "jar" {
			return false, p + 1
		}
	}
	ok, next := e.reference(start, p)
	if ok && e.found.end <= p+1 {
		if body[0] == '*' && (start == 0 || s[start-1] != '*') { // news:*, and no emphasis
			e.found.end = p + 2
			return true, p + 2
		}
		return false, p + 1
	}
	return ok, next
}

// behindLabel reports whether the name s[start:p] is one that "see:", "link:" and
// their like may stand before, or emphasis: nothing else begins so.
func behindLabel(s string, start, p int) bool {
	switch toLower(s[start:p]) {
	case "magnet", "news", "tel", "sip", "sips", "data":
	default:
		return false
	}
	switch s[start-1] {
	case '_':
		return start < 2 || !is(s[start-2], word)
	case ':':
		return start > 2 && is(s[start-2], alpha) && is(s[start-3], alpha)
	}
	return false
}

// maxName bounds the name of a scheme that "//" does not follow.
const maxName = 40

// bodyLen is how much behind a colon tells whether the scheme is meant.
const bodyLen = lookAhead - 16

// composite reports whether a scheme's body is itself a URL.
func composite(name string) bool {
	switch name {
	case "view-source", "jdbc", "feed", "blob", "filesystem", "scm", "jar":
		return true
	}
	return false
}

// wanted reports whether meant may know the name: by its first letter and its
// length, which most words do not pass.
func wanted(name string) bool {
	return wantedLens[name[0]|0x20]>>min(len(name), 15)&1 != 0 || name[0]|0x20 == 'x' && name[1] == '-'
}

var wantedLens = func() (t [256]uint16) {
	for _, name := range [...]string{
		"mailto", "news", "snews", "mid", "cid", "urn", "tel", "sms", "callto", "fax", "sip", "sips", "pres", "acct", "xmpp", "data", "magnet", "geo",
		"bitcoin", "litecoin", "dogecoin", "ethereum", "monero", "lightning", "file", "about", "doi", "info", "tag", "did", "ark", "spotify", "skype", "matrix",
		"dns", "stun", "stuns", "turn", "turns", "im", "h323", "iax", "opaquelocktoken", "pkcs11", "nih", "thismessage", "mailserver", "javascript",
		"jdbc", "view-source", "feed", "blob", "filesystem", "scm", "jar",
	} {
		t[name[0]] |= 1 << len(name)
	}
	return t
}()

// meant reports whether body may follow the scheme name, which is in lower
// case, and a colon. body is not empty, is cut at bodyLen bytes,
// and holds no white space.
func meant(name, body string) bool {
	if len(name) > 2 && name[0] == 'x' && name[1] == '-' {
		return is(body[0], alpha|digit) || body[0] == '/'
	}
	switch name {
	case "mailto":
		// to = addr-spec *("," addr-spec ), or hfields alone: RFC 6068, 2
		at := strings.IndexByte(body, '@')
		return at > 0 && at+1 < len(body) && is(body[at+1], word) || body[0] == '?' && strings.Contains(body, "=") ||
			at < 0 && len(body) == bodyLen
	case "javascript":
		// A call, as it stands in links: "javascript:alert(1)", "javascript:void(0)".
		n := 0
		for n < len(body) && (is(body[n], alpha|digit) || body[n] == '_' || body[n] == '$' || body[n] == '.') {
			n++
		}
		return n > 0 && n < len(body) && body[n] == '(' && !is(body[0], digit)
	case "mailserver":
		return strings.IndexByte(body, '@') > 0
	case "news", "snews":
		if body[0] == '*' { // all groups: RFC 1738, 3.6
			return len(body) == 1 || strings.IndexByte(")].,;'", body[1]) >= 0
		}
		// a message-id, or a group, whose name has parts: RFC 5538
		return is(body[0], word) && strings.ContainsAny(body, "@.") && !strings.Contains(body, "..") && strings.IndexByte(".,", body[1%len(body)]) < 0
	case "mid", "cid":
		at := strings.IndexByte(body, '@') // RFC 2392: addr-spec
		// Mail programs write a file's name too: "cid:image001.png".
		return at > 0 || at < 0 && (len(body) == bodyLen || name == "cid" && is(body[0], alpha) && strings.IndexByte(body[1:], '.') > 0 && is(body[len(body)-1], word))
	case "urn":
		// NID ":" NSS, NID of 2 to 32 letters, digits and hyphens: RFC 8141, 2
		n := 0
		for n < len(body) && (is(body[n], alpha|digit) || body[n] == '-') {
			n++
		}
		return n >= 2 && n <= 32 && n+1 < len(body) && body[n] == ':' && is(body[n+1], word|userC) && is(body[0], alpha|digit)
	case "tel", "sms", "callto", "fax":
		return digits(body) >= 3 // RFC 3966: "+" and digits with visual separators
	case "sip", "sips", "pres", "acct", "im", "h323":
		at := strings.IndexByte(body, '@')
		if at < 0 && (name == "sip" || name == "sips" || name == "h323") {
			return hostly(body) // RFC 3261, 19.1.1: userinfo is optional
		}
		return at > 0 && at+1 < len(body) && (is(body[at+1], word|userC) || body[at+1] == '[') && body[at+1] != '@'
	case "stun", "stuns", "turn", "turns", "iax":
		return hostly(body) // RFC 7064, RFC 7065, RFC 5456
	case "dns":
		return hostly(body) || body[0] == '/' && strings.HasPrefix(body, "//") // RFC 4501
	case "opaquelocktoken":
		return len(body) >= 36 && isHex(body[0]) && body[8] == '-' // RFC 4918, appendix C: a UUID
	case "pkcs11":
		return is(body[0], alpha) && strings.IndexByte(body, '=') > 0 // RFC 7512
	case "nih":
		return strings.IndexByte(body, ';') > 0 && is(body[0], alpha|digit) // RFC 6920, section 7
	case "thismessage":
		return body[0] == '/' // RFC 2557
	case "xmpp":
		at := strings.IndexByte(body, '@')
		return at > 0
	case "data":
		// [ mediatype ] [ ";base64" ] "," data: RFC 2397
		n := 0
		for n < len(body) && (is(body[n], alpha|digit) || strings.IndexByte("/+-.;=_\"%", body[n]) >= 0) {
			n++
		}
		if n == 0 {
			return body[0] == ',' && len(body) > 1 && tailClass[body[1]] == plain
		}
		return (body[0] == ';' || strings.IndexByte(body[:n], '/') > 0) && (n < len(body) && body[n] == ',' || n == bodyLen)
	case "magnet":
		return body[0] == '?' && strings.Contains(body, "=")
	case "geo":
		// coord-a "," coord-b: RFC 5870
		k := number(body, 0)
		return k > 0 && k < len(body) && body[k] == ',' && number(body, k+1) > k+1
	case "bitcoin", "litecoin", "dogecoin", "ethereum", "monero", "lightning":
		n := 0
		for n < len(body) && is(body[n], alpha|digit) {
			n++
		}
		return n >= 6
	case "file":
		return body == "/" || body[0] == '/' && len(body) > 1 && is(body[1], word|userC) && body[1] != ':'
	case "about":
		for _, page := range [...]string{"blank", "srcdoc", "config", "newtab", "support"} {
			if rest, ok := strings.CutPrefix(body, page); ok {
				r, size := runeAt(rest, 0)
				return rest == "" || !is(rest[0], word) || rest[0] >= 0x80 && !inTail(r, size)
			}
		}
	case "doi":
		return strings.HasPrefix(body, "10.") && strings.IndexByte(body, '/') > 0
	case "info":
		for _, ns := range [...]string{"ark/", "arxiv/", "bibcode/", "ddc/", "doi/", "eu-repo/", "fedora/", "hdl/", "lc/", "lccn/", "oclcnum/", "pmid/", "sid/", "srw/", "ofi/"} {
			if strings.HasPrefix(body, ns) {
				return true
			}
		}
	case "tag":
		// taggingEntity = authorityName "," date: RFC 4151
		n := strings.IndexByte(body, ',')
		return n > 2 && strings.IndexByte(body[:n], '.') > 0 && n+4 < len(body) && digits(body[n+1:n+5]) == 4
	case "did":
		n := 0
		for n < len(body) && ('a' <= body[n] && body[n] <= 'z' || is(body[n], digit)) {
			n++
		}
		return n > 1 && n+1 < len(body) && body[n] == ':' && is(body[n+1], word)
	case "ark":
		return digits(strings.TrimPrefix(body, "/")) >= 5
	case "spotify":
		for _, kind := range [...]string{"track:", "album:", "artist:", "playlist:", "user:", "episode:", "show:"} {
			if strings.HasPrefix(body, kind) {
				return true
			}
		}
	case "skype":
		return len(body) >= 6 && is(body[0], alpha)
	case "matrix":
		return strings.HasPrefix(body, "u/") || strings.HasPrefix(body, "r/") || strings.HasPrefix(body, "roomid/")
	case "jdbc":
		n := 0
		for n < len(body) && is(body[n], schemeC) {
			n++
		}
		return n > 1 && n+1 < len(body) && body[n] == ':'
	case "view-source", "feed", "blob", "filesystem", "scm", "jar":
		return is(body[0], alpha)
	}
	return false
}

// fieldLabel reports whether a name before a colon is rather the label of what follows,
// though its scheme's URLs begin so: fields of mail and HTTP ("X-Frame-Options:DENY"),
// of certificates ("DNS:www.example.com") and of letterheads ("Fax:(415)").
func fieldLabel(name, body string) bool {
	if lower(name[0]) == name[0] {
		return false
	}
	switch toLower(name) {
	case "dns", "geo":
		return true
	case "fax", "sms":
		return body[0] != '+'
	}
	return name[1] == '-'
}

// hostly reports whether body begins with what only a host looks like: labels
// with a dot between them, or an address in brackets.
func hostly(body string) bool {
	if body[0] == '[' {
		return strings.Count(body, ":") > 1
	}
	n := 0
	for n < len(body) && (is(body[n], hostC) || body[n] == '.') {
		n++
	}
	dot := strings.IndexByte(body[:n], '.')
	return dot > 0 && dot+1 < n && is(body[dot+1], word) && is(body[0], word)
}

// run is the length of what stands before white space, a quote or an angle
// bracket.
func run(s string) int {
	for i := range len(s) {
		if tailClass[s[i]] == stop || tailClass[s[i]] == escape {
			return i
		}
	}
	return len(s)
}

// digits counts the digits at the beginning of s, over "+" and visual
// separators.
func digits(s string) (n int) {
	for i := range len(s) {
		switch {
		case is(s[i], digit):
			n++
		case i == 0 && s[i] == '+' || i > 0 && (s[i] == '-' || s[i] == '.') || s[i] == '(' || s[i] == ')':
		default:
			return n
		}
	}
	return n
}

// number gives the end of [ "-" ] 1*DIGIT [ "." 1*DIGIT ] at s[i], or i.
func number(s string, i int) int {
	k := i
	if k < len(s) && s[k] == '-' {
		k++
	}
	from := k
	for k < len(s) && (is(s[k], digit) || s[k] == '.' && k > from && k+1 < len(s) && is(s[k+1], digit)) {
		k++
	}
	if k == from {
		return i
	}
	return k
}
