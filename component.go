package anyurl

import (
	"bytes"
	"slices"
	"strings"

	"anyurl/internal/domain"
	"anyurl/percent"
)

// The pieces of the serialisation, in the order in which they are appended.

// setScheme ends the scheme, which is in out.
func (m *machine) setScheme(out []byte) []byte {
	m.url.scheme = uint32(len(out))
	m.url.special = schemeTypeOf(out)
	out = append(out, ':')
	return out
}

// startAuthority appends "//" behind the scheme. The url's host is not null
// from here on.
func (m *machine) startAuthority(out []byte) []byte {
	out = append(out, '/', '/')
	m.url.user = uint32(len(out))
	m.url.host = uint32(len(out))
	m.endHost(out, HostEmpty)
	return out
}

// startFile appends "file://", whose host is the empty string until there is
// another.
func (m *machine) startFile(out []byte) []byte {
	out = append(out[:0], "file"...)
	out = m.setScheme(out)
	out = m.startAuthority(out)
	return out
}

// credentials appends user name, password and "@". They are in[from:to], and
// in[to] is the last "@" of the authority.
func (m *machine) credentials(out []byte, from, to int) []byte {
	if m.report != nil {
		for i := from; i <= to; i++ {
			if m.in[i] == '@' {
				m.tell(InvalidCredentials, i)
			}
		}
	}
	user, password, _ := strings.Cut(m.in[from:to], ":")
	start := len(out)
	out = appendEncode(out, user, &percent.Userinfo)
	m.url.user = uint32(len(out))
	if password != "" {
		out = append(out, ':')
		out = appendEncode(out, password, &percent.Userinfo)
	}
	if len(out) > start {
		out = append(out, '@')
	}
	m.url.host = uint32(len(out))
	m.endHost(out, HostEmpty)
	return out
}

// endHost ends the host, which is in out. The path begins here unless a port
// or "/." follows.
func (m *machine) endHost(out []byte, kind HostKind) {
	m.url.kind = kind
	m.url.hostEnd = uint32(len(out))
	m.noPort(out)
}

// noPort ends the authority where out ends.
func (m *machine) noPort(out []byte) { m.url.path = uint32(len(out)) }

// setPort appends port unless it is the scheme's default.
func (m *machine) setPort(out []byte, port uint16) []byte {
	if port == m.url.special.defaultPort() && port != 0 {
		return out
	}
	m.url.port = port
	out = append(out, ':')
	out = appendDecimal(out, uint32(port))
	m.noPort(out)
	return out
}

// noHost says that the url's host is null: the path follows the colon.
func (m *machine) noHost(out []byte) {
	m.url.user = uint32(len(out))
	m.url.host = uint32(len(out))
	m.endHost(out, HostNone)
}

// endPath ends the path, which is in out from url.path on. If the host is null
// and the path begins with an empty segment and has more, "/." goes in front
// of it, so that it cannot be taken for a host (URL serializer, step 3).
func (m *machine) endPath(out []byte) []byte {
	if m.url.kind == HostNone && bytes.HasPrefix(out[m.url.path:], []byte("//")) {
		out = append(out, 0, 0)
		copy(out[m.url.path+2:], out[m.url.path:])
		copy(out[m.url.path:], "/.")
		m.url.path += 2
	}
	m.url.pathEnd = uint32(len(out))
	return out
}

// endQuery ends the query, if there is one: it is in out from pathEnd on.
func (m *machine) endQuery(out []byte) { m.url.queryEnd = uint32(len(out)) }

// takeFromBase takes base up to end, which is its pathEnd or its queryEnd.
func (m *machine) takeFromBase(out []byte, end uint32) []byte {
	out = append(out[:0], m.base.href[:end]...)
	m.url = m.base.parts
	m.url.queryEnd = end
	return out
}

// takeSchemeFromBase takes base's scheme.
func (m *machine) takeSchemeFromBase(out []byte) []byte {
	out = append(out[:0], m.base.Scheme()...)
	out = m.setScheme(out)
	return out
}

// takeAuthorityFromBase takes scheme, username, password, host and port from
// base. The path is empty.
func (m *machine) takeAuthorityFromBase(out []byte) []byte {
	end := m.base.path
	if m.base.kind == HostNone {
		end = m.base.hostEnd // without the "/." that may follow
	}
	out = m.takeFromBase(out, end)
	m.noPort(out)
	return out
}

// takePathFromBase takes also the path from base.
func (m *machine) takePathFromBase(out []byte) []byte {
	out = m.takeAuthorityFromBase(out)
	out = append(out, m.base.Path()...)
	return out
}

// shorten is the standard's "shorten a url's path" (URL miscellaneous).
func (m *machine) shorten(out []byte) []byte {
	path := out[m.url.path:]
	last := bytes.LastIndexByte(path, '/')
	// 3. If url's scheme is "file", path's size is 1, and path[0] is a
	//    normalized Windows drive letter, then return.
	if m.url.special == schemeFile && last == 0 && len(path) == len("/c:") && firstIsDriveLetter(path) {
		return out
	}
	// 4. Remove path's last item, if any.
	if last >= 0 {
		out = out[:int(m.url.path)+last]
	}
	return out
}

// path is the path state in a setter, where neither "?" nor "#" ends a path: it
// appends the segments from i on to url's path.
func (m *machine) path(out []byte, i int) []byte {
	for {
		var end int
		out, end, _ = m.segment(out, i, false)
		if end == len(m.in) {
			return out
		}
		i = end + 1
	}
}

// segment is the path state for one segment: it appends what begins at in[i] to
// url's path, and gives the offset of the slash or, if delimited, "?" or "#"
// that ends it, or of eof. It reports whether it was a dot segment.
func (m *machine) segment(out []byte, i int, delimited bool) (result []byte, end int, dots bool) {
	in := m.in
	start := len(out)
	out = append(out, '/')
	// 2. Otherwise: UTF-8 percent-encode c using the path percent-encode set and
	//    append the result to buffer.
	from, run := i, i
	for i < len(in) {
		c := in[i]
		if percent.Path[c] || c == '/' || c == '\\' {
			if c == '/' || c == '\\' && m.special() || delimited && (c == '?' || c == '#') {
				break
			}
			if percent.Path[c] {
				out = append(out, in[run:i]...)
				out = percent.AppendByte(out, c)
				run = i + 1
			}
		}
		i++
	}
	out = append(out, in[run:i]...)
	if m.report != nil {
		m.units(from, i)
	}
	// 1. If c is eof or "/", or url is special and c is "\", or c is "?" or "#":
	c := m.c(i)
	slash := m.isSlash(c)
	if slash && c == '\\' {
		m.tell(InvalidReverseSolidus, i) // 1.1.
	}
	buffer := out[start+1:]
	switch {
	// 1.2. If buffer is a double-dot URL path segment, then shorten url's path,
	//      and if no slash follows, append the empty string to it.
	case isDoubleDot(buffer):
		out = m.shorten(out[:start])
		if !slash {
			out = append(out, '/')
		}
		return out, i, true
	// 1.3. Otherwise, if buffer is a single-dot URL path segment and no slash
	//      follows, append the empty string to url's path.
	case isSingleDot(buffer):
		out = out[:start]
		if !slash {
			out = append(out, '/')
		}
		return out, i, true
	// 1.4.1. Otherwise, if url's scheme is "file", url's path is empty, and
	//        buffer is a Windows drive letter, then replace its second code
	//        point with ":".
	case m.url.special == schemeFile && start == int(m.url.path) && isDriveLetter(buffer):
		buffer[1] = ':'
	}
	return out, i, false // 1.4.2. Append buffer to url's path.
}

// plainStart begins with the states that nearly every URL goes through the same
// way: it appends a scheme that is http or https in lower case, with its "//",
// and an authority that needs no change, as far as there are such, and gives
// where to go on from.
func (m *machine) plainStart(out []byte) (result []byte, pointer int, next state) {
	in := m.in
	special := schemeHTTPS
	start := len("https://")
	switch {
	case strings.HasPrefix(in, "https://"):
	case strings.HasPrefix(in, "http://"):
		start, special = len("http://"), schemeHTTP
	default:
		return out, 0, stateSchemeStart
	}
	if c := m.c(start); c == '/' || c == '\\' {
		return out, 0, stateSchemeStart // too many slashes
	}
	m.url.special = special
	m.url.scheme = uint32(start - len("://"))
	end := start
	for end < len(in) && classOf[in[end]]&inHost != 0 {
		end++
	}
	host := in[start:end]
	if host == "" || len(host) > domain.MaxPunycode || end == len(in) || in[end] != '/' || mayEndInNumber(host) && kindOfNumeric(host) != HostDomain {
		// The authority state writes the "//".
		return append(out, in[:start-len("//")]...), start, stateAuthority
	}
	m.url.user = uint32(start)
	m.url.host = uint32(start)
	out = append(out, in[:end]...)
	m.endHost(out, HostDomain)
	return out, end, statePathStart
}

// plainPath appends the path whose segments begin at in[i] and ends it, if it
// has no backslashes, and gives where it ends; or else it appends nothing and
// gives 0. It leaves alone what has rules of its own: drive letters, paths
// without a host, and dots at the very beginning.
func (m *machine) plainPath(out []byte, i int) (result []byte, end int) {
	in := m.in
	if _, dots := dotSegment(in[i:]); dots > 0 || m.url.kind == HostNone || m.url.special == schemeFile {
		return out, 0
	}
	// Steps up may take away what base gave, so there is no way back later.
	if strings.IndexByte(in[i:], '\\') >= 0 {
		return out, 0
	}
	if len(in)-i > roomy {
		out = roomFor(out, in[i:], &percent.Path)
	}
	out = append(out, '/')
	run := i
	for ; i < len(in); i++ {
		switch pathSteps[in[i]] {
		case stepEncode:
			out = append(out, in[run:i]...)
			out = percent.AppendByte(out, in[i])
			run = i + 1
		case stepSlash:
			for c := m.c(i + 1); c == '.' || c == '%'; c = m.c(i + 1) {
				length, dots := dotSegment(in[i+1:])
				if dots == 0 {
					break
				}
				out = append(out, in[run:i]...)
				if dots == 2 {
					out = m.shorten(out)
				}
				i += 1 + length
				run = i
				if m.c(i) != '/' {
					// The empty string takes the place of the last dot segment.
					out = append(out, '/')
					i--
					break
				}
			}
		case stepEnd:
			out = append(out, in[run:i]...)
			return m.endPath(out), i
		}
	}
	out = append(out, in[run:]...)
	return m.endPath(out), i
}

// plainRest appends everything from in[i] on, where a segment begins, if it is a
// path without dot segments, maybe a query and a fragment, and nothing in it has
// to be changed. It leaves alone what plainPath does.
func (m *machine) plainRest(out []byte, i int) (result []byte, ok bool) {
	if _, dots := dotSegment(m.in[i:]); dots > 0 || m.url.kind == HostNone || m.url.special == schemeFile {
		return out, false
	}
	at, ok := scan(m.in, i)
	if !ok || at.dots >= 0 {
		return out, false
	}
	out = append(out, '/')
	ahead := len(out) - i
	m.url.pathEnd = uint32(at.pathEnd + ahead)
	m.url.queryEnd = uint32(at.queryEnd + ahead)
	return append(out, m.in[i:]...), true
}

// opaquePath is the opaque path state for in[i:end].
func (m *machine) opaquePath(out []byte, i, end int) []byte {
	out = m.encode(out, i, end, &percent.C0Control)
	// 3. Otherwise, if c is a space: if remaining starts with "?" or "#", then
	//    append "%20" to url's path, else the space itself.
	if end < len(m.in) && out[len(out)-1] == ' ' {
		out = append(out[:len(out)-1], "%20"...)
	}
	return out
}

// encode appends in[from:to], UTF-8 percent-encoded with set, and reports what
// is no URL unit in it.
func (m *machine) encode(out []byte, from, to int, set *percent.Set) []byte {
	if m.report != nil {
		m.units(from, to)
	}
	out = appendEncode(out, m.in[from:to], set)
	return out
}

// roomFor makes room in dst for all of s, encoded. A long text would otherwise be
// copied at every step of dst's growth.
func roomFor(dst []byte, s string, set *percent.Set) []byte {
	n := len(s)
	for i := range len(s) {
		if set[s[i]] {
			n += 2
		}
	}
	if n < cap(dst)-len(dst) {
		return dst
	}
	return slices.Grow(dst, n+1)
}

// appendEncode is UTF-8 percent-encode with runs copied whole.
func appendEncode(dst []byte, s string, set *percent.Set) []byte {
	if len(s) > roomy {
		dst = roomFor(dst, s, set)
	}
	run := 0
	for i := range len(s) {
		if set[s[i]] {
			dst = append(dst, s[run:i]...)
			dst = percent.AppendByte(dst, s[i])
			run = i + 1
		}
	}
	return append(dst, s[run:]...)
}
