package audit

import (
	"strings"

	"anyurl"
	"anyurl/internal/iana"
	"anyurl/scheme"
	"anyurl/scheme/known"
)

// A named is a scheme as audit knows it: what reading and fetching ask of it.
type named struct {
	port uint16 // the scheme's own, 0 if it has none
	host bool   // there is a host to connect to
	traits
	read func(anyurl.URL) (scheme.Reading, error)
}

// Traits are what decides about warnings.
type traits uint8

const (
	fetched   traits = 1 << iota // a guarded fetch opens it: the web's schemes and the founding documents', not all that there is a transport for
	cleartext                    // it is not protected on the way
	command                      // parts of the URL become command lines
)

func (n named) is(t traits) bool { return n.traits&t != 0 }

// lookUp gives what audit knows of a scheme.
func lookUp(name string) named {
	switch name { // what nearly all URLs have
	case "https":
		return named{port: 443, host: true, traits: fetched}
	case "http":
		return named{port: 80, host: true, traits: fetched | cleartext}
	}
	n := named{traits: traitsOf(name)}
	if s, ok := known.Lookup(name); ok {
		n.port, n.host, n.read = s.Port, s.Authority, s.Read
	}
	return n
}

func traitsOf(name string) traits {
	switch name {
	case "ftp", "gopher", "telnet", "nntp", "news", "wais", "prospero", "z39.50r", "z39.50s", "finger":
		return fetched | cleartext | command
	case "ftps", "gophers", "snews", "gemini":
		return fetched | command
	case "mailto", "mid", "cid":
		return fetched
	case "rlogin", "tn3270", "imap", "pop", "smtp", "spartan", "dict", "irc", "git", "rsync", "redis", "memcached", "memcache":
		return cleartext | command
	case "imaps", "nntps", "pops", "smtps", "ircs":
		return command
	case "ws", "ldap", "tftp", "svn", "rtsp", "afs", "nfs":
		return cleartext
	}
	return 0
}

func isGopher(scheme string) bool { return scheme == "gopher" || scheme == "gophers" }

// isDangerous holds for schemes that run a script, carry their own content or
// read this machine's files.
func isDangerous(scheme string) bool {
	switch scheme {
	case "javascript", "vbscript", "livescript", "mocha", "jscript", "data", "file":
		return true
	}
	return false
}

// isWrapper holds for schemes whose path is another URL.
func isWrapper(scheme string) bool {
	switch scheme {
	case "view-source", "jar", "feed", "url", "uri", "wyciwyg", "filesystem", "pcast", "itpc", "zip", "mhtml":
		return true
	}
	return false
}

// hasSuffix reports whether name, in lower case, is domain or under it.
func hasSuffix(name, domain string) bool {
	return strings.HasSuffix(name, domain) &&
		(len(name) == len(domain) || name[len(name)-len(domain)-1] == '.')
}

// isLocalhost holds for names of this machine: RFC 6761, section 6.3, and what
// is customary in hosts files.
func isLocalhost(name string) bool {
	switch name {
	case "ip6-localhost", "ip6-loopback", "localhost4", "localhost6", "loopback",
		"localhost.localdomain", "localhost4.localdomain4", "localhost6.localdomain6", "ipv6-localhost", "ipv6-loopback":
		return true
	}
	return hasSuffix(name, "localhost")
}

// isMetadata holds for the names that clouds give to their metadata addresses.
func isMetadata(name string) bool {
	switch name {
	case "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.azure.com",
		"instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com", "metadata.platformequinix.com",
		"metadata.packet.net", "metadata.oraclecloud.com", "api.metadata.cloud.ibm.com", "rancher-metadata",
		"rancher-metadata.rancher.internal":
		return true
	}
	return strings.HasPrefix(name, "instance-data.") && hasSuffix(name, "compute.internal")
}

// isInternal holds for names under a domain that no public DNS answers for: RFC
// 6762 and its appendix G, RFC 8375, ICANN's "internal", Kubernetes' own, and
// names of one label, which a search list completes.
func isInternal(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return len(last) == len(name) || isInternalTop(last) || hasSuffix(name, "home.arpa")
}

func isInternalTop(label string) bool {
	switch label {
	case "local", "internal", "localdomain", "corp", "home", "lan", "svc", "intranet", "private",
		"localdomain4", "localdomain6":
		return true
	}
	return false
}

// isWildcard holds for names under a domain whose names resolve to the address
// that they spell, to 127.0.0.1, or first to one address and then to another.
func isWildcard(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch name[strings.LastIndexByte(name[:dot], '.')+1:] {
	case "nip.io", "sslip.io", "xip.io", "1u.ms", "rbndr.us", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com",
		"traefik.me", "backname.io", "local.gd", "localhost.direct", "lndo.site", "ddev.site", "ip6.name", "ipq.co",
		"rebind.network", "rebind.it", "fuf.me", "vip.tools", "loopback.it", "localho.st", "plex.direct", "xip.name", "smackaho.st",
		"ulh.us", "lcl.host", "localdev.me":
		return true
	case "org.uk":
		return hasSuffix(name, "127-0-0-1.org.uk")
	case "dod.network":
		return hasSuffix(name, "bugbounty.dod.network")
	case "burpcollaborator.net":
		return hasSuffix(name, "spoofed.burpcollaborator.net")
	}
	return false
}

// isTop reports whether a label may end a host name: a top-level domain, one
// set aside by RFC 2606 and RFC 6761, or one used inside networks.
func isTop(label string) bool {
	switch label {
	case "example", "test", "invalid", "localhost", "onion", "alt", "arpa":
		return true
	}
	return isInternalTop(label) || iana.TLD(label)
}
