package rfc1738

import (
	"iter"
	"strings"
)

// A URL is a URL of RFC 1738 and its text: what was parsed, which production
// matched, and where the parts stand. Values compare with ==. The zero value is
// no URL.
//
// A URL points into the string that it was parsed from.
type URL struct {
	s     string
	prod  Production
	host  HostKind
	n     uint8
	parts [8]place
}

// place is a part and where it is.
type place struct {
	part       Part
	start, end uint32
}

// A Production is the one of "url" that matched.
type Production uint8

// The productions of url, with the three of waisurl, and genericurl for what
// was read by [ParseGeneric].
const (
	FTPURL Production = iota + 1
	FileURL
	HTTPURL
	GopherURL
	MailtoURL
	NewsURL
	NNTPURL
	TelnetURL
	WAISDatabase
	WAISIndex
	WAISDoc
	ProsperoURL
	OtherURL
	GenericURL
)

var productions = [...]string{"", "ftpurl", "fileurl", "httpurl", "gopherurl", "mailtourl", "newsurl", "nntpurl", "telneturl",
	"waisdatabase", "waisindex", "waisdoc", "prosperourl", "otherurl", "genericurl"}

// String is the production's name in section 5, or "" for the zero value.
func (p Production) String() string {
	if int(p) < len(productions) {
		return productions[p]
	}
	return "unknown"
}

// A Part names a stretch of a URL by its production.
type Part uint8

// The parts. Which of them a URL has depends on its production.
const (
	Scheme Part = iota
	SchemePart
	User
	Password
	Host
	Port
	URLPath        // otherurl, genericurl: what follows "/" behind a host
	FPath          // ftpurl, fileurl
	FTPType        // ftpurl: the letter behind ";type="
	HPath          // httpurl
	Search         // httpurl, gopherurl, waisindex
	GType          // gopherurl
	Selector       // gopherurl
	GopherPlus     // gopherurl: gopher+_string
	Encoded822Addr // mailtourl
	GroupPart      // newsurl: "*", a group or an article
	Group          // newsurl, nntpurl
	Article        // newsurl
	Digits         // nntpurl: the article's number
	Database       // waisurl
	WType          // waisdoc
	WPath          // waisdoc
	PPath          // prosperourl
	FieldSpecs     // prosperourl: every fieldspec, from the first ";" on
)

var partNames = [...]string{"scheme", "schemepart", "user", "password", "host", "port", "urlpath", "fpath", "ftptype", "hpath", "search",
	"gtype", "selector", "gopher+_string", "encoded822addr", "grouppart", "group", "article", "digits", "database", "wtype", "wpath",
	"ppath", "fieldspec"}

// String is the production's name in section 5. FieldSpecs is "fieldspec".
func (p Part) String() string {
	if int(p) < len(partNames) {
		return partNames[p]
	}
	return "unknown"
}

// A HostKind tells which production a host took.
type HostKind uint8

// The kinds of host. HostEmpty is the host that a file URL leaves out between
// "//" and "/".
const (
	HostNone HostKind = iota
	HostEmpty
	Hostname
	Hostnumber
)

var hostKinds = [...]string{"none", "empty", "hostname", "hostnumber"}

// String gives none, empty, hostname or hostnumber.
func (k HostKind) String() string {
	if int(k) < len(hostKinds) {
		return hostKinds[k]
	}
	return "unknown"
}

func (u *URL) put(p Part, start, end int) {
	u.parts[u.n] = place{p, uint32(start), uint32(end)}
	u.n++
}

// IsZero reports whether u is the zero value.
func (u URL) IsZero() bool { return u.prod == 0 }

// String is the text that was parsed, unchanged. It may hold a password.
func (u URL) String() string { return u.s }

// Production tells which production of url matched.
func (u URL) Production() Production { return u.prod }

// Span tells where a part stands in the text: its bytes are from start up to,
// and without, end. ok is false where u has no such part; a part that is there
// and empty has start == end.
func (u URL) Span(p Part) (start, end int, ok bool) {
	if p == SchemePart && u.n > 0 {
		return int(u.parts[0].end) + 1, len(u.s), true
	}
	for _, x := range u.parts[:u.n] {
		if x.part == p {
			return int(x.start), int(x.end), true
		}
	}
	return 0, 0, false
}

// Text is the text of a part, or "" where u has none.
func (u URL) Text(p Part) string {
	start, end, _ := u.Span(p)
	return u.s[start:end]
}

// Has reports whether u has a part, empty or not.
func (u URL) Has(p Part) bool {
	_, _, ok := u.Span(p)
	return ok
}

// Parts yields the parts that u has, in the order in which they stand, with
// their texts. SchemePart, which holds all of them but the scheme, is not
// among them.
func (u URL) Parts() iter.Seq2[Part, string] {
	return func(yield func(Part, string) bool) {
		for _, x := range u.parts[:u.n] {
			if !yield(x.part, u.s[x.start:x.end]) {
				return
			}
		}
	}
}

// Scheme is the scheme as it is written, without ":".
func (u URL) Scheme() string { return u.Text(Scheme) }

// Userinfo is the user name and, behind ":", the password, as they are written.
func (u URL) Userinfo() string {
	start, end, _ := u.Span(User)
	if _, e, ok := u.Span(Password); ok {
		end = e
	}
	return u.s[start:end]
}

// HasUserinfo reports whether there is a user name, empty or not.
func (u URL) HasUserinfo() bool { return u.Has(User) }

// Host is the host as it is written. A news article's host is the part of its
// message-id behind "@".
func (u URL) Host() string { return u.Text(Host) }

// HostKind tells how the grammar reads the host.
func (u URL) HostKind() HostKind { return u.host }

// Port is the port's digits, or "".
func (u URL) Port() string { return u.Text(Port) }

// HasAuthority reports whether "//" and a host follow the scheme. An article's
// host is no authority.
func (u URL) HasAuthority() bool {
	return u.Has(Host) && u.prod != NewsURL
}

// GenericPath is what RFC 3986, which came later, calls the path: all that
// follows the host and port, with its "/", or the scheme where there is no
// authority, up to the search part of an http or wais URL.
func (u URL) GenericPath() string {
	start, end, _ := u.Span(SchemePart)
	if u.HasAuthority() {
		_, start, _ = u.Span(Host)
		if _, e, ok := u.Span(Port); ok {
			start = e
		}
	}
	if s, _, ok := u.Span(Search); ok && u.prod != GopherURL {
		end = s - 1
	}
	return u.s[start:end]
}

// Path is the text of fpath, hpath, ppath or urlpath, whichever u has. The "/"
// behind the host is no part of it (section 3.1).
func (u URL) Path() string {
	for _, p := range [...]Part{FPath, HPath, PPath, URLPath} {
		if start, end, ok := u.Span(p); ok {
			return u.s[start:end]
		}
	}
	return ""
}

// Segments yields the segments of fpath, hpath or ppath, as they are written.
// A path that is there has one at least, which may be empty.
func (u URL) Segments() iter.Seq[string] {
	return func(yield func(string) bool) {
		if u.Has(FPath) || u.Has(HPath) || u.Has(PPath) {
			strings.SplitSeq(u.Path(), "/")(yield)
		}
	}
}

// Query is the search part of an http, gopher or wais URL, without its mark.
func (u URL) Query() string { return u.Text(Search) }

// HasQuery reports whether there is a search part, empty or not.
func (u URL) HasQuery() bool { return u.Has(Search) }

// Fields yields the names and values of a prospero URL's fieldspecs, as they
// are written.
func (u URL) Fields() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		specs := strings.TrimPrefix(u.Text(FieldSpecs), ";")
		for more := u.Has(FieldSpecs); more; {
			var spec string
			spec, specs, more = strings.Cut(specs, ";")
			name, value, _ := strings.Cut(spec, "=")
			if !yield(name, value) {
				return
			}
		}
	}
}
