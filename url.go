package anyurl

import (
	"iter"
	"strings"

	"anyurl/internal/quote"
)

// MaxLen is the greatest length in bytes of a URL, both of the input that is
// parsed and of its serialisation. A longer one breaks [TooLong].
const MaxLen = 1<<31 - 1

// A URL is a parsed URL: a value that does not change. Two URLs are == if and
// only if their serialisations are the same. The zero URL is no URL; see
// [URL.IsZero].
//
// A URL may point into the string it was parsed from and keep it alive;
// [URL.Clone] detaches it.
type URL struct {
	href  string // the serialisation
	parts        // a function of href, so that == compares hrefs
}

// parts says where the parts of a serialisation are.
type parts struct {
	//
	//	https://user:pass@example.org:1234/path?query#fragment
	//	     |      |     |          |    |    |     |
	//	     scheme |     host       |    |    |     queryEnd
	//	            user             |    |    pathEnd
	//	                             |    path
	//	                             hostEnd
	//
	// Without a host, user, host and hostEnd stand behind the colon, and path
	// does, too, or behind the "/." that keeps a path from looking like a host.
	scheme   uint32
	user     uint32
	host     uint32
	hostEnd  uint32
	path     uint32
	pathEnd  uint32
	queryEnd uint32
	port     uint16
	kind     HostKind
	special  schemeType
}

// schemeType tells the special schemes apart.
type schemeType uint8

const (
	notSpecial schemeType = iota
	schemeFTP
	schemeFile
	schemeHTTP
	schemeHTTPS
	schemeWS
	schemeWSS
)

// schemeTypeOf finds the special schemes (URL Standard, URL miscellaneous).
func schemeTypeOf[S []byte | string](scheme S) schemeType {
	switch string(scheme) {
	case "http":
		return schemeHTTP
	case "https":
		return schemeHTTPS
	case "ftp":
		return schemeFTP
	case "file":
		return schemeFile
	case "ws":
		return schemeWS
	case "wss":
		return schemeWSS
	}
	return notSpecial
}

// defaultPort is the port of a special scheme, and 0 for the others.
func (t schemeType) defaultPort() uint16 {
	switch t {
	case schemeHTTP, schemeWS:
		return 80
	case schemeHTTPS, schemeWSS:
		return 443
	case schemeFTP:
		return 21
	}
	return 0
}

// DefaultPort gives the default port of a special scheme: 21 for ftp, 80 for
// http and ws, 443 for https and wss. Any other scheme, file among them, has
// none as far as the URL Standard knows.
func DefaultPort(scheme string) (port uint16, ok bool) {
	port = schemeTypeOf(scheme).defaultPort()
	return port, port != 0
}

// String gives the URL's serialisation, the DOM's href. The zero URL gives "".
func (u URL) String() string { return u.href }

// IsZero reports whether u is the zero URL, which is no URL.
func (u URL) IsZero() bool { return u.href == "" }

// Scheme gives the scheme in lower case, without the colon.
func (u URL) Scheme() string { return u.href[:u.scheme] }

// IsSpecial reports whether the scheme is one of ftp, file, http, https, ws
// and wss, which the URL Standard reads by rules of their own.
func (u URL) IsSpecial() bool { return u.special != notSpecial }

// Username gives the user name as serialised, percent-encoded; it is "" when
// there is none.
func (u URL) Username() string {
	if !u.HasUserinfo() {
		return ""
	}
	return u.href[u.scheme+3 : u.user]
}

// Password gives the password as serialised, percent-encoded; it is "" when
// there is none.
func (u URL) Password() string {
	if !u.HasUserinfo() || u.href[u.user] != ':' {
		return ""
	}
	return u.href[u.user+1 : u.host-1]
}

// HasUserinfo reports whether u includes credentials: a user name or a
// password that is not empty.
func (u URL) HasUserinfo() bool { return u.kind != HostNone && u.host != u.scheme+3 }

// HasHost reports whether u has a host, which may be empty as in
// "file:///etc/motd".
func (u URL) HasHost() bool { return u.kind != HostNone }

// Host gives the host alone, without the port. It is the zero Host when u has
// none.
func (u URL) Host() Host { return Host{u.href[u.host:u.hostEnd], u.kind} }

// HostPort gives host and port as serialised, as in "ex.example:8080": the
// DOM's host. The port is left out when it is the scheme's default.
func (u URL) HostPort() string {
	if u.kind == HostNone {
		return ""
	}
	return u.href[u.host:u.path]
}

// Port gives the explicit port, and 0 when there is none. A port that is the
// scheme's default counts as none. See [URL.HasPort] and [URL.EffectivePort].
func (u URL) Port() uint16 { return u.port }

// HasPort reports whether u has an explicit port other than its scheme's default.
func (u URL) HasPort() bool { return u.kind != HostNone && u.hostEnd != u.path }

// EffectivePort gives the explicit port or else the special scheme's default;
// it is 0 for schemes whose default the URL Standard does not know.
func (u URL) EffectivePort() uint16 {
	if u.HasPort() {
		return u.port
	}
	return u.special.defaultPort()
}

// Path gives the path as serialised, percent-encoded. It begins with "/"
// unless it is empty or opaque.
func (u URL) Path() string { return u.href[u.path:u.pathEnd] }

// OpaquePath reports whether the path is one opaque string, as in
// "mailto:a@b.example", and no list of segments.
func (u URL) OpaquePath() bool {
	return u.kind == HostNone && u.href != "" && (u.path == u.pathEnd || u.href[u.path] != '/')
}

// Segments gives the path's segments in order, percent-encoded as they stand,
// so that "a%2Fb" is one segment. "/" has one, the empty segment. An opaque
// path has none.
func (u URL) Segments() iter.Seq[string] {
	return func(yield func(string) bool) {
		if u.OpaquePath() || u.path == u.pathEnd {
			return
		}
		rest := u.Path()[1:]
		for {
			segment, after, more := strings.Cut(rest, "/")
			if !yield(segment) || !more {
				return
			}
			rest = after
		}
	}
}

// Query gives the query as serialised, without "?". It is "" both when it is
// empty and when there is none; see [URL.HasQuery].
func (u URL) Query() string {
	if !u.HasQuery() {
		return ""
	}
	return u.href[u.pathEnd+1 : u.queryEnd]
}

// HasQuery reports whether u has a query, which may be empty.
func (u URL) HasQuery() bool { return u.pathEnd != u.queryEnd }

// Fragment gives the fragment as serialised, without "#". It is "" both when
// it is empty and when there is none; see [URL.HasFragment].
func (u URL) Fragment() string {
	if !u.HasFragment() {
		return ""
	}
	return u.href[u.queryEnd+1:]
}

// HasFragment reports whether u has a fragment, which may be empty.
func (u URL) HasFragment() bool { return int(u.queryEnd) != len(u.href) }

// Origin gives the serialisation of u's origin: scheme, host and port for ftp,
// http, https, ws and wss; that of the URL in the path for a blob URL of http
// or https; and "null", an opaque origin that equals no other, for all else,
// file among them.
func (u URL) Origin() string {
	switch {
	case u.special != notSpecial && u.special != schemeFile:
		if u.HasUserinfo() {
			return u.href[:u.scheme+3] + u.HostPort()
		}
		return u.href[:u.path]
	case u.Scheme() == "blob":
		if v, err := Parse(u.Path()); err == nil && (v.special == schemeHTTP || v.special == schemeHTTPS) {
			return v.Origin()
		}
	}
	return "null"
}

// Redacted gives the serialisation with every password shown as "***": its own,
// and that of a URL within it, as view-source:, a parameter or a path may hold
// one. It is the form for logs; in doubt it hides too much.
func (u URL) Redacted() string { return quote.Mask(u.href) }

// Clone gives the same URL with a serialisation of its own, so that it does
// not keep a larger string alive.
func (u URL) Clone() URL {
	u.href = strings.Clone(u.href)
	return u
}

// Compare orders URLs by their serialisation, bytewise: it is negative if u
// sorts before v, 0 if they are equal, positive otherwise.
func (u URL) Compare(v URL) int { return strings.Compare(u.href, v.href) }
