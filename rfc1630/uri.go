package rfc1630

import (
	"iter"
	"strings"
)

// A URI is a URI of RFC 1630 and its text: what was parsed, which production
// matched, and where the parts stand. Values compare with ==. The zero value is
// no URI.
//
// A URI points into the string that it was parsed from.
type URI struct {
	s     string
	prod  Production
	host  HostKind
	n     uint8
	parts [9]place
}

// place is a part and where it is.
type place struct {
	part       Part
	start, end uint32
}

// A Production is the one that a URI matched: "uri" of the generic syntax, or a
// scheme's own. The afsaddress "is left in as historical note, but is not a url
// production": it may not follow "url:".
type Production uint8

// The productions.
const (
	GenericURI Production = iota + 1
	HTTPAddress
	FTPAddress
	AFSAddress
	NewsAddress
	NNTPAddress
	MIDAddress
	CIDAddress
	MailtoAddress
	WAISIndex
	WAISDoc
	ProsperoLink
	TelnetAddress
	GopherAddress
)

var productions = [...]string{"", "uri", "httpaddress", "ftpaddress", "afsaddress", "newsaddress", "nntpaddress", "midaddress", "cidaddress",
	"mailtoaddress", "waisindex", "waisdoc", "prosperolink", "telnetaddress", "gopheraddress"}

// String is the production's name in the document, or "" for the zero value.
func (p Production) String() string {
	if int(p) < len(productions) {
		return productions[p]
	}
	return "unknown"
}

// A Part names a stretch of a URI by its production.
type Part uint8

// The parts. Which of them a URI has depends on its production; Prefix and
// FragmentID may stand with any.
const (
	Prefix Part = iota // "url", before a colon: prefixedurl
	Scheme
	User
	Password
	Host
	Port
	CellName   // afsaddress
	Path       // uri, httpaddress, ftpaddress, afsaddress
	FTPType    // ftpaddress
	Search     // uri, httpaddress, waisindex
	GroupPart  // newsaddress
	Group      // newsaddress, nntpaddress
	Article    // newsaddress
	Digits     // nntpaddress
	AddrSpec   // midaddress, cidaddress
	XAlphas    // mailtoaddress: what stands before "@"
	Database   // waisindex, waisdoc
	WType      // waisdoc
	WPath      // waisdoc
	HSOName    // prosperolink
	Version    // prosperolink
	Attributes // prosperolink
	GType      // gopheraddress
	GCommand   // gopheraddress
	FragmentID
)

var partNames = [...]string{"prefix", "scheme", "user", "password", "host", "port", "cellname", "path", "ftptype", "search", "groupart", "group",
	"article", "digits", "addr-spec", "xalphas", "database", "wtype", "wpath", "hsoname", "version", "attributes", "gtype", "gcommand",
	"fragmentid"}

// String is the production's name in the document; Prefix, which has none, is
// "prefix".
func (p Part) String() string {
	if int(p) < len(partNames) {
		return partNames[p]
	}
	return "unknown"
}

// A HostKind tells which production a host took.
type HostKind uint8

// The kinds of host.
const (
	HostNone HostKind = iota
	Hostname
	Hostnumber
)

var hostKinds = [...]string{"none", "hostname", "hostnumber"}

// String gives none, hostname or hostnumber.
func (k HostKind) String() string {
	if int(k) < len(hostKinds) {
		return hostKinds[k]
	}
	return "unknown"
}

func (u *URI) put(p Part, start, end int) {
	u.parts[u.n] = place{p, uint32(start), uint32(end)}
	u.n++
}

// IsZero reports whether u is the zero value.
func (u URI) IsZero() bool { return u.prod == 0 }

// String is the text that was parsed, unchanged. It may hold a password.
func (u URI) String() string { return u.s }

// Production tells which production matched.
func (u URI) Production() Production { return u.prod }

// Span tells where a part stands in the text: its bytes are from start up to,
// and without, end. ok is false where u has no such part; a part that is there
// and empty has start == end.
func (u URI) Span(p Part) (start, end int, ok bool) {
	for _, x := range u.parts[:u.n] {
		if x.part == p {
			return int(x.start), int(x.end), true
		}
	}
	return 0, 0, false
}

// Text is the text of a part, or "" where u has none.
func (u URI) Text(p Part) string {
	start, end, _ := u.Span(p)
	return u.s[start:end]
}

// Has reports whether u has a part, empty or not.
func (u URI) Has(p Part) bool {
	_, _, ok := u.Span(p)
	return ok
}

// Parts yields the parts that u has, in the order in which they stand, with
// their texts.
func (u URI) Parts() iter.Seq2[Part, string] {
	return func(yield func(Part, string) bool) {
		for _, x := range u.parts[:u.n] {
			if !yield(x.part, u.s[x.start:x.end]) {
				return
			}
		}
	}
}

// Scheme is the scheme as it is written, without ":".
func (u URI) Scheme() string { return u.Text(Scheme) }

// Userinfo is the user name and, behind ":", the password, as they are written.
func (u URI) Userinfo() string {
	start, end, _ := u.Span(User)
	if _, e, ok := u.Span(Password); ok {
		end = e
	}
	return u.s[start:end]
}

// HasUserinfo reports whether there is a user name.
func (u URI) HasUserinfo() bool { return u.Has(User) }

// Host is the host as it is written; of an afsaddress, the cell's name. An
// article's, a message's and a mail address' host is what stands behind "@". The
// generic syntax knows no host.
func (u URI) Host() string {
	start, end, _ := u.hostSpan()
	return u.s[start:end]
}

func (u URI) hostSpan() (start, end int, ok bool) {
	if u.prod == AFSAddress {
		return u.Span(CellName)
	}
	return u.Span(Host)
}

// HostKind tells how the grammar reads the host.
func (u URI) HostKind() HostKind { return u.host }

// Port is the port's digits, or "".
func (u URI) Port() string { return u.Text(Port) }

// HasAuthority reports whether "//" and a host follow the scheme, as the
// scheme's own production says. The generic syntax has no hosts, and what stands
// behind "@" in an article, a message or a mail address is no authority.
func (u URI) HasAuthority() bool {
	switch u.prod {
	case HTTPAddress, FTPAddress, AFSAddress, WAISIndex, WAISDoc, ProsperoLink, TelnetAddress, GopherAddress:
		return true
	}
	return false
}

// GenericPath is what RFC 3986, which came later, calls the path: all that
// follows the host and port, with its "/", or the scheme where there is no
// host, up to the search or the fragment identifier.
func (u URI) GenericPath() string {
	_, start, ok := u.Span(Scheme)
	if !ok {
		return ""
	}
	start++
	end := len(u.s)
	if u.HasAuthority() {
		_, start, _ = u.hostSpan()
		if _, e, ok := u.Span(Port); ok {
			start = e
		}
	}
	if s, _, ok := u.Span(Search); ok {
		end = s - 1
	} else if s, _, ok := u.Span(FragmentID); ok {
		end = s - 1
	}
	return u.s[start:end]
}

// Path is the path as it is written: all that follows the scheme in the generic
// syntax, and what follows the "/" behind the host in a scheme's own.
func (u URI) Path() string { return u.Text(Path) }

// Query is the search, without "?".
func (u URI) Query() string { return u.Text(Search) }

// HasQuery reports whether there is a search.
func (u URI) HasQuery() bool { return u.Has(Search) }

// Words yields the words of the search, which "+" separates, as they are
// written.
func (u URI) Words() iter.Seq[string] {
	return func(yield func(string) bool) {
		if u.Has(Search) {
			strings.SplitSeq(u.Text(Search), "+")(yield)
		}
	}
}

// Fragment is the fragment identifier, without "#".
func (u URI) Fragment() string { return u.Text(FragmentID) }

// HasFragment reports whether there is a "#". A void fragment identifier means
// the whole object, as none does.
func (u URI) HasFragment() bool { return u.Has(FragmentID) }
