package rfc1630

import (
	"anyurl/internal/abnf"
	"anyurl/rule"
)

// The classes that RFC 1630's two grammars are made of. An escape is no single
// character, so it stands in none of them: scan knows it wherever a line says
// xalpha.
var (
	// alpha       a | b | ... | z | A | B | ... | Z
	alpha = abnf.Alpha
	// digit       0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
	// digits      digit [ digits ]
	digit = abnf.Digit
	// extra       ! | * | " | ' | ( | ) | ,
	extra = abnf.Bytes(`!*"'(),`)
	// hex         digit | a | b | c | d | e | f | A | B | C | D | E | F
	// escape      % hex hex      which is [abnf.Escape]
	// reserved    = | ; | / | # | ? | : | space      what has a meaning where a production prints it
	// national    { | } | vline | [ | ] | \ | ^ | ~
	national = abnf.Bytes(`{}|[]\^~`)
	// punctuation  < | >
	punctuation = abnf.Bytes("<>")
	// alphanum    alpha | digit
	// alphanums   alphanum [ alphanums ]
	alphanum = alpha.Or(digit)
	// alphanum2   alpha | digit | - | _ | . | +
	alphanum2 = alpha.Or(digit, abnf.Bytes("-_.+"))

	// Generic syntax:
	// safe        $ | - | _ | @ | . | &
	genericSafe = abnf.Bytes("$-_@.&")
	// xalpha      alpha | digit | safe | extra | escape
	// xalphas     xalpha [ xalphas ]
	genericXalpha = alpha.Or(digit, genericSafe, extra)
	// xpalpha     xalpha | +
	// xpalphas    xpalpha [ xpalpha ]                 read as xpalpha [ xpalphas ]
	genericXpalpha = genericXalpha.Or(abnf.Bytes("+"))
	// path        void | xpalphas [ / path ]          read as [ xpalphas ] [ / path ]
	// void        nothing
	genericPath = genericXpalpha.Or(abnf.Bytes("/"))

	// Specific schemes:
	// safe        $ | - | _ | @ | . | & | + | -
	safe = abnf.Bytes("$-_@.&+-")
	// xalpha      alpha | digit | safe | extra | escape
	// xalphas     xalpha [ xalphas ]
	xalpha = alpha.Or(digit, safe, extra)
	// xpalpha     xalpha | +
	// xpalphas    xpalpha [ xpalphas ]
	xpalpha = xalpha.Or(abnf.Bytes("+"))
	// path        void | segment [ / path ]           read as [ segment ] [ / path ]
	// segment     xpalphas
	path = xpalpha.Or(abnf.Bytes("/"))

	// hostname    ialpha [ . hostname ]               read without "@", which separates
	hostChar = xalpha.Minus(abnf.Bytes("@"))

	// what a partial form may be made of, in any scheme
	partial = path.Or(abnf.Bytes("=;#?:"))
)

// The rules, one for each production that can be broken.
var (
	ruleLength = rule.Rule{
		ID: "rfc1630/length", Cite: "RFC 1630 sets no limit; this one is ours",
		Says: "input is longer than 4294967295 bytes",
		Fix:  "cut the input where the URI ends",
	}
	ruleScheme = rule.Rule{
		ID: "rfc1630/scheme", Cite: "RFC 1630, BNF of Generic URI Syntax",
		Says:    `a URI starts with a scheme, which starts with a letter, and ":"`,
		Fix:     "put the scheme in front, or resolve the partial form in its context",
		Example: "//a.example/x",
	}
	ruleEscape = rule.Rule{
		ID: "rfc1630/escape", Cite: "RFC 1630, Reserved characters, The percent sign",
		Says:    `"%" is not followed by two hexadecimal digits`,
		Fix:     `write a literal percent sign as "%25"`,
		Example: "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred",
	}
	rulePath = rule.Rule{
		ID: "rfc1630/path", Cite: "RFC 1630, BNF of Generic URI Syntax",
		Says:    `":", ";" and "=" are reserved and do not stand in a path`,
		Fix:     "percent-encode it",
		Example: "x:a:b",
	}
	ruleSearch = rule.Rule{
		ID: "rfc1630/search", Cite: "RFC 1630, BNF of Generic URI Syntax",
		Says:    `a search is words between "+" signs, with something in each, and holds no "/", "?", ":", ";" and "="`,
		Fix:     `write the words with "+" between them, and escape what is reserved`,
		Example: "http://a.example/?",
	}
	ruleFragment = rule.Rule{
		ID: "rfc1630/fragmentid", Cite: "RFC 1630, Fragment-id",
		Says:    "reserved characters do not stand in a fragment identifier",
		Fix:     "percent-encode it",
		Example: "http://a.example/#a/b",
	}
	ruleSlashes = rule.Rule{
		ID: "rfc1630/url", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `this scheme goes on with "//", which starts a host`,
		Fix:     `write "//" and the host`,
		Example: "http:/a.example",
	}
	rulePrefixed = rule.Rule{
		ID: "rfc1630/prefixedurl", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `"url:" stands before http, ftp, news, nntp, prospero, telnet, gopher, wais, mailto, mid or cid`,
		Fix:     `leave out "url:"`,
		Example: "url:afs://a.example/x",
	}
	ruleLogin = rule.Rule{
		ID: "rfc1630/login", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `"@" ends a user name and a password, which are letters, digits, "-", "_", "." and "+", and stands once`,
		Fix:     "leave the user name out; it has no escapes",
		Example: "ftp://a@b@c.example/",
	}
	ruleHostport = rule.Rule{
		ID: "rfc1630/hostport", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `this scheme takes no user name, and no "@" stands in a host`,
		Fix:     `leave out what stands before "@", and "@"`,
		Example: "http://user@a.example/",
	}
	ruleHost = rule.Rule{
		ID: "rfc1630/host", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    "a host name starts with a letter",
		Fix:     "write the host's name, or its address as four numbers between dots",
		Example: "http:///x",
	}
	ruleHostnumber = rule.Rule{
		ID: "rfc1630/hostnumber", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    "what starts with a digit is an address: four numbers between dots",
		Fix:     "write all four numbers",
		Example: "http://1.2.3/",
	}
	rulePort = rule.Rule{
		ID: "rfc1630/port", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    "a port is one decimal digit or more",
		Fix:     "write the port as a number, or leave its colon out",
		Example: "http://a.example:/",
	}
	ruleHTTP = rule.Rule{
		ID: "rfc1630/httpaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the host comes "/" and a path, "?" and a search, or both`,
		Fix:     "percent-encode it",
		Example: "http://a.example;x",
	}
	ruleFTP = rule.Rule{
		ID: "rfc1630/ftpaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the host comes "/" and a path, and then ";type=" and a type, or nothing`,
		Fix:     `put "/" behind the host, and escape what is reserved`,
		Example: "ftp://a.example",
	}
	ruleFtptype = rule.Rule{
		ID: "rfc1630/ftptype", Cite: "RFC 1630, BNF for specific URL schemes; ftp, Data type",
		Says:    "a type is A or E with a form code, N, T or C; I; or L with digits",
		Fix:     `write it as in ";type=AN", ";type=I" or ";type=L8"`,
		Example: "ftp://a.example/f;type=A",
	}
	ruleAFS = rule.Rule{
		ID: "rfc1630/afsaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the cell's name comes "/" and a path`,
		Fix:     `put "/" behind the cell's name`,
		Example: "afs://cell",
	}
	ruleGroupart = rule.Rule{
		ID: "rfc1630/groupart", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `a news address names "*", a group, which starts with a letter, or an article, with "@" and a host`,
		Fix:     "write the group's name or the message-id",
		Example: "news:",
	}
	ruleNNTP = rule.Rule{
		ID: "rfc1630/nntpaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `an nntp address is a group, "/" and a number; it names no host`,
		Fix:     `write it as in "nntp:alt.test/123"`,
		Example: "nntp:alt.test",
	}
	ruleAddr = rule.Rule{
		ID: "rfc1630/addr-spec", Cite: "RFC 1630, BNF for specific URL schemes; RFC 822",
		Says:    `an identifier of a message or of a part of one is something, "@", and a host`,
		Fix:     "write the identifier whole, without angle brackets",
		Example: "mid:abc",
	}
	ruleMailto = rule.Rule{
		ID: "rfc1630/mailtoaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `a mail address is something, "@", and a host name`,
		Fix:     "write the address whole",
		Example: "mailto:abc",
	}
	ruleWAIS = rule.Rule{
		ID: "rfc1630/waisaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the host comes "/" and a database, and then "?" and a search, or "/", a type, "/" and a path`,
		Fix:     "write both type and path, or neither",
		Example: "wais://a.example/",
	}
	ruleWpath = rule.Rule{
		ID: "rfc1630/wpath", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `a document's path is digits, "=", a path and ";", once or more`,
		Fix:     `write it as in "1=a;2=b;"`,
		Example: "wais://a.example/db/TEXT/1=a",
	}
	ruleProspero = rule.Rule{
		ID: "rfc1630/prosperolink", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the host comes "/" and a name`,
		Fix:     `put "/" behind the host`,
		Example: "prospero://a.example",
	}
	ruleTelnet = rule.Rule{
		ID: "rfc1630/telnetaddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `nothing follows the host, not even "/"`,
		Fix:     "leave out what follows the host",
		Example: "telnet://a.example/",
	}
	ruleGopher = rule.Rule{
		ID: "rfc1630/gopheraddress", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `after the host comes "/", a type and a command, or nothing`,
		Fix:     "escape what is reserved",
		Example: "gopher://a.example/7a?b",
	}
	ruleGtype = rule.Rule{
		ID: "rfc1630/gtype", Cite: "RFC 1630, BNF for specific URL schemes",
		Says:    `"/" is followed by a type of one character`,
		Fix:     `leave "/" out, or write "/1"`,
		Example: "gopher://a.example/",
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
	whyXalpha = reason{
		cite: "RFC 1630, Unsafe characters",
		says: "a control character, a grave accent, or an octet outside US-ASCII, which a URI holds only as an escape",
		fix:  "percent-encode it",
	}
	whySpace = reason{
		cite: "RFC 1630, Unsafe characters",
		says: "a space is encoded wherever it stands in a URI",
		fix:  `write it as "%20"`,
	}
	whyBackslash = reason{
		cite: "RFC 1630, BNF of Generic URI Syntax",
		says: `"\" is read as "/" by the URL Standard; RFC 1630 calls it a national character, which may not appear`,
		fix:  `write "/" where a slash is meant, "%5C" where a backslash is`,
	}
	whyNational = reason{
		cite: "RFC 1630, BNF of Generic URI Syntax",
		says: "one of the national characters {, }, |, [, ], ^ and ~, which may not appear",
		fix:  "percent-encode it",
	}
	whyPunctuation = reason{
		cite: "RFC 1630, BNF of Generic URI Syntax",
		says: "< and > are punctuation, which may not appear",
		fix:  "percent-encode it",
	}
)

// Rules lists what this package can refuse.
func Rules() []rule.Rule {
	return []rule.Rule{
		ruleLength, ruleScheme, ruleEscape, rulePath, ruleSearch, ruleFragment, ruleSlashes, rulePrefixed, ruleLogin, ruleHostport, ruleHost, ruleHostnumber, rulePort,
		ruleHTTP, ruleFTP, ruleFtptype, ruleAFS, ruleGroupart, ruleNNTP, ruleAddr, ruleMailto, ruleWAIS, ruleWpath,
		ruleProspero, ruleTelnet, ruleGopher, ruleGtype,
	}
}
