package anyurl

import (
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
// It refuses what the standard would take in two cases only, for their length:
// [TooLong] and [PunycodeTooLong].
//
// Parse keeps s alive when the URL is its own serialisation, and copies nothing
// then; see [URL.Clone].
func Parse(s string) (u URL, err error) {
	if fast(s, &u) {
		return u, nil
	}
	if err := u.parse(s, &URL{}, nil); err != nil {
		return URL{}, err
	}
	return u, nil
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
	return fast(s, &u) || u.parse(s, &URL{}, nil) == nil
}

// ParseRef reads s as a URL that may be relative to base. A zero base is no
// base. Its error is a *[rule.Error].
func ParseRef(s string, base URL) (u URL, err error) {
	if fastResolve(s, &base, &u) || fast(s, &u) {
		return u, nil
	}
	if err := u.parse(s, &base, nil); err != nil {
		return URL{}, err
	}
	return u, nil
}

// Resolve reads ref as a URL that may be relative to u. Its error is a
// *[rule.Error] with an offset into ref.
func (u URL) Resolve(ref string) (v URL, err error) {
	if fastResolve(ref, &u, &v) {
		return v, nil
	}
	return ParseRef(ref, u)
}

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
func (p Parser) Parse(s string) (URL, error) {
	if p.Report == nil {
		return ParseRef(s, p.Base)
	}
	var u URL
	if err := u.parse(s, &p.Base, p.Report); err != nil {
		return URL{}, err
	}
	return u, nil
}

// roomy is how long a serialisation may be before it needs a second allocation.
const roomy = 512

// parse sets u to what the machine reads in s.
func (u *URL) parse(s string, base *URL, report func(*rule.Error)) *rule.Error {
	if len(s) > MaxLen {
		return tooLong(s)
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
		return err
	}
	if len(out) > MaxLen {
		return &rule.Error{Input: s, Offset: len(s), Rule: TooLong}
	}
	if string(out) == in {
		u.href = in // its own serialisation
	} else {
		u.href = string(out)
	}
	u.parts = m.url
	return nil
}

// tooLong is the error for an s that is longer than MaxLen.
func tooLong(s string) *rule.Error { return &rule.Error{Input: s, Offset: MaxLen, Rule: TooLong} }
