package audit

import (
	"bytes"
	"strings"

	"anyurl"
)

// The product's limits. What is longer is still read and vetted.
const (
	// MaxLength is the length of a URL, in octets, that every server should
	// take (RFC 9110, section 4.1).
	MaxLength = 8000
	// MaxParams is the number of parameters that common servers read.
	MaxParams = 1000
)

// inspectQuery reports on the parameters.
func (p *pass) inspectQuery() {
	if !p.query.ok || p.query.empty() || p.name == "mailto" {
		return
	}
	if count := strings.Count(p.in[p.query.start:p.query.end], "&") + 1; count > MaxParams {
		p.add(tooManyParams, p.query.start, p.query.end)
	}
	p.params(p.query, func(name, value part) {
		p.inspectSecret(secretInQuery, name, value)
		// A bare word is a name (URL Standard, section 5.1), and leads somewhere
		// only where it is a whole URL: "?//x" stays where it is.
		bare := name.empty() && value.start == name.start
		if !p.has(openRedirectParam) && p.mayLead(value) && !(bare && p.slashed(value)) {
			p.inspectTarget(value)
		}
	})
}

// inspectFragment looks for parameters in the fragment, as single-page
// applications and OAuth's implicit grant have them.
func (p *pass) inspectFragment() {
	if !p.fragment.ok || p.fragment.empty() {
		return
	}
	t := p.fragment
	s := p.in[t.start:t.end]
	if i := strings.IndexByte(s, '?'); i >= 0 {
		t.start += i + 1
	} else {
		for t.start < t.end && (p.in[t.start] == '!' || p.in[t.start] == '/') {
			t.start++
		}
	}
	p.params(t, func(name, value part) { p.inspectSecret(secretInFragment, name, value) })
}

// params calls do for every name and value.
func (p *pass) params(t part, do func(name, value part)) {
	for start := t.start; start < t.end; {
		end, equals := start, -1
		for end < t.end && p.in[end] != '&' {
			if p.in[end] == '=' && equals < 0 {
				equals = end
			}
			end++
		}
		if equals >= 0 {
			do(part{start, equals, true}, part{equals + 1, end, true})
		} else { // a name with an empty value, which some servers take for a value
			do(part{start, start, true}, part{start, end, true})
		}
		start = end + 1
	}
}

func (p *pass) inspectSecret(c code, name, value part) {
	if value.empty() || p.has(c) {
		return
	}
	if isSecretName(decode(p.text(name))) {
		p.say(c, name.start, value.end, "the parameter "+shown(p.text(name))+" "+secretSays(c))
	} else if isToken(decode(p.text(value))) {
		p.say(c, value.start, value.end, "the value looks like an access token, which "+seenBy(c))
	}
}

func secretSays(c code) string { return "holds a secret, which " + seenBy(c) }

func seenBy(c code) string {
	if c == secretInFragment {
		return "scripts and the history get to see"
	}
	return "logs and other sites get to see"
}

// isSecretName reports whether a parameter is named like a secret, whatever its
// case and however its words are joined.
func isSecretName(name string) bool {
	var buf [32]byte
	n := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '-' || c == '_' || c == '.' || c == '[' || c == ']' || c == '$':
			continue
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		}
		if n == len(buf) {
			return false
		}
		buf[n] = c
		n++
	}
	switch string(buf[:n]) {
	case "password", "passwd", "passw", "passwort", "pwd", "pass", "pw", "passphrase", "passcode",
		"secret", "token", "jwt", "bearer", "auth", "authorization", "authentication", "authkey", "authtoken", "authcode",
		"apikey", "apitoken", "apisecret", "xapikey", "accesskey", "accesskeyid", "awsaccesskeyid", "secretkey", "secretaccesskey",
		"privatekey", "sharedkey", "masterkey", "subscriptionkey", "ocpapimsubscriptionkey", "encryptionkey", "signingkey",
		"accesstoken", "idtoken", "refreshtoken", "oauthtoken", "oauthtokensecret", "sessiontoken", "securitytoken", "bearertoken", "usertoken", "resettoken",
		"sig", "signature", "hmac", "sas", "sastoken",
		"xamzsignature", "xamzsecuritytoken", "xamzcredential", "xgoogsignature", "xgoogcredential", "xosssignature", "ossaccesskeyid", "googleaccessid",
		"sessionid", "sessid", "phpsessid", "jsessionid", "aspsessionid", "cfid", "cftoken",
		"credential", "credentials", "creds", "otp", "totp", "samlresponse", "samlrequest", "ticket", "clientassertion":
		return true
	}
	s := buf[:n]
	for _, end := range [...]string{"password", "passwd", "secret", "apikey", "secretkey", "privatekey"} {
		if bytes.HasSuffix(s, []byte(end)) {
			return true
		}
	}
	s, token := bytes.CutSuffix(s, []byte("token"))
	if !token {
		return false
	}
	for _, place := range [...]string{"page", "next", "prev", "previous", "continuation", "cursor", "skip", "sync", "start", "resume", "resumption", "change", "delta", "marker"} {
		if bytes.HasSuffix(s, []byte(place)) {
			return false // it tells a place in a list
		}
	}
	return true
}

// tokens are the beginnings by which well-known services mark their secrets,
// with the length that a whole one has at least.
var tokens = [...]struct {
	prefix string
	least  int
}{
	{"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 22}, {"glpat-", 20}, {"gldt-", 20},
	{"xoxb-", 16}, {"xoxp-", 16}, {"xoxa-", 16}, {"xoxr-", 16}, {"xoxs-", 16}, {"xapp-", 16},
	{"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16}, {"sk-", 24}, {"AKIA", 20}, {"ASIA", 20}, {"AIza", 35}, {"ya29.", 20},
	{"npm_", 20}, {"pypi-", 20}, {"dop_v1_", 20}, {"SG.", 24}, {"hf_", 20}, {"shpat_", 20}, {"shpss_", 20}, {"dckr_pat_", 20}, {"ATATT3", 24}, {"glptt-", 20}, {"glrt-", 20}, {"eyJ", 30},
}

// isToken reports whether s has the shape of an access token.
func isToken(s string) bool {
	if len(s) < 16 {
		return false
	}
	for i := range tokens {
		t := &tokens[i]
		if s[0] == t.prefix[0] && len(s) >= t.least && strings.HasPrefix(s, t.prefix) && isTokenText(s[len(t.prefix):]) {
			return t.prefix != "eyJ" || strings.Count(s, ".") == 2 // a JSON Web Token has three parts
		}
	}
	return false
}

func isTokenText(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlpha(c) && !isDigit(c) && c != '_' && c != '-' && c != '.' && c != '=' {
			return false
		}
	}
	return true
}

// mayLead is a quick look for what a target in a parameter begins with.
func (p *pass) mayLead(value part) bool {
	i := value.start
	for i < value.end && (p.in[i] <= ' ' || p.in[i] == '+') {
		i++
	}
	if i == value.end {
		return false
	}
	switch c := p.in[i]; {
	case c == '/' || c == '\\' || c == '%':
		return true
	case !isAlpha(c):
		return false
	}
	for i < value.end && isSchemeByte(p.in[i]) {
		i++
	}
	return i < value.end && (p.in[i] == ':' || p.in[i] == '%' || p.in[i] <= ' ')
}

// slashed reports whether value begins with a slash, once white space is gone.
func (p *pass) slashed(value part) bool {
	s := strings.TrimLeft(decode(p.in[value.start:value.end]), "\t\n\f\r +")
	return s != "" && (s[0] == '/' || s[0] == '\\')
}

// inspectTarget reports on a parameter that leads to another host.
func (p *pass) inspectTarget(value part) {
	here := p.url.Host()
	if here.Kind() == anyurl.HostNone || here.Kind() == anyurl.HostEmpty {
		return
	}
	target := decode(p.in[value.start:value.end])
	trimmed := strings.TrimLeft(target, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f +")
	if name := schemeOf(trimmed); name == "javascript" || name == "vbscript" {
		p.say(openRedirectParam, value.start, value.end, "a parameter leads to a script")
		return
	}
	if !leads(trimmed) {
		return
	}
	if p.origin.IsZero() {
		// Only scheme and host decide here, and a base of any length would be
		// copied for every parameter.
		p.origin, _ = anyurl.Parse(p.url.Scheme() + "://" + p.url.HostPort() + "/")
	}
	to, err := p.origin.Resolve(trimmed)
	if err != nil || to.Host() == here || to.Host().Kind() == anyurl.HostNone || to.Host().Kind() == anyurl.HostEmpty {
		return
	}
	p.say(openRedirectParam, value.start, value.end, "a parameter leads to the host "+shown(to.Host().String()))
}

// schemeOf gives the scheme that s begins with, in lower case and without what
// the URL Standard drops, or "".
func schemeOf(s string) string {
	colon := strings.IndexByte(s, ':')
	if colon < 0 || colon > 64 {
		return ""
	}
	return strings.ToLower(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s[:colon]))
}

// leads reports whether s is absolute with a host, or starts with two slashes
// of whatever kind.
func leads(s string) bool {
	slashes, i := 0, 0
	if s != "" && isAlpha(s[0]) {
		for i < len(s) && (isSchemeByte(s[i]) || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
			i++
		}
		if i == len(s) || s[i] != ':' {
			return false
		}
		if isSpecial(strings.ToLower(s[:i])) {
			return true
		}
		i++
	}
	for i < len(s) && slashes < 2 {
		switch s[i] {
		case '/', '\\':
			slashes++
		case '\t', '\n', '\r':
		default:
			return false
		}
		i++
	}
	return slashes == 2
}
