package quote

import (
	"slices"
	"strings"
)

// Hidden is what stands for a password.
const Hidden = "***"

// Mask returns s with the password of every userinfo part in it replaced by
// [Hidden]. It reads s as loosely as any reader might, so that a string that is
// no URL yet, or that no standard takes, keeps its secret too: backslashes and
// any number of slashes, tabs and line ends in between, no scheme at all, a
// password that holds a slash, a URL within a URL, also percent-encoded. In
// doubt it hides too much. It does not escape anything; see [Text].
func Mask(s string) string {
	spans := secrets(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.start])
		b.WriteString(Hidden)
		at = sp.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// A span is a stretch of bytes, end excluded.
type span struct{ start, end int }

// secrets gives the passwords in s, in order and apart from each other.
func secrets(s string) []span {
	var spans []span
	if last := strings.LastIndexByte(s, '@'); last >= 0 {
		m := masker{s: s, lastAt: last}
		m.scan()
		spans = m.spans
	}
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '\xef') < 0 { // with which all disguises begin
		return spans
	}
	disguised, last := false, strings.LastIndexByte(s, '@')
	for _, d := range disguises {
		if at := strings.LastIndex(s, d.text); at >= 0 {
			disguised = true
			if d.means == '@' {
				last = max(last, at)
			}
		}
	}
	if disguised && last >= 0 {
		m := masker{s: s, encoded: true, lastAt: last}
		m.scan()
		spans = join(append(spans, m.spans...))
	}
	return spans
}

// disguises are what stands for the "@" and ":" of a userinfo part once it is
// decoded or mapped to compatibility forms (UTS 46, section 4, step 1).
var disguises = [...]struct {
	text  string
	means byte
}{
	{"%40", '@'}, {"\uff20", '@'}, {"\ufe6b", '@'},
	{"%3a", ':'}, {"%3A", ':'}, {"\uff1a", ':'}, {"\ufe55", ':'}, {"\ufe13", ':'},
}

// join orders spans and makes one of those that overlap.
func join(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	kept := spans[:0]
	for _, sp := range spans {
		if n := len(kept); n > 0 && sp.start <= kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, sp.end)
			continue
		}
		kept = append(kept, sp)
	}
	return kept
}

// A masker looks for authorities in s and for the passwords in them.
type masker struct {
	s       string
	encoded bool // delimiters count percent-encoded and in compatibility forms as well
	lastAt  int  // the last "@" of all
	spans   []span
}

// symbol gives the character at s[i:] and its length; a percent-encoded
// delimiter is one, where those count, and so is a wide or a small one.
func (m *masker) symbol(i int) (c byte, n int) {
	s := m.s[i:]
	if m.encoded && s[0] == '%' && len(s) >= 3 {
		switch s[1:3] {
		case "2f", "2F":
			return '/', 3
		case "3a", "3A":
			return ':', 3
		case "3f", "3F":
			return '?', 3
		case "5c", "5C":
			return '\\', 3
		case "23":
			return '#', 3
		case "40":
			return '@', 3
		}
	}
	if m.encoded && s[0] == 0xEF && len(s) >= 3 {
		for _, d := range disguises {
			if s[:3] == d.text {
				return d.means, 3
			}
		}
	}
	return s[0], 1
}

// slashes skips slashes of both kinds, and what the URL Standard drops
// wherever it stands: tabs and line ends. It counts the slashes.
func (m *masker) slashes(i int) (end, count int) {
	for i < len(m.s) {
		c, n := m.symbol(i)
		switch c {
		case '/', '\\':
			count++
		case '\t', '\n', '\r':
		default:
			return i, count
		}
		i += n
	}
	return i, count
}

func (m *masker) scan() {
	i := m.head()
	for i < len(m.s) {
		c, n := m.symbol(i)
		switch c {
		case '/', '\\':
			end, count := m.slashes(i)
			if i = end; count >= 2 {
				i = m.authority(i)
			}
		case ':':
			name := m.word(i)
			if i += n; hasAuthority(name) {
				i, _ = m.slashes(i)
				i = m.authority(i)
			}
		default:
			i += n
		}
	}
}

// head reads the start of the string, where a scheme may be missing.
func (m *masker) head() int {
	start := 0
	for start < len(m.s) && m.s[start] <= ' ' {
		start++
	}
	for i := start; i < len(m.s); {
		c, n := m.symbol(i)
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9',
			c == '+', c == '-', c == '.', c == '\t', c == '\n', c == '\r':
			i += n
			continue
		case c != ':':
			end, count := m.slashes(start)
			if count == 1 {
				return start // a path
			}
			return m.authority(end)
		}
		name := strings.ToLower(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(m.s[start:i]))
		end, count := m.slashes(i + n)
		switch {
		case count >= 2 || hasAuthority(name):
			return m.authority(end)
		case count == 1 || holdsAt(name):
			return i + n
		}
		return m.authority(start) // "user:password@host" without a scheme
	}
	return len(m.s)
}

// word gives the letters that end before i, in lower case: what a scheme may
// be. None that matter here is longer than ten.
func (m *masker) word(i int) string {
	start := i
	for start > 0 && i-start < 12 && 'a' <= m.s[start-1]|0x20 && m.s[start-1]|0x20 <= 'z' {
		start--
	}
	return strings.ToLower(m.s[start:i])
}

// authority reads one authority, remembers its password, and returns where it
// ends.
func (m *masker) authority(start int) (end int) {
	firstColon, lastAt, portDigits, port := -1, -1, true, -1
	for end = start; end < len(m.s); {
		c, n := m.symbol(end)
		if c == '/' || c == '\\' || c == '?' || c == '#' {
			break
		}
		switch {
		case c == '@':
			lastAt, port, portDigits = end, -1, true
		case c == ':':
			if firstColon < 0 && !m.ownAt(start, end) {
				firstColon = end + n
			}
			port, portDigits = end+n, true
		case c < '0' || c > '9':
			portDigits = false
		}
		end += n
	}
	if port >= 0 && !portDigits && m.lastAt > end {
		// No port: a password that holds a delimiter, up to the last "@".
		lastAt, end = m.lastAt, m.lastAt
	}
	if firstColon >= 0 && firstColon < lastAt {
		m.spans = append(m.spans, span{firstColon, lastAt})
	}
	return end
}

// ownAt reports whether the ":" at i ends, in a sentence, a scheme whose "@" is
// its own: "reading mailto:joe@ex.example: …" names no password.
func (m *masker) ownAt(start, i int) bool {
	name := m.word(i)
	at := i - len(name)
	return at > start && m.s[at-1] == ' ' && holdsAt(name)
}

// hasAuthority reports whether what follows the scheme is an authority even
// where the slashes are missing.
func hasAuthority(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss", "ftp", "ftps", "sftp", "ssh", "gopher", "gophers", "telnet",
		"rlogin", "imap", "imaps", "pop", "pops", "smtp", "smtps", "ldap", "ldaps", "nfs", "smb", "rtsp", "rsync", "git", "svn",
		"irc", "ircs", "wais", "prospero", "redis", "mysql", "postgres", "postgresql", "mongodb", "amqp":
		return true
	}
	return false
}

// holdsAt reports whether an "@" in the path is the scheme's own and no secret
// stands before it.
func holdsAt(scheme string) bool {
	switch scheme {
	case "mailto", "mailserver", "news", "snews", "nntp", "mid", "cid", "sip", "sips", "xmpp", "im", "pres", "acct",
		"urn", "data", "javascript", "tel", "sms", "magnet", "about", "blob", "view-source", "jar", "feed", "url", "geo", "tag":
		return true
	}
	return false
}
