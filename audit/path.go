package audit

import (
	"strings"
	"unicode/utf8"
)

// inspectPath reports on the path, and on what else a scheme makes of it.
func (p *pass) inspectPath() {
	if p.path.ok && !p.opaque {
		p.inspectSegments()
	}
	switch {
	case p.name == "ftp" || p.name == "ftps":
		p.inspectFTP()
	case p.name == "file":
		p.inspectFile()
	case p.name == "mailto":
		p.inspectMailto()
	}
	if p.facts.is(command) && p.seen&percentSign != 0 {
		p.inspectCommand()
	}
}

// inspectSegments reports on "." and ".." in all their disguises.
func (p *pass) inspectSegments() {
	s := p.in[p.path.start:p.path.end]
	if p.seen&(percentSign|high|tabOrNewline) == 0 && !strings.HasPrefix(s, ".") &&
		!strings.Contains(s, "/.") && (p.seen&backslashes == 0 || !strings.Contains(s, `\.`)) {
		return
	}
	depth := 0
	if p.ref && !p.authority.ok && s != "" && s[0] != '/' && (!p.special || s[0] != '\\') {
		depth = max(strings.Count(p.base.Path(), "/")-1, 0)
	}
	start := p.path.start
	if s != "" && (s[0] == '/' || p.special && s[0] == '\\') {
		start++
	}
	for i := start; i <= p.path.end; i++ {
		if i < p.path.end && p.in[i] != '/' && (!p.special || p.in[i] != '\\') {
			continue
		}
		depth = p.inspectSegment(part{start, i, true}, depth)
		start = i + 1
	}
}

// inspectSegment reports on one segment and gives the depth behind it.
func (p *pass) inspectSegment(at part, depth int) int {
	s := p.in[at.start:at.end]
	plain := true
	for i := range len(s) {
		if c := s[i]; c == '.' || c == '%' || c >= utf8.RuneSelf || c == '\\' || c == '\t' || c == '\n' || c == '\r' {
			plain = false
			break
		}
	}
	if plain {
		return depth + 1
	}
	s = p.text(at)
	dots := s
	if strings.IndexByte(s, '%') >= 0 && len(s) <= len("%2e%2e") {
		dots = encodedDots.Replace(s)
	}
	switch dots {
	case ".", "..":
		if dots != s {
			p.add(encodedDotSegments, at.start, at.end)
		} else {
			p.add(dotSegments, at.start, at.end)
		}
		if dots == "." {
			return depth
		}
		if depth == 0 {
			p.add(dotSegmentsAboveRoot, at.start, at.end)
			return 0
		}
		return depth - 1
	}
	if strings.IndexByte(s, '%') >= 0 {
		if once := decode(s); once != s && climbs(once, strings.ContainsAny(once, `/\`)) {
			p.add(encodedSlashTraversal, at.start, at.end)
			if strings.Contains(s, "%2e") || strings.Contains(s, "%2E") {
				p.add(encodedDotSegments, at.start, at.end)
			}
			return depth + 1
		}
	}
	if isLookalike(s) {
		p.add(dotSegmentLookalike, at.start, at.end)
	}
	return depth + 1
}

var encodedDots = strings.NewReplacer("%2e", ".", "%2E", ".")

// climbs reports whether one of the parts between slashes is "..".
func climbs(s string, divided bool) bool {
	if !divided {
		return false
	}
	for s != "" {
		i := strings.IndexAny(s, `/\`)
		if i < 0 {
			i = len(s)
		}
		if s[:i] == ".." {
			return true
		}
		s = s[min(i+1, len(s)):]
	}
	return false
}

// lookalikes are other writings of a dot: full width, one and two dot leaders,
// overlong UTF-8 and the form that some servers invented.
var lookalikes = strings.NewReplacer(
	"\uff0e", ".", "\u2024", ".", "\ufe52", ".", "\u2025", "..",
	"\xc0\xae", ".", "\xe0\x80\xae", ".", "\xc0\xaf", "/", "\xe0\x80\xaf", "/", "\u2215", "/", "\u2044", "/", "\uff0f", "/", "\uff3c", "/",
	"%u002e", ".", "%u002E", ".", "%u002f", "/", "%u002F", "/", "%uff0e", ".", "%uFF0E", ".",
)

// isLookalike reports whether some server reads a segment as "..": one that
// cuts parameters off at ";" or a string at NUL, one that trims, that decodes
// twice, or that takes other characters for a dot.
func isLookalike(s string) bool {
	if strings.IndexByte(s, '.') < 0 && strings.IndexByte(s, '%') < 0 && isASCII(s) {
		return false
	}
	s = lookalikes.Replace(decode(decode(s)))
	for s != "" {
		i := strings.IndexAny(s, `/\`)
		if i < 0 {
			i = len(s)
		}
		step := s[:i]
		if cut := strings.IndexAny(step, ";\x00"); cut >= 0 {
			step = step[:cut]
		}
		if strings.Trim(step, " \t\r\n\v\f\u00a0") == ".." {
			return true
		}
		s = s[min(i+1, len(s)):]
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// inspectFTP: RFC 1738, sections 3.2.2 and 3.2.3.
func (p *pass) inspectFTP() {
	s := p.text(p.path)
	if len(s) >= 4 && strings.EqualFold(s[:4], "/%2f") {
		p.add(ftpAbsolutePath, p.path.start, min(p.path.start+4, p.path.end))
	}
	if s != "" && s[len(s)-1] != '/' && !strings.Contains(strings.ToLower(s), ";type=") {
		p.add(ftpTypeGuessed, p.path.end, p.path.end)
	}
}

// inspectFile: RFC 8089.
func (p *pass) inspectFile() {
	s := p.text(p.path)
	if p.host.ok && !p.host.empty() && !strings.EqualFold(p.text(p.host), "localhost") {
		p.add(fileRemoteHost, p.host.start, p.host.end)
	}
	rest := strings.TrimLeft(s, `/\`)
	if len(rest) >= 2 && isDrive(rest[:2]) && (len(rest) == 2 || rest[2] == '/' || rest[2] == '\\') {
		start := max(p.path.end-len(rest), p.path.start)
		p.add(windowsDrive, start, min(start+2, p.path.end))
	} else if len(s)-len(rest) >= 2 && rest != "" {
		p.say(fileRemoteHost, p.path.start, p.path.end,
			"a path that starts with two slashes names another machine on Windows: opening it may log in there")
	}
}

// inspectMailto: RFC 6068, sections 4 and 7.
func (p *pass) inspectMailto() {
	if e, ok := p.findEscape(p.path, endsLine); ok {
		p.injects(e)
	}
	if !p.query.ok {
		return
	}
	for start := p.query.start; start <= p.query.end; {
		end := start
		for end < p.query.end && p.in[end] != '&' {
			end++
		}
		field := part{start, end, true}
		name, _, _ := strings.Cut(p.text(field), "=")
		name = strings.ToLower(decode(name))
		if name != "subject" && name != "body" && name != "" {
			p.add(mailtoHeader, start, end)
		}
		if name != "body" {
			if e, ok := p.findEscape(field, endsLine); ok {
				p.injects(e)
			}
		}
		start = end + 1
	}
}

// injects reports on a line end in a mail's header. Nothing is sent by reading
// the URL, so it does not block.
func (p *pass) injects(e escape) {
	p.say(mailtoHeader, e.start, e.end, "decoded, the line end starts a header field of the message")
	if f := p.add(protocolSmuggling, e.start, e.end); f != nil {
		f.Blocks = false
	}
}

func endsLine(c byte) bool { return c == '\r' || c == '\n' || c == 0 }

// endsCommand holds for the octets that end a command or, IAC (RFC 854), start
// one within the line.
func endsCommand(c byte) bool { return endsLine(c) || c == 0xff }

// inspectCommand looks at the parts that become command lines.
func (p *pass) inspectCommand() {
	for _, t := range [...]part{p.userinfo, p.host, p.path, p.query} {
		if e, ok := p.findEscape(t, endsCommand); ok {
			p.add(protocolSmuggling, e.start, e.end)
		}
	}
	if isGopher(p.name) {
		for _, t := range [...]part{p.path, p.query} {
			if e, ok := p.findEscape(t, endsLine); ok {
				p.add(gopherPayload, e.start, e.end)
			}
		}
	}
}
