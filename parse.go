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
func Parse(s string) (URL, error) { return parse(s, URL{}, nil) }

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
	_, err := Parse(s)
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
	return parseSlow(s, base, report)
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
// when the input ends.
type machine struct {
	src    string            // what the caller gave
	in     string            // src as the standard's input: see clean
	lead   int               // how much of src was trimmed in front of in
	exact  bool              // in is src[lead:lead+len(in)]
	atIn   int               // a pair of offsets that stand for each other,
	atSrc  int               // so that source need not start over
	report func(*rule.Error) // may be nil
	base   URL               // the zero URL is null

	out []byte // the serialisation so far
	url URL    // its offsets; href is set at the end
}

// roomy is how long a serialisation may be before it needs a second allocation.
const roomy = 512

func parseSlow(s string, base URL, report func(*rule.Error)) (URL, error) {
	if len(s) > MaxLen {
		return URL{}, tooLong(s)
	}
	var room [roomy]byte
	m := machine{src: s, report: report, base: base, out: room[:0]}
	m.clean()
	if n := len(m.in) + len(base.href); n > roomy {
		m.out = make([]byte, 0, n+16)
	}
	if err := m.run(); err != nil {
		return URL{}, err
	}
	if len(m.out) > MaxLen {
		return URL{}, &rule.Error{Input: s, Offset: len(s), Rule: TooLong}
	}
	u := m.url
	if string(m.out) == m.in {
		u.href = m.in // its own serialisation
	} else {
		u.href = string(m.out)
	}
	return u, nil
}

// tooLong is the error for an s that is longer than MaxLen.
func tooLong(s string) error { return &rule.Error{Input: s, Offset: MaxLen, Rule: TooLong} }

// clean makes the standard's input of the caller's string: the first three
// steps of the basic URL parser, and before them the decoding of UTF-8.
func (m *machine) clean() {
	s := m.src
	// 1.2. If input contains any leading or trailing C0 control or space,
	//      invalid-URL-unit validation error.
	// 1.3. Remove any leading and trailing C0 control or space from input.
	end := len(s)
	for end > 0 && s[end-1] <= ' ' {
		end--
	}
	for m.lead < end && s[m.lead] <= ' ' {
		m.lead++
	}
	m.in = s[m.lead:end]
	m.exact = true
	m.atIn, m.atSrc = 0, m.lead
	if m.report != nil {
		if m.lead > 0 {
			m.tellSource(InvalidURLUnit, 0)
		}
		defer func() {
			if end < len(s) {
				m.tellSource(InvalidURLUnit, end)
			}
		}()
	}
	m.in, m.exact = cleanText(m.in)
	if m.report != nil && !m.exact {
		// 2. If input contains any ASCII tab or newline, invalid-URL-unit
		//    validation error.
		for i := m.lead; i < end; i++ {
			if isTabOrNewline(s[i]) {
				m.tellSource(InvalidURLUnit, i)
				break
			}
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

// fail gives the error for a rule that in[i] broke.
func (m *machine) fail(r rule.Rule, i int) error {
	return &rule.Error{Input: m.src, Offset: m.source(i), Rule: r}
}

// tell reports a rule that in[i] broke without ending the parse.
func (m *machine) tell(r rule.Rule, i int) {
	if m.report != nil {
		m.tellSource(r, m.source(i))
	}
}

func (m *machine) tellSource(r rule.Rule, offset int) {
	m.report(&rule.Error{Input: m.src, Offset: offset, Rule: r})
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
func (m *machine) run() error {
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
				m.out = append(m.out, lower(in[pointer]))
				pointer++
			}
			// 3. Otherwise, set state to no scheme state, and start over.
			if m.c(pointer) != ':' {
				m.out = m.out[:0]
				pointer = 0
				state = stateNoScheme
				continue
			}
			// 2. Otherwise, if c is ":":
			m.setScheme()
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
				m.noHost()
				state = stateOpaquePath
			}

		case stateNoScheme:
			switch {
			// 1. If base is null, or base has an opaque path and c is not "#",
			//    missing-scheme-non-relative-URL validation error, return failure.
			case m.base.IsZero() || m.base.OpaquePath() && c != '#':
				return m.fail(MissingSchemeNonRelativeURL, 0)
			// 2. Otherwise, if base has an opaque path and c is "#", take scheme,
			//    path and query from base.
			case m.base.OpaquePath():
				m.takeFromBase(m.base.queryEnd)
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
				m.noHost()
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
				m.takeFromBase(m.base.pathEnd)
				pointer++
				state = stateQuery
			// 4.3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				m.takeFromBase(m.base.queryEnd)
				pointer++
				state = stateFragment
			case c == eof:
				m.takeFromBase(m.base.queryEnd)
				state = stateDone
			// 4.4. Otherwise, set url's query to null, shorten url's path.
			default:
				m.takePathFromBase()
				m.shorten()
				state = statePath
			}

		case stateRelativeSlash:
			switch {
			// 1. If url is special and c is "/" or "\":
			case m.special() && m.isSlash(c):
				if c == '\\' {
					m.tell(InvalidReverseSolidus, pointer) // 1.1
				}
				m.takeSchemeFromBase()
				pointer++
				state = stateSpecialAuthorityIgnoreSlashes
			// 2. Otherwise, if c is "/", then set state to authority state.
			case c == '/':
				m.takeSchemeFromBase()
				pointer++
				state = stateAuthority
			// 3. Otherwise, take username, password, host and port from base.
			default:
				m.takeAuthorityFromBase()
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
			m.startAuthority()
			// 2. Otherwise, if c is eof, "/", "?" or "#", or url is special and
			//    c is "\": the authority ends, and buffer is what follows the
			//    last "@" in it.
			end := m.authorityEnd(pointer)
			at := strings.LastIndexByte(in[pointer:end], '@')
			if at >= 0 {
				// 1. If c is "@": everything before the last one is user name
				//    and password.
				m.credentials(pointer, pointer+at)
				pointer += at + 1
				// 2.1. If atSignSeen is true and buffer is the empty string,
				//      host-missing validation error, return failure.
				if pointer == end {
					return m.fail(HostMissing, pointer)
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
					return m.fail(HostMissing, pointer)
				}
			}
			// 3.1. If url is special and buffer is the empty string,
			//      host-missing validation error, return failure.
			if m.special() && pointer == end {
				return m.fail(HostMissing, pointer)
			}
			// 2.3, 3.3. Let host be the result of host parsing buffer with url
			//           is not special.
			if err := m.host(pointer, end, !m.special()); err != nil {
				return err
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
				return m.fail(PortInvalid, end) // 3.
			}
			// 2.1. If buffer is not the empty string:
			if pointer != end {
				port, ok := portNumber(in[pointer:end])
				if !ok { // 2.1.2.
					return m.fail(PortOutOfRange, pointer)
				}
				m.setPort(port) // 2.1.3.
			}
			pointer = end
			state = statePathStart

		case stateFile:
			// 1. Set url's scheme to "file".
			// 2. Set url's host to the empty string.
			m.startFile()
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
				m.noPort()
				state = statePath
			// 4. Otherwise, if base is non-null and base's scheme is "file":
			//    take host, path and query from base.
			//
			// 4.2. If c is "?", then set url's query to the empty string.
			case c == '?':
				m.takeFromBase(m.base.pathEnd)
				pointer++
				state = stateQuery
			// 4.3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				m.takeFromBase(m.base.queryEnd)
				pointer++
				state = stateFragment
			case c == eof:
				m.takeFromBase(m.base.queryEnd)
				state = stateDone
			// 4.4. Otherwise, set url's query to null, and:
			default:
				// 4.4.2. If the code point substring from pointer to the end of
				//        input does not start with a Windows drive letter, then
				//        shorten url's path.
				if !startsWithDriveLetter(in[pointer:]) {
					m.takePathFromBase()
					m.shorten()
				} else { // 4.4.3. Otherwise, set url's path to « ».
					m.tell(FileInvalidWindowsDriveLetter, pointer)
					m.takeAuthorityFromBase()
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
				m.takeAuthorityFromBase()
				// 2.1.2. If the code point substring from pointer to the end of
				//        input does not start with a Windows drive letter and
				//        base's path[0] is a normalized Windows drive letter,
				//        then append base's path[0] to url's path.
				if path := m.base.Path(); !startsWithDriveLetter(in[pointer:]) && firstIsDriveLetter(path) {
					m.out = append(m.out, path[:len("/c:")]...)
				}
			} else {
				m.noPort()
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
				m.noPort()
				state = statePath
				continue
			// 1.2. Otherwise, if buffer is the empty string, then set url's
			//      host to the empty string.
			case pointer == end:
			// 1.3. Otherwise:
			default:
				if err := m.host(pointer, end, false); err != nil {
					return err
				}
				// 1.3.3. If host is "localhost", then set host to the empty string.
				if string(m.out[m.url.host:]) == "localhost" {
					m.out = m.out[:m.url.host]
					m.endHost(HostEmpty)
				}
			}
			m.noPort()
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
				m.endPath()
				pointer++
				state = stateQuery
			// 3. Otherwise, if c is "#", set url's fragment to the empty string.
			case c == '#':
				m.endPath()
				m.endQuery()
				pointer++
				state = stateFragment
			// 4. Otherwise, if c is not eof:
			case c != eof:
				state = statePath
				if c == '/' {
					pointer++
				}
			default:
				m.endPath()
				m.endQuery()
				state = stateDone
			}

		case statePath:
			end := m.pathTo(pointer, true)
			m.endPath()
			pointer, state = m.afterPath(end)

		case stateOpaquePath:
			end := pointer
			for end < len(in) && in[end] != '?' && in[end] != '#' {
				end++
			}
			m.opaquePath(pointer, end)
			m.endPath()
			pointer, state = m.afterPath(end)

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
			m.out = append(m.out, '?')
			m.encode(pointer, end, m.querySet())
			m.endQuery()
			pointer = end + 1

		case stateFragment:
			// 1. UTF-8 percent-encode c using the fragment percent-encode set
			//    and append the result to url's fragment.
			m.out = append(m.out, '#')
			m.encode(pointer, len(in), &percent.Fragment)
			state = stateDone
		}
	}
	return nil
}

// afterPath says how to go on where the path ended: in[end] is "?", "#" or eof.
func (m *machine) afterPath(end int) (pointer int, next state) {
	switch m.c(end) {
	case '?':
		return end + 1, stateQuery
	case '#':
		m.endQuery()
		return end + 1, stateFragment
	}
	m.endQuery()
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
func (m *machine) setScheme() {
	m.url.scheme = uint32(len(m.out))
	m.url.special = schemeTypeOf(m.out)
	m.out = append(m.out, ':')
}

// startAuthority appends "//" behind the scheme. The url's host is not null
// from here on.
func (m *machine) startAuthority() {
	m.out = append(m.out, '/', '/')
	m.url.user = uint32(len(m.out))
	m.url.host = uint32(len(m.out))
	m.endHost(HostEmpty)
}

// startFile appends "file://", whose host is the empty string until there is
// another.
func (m *machine) startFile() {
	m.out = append(m.out[:0], "file"...)
	m.setScheme()
	m.startAuthority()
}

// credentials appends user name, password and "@". They are in[from:to], and
// in[to] is the last "@" of the authority.
func (m *machine) credentials(from, to int) {
	if m.report != nil {
		for i := from; i <= to; i++ {
			if m.in[i] == '@' {
				m.tell(InvalidCredentials, i)
			}
		}
	}
	user, password, _ := strings.Cut(m.in[from:to], ":")
	start := len(m.out)
	m.out = appendEncode(m.out, user, &percent.Userinfo)
	m.url.user = uint32(len(m.out))
	if password != "" {
		m.out = append(m.out, ':')
		m.out = appendEncode(m.out, password, &percent.Userinfo)
	}
	if len(m.out) > start {
		m.out = append(m.out, '@')
	}
	m.url.host = uint32(len(m.out))
	m.endHost(HostEmpty)
}

// endHost ends the host, which is in out. The path begins here unless a port
// or "/." follows.
func (m *machine) endHost(kind HostKind) {
	m.url.kind = kind
	m.url.hostEnd = uint32(len(m.out))
	m.noPort()
}

// noPort ends the authority where out ends.
func (m *machine) noPort() { m.url.path = uint32(len(m.out)) }

// setPort appends port unless it is the scheme's default.
func (m *machine) setPort(port uint16) {
	if port == m.url.special.defaultPort() && port != 0 {
		return
	}
	m.url.port = port
	m.out = append(m.out, ':')
	m.out = appendDecimal(m.out, uint32(port))
	m.noPort()
}

// noHost says that the url's host is null: the path follows the colon.
func (m *machine) noHost() {
	m.url.user = uint32(len(m.out))
	m.url.host = uint32(len(m.out))
	m.endHost(HostNone)
}

// endPath ends the path, which is in out from url.path on. If the host is null
// and the path begins with an empty segment and has more, "/." goes in front
// of it, so that it cannot be taken for a host (URL serializer, step 3).
func (m *machine) endPath() {
	if m.url.kind == HostNone && bytes.HasPrefix(m.out[m.url.path:], []byte("//")) {
		m.out = append(m.out, 0, 0)
		copy(m.out[m.url.path+2:], m.out[m.url.path:])
		copy(m.out[m.url.path:], "/.")
		m.url.path += 2
	}
	m.url.pathEnd = uint32(len(m.out))
}

// endQuery ends the query, if there is one: it is in out from pathEnd on.
func (m *machine) endQuery() { m.url.queryEnd = uint32(len(m.out)) }

// takeFromBase takes base up to end, which is its pathEnd or its queryEnd.
func (m *machine) takeFromBase(end uint32) {
	m.out = append(m.out[:0], m.base.href[:end]...)
	m.url = m.base
	m.url.href = ""
	m.url.queryEnd = end
}

// takeSchemeFromBase takes base's scheme.
func (m *machine) takeSchemeFromBase() {
	m.out = append(m.out[:0], m.base.Scheme()...)
	m.setScheme()
}

// takeAuthorityFromBase takes scheme, username, password, host and port from
// base. The path is empty.
func (m *machine) takeAuthorityFromBase() {
	end := m.base.path
	if m.base.kind == HostNone {
		end = m.base.hostEnd // without the "/." that may follow
	}
	m.takeFromBase(end)
	m.noPort()
}

// takePathFromBase takes also the path from base.
func (m *machine) takePathFromBase() {
	m.takeAuthorityFromBase()
	m.out = append(m.out, m.base.Path()...)
}

// shorten is the standard's "shorten a url's path" (URL miscellaneous).
func (m *machine) shorten() {
	path := m.out[m.url.path:]
	last := bytes.LastIndexByte(path, '/')
	// 3. If url's scheme is "file", path's size is 1, and path[0] is a
	//    normalized Windows drive letter, then return.
	if m.url.special == schemeFile && last == 0 && len(path) == len("/c:") && firstIsDriveLetter(path) {
		return
	}
	// 4. Remove path's last item, if any.
	if last >= 0 {
		m.out = m.out[:int(m.url.path)+last]
	}
}

// pathTo is the path state: it appends the segments from i on to url's path
// and gives the offset at which the path ends. Outside of a setter, "?" and
// "#" end it.
func (m *machine) pathTo(i int, delimited bool) int {
	in := m.in
	for {
		start := len(m.out)
		m.out = append(m.out, '/')
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
		m.encode(from, i, &percent.Path)
		// 1. If c is eof or "/", or url is special and c is "\", or c is "?" or
		//    "#":
		c := m.c(i)
		slash := m.isSlash(c)
		if slash && c == '\\' {
			m.tell(InvalidReverseSolidus, i) // 1.1.
		}
		buffer := m.out[start+1:]
		switch {
		// 1.2. If buffer is a double-dot URL path segment, then shorten url's
		//      path, and if no slash follows, append the empty string to it.
		case isDoubleDot(buffer):
			m.out = m.out[:start]
			m.shorten()
			if !slash {
				m.out = append(m.out, '/')
			}
		// 1.3. Otherwise, if buffer is a single-dot URL path segment and no
		//      slash follows, append the empty string to url's path.
		case isSingleDot(buffer):
			m.out = m.out[:start]
			if !slash {
				m.out = append(m.out, '/')
			}
		// 1.4.1. Otherwise, if url's scheme is "file", url's path is empty, and
		//        buffer is a Windows drive letter, then replace its second code
		//        point with ":".
		case m.url.special == schemeFile && start == int(m.url.path) && isDriveLetter(buffer):
			buffer[1] = ':'
		}
		if !slash {
			return i
		}
		i++
	}
}

// opaquePath is the opaque path state for in[i:end].
func (m *machine) opaquePath(i, end int) {
	m.encode(i, end, &percent.C0Control)
	// 3. Otherwise, if c is a space: if remaining starts with "?" or "#", then
	//    append "%20" to url's path, else the space itself.
	if end < len(m.in) && m.out[len(m.out)-1] == ' ' {
		m.out = append(m.out[:len(m.out)-1], "%20"...)
	}
}

// encode appends in[from:to], UTF-8 percent-encoded with set, and reports what
// is no URL unit in it.
func (m *machine) encode(from, to int, set *percent.Set) {
	if m.report != nil {
		m.units(from, to)
	}
	m.out = appendEncode(m.out, m.in[from:to], set)
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
