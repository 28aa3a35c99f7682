package anyurl

import (
	"strings"

	"anyurl/percent"
	"anyurl/rule"
)

// A state is a state of the URL Standard's basic URL parser (section "URL
// parsing").
type state uint8

const (
	stateSchemeStart state = iota
	stateScheme
	stateNoScheme
	stateSpecialRelativeOrAuthority
	statePathOrAuthority
	stateRelative
	stateRelativeSlash
	stateSpecialAuthoritySlashes
	stateSpecialAuthorityIgnoreSlashes
	stateAuthority
	stateHost
	statePort
	stateFile
	stateFileSlash
	stateFileHost
	statePathStart
	statePath
	stateOpaquePath
	stateQuery
	stateFragment
	stateDone // c was the EOF code point, and the machine has stopped
)

// eof stands for the EOF code point.
const eof = -1

// A machine is one run of the basic URL parser. Where the standard fills the
// fields of a URL record and serialises them later, the machine appends each
// component to out as soon as it is known, so that out is the serialisation
// when the input ends. (Out is handed from function to function, as append
// does, because a buffer that a field points to would not stay on the stack.)
type machine struct {
	src    string            // what the caller gave
	in     string            // src as the standard's input: see cleanText
	lead   int               // how much of src was trimmed in front of in
	exact  bool              // in is src[lead:lead+len(in)]
	atIn   int               // a pair of offsets that stand for each other,
	atSrc  int               // so that source need not start over
	report func(*rule.Error) // may be nil; sets Input
	base   *URL              // the zero URL is null

	url parts // where the parts of the serialisation are, as far as it has come
}

// special reports whether the url is special.
func (m *machine) special() bool { return m.url.special != notSpecial }

// isSlash reports whether c is "/" or, in a special url, "\".
func (m *machine) isSlash(c int) bool {
	return c == '/' || c == '\\' && m.special()
}

// run is the state machine (URL Standard, basic URL parser, step 9). A state
// consumes as many code points as it can at once, where the standard steps
// through them one by one; setters, which start in another state, have
// functions of their own (setters.go).
func (m *machine) run(out []byte) ([]byte, *rule.Error) {
	in := m.in
	pointer := 0
	state := stateSchemeStart
	if m.report == nil {
		out, pointer, state = m.plainStart(out)
	}
	authorityEnd := 0 // where the authority that is being read ends
	look := true      // whether statePath looks ahead, and
	looks := 4        // how often it still may: it takes time
	mended := false   // the host was changed, so that the rest may need no change
	for state != stateDone {
		c := m.c(pointer)
		switch state {
		case stateSchemeStart:
			// 1. If c is an ASCII alpha, append c, lowercased, to buffer, and
			//    set state to scheme state.
			if c != eof && isAlpha(byte(c)) {
				state = stateScheme
			} else { // 2. Otherwise, set state to no scheme state.
				state = stateNoScheme
			}

		case stateScheme:
			// 1. If c is an ASCII alphanumeric, "+", "-" or ".", append c,
			//    lowercased, to buffer.
			for pointer < len(in) && isSchemeByte(in[pointer]) {
				pointer++
			}
			// 3. Otherwise, set state to no scheme state, and start over.
			if m.c(pointer) != ':' {
				pointer = 0
				state = stateNoScheme
				continue
			}
			// 2. Otherwise, if c is ":":
			out = m.setScheme(appendLower(out, in[:pointer]))
			pointer++
			switch {
			// 2.5. If url's scheme is "file":
			case m.url.special == schemeFile:
				// 2.5.1. If remaining does not start with "//",
				//        special-scheme-missing-following-solidus validation error.
				if !strings.HasPrefix(in[pointer:], "//") {
					m.tell(SpecialSchemeMissingFollowingSolidus, pointer)
				}
				state = stateFile
			// 2.6. Otherwise, if url is special, base is non-null, and base's
			//      scheme is url's scheme:
			case m.special() && m.base.special == m.url.special:
				state = stateSpecialRelativeOrAuthority
			// 2.7. Otherwise, if url is special:
			case m.special():
				state = stateSpecialAuthoritySlashes
			// 2.8. Otherwise, if remaining starts with "/":
			case m.c(pointer) == '/':
				pointer++
				state = statePathOrAuthority
			// 2.9. Otherwise, set url's path to the empty string.
			default:
				m.noHost(out)
				state = stateOpaquePath
			}

		case stateNoScheme:
			switch {
			// 1. If base is null, or base has an opaque path and c is not "#",
			//    missing-scheme-non-relative-URL validation error, return failure.
			case m.base.IsZero() || m.base.OpaquePath() && c != '#':
				return out, m.fail(MissingSchemeNonRelativeURL, 0)
			// 2. Otherwise, if base has an opaque path and c is "#", take scheme,
			//    path and query from base.
			case m.base.OpaquePath():
				out = m.takeFromBase(out, m.base.queryEnd)
				pointer++
				state = stateFragment
			// 3. Otherwise, if base's scheme is not "file":
			case m.base.special != schemeFile:
				state = stateRelative
			// 4. Otherwise, set state to file state.
			default:
				state = stateFile
			}

		case stateSpecialRelativeOrAuthority:
			// 1. If c is "/" and remaining starts with "/":
			if strings.HasPrefix(in[pointer:], "//") {
				pointer += 2
				state = stateSpecialAuthorityIgnoreSlashes
			} else { // 2. Otherwise:
				m.tell(SpecialSchemeMissingFollowingSolidus, pointer)
				state = stateRelative
			}

		case statePathOrAuthority:
			// 1. If c is "/", then set state to authority state.
			if c == '/' {
				pointer++
				state = stateAuthority
			} else { // 2. Otherwise, set state to path state.
				m.noHost(out)
				state = statePath
			}

		case stateRelative:
			// 1. Set url's scheme to base's scheme.
			m.url.special = m.base.special
			switch {
			// 2. If c is "/", then set state to relative slash state.
			case c == '/':
				pointer++
				state = stateRelativeSlash
			// 3. Otherwise, if url is special and c is "\":
			case m.isSlash(c):
				m.tell(InvalidReverseSolidus, pointer)
				pointer++
				state = stateRelativeSlash
			// 4. Otherwise, take username, password, host, port, path and query
			//    from base, and:
			//
			// 4.2. If c is "?", then set url's query to the empty string.
			case c == '?':
				out = m.takeFromBase(out, m.base.pathEnd)
				pointer++
				state = stateQuery
			// 4.3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				out = m.takeFromBase(out, m.base.queryEnd)
				pointer++
				state = stateFragment
			case c == eof:
				out = m.takeFromBase(out, m.base.queryEnd)
				state = stateDone
			// 4.4. Otherwise, set url's query to null, shorten url's path.
			default:
				out = m.takePathFromBase(out)
				out = m.shorten(out)
				state = statePath
			}

		case stateRelativeSlash:
			switch {
			// 1. If url is special and c is "/" or "\":
			case m.special() && m.isSlash(c):
				if c == '\\' {
					m.tell(InvalidReverseSolidus, pointer) // 1.1
				}
				out = m.takeSchemeFromBase(out)
				pointer++
				state = stateSpecialAuthorityIgnoreSlashes
			// 2. Otherwise, if c is "/", then set state to authority state.
			case c == '/':
				out = m.takeSchemeFromBase(out)
				pointer++
				state = stateAuthority
			// 3. Otherwise, take username, password, host and port from base.
			default:
				out = m.takeAuthorityFromBase(out)
				state = statePath
			}

		case stateSpecialAuthoritySlashes:
			// 1. If c is "/" and remaining starts with "/":
			if strings.HasPrefix(in[pointer:], "//") {
				pointer += 2
			} else { // 2. Otherwise:
				m.tell(SpecialSchemeMissingFollowingSolidus, pointer)
			}
			state = stateSpecialAuthorityIgnoreSlashes

		case stateSpecialAuthorityIgnoreSlashes:
			// 2. Otherwise (c is "/" or "\"),
			//    special-scheme-missing-following-solidus validation error.
			for c == '/' || c == '\\' {
				m.tell(SpecialSchemeMissingFollowingSolidus, pointer)
				pointer++
				c = m.c(pointer)
			}
			// 1. If c is neither "/" nor "\", then set state to authority state.
			state = stateAuthority

		case stateAuthority:
			out = m.startAuthority(out)
			// 2. Otherwise, if c is eof, "/", "?" or "#", or url is special and
			//    c is "\": the authority ends, and buffer is what follows the
			//    last "@" in it.
			authorityEnd = m.authorityEnd(pointer)
			end := authorityEnd
			at := -1
			if strings.IndexByte(in[pointer:end], '@') >= 0 { // seldom, and quick to tell
				at = strings.LastIndexByte(in[pointer:end], '@')
			}
			if at >= 0 {
				// 1. If c is "@": everything before the last one is user name
				//    and password.
				out = m.credentials(out, pointer, pointer+at)
				pointer += at + 1
				// 2.1. If atSignSeen is true and buffer is the empty string,
				//      host-missing validation error, return failure.
				if pointer == end {
					return out, m.fail(HostMissing, pointer)
				}
			}
			state = stateHost

		case stateHost: // and hostname state
			end := authorityEnd
			colon := portColon(in[pointer:end])
			// 2. Otherwise, if c is ":" and insideBrackets is false:
			if colon >= 0 {
				end = pointer + colon
				// 2.1. If buffer is the empty string, host-missing validation
				//      error, return failure.
				if colon == 0 {
					return out, m.fail(HostMissing, pointer)
				}
			}
			// 3.1. If url is special and buffer is the empty string,
			//      host-missing validation error, return failure.
			if m.special() && pointer == end {
				return out, m.fail(HostMissing, pointer)
			}
			// 2.3, 3.3. Let host be the result of host parsing buffer with url
			//           is not special.
			var err *rule.Error
			if out, err = m.host(out, pointer, end, !m.special()); err != nil {
				return out, err
			}
			mended = true
			pointer = end
			state = statePathStart
			if colon >= 0 {
				pointer++
				state = statePort
			}

		case statePort:
			// 1. If c is an ASCII digit, append c to buffer.
			end := pointer
			for end < len(in) && isDigit(in[end]) {
				end++
			}
			// 2. Otherwise, if c is eof, "/", "?" or "#", or url is special and
			//    c is "\":
			if end != authorityEnd {
				return out, m.fail(PortInvalid, end) // 3.
			}
			// 2.1. If buffer is not the empty string:
			if pointer != end {
				port, ok := portNumber(in[pointer:end])
				if !ok { // 2.1.2.
					return out, m.fail(PortOutOfRange, pointer)
				}
				out = m.setPort(out, port) // 2.1.3.
			}
			pointer = end
			state = statePathStart

		case stateFile:
			// 1. Set url's scheme to "file".
			// 2. Set url's host to the empty string.
			out = m.startFile(out)
			switch {
			// 3. If c is "/" or "\":
			case c == '/' || c == '\\':
				if c == '\\' {
					m.tell(InvalidReverseSolidus, pointer) // 3.1.
				}
				pointer++
				state = stateFileSlash
			// 5. Otherwise, set state to path state.
			case m.base.special != schemeFile:
				m.noPort(out)
				state = statePath
			// 4. Otherwise, if base is non-null and base's scheme is "file":
			//    take host, path and query from base.
			//
			// 4.2. If c is "?", then set url's query to the empty string.
			case c == '?':
				out = m.takeFromBase(out, m.base.pathEnd)
				pointer++
				state = stateQuery
			// 4.3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				out = m.takeFromBase(out, m.base.queryEnd)
				pointer++
				state = stateFragment
			case c == eof:
				out = m.takeFromBase(out, m.base.queryEnd)
				state = stateDone
			// 4.4. Otherwise, set url's query to null, and:
			default:
				// 4.4.2. If the code point substring from pointer to the end of
				//        input does not start with a Windows drive letter, then
				//        shorten url's path.
				if !startsWithDriveLetter(in[pointer:]) {
					out = m.takePathFromBase(out)
					out = m.shorten(out)
				} else { // 4.4.3. Otherwise, set url's path to « ».
					m.tell(FileInvalidWindowsDriveLetter, pointer)
					out = m.takeAuthorityFromBase(out)
				}
				state = statePath
			}

		case stateFileSlash:
			// 1. If c is "/" or "\":
			if c == '/' || c == '\\' {
				if c == '\\' {
					m.tell(InvalidReverseSolidus, pointer) // 1.1.
				}
				pointer++
				state = stateFileHost
				continue
			}
			// 2.1. If base is non-null and base's scheme is "file":
			if m.base.special == schemeFile {
				// 2.1.1. Set url's host to base's host.
				out = m.takeAuthorityFromBase(out)
				// 2.1.2. If the code point substring from pointer to the end of
				//        input does not start with a Windows drive letter and
				//        base's path[0] is a normalized Windows drive letter,
				//        then append base's path[0] to url's path.
				if path := m.base.Path(); !startsWithDriveLetter(in[pointer:]) && firstIsDriveLetter(path) {
					out = append(out, path[:len("/c:")]...)
				}
			} else {
				m.noPort(out)
			}
			state = statePath // 2.2.

		case stateFileHost:
			// 1. If c is eof, "/", "\", "?" or "#": buffer is what stands before.
			end := m.authorityEnd(pointer)
			switch {
			// 1.1. If buffer is a Windows drive letter,
			//      file-invalid-Windows-drive-letter-host validation error, set
			//      state to path state, which uses buffer.
			case isDriveLetter(in[pointer:end]):
				m.tell(FileInvalidWindowsDriveLetterHost, pointer)
				m.noPort(out)
				state = statePath
				continue
			// 1.2. Otherwise, if buffer is the empty string, then set url's
			//      host to the empty string.
			case pointer == end:
			// 1.3. Otherwise:
			default:
				var err *rule.Error
				if out, err = m.host(out, pointer, end, false); err != nil {
					return out, err
				}
				// 1.3.3. If host is "localhost", then set host to the empty string.
				if string(out[m.url.host:]) == "localhost" {
					out = out[:m.url.host]
					m.endHost(out, HostEmpty)
				}
			}
			m.noPort(out)
			pointer = end
			state = statePathStart

		case statePathStart:
			switch {
			// 1. If url is special:
			case m.special():
				if c == '\\' {
					m.tell(InvalidReverseSolidus, pointer) // 1.1.
				}
				// 1.2. Set state to path state.
				state = statePath
				// 1.3. If c is neither "/" nor "\", then decrease pointer by 1.
				if c == '/' || c == '\\' {
					pointer++
				}
			// 2. Otherwise, if c is "?", set url's query to the empty string.
			case c == '?':
				out = m.endPath(out)
				pointer++
				state = stateQuery
			// 3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				out = m.endPath(out)
				m.endQuery(out)
				pointer++
				state = stateFragment
			// 4. Otherwise, if c is not eof:
			case c != eof:
				state = statePath
				if c == '/' {
					pointer++
				}
			default:
				out = m.endPath(out)
				m.endQuery(out)
				state = stateDone
			}

		case statePath:
			// Most paths have no dot segments and are taken as a whole. One may
			// hide that there are no further ones, so it is worth another look
			// behind it.
			if look && looks > 0 && m.report == nil {
				looks--
				if mended {
					mended = false
					var ok bool
					if out, ok = m.plainRest(out, pointer); ok {
						state = stateDone
						continue
					}
				}
				var end int
				if out, end = m.plainPath(out, pointer); end > 0 {
					pointer, state = m.afterPath(out, end)
					continue
				}
			}
			var end int
			out, end, look = m.segment(out, pointer, true)
			if m.isSlash(m.c(end)) {
				pointer = end + 1
				continue // with the next segment
			}
			out = m.endPath(out)
			pointer, state = m.afterPath(out, end)

		case stateOpaquePath:
			end := pointer
			for end < len(in) && in[end] != '?' && in[end] != '#' {
				end++
			}
			out = m.opaquePath(out, pointer, end)
			out = m.endPath(out)
			pointer, state = m.afterPath(out, end)

		case stateQuery:
			// 3. If c is "#" or eof, percent-encode buffer and append it to
			//    url's query.
			end := strings.IndexByte(in[pointer:], '#')
			state = stateFragment
			if end < 0 {
				end = len(in) - pointer
				state = stateDone
			}
			end += pointer
			out = append(out, '?')
			out = m.encode(out, pointer, end, m.querySet())
			m.endQuery(out)
			pointer = end + 1

		case stateFragment:
			// 1. UTF-8 percent-encode c using the fragment percent-encode set
			//    and append the result to url's fragment.
			out = append(out, '#')
			out = m.encode(out, pointer, len(in), &percent.Fragment)
			state = stateDone
		}
	}
	return out, nil
}

// afterPath says how to go on where the path ended: in[end] is "?", "#" or eof.
func (m *machine) afterPath(out []byte, end int) (pointer int, next state) {
	switch m.c(end) {
	case '?':
		return end + 1, stateQuery
	case '#':
		m.endQuery(out)
		return end + 1, stateFragment
	}
	m.endQuery(out)
	return end, stateDone
}

// querySet is the percent-encode set of the url's query: the special-query
// percent-encode set if url is special, otherwise the query percent-encode set.
func (m *machine) querySet() *percent.Set {
	if m.special() {
		return &percent.SpecialQuery
	}
	return &percent.Query
}

// authorityEnd gives the offset of the first "/", "?", "#" or, if url is
// special, "\" from i on.
func (m *machine) authorityEnd(i int) int {
	for i < len(m.in) {
		if c := m.in[i]; authorityEnds[c] && (c != '\\' || m.special()) {
			break
		}
		i++
	}
	return i
}

// authorityEnds holds the bytes that can end an authority.
var authorityEnds = percent.Set{'/': true, '?': true, '#': true, '\\': true}

// portColon gives the offset of the first ":" outside of brackets, or -1.
func portColon(s string) int {
	if strings.IndexByte(s, ':') < 0 {
		return -1
	}
	insideBrackets := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			insideBrackets = true
		case ']':
			insideBrackets = false
		case ':':
			if !insideBrackets {
				return i
			}
		}
	}
	return -1
}

// portNumber reads ASCII digits and reports whether they are a 16-bit unsigned
// integer.
func portNumber(digits string) (port uint16, ok bool) {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
		if n > 0xffff {
			return 0, false
		}
	}
	return uint16(n), true
}
