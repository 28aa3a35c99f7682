// Package find finds URLs in text: as RFC 1738's appendix and RFC 3986's
// Appendix C say they should stand there (<URL:...>, <...>, broken over
// lines), and as mail, Markdown, logs and chat really have them.
//
// Start with [Text] for text in memory and with [Reader] for a stream; both
// give the same matches. [Scanner] is the stream without any allocation.
// Documents (HTML, Markdown, mail, ...) are package find/format's.
package find

import (
	"iter"
	"math"
)

// Kind says what a match is.
type Kind uint8

const (
	// URL has a scheme. It is the only kind found unless [Options.Relaxed] is set.
	URL Kind = iota
	// WWW is a host that begins with "www.", under a known top-level domain, and
	// what follows it.
	WWW
	// Domain is a bare host under a known top-level domain, or an IPv4 address
	// with a port or a path, and what follows it.
	Domain
	// Email is a mail address.
	Email
	// IP is an IPv6 address in brackets with a path, and maybe a port, behind it:
	// "[2001:db8::1]:8080/x". One that begins with "::" needs a scheme to be found.
	IP
	// Relative is a network-path reference: "//host/...".
	Relative
	// Reference is any other relative reference. Text never gives one: only a
	// format's markup can say that "../x.html" is a link.
	Reference
)

var kinds = [...]string{"url", "www", "domain", "email", "ip", "relative", "reference"}

// String gives the kind's name in the command's output: url, www, domain,
// email, ip, relative or reference.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// MarshalText gives the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Match is a URL in a text.
type Match struct {
	// URL is the reference itself: Text, without the white space of line
	// breaks inside angle brackets, without what a terminal is told of colours (SGR)
	// and, in a format that says so, decoded.
	// Nothing is added to it and nothing is normalised.
	URL string
	// Text is the reference as it stands in the source: Text is source[Start:End].
	Text string
	// Start and End are byte offsets into the source, half open. Brackets,
	// quotes, a "URL:" mark and the sentence's punctuation lie outside.
	Start, End int
	// Line and Col are where Start is, counted from 1, Col in bytes.
	Line, Col int
	// Kind says what was found.
	Kind Kind
	// Hyphen is set when a line inside the match ended in a hyphen, which may
	// be the URL's or the typesetter's (RFC 1738, appendix). URL keeps it.
	Hyphen bool
	// Source is [Options.Source].
	Source string
}

// A Profile chooses whose rules say where a URL ends.
type Profile uint8

const (
	// RFC3986 is the default: the characters of RFC 3986 and RFC 3987, with
	// what prose, markup and code taught (docs/decisions).
	RFC3986 Profile = iota
	// UTS58 is Unicode Technical Standard #58, Unicode Link Detection and
	// Formatting, version 17.0. It always looks for all its kinds: http, https
	// and mailto URLs, bare domains and mail addresses.
	UTS58
)

var profiles = [...]string{"rfc3986", "uts58"}

// String gives the profile's name in the command's flag: rfc3986 or uts58.
func (p Profile) String() string {
	if int(p) < len(profiles) {
		return profiles[p]
	}
	return "unknown"
}

// Options choose what is found. The zero value finds URLs that have a scheme.
type Options struct {
	// Relaxed finds all kinds, not only [URL].
	Relaxed bool
	// Profile chooses the rules.
	Profile Profile
	// Source is copied into every match.
	Source string
	// MaxLen is the length in bytes from which a URL is passed over, with the
	// sentence's punctuation that stands behind it; it bounds the memory that
	// [Reader] needs. Zero means 1 MiB.
	MaxLen int
}

// Text finds the URLs in text, in order; no two overlap. The matches of a
// string point into it; those of bytes are copies, so that the caller may
// write over the bytes.
//
// Time is linear in the length of the text, whatever it holds: text need not
// be valid UTF-8, and lines may have any length.
func Text[T ~string | ~[]byte](text T, opts Options) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		e := engine{opts: opts.withDefaults(), eof: true, stop: math.MaxInt}
		var keep arena
		switch text := any(text).(type) {
		case string:
			e.s = text
		case []byte:
			e.s = view(text)
			keep.copies = true
		default:
			e.s = string(text.(T))
		}
		for e.next() {
			// Field by field: a copy of a Match that was just filled in would wait for
			// what was written to it.
			url, text, line, col := e.match(&keep)
			f := &e.found
			if !yield(Match{url, text, f.start, f.end, line, col, f.kind, f.hyphen, opts.Source}) {
				return
			}
		}
	}
}

func (o Options) withDefaults() Options {
	if o.MaxLen <= 0 {
		o.MaxLen = 1 << 20
	}
	if o.Profile == UTS58 {
		o.Relaxed = true
	}
	return o
}
