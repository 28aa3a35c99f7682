package rfc3986

import (
	"anyurl/internal/abnf"
	"anyurl/rule"
)

// The classes that the productions of RFC 3986, appendix A, are made of. An
// escape is no single byte, so pct-encoded stands in none of them: scan knows
// it wherever a grammar line says it.
var (
	alpha  = abnf.Alpha
	digit  = abnf.Digit
	hexDig = abnf.HexDig

	// unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
	unreserved = alpha.Or(digit, abnf.Bytes("-._~"))
	// sub-delims  = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
	subDelims = abnf.Bytes("!$&'()*+,;=")
	// gen-delims  = ":" / "/" / "?" / "#" / "[" / "]" / "@"
	genDelims = abnf.Bytes(":/?#[]@")
	// reserved    = gen-delims / sub-delims
	reserved = genDelims.Or(subDelims)

	// scheme      = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
	schemeRest = alpha.Or(digit, abnf.Bytes("+-."))
	// userinfo    = *( unreserved / pct-encoded / sub-delims / ":" )
	userinfo = unreserved.Or(subDelims, abnf.Bytes(":"))
	// reg-name    = *( unreserved / pct-encoded / sub-delims )
	regName = unreserved.Or(subDelims)
	// IPvFuture   = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
	futureRest = unreserved.Or(subDelims, abnf.Bytes(":"))
	// pchar       = unreserved / pct-encoded / sub-delims / ":" / "@"
	pchar = unreserved.Or(subDelims, abnf.Bytes(":@"))
	// path          = path-abempty / path-absolute / path-noscheme / path-rootless / path-empty
	// path-abempty  = *( "/" segment )
	// path-absolute = "/" [ segment-nz *( "/" segment ) ]
	// path-noscheme = segment-nz-nc *( "/" segment )
	// path-rootless = segment-nz *( "/" segment )
	// path-empty    = 0<pchar>
	// segment       = *pchar
	// segment-nz    = 1*pchar
	//
	// What tells them apart, parse tells by what stands before: all are
	// segments between slashes.
	path = pchar.Or(abnf.Bytes("/"))
	// segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
	segmentNC = unreserved.Or(subDelims, abnf.Bytes("@"))
	// query       = *( pchar / "/" / "?" )
	query = pchar.Or(abnf.Bytes("/?"))
	// fragment    = *( pchar / "/" / "?" )
	fragment = pchar.Or(abnf.Bytes("/?"))
)

// What RFC 3987, section 2.2, adds. Its productions are those of RFC 3986 with
// an "i" before the name, but for iunreserved, and so all that is made of it,
// which takes ucschar too, and iquery, which also takes iprivate:
//
//	IRI            = scheme ":" ihier-part [ "?" iquery ] [ "#" ifragment ]
//	ihier-part     = "//" iauthority ipath-abempty / ipath-absolute / ipath-rootless / ipath-empty
//	IRI-reference  = IRI / irelative-ref
//	absolute-IRI   = scheme ":" ihier-part [ "?" iquery ]
//	irelative-ref  = irelative-part [ "?" iquery ] [ "#" ifragment ]
//	irelative-part = "//" iauthority ipath-abempty / ipath-absolute / ipath-noscheme / ipath-empty
//	iauthority     = [ iuserinfo "@" ] ihost [ ":" port ]
//	iuserinfo      = *( iunreserved / pct-encoded / sub-delims / ":" )
//	ihost          = IP-literal / IPv4address / ireg-name
//	ireg-name      = *( iunreserved / pct-encoded / sub-delims )
//	ipath          = ipath-abempty / ipath-absolute / ipath-noscheme / ipath-rootless / ipath-empty
//	ipath-abempty  = *( "/" isegment )
//	ipath-absolute = "/" [ isegment-nz *( "/" isegment ) ]
//	ipath-noscheme = isegment-nz-nc *( "/" isegment )
//	ipath-rootless = isegment-nz *( "/" isegment )
//	ipath-empty    = 0<ipchar>
//	isegment       = *ipchar
//	isegment-nz    = 1*ipchar
//	isegment-nz-nc = 1*( iunreserved / pct-encoded / sub-delims / "@" )
//	ipchar         = iunreserved / pct-encoded / sub-delims / ":" / "@"
//	iquery         = *( ipchar / iprivate / "/" / "?" )
//	ifragment      = *( ipchar / "/" / "?" )
//	iunreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~" / ucschar
type wide uint8

const (
	ascii    wide = iota // RFC 3986
	ucs                  // ucschar
	ucsOrPUA             // ucschar / iprivate
)

// isUCSChar is
//
//	ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
//	        / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
//	        / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
//	        / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
//	        / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
//	        / %xD0000-DFFFD / %xE1000-EFFFD
func isUCSChar(r rune) bool {
	switch {
	case r < 0x10000:
		return 0xa0 <= r && r <= 0xd7ff || 0xf900 <= r && r <= 0xfdcf || 0xfdf0 <= r && r <= 0xffef
	case r < 0xe0000:
		return r&0xffff <= 0xfffd
	default:
		return 0xe1000 <= r && r <= 0xefffd
	}
}

// isPrivate is
//
//	iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
func isPrivate(r rune) bool {
	return 0xe000 <= r && r <= 0xf8ff || 0xf0000 <= r && r <= 0xffffd || 0x100000 <= r && r <= 0x10fffd
}

// isBidi tells the formatting characters that RFC 3987, section 4.1, forbids
// although its grammar would take them: LRM, RLM, LRE, RLE, PDF, LRO, RLO.
func isBidi(r rune) bool {
	return r == 0x200e || r == 0x200f || 0x202a <= r && r <= 0x202e
}

// The rules, one for each production that can be broken, named as in the
// grammar. ABNF rule names ignore case (RFC 5234, section 2.1), and so do IDs:
// they are in lower case.
var (
	ruleLength = rule.Rule{
		ID: "rfc3986/length", Cite: "RFC 3986, section 2 sets no limit; this one is ours",
		Says: "input is longer than 4294967295 bytes",
		Fix:  "cut the input where the URI ends",
	}
	ruleScheme = rule.Rule{
		ID: "rfc3986/scheme", Cite: "RFC 3986, section 3.1",
		Says:    `a URI starts with a scheme: a letter, then letters, digits, "+", "-" or ".", then ":"`,
		Fix:     "put the scheme in front, or read the text as a relative reference",
		Example: "//a.example/x",
	}
	rulePctEncoded = rule.Rule{
		ID: "rfc3986/pct-encoded", Cite: "RFC 3986, section 2.1",
		Says:    `"%" is not followed by two hexadecimal digits`,
		Fix:     `write a literal percent sign as "%25"`,
		Example: "http://a.example/100%",
	}
	ruleUserinfo = rule.Rule{
		ID: "rfc3986/userinfo", Cite: "RFC 3986, section 3.2.1",
		Says:    `"@" stands in an authority once, after the userinfo, and userinfo holds neither "@" nor "["`,
		Fix:     `write an "@" that is data as "%40"`,
		Example: "http://a@b@c.example/",
	}
	ruleRegName = rule.Rule{
		ID: "rfc3986/reg-name", Cite: "RFC 3986, section 3.2.2",
		Says:    `a host is unreserved characters, escapes and !$&'()*+,;=; "[" and "]" stand around an IP literal only`,
		Fix:     "percent-encode them, or write the address alone between them",
		Example: "http://a[b].example/",
	}
	ruleIPLiteral = rule.Rule{
		ID: "rfc3986/ip-literal", Cite: "RFC 3986, section 3.2.2",
		Says:    `"[" opens an IP literal, which "]" closes, and only ":" and a port may follow`,
		Fix:     `close the address with "]"`,
		Example: "http://[::1/x",
	}
	ruleIPv6 = rule.Rule{
		ID: "rfc3986/ipv6address", Cite: "RFC 3986, section 3.2.2",
		Says:    `an IPv6 address is eight groups of one to four hexadecimal digits, "::" once for the groups left out, or an IPv4 address for the last two; it has no zone`,
		Fix:     "write the address as RFC 5952 recommends",
		Example: "http://[1:2::3::4]/",
	}
	ruleIPv4 = rule.Rule{
		ID: "rfc3986/ipv4address", Cite: "RFC 3986, section 3.2.2",
		Says:    "the IPv4 address in an IPv6 address is four numbers from 0 to 255 without leading zeros",
		Fix:     "write it in plain dotted decimal",
		Example: "http://[::1.2.3.04]/",
	}
	ruleIPvFuture = rule.Rule{
		ID: "rfc3986/ipvfuture", Cite: "RFC 3986, section 3.2.2",
		Says:    `an address of a later version is "v", hexadecimal digits, ".", and at least one character that needs no escape`,
		Fix:     `write it as in "[v7.fe80::a+en1]"`,
		Example: "http://[v7]/",
	}
	rulePort = rule.Rule{
		ID: "rfc3986/port", Cite: "RFC 3986, section 3.2.3",
		Says:    "a port is decimal digits",
		Fix:     "write the port as a number, or leave it and its colon out",
		Example: "http://a.example:http/",
	}
	rulePath = rule.Rule{
		ID: "rfc3986/path", Cite: "RFC 3986, section 3.3",
		Says:    `a path is unreserved characters, escapes and !$&'()*+,;=:@/; "[" and "]" do not stand in it`,
		Fix:     `write them as "%5B" and "%5D"`,
		Example: "http://a.example/a[1]",
	}
	ruleNoScheme = rule.Rule{
		ID: "rfc3986/path-noscheme", Cite: "RFC 3986, section 4.2",
		Says:    `":" in the first segment of a relative reference would end a scheme, and what stands before it is none`,
		Fix:     `put "./" in front, or write the colon as "%3A"`,
		Example: "1st:part",
	}
	ruleQuery = rule.Rule{
		ID: "rfc3986/query", Cite: "RFC 3986, section 3.4",
		Says:    `a query is unreserved characters, escapes and !$&'()*+,;=:@/?; "[" and "]" do not stand in it`,
		Fix:     `write them as "%5B" and "%5D"`,
		Example: "http://a.example/?a[]=1",
	}
	ruleFragment = rule.Rule{
		ID: "rfc3986/fragment", Cite: "RFC 3986, section 3.5",
		Says:    `"#" starts the fragment once; a second one, "[" and "]" do not stand in it`,
		Fix:     `write them as "%23", "%5B" and "%5D"`,
		Example: "http://a.example/#a#b",
	}
	ruleBase = rule.Rule{
		ID: "rfc3986/base", Cite: "RFC 3986, section 5.1",
		Says:    "a base URI has a scheme",
		Fix:     "resolve the base against an absolute URI first",
		Example: "/a/b",
	}
	ruleDots = rule.Rule{
		ID: "rfc3986/dot-segments", Cite: "RFC 3986, section 5.2",
		Says:    `no reference resolves to this URI: resolution removes the "." and ".." segments that its path holds`,
		Fix:     "normalize the URI first",
		Example: "http://a.example/b/../c",
	}
	ruleUTF8 = rule.Rule{
		ID: "rfc3987/utf-8", Cite: "RFC 3987, section 1.3",
		Says:    "an IRI is a sequence of characters, and here stand octets that are not UTF-8",
		Fix:     "convert the text to UTF-8, or percent-encode the octets",
		Example: "http://a.example/\xff",
	}
	ruleUCSChar = rule.Rule{
		ID: "rfc3987/ucschar", Cite: "RFC 3987, section 2.2",
		Says:    "a noncharacter, a control of U+0080 to U+009F, a special or a tag, which ucschar leaves out",
		Fix:     "remove it, or percent-encode its UTF-8 octets",
		Example: "http://a.example/\u0080",
	}
	rulePrivate = rule.Rule{
		ID: "rfc3987/iprivate", Cite: "RFC 3987, section 2.2",
		Says:    "a private-use character, which stands in a query alone",
		Fix:     "remove it, or percent-encode its UTF-8 octets",
		Example: "http://a.example/\ue000",
	}
	ruleBidi = rule.Rule{
		ID: "rfc3987/bidi", Cite: "RFC 3987, section 4.1",
		Says:    "a bidirectional formatting character, which an IRI must not contain",
		Fix:     "remove it",
		Example: "http://a.example/\u202e",
	}
)

// A reason is why an octet that no production holds cannot stand anywhere. The
// rule that it breaks is that of the place: the error has the place's ID, and
// the reason's words.
type reason struct{ cite, says, fix string }

func (r *reason) in(place *rule.Rule) *rule.Rule {
	return &rule.Rule{ID: place.ID, Cite: r.cite, Says: r.says, Fix: r.fix, Example: place.Example}
}

var (
	whyBackslash = reason{
		cite: "RFC 3986, section 2",
		says: `"\" is read as "/" by the URL Standard; RFC 3986 has no such character`,
		fix:  `write "/" where a slash is meant, "%5C" where a backslash is`,
	}
	whySpace = reason{
		cite: "RFC 3986, section 2",
		says: "white space does not occur in a URI; the URL Standard strips or encodes it",
		fix:  `write a space as "%20"`,
	}
	whyControl = reason{
		cite: "RFC 3986, section 2",
		says: "a control character does not occur in a URI",
		fix:  "remove it, or percent-encode it",
	}
	whyNonASCII = reason{
		cite: "RFC 3986, section 2; RFC 3987, section 3.1",
		says: "character outside US-ASCII: an IRI may hold it, a URI holds the escapes of its UTF-8 octets",
		fix:  "map the IRI to a URI: percent-encode the octets, or the host by IDNA",
	}
	whyDelims = reason{
		cite: "RFC 3986, section 2",
		says: "one of <, >, \", ^, `, {, | and }, which no production of the grammar holds",
		fix:  "percent-encode it",
	}
)

// Rules lists what this package can refuse, RFC 3986 before RFC 3987.
func Rules() []rule.Rule {
	return []rule.Rule{
		ruleLength, ruleScheme, rulePctEncoded, ruleUserinfo, ruleRegName, ruleIPLiteral, ruleIPv6, ruleIPv4, ruleIPvFuture, rulePort,
		rulePath, ruleNoScheme, ruleQuery, ruleFragment, ruleBase, ruleDots,
		ruleUTF8, ruleUCSChar, rulePrivate, ruleBidi,
	}
}
