package rfc1738

import (
	"errors"
	"math"
	"strings"

	"anyurl/internal/abnf"
	"anyurl/rule"
)

// Parse reads a URL by the grammar of its scheme.
//
//	url      = httpurl | ftpurl | newsurl |
//	           nntpurl | telneturl | gopherurl |
//	           waisurl | mailtourl | fileurl |
//	           prosperourl | otherurl
//	otherurl = genericurl
//
// "otherurl" is for "new schemes": a URL of a scheme that the document defines
// does not escape its grammar through it. The error is a *[rule.Error].
func Parse(s string) (URL, error) { return run(s, (*parser).url) }

// ParseGeneric reads a URL of any scheme by the generic form alone.
//
//	genericurl = scheme ":" schemepart
//
// The error is a *[rule.Error].
func ParseGeneric(s string) (URL, error) { return run(s, (*parser).genericurl) }

// Resolve says that there is nothing to resolve: "relative links are not
// described in this document" (section 2.3). A whole URL stands for itself;
// for anything else the error, a *[rule.Error], tells that RFC 1738 has no
// relative form.
func Resolve(base URL, ref string) (URL, error) {
	u, err := Parse(ref)
	var e *rule.Error
	if errors.As(err, &e) && e.Rule == ruleScheme {
		return URL{}, &rule.Error{Input: ref, Offset: e.Offset, Rule: ruleRelative}
	}
	return u, err
}

// A parser stands at s[i]. A broken rule ends it: bad names the rule, and i is
// where.
type parser struct {
	u   URL
	s   string
	i   int
	bad *rule.Rule
}

func run(s string, production func(*parser)) (URL, error) {
	p := parser{u: URL{s: s}, s: s}
	if most := uint64(math.MaxUint32); uint64(len(s)) > most {
		p.i, p.bad = int(most), &ruleLength
	} else {
		production(&p)
	}
	if p.bad != nil {
		return URL{}, &rule.Error{Input: s, Offset: p.i, Rule: *p.bad}
	}
	return p.u, nil
}

func (p *parser) fail(i int, r *rule.Rule) bool {
	p.i, p.bad = i, r
	return false
}

func (p *parser) at(c byte) bool { return p.i < len(p.s) && p.s[p.i] == c }

// take reads what set holds, and escapes, as a part.
func (p *parser) take(part Part, set *abnf.Set) {
	start := p.i
	p.i = set.Scan(p.s, p.i)
	p.u.put(part, start, p.i)
}

// end holds that the text ends here. Where it does not, the byte breaks its own
// rule or else that of the place.
func (p *parser) end(place *rule.Rule) bool {
	return p.i == len(p.s) || p.blame(p.i, place)
}

func (p *parser) blame(i int, place *rule.Rule) bool {
	if i == len(p.s) {
		return p.fail(i, place)
	}
	switch c := p.s[i]; {
	case abnf.Escape(p.s, i):
		return p.fail(i, place)
	case c == '%':
		return p.fail(i, &ruleEscape)
	case c == ' ':
		return p.fail(i, whySpace.in(place))
	case c < ' ' || c > '~':
		return p.fail(i, whyGraphic.in(place))
	case c == '\\':
		return p.fail(i, whyBackslash.in(place))
	case national[c]:
		return p.fail(i, whyNational.in(place))
	case punctuation[c]:
		return p.fail(i, whyPunctuation.in(place))
	}
	return p.fail(i, place)
}

// url = httpurl | ftpurl | newsurl | nntpurl | telneturl | gopherurl |
// waisurl | mailtourl | fileurl | prosperourl | otherurl
func (p *parser) url() {
	if !p.scheme() {
		return
	}
	var name [8]byte // the longest scheme of section 3
	lower := name[:0]
	for i := 0; i < p.i-1 && i < len(name); i++ {
		c := p.s[i]
		if hialpha[c] {
			c += 'a' - 'A'
		}
		lower = append(lower, c)
	}
	if p.i-1 > len(name) {
		lower = nil
	}
	switch string(lower) {
	case "ftp":
		p.ftpurl()
	case "file":
		p.fileurl()
	case "http":
		p.httpurl()
	case "gopher":
		p.gopherurl()
	case "mailto":
		p.mailtourl()
	case "news":
		p.newsurl()
	case "nntp":
		p.nntpurl()
	case "telnet":
		p.telneturl()
	case "wais":
		p.waisurl()
	case "prospero":
		p.prosperourl()
	default:
		p.schemepart(OtherURL)
	}
}

// genericurl = scheme ":" schemepart
func (p *parser) genericurl() {
	if p.scheme() {
		p.schemepart(GenericURL)
	}
}

// scheme = 1*[ lowalpha | digit | "+" | "-" | "." ], and the ":" behind it
func (p *parser) scheme() bool {
	n := scheme.Span(p.s)
	if n == 0 || n == len(p.s) || p.s[n] != ':' {
		return p.fail(n, &ruleScheme)
	}
	p.u.put(Scheme, 0, n)
	p.i = n + 1
	return true
}

// schemepart = *xchar | ip-schemepart
//
// All that the second alternative derives, the first does too: it is
// ip-schemepart where it can be.
func (p *parser) schemepart(prod Production) {
	p.u.prod = prod
	before := *p
	// ip-schemepart = "//" login [ "/" urlpath ]
	if p.slashes() && p.login() {
		if p.at('/') {
			p.i++
			p.take(URLPath, &urlpath)
		}
		if p.i == len(p.s) {
			return
		}
	}
	*p = before
	p.i = xchar.Scan(p.s, p.i)
	p.end(&ruleXchar)
}

func (p *parser) slashes() bool {
	for range 2 {
		if !p.at('/') {
			return p.blame(p.i, &ruleSchemepart)
		}
		p.i++
	}
	return true
}

// login = [ user [ ":" password ] "@" ] hostport
func (p *parser) login() bool {
	i := user.Scan(p.s, p.i)
	if i < len(p.s) && p.s[i] == '@' {
		p.u.put(User, p.i, i)
		p.i = i + 1
	} else if i < len(p.s) && p.s[i] == ':' {
		if j := password.Scan(p.s, i+1); j < len(p.s) && p.s[j] == '@' {
			p.u.put(User, p.i, i)
			p.u.put(Password, i+1, j)
			p.i = j + 1
		}
	}
	return p.hostport(&ruleLogin)
}

// hostport = host [ ":" port ]
// port     = digits
//
// An "@" that stands where none can breaks the rule given, rather than what it
// makes of the text before it.
func (p *parser) hostport(at *rule.Rule) bool {
	start := p.i
	if p.host() && p.port() && (p.i == len(p.s) || p.at('/')) {
		return true
	}
	switch p.bad {
	case nil, &ruleHost, &ruleDomainlabel, &ruleToplabel, &rulePort:
		login := p.s[start:]
		if i := strings.IndexByte(login, '/'); i >= 0 {
			login = login[:i]
		}
		if i := strings.IndexByte(login, '@'); i >= 0 {
			return p.fail(start+i, at)
		}
	}
	return p.bad == nil
}

// port reads ":" and the port, where they are.
func (p *parser) port() bool {
	if !p.at(':') {
		return true
	}
	p.i++
	start := p.i
	p.i += digit.Span(p.s[start:])
	if p.i == start || p.i < len(p.s) && p.s[p.i] != '/' {
		return p.blame(p.i, &rulePort)
	}
	p.u.put(Port, start, p.i)
	return true
}

// host       = hostname | hostnumber
// hostname   = *[ domainlabel "." ] toplabel
// hostnumber = digits "." digits "." digits "." digits
func (p *parser) host() bool {
	start, end := p.i, p.i+hostChar.Span(p.s[p.i:])
	if start == end {
		return p.blame(start, &ruleHost)
	}
	kind := Hostnumber
	if !hostnumber(p.s[start:end]) {
		kind = Hostname
		if !p.hostname(end) {
			return false
		}
	}
	if end < len(p.s) && !reserved[p.s[end]] {
		return p.blame(end, &ruleHost)
	}
	p.u.put(Host, start, end)
	p.u.host = kind
	p.i = end
	return true
}

func hostnumber(s string) bool {
	for n := range 4 {
		if n > 0 {
			if s == "" || s[0] != '.' {
				return false
			}
			s = s[1:]
		}
		i := digit.Span(s)
		if i == 0 {
			return false
		}
		s = s[i:]
	}
	return s == ""
}

// hostname checks the text up to end, label by label.
//
//	domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
//	toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
func (p *parser) hostname(end int) bool {
	for i := p.i; ; {
		j := i
		for j < end && p.s[j] != '.' {
			j++
		}
		top := j == end
		switch {
		case i == j && top, top && digit[p.s[i]]:
			return p.fail(i, &ruleToplabel)
		case i == j || p.s[i] == '-':
			return p.fail(i, &ruleDomainlabel)
		case p.s[j-1] == '-':
			return p.fail(j-1, &ruleDomainlabel)
		case top:
			return true
		}
		i = j + 1
	}
}

// slash reads the "/" behind the host. It reports whether there is one; where
// something else stands, the rule given is broken.
func (p *parser) slash(place *rule.Rule) bool {
	if p.i == len(p.s) || !p.at('/') && !p.blame(p.i, place) {
		return false
	}
	p.i++
	return true
}

// ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
func (p *parser) ftpurl() {
	p.u.prod = FTPURL
	if !p.slashes() || !p.login() || !p.slash(&ruleFTP) {
		return
	}
	p.take(FPath, &fpath)
	if p.at(';') {
		const mark = ";type="
		if !strings.HasPrefix(p.s[p.i:], mark) {
			p.fail(p.i, &ruleFtptype)
			return
		}
		i := p.i + len(mark)
		if i == len(p.s) || !ftptype[p.s[i]] {
			p.blame(i, &ruleFtptype)
			return
		}
		p.u.put(FTPType, i, i+1)
		p.i = i + 1
		p.end(&ruleFtptype)
		return
	}
	p.end(&ruleFsegment)
}

// fileurl = "file://" [ host | "localhost" ] "/" fpath
func (p *parser) fileurl() {
	p.u.prod = FileURL
	if !p.slashes() {
		return
	}
	if p.at('/') {
		p.u.put(Host, p.i, p.i)
		p.u.host = HostEmpty
	} else if p.i == len(p.s) || !p.host() {
		if p.bad == nil {
			p.fail(p.i, &ruleFile)
		}
		return
	}
	if p.i == len(p.s) {
		p.fail(p.i, &ruleFile)
		return
	}
	if p.slash(&ruleFile) {
		p.take(FPath, &fpath)
		p.end(&ruleFsegment)
	}
}

// httpurl = "http://" hostport [ "/" hpath [ "?" search ]]
func (p *parser) httpurl() {
	p.u.prod = HTTPURL
	if !p.slashes() || !p.hostport(&ruleHostport) || !p.slash(&ruleHTTP) {
		return
	}
	p.take(HPath, &hpath)
	if !p.at('?') {
		p.end(&ruleHsegment)
		return
	}
	p.i++
	p.take(Search, &search)
	p.end(&ruleSearch)
}

//	gopherurl      = "gopher://" hostport [ / [ gtype [ selector
//	                 [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
//	gtype          = xchar
//	selector       = *xchar
//	gopher+_string = *xchar
//
// The first "%09" behind the type ends the selector and the second the search,
// in which no character is reserved (section 3.4.1).
func (p *parser) gopherurl() {
	p.u.prod = GopherURL
	if !p.slashes() || !p.hostport(&ruleHostport) || !p.slash(&ruleGopher) || p.i == len(p.s) {
		return
	}
	switch {
	case xchar[p.s[p.i]]:
		p.u.put(GType, p.i, p.i+1)
		p.i++
	case abnf.Escape(p.s, p.i):
		p.u.put(GType, p.i, p.i+3)
		p.i += 3
	default:
		p.blame(p.i, &ruleGtype)
		return
	}
	start := p.i
	p.i = xchar.Scan(p.s, p.i)
	if !p.end(&ruleSelector) {
		return
	}
	for _, part := range [...]Part{Selector, Search, GopherPlus} {
		n := -1
		if part != GopherPlus {
			n = strings.Index(p.s[start:], "%09")
		}
		if n < 0 {
			p.u.put(part, start, len(p.s))
			return
		}
		p.u.put(part, start, start+n)
		start += n + len("%09")
	}
}

// mailtourl      = "mailto:" encoded822addr
// encoded822addr = 1*xchar               ; further defined in RFC822
func (p *parser) mailtourl() {
	p.u.prod = MailtoURL
	start := p.i
	p.take(Encoded822Addr, &xchar)
	if p.i == start {
		p.blame(p.i, &ruleAddr)
		return
	}
	p.end(&ruleAddr)
}

// newsurl   = "news:" grouppart
// grouppart = "*" | group | article
// article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
//
// Only an article holds an "@".
func (p *parser) newsurl() {
	p.u.prod = NewsURL
	start := p.i
	p.u.put(GroupPart, start, len(p.s))
	if i := articleID.Scan(p.s, start); i < len(p.s) && p.s[i] == '@' {
		if i == start {
			p.fail(i, &ruleArticle)
			return
		}
		p.u.put(Article, start, len(p.s))
		p.i = i + 1
		if p.host() {
			p.end(&ruleArticle)
		}
		return
	}
	if p.s[start:] == "*" {
		return
	}
	if p.group() {
		p.end(&ruleGroup)
	}
}

// group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
func (p *parser) group() bool {
	if p.i == len(p.s) || !alpha[p.s[p.i]] {
		return p.blame(p.i, &ruleGroup)
	}
	end := p.i + groupRest.Span(p.s[p.i:])
	p.u.put(Group, p.i, end)
	p.i = end
	return true
}

// nntpurl = "nntp://" hostport "/" group [ "/" digits ]
func (p *parser) nntpurl() {
	p.u.prod = NNTPURL
	if !p.slashes() || !p.hostport(&ruleHostport) {
		return
	}
	if p.i == len(p.s) {
		p.fail(p.i, &ruleNNTP)
		return
	}
	if !p.slash(&ruleNNTP) || !p.group() {
		return
	}
	if p.at('/') {
		p.i++
		i := p.i + digit.Span(p.s[p.i:])
		if i == p.i {
			p.blame(i, &ruleNNTP)
			return
		}
		p.u.put(Digits, p.i, i)
		p.i = i
		p.end(&ruleNNTP)
		return
	}
	p.end(&ruleGroup)
}

// telneturl = "telnet://" login [ "/" ]
func (p *parser) telneturl() {
	p.u.prod = TelnetURL
	if p.slashes() && p.login() && p.slash(&ruleTelnet) {
		p.end(&ruleTelnet)
	}
}

// waisurl      = waisdatabase | waisindex | waisdoc
// waisdatabase = "wais://" hostport "/" database
// waisindex    = "wais://" hostport "/" database "?" search
// waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
// database     = *uchar
// wtype        = *uchar
// wpath        = *uchar
func (p *parser) waisurl() {
	p.u.prod = WAISDatabase
	if !p.slashes() || !p.hostport(&ruleHostport) {
		return
	}
	if p.i == len(p.s) {
		p.fail(p.i, &ruleWAIS)
		return
	}
	if !p.slash(&ruleWAIS) {
		return
	}
	p.take(Database, &uchar)
	switch {
	case p.at('?'):
		p.u.prod = WAISIndex
		p.i++
		p.take(Search, &search)
		p.end(&ruleSearch)
	case p.at('/'):
		p.u.prod = WAISDoc
		p.i++
		p.take(WType, &uchar)
		if !p.at('/') {
			place := &ruleWtype
			if p.i == len(p.s) {
				place = &ruleWAIS
			}
			p.blame(p.i, place)
			return
		}
		p.i++
		p.take(WPath, &uchar)
		p.end(&ruleWpath)
	default:
		p.end(&ruleDatabase)
	}
}

// prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
// fieldspec   = ";" fieldname "=" fieldvalue
func (p *parser) prosperourl() {
	p.u.prod = ProsperoURL
	if !p.slashes() || !p.hostport(&ruleHostport) {
		return
	}
	if p.i == len(p.s) {
		p.fail(p.i, &ruleProspero)
		return
	}
	if !p.slash(&ruleProspero) {
		return
	}
	p.take(PPath, &ppath)
	start := p.i
	if !p.at(';') {
		p.end(&rulePsegment)
		return
	}
	for p.at(';') {
		p.i = fieldname.Scan(p.s, p.i+1)
		if !p.at('=') {
			p.blame(p.i, &ruleFieldspec)
			return
		}
		p.i = fieldvalue.Scan(p.s, p.i+1)
	}
	p.u.put(FieldSpecs, start, p.i)
	p.end(&ruleFieldspec)
}
