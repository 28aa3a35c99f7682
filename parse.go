package anyurl

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"anyurl/percent"
	"anyurl/rule"
)

// Parse reads an absolute URL. Its error is a *[rule.Error] that says which
// byte of s broke which rule.
//
// Parse does what the URL Standard says, so it also mends what can be mended:
// it trims surrounding white space, drops tabs and newlines, lower-cases scheme
// and host, takes "\" for "/" in special URLs, resolves dot segments and
// percent-encodes what has to be. Use a [Parser] to be told of what was mended.
// Ill-formed UTF-8 in s is read as U+FFFD, as the Encoding Standard decodes it.
//
// Parse keeps s alive when the URL is its own serialisation, and copies nothing
// then; see [URL.Clone].
func Parse(s string) (u URL, err error) {
	if fast(s, &u) {
		return u, nil
	}
	return parse(s, URL{}, nil)
}

// MustParse is Parse for URLs that are known to be right; it panics if s is none.
func MustParse(s string) URL {
	u, err := Parse(s)
	if err != nil {
		panic("anyurl: MustParse: " + err.Error())
	}
	return u
}

// CanParse reports whether Parse reads s.
func CanParse(s string) bool {
	var u URL
	if fast(s, &u) {
		return true
	}
	_, err := machineParse(s, URL{}, nil)
	return err == nil
}

// ParseRef reads s as a URL that may be relative to base. A zero base is no
// base. Its error is a *[rule.Error].
func ParseRef(s string, base URL) (URL, error) { return parse(s, base, nil) }

// Resolve reads ref as a URL that may be relative to u. Its error is a
// *[rule.Error] with an offset into ref.
func (u URL) Resolve(ref string) (URL, error) { return parse(ref, u, nil) }

// A Parser parses with more said than to [Parse]. The zero Parser is Parse.
type Parser struct {
	// Base is what the input may be relative to; the zero URL is no base.
	Base URL
	// Report, if not nil, is told of every validation error that does not end
	// the parse, in the order in which the parser meets them. The one that
	// ends it is returned by Parse and not reported.
	Report func(*rule.Error)
}

// Parse reads s. Its error is a *[rule.Error].
func (p Parser) Parse(s string) (URL, error) { return parse(s, p.Base, p.Report) }

func parse(s string, base URL, report func(*rule.Error)) (URL, error) {
	var v URL
	if report == nil && fast(s, &v) {
		return v, nil
	}
	u, err := machineParse(s, base, report)
	if err != nil {
		return URL{}, err
	}
	return u, nil
}

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
	base   URL               // the zero URL is null

	url parts // where the parts of the serialisation are, as far as it has come
}

// roomy is how long a serialisation may be before it needs a second allocation.
const roomy = 512

// machineParse runs the machine on s.
func machineParse(s string, base URL, report func(*rule.Error)) (URL, *rule.Error) {
	if len(s) > MaxLen {
		return URL{}, tooLong(s)
	}
	// Basic URL parser, 1.3. Remove any leading and trailing C0 control or
	// space from input.
	lead, end := 0, len(s)
	for end > 0 && s[end-1] <= ' ' {
		end--
	}
	for lead < end && s[lead] <= ' ' {
		lead++
	}
	// 3. Remove all ASCII tab or newline from input.
	in, exact := cleanText(s[lead:end])

	m := machine{src: s, in: in, lead: lead, exact: exact, atSrc: lead, base: base}
	if report != nil {
		m.report = func(e *rule.Error) {
			e.Input = s
			report(e)
		}
		m.tellTrimmed(end)
	}
	var room [roomy]byte
	out := room[:0]
	if n := len(in) + len(base.href); n > roomy {
		out = make([]byte, 0, n+16)
	}
	out, err := m.run(out)
	if err != nil {
		err.Input = s
		return URL{}, err
	}
	if len(out) > MaxLen {
		return URL{}, &rule.Error{Input: s, Offset: len(s), Rule: TooLong}
	}
	if string(out) == in {
		return URL{in, m.url}, nil // its own serialisation
	}
	return URL{string(out), m.url}, nil
}

// tooLong is the error for an s that is longer than MaxLen.
func tooLong(s string) *rule.Error { return &rule.Error{Input: s, Offset: MaxLen, Rule: TooLong} }

// tellTrimmed reports what was removed from the input before the machine runs:
// basic URL parser, 1.2. and 2. The input ends at src[end].
func (m *machine) tellTrimmed(end int) {
	// 1.2. If input contains any leading or trailing C0 control or space,
	//      invalid-URL-unit validation error.
	if m.lead > 0 {
		m.tellSource(InvalidURLUnit, 0)
	} else if end < len(m.src) {
		m.tellSource(InvalidURLUnit, end)
	}
	// 2. If input contains any ASCII tab or newline, invalid-URL-unit
	//    validation error.
	for i := m.lead; i < end && !m.exact; i++ {
		if isTabOrNewline(m.src[i]) {
			m.tellSource(InvalidURLUnit, i)
			break
		}
	}
}

// cleanText reads ill-formed UTF-8 in s as U+FFFD, as the Encoding Standard's
// UTF-8 decoder does, and removes all ASCII tab or newline (step 3 of the basic
// URL parser). It reports whether there was nothing to do.
func cleanText(s string) (clean string, exact bool) {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 &&
		strings.IndexByte(s, '\r') < 0 && utf8.ValidString(s) {
		return s, true
	}
	s = scalarValues(s)
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if !isTabOrNewline(s[i]) {
			out = append(out, s[i])
		}
	}
	return string(out), false
}

// scalarValues reads ill-formed UTF-8 as U+FFFD, one for each maximal subpart.
func scalarValues(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n, ok := utf8Len(s[i:])
		if ok {
			out = append(out, s[i:i+n]...)
		} else {
			out = append(out, "\uFFFD"...)
		}
		i += n
	}
	return string(out)
}

// utf8Len gives the length of the code point or, if there is none, of the
// maximal subpart of one that s begins with.
func utf8Len(s string) (n int, ok bool) {
	if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
		return n, true
	}
	// A maximal subpart is a proper prefix of some well-formed sequence: it is
	// cut where the sequence, completed by the lowest or the highest trailing
	// bytes, would be ill-formed.
	lead := s[0]
	want := 0
	switch {
	case lead >= 0xc2 && lead <= 0xdf:
		want = 2
	case lead >= 0xe0 && lead <= 0xef:
		want = 3
	case lead >= 0xf0 && lead <= 0xf4:
		want = 4
	}
	lo, hi := byte(0x80), byte(0xbf)
	switch lead {
	case 0xe0:
		lo = 0xa0
	case 0xed:
		hi = 0x9f
	case 0xf0:
		lo = 0x90
	case 0xf4:
		hi = 0x8f
	}
	n = 1
	for n < want && n < len(s) && lo <= s[n] && s[n] <= hi {
		n++
		lo, hi = 0x80, 0xbf
	}
	return n, false
}

func isTabOrNewline(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// source gives the offset in src of the byte that became in[i].
func (m *machine) source(i int) int {
	if m.exact {
		return m.lead + i
	}
	if i < m.atIn {
		m.atIn, m.atSrc = 0, m.lead
	}
	in, src := m.atIn, m.atSrc
	for src < len(m.src) {
		if isTabOrNewline(m.src[src]) {
			src++
			continue
		}
		n, ok := utf8Len(m.src[src:])
		step := n
		if !ok {
			step = len("\uFFFD")
		}
		if in+step > i {
			break
		}
		in += step
		src += n
	}
	m.atIn, m.atSrc = in, src
	return src
}

// fail gives the error for a rule that in[i] broke. Its Input is still to be
// set.
func (m *machine) fail(r rule.Rule, i int) *rule.Error {
	return &rule.Error{Offset: m.source(i), Rule: r}
}

// tell reports a rule that in[i] broke without ending the parse.
func (m *machine) tell(r rule.Rule, i int) {
	if m.report != nil {
		m.tellSource(r, m.source(i))
	}
}

func (m *machine) tellSource(r rule.Rule, offset int) {
	m.report(&rule.Error{Offset: offset, Rule: r})
}

// c gives the standard's c: the byte of the code point at pointer, or eof. No
// decision of the machine needs more of a code point than its first byte.
func (m *machine) c(pointer int) int {
	if pointer < len(m.in) {
		return int(m.in[pointer])
	}
	return eof
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
				out = append(out, lower(in[pointer]))
				pointer++
			}
			// 3. Otherwise, set state to no scheme state, and start over.
			if m.c(pointer) != ':' {
				out = out[:0]
				pointer = 0
				state = stateNoScheme
				continue
			}
			// 2. Otherwise, if c is ":":
			out = m.setScheme(out)
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
			end := m.authorityEnd(pointer)
			at := strings.LastIndexByte(in[pointer:end], '@')
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
			end := m.authorityEnd(pointer)
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
			if end != m.authorityEnd(pointer) {
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
			var end int
			out, end = m.pathTo(out, pointer, true)
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
		if c := m.in[i]; c == '/' || c == '?' || c == '#' || c == '\\' && m.special() {
			break
		}
		i++
	}
	return i
}

// portColon gives the offset of the first ":" outside of brackets, or -1.
func portColon(s string) int {
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

// pathTo is the path state: it appends the segments from i on to url's path
// and gives the offset at which the path ends. Outside of a setter, "?" and
// "#" end it.
func (m *machine) pathTo(out []byte, i int, delimited bool) ([]byte, int) {
	in := m.in
	for {
		start := len(out)
		out = append(out, '/')
		// 2. Otherwise: UTF-8 percent-encode c using the path percent-encode
		//    set and append the result to buffer.
		from := i
		for i < len(in) {
			c := in[i]
			if c == '/' || c == '\\' && m.special() || delimited && (c == '?' || c == '#') {
				break
			}
			i++
		}
		out = m.encode(out, from, i, &percent.Path)
		// 1. If c is eof or "/", or url is special and c is "\", or c is "?" or
		//    "#":
		c := m.c(i)
		slash := m.isSlash(c)
		if slash && c == '\\' {
			m.tell(InvalidReverseSolidus, i) // 1.1.
		}
		buffer := out[start+1:]
		switch {
		// 1.2. If buffer is a double-dot URL path segment, then shorten url's
		//      path, and if no slash follows, append the empty string to it.
		case isDoubleDot(buffer):
			out = out[:start]
			out = m.shorten(out)
			if !slash {
				out = append(out, '/')
			}
		// 1.3. Otherwise, if buffer is a single-dot URL path segment and no
		//      slash follows, append the empty string to url's path.
		case isSingleDot(buffer):
			out = out[:start]
			if !slash {
				out = append(out, '/')
			}
		// 1.4.1. Otherwise, if url's scheme is "file", url's path is empty, and
		//        buffer is a Windows drive letter, then replace its second code
		//        point with ":".
		case m.url.special == schemeFile && start == int(m.url.path) && isDriveLetter(buffer):
			buffer[1] = ':'
		}
		if !slash {
			return out, i
		}
		i++
	}
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

// appendEncode is UTF-8 percent-encode with runs copied whole.
func appendEncode(dst []byte, s string, set *percent.Set) []byte {
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

// units reports each code point of in[from:to] that is not a URL code point
// and not "%", and each "%" that is not followed by two ASCII hex digits.
func (m *machine) units(from, to int) {
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(m.in[i:to])
		switch {
		case r == '%':
			// Two digits that stand behind the component belong to remaining, too.
			if _, ok := percent.At(m.in, i); !ok {
				m.tell(InvalidURLUnit, i)
			}
		case !isURLCodePoint(r):
			m.tell(InvalidURLUnit, i)
		}
		i += n
	}
}

// isURLCodePoint reports whether r is one of the URL code points (URL writing):
// ASCII alphanumeric, some marks, and U+00A0 to U+10FFFD, excluding surrogates
// and noncharacters.
func isURLCodePoint(r rune) bool {
	if r < 0x80 {
		return isAlpha(byte(r)) || isDigit(byte(r)) || strings.IndexByte("!$&'()*+,-./:;=?@_~", byte(r)) >= 0
	}
	noncharacter := r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE
	return r >= 0xA0 && r <= 0x10FFFD && !noncharacter && (r < 0xD800 || r > 0xDFFF)
}

func isAlpha(c byte) bool    { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isSchemeByte(c byte) bool {
	return isAlpha(c) || isDigit(c) || c == '+' || c == '-' || c == '.'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// isSingleDot reports whether s is a single-dot URL path segment: "." or "%2e"
// in any case.
func isSingleDot(s []byte) bool {
	return len(s) == 1 && s[0] == '.' || len(s) == 3 && isDotEscape(s)
}

// isDoubleDot reports whether s is a double-dot URL path segment: two of "."
// or "%2e" in any case.
func isDoubleDot(s []byte) bool {
	switch len(s) {
	case 2:
		return s[0] == '.' && s[1] == '.'
	case 4:
		return s[0] == '.' && isDotEscape(s[1:]) || isDotEscape(s[:3]) && s[3] == '.'
	case 6:
		return isDotEscape(s[:3]) && isDotEscape(s[3:])
	}
	return false
}

func isDotEscape(s []byte) bool { return s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e' }

// isDriveLetter reports whether s is a Windows drive letter: an ASCII alpha
// and ":" or "|".
func isDriveLetter[S []byte | string](s S) bool {
	return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|')
}

// startsWithDriveLetter is the standard's "starts with a Windows drive letter".
func startsWithDriveLetter(s string) bool {
	return len(s) >= 2 && isDriveLetter(s[:2]) &&
		(len(s) == 2 || s[2] == '/' || s[2] == '\\' || s[2] == '?' || s[2] == '#')
}

// firstIsDriveLetter reports whether path[0], in a serialised path, is a
// normalized Windows drive letter.
func firstIsDriveLetter[S []byte | string](path S) bool {
	return len(path) >= 3 && path[0] == '/' && isAlpha(path[1]) && path[2] == ':' &&
		(len(path) == 3 || path[3] == '/')
}
