package audit

import (
	"errors"
	"strings"

	"anyurl/rule"
)

// inspectScheme reports on the scheme and the slashes behind it.
func (p *pass) inspectScheme() {
	if !p.scheme.ok {
		if !p.ref {
			p.noScheme()
		}
		return
	}
	at, name := p.scheme, p.name
	switch {
	case isDangerous(name):
		p.add(schemeDangerous, at.start, at.end)
	case isWrapper(name):
		p.add(schemeWrapper, at.start, at.end)
	case !p.facts.is(fetched):
		if len(name) == 1 {
			p.say(windowsDrive, at.start, at.end+1, "a Windows path: the drive letter is read as a scheme")
		} else if p.opaque && looksLikePort(p.in[p.path.start:p.path.end]) {
			p.say(missingScheme, at.start, at.start, "the host is read as the scheme, since none stands in front")
		}
		p.add(schemeUnexpected, at.start, at.end)
	}
	if p.facts.is(cleartext) {
		p.add(schemeCleartext, at.start, at.end)
	}
	if name == "nntp" {
		p.add(nntpPlace, at.start, at.end)
	}
	p.inspectSlashes()
	if p.opaque {
		p.inspectOpaque(name)
	}
}

// looksLikePort reports whether a path begins with digits that end in time for
// a port: "localhost:8080/x" has the scheme "localhost".
func looksLikePort(path string) bool {
	i := 0
	for i < len(path) && isDigit(path[i]) {
		i++
	}
	return i > 0 && i <= 5 && (i == len(path) || path[i] == '/')
}

func (p *pass) noScheme() {
	start := p.lo
	if colon := strings.IndexByte(p.in[p.lo:p.hi], ':'); colon >= 0 && !strings.ContainsAny(p.in[p.lo:p.lo+colon], "/?#") {
		p.say(missingScheme, start, start+colon, "what stands before the first colon is no scheme: a scheme is a letter, then letters, digits, \"+\", \"-\" and \".\"")
		return
	}
	p.add(missingScheme, start, start)
}

// inspectSlashes counts what stands between the scheme and the host.
func (p *pass) inspectSlashes() {
	at := p.scheme.end + 1
	switch {
	case p.name == "file":
		// "///" is the empty host and a path; one slash more is the path's.
		if rest := strings.TrimLeft(p.in[p.slashes.end:p.hi], `/\`); p.slashCount == 2 && p.hi-len(rest)-p.slashes.end >= 2 {
			p.add(extraSlashes, p.slashes.start, p.hi-len(rest))
		}
	case p.special && p.slashCount < 2:
		p.add(missingSlashes, at, max(at, p.slashes.end))
	case p.special && p.slashCount > 2:
		p.add(extraSlashes, p.slashes.start, p.slashes.end)
	case !p.special && p.facts.host && !p.authority.ok:
		// A path and no host: there is nowhere to connect to.
		if f := p.add(missingSlashes, at, max(at, p.slashes.end)); f != nil {
			f.Blocks = true
		}
	}
	if p.special && p.name != "file" {
		if p.host.ok && p.host.empty() && p.fault != nil {
			p.add(emptyHost, p.host.start, p.host.end)
		}
		return
	}
	if p.facts.host && p.authority.ok && p.host.empty() && !mayHaveNoHost(p.name) {
		p.add(emptyHost, p.host.start, p.host.end)
	}
}

// mayHaveNoHost holds where "///" means this machine, or whichever server one
// has: RFC 8089, section 2; RFC 4516, section 2.
func mayHaveNoHost(scheme string) bool {
	return scheme == "file" || scheme == "ldap" || scheme == "ldaps"
}

// inspectOpaque looks for another URL in a path that is not divided further.
func (p *pass) inspectOpaque(name string) {
	s := p.in[p.path.start:p.path.end]
	// scheme ":" "//" anywhere
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			break
		}
		i += at
		start := i
		for start > at && isSchemeByte(s[start-1]) {
			start--
		}
		for start < i && !isAlpha(s[start]) {
			start++
		}
		if start < i {
			p.add(nestedURL, p.path.start+start, p.path.end)
			return
		}
		at = i + len("://")
	}
	// a scheme that wants no slashes, at the start of a wrapper's path
	if i := strings.IndexByte(s, ':'); i > 0 && (isWrapper(name) || name == "blob" || name == "jdbc") {
		inner := strings.ToLower(s[:i])
		if isSchemeText(inner) && (lookUp(inner).host || isDangerous(inner) || isWrapper(inner)) {
			p.add(nestedURL, p.path.start, p.path.end)
		}
	}
}

func isSchemeByte(c byte) bool {
	return isAlpha(c) || isDigit(c) || c == '+' || c == '-' || c == '.'
}

func isSchemeText(s string) bool {
	if s == "" || !isAlpha(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isSchemeByte(s[i]) {
			return false
		}
	}
	return true
}

// inspectReading asks the scheme's own rules, which may forbid what the generic
// syntax takes.
func (p *pass) inspectReading() {
	_, err := p.facts.read(p.url)
	e, ok := errors.AsType[*rule.Error](err)
	if !ok {
		return
	}
	start, end := p.lo, p.hi
	if p.in == p.url.String() { // offsets are into the serialisation
		start = min(max(e.Offset, 0), len(p.in))
		end = min(start+1, len(p.in))
	}
	if f := p.add(schemeForbids, start, end); f != nil {
		f.Says, f.Cite = e.Rule.Says, e.Rule.Cite
		if e.Rule.Fix != "" {
			f.Fix = e.Rule.Fix
		}
	}
}
