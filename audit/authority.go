package audit

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"anyurl"
	"anyurl/internal/iana"
	"anyurl/ipclass"
)

// inspectAuthority reports on user name, password, host and port.
func (p *pass) inspectAuthority() {
	if !p.authority.ok && !p.host.ok {
		return
	}
	if p.userinfo.ok {
		p.inspectUserinfo()
	}
	if p.host.ok && !p.host.empty() {
		p.inspectHost()
	}
	if p.port.ok {
		p.inspectPort()
	}
	p.inspectHostEnd()
}

func (p *pass) inspectUserinfo() {
	p.add(userinfoPresent, p.userinfo.start, p.userinfo.end+1)
	if p.name == "http" || p.name == "https" {
		p.add(userinfoNotAllowed, p.userinfo.start, p.userinfo.end+1)
	}
	user := decode(p.text(p.user))
	name, ok := hostIn(user)
	if !ok && p.password.ok && strings.HasPrefix(user, "[") {
		name, ok = hostIn(decode(p.text(p.userinfo))) // the colons of an IPv6 address end the user name
	}
	if raw := p.in[p.userinfo.start:p.userinfo.end]; !ok {
		if at := strings.LastIndexByte(raw, '@'); at >= 0 {
			name, ok = hostIn(decode(raw[at+1:])) // other readers stop at another "@"
		}
	}
	if ok {
		p.say(userinfoLooksLikeHost, p.user.start, p.user.end,
			shown(name)+" is the user name; the host is "+shown(p.text(p.host)))
	}
	if e, ok := p.findEscape(p.user, isDelimiter); ok {
		p.add(encodedDelimiterInUserinfo, e.start, e.end)
	}
	if !p.password.empty() {
		p.add(passwordInURL, p.password.start, p.password.end)
	}
	if isToken(user) {
		p.add(secretInUserinfo, p.user.start, p.user.end)
	} else if p.password.ok && isToken(decode(p.text(p.password))) {
		p.add(secretInUserinfo, p.password.start, p.password.end)
	}
}

func isDelimiter(c byte) bool {
	switch c {
	case '/', '?', '#', '@', ':', '\\':
		return true
	}
	return false
}

// hostIn looks for a dot-separated name or an address in a user name.
func hostIn(user string) (host string, ok bool) {
	if strings.HasPrefix(user, "[") {
		if end := strings.IndexByte(user, ']'); end > 0 {
			if _, err := netip.ParseAddr(user[1:end]); err == nil {
				return user[:end+1], true
			}
		}
	}
	user = slashLookalikes.Replace(user)
	for start := 0; start < len(user); {
		end := start
		for end < len(user) && isHostByte(user[end]) {
			end++
		}
		if name := user[start:end]; looksLikeHost(name) {
			return name, true
		}
		start = end + 1
	}
	return "", false
}

// slashLookalikes writes what passes for a delimiter behind a host (UTS 39, the
// confusables of "/", "\", "?" and "#") as the delimiter.
var slashLookalikes = strings.NewReplacer("\u2044", "/", "\u2215", "/", "\u29f8", "/", "\u2571", "/", "\u27cb", "/", "\u3033", "/", "\uff0f", "/",
	"\u2216", `\`, "\u29f5", `\`, "\u29f9", `\`, "\ufe68", `\`, "\uff3c", `\`, "\uff1f", "?", "\ufe56", "?", "\uff03", "#", "\ufe5f", "#")

func isHostByte(c byte) bool {
	return isAlpha(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c >= utf8.RuneSelf
}

// looksLikeHost holds for names of two labels or more that end in a top-level
// domain, and for IPv4 addresses in dotted forms.
func looksLikeHost(name string) bool {
	name = strings.TrimSuffix(plainDots(name), ".")
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || dot == len(name)-1 {
		return false
	}
	last := strings.ToLower(name[dot+1:])
	if isTop(last) {
		return true
	}
	if !isDigit(last[0]) {
		return false
	}
	h, err := anyurl.ParseHost(name, true)
	return err == nil && h.Kind() == anyurl.HostIPv4
}

// plainDots writes the other label separators as "." (UTS 46, section 2.3).
func plainDots(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u3002', '\uff0e', '\uff61':
			return '.'
		}
		return r
	}, s)
}

// inspectHostEnd looks at a "?" or "#" that ends the authority with no path.
func (p *pass) inspectHostEnd() {
	if !p.path.empty() || p.host.empty() {
		return
	}
	t := p.query
	if !t.ok {
		t = p.fragment
	}
	if !t.ok {
		return
	}
	after := p.in[t.start:t.end]
	if !strings.Contains(after, "@") {
		s := strings.TrimLeft(after, ".")
		end := 0
		for end < len(s) && isHostByte(s[end]) {
			end++
		}
		if end < len(s) && !strings.ContainsRune("/:?#\\", rune(s[end])) || !looksLikeHost(s[:end]) {
			return
		}
	}
	p.add(delimiterRightAfterHost, t.start-1, t.start)
}

// inspectHost reports on the host as it is written, and on what it is read as.
func (p *pass) inspectHost() {
	at := p.host
	raw := p.text(at)
	host := p.url.Host()
	text := raw
	if p.seen&percentSign != 0 && strings.IndexByte(raw, '%') >= 0 {
		text = p.inspectEncodedHost(raw)
	}
	ascii := true
	if p.seen&high != 0 || text != raw {
		for i := range len(text) {
			ascii = ascii && text[i] < utf8.RuneSelf
		}
	}
	if !ascii || host.Kind() == anyurl.HostDomain || host.Kind() == anyurl.HostOpaque {
		p.inspectIDN(text)
	}

	// What is not special keeps its host as it is; a client would still look it
	// up, so it is judged as the name or the address that it means.
	if host.Kind() == anyurl.HostOpaque || p.fault != nil && p.url.IsZero() {
		if h, err := anyurl.ParseHost(text, true); err == nil {
			host = h
		}
	}
	switch host.Kind() {
	case anyurl.HostIPv4, anyurl.HostIPv6:
		addr, _ := host.Addr()
		if host.Kind() == anyurl.HostIPv4 && ascii && text != host.String() {
			p.say(ipNoncanonical, at.start, at.end, shown(text)+" is read as the IPv4 address "+host.String())
		}
		p.inspectAddr(addr)
	case anyurl.HostDomain:
		p.inspectName(host.String())
	default:
		if p.special {
			p.inspectShape(text)
		}
	}
	if r, n := utf8.DecodeLastRuneInString(text); plainDots(string(r)) == "." {
		p.add(trailingDotHost, max(at.start, at.end-n), at.end)
	}
}

// inspectEncodedHost reports on escapes in the host and gives it decoded.
func (p *pass) inspectEncodedHost(raw string) string {
	if e, ok := p.findEscape(p.host, func(byte) bool { return true }); ok {
		p.add(encodedHost, e.start, e.end)
	}
	if e, ok := p.findEscape(p.host, isForbiddenInHost); ok {
		p.add(encodedDelimiterInHost, e.start, e.end)
	}
	return decode(raw)
}

// isForbiddenInHost holds for the URL Standard's forbidden domain code points.
func isForbiddenInHost(c byte) bool {
	switch c {
	case '#', '/', ':', '<', '>', '?', '@', '[', '\\', ']', '^', '|', '%', 0x7f:
		return true
	}
	return c <= ' '
}

// inspectAddr reports on the network that an address belongs to.
func (p *pass) inspectAddr(addr netip.Addr) {
	set := ipclass.All(addr)
	if set == 0 {
		return
	}
	at := p.host
	v4, embedded := ipclass.Embedded(addr)
	for c, code := range addressCodes {
		if code == 0 || !set.Has(ipclass.Class(c)) {
			continue
		}
		f := p.add(code, at.start, at.end)
		if f == nil {
			continue
		}
		switch {
		case code == ipEmbeddedV4:
			f.Says = addr.String() + " carries the IPv4 address " + v4.String() + ", which decides where it leads"
		case code == ipMetadata:
			if name, ok := ipclass.Service(addr); ok {
				f.Says = addr.String() + " is " + name
			}
		default:
			of := addr
			if embedded && !own(addr, ipclass.Class(c)) {
				of = v4
			}
			f.Says = of.String() + ": " + f.Says
			if b, ok := ipclass.Lookup(of); ok && b.Class == ipclass.Class(c) {
				f.Says = of.String() + ": " + b.Name + " (" + b.Prefix.String() + ")"
				f.Cite = b.Cite
			}
		}
	}
}

// own reports whether a class comes from the address itself.
func own(addr netip.Addr, c ipclass.Class) bool {
	b, ok := ipclass.Lookup(addr)
	return ok && b.Class == c
}

var addressCodes = [...]code{
	ipclass.EmbeddedV4:  ipEmbeddedV4,
	ipclass.Reserved:    ipReserved,
	ipclass.Multicast:   ipMulticast,
	ipclass.Broadcast:   ipBroadcast,
	ipclass.CGNAT:       ipCGNAT,
	ipclass.Private:     ipPrivate,
	ipclass.LinkLocal:   ipLinkLocal,
	ipclass.Unspecified: ipUnspecified,
	ipclass.Loopback:    ipLoopback,
	ipclass.Metadata:    ipMetadata,
}

// inspectName reports on a domain in ASCII and lower case.
func (p *pass) inspectName(name string) {
	at := p.host
	p.inspectShape(name)
	bare := strings.TrimRight(name, ".")
	known := p.special || p.facts.host || p.facts.traits != 0
	if bare == "" || !known && bare != "localhost" && strings.IndexByte(bare, '.') < 0 {
		return // a host of its own kind, as in steam://settings
	}
	switch {
	case isLocalhost(bare):
		p.add(localhostName, at.start, at.end)
		if bare != "localhost" && isInternal(bare) {
			p.add(internalName, at.start, at.end)
		}
	case isMetadata(bare):
		p.add(metadataName, at.start, at.end)
		if isInternal(bare) {
			p.add(internalName, at.start, at.end)
		}
	case isInternal(bare):
		p.add(internalName, at.start, at.end)
	case isWildcard(bare):
		p.add(wildcardDNS, at.start, at.end)
	}
}

// inspectShape reports on what the DNS asks of a name.
func (p *pass) inspectShape(name string) {
	at := p.host
	label, ldh := 0, true
	long, empty := len(strings.TrimSuffix(name, ".")) > 253, false
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '.' {
			c := name[i]
			if !isAlpha(c) && !isDigit(c) && c < utf8.RuneSelf && (c != '-' || i == label || i+1 == len(name) || name[i+1] == '.') {
				ldh = false
			}
			continue
		}
		switch n := i - label; {
		case n > 63:
			long = true
		case n == 0 && (i < len(name) || i == 0):
			empty = true // a dot at the end alone is the root's
		}
		label = i + 1
	}
	if empty {
		p.add(emptyLabel, at.start, at.end)
	}
	if long {
		p.add(labelTooLong, at.start, at.end)
	}
	if !ldh && p.fault == nil {
		p.add(hostNotLDH, at.start, at.end)
	}
}

// inspectPort reports on an explicit port that is not the scheme's own.
func (p *pass) inspectPort() {
	at := p.port
	port, ok := portNumber(p.text(at))
	if !ok {
		return
	}
	if port == p.facts.port || p.facts.port == 0 {
		return
	}
	service, listens := iana.Service(port)
	switch p.name {
	case "http", "https", "ws", "wss":
		if iana.BadPort(port) {
			f := p.add(badPort, at.start, at.end)
			if listens && f != nil {
				f.Says = "browsers refuse this port for " + p.name + ": " + service.Name + " listens there"
			}
			return
		}
	default:
		if listens && port != 0 {
			p.say(portCrossesProtocol, at.start, at.end,
				"the port belongs to "+service.Name+", whose server would take what is sent for its own commands")
			return
		}
	}
	p.add(nondefaultPort, at.start, at.end)
}

func portNumber(s string) (port uint16, ok bool) {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		if n = n*10 + int(s[i]-'0'); n > 0xffff {
			return 0, false
		}
	}
	return uint16(n), s != ""
}
