package anyurl

import (
	"strings"

	"anyurl/rule"
)

// ParseTyped reads what a person typed where a URL is wanted: also
// "example.com/x", "localhost:8080", "192.168.2.2:66", "[::1]/x", "//host/x",
// "me@example.com", "/etc/motd" and `C:\motd`. It guesses; for text from
// programs use [Parse].
//
// What begins with a scheme is read by Parse. A name or an address followed by
// a port number is a host, though "localhost:8080" has the form of a URL with
// the scheme localhost. A host without a scheme is given https, or http if it is
// an address, localhost, or followed by port 80. A single word is a host only if a port or a "/"
// follows it; any other word breaks [NotTyped].
func ParseTyped(s string) (URL, error) {
	text := strings.TrimSpace(s)
	lead := strings.Index(s, text)
	refuse := func() (URL, error) {
		return URL{}, &rule.Error{Input: s, Offset: lead, Rule: NotTyped}
	}
	switch {
	case text == "":
		return refuse()
	case strings.HasPrefix(text, "//") || strings.HasPrefix(text, `\\`):
		return typedHost(s, text[2:], lead+2)
	case strings.HasPrefix(text, "/"):
		return typedFile(s, text, UnixPath)
	case startsWithDriveLetter(text) && text[1] == ':' && len(text) > 2 && text[2] != '?' && text[2] != '#':
		return typedFile(s, text, WindowsPath)
	}
	// "name:" is a scheme, unless a port number follows.
	name, after, colon := strings.Cut(text, ":")
	if colon && isScheme(name) && !typedPort(name, after) {
		return Parse(s)
	}
	end := strings.IndexAny(text, `/?#\`)
	if end < 0 {
		end = len(text)
	}
	authority := text[:end]
	switch {
	// A mail address, and nothing else.
	case end == len(text) && strings.Count(authority, "@") == 1 && !strings.ContainsAny(authority, ": \t") &&
		authority[0] != '@' && authority[end-1] != '@':
		u, err := Parse("mailto:" + text)
		if err != nil {
			return refuse()
		}
		return u, nil
	// "localhost", "a.example", "[::1]", "word/", "word:80".
	case strings.ContainsAny(authority, ".:[\u3002\uFF0E\uFF61"), authority != "" && end < len(text) && text[end] == '/',
		strings.EqualFold(authority, "localhost"):
		return typedHost(s, text, lead)
	}
	return refuse()
}

// isScheme reports whether s has a scheme's form.
func isScheme(s string) bool {
	for i := range len(s) {
		if !isSchemeByte(s[i]) {
			return false
		}
	}
	return s != "" && isAlpha(s[0])
}

// typedPort reports whether what follows "name:" is a port number, and name is
// no scheme that goes on with a number by itself.
func typedPort(name, after string) bool {
	switch strings.ToLower(name) {
	case "tel", "sms", "fax", "modem", "callto", "news", "nntp", "mid", "cid", "data", "urn":
		return false
	}
	end := 0
	for end < len(after) && isDigit(after[end]) {
		end++
	}
	_, ok := portNumber(after[:end])
	return ok && end > 0 && (end == len(after) || strings.IndexByte(`/?#\`, after[end]) >= 0)
}

// typedHost reads text, which is s from lead on, as a host and what follows it.
func typedHost(s, text string, lead int) (URL, error) {
	u, err := Parse("https://" + text)
	if err == nil && (u.Host().isLocal() || u.port == 80) {
		u, err = Parse("http://" + text)
	}
	if err != nil {
		e := *err.(*rule.Error)
		e.Input = s
		e.Offset = min(max(e.Offset-len("https://"), 0)+lead, len(s))
		return URL{}, &e
	}
	return u, nil
}

// isLocal reports whether a host is an address or localhost, so that no
// certificate can be expected there.
func (h Host) isLocal() bool {
	name := strings.TrimSuffix(h.text, ".")
	return h.kind != HostDomain || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

func typedFile(s, path string, style PathStyle) (URL, error) {
	u, err := FileURL(path, style)
	if err != nil {
		e := *err.(*rule.Error)
		e.Offset += strings.Index(s, path)
		e.Input = s
		return URL{}, &e
	}
	return u, nil
}
