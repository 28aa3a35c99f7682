package audit

// A Code is one kind of finding: what it means and where that is written.
type Code struct {
	// Code names the finding for programs, as in "userinfo-looks-like-host".
	Code string `json:"code"`
	// Severity is how much it matters. A finding may say less where the
	// circumstances are harmless, never more.
	Severity Severity `json:"severity"`
	// Says is what is the matter, as a sentence: lower case, no full stop.
	// A finding may say it with the particulars filled in.
	Says string `json:"says"`
	// Fix is what to do about it, in the same form.
	Fix string `json:"fix"`
	// Cite says where it is written: a document and a section.
	Cite string `json:"cite"`
	// Example is an input that has the finding. With Base set it is a reference
	// resolved against that. It is empty for what only a resolver, a server or
	// a text can show.
	Example string `json:"example,omitempty"`
	Base    string `json:"base,omitempty"`
	// Blocks tells that a guarded fetch refuses the URL for it.
	Blocks bool `json:"blocks"`
}

// Codes lists every finding there is, in the order of the table. The slice is
// the caller's.
func Codes() []Code {
	codes := make([]Code, codeCount)
	copy(codes, table[:])
	return codes
}

// Lookup gives the code of that name.
func Lookup(name string) (Code, bool) {
	for i := range table {
		if table[i].Code == name {
			return table[i], true
		}
	}
	return Code{}, false
}

// A code is an index into the table.
type code uint8

const (
	hostDiffers code = iota
	notRFC3986
	notWHATWG
	leavesSite
	schemeRelative
	missingScheme
	missingSlashes
	extraSlashes
	emptyHost
	backslash
	encodedBackslash
	userinfoPresent
	userinfoNotAllowed
	userinfoLooksLikeHost
	passwordInURL
	secretInUserinfo
	secretInQuery
	secretInFragment
	encodedDelimiterInUserinfo
	delimiterRightAfterHost
	encodedHost
	encodedDelimiterInHost
	doubleEncoding
	invalidPercent
	invalidUTF8
	invalidHost
	invalidPort
	whitespace
	controlChar
	nonASCII
	unsafeChar
	encodedCRLF
	encodedNUL
	encodedControl
	terminalEscape
	protocolSmuggling
	gopherPayload
	ipNoncanonical
	ipLoopback
	ipPrivate
	ipLinkLocal
	ipCGNAT
	ipUnspecified
	ipBroadcast
	ipMulticast
	ipReserved
	ipMetadata
	ipEmbeddedV4
	localhostName
	metadataName
	internalName
	wildcardDNS
	resolvesInternal
	noAddress
	trailingDotHost
	emptyLabel
	labelTooLong
	hostNotLDH
	badPort
	portCrossesProtocol
	nondefaultPort
	schemeDangerous
	schemeUnexpected
	schemeWrapper
	schemeCleartext
	schemeForbids
	nestedURL
	openRedirectParam
	mailtoHeader
	fileRemoteHost
	windowsDrive
	ftpAbsolutePath
	ftpTypeGuessed
	nntpPlace
	dotSegments
	dotSegmentsAboveRoot
	encodedDotSegments
	encodedSlashTraversal
	dotSegmentLookalike
	hostNormalizes
	idnMixedScript
	idnWholeScriptConfusable
	idnConfusable
	idnSlashLookalike
	idnMixedNumbers
	idnRepeatedMark
	idnDisallowedForDisplay
	idnInvalidPunycode
	idnDeviation
	idnDotLookalike
	asciiConfusable
	bidiControl
	bidiControlEncoded
	bidiMixedOrder
	zeroWidth
	invisibleTag
	tooLong
	tooManyParams
	redirectToInternal
	redirectToScheme
	redirectLoop
	tooManyRedirects
	redirectDowngrade
	redirectOddLocation
	redirectNoLocation
	hyphenAtBreak

	codeCount
)

const (
	special = "IANA special-purpose address registries (RFC 6890)"
	display = "Chromium's IDN display rules (docs/idn.md)"
	uts46   = "UTS 46, section 4"
	trojan  = "Trojan Source (CVE-2021-42574); UAX 9, section 2"
)

// table is the one place where a code has its name, its severity and its words.
var table = [codeCount]Code{
	hostDiffers: {"host-differs", Danger,
		"the URL Standard and RFC 3986 read different hosts", "write the host the one way that every reader reads alike",
		"URL Standard, host parsing; RFC 3986, section 3.2.2", "http://0x7f.1/", "", false},
	notRFC3986: {"not-rfc3986", Info,
		"the URL Standard takes it, RFC 3986 does not", "write it as the URL Standard serialises it",
		"RFC 3986, appendix A", "http://trusted.example/a b", "", false},
	notWHATWG: {"not-whatwg", Info,
		"RFC 3986 takes it, the URL Standard does not", "write it so that browsers read it too",
		"URL Standard, URL parsing", "http://256.0.0.1/", "", false},
	leavesSite: {"leaves-site", Notice,
		"the reference leads to another host than its base", "check the host before following it",
		"URL Standard, URL parsing", "//evil.example/", "https://trusted.example/", false},
	schemeRelative: {"scheme-relative", Notice,
		"the reference starts with two slashes: what follows is a host, not a path", "write one slash for a path, or the scheme for a host",
		"URL Standard, relative slash state; RFC 3986, section 4.2", "/\\evil.example", "https://trusted.example/a", false},
	missingScheme: {"missing-scheme", Warning,
		"there is no scheme, and nothing to resolve it against", "write the scheme and a colon in front",
		"URL Standard, no scheme state; RFC 3986, section 3.1", "trusted.example/x", "", false},
	missingSlashes: {"missing-slashes", Warning,
		"the two slashes behind the scheme are missing", "write \"//\" before the host",
		"URL Standard, special authority slashes state; RFC 1738, section 3.1", "http:trusted.example/", "", false},
	extraSlashes: {"extra-slashes", Warning,
		"more slashes than two stand before the host", "write \"//\" before the host",
		"URL Standard, special authority ignore slashes state", "http:////trusted.example/", "", false},
	emptyHost: {"empty-host", Warning,
		"the scheme needs a host, and there is none", "write the host",
		"URL Standard, host state; RFC 1738, section 3.1", "gopher:///1/x", "", true},
	backslash: {"backslash", Warning,
		`"\" is read as "/" by the URL Standard; RFC 3986 has no such character`, "write a slash, or %5C for a backslash that is meant",
		"URL Standard, invalid-reverse-solidus; RFC 1738, section 2.2", `http://trusted.example\@evil.example/`, "", false},
	encodedBackslash: {"encoded-backslash", Notice,
		"%5C may be taken for a path separator by what is behind the server", "leave it out unless the name really holds a backslash",
		"RFC 3986, section 7.3", "http://trusted.example/%5Cx", "", false},
	userinfoPresent: {"userinfo-present", Notice,
		"a user name part stands before the host, and ends with \"@\"", "leave it out, or look for the host behind the last \"@\"",
		"RFC 3986, section 7.6; URL Standard, security considerations", "http://joe@trusted.example/", "", false},
	userinfoNotAllowed: {"userinfo-not-allowed", Info,
		"an http URL has no user name or password", "give credentials to the program, not in the URL",
		"RFC 1738, section 3.3; RFC 9110, section 4.2.4", "http://joe@trusted.example/", "", false},
	userinfoLooksLikeHost: {"userinfo-looks-like-host", Danger,
		"the user name looks like a host; the host is what follows \"@\"", "look for the host behind the last \"@\"",
		"RFC 3986, section 7.6", "http://trusted.example@evil.example/", "", false},
	passwordInURL: {"password-in-url", Warning,
		"a password stands in the URL, for everyone who sees it", "leave it out and be asked for it",
		"RFC 1738, section 6; RFC 3986, section 7.5", "ftp://joe:secret@trusted.example/", "", false},
	secretInUserinfo: {"secret-in-userinfo", Warning,
		"the user name part looks like an access token", "revoke it and keep tokens out of URLs",
		"RFC 3986, section 7.5; RFC 6750, section 5.3", "https://ghp_0123456789abcdefghijABCDEFGHIJ012345@trusted.example/", "", false},
	secretInQuery: {"secret-in-query", Warning,
		"a parameter holds a secret, which logs and other sites get to see", "send it in a header or a body",
		"RFC 6750, section 5.3; RFC 9110, section 17.9", "https://trusted.example/?api_key=0123456789", "", false},
	secretInFragment: {"secret-in-fragment", Warning,
		"the fragment holds a secret, which scripts and the history get to see", "send it in a header or a body",
		"RFC 9700, section 2.1.2", "https://trusted.example/#access_token=0123456789", "", false},
	encodedDelimiterInUserinfo: {"encoded-delimiter-in-userinfo", Warning,
		"the user name holds an encoded delimiter: a reader that decodes first sees another host", "leave it out",
		"RFC 3986, section 7.3", "http://trusted.example%2F@evil.example/", "", false},
	delimiterRightAfterHost: {"delimiter-right-after-host", Warning,
		"the host ends here with no slash, and what follows looks like another host", "write a slash behind the host",
		"URL Standard, host state; RFC 3986, section 3.2", "http://trusted.example#@evil.example/", "", false},
	encodedHost: {"encoded-host", Warning,
		"the host is percent-encoded: the URL Standard decodes it, other readers do not", "write the host as it is",
		"URL Standard, host parsing; RFC 3986, section 3.2.2", "http://%65xample.test/", "", false},
	encodedDelimiterInHost: {"encoded-delimiter-in-host", Danger,
		"the host holds an encoded delimiter: a reader that decodes first sees another host", "leave it out",
		"URL Standard, forbidden host code points; RFC 3986, section 7.3", "http://trusted.example%2F.evil.example/", "", false},
	doubleEncoding: {"double-encoding", Warning,
		"a percent sign is encoded before two hexadecimal digits: decoding twice gives something else", "encode once, decode once",
		"RFC 3986, section 2.4", "http://trusted.example/%252e%252e/x", "", false},
	invalidPercent: {"invalid-percent", Warning,
		"\"%\" is not followed by two hexadecimal digits", "write a literal percent sign as %25",
		"RFC 3986, section 2.1; RFC 1738, section 2.2", "http://trusted.example/100%", "", false},
	invalidUTF8: {"invalid-utf8", Warning,
		"the octets here are not UTF-8: readers disagree about the text", "encode the text as UTF-8",
		"RFC 3986, section 2.5; URL Standard, percent-encoded bytes", "http://trusted.example/caf%E9", "", false},
	invalidHost: {"invalid-host", Warning,
		"the URL Standard does not take this host", "correct the host",
		"URL Standard, host parsing", "http://[::1/", "", false},
	invalidPort: {"invalid-port", Warning,
		"the port is not a number from 0 to 65535", "correct the port",
		"URL Standard, port state; RFC 1738, section 3.1", "http://trusted.example:0x50/", "", false},
	whitespace: {"whitespace", Notice,
		"white space stands in the URL: many readers stop here", "encode a space as %20, or leave it out",
		"RFC 1738, section 2.2; URL Standard, URL parsing", " http://trusted.example/", "", false},
	controlChar: {"control-char", Warning,
		"a control character stands in the URL: some are dropped, some are sent", "leave it out",
		"RFC 1738, section 2.2; URL Standard, URL parsing", "java\tscript:alert(1)", "", false},
	nonASCII: {"non-ascii", Info,
		"a character outside US-ASCII stands in the URL", "encode it as UTF-8 with percent signs, or a host in Punycode",
		"RFC 1738, section 2.2; RFC 3987, section 3.1", "http://trusted.example/\u00e9", "", false},
	unsafeChar: {"unsafe-char", Info,
		"an unsafe character is not encoded", "encode it",
		"RFC 1738, section 2.2", "http://trusted.example/{x}", "", false},
	encodedCRLF: {"encoded-crlf", Warning,
		"an encoded line end starts a new line wherever it is decoded", "leave it out, and never decode it on the way to a line",
		"RFC 1738, section 6; RFC 3986, section 7.3", "http://trusted.example/%0D%0AX-Injected:%201", "", false},
	encodedNUL: {"encoded-nul", Warning,
		"an encoded NUL ends a string wherever it is decoded", "leave it out",
		"RFC 3986, section 7.3", "http://trusted.example/x.php%00.png", "", false},
	encodedControl: {"encoded-control", Warning,
		"an encoded control character acts wherever it is decoded", "leave it out",
		"RFC 3986, section 7.3", "http://trusted.example/%07", "", false},
	terminalEscape: {"terminal-escape", Warning,
		"an escape sequence starts here, which a terminal obeys", "never show it as it is",
		"ECMA-48, section 5.3", "http://trusted.example/%1B%5B2J", "", false},
	protocolSmuggling: {"protocol-smuggling", Danger,
		"decoded, this octet ends the command it belongs to and starts another", "refuse it",
		"RFC 1738, section 6", "ftp://trusted.example/x%0D%0ADELE%20y", "", true},
	gopherPayload: {"gopher-payload", Danger,
		"a gopher selector is one line: this one would send several to the server", "refuse it",
		"RFC 4266, section 2.1; RFC 1738, section 6", "gopher://trusted.example/0x%0D%0AQUIT", "", true},
	ipNoncanonical: {"ip-noncanonical", Warning,
		"the host is a number that is read as an IPv4 address", "write four plain decimal parts",
		"URL Standard, IPv4 parser; RFC 3986, section 7.4", "http://0x8.8.8.8/", "", false},
	ipLoopback: {"ip-loopback", Danger,
		"the address is this machine", "refuse it unless it is meant", special, "http://127.0.0.1/", "", true},
	ipPrivate: {"ip-private", Danger,
		"the address belongs to a private network", "refuse it unless it is meant", special, "http://192.168.1.1/", "", true},
	ipLinkLocal: {"ip-link-local", Danger,
		"the address belongs to the local link", "refuse it unless it is meant", special, "http://169.254.0.1/", "", true},
	ipCGNAT: {"ip-cgnat", Danger,
		"the address belongs to a carrier's shared space", "refuse it unless it is meant", special, "http://100.64.0.1/", "", true},
	ipUnspecified: {"ip-unspecified", Danger,
		"the address is the unspecified one, which many systems take for themselves", "refuse it", special, "http://0.0.0.0/", "", true},
	ipBroadcast: {"ip-broadcast", Danger,
		"the address is every host on the link", "refuse it", special, "http://255.255.255.255/", "", true},
	ipMulticast: {"ip-multicast", Danger,
		"the address is a group of hosts", "refuse it", "RFC 5771, section 3; RFC 4291, section 2.7", "http://[ff02::1]/", "", true},
	ipReserved: {"ip-reserved", Danger,
		"the address is set aside and leads to no public host", "refuse it", special, "http://192.0.2.1/", "", true},
	ipMetadata: {"ip-metadata", Danger,
		"the address gives a cloud machine's credentials to who asks", "refuse it",
		"RFC 3927, section 2.1; the clouds' documentation", "http://169.254.169.254/", "", true},
	ipEmbeddedV4: {"ip-embedded-v4", Danger,
		"the IPv6 address carries an IPv4 address, which decides where it leads", "write the IPv4 address",
		"RFC 4291, section 2.5.5; RFC 6052, section 5; RFC 9099, section 2.7", "http://[::ffff:8.8.8.8]/", "", true},
	localhostName: {"localhost-name", Danger,
		"the name means this machine", "refuse it unless it is meant",
		"RFC 6761, section 6.3", "http://localhost/", "", true},
	metadataName: {"metadata-name", Danger,
		"the name gives a cloud machine's credentials to who asks", "refuse it",
		"the clouds' documentation", "http://metadata.google.internal/", "", true},
	internalName: {"internal-name", Warning,
		"the name has a meaning inside one network alone", "refuse it unless it is meant",
		"RFC 6762, section 3 and appendix G; RFC 8375, section 3", "http://printer.local/", "", true},
	wildcardDNS: {"wildcard-dns", Warning,
		"names under this domain resolve to whatever address they spell", "look at the address, not at the name",
		"RFC 1034, section 4.3.3; the services' documentation", "http://10.0.0.1.nip.io/", "", false},
	resolvesInternal: {"resolves-internal", Danger,
		"the name resolves to an address that is not public", "refuse it unless it is meant", special, "", "", true},
	noAddress: {"no-address", Warning,
		"the name has no address", "check the name", "RFC 1035, section 3.4.1; RFC 3596, section 2.1", "", "", true},
	trailingDotHost: {"trailing-dot-host", Notice,
		"the host ends with a dot: the same machine, another name to filters and cookies", "leave the dot out",
		"RFC 3986, section 3.2.2; RFC 1034, section 3.1", "http://trusted.example./", "", false},
	emptyLabel: {"empty-label", Warning,
		"two dots follow each other in the host, or one begins it: no name of the DNS", "leave the dot out",
		"RFC 1034, section 3.1", "http://a..example/", "", false},
	labelTooLong: {"label-too-long", Warning,
		"a label of more than 63 octets, or a name of more than 253: no name of the DNS", "correct the host",
		"RFC 1035, section 2.3.4", "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/", "", false},
	hostNotLDH: {"host-not-ldh", Notice,
		"a host name is made of letters, digits and inner hyphens", "correct the host",
		"RFC 1123, section 2.1; RFC 1738, section 3.1", "http://a_b.example/", "", false},
	badPort: {"bad-port", Danger,
		"browsers refuse this port for http: another protocol's server listens there", "leave the port out",
		"Fetch Standard, port blocking", "http://trusted.example:25/", "", true},
	portCrossesProtocol: {"port-crosses-protocol", Danger,
		"the port belongs to another protocol, whose server would take what is sent for its own commands", "leave the port out",
		"RFC 1738, section 6", "gopher://trusted.example:25/1", "", true},
	nondefaultPort: {"nondefault-port", Notice,
		"the port is not the scheme's own", "leave the port out unless it is meant",
		"RFC 1738, section 6", "http://trusted.example:8080/", "", false},
	schemeDangerous: {"scheme-dangerous", Danger,
		"the scheme runs a script, carries its own content or reads this machine's files", "refuse it from a stranger",
		"RFC 6454, section 4; RFC 2397, section 6; RFC 8089, section 5", "javascript:alert(1)", "", true},
	schemeUnexpected: {"scheme-unexpected", Warning,
		"a guarded fetch does not open this scheme", "write a scheme that names a place to fetch from, or open it without the guard",
		"RFC 7595, section 3.7", "ssh://trusted.example/", "", true},
	schemeWrapper: {"scheme-wrapper", Warning,
		"the scheme wraps another URL, which is the one that counts", "take the inner URL and vet it",
		"RFC 7595, section 3.7", "view-source:http://trusted.example/", "", true},
	schemeCleartext: {"scheme-cleartext", Info,
		"what is sent and received can be read and changed on the way", "use the scheme over TLS where there is one",
		"RFC 7258, section 2", "http://trusted.example/", "", false},
	schemeForbids: {"scheme-forbids", Notice,
		"the generic syntax takes it, the scheme's own rules do not", "write it as the scheme asks",
		"RFC 3986, section 1.1.1; the scheme's own document", "telnet://trusted.example/x", "", false},
	nestedURL: {"nested-url", Notice,
		"another URL stands inside this one", "take the inner URL and vet it",
		"RFC 3986, section 3.3; URL Standard, opaque path state", "jdbc:mysql://trusted.example/x", "", false},
	openRedirectParam: {"open-redirect-param", Warning,
		"a parameter leads to another host: the site may send its visitors there", "check where the parameter leads",
		"RFC 9700, section 4.11", "https://trusted.example/r?url=https://evil.example/", "", false},
	mailtoHeader: {"mailto-header", Notice,
		"the URL sets header fields of the message beyond subject and body", "check every field before sending",
		"RFC 6068, sections 4 and 7", "mailto:joe@trusted.example?bcc=eve@evil.example", "", false},
	fileRemoteHost: {"file-remote-host", Notice,
		"the file URL names another machine: opening it may log in there", "leave the host out",
		"RFC 8089, sections 3 and 5", "file://server.example/share/x", "", false},
	windowsDrive: {"windows-drive", Notice,
		"a Windows drive letter stands in the path", "write file:///c:/",
		"URL Standard, Windows drive letters; RFC 8089, appendix E.2", "file:///c|/windows", "", false},
	ftpAbsolutePath: {"ftp-absolute-path", Notice,
		"%2F at the start means the server's root, not the login folder", "leave it out unless the root is meant",
		"RFC 1738, section 3.2.2", "ftp://trusted.example/%2Fetc/motd", "", false},
	ftpTypeGuessed: {"ftp-type-guessed", Info,
		"without \";type=\" the transfer mode has to be guessed", "write \";type=i\" or \";type=a\" at the end",
		"RFC 1738, section 3.2.3", "ftp://trusted.example/motd", "", false},
	nntpPlace: {"nntp-place", Info,
		"nntp names one server, which few may reach", "write a news: URL",
		"RFC 1738, section 3.7", "nntp://trusted.example/alt.test/1", "", false},
	dotSegments: {"dot-segments", Info,
		"\".\" and \"..\" are taken out of the path before it is sent", "write the path that is meant",
		"RFC 3986, section 5.2.4; URL Standard, path state", "http://trusted.example/a/../b", "", false},
	dotSegmentsAboveRoot: {"dot-segments-above-root", Notice,
		"\"..\" climbs above the root: readers stop there, servers may not", "write the path that is meant",
		"RFC 3986, section 5.4.2", "http://trusted.example/../x", "", false},
	encodedDotSegments: {"encoded-dot-segments", Warning,
		"%2e is a dot to the URL Standard, and data to a reader of RFC 3986 until it decodes", "write the path that is meant",
		"URL Standard, double-dot URL path segment; RFC 3986, section 6.2.2", "http://trusted.example/a/%2e%2e/b", "", false},
	encodedSlashTraversal: {"encoded-slash-traversal", Warning,
		"decoded, the slash makes \"..\" a step up, past whoever checked the path", "write the path that is meant",
		"RFC 3986, section 7.3", "http://trusted.example/a/..%2Fb", "", false},
	dotSegmentLookalike: {"dot-segment-lookalike", Warning,
		"some servers read this segment as \"..\"", "write the path that is meant",
		"RFC 3986, sections 3.3 and 7.3", "http://trusted.example/a/..;/b", "", false},
	hostNormalizes: {"host-normalizes", Notice,
		"the host is written with characters that are mapped to others", "write the host as it is read",
		uts46, "http://\u24d4xample.test/", "", false},
	idnMixedScript: {"idn-mixed-script", Warning,
		"a label mixes scripts that are not written together", "show it in Punycode", display, "https://g\u043e\u043egle.example/", "", false},
	idnWholeScriptConfusable: {"idn-whole-script-confusable", Warning,
		"a label of another script looks like Latin letters throughout", "show it in Punycode", display, "https://\u0430\u0440\u0440\u04cf\u0435.com/", "", false},
	idnConfusable: {"idn-confusable", Warning,
		"a label looks like a well-known name", "show it in Punycode", display, "https://googl\u00e9.com/", "", false},
	idnSlashLookalike: {"idn-slash-lookalike", Warning,
		"a character in the host looks like a slash", "show it in Punycode", display, "https://trusted.example\u30ceevil.example/", "", false},
	idnMixedNumbers: {"idn-mixed-numbers", Warning,
		"a label mixes digits of several scripts", "show it in Punycode", display, "https://1\u0969\u0968.example/", "", false},
	idnRepeatedMark: {"idn-repeated-mark", Warning,
		"a label repeats a combining mark, which shows as one", "show it in Punycode", display, "https://a\u0307\u0307.example/", "", false},
	idnDisallowedForDisplay: {"idn-disallowed-for-display", Warning,
		"a label holds a character that host names are not shown with", "show it in Punycode", display, "https://wwww\u02ce.example/", "", false},
	idnInvalidPunycode: {"idn-invalid-punycode", Warning,
		"a label begins with \"xn--\" and is no Punycode of a name", "correct the host",
		"UTS 46, section 4; RFC 3492, section 6.2", "http://xn--a.example/", "", false},
	idnDeviation: {"idn-deviation", Notice,
		"a character in the host was mapped away by the older rules: old readers go to another host", "own both names, or use neither",
		"UTS 46, section 2.1", "http://fa\u00df.example/", "", false},
	idnDotLookalike: {"idn-dot-lookalike", Notice,
		"another character than \".\" separates the labels", "write \".\"",
		"UTS 46, section 2.3; RFC 3490, section 3.1", "http://trusted\u3002example/", "", false},
	asciiConfusable: {"ascii-confusable", Info,
		"letters that look like others make the host look like a well-known name", "compare it letter by letter",
		"UTS 39, section 4", "https://rnicrosoft.com/", "", false},
	bidiControl: {"bidi-control", Danger,
		"a control character reorders what is shown", "leave it out", trojan, "https://trusted.example/\u202egpj.exe", "", false},
	bidiControlEncoded: {"bidi-control-encoded", Warning,
		"decoded, a control character reorders what is shown", "leave it out", trojan, "https://trusted.example/%E2%80%AEgpj.exe", "", false},
	bidiMixedOrder: {"bidi-mixed-order", Notice,
		"parts that run from right to left are shown in another order than they stand in", "show the parts one by one",
		"UAX 9, section 4.3; RFC 3987, section 4", "https://\u05d0\u05d1.example/\u05d2", "", false},
	zeroWidth: {"zero-width", Warning,
		"a character that is not shown stands in the URL", "leave it out",
		"UTS 36, section 2.10; UTS 46, section 2.1", "http://trus\u200bted.example/", "", false},
	invisibleTag: {"invisible-tag", Warning,
		"a tag character that is not shown stands in the URL", "leave it out",
		"The Unicode Standard, section 23.9", "https://trusted.example/\U000e0041", "", false},
	tooLong: {"too-long", Notice,
		"the URL is longer than 8000 octets, which servers need not take", "shorten it, or send a body",
		"RFC 9110, section 4.1", "", "", false},
	tooManyParams: {"too-many-params", Notice,
		"the query holds more than 1000 parameters", "send a body",
		"URL Standard, application/x-www-form-urlencoded", "", "", false},
	redirectToInternal: {"redirect-to-internal", Danger,
		"the server sends its visitors to an address that is not public", "do not follow",
		"RFC 9110, section 15.4; " + special, "", "", true},
	redirectToScheme: {"redirect-to-scheme", Danger,
		"the server sends its visitors to a scheme that no server may lead to", "do not follow",
		"Fetch Standard, HTTP-redirect fetch", "", "", true},
	redirectLoop: {"redirect-loop", Warning,
		"the redirects lead in a circle", "do not follow", "RFC 9110, section 15.4", "", "", true},
	tooManyRedirects: {"too-many-redirects", Warning,
		"more redirects than are followed", "do not follow", "RFC 9110, section 15.4; Fetch Standard, HTTP-redirect fetch", "", "", true},
	redirectDowngrade: {"redirect-downgrade", Warning,
		"the redirect leads from a protected connection to one that is not", "ask for https",
		"RFC 6797, section 7.2; RFC 9110, section 15.4", "", "", false},
	redirectOddLocation: {"redirect-odd-location", Notice,
		"the redirect's target is not written as a URI", "encode it",
		"RFC 9110, section 10.2.2", "", "", false},
	redirectNoLocation: {"redirect-no-location", Notice,
		"the answer is a redirect and names no target", "read the answer itself",
		"RFC 9110, section 15.4", "", "", false},
	hyphenAtBreak: {"hyphen-at-break", Notice,
		"the URL was broken behind a hyphen, which may belong to it or to the break", "check it with and without the hyphen",
		"RFC 1738, appendix; RFC 3986, appendix C", "", "", false},
}
