package rfc1738

import (
	"anyurl/internal/abnf"
	"anyurl/rule"
)

// The classes that the productions of RFC 1738, section 5, are made of. An
// escape is no single octet, so it stands in none of them: scan knows it
// wherever a line says uchar or xchar.
var (
	// lowalpha    = "a" | "b" | ... | "z"
	lowalpha = abnf.Range('a', 'z')
	// hialpha     = "A" | "B" | ... | "Z"
	hialpha = abnf.Range('A', 'Z')
	// alpha       = lowalpha | hialpha
	alpha = lowalpha.Or(hialpha)
	// digit       = "0" | "1" | ... | "9"
	digit = abnf.Digit
	// digits      = 1*digit
	// safe        = "$" | "-" | "_" | "." | "+"
	safe = abnf.Bytes("$-_.+")
	// extra       = "!" | "*" | "'" | "(" | ")" | ","
	extra = abnf.Bytes("!*'(),")
	// national    = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"
	national = abnf.Bytes("{}|\\^~[]`")
	// punctuation = "<" | ">" | "#" | "%" | <">
	punctuation = abnf.Bytes(`<>#%"`)

	// reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
	reserved = abnf.Bytes(";/?:@&=")
	// hex         = digit | "A" | ... | "F" | "a" | ... | "f"
	// escape      = "%" hex hex      which is [abnf.Escape]

	// unreserved  = alpha | digit | safe | extra
	unreserved = alpha.Or(digit, safe, extra)
	// uchar       = unreserved | escape
	uchar = unreserved
	// xchar       = unreserved | reserved | escape
	xchar = unreserved.Or(reserved)
	// alphadigit  = alpha | digit
	alphadigit = alpha.Or(digit)

	// ; the scheme is in lower case; interpreters should use case-ignore
	// scheme      = 1*[ lowalpha | digit | "+" | "-" | "." ]
	scheme = lowalpha.Or(hialpha, digit, abnf.Bytes("+-."))

	// user        = *[ uchar | ";" | "?" | "&" | "=" ]
	user = uchar.Or(abnf.Bytes(";?&="))
	// password    = *[ uchar | ";" | "?" | "&" | "=" ]
	password = uchar.Or(abnf.Bytes(";?&="))
	// the characters of hostname and hostnumber
	hostChar = alphadigit.Or(abnf.Bytes("-."))
	// urlpath     = *xchar    ; depends on protocol see section 3.1
	urlpath = xchar

	// fpath       = fsegment *[ "/" fsegment ]
	// fsegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
	fsegment = uchar.Or(abnf.Bytes("?:@&="))
	fpath    = fsegment.Or(abnf.Bytes("/"))
	// ftptype     = "A" | "I" | "D" | "a" | "i" | "d"
	ftptype = abnf.Bytes("AIDaid")

	// hpath       = hsegment *[ "/" hsegment ]
	// hsegment    = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
	hsegment = uchar.Or(abnf.Bytes(";:@&="))
	hpath    = hsegment.Or(abnf.Bytes("/"))
	// search      = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
	search = uchar.Or(abnf.Bytes(";:@&="))

	// group       = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
	groupRest = alpha.Or(digit, abnf.Bytes("-.+_"))
	// article     = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
	articleID = uchar.Or(abnf.Bytes(";/?:&="))

	// ppath       = psegment *[ "/" psegment ]
	// psegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
	psegment = uchar.Or(abnf.Bytes("?:@&="))
	ppath    = psegment.Or(abnf.Bytes("/"))
	// fieldname   = *[ uchar | "?" | ":" | "@" | "&" ]
	fieldname = uchar.Or(abnf.Bytes("?:@&"))
	// fieldvalue  = *[ uchar | "?" | ":" | "@" | "&" ]
	fieldvalue = uchar.Or(abnf.Bytes("?:@&"))
)

func cite(section string) string { return "RFC 1738, " + section }

// The rules, one for each production that can be broken.
var (
	ruleLength = rule.Rule{
		ID: "rfc1738/length", Cite: "RFC 1738 sets no limit; this one is ours",
		Says: "input is longer than 4294967295 bytes",
		Fix:  "cut the input where the URL ends",
	}
	ruleScheme = rule.Rule{
		ID: "rfc1738/scheme", Cite: cite("section 2.1"),
		Says:    `a URL starts with a scheme: letters, digits, "+", "." or "-", then ":"`,
		Fix:     "put the scheme in front; RFC 1738 has no relative form",
		Example: "//a.example/x",
	}
	ruleRelative = rule.Rule{
		ID: "rfc1738/relative", Cite: cite("section 2.3"),
		Says:    "RFC 1738 has no relative form; RFC 1808 brought it",
		Fix:     "write the whole URL, or resolve the reference by another standard",
		Example: "../x",
	}
	ruleEscape = rule.Rule{
		ID: "rfc1738/escape", Cite: cite("section 2.2"),
		Says:    `"%" is not followed by two hexadecimal digits`,
		Fix:     `write a literal percent sign as "%25"`,
		Example: "http://a.example/100%",
	}
	ruleSchemepart = rule.Rule{
		ID: "rfc1738/ip-schemepart", Cite: cite("section 3.1"),
		Says:    `this scheme goes on with "//", which starts a host`,
		Fix:     `write "//" and the host`,
		Example: "http:a.example/",
	}
	ruleXchar = rule.Rule{
		ID: "rfc1738/schemepart", Cite: cite("section 5"),
		Says:    `what follows the scheme is letters, digits, $-_.+!*'(),;/?:@&= and escapes`,
		Fix:     "percent-encode it",
		Example: "x:a#b",
	}
	ruleLogin = rule.Rule{
		ID: "rfc1738/login", Cite: cite("section 3.1"),
		Says:    `":", "@" and "/" must be encoded within the user name and the password`,
		Fix:     `write them as "%3A", "%40" and "%2F"`,
		Example: "ftp://a@b@c.example/",
	}
	ruleHostport = rule.Rule{
		ID: "rfc1738/hostport", Cite: cite("sections 3.3 to 3.11"),
		Says:    "this scheme takes no user name and no password",
		Fix:     `leave out what stands before "@", and "@"`,
		Example: "http://user@a.example/",
	}
	ruleHost = rule.Rule{
		ID: "rfc1738/host", Cite: cite("section 3.1"),
		Says:    "a host is a domain name of letters, digits, hyphens and dots, or four numbers between dots",
		Fix:     "write the host's name",
		Example: "http:///x",
	}
	ruleDomainlabel = rule.Rule{
		ID: "rfc1738/domainlabel", Cite: cite("section 3.1"),
		Says:    "a label of a domain name starts and ends with a letter or a digit",
		Fix:     "remove the hyphen or the dot",
		Example: "http://-a.example/",
	}
	ruleToplabel = rule.Rule{
		ID: "rfc1738/toplabel", Cite: cite("section 3.1"),
		Says:    "the rightmost label of a domain name starts with a letter; an address is four numbers between dots",
		Fix:     "write the whole name, or all four numbers",
		Example: "http://a.example.1/",
	}
	rulePort = rule.Rule{
		ID: "rfc1738/port", Cite: cite("section 3.1"),
		Says:    `a port is one decimal digit or more; without one, ":" is omitted as well`,
		Fix:     "write the port as a number, or leave its colon out",
		Example: "http://a.example:/",
	}
	ruleFTP = rule.Rule{
		ID: "rfc1738/ftpurl", Cite: cite("section 3.2"),
		Says:    `after the host comes "/" and the path, or nothing`,
		Fix:     `put "/" in front of it`,
		Example: "ftp://a.example?x",
	}
	ruleFsegment = rule.Rule{
		ID: "rfc1738/fsegment", Cite: cite("sections 3.2.2 and 5"),
		Says:    `";" does not stand in a directory or file name`,
		Fix:     `write it as "%3B"`,
		Example: "file://a.example/a;b",
	}
	ruleFtptype = rule.Rule{
		ID: "rfc1738/ftptype", Cite: cite("section 3.2.2"),
		Says:    `";" starts ";type=" and one of a, i and d, which end the URL; in names it must be encoded`,
		Fix:     `write ";type=a", ";type=i" or ";type=d", or "%3B" where a semicolon is meant`,
		Example: "ftp://a.example/f;type=x",
	}
	ruleFile = rule.Rule{
		ID: "rfc1738/fileurl", Cite: cite("section 3.10"),
		Says:    `a file URL is "file://", a host or none, "/" and the path; it has no port`,
		Fix:     `write "file:///" for a file of this machine`,
		Example: "file://a.example:80/x",
	}
	ruleHTTP = rule.Rule{
		ID: "rfc1738/httpurl", Cite: cite("section 3.3"),
		Says:    `after the host comes "/" and the path, or nothing`,
		Fix:     `put "/" in front of it`,
		Example: "http://a.example?x",
	}
	ruleHsegment = rule.Rule{
		ID: "rfc1738/hsegment", Cite: cite("section 5"),
		Says:    `a segment of an http path is letters, digits, $-_.+!*'(),;:@&= and escapes`,
		Fix:     "percent-encode it",
		Example: "http://a.example/~user/",
	}
	ruleSearch = rule.Rule{
		ID: "rfc1738/search", Cite: cite("sections 3.3 and 5"),
		Says:    `"/" and "?" are reserved and do not stand in the search part`,
		Fix:     `write them as "%2F" and "%3F"`,
		Example: "http://a.example/?a/b",
	}
	ruleGopher = rule.Rule{
		ID: "rfc1738/gopherurl", Cite: cite("section 3.4"),
		Says:    `after the host comes "/" and the type, or nothing`,
		Fix:     `put "/" in front of it`,
		Example: "gopher://a.example?x",
	}
	ruleGtype = rule.Rule{
		ID: "rfc1738/gtype", Cite: cite("section 3.4"),
		Says:    "a gopher type is one character, or an escape",
		Fix:     "percent-encode it",
		Example: "gopher://a.example/{",
	}
	ruleSelector = rule.Rule{
		ID: "rfc1738/selector", Cite: cite("section 3.4"),
		Says:    `a selector is letters, digits, $-_.+!*'(),;/?:@&= and escapes`,
		Fix:     "percent-encode it",
		Example: "gopher://a.example/0about us",
	}
	ruleAddr = rule.Rule{
		ID: "rfc1738/encoded822addr", Cite: cite("section 3.5"),
		Says:    "a mailto URL names an address",
		Fix:     `write the address behind "mailto:"`,
		Example: "mailto:",
	}
	ruleGroup = rule.Rule{
		ID: "rfc1738/group", Cite: cite("section 3.6"),
		Says:    `a newsgroup starts with a letter and goes on with letters, digits, "-", ".", "+" and "_"`,
		Fix:     `write the group's name, or "*" alone for all groups in news`,
		Example: "news:alt.*",
	}
	ruleArticle = rule.Rule{
		ID: "rfc1738/article", Cite: cite("section 3.6"),
		Says:    `a message-id is one character or more, "@", and a host that ends the URL`,
		Fix:     "write the message-id without angle brackets",
		Example: "news:@a.example",
	}
	ruleNNTP = rule.Rule{
		ID: "rfc1738/nntpurl", Cite: cite("section 3.7"),
		Says:    `an nntp URL is host, "/", group, and then "/" and a number or nothing`,
		Fix:     "write the group, and the article's number in it",
		Example: "nntp://a.example/alt.b/x",
	}
	ruleTelnet = rule.Rule{
		ID: "rfc1738/telneturl", Cite: cite("section 3.8"),
		Says:    `after the host comes "/" or nothing, and nothing after that`,
		Fix:     "leave out what follows the host",
		Example: "telnet://a.example/x",
	}
	ruleWAIS = rule.Rule{
		ID: "rfc1738/waisurl", Cite: cite("section 3.9"),
		Says:    `a wais URL is host, "/" and database, and then "?" and a search, or "/", type, "/" and path`,
		Fix:     "write both type and path, or neither",
		Example: "wais://a.example/db/type",
	}
	ruleDatabase = rule.Rule{
		ID: "rfc1738/database", Cite: cite("section 5"),
		Says:    `a database is named by letters, digits, $-_.+!*'(), and escapes; no reserved character stands in it`,
		Fix:     "percent-encode it",
		Example: "wais://a.example/a=b",
	}
	ruleWtype = rule.Rule{
		ID: "rfc1738/wtype", Cite: cite("section 5"),
		Says:    `a document's type is letters, digits, $-_.+!*'(), and escapes; no reserved character stands in it`,
		Fix:     "percent-encode it",
		Example: "wais://a.example/db/a?b",
	}
	ruleWpath = rule.Rule{
		ID: "rfc1738/wpath", Cite: cite("section 5"),
		Says:    `a document's path is letters, digits, $-_.+!*'(), and escapes; no reserved character stands in it`,
		Fix:     "percent-encode it",
		Example: "wais://a.example/db/type/a/b",
	}
	ruleProspero = rule.Rule{
		ID: "rfc1738/prosperourl", Cite: cite("section 3.11"),
		Says:    `a prospero URL is host, "/" and name, and then ";", field, "=" and value, as often as wanted`,
		Fix:     `put "/" behind the host`,
		Example: "prospero://a.example?x",
	}
	rulePsegment = rule.Rule{
		ID: "rfc1738/psegment", Cite: cite("section 5"),
		Says:    `a segment of a prospero name is letters, digits, $-_.+!*'(),?:@&= and escapes`,
		Fix:     "percent-encode it",
		Example: "prospero://a.example/a^b",
	}
	ruleFieldspec = rule.Rule{
		ID: "rfc1738/fieldspec", Cite: cite("section 3.11"),
		Says:    `";" is followed by a field's name, one "=", and its value, in which "/", ";" and "=" must be encoded`,
		Fix:     `write ";name=value"`,
		Example: "prospero://a.example/x;a",
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
	whyGraphic = reason{
		cite: cite("section 2.2, No corresponding graphic US-ASCII"),
		says: "a control character, or an octet outside US-ASCII, which must be encoded",
		fix:  "percent-encode it",
	}
	whySpace = reason{
		cite: cite("section 2.2, Unsafe"),
		says: "a space is unsafe and must be encoded",
		fix:  `write it as "%20"`,
	}
	whyBackslash = reason{
		cite: cite("section 2.2, Unsafe"),
		says: `"\" is read as "/" by the URL Standard; RFC 1738 calls it unsafe, and it must be encoded`,
		fix:  `write "/" where a slash is meant, "%5C" where a backslash is`,
	}
	whyNational = reason{
		cite: cite("section 2.2, Unsafe"),
		says: "one of {, }, |, ^, ~, [, ] and `, which gateways modify and which must be encoded",
		fix:  "percent-encode it",
	}
	whyPunctuation = reason{
		cite: cite("section 2.2, Unsafe"),
		says: `one of <, >, " and #, which delimit URLs in text and must be encoded; a fragment is no part of a URL`,
		fix:  "cut the fragment off, or percent-encode the character",
	}
)

// Rules lists what this package can refuse.
func Rules() []rule.Rule {
	return []rule.Rule{
		ruleLength, ruleScheme, ruleRelative, ruleEscape, ruleXchar, ruleSchemepart, ruleLogin, ruleHostport, ruleHost, ruleDomainlabel,
		ruleToplabel, rulePort, ruleFTP, ruleFsegment, ruleFtptype, ruleFile, ruleHTTP, ruleHsegment, ruleSearch, ruleGopher, ruleGtype,
		ruleSelector, ruleAddr, ruleGroup, ruleArticle, ruleNNTP, ruleTelnet, ruleWAIS, ruleDatabase, ruleWtype, ruleWpath, ruleProspero,
		rulePsegment, ruleFieldspec,
	}
}
