package anyurl

import "anyurl/rule"

// The validation errors of the URL Standard, section "Writing", in its order
// and under its names. Those marked fatal end the parse: Parse returns them.
// The others are told to [Parser.Report] alone.
var (
	// DomainToASCII is broken by a host that Unicode ToASCII refuses. It is fatal
	// for a domain that is not ASCII, and for one that holds a forbidden domain
	// code point; an ASCII domain is otherwise taken as it is.
	DomainToASCII = rule.Rule{
		ID:      "url/domain-to-ascii",
		Cite:    "URL Standard, IDNA; UTS 46, section 4.2",
		Says:    "host is no domain name that Unicode ToASCII accepts",
		Fix:     "use letters, digits and hyphens of one script, in labels of 1 to 63 octets",
		Example: "https://exa%23mple.org",
	}

	// DomainPercentEncoded is broken by an escape in a domain. It is not fatal.
	DomainPercentEncoded = rule.Rule{
		ID:      "url/domain-percent-encoded",
		Cite:    "URL Standard, host parsing",
		Says:    "domain holds a percent-encoded byte",
		Fix:     "write the character itself",
		Example: "https://exam%70le.org",
	}

	// HostInvalidCodePoint is broken by a forbidden host code point in an opaque
	// host, the host of a URL that is not special. It is fatal.
	HostInvalidCodePoint = rule.Rule{
		ID:      "url/host-invalid-code-point",
		Cite:    "URL Standard, host parsing",
		Says:    "host holds a code point that no host may hold",
		Fix:     "percent-encode it, or leave it out",
		Example: "foo://exa[mple.org",
	}

	// IPv4EmptyPart is broken by an IPv4 address that ends in a dot. It is not fatal.
	IPv4EmptyPart = rule.Rule{
		ID:      "url/ipv4-empty-part",
		Cite:    "URL Standard, IPv4 parser",
		Says:    `IPv4 address ends in "."`,
		Fix:     "leave the last dot out",
		Example: "https://127.0.0.1./",
	}

	// IPv4TooFewParts is broken by an IPv4 address of fewer than four parts. It is not fatal.
	IPv4TooFewParts = rule.Rule{
		ID:      "url/ipv4-too-few-parts",
		Cite:    "URL Standard, IPv4 parser",
		Says:    "IPv4 address has fewer than four parts; the last one fills the rest",
		Fix:     "write all four parts",
		Example: "https://1.2.3/",
	}

	// IPv4TooManyParts is broken by an IPv4 address of more than four parts. It is fatal.
	IPv4TooManyParts = rule.Rule{
		ID:      "url/ipv4-too-many-parts",
		Cite:    "URL Standard, IPv4 parser",
		Says:    "host ends in a number, so it is an IPv4 address, and has more than four parts",
		Fix:     "write four parts",
		Example: "https://1.2.3.4.5/",
	}

	// IPv4NonNumericPart is broken by a part of an IPv4 address that is no number. It is fatal.
	IPv4NonNumericPart = rule.Rule{
		ID:      "url/ipv4-non-numeric-part",
		Cite:    "URL Standard, IPv4 parser",
		Says:    "host ends in a number, so it is an IPv4 address, and this part is no number",
		Fix:     "end a domain in a label that is not a number",
		Example: "https://test.42",
	}

	// IPv4NonDecimalPart is broken by a hexadecimal or octal part of an IPv4
	// address. It is not fatal.
	IPv4NonDecimalPart = rule.Rule{
		ID:      "url/ipv4-non-decimal-part",
		Cite:    "URL Standard, IPv4 parser",
		Says:    "part of the IPv4 address is read as a hexadecimal or octal number",
		Fix:     `write it in decimal, without "0x" and leading zeros`,
		Example: "https://127.0.0x0.1",
	}

	// IPv4OutOfRangePart is broken by a part of an IPv4 address above 255. It is
	// fatal unless it is the last part, which may fill the parts that are missing.
	IPv4OutOfRangePart = rule.Rule{
		ID:      "url/ipv4-out-of-range-part",
		Cite:    "URL Standard, IPv4 parser",
		Says:    "part of the IPv4 address is too large",
		Fix:     "write four parts of at most 255",
		Example: "https://255.255.4000.1",
	}

	// IPv6Unclosed is broken by a host that opens "[" and never closes it. It is fatal.
	IPv6Unclosed = rule.Rule{
		ID:      "url/ipv6-unclosed",
		Cite:    "URL Standard, host parsing",
		Says:    `IPv6 address is never closed by "]"`,
		Fix:     `end the address with "]"`,
		Example: "https://[::1",
	}

	// IPv6InvalidCompression is broken by an IPv6 address that begins with a
	// single colon. It is fatal.
	IPv6InvalidCompression = rule.Rule{
		ID:      "url/ipv6-invalid-compression",
		Cite:    "URL Standard, IPv6 parser",
		Says:    `IPv6 address begins with a single ":"`,
		Fix:     `write "::" for a run of zero pieces`,
		Example: "https://[:1]",
	}

	// IPv6TooManyPieces is broken by an IPv6 address of more than eight pieces. It is fatal.
	IPv6TooManyPieces = rule.Rule{
		ID:      "url/ipv6-too-many-pieces",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "IPv6 address has more than eight pieces",
		Fix:     "write eight pieces of 16 bits",
		Example: "https://[1:2:3:4:5:6:7:8:9]",
	}

	// IPv6MultipleCompression is broken by a second "::" in an IPv6 address. It is fatal.
	IPv6MultipleCompression = rule.Rule{
		ID:      "url/ipv6-multiple-compression",
		Cite:    "URL Standard, IPv6 parser",
		Says:    `IPv6 address holds "::" more than once`,
		Fix:     `write all zero pieces but one run as "0"`,
		Example: "https://[1::1::1]",
	}

	// IPv6InvalidCodePoint is broken by a code point in an IPv6 address that is
	// neither a hexadecimal digit nor a colon, and by an address that ends too
	// early. It is fatal.
	IPv6InvalidCodePoint = rule.Rule{
		ID:      "url/ipv6-invalid-code-point",
		Cite:    "URL Standard, IPv6 parser",
		Says:    `IPv6 address goes on with something else than a hexadecimal digit or ":"`,
		Fix:     `use one to four hexadecimal digits a piece, and ":" between pieces; zone identifiers ("%eth0") have no place in a URL`,
		Example: "https://[1:2:3!:4]",
	}

	// IPv6TooFewPieces is broken by an IPv6 address of fewer than eight pieces
	// without "::". It is fatal.
	IPv6TooFewPieces = rule.Rule{
		ID:      "url/ipv6-too-few-pieces",
		Cite:    "URL Standard, IPv6 parser",
		Says:    `IPv6 address has fewer than eight pieces and no "::"`,
		Fix:     `write eight pieces, or "::" for a run of zero pieces`,
		Example: "https://[1:2:3]",
	}

	// IPv6PieceLeadingZero is broken by a leading zero in a piece of an IPv6
	// address. It is not fatal.
	IPv6PieceLeadingZero = rule.Rule{
		ID:      "url/ipv6-piece-leading-zero",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "piece of the IPv6 address has a leading zero",
		Fix:     "leave leading zeros out",
		Example: "https://[::01]",
	}

	// IPv4InIPv6TooManyPieces is broken by an IPv4 part that leaves no room in an
	// IPv6 address. It is fatal.
	IPv4InIPv6TooManyPieces = rule.Rule{
		ID:      "url/ipv4-in-ipv6-too-many-pieces",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "IPv6 address has more than six pieces before its IPv4 part",
		Fix:     "write at most six pieces before the IPv4 part",
		Example: "https://[1:1:1:1:1:1:1:127.0.0.1]",
	}

	// IPv4InIPv6InvalidCodePoint is broken by a part of the IPv4 address in an
	// IPv6 address that is empty, no number, or has a leading zero, and by a fifth
	// part. It is fatal.
	IPv4InIPv6InvalidCodePoint = rule.Rule{
		ID:      "url/ipv4-in-ipv6-invalid-code-point",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "IPv4 part of the IPv6 address is not four plain decimal numbers",
		Fix:     "write four decimal numbers without leading zeros",
		Example: "https://[ffff::127.0.xyz.1]",
	}

	// IPv4InIPv6OutOfRangePart is broken by a part above 255 in the IPv4 address
	// of an IPv6 address. It is fatal.
	IPv4InIPv6OutOfRangePart = rule.Rule{
		ID:      "url/ipv4-in-ipv6-out-of-range-part",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "number in the IPv4 part of the IPv6 address is above 255",
		Fix:     "write numbers of at most 255",
		Example: "https://[ffff::127.0.0.4000]",
	}

	// IPv4InIPv6TooFewParts is broken by fewer than four parts in the IPv4 address
	// of an IPv6 address. It is fatal.
	IPv4InIPv6TooFewParts = rule.Rule{
		ID:      "url/ipv4-in-ipv6-too-few-parts",
		Cite:    "URL Standard, IPv6 parser",
		Says:    "IPv4 part of the IPv6 address has fewer than four numbers",
		Fix:     "write four numbers",
		Example: "https://[ffff::127.0.0]",
	}

	// InvalidURLUnit is broken by a code point that is no URL unit, and by a "%"
	// that starts no escape. It is not fatal.
	InvalidURLUnit = rule.Rule{
		ID:      "url/invalid-url-unit",
		Cite:    "URL Standard, URL writing",
		Says:    "this code point does not belong into a URL",
		Fix:     "percent-encode it, or leave it out",
		Example: "https://example.org/>",
	}

	// SpecialSchemeMissingFollowingSolidus is broken by a special scheme that is
	// not followed by exactly "//". It is not fatal.
	SpecialSchemeMissingFollowingSolidus = rule.Rule{
		ID:      "url/special-scheme-missing-following-solidus",
		Cite:    "URL Standard, URL parsing",
		Says:    `scheme is not followed by "//" and nothing else`,
		Fix:     `write "//" after the colon`,
		Example: "https:example.org",
	}

	// MissingSchemeNonRelativeURL is broken by an input without a scheme when
	// there is no base URL that it could be relative to. It is fatal.
	MissingSchemeNonRelativeURL = rule.Rule{
		ID:      "url/missing-scheme-non-relative-url",
		Cite:    "URL Standard, no scheme state",
		Says:    "URL has no scheme, and no base that it could be relative to",
		Fix:     `begin with a scheme, as in "https://"`,
		Example: "example.org/a",
	}

	// InvalidReverseSolidus is broken by "\" where "/" should stand in a special
	// URL. It is not fatal.
	InvalidReverseSolidus = rule.Rule{
		ID:      "url/invalid-reverse-solidus",
		Cite:    "URL Standard, URL parsing",
		Says:    `"\" is read as "/" by the URL Standard; RFC 3986 has no such character`,
		Fix:     `write "/"`,
		Example: `https://example.org\path\to\file`,
	}

	// InvalidCredentials is broken by a user name or a password in a URL. It is not fatal.
	InvalidCredentials = rule.Rule{
		ID:      "url/invalid-credentials",
		Cite:    "URL Standard, authority state",
		Says:    "URL includes credentials",
		Fix:     "give user name and password by another way than the URL",
		Example: "https://user@example.org",
	}

	// HostMissing is broken by a URL that needs a host and has none. It is fatal.
	HostMissing = rule.Rule{
		ID:      "url/host-missing",
		Cite:    "URL Standard, host state",
		Says:    "host is missing",
		Fix:     "name the host",
		Example: "https://#fragment",
	}

	// PortOutOfRange is broken by a port above 65535. It is fatal.
	PortOutOfRange = rule.Rule{
		ID:      "url/port-out-of-range",
		Cite:    "URL Standard, port state",
		Says:    "port is above 65535",
		Fix:     "choose a port from 0 to 65535",
		Example: "https://example.org:70000",
	}

	// PortInvalid is broken by a port that is no number. It is fatal.
	PortInvalid = rule.Rule{
		ID:      "url/port-invalid",
		Cite:    "URL Standard, port state",
		Says:    "port is not a decimal number",
		Fix:     "use the digits 0 to 9 alone",
		Example: "https://example.org:7z",
	}

	// FileInvalidWindowsDriveLetter is broken by a relative reference to a Windows
	// drive letter against a file URL. It is not fatal.
	FileInvalidWindowsDriveLetter = rule.Rule{
		ID:      "url/file-invalid-windows-drive-letter",
		Cite:    "URL Standard, file state",
		Says:    "reference begins with a Windows drive letter, which replaces the whole path of the base",
		Fix:     `write "file:///c:/…" in full`,
		Example: "file:c:/path/to/file",
	}

	// FileInvalidWindowsDriveLetterHost is broken by a file URL with a Windows
	// drive letter where its host should be. It is not fatal.
	FileInvalidWindowsDriveLetterHost = rule.Rule{
		ID:      "url/file-invalid-windows-drive-letter-host",
		Cite:    "URL Standard, file host state",
		Says:    "Windows drive letter stands where the host should be",
		Fix:     `write three slashes, as in "file:///c:/"`,
		Example: "file://c:",
	}
)

// The limits of our own, and what the URL Standard takes for granted: that its input
// is text.
var (
	// TooLong is broken by a URL longer than [MaxLen]. It is fatal. The URL
	// Standard sets no limit; this one is ours.
	TooLong = rule.Rule{
		ID:   "url/too-long",
		Cite: "anyurl, MaxLen",
		Says: "URL is longer than this library reads",
		Fix:  "keep a URL, as given and as serialised, within 2 GiB",
	}

	// PunycodeTooLong is broken by a label of a domain that begins with "xn--" and
	// has more than 2,000 bytes behind that, and by one that is not ASCII and has more
	// than 1,000 code points, or would need those 2,000 bytes and more. It is fatal. The
	// URL Standard sets no limit and takes any "xn--" label in ASCII; this one is ours,
	// so that no label takes long to read as Punycode, here or behind us. No name of
	// the DNS comes near it: labels have 63 octets there.
	PunycodeTooLong = rule.Rule{
		ID:   "url/punycode-too-long",
		Cite: "anyurl, PunycodeTooLong; Infra Standard, section 3.2 (limits against denial of service)",
		Says: "label of the host is longer than this library reads as Punycode or writes as such",
		Fix:  "shorten the label; the DNS takes 63 octets",
	}

	// NotUTF8 is broken by an input that is not UTF-8; what is ill-formed is read as
	// U+FFFD. It is not fatal. The URL Standard starts from code points and has no
	// name for it; this one is ours.
	NotUTF8 = rule.Rule{
		ID:      "url/not-utf-8",
		Cite:    "Encoding Standard, UTF-8 decoder",
		Says:    "octet is not UTF-8 and is read as U+FFFD",
		Fix:     "percent-encode the octet",
		Example: "http://example.org/\xff",
	}
)

// What a setter does not do, the standard leaves without a name; these names
// are ours.
var (
	// CannotHaveCredentials is broken by a user name, a password or a port for a
	// URL whose host is null or empty, or for a file URL.
	CannotHaveCredentials = rule.Rule{
		ID:   "url/cannot-have-username-password-port",
		Cite: "URL Standard, URL miscellaneous",
		Says: "a URL without a host, or a file URL, cannot have a username, password or port",
		Fix:  "set the host first",
	}

	// OpaquePathURL is broken by a host or a path for a URL with an opaque path.
	OpaquePathURL = rule.Rule{
		ID:   "url/opaque-path",
		Cite: "URL Standard, URL class",
		Says: "the URL's path is opaque, so neither its host nor its path can be set",
		Fix:  "write the URL anew",
	}

	// InvalidScheme is broken by a value that is no scheme.
	InvalidScheme = rule.Rule{
		ID:   "url/invalid-scheme",
		Cite: "URL Standard, scheme state",
		Says: `scheme is not a letter followed by letters, digits, "+", "-" and "."`,
		Fix:  "choose a scheme",
	}

	// SchemeChange is broken by a scheme that the URL cannot change to.
	SchemeChange = rule.Rule{
		ID:   "url/scheme-change",
		Cite: "URL Standard, scheme state, with a state override",
		Says: "the URL cannot change to this scheme: special stays special, and a file URL has no credentials, no port and maybe no host",
		Fix:  "write the URL anew",
	}

	// HostnameWithPort is broken by a port where a host alone is set.
	HostnameWithPort = rule.Rule{
		ID:   "url/hostname-with-port",
		Cite: "URL Standard, hostname state, with a state override",
		Says: "host is followed by a port where a host alone is asked for",
		Fix:  "set host and port together, or the port on its own",
	}

	// DotSegment is broken by a segment "." or "..", which no path of a URL can hold.
	DotSegment = rule.Rule{
		ID:   "url/dot-segment",
		Cite: "URL Standard, URL representation",
		Says: `"." and "..", encoded or not, are steps in a URL's path and cannot be names`,
		Fix:  "leave the segment out, or resolve a relative reference if a step is meant",
	}

	// FilePathForm is broken by a path that no file URL can name, and by a URL that
	// names no path.
	FilePathForm = rule.Rule{
		ID:   "url/file-path",
		Cite: "RFC 8089, section 2 and appendices E and F",
		Says: "path and file URL do not stand for each other: the path is relative or names a device, or the URL has a host, no drive or an encoded separator",
		Fix:  "give an absolute path of the style asked for, or a file URL without a host",
	}

	// NotTyped is broken by text that does not look like a URL, a host or a path.
	NotTyped = rule.Rule{
		ID:      "url/not-typed",
		Cite:    "anyurl, ParseTyped",
		Says:    "text looks neither like a URL nor like a host, a mail address or an absolute path",
		Fix:     `begin with a scheme, as in "https://"`,
		Example: "hello",
	}
)

// Rules lists the rules that this package upholds: one for each validation
// error of the URL Standard, the limits of our own, and what setters and the
// other functions here refuse.
func Rules() []rule.Rule {
	return []rule.Rule{
		DomainToASCII, DomainPercentEncoded, HostInvalidCodePoint,
		IPv4EmptyPart, IPv4TooFewParts, IPv4TooManyParts, IPv4NonNumericPart,
		IPv4NonDecimalPart, IPv4OutOfRangePart,
		IPv6Unclosed, IPv6InvalidCompression, IPv6TooManyPieces,
		IPv6MultipleCompression, IPv6InvalidCodePoint, IPv6TooFewPieces,
		IPv6PieceLeadingZero,
		IPv4InIPv6TooManyPieces, IPv4InIPv6InvalidCodePoint,
		IPv4InIPv6OutOfRangePart, IPv4InIPv6TooFewParts,
		InvalidURLUnit, SpecialSchemeMissingFollowingSolidus,
		MissingSchemeNonRelativeURL, InvalidReverseSolidus, InvalidCredentials,
		HostMissing, PortOutOfRange, PortInvalid,
		FileInvalidWindowsDriveLetter, FileInvalidWindowsDriveLetterHost,
		TooLong, PunycodeTooLong, NotUTF8,
		CannotHaveCredentials, OpaquePathURL, InvalidScheme, SchemeChange,
		HostnameWithPort, DotSegment, FilePathForm, NotTyped,
	}
}
