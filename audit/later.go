package audit

import (
	"net/netip"
	"strings"

	"anyurl"
	"anyurl/rfc3986"
)

// At makes a finding that audit cannot make itself, since only who resolved,
// fetched or cut the URL out of a text can know: "no-address", "redirect-loop",
// "too-many-redirects", "redirect-no-location", "hyphen-at-break". It speaks of
// all of input. ok is false if there is no such code.
func At(codeName, input string) (f Finding, ok bool) {
	for i := range table {
		if table[i].Code == codeName {
			return newFinding(code(i), 0, len(input)), true
		}
	}
	return Finding{}, false
}

// ResolvesInternal reports that u's host has an address that is not public. It
// is for who asked a resolver, and may be called with any address of the
// answer: of a public one there is nothing to report.
func ResolvesInternal(u anyurl.URL, addr netip.Addr) (f Finding, ok bool) {
	p := pass{in: u.String(), url: u}
	p.split()
	p.inspectAddr(addr.Unmap())
	if len(p.found) == 0 {
		return Finding{}, false
	}
	f = newFinding(resolvesInternal, p.host.start, p.host.end)
	f.Says = "the name resolves to " + p.found[len(p.found)-1].Says
	return f, true
}

// Redirect reports on one step from a URL to where the server sent its
// visitors: location as the server wrote it, and what it resolves to. Findings
// about the target itself come from [InspectURL]. Offsets are into location.
func Redirect(from, to anyurl.URL, location string) []Finding {
	p := pass{in: location}
	switch {
	case to.IsZero():
	case isDangerous(to.Scheme()) || isWrapper(to.Scheme()) || !redirectable(from.Scheme(), to.Scheme()):
		p.say(redirectToScheme, 0, len(location), "the server sends its visitors to a "+to.Scheme()+" URL")
	case internal(to):
		p.say(redirectToInternal, 0, len(location), "the server sends its visitors to "+shown(to.Host().String())+", which is not public")
	}
	if (from.Scheme() == "https" || from.Scheme() == "wss") && (to.Scheme() == "http" || to.Scheme() == "ws") {
		p.add(redirectDowngrade, 0, len(location))
	}
	if _, err := rfc3986.ParseReference(location); err != nil {
		p.add(redirectOddLocation, 0, len(location))
	}
	return p.found
}

// redirectable holds where the Fetch Standard lets a redirect lead: from http
// to http, with TLS or without.
func redirectable(from, to string) bool {
	isHTTP := func(scheme string) bool { return scheme == "http" || scheme == "https" }
	return from == to || isHTTP(from) && isHTTP(to)
}

// internal reports whether a URL's host is not public by what it is called.
func internal(u anyurl.URL) bool {
	for _, f := range InspectURL(u) {
		if f.Blocks && (strings.HasPrefix(f.Code, "ip-") || strings.HasSuffix(f.Code, "-name")) {
			return true
		}
	}
	return false
}
