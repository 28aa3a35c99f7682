package rfc3986

import (
	"strings"

	"anyurl/percent"
)

// A Level is a rung of the ladder of section 6.2: how much may be done to find
// that two URIs mean the same. Each rung includes those before it.
type Level uint8

// The rungs. What Segments gives is the section's "syntax-based
// normalization"; Scheme also knows what the schemes say.
const (
	// LevelString changes nothing: section 6.2.1.
	LevelString Level = iota
	// LevelCase writes scheme and host in lower case and the digits of
	// escapes in upper case: section 6.2.2.1.
	LevelCase
	// LevelPercent also replaces the escapes of unreserved characters by
	// these: section 6.2.2.2.
	LevelPercent
	// LevelSegments also removes the segments "." and ".." from the path of a
	// URI: section 6.2.2.3. A relative reference keeps them, since they mean
	// something there.
	LevelSegments
	// LevelScheme also writes an empty path behind an authority as "/",
	// removes an empty port and the scheme's default port, and an authority
	// that names what the scheme takes for granted ("localhost" in file);
	// in mailto it writes the domains of the addresses in lower case: section
	// 6.2.3.
	LevelScheme
)

var levels = [...]string{"string", "case", "percent", "segments", "scheme"}

// String gives string, case, percent, segments or scheme.
func (l Level) String() string {
	if int(l) < len(levels) {
		return levels[l]
	}
	return "unknown"
}

// Normalize climbs the ladder to level. The result is equivalent to u by
// section 6; normalizing it again changes nothing. Characters outside
// US-ASCII, and their escapes, stay as they are: their case and composition
// take tables that a strict reading does without. A level above [LevelScheme] is
// LevelScheme.
//
// The error is a *[rule.Error], for a text that becomes too long.
func Normalize(u URI, level Level) (URI, error) {
	c := u.components()
	if level >= LevelCase {
		c = u.normalizeText(level >= LevelPercent)
	}
	if level >= LevelSegments && c.scheme != "" {
		c.path = removeDotSegments(c.path)
	}
	if level >= LevelScheme {
		c = u.normalizeScheme(c)
	}
	return c.recompose(u.IsIRI())
}

// normalizeText is sections 6.2.2.1 and, where decode is set, 6.2.2.2.
func (u URI) normalizeText(decode bool) components {
	c := u.components()
	c.scheme = lower(c.scheme)
	if c.hasAuthority {
		a := lowerOutsideEscapes(escapes(u.Host(), decode))
		if u.HasUserinfo() {
			a = escapes(u.Userinfo(), decode) + "@" + a
		}
		if u.HasPort() {
			a += ":" + u.Port()
		}
		c.authority = a
	}
	c.path = escapes(c.path, decode)
	c.query = escapes(c.query, decode)
	c.fragment = escapes(c.fragment, decode)
	return c
}

// escapes writes the digits of the escapes in s in upper case and, where
// decode is set, unreserved characters without.
func escapes(s string, decode bool) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, ok := percent.At(s, i)
		if !ok {
			out = append(out, s[i])
			continue
		}
		if decode && unreserved[c] {
			out = append(out, c)
		} else {
			out = percent.AppendByte(out, c)
		}
		i += 2
	}
	return string(out)
}

// lower writes the letters of US-ASCII in lower case.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// lowerOutsideEscapes is lower, but leaves the digits of escapes alone.
func lowerOutsideEscapes(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return lower(s)
	}
	b := []byte(s)
	for i := 0; i < len(b); i++ {
		if b[i] == '%' {
			i += 2
		} else if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// normalizeScheme is section 6.2.3 for what u had and c has become.
func (u URI) normalizeScheme(c components) components {
	if c.hasAuthority {
		if c.path == "" {
			c.path = "/"
		}
		if u.HasPort() && (u.Port() == "" || u.Port() == defaultPort(c.scheme)) {
			c.authority = c.authority[:len(c.authority)-len(u.Port())-1]
		}
		// "the reference should be normalized to an empty authority"
		if c.scheme == "file" && c.authority == "localhost" {
			c.authority = ""
		}
	}
	if c.scheme == "mailto" {
		c.path = lowerDomains(c.path)
	}
	return c
}

// lowerDomains writes what stands between "@" and "," or the end in lower
// case, as the section's example does for mailto.
func lowerDomains(path string) string {
	var b strings.Builder
	for path != "" {
		addr := path
		if i := strings.IndexByte(path, ','); i >= 0 {
			addr = path[:i+1]
		}
		path = path[len(addr):]
		at := strings.LastIndexByte(addr, '@') + 1
		if at == 0 {
			at = len(addr)
		}
		b.WriteString(addr[:at])
		b.WriteString(lowerOutsideEscapes(addr[at:]))
	}
	return b.String()
}

// defaultPort is the port that a scheme's definition gives it, or "".
func defaultPort(scheme string) string {
	switch scheme {
	case "ftp": // RFC 1738, section 3.2
		return "21"
	case "telnet": // RFC 4248
		return "23"
	case "gopher": // RFC 4266
		return "70"
	case "http", "ws": // RFC 9110, section 4.2.1; RFC 6455, section 3
		return "80"
	case "nntp": // RFC 5538, section 2
		return "119"
	case "imap": // RFC 5092, section 4
		return "143"
	case "wais": // RFC 4156
		return "210"
	case "ldap": // RFC 4516, section 2
		return "389"
	case "https", "wss": // RFC 9110, section 4.2.2; RFC 6455, section 3
		return "443"
	case "rtsp": // RFC 7826, section 4.2
		return "554"
	case "prospero": // RFC 4157
		return "1525"
	case "nfs": // RFC 2224, section 1
		return "2049"
	}
	return ""
}
