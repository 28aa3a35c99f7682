package scheme

import (
	"strconv"
	"strings"

	"anyurl"
	"anyurl/internal/abnf"
	"anyurl/percent"
)

// An Authority is who to ask and where, decoded, for [Build].
type Authority struct {
	// User and Password are as they are typed, not encoded.
	User, Password string
	// HasUser is set when there is a user name, even an empty one, or a password.
	HasUser bool
	Host    anyurl.Host
	Port    uint16
	// Default is the port that is not written.
	Default uint16
}

// Build writes a URL of a scheme with an authority; rest is what follows it,
// encoded as it has to be. It is the zero URL when that is no URL.
func Build(scheme string, a Authority, rest string) anyurl.URL {
	b := append(make([]byte, 0, len(scheme)+len(rest)+40), scheme...)
	b = append(b, "://"...)
	if a.HasUser {
		b = percent.AppendEncode(b, a.User, &percent.Component)
		if a.Password != "" {
			b = append(b, ':')
			b = percent.AppendEncode(b, a.Password, &percent.Component)
		}
		b = append(b, '@')
	}
	b = append(b, a.Host.String()...)
	if a.Port != a.Default {
		b = append(b, ':')
		b = strconv.AppendUint(b, uint64(a.Port), 10)
	}
	b = append(b, rest...)
	u, err := anyurl.Parse(string(b))
	if err != nil {
		return anyurl.URL{}
	}
	return u
}

// Opaque writes a URL of a scheme without an authority; rest is what follows
// the colon, encoded as it has to be. It is the zero URL when that is no URL.
func Opaque(scheme, rest string) anyurl.URL {
	u, err := anyurl.Parse(scheme + ":" + rest)
	if err != nil {
		return anyurl.URL{}
	}
	return u
}

// Target is a path, "/" where there is none, and the query behind its "?": the
// origin form of RFC 9112, section 3.2.1, which a WebSocket's resource name
// (RFC 6455, section 3) has, too.
func Target(path, query string, hasQuery bool) string {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if hasQuery {
		path += "?" + query
	}
	return path
}

// Addr is the host and port as a dialer takes them, "[::1]:70".
func Addr(h anyurl.Host, port uint16) string {
	return h.String() + ":" + strconv.Itoa(int(port))
}

var (
	// Segment holds every octet that has to be encoded in a path segment: all
	// but RFC 3986's pchar.
	Segment = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~!$&'()*+,;=:@")).Not()
	// SegmentNoSemi is Segment and ";", where a semicolon begins parameters.
	SegmentNoSemi = Segment.Or(abnf.Bytes(";"))
)

// EscapePath encodes the octets of set in text, for a path in which "/" is data
// like any other octet, except that it need not be encoded. A parser takes "."
// and ".." out of a path; where text holds such a segment, its slashes are
// encoded too, so that it comes back as it was.
func EscapePath(text string, set abnf.Set) string {
	set['/'] = climbs(text)
	return percent.Encode(text, &set)
}

// climbs reports whether text has a segment that a parser would take out.
func climbs(text string) bool {
	for s := range strings.SplitSeq(text, "/") {
		if IsDot(s) {
			return true
		}
	}
	return false
}

// IsDot reports whether a decoded segment is "." or "..": such a segment never
// comes out of a parsed URL's path, and cannot be put into one.
func IsDot(segment string) bool { return segment == "." || segment == ".." }
