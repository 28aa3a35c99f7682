package rfc3986

// A URI is a URI, an IRI, or a reference to one, and its text: what was parsed
// and where its parts stand in it. Values compare with ==, and two are equal
// when their texts are and they were read by the same standard. The zero value
// is no URI.
//
// A URI points into the string that it was parsed from.
type URI struct {
	s        string
	scheme   uint32 // length of the scheme; 0: none
	host     uint32 // start of the host, if there is an authority
	hostEnd  uint32
	path     uint32 // start of the path, and end of the authority
	pathEnd  uint32
	queryEnd uint32
	flags    flags
	kind     HostKind
}

type flags uint8

const (
	parsed flags = 1 << iota
	authority
	hasUserinfo
	hasPort
	hasQuery
	hasFragment
	international
)

func (u URI) has(f flags) bool { return u.flags&f != 0 }

// IsZero reports whether u is the zero value. The empty reference is not.
func (u URI) IsZero() bool { return !u.has(parsed) }

// String is the text that was parsed, unchanged. It may hold a password.
func (u URI) String() string { return u.s }

// IsAbsolute reports whether u has a scheme. What has none is a relative
// reference (section 4.2).
func (u URI) IsAbsolute() bool { return u.scheme > 0 }

// IsIRI reports whether u was read by RFC 3987, whether or not it holds a
// character outside US-ASCII.
func (u URI) IsIRI() bool { return u.has(international) }

// Scheme is the scheme as it is written, without ":", or "" for a relative
// reference.
func (u URI) Scheme() string { return u.s[:u.scheme] }

// HasAuthority reports whether "//" starts an authority.
func (u URI) HasAuthority() bool { return u.has(authority) }

// Authority is what stands between "//" and the path.
func (u URI) Authority() string { return u.text(PartAuthority) }

// Userinfo is what stands before "@" in the authority, colon and password
// included.
func (u URI) Userinfo() string { return u.text(PartUserinfo) }

// HasUserinfo reports whether the authority has an "@", with or without
// something before it.
func (u URI) HasUserinfo() bool { return u.has(hasUserinfo) }

// Host is the host as it is written, an IP literal with its brackets.
func (u URI) Host() string { return u.s[u.host:u.hostEnd] }

// HostKind tells how the grammar reads the host.
func (u URI) HostKind() HostKind { return u.kind }

// Port is the port's digits, which may be none.
func (u URI) Port() string { return u.text(PartPort) }

// HasPort reports whether a ":" follows the host.
func (u URI) HasPort() bool { return u.has(hasPort) }

// Path is the path. Every URI has one; it may be empty.
func (u URI) Path() string { return u.s[u.path:u.pathEnd] }

// Query is the query without "?".
func (u URI) Query() string { return u.text(PartQuery) }

// HasQuery reports whether there is a "?", with or without something behind it.
func (u URI) HasQuery() bool { return u.has(hasQuery) }

// Fragment is the fragment without "#".
func (u URI) Fragment() string { return u.text(PartFragment) }

// HasFragment reports whether there is a "#", with or without something behind
// it.
func (u URI) HasFragment() bool { return u.has(hasFragment) }

// A Part names a component of a URI (section 3).
type Part uint8

// The components and subcomponents.
const (
	PartScheme Part = iota
	PartAuthority
	PartUserinfo
	PartHost
	PartPort
	PartPath
	PartQuery
	PartFragment
)

var partNames = [...]string{"scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"}

// String is the standard's word for the part.
func (p Part) String() string {
	if int(p) < len(partNames) {
		return partNames[p]
	}
	return "unknown"
}

// Span tells where a part stands in the text: its bytes are from start up to,
// and without, end. ok is false where u has no such part; a part that is there
// and empty has start == end.
func (u URI) Span(p Part) (start, end int, ok bool) {
	switch p {
	case PartScheme:
		return 0, int(u.scheme), u.scheme > 0
	case PartAuthority:
		if u.has(authority) {
			return u.authorityStart(), int(u.path), true
		}
	case PartUserinfo:
		if u.has(hasUserinfo) {
			return u.authorityStart(), int(u.host) - 1, true
		}
	case PartHost:
		if u.has(authority) {
			return int(u.host), int(u.hostEnd), true
		}
	case PartPort:
		if u.has(hasPort) {
			return int(u.hostEnd) + 1, int(u.path), true
		}
	case PartPath:
		return int(u.path), int(u.pathEnd), u.has(parsed)
	case PartQuery:
		if u.has(hasQuery) {
			return int(u.pathEnd) + 1, int(u.queryEnd), true
		}
	case PartFragment:
		if u.has(hasFragment) {
			return int(u.queryEnd) + 1, len(u.s), true
		}
	}
	return 0, 0, false
}

func (u URI) text(p Part) string {
	start, end, _ := u.Span(p)
	return u.s[start:end]
}

// authorityStart is where the authority starts, if there is one.
func (u URI) authorityStart() int {
	if u.scheme > 0 {
		return int(u.scheme) + 3
	}
	return 2
}
