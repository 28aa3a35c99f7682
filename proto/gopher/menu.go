package gopher

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"anyurl"
	"anyurl/fetch"
	gopherurl "anyurl/scheme/gopher"
)

// entry reads a menu's line: type and display string, selector, host, port, and
// for Gopher+ a mark. A line with fewer fields is words to read.
func (x *exchange) entry(line string) fetch.Entry {
	e := fetch.Entry{Type: "i", Size: -1, Raw: line}
	f := strings.Split(line, "\t")
	if len(f) < 4 || f[0] == "" {
		e.Name = latin1(f[0])
		if len(f) > 1 && e.Name != "" && (f[0][0] == 'i' || f[0][0] == '3') {
			e.Type, e.Name = f[0][:1], e.Name[1:]
		}
		return e
	}
	typ := gopherurl.Type(f[0][0])
	e.Type, e.Name = latin1(f[0][:1]), latin1(f[0][1:])
	if typ == 'i' || typ == '3' {
		return e
	}
	port, err := strconv.ParseUint(strings.TrimSpace(f[3]), 10, 16)
	if err != nil || port == 0 || isNoHost(f[2]) {
		return e
	}
	host, err := anyurl.ParseHost(bracketed(f[2]), false)
	if err != nil || host.String() == "" {
		return e
	}
	ref := gopherurl.Ref{Host: host, Port: uint16(port), Type: typ, Selector: f[1]}
	if place := elsewhere(typ, f[1], ref.Addr()); place != "" {
		if u, err := anyurl.Parse(place); err == nil {
			e.URL = u.String()
		}
		return e
	}
	// A menu that came over TLS speaks of its own server the same way.
	ref.TLS = x.ref.TLS && strings.EqualFold(ref.Addr(), x.ref.Addr())
	if u := ref.URL(); !u.IsZero() {
		e.URL = u.String()
	}
	return e
}

// isNoHost reports whether a host's field says that the line is no link.
func isNoHost(host string) bool {
	switch strings.ToLower(host) {
	case "", "error.host", "null.host", "(null)", "fake", "(fake)", "none", "invalid", "error":
		return true
	}
	return false
}

// bracketed writes an IPv6 address as a URL does.
func bracketed(host string) string {
	if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
		return "[" + host + "]"
	}
	return host
}

// latin1 is s as UTF-8: what is not UTF-8 is taken for ISO 8859-1.
func latin1(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// mediaType guesses what an item is, from its type and then from its name.
func mediaType(ref gopherurl.Ref) string {
	switch ref.Type {
	case '0', '3', 'i', '2':
		// A text by its type may be a known kind of text by its name.
		if t := fetch.TypeByName(ref.Selector); strings.HasPrefix(t, "text/") {
			return t
		}
		return "text/plain"
	case '1', '7', '+':
		return "application/gopher-menu"
	case '4':
		return "application/mac-binhex40"
	case '6':
		return "text/x-uuencode"
	case 'g':
		return "image/gif"
	case 'h':
		return "text/html"
	case 'M':
		return "message/rfc822"
	case 'P':
		return "application/pdf"
	case 'p':
		return "image/png"
	case 'r':
		return "application/rtf"
	case 'x':
		return "application/xml"
	case 'c':
		return "text/calendar"
	}
	if t := fetch.TypeByName(ref.Selector); t != "" {
		return t
	}
	switch ref.Type {
	case 'd':
		return "application/pdf"
	case 's', '<':
		return "audio/basic"
	case ':':
		return "image/bmp"
	}
	return "application/octet-stream"
}
