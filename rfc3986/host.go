package rfc3986

import (
	"strings"

	"anyurl/rule"
)

// A HostKind tells which alternative of the production host a host took.
type HostKind uint8

// The kinds of host. Where a text fits both IPv4address and reg-name it is an
// IPv4address: "first match wins" (section 3.2.2).
const (
	HostNone HostKind = iota // no authority, so no host
	RegName                  // also a host of no characters
	IPv4
	IPv6
	IPvFuture
)

var hostKinds = [...]string{"none", "regname", "ipv4", "ipv6", "ipvfuture"}

// String gives none, regname, ipv4, ipv6 or ipvfuture.
func (k HostKind) String() string {
	if int(k) < len(hostKinds) {
		return hostKinds[k]
	}
	return "unknown"
}

// nameKind tells which of IPv4address and reg-name a host is.
func nameKind(host string) HostKind {
	if n := len(host); n > 0 && digit[host[n-1]] && digit[host[0]] && ipv4Len(host) == n {
		return IPv4
	}
	return RegName
}

// ipv4Len is the length of the longest IPv4address that s starts with, or 0.
//
//	IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
func ipv4Len(s string) int {
	i := 0
	for n := range 4 {
		if n > 0 {
			if i == len(s) || s[i] != '.' {
				return 0
			}
			i++
		}
		d := decOctet(s[i:])
		if d == 0 {
			return 0
		}
		i += d
	}
	return i
}

// decOctet is the length of the longest dec-octet that s starts with, or 0.
//
//	dec-octet = DIGIT                 ; 0-9
//	          / %x31-39 DIGIT         ; 10-99
//	          / "1" 2DIGIT            ; 100-199
//	          / "2" %x30-34 DIGIT     ; 200-249
//	          / "25" %x30-35          ; 250-255
func decOctet(s string) int {
	v, i := 0, 0
	for i < len(s) && i < 3 && digit[s[i]] {
		w := v*10 + int(s[i]-'0')
		if w > 255 || i > 0 && v == 0 {
			break
		}
		v = w
		i++
	}
	return i
}

// ipLiteral reads the IP-literal at s[i], a "[", and gives the offset behind
// its "]", or the offset of what breaks a rule.
//
//	IP-literal = "[" ( IPv6address / IPvFuture  ) "]"
func (u *URI) ipLiteral(i int) (int, *rule.Rule) {
	n := strings.IndexAny(u.s[i+1:], "]/?#@[") + 1
	if n == 0 || u.s[i+n] != ']' {
		return i, &ruleIPLiteral
	}
	text := u.s[i+1 : i+n]
	check, kind := ipv6Address, IPv6
	if text != "" && (text[0] == 'v' || text[0] == 'V') {
		check, kind = ipvFuture, IPvFuture
	}
	if off, bad := check(text); bad != nil {
		return i + 1 + off, bad
	}
	u.kind = kind
	return i + n + 1, nil
}

// ipvFuture checks the whole of s.
//
//	IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
func ipvFuture(s string) (int, *rule.Rule) {
	i := 1
	n := hexDig.Span(s[i:])
	i += n
	if n == 0 || i == len(s) || s[i] != '.' {
		return i, &ruleIPvFuture
	}
	i++
	n = futureRest.Span(s[i:])
	if i += n; n == 0 || i < len(s) {
		return i, &ruleIPvFuture
	}
	return i, nil
}

// ipv6Address checks the whole of s. Groups are counted instead of spelling
// the nine alternatives out: eight without "::", at most seven around it.
//
//	IPv6address =                            6( h16 ":" ) ls32
//	            /                       "::" 5( h16 ":" ) ls32
//	            / [               h16 ] "::" 4( h16 ":" ) ls32
//	            / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
//	            / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
//	            / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
//	            / [ *4( h16 ":" ) h16 ] "::"              ls32
//	            / [ *5( h16 ":" ) h16 ] "::"              h16
//	            / [ *6( h16 ":" ) h16 ] "::"
//	h16         = 1*4HEXDIG
//	ls32        = ( h16 ":" h16 ) / IPv4address
func ipv6Address(s string) (int, *rule.Rule) {
	groups, gap := 0, false
	i := 0
	if strings.HasPrefix(s, "::") {
		gap = true
		i = 2
	}
	for i < len(s) {
		n := hexDig.Span(s[i:])
		if i+n < len(s) && s[i+n] == '.' {
			// ls32, and so the end
			v4 := ipv4Len(s[i:])
			if v4 == 0 || i+v4 < len(s) {
				return i, &ruleIPv4
			}
			groups += 2
			i = len(s)
			break
		}
		if n == 0 || n > 4 {
			return i, &ruleIPv6
		}
		groups++
		i += n
		if i == len(s) {
			break
		}
		if s[i] != ':' {
			return i, &ruleIPv6
		}
		if i++; i < len(s) && s[i] == ':' {
			if gap {
				return i, &ruleIPv6
			}
			gap = true
			i++
		} else if i == len(s) {
			return i, &ruleIPv6 // a colon at the end
		}
	}
	if groups > 8 || groups == 8 && gap || groups < 8 && !gap {
		return i, &ruleIPv6
	}
	return i, nil
}
