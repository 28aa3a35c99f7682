package audit

import (
	"strings"

	"anyurl/internal/iana"
)

// A named is a scheme as audit knows it: what reading and fetching ask of it.
type named struct {
	port      uint16 // the scheme's own, 0 if it has none
	fetched   bool   // the product fetches it
	host      bool   // there is a host to connect to
	cleartext bool
	command   bool // parts of the URL become command lines
}

// known gives what audit knows of a scheme; RFC 1738, section 5, and what
// followed.
func known(scheme string) named {
	switch scheme {
	case "http":
		return named{80, true, true, true, false}
	case "https":
		return named{443, true, true, false, false}
	case "ftp":
		return named{21, true, true, true, true}
	case "ftps":
		return named{990, true, true, false, true}
	case "gopher":
		return named{70, true, true, true, true}
	case "gophers":
		return named{70, true, true, false, true}
	case "telnet":
		return named{23, true, true, true, true}
	case "nntp":
		return named{119, true, true, true, true}
	case "nntps":
		return named{563, true, true, false, true}
	case "news":
		return named{119, true, false, true, true}
	case "snews":
		return named{563, true, false, false, true}
	case "wais":
		return named{210, true, true, true, true}
	case "prospero":
		return named{1525, true, true, true, true}
	case "z39.50r", "z39.50s":
		return named{210, true, true, true, true}
	case "mailto":
		return named{25, true, false, false, false}
	case "mid", "cid":
		return named{fetched: true}
	case "nfs":
		return named{2049, true, true, true, false}
	case "finger":
		return named{79, true, true, true, true}
	case "gemini":
		return named{1965, true, true, false, true}
	case "ws":
		return named{80, false, true, true, false}
	case "wss":
		return named{443, false, true, false, false}
	case "rlogin":
		return named{513, false, true, true, true}
	case "tn3270":
		return named{23, false, true, true, true}
	case "imap":
		return named{143, false, true, true, true}
	case "imaps":
		return named{993, false, true, false, true}
	case "pop":
		return named{110, false, true, true, true}
	case "smtp":
		return named{25, false, true, true, true}
	case "spartan":
		return named{300, false, true, true, true}
	case "dict":
		return named{2628, false, true, true, true}
	case "irc":
		return named{6667, false, true, true, true}
	case "ircs":
		return named{6697, false, true, false, true}
	case "ldap":
		return named{389, false, true, true, false}
	case "ldaps":
		return named{636, false, true, false, false}
	case "tftp":
		return named{69, false, true, true, false}
	case "ssh", "sftp":
		return named{22, false, true, false, false}
	case "git":
		return named{9418, false, true, true, true}
	case "svn":
		return named{3690, false, true, true, false}
	case "rsync":
		return named{873, false, true, true, true}
	case "rtsp":
		return named{554, false, true, true, false}
	case "smb":
		return named{445, false, true, false, false}
	case "afs":
		return named{0, false, true, true, false}
	case "redis":
		return named{6379, false, true, true, true}
	case "memcache", "memcached":
		return named{11211, false, true, true, true}
	}
	return named{}
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
		"metadata.packet.net", "metadata.oraclecloud.com", "rancher-metadata":
		return true
	}
	return false
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
		"rebind.network", "rebind.it", "fuf.me", "vip.tools", "loopback.it", "localho.st", "plex.direct", "xip.name", "smackaho.st":
		return true
	case "org.uk":
		return hasSuffix(name, "127-0-0-1.org.uk")
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
