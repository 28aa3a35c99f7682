package scheme

import "anyurl/rule"

var (
	// OtherScheme is broken by a URL whose scheme the asked room does not read.
	OtherScheme = rule.Rule{
		ID:   "scheme/other",
		Cite: "RFC 3986, section 3.1",
		Says: "the URL's scheme is another than the one it is read by",
		Fix:  "ask the room that reads this scheme",
	}
	// HostMissing is broken by a URL that names no host although its scheme
	// needs one to go to.
	HostMissing = rule.Rule{
		ID:      "scheme/host-missing",
		Cite:    "RFC 1738, section 3.1",
		Says:    "the scheme needs a host, and there is none",
		Fix:     `write "//" and the host's name after the colon`,
		Example: "gopher:///1",
	}
	// NoUserinfo is broken by a user name or password in a URL whose scheme
	// has no place for them.
	NoUserinfo = rule.Rule{
		ID:      "scheme/no-userinfo",
		Cite:    "RFC 1738, section 3",
		Says:    "the scheme has no user name and no password",
		Fix:     `leave out everything from "//" to "@"`,
		Example: "gopher://guest@a.example/1",
	}
	// NoPort is broken by a port in a URL whose scheme has no place for one.
	NoPort = rule.Rule{
		ID:      "scheme/no-port",
		Cite:    "RFC 1738, section 3",
		Says:    "the scheme has no port",
		Fix:     `leave out ":" and the port`,
		Example: "afs://cell.example:7000/doc",
	}
	// NoQuery is broken by a "?" in a URL whose scheme has no query.
	NoQuery = rule.Rule{
		ID:      "scheme/no-query",
		Cite:    "RFC 1738, section 3",
		Says:    `the scheme has no query, so "?" ends nothing here`,
		Fix:     `write "%3F" for a question mark that is data`,
		Example: "nfs://a.example/export?version=4",
	}
	// NoAuthority is broken by "//" and a host in a URL whose scheme has none.
	NoAuthority = rule.Rule{
		ID:      "scheme/no-authority",
		Cite:    "RFC 3986, section 3.2",
		Says:    `the scheme has no host, so "//" does not follow its colon`,
		Fix:     `leave out "//"`,
		Example: "mailto://joe@a.example",
	}
	// Control is broken by an encoded control character where the part becomes
	// a line or a word of a protocol.
	Control = rule.Rule{
		ID:      "scheme/control",
		Cite:    "RFC 1738, section 6",
		Says:    "an encoded control character stands where it would end a line of the protocol or begin another",
		Fix:     "take it out; no server needs it there",
		Example: "telnet://a%0D%0Ab@a.example/",
	}
)

// Rules lists the rules that several rooms uphold.
func Rules() []rule.Rule {
	return []rule.Rule{OtherScheme, HostMissing, NoUserinfo, NoPort, NoQuery, NoAuthority, Control}
}
