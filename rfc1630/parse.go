package rfc1630

import (
	"math"
	"strings"

	"anyurl/internal/abnf"
	"anyurl/rule"
)

// Parse reads a URI by the grammar of its scheme, or by the generic syntax
// where its scheme has none; it may start with "url:" and end with a fragment
// identifier. The error is a *[rule.Error].
//
//	fragmentaddress        uri [ # fragmentid ]
//	prefixedurl            u r l : url
//	url                    httpaddress | ftpaddress | newsaddress |
//	                       nntpaddress | prosperoaddress | telnetaddress
//	                       | gopheraddress | waisaddress |
//	                       mailtoaddress  | midaddress | cidaddress
func Parse(s string) (URI, error) { return run(s, false) }

// ParseGeneric reads a URI of any scheme by the generic syntax alone, where
// there is no host and ":" is reserved; it may end with a fragment identifier.
// The error is a *[rule.Error].
//
//	uri                    scheme :  path [ ? search ]
func ParseGeneric(s string) (URI, error) { return run(s, true) }

// A parser stands at s[i]. A broken rule ends it: bad names the rule, and i is
// where.
type parser struct {
	u   URI
	s   string // up to the fragment identifier
	i   int
	bad *rule.Rule
}

func run(text string, generic bool) (URI, error) {
	p := parser{u: URI{s: text}, s: text}
	if most := uint64(math.MaxUint32); uint64(len(text)) > most {
		p.i, p.bad = int(most), &ruleLength
	} else {
		p.fragmentaddress(text, generic)
	}
	if p.bad != nil {
		return URI{}, &rule.Error{Input: text, Offset: p.i, Rule: *p.bad}
	}
	return p.u, nil
}

// fragmentaddress  uri [ # fragmentid ]
// fragmentid       xalphas
//
// "A void fragment-id with or without the hash sign means that the URL refers
// to the whole object", so it may be void.
func (p *parser) fragmentaddress(text string, generic bool) {
	hash := strings.IndexByte(text, '#')
	if hash >= 0 {
		p.s = text[:hash]
	}
	if generic {
		p.generic()
	} else {
		p.address()
	}
	if p.bad != nil || hash < 0 {
		return
	}
	set := &xalpha
	if p.u.prod == GenericURI {
		set = &genericXalpha
	}
	p.s = text
	p.i = hash + 1
	p.take(FragmentID, set)
	p.end(&ruleFragment)
}

func (p *parser) fail(i int, r *rule.Rule) bool {
	p.i, p.bad = i, r
	return false
}

func (p *parser) at(c byte) bool { return p.i < len(p.s) && p.s[p.i] == c }

// take reads what set holds, and escapes, as a part; it may be void.
func (p *parser) take(part Part, set *abnf.Set) {
	start := p.i
	p.i = set.Scan(p.s, p.i)
	p.u.put(part, start, p.i)
}

// takeSome is take for what may not be void.
func (p *parser) takeSome(part Part, set *abnf.Set, place *rule.Rule) bool {
	start := p.i
	p.take(part, set)
	return p.i > start || p.blame(p.i, place)
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
	case c < ' ' || c > '~' || c == '`':
		return p.fail(i, whyXalpha.in(place))
	case c == '\\':
		return p.fail(i, whyBackslash.in(place))
	case national[c]:
		return p.fail(i, whyNational.in(place))
	case punctuation[c]:
		return p.fail(i, whyPunctuation.in(place))
	}
	return p.fail(i, place)
}

// address is url, prefixedurl, afsaddress, or uri where the scheme has no
// grammar of its own.
func (p *parser) address() {
	if strings.HasPrefix(p.s, "url:") {
		p.u.put(Prefix, 0, len("url"))
		p.i = len("url:")
	}
	start := p.i
	// "Single letters stand for single letters": schemes are in lower case.
	scheme, _, ok := strings.Cut(p.s[start:], ":")
	if ok && (start == 0 || scheme != "afs") && p.specific(scheme) {
		return
	}
	if start > 0 {
		p.blame(start, &rulePrefixed)
		return
	}
	p.generic()
}

// specific reads by the production of the scheme that stands here. It reports
// whether there is one.
func (p *parser) specific(scheme string) bool {
	before := *p
	p.u.put(Scheme, p.i, p.i+len(scheme))
	p.i += len(scheme) + 1
	switch scheme {
	case "http":
		p.httpaddress()
	case "ftp":
		p.ftpaddress()
	case "afs":
		p.afsaddress()
	case "news":
		p.newsaddress()
	case "nntp":
		p.nntpaddress()
	case "mid":
		p.midaddress()
	case "cid":
		p.cidaddress()
	case "mailto":
		p.mailtoaddress()
	case "wais":
		p.waisaddress()
	case "prospero":
		p.prosperolink()
	case "telnet":
		p.telnetaddress()
	case "gopher":
		p.gopheraddress()
	default:
		*p = before
		return false
	}
	return true
}

// uri                    scheme :  path [ ? search ]
// scheme                 ialpha
// ialpha                 alpha [ xalphas ]
// path                   void |  xpalphas  [  / path ]
//
// Read as [ xpalphas ] [ / path ]: the document's own examples have void
// segments.
func (p *parser) generic() {
	p.u.prod = GenericURI
	n := schemeLen(p.s)
	if n == len(p.s) || p.s[n] != ':' || n == 0 {
		p.blame(n, &ruleScheme)
		return
	}
	p.u.put(Scheme, 0, n)
	p.i = n + 1
	p.take(Path, &genericPath)
	if p.at('?') {
		p.i++
		p.words()
		return
	}
	p.end(&rulePath)
}

// schemeLen is the length of the longest ialpha that s starts with.
func schemeLen(s string) int {
	if s == "" || !alpha[s[0]] {
		return 0
	}
	p := parser{s: s}
	return genericXalpha.Scan(p.s, 1)
}

// words reads the search of the generic syntax, to the end.
//
//	search                 xalphas [ + search ]
func (p *parser) words() {
	start := p.i
	for {
		word := p.i
		if p.i = genericXalpha.Scan(p.s, p.i); p.i == word {
			p.blame(p.i, &ruleSearch)
			return
		}
		if !p.at('+') {
			break
		}
		p.i++
	}
	p.u.put(Search, start, p.i)
	p.end(&ruleSearch)
}

// search reads the search of a scheme, to the end. Its xalpha holds "+", so any
// number of these may stand anywhere in it.
//
//	search                 xalphas [ + search ]
func (p *parser) search() {
	if p.takeSome(Search, &xalpha, &ruleSearch) {
		p.end(&ruleSearch)
	}
}

func (p *parser) slashes() bool {
	for range 2 {
		if !p.at('/') {
			return p.blame(p.i, &ruleSlashes)
		}
		p.i++
	}
	return true
}

// login                  [ user [ : password ] @ ] hostport
// user                   alphanum2 [ user ]
// password               alphanum2 [ password ]
func (p *parser) login() bool {
	i := p.i + alphanum2.Span(p.s[p.i:])
	if i > p.i && i < len(p.s) && p.s[i] == '@' {
		p.u.put(User, p.i, i)
		p.i = i + 1
	} else if i > p.i && i < len(p.s) && p.s[i] == ':' {
		if j := i + 1 + alphanum2.Span(p.s[i+1:]); j > i+1 && j < len(p.s) && p.s[j] == '@' {
			p.u.put(User, p.i, i)
			p.u.put(Password, i+1, j)
			p.i = j + 1
		}
	}
	return p.hostport(&ruleLogin)
}

// hostport               host [ : port ]
//
// An "@" that stands where none can breaks the rule given, rather than what it
// makes of the text before it.
func (p *parser) hostport(at *rule.Rule) bool {
	start := p.i
	if p.hostPart() && p.port() && !p.at('@') {
		return true
	}
	switch p.bad {
	case nil, &ruleHost, &ruleHostnumber, &rulePort:
		login := p.s[start:]
		if i := strings.IndexAny(login, "/?"); i >= 0 {
			login = login[:i]
		}
		if i := strings.IndexByte(login, '@'); i >= 0 {
			return p.fail(start+i, at)
		}
	}
	return p.bad == nil
}

// port                   digits
//
// It is read with the ":" before it, where they are.
func (p *parser) port() bool {
	if !p.at(':') {
		return true
	}
	p.i++
	start := p.i
	p.i += digit.Span(p.s[start:])
	if p.i == start || p.i < len(p.s) && p.s[p.i] != '/' && p.s[p.i] != '?' {
		return p.blame(p.i, &rulePort)
	}
	p.u.put(Port, start, p.i)
	return true
}

// host                   hostname | hostnumber
// hostname               ialpha [  .  hostname ]
// hostnumber             digits . digits . digits . digits
//
// An ialpha holds dots itself, so a hostname is one ialpha. It also holds "@",
// which separates in every production that has a host, so a hostname holds none.
func (p *parser) hostPart() bool {
	start, end := p.i, hostChar.Scan(p.s, p.i)
	switch {
	case start == end:
		return p.blame(start, &ruleHost)
	case alpha[p.s[start]]:
		p.u.host = Hostname
	case hostnumber(p.s[start:end]):
		p.u.host = Hostnumber
	case digit[p.s[start]]:
		return p.blame(start, &ruleHostnumber)
	default:
		return p.blame(start, &ruleHost)
	}
	p.u.put(Host, start, end)
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

// slash reads the "/" that has to come.
func (p *parser) slash(place *rule.Rule) bool {
	if !p.at('/') {
		return p.blame(p.i, place)
	}
	p.i++
	return true
}

// httpaddress            h t t p :   / / hostport [  / path ] [ ? search ]
func (p *parser) httpaddress() {
	p.u.prod = HTTPAddress
	if !p.slashes() || !p.hostport(&ruleHostport) {
		return
	}
	place := &ruleHTTP
	if p.at('/') {
		p.i++
		p.take(Path, &path)
		place = &rulePath
	}
	if p.at('?') {
		p.i++
		p.search()
		return
	}
	p.end(place)
}

// ftpaddress             f t p : / / login / path [  ftptype ]
// ftptype                A formcode | E formcode | I | L digits
// formcode               N | T | C
//
// As printed nothing tells the type from the path, which may end in the same
// letters. "The data type is specified by a suffix to the URL", ";type=" and
// the code: that is what is read.
func (p *parser) ftpaddress() {
	p.u.prod = FTPAddress
	if !p.slashes() || !p.login() || !p.slash(&ruleFTP) {
		return
	}
	p.take(Path, &path)
	const mark = ";type="
	if !strings.HasPrefix(p.s[p.i:], mark) {
		p.end(&ruleFTP)
		return
	}
	p.i += len(mark)
	start, n := p.i, 0
	switch code := p.s[p.i:]; {
	case code != "" && code[0] == 'I':
		n = 1
	case len(code) > 1 && (code[0] == 'A' || code[0] == 'E') && strings.IndexByte("NTC", code[1]) >= 0:
		n = 2
	case len(code) > 1 && code[0] == 'L' && digit[code[1]]:
		n = 1 + digit.Span(code[1:])
	default:
		p.blame(p.i, &ruleFtptype)
		return
	}
	p.i += n
	p.u.put(FTPType, start, p.i)
	p.end(&ruleFtptype)
}

// afsaddress             a f s : / / cellname / path
// cellname               hostname
func (p *parser) afsaddress() {
	p.u.prod = AFSAddress
	if !p.slashes() {
		return
	}
	if p.i == len(p.s) || !alpha[p.s[p.i]] {
		p.blame(p.i, &ruleHost)
		return
	}
	p.take(CellName, &hostChar)
	p.u.host = Hostname
	if p.slash(&ruleAFS) {
		p.take(Path, &path)
		p.end(&rulePath)
	}
}

// newsaddress            n e w s : groupart
// groupart               * | group | article
// group                  ialpha [ . group ]
// article                xalphas @ host
//
// A group may hold "@" itself; what can be an article is one.
func (p *parser) newsaddress() {
	p.u.prod = NewsAddress
	start := p.i
	if !p.takeSome(GroupPart, &xalpha, &ruleGroupart) || !p.end(&ruleGroupart) {
		return
	}
	switch at := p.split(start, true); {
	case at >= 0:
		p.u.put(Article, start, len(p.s))
		p.u.put(Host, at+1, len(p.s))
	case alpha[p.s[start]]:
		p.u.put(Group, start, len(p.s))
	case p.s[start:] != "*":
		p.fail(start, &ruleGroupart)
	}
}

// split finds the "@" that starts the host which ends the text, with something
// before it: the last one. It gives -1 where there is none, or no host behind
// it. All from start on is xalpha.
func (p *parser) split(start int, number bool) int {
	at := strings.LastIndexByte(p.s, '@')
	if at <= start {
		return -1
	}
	switch host := p.s[at+1:]; {
	case host != "" && alpha[host[0]]:
		p.u.host = Hostname
	case number && hostnumber(host):
		p.u.host = Hostnumber
	default:
		return -1
	}
	return at
}

// nntpaddress            n n t p : group /  digits
func (p *parser) nntpaddress() {
	p.u.prod = NNTPAddress
	if p.i == len(p.s) || !alpha[p.s[p.i]] {
		p.blame(p.i, &ruleNNTP)
		return
	}
	p.take(Group, &xalpha)
	if !p.slash(&ruleNNTP) {
		return
	}
	start := p.i
	p.i += digit.Span(p.s[start:])
	if p.i == start {
		p.blame(p.i, &ruleNNTP)
		return
	}
	p.u.put(Digits, start, p.i)
	p.end(&ruleNNTP)
}

// midaddress             m i d  :  addr-spec
func (p *parser) midaddress() { p.addrSpec(MIDAddress) }

// cidaddress             c i d : content-identifier
func (p *parser) cidaddress() { p.addrSpec(CIDAddress) }

// addrSpec reads what RFC 822 calls an addr-spec, in the characters of a URI:
// as in article, xalphas @ host.
func (p *parser) addrSpec(prod Production) {
	p.u.prod = prod
	start := p.i
	if !p.takeSome(AddrSpec, &xalpha, &ruleAddr) || !p.end(&ruleAddr) {
		return
	}
	at := p.split(start, true)
	if at < 0 {
		p.fail(len(p.s), &ruleAddr)
		return
	}
	p.u.put(Host, at+1, len(p.s))
}

// mailtoaddress          m a i l t o : xalphas @ hostname
func (p *parser) mailtoaddress() {
	p.u.prod = MailtoAddress
	start := p.i
	if p.i = xalpha.Scan(p.s, p.i); !p.end(&ruleMailto) {
		return
	}
	at := p.split(start, false)
	if at < 0 {
		p.fail(len(p.s), &ruleMailto)
		return
	}
	p.u.put(XAlphas, start, at)
	p.u.put(Host, at+1, len(p.s))
}

// waisaddress            waisindex | waisdoc
// waisindex              w a i s : / / hostport / database [ ? search ]
// waisdoc                w a i s : / / hostport / database / wtype  / wpath
// database               xalphas
// wtype                  xalphas
func (p *parser) waisaddress() {
	p.u.prod = WAISIndex
	if !p.slashes() || !p.hostport(&ruleHostport) || !p.slash(&ruleWAIS) || !p.takeSome(Database, &xalpha, &ruleWAIS) {
		return
	}
	switch {
	case p.at('?'):
		p.i++
		p.search()
	case p.at('/'):
		p.u.prod = WAISDoc
		p.i++
		if p.takeSome(WType, &xalpha, &ruleWAIS) && p.slash(&ruleWAIS) {
			p.wpath()
		}
	default:
		p.end(&ruleWAIS)
	}
}

// wpath                  digits = path ;  [ wpath ]
func (p *parser) wpath() {
	start := p.i
	for more := true; more; more = p.i < len(p.s) {
		n := digit.Span(p.s[p.i:])
		if p.i += n; n == 0 || !p.at('=') {
			p.blame(p.i, &ruleWpath)
			return
		}
		if p.i = path.Scan(p.s, p.i+1); !p.at(';') {
			p.blame(p.i, &ruleWpath)
			return
		}
		p.i++
	}
	p.u.put(WPath, start, p.i)
}

// prosperoaddress        prosperolink
// prosperolink           p r o s p e r o : / / hostport / hsoname [ % 0 0 version [ attributes ] ]
// hsoname                path
// version                digits
// attributes             attribute [ attributes ]
// attribute              alphanums
//
// A path holds escapes, "%00" among them: the last one starts the version where
// digits follow it, and nothing but letters and digits after these.
func (p *parser) prosperolink() {
	p.u.prod = ProsperoLink
	if !p.slashes() || !p.hostport(&ruleHostport) || !p.slash(&ruleProspero) {
		return
	}
	start := p.i
	if p.i = path.Scan(p.s, p.i); !p.end(&rulePath) {
		return
	}
	const null = "%00"
	if i := strings.LastIndex(p.s[start:], null); i >= 0 {
		version := start + i + len(null)
		n := digit.Span(p.s[version:])
		rest := version + n
		if n > 0 && rest+alphanum.Span(p.s[rest:]) == len(p.s) {
			p.u.put(HSOName, start, start+i)
			p.u.put(Version, version, rest)
			if rest < len(p.s) {
				p.u.put(Attributes, rest, len(p.s))
			}
			return
		}
	}
	p.u.put(HSOName, start, p.i)
}

// telnetaddress          t e l n e t : / / login
func (p *parser) telnetaddress() {
	p.u.prod = TelnetAddress
	if p.slashes() && p.login() {
		p.end(&ruleTelnet)
	}
}

// gopheraddress          g o p h e r : / / hostport [/ gtype  [ gcommand ] ]
// gtype                  xalpha
// gcommand               path
func (p *parser) gopheraddress() {
	p.u.prod = GopherAddress
	if !p.slashes() || !p.hostport(&ruleHostport) || p.i == len(p.s) || !p.slash(&ruleGopher) {
		return
	}
	n := 0
	switch {
	case abnf.Escape(p.s, p.i):
		n = 3
	case p.i < len(p.s) && xalpha[p.s[p.i]]:
		n = 1
	default:
		p.blame(p.i, &ruleGtype)
		return
	}
	p.u.put(GType, p.i, p.i+n)
	p.i += n
	p.take(GCommand, &path)
	p.end(&ruleGopher)
}
