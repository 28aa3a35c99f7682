package anyurl

import (
	"strconv"
	"strings"

	"anyurl/percent"
	"anyurl/rule"
)

// The With… methods are the setters of the URL Standard, section "API": each
// runs the basic URL parser on the value with a state override. Where the
// standard's setter does nothing, or does half of what it was asked, they say
// why with an error; the URL they return is in any case the one that the
// standard's setter leaves behind. Offsets are into the value.

// setter starts a machine on value with u's scheme. Unlike Parse, a setter
// trims nothing, but it drops tabs and newlines.
func (u URL) setter(value string) machine {
	m := machine{src: value}
	m.url.special = u.special
	m.in, m.exact = cleanText(value)
	return m
}

// finish serialises r, which came of u. Of the zero URL comes no other: it has
// no scheme that a part could follow.
func (u URL) finish(r record, value string) (URL, error) {
	if u.IsZero() {
		return u.refuse(MissingSchemeNonRelativeURL, value, 0)
	}
	v, err := r.serialize(value)
	if err != nil {
		return u, err
	}
	return v, nil
}

// fail says that the value's machine stopped at in[i] for a rule, and leaves u
// as it is.
func (u URL) fail(m machine, r rule.Rule, i int) (URL, error) {
	return u.refuse(r, m.src, m.source(i))
}

func (u URL) refuse(r rule.Rule, value string, offset int) (URL, error) {
	return u, &rule.Error{Input: value, Offset: offset, Rule: r}
}

// cannotHaveCredentials is the standard's "cannot have a
// username/password/port" (URL miscellaneous).
func (u URL) cannotHaveCredentials() bool {
	return u.kind == HostNone || u.kind == HostEmpty || u.special == schemeFile
}

// WithScheme gives u with another scheme, which may be followed by ":" and
// anything else. A special scheme can only be changed for a special one, and
// one that is not special for another that is not; the rule is [SchemeChange].
func (u URL) WithScheme(scheme string) (URL, error) {
	m := u.setter(scheme)
	// Scheme start state: if c is an ASCII alpha; otherwise, return failure.
	end := 0
	for end < len(m.in) && isSchemeByte(m.in[end]) {
		end++
	}
	if end == 0 || !isAlpha(m.in[0]) {
		return u.fail(m, InvalidScheme, 0)
	}
	// Scheme state: the value is followed by ":", so that it ends there.
	if c := m.c(end); c != ':' && c != eof {
		return u.fail(m, InvalidScheme, end)
	}
	buffer := strings.ToLower(m.in[:end])
	special := schemeTypeOf(buffer)
	switch {
	// 2.1.1. If url's scheme is a special scheme and buffer is not, then return.
	// 2.1.2. If url's scheme is not a special scheme and buffer is, then return.
	case (special == notSpecial) != (u.special == notSpecial),
		// 2.1.3. If url includes credentials or has a non-null port, and buffer
		//        is "file", then return.
		special == schemeFile && (u.HasUserinfo() || u.HasPort()),
		// 2.1.4. If url's scheme is "file" and its host is an empty host, then
		//        return.
		u.special == schemeFile && u.kind == HostEmpty && special != schemeFile:
		return u.fail(m, SchemeChange, 0)
	}
	r := u.record()
	r.scheme, r.special = buffer, special
	// 2.3.1. If url's port is url's scheme's default port, then set it to null.
	if r.hasPort && r.port == special.defaultPort() {
		r.port, r.hasPort = 0, false
	}
	return u.finish(r, scheme)
}

// WithUsername gives u with another user name, which is not encoded yet but may
// hold escapes. "" removes it. A URL without a host, and a file URL, can have
// none; the rule is [CannotHaveCredentials].
func (u URL) WithUsername(username string) (URL, error) {
	if u.cannotHaveCredentials() {
		return u.refuse(CannotHaveCredentials, username, 0)
	}
	r := u.record()
	r.username = encodeText(username, &percent.Userinfo)
	return u.finish(r, username)
}

// WithPassword gives u with another password, which is not encoded yet but may
// hold escapes. "" removes it. A URL without a host, and a file URL, can have
// none; the rule is [CannotHaveCredentials].
func (u URL) WithPassword(password string) (URL, error) {
	if u.cannotHaveCredentials() {
		return u.refuse(CannotHaveCredentials, password, 0)
	}
	r := u.record()
	r.password = encodeText(password, &percent.Userinfo)
	return u.finish(r, password)
}

// encodeText is UTF-8 percent-encode; ill-formed UTF-8 is read as U+FFFD.
func encodeText(s string, set *percent.Set) string {
	return percent.Encode(scalarValues(s), set)
}

// WithHost gives u with another host, or another host and port, as in
// "ex.example:8080". Without a port in host, u's stays. What follows the host
// from "/", "?" or "#" on is not looked at. A URL with an opaque path cannot
// have a host; the rule is [OpaquePathURL].
func (u URL) WithHost(host string) (URL, error) { return u.withHost(host, false) }

// WithHostname gives u with another host and the port it has. A host with a
// port is refused: the rule is [HostnameWithPort].
func (u URL) WithHostname(host string) (URL, error) { return u.withHost(host, true) }

func (u URL) withHost(value string, hostnameState bool) (URL, error) {
	if u.OpaquePath() {
		return u.refuse(OpaquePathURL, value, 0)
	}
	m := u.setter(value)
	end := m.authorityEnd(0)
	// Host state, 1. If url's scheme is "file", file host state.
	if u.special == schemeFile {
		return u.withFileHost(m, end)
	}
	colon := portColon(m.in[:end])
	switch {
	// 2.1. If buffer is the empty string, host-missing validation error,
	//      return failure.
	case colon == 0:
		return u.fail(m, HostMissing, 0)
	// 2.2. If state override is hostname state, then return failure.
	case colon > 0 && hostnameState:
		return u.fail(m, HostnameWithPort, colon)
	case colon > 0:
		end = colon
	// 3.1. If url is special and buffer is the empty string, host-missing
	//      validation error, return failure.
	case end == 0 && m.special():
		return u.fail(m, HostMissing, 0)
	// 3.2. Otherwise, if buffer is the empty string, and either url includes
	//      credentials or url's port is non-null, then return failure.
	case end == 0 && (u.HasUserinfo() || u.HasPort()):
		return u.fail(m, HostMissing, 0)
	}
	// 2.3., 3.3. Let host be the result of host parsing buffer.
	out, err := m.host(nil, 0, end, !m.special())
	if err != nil {
		err.Input = value
		return u, err
	}
	r := u.record()
	r.host = Host{string(out), m.url.kind}
	v, refused := u.finish(r, value)
	if refused != nil || colon < 0 {
		return v, refused
	}
	return v.withPort(m, colon+1) // 2.5. Set state to port state.
}

// withFileHost is the file host state with a state override.
func (u URL) withFileHost(m machine, end int) (URL, error) {
	r := u.record()
	r.host = Host{"", HostEmpty} // 1.2.
	if end > 0 {
		// 1.3.1. Let host be the result of host parsing buffer.
		out, err := m.host(nil, 0, end, false)
		if err != nil {
			err.Input = m.src
			return u, err
		}
		// 1.3.3. If host is "localhost", then set host to the empty string.
		if string(out) != "localhost" {
			r.host = Host{string(out), m.url.kind}
		}
	}
	return u.finish(r, m.src)
}

// WithPort gives u with another port, in decimal; what follows the digits is
// not looked at. "" removes the port, and the scheme's default does, too. A URL
// without a host, and a file URL, can have none; the rule is
// [CannotHaveCredentials].
func (u URL) WithPort(port string) (URL, error) {
	if u.cannotHaveCredentials() {
		return u.refuse(CannotHaveCredentials, port, 0)
	}
	if port == "" {
		r := u.record()
		r.port, r.hasPort = 0, false
		return u.finish(r, port)
	}
	return u.withPort(u.setter(port), 0)
}

// WithPortNumber is [URL.WithPort] for a number.
func (u URL) WithPortNumber(port uint16) (URL, error) {
	return u.WithPort(strconv.Itoa(int(port)))
}

// withPort is the port state with a state override, from in[i] on.
func (u URL) withPort(m machine, i int) (URL, error) {
	// 1. If c is an ASCII digit, append c to buffer.
	end := i
	for end < len(m.in) && isDigit(m.in[end]) {
		end++
	}
	// 2.2. If state override is given (and buffer is empty), return failure.
	if end == i {
		return u.fail(m, PortInvalid, i)
	}
	port, ok := portNumber(m.in[i:end])
	if !ok { // 2.1.2.
		return u.fail(m, PortOutOfRange, i)
	}
	// 2.1.3. Set url's port to null, if port is url's scheme's default port;
	//        otherwise to port.
	r := u.record()
	r.port, r.hasPort = port, true
	if port == u.special.defaultPort() && port != 0 {
		r.port, r.hasPort = 0, false
	}
	return u.finish(r, m.src)
}

// WithPath gives u with another path, whose dot segments are resolved and in
// which "?" and "#" are encoded. An opaque path cannot be changed; the rule is
// [OpaquePathURL].
func (u URL) WithPath(path string) (URL, error) {
	if u.OpaquePath() {
		return u.refuse(OpaquePathURL, path, 0)
	}
	m := u.setter(path)
	var out []byte
	// Path start state.
	switch c := m.c(0); {
	// 1. If url is special: 1.3. If c is neither "/" nor "\", it is read again
	//    by the path state.
	case m.isSlash(c):
		out = m.path(out, 1)
	// 4. Otherwise, if c is not eof, set state to path state.
	case m.special() || c != eof:
		out = m.path(out, 0)
	// 5. Otherwise, if url's host is null, append the empty string to url's path.
	case u.kind == HostNone:
		out = append(out, '/')
	}
	r := u.record()
	r.path = string(out)
	return u.finish(r, path)
}

// WithQuery gives u with another query, with or without its "?", in which "#"
// is encoded. "" removes the query, and "?" leaves an empty one.
func (u URL) WithQuery(query string) (URL, error) {
	if query == "" {
		return u.WithoutQuery(), nil
	}
	m := u.setter(query)
	from := 0
	if m.c(0) == '?' && query[0] == '?' {
		from = 1
	}
	out := m.encode(nil, from, len(m.in), m.querySet())
	r := u.record()
	r.query, r.hasQuery = string(out), true
	return u.finish(r, query)
}

// WithFragment gives u with another fragment, with or without its "#". ""
// removes the fragment, and "#" leaves an empty one.
func (u URL) WithFragment(fragment string) (URL, error) {
	if fragment == "" {
		return u.WithoutFragment(), nil
	}
	m := u.setter(fragment)
	from := 0
	if m.c(0) == '#' && fragment[0] == '#' {
		from = 1
	}
	out := m.encode(nil, from, len(m.in), &percent.Fragment)
	r := u.record()
	r.fragment, r.hasFragment = string(out), true
	return u.finish(r, fragment)
}

// WithoutQuery gives u without a query.
func (u URL) WithoutQuery() URL {
	if !u.HasQuery() {
		return u
	}
	u.href = u.href[:u.pathEnd] + u.href[u.queryEnd:]
	u.queryEnd = u.pathEnd
	return u
}

// WithoutFragment gives u without a fragment.
func (u URL) WithoutFragment() URL {
	u.href = u.href[:u.queryEnd]
	return u
}
