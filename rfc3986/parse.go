package rfc3986

import (
	"math"
	"unicode/utf8"

	"anyurl/internal/abnf"
	"anyurl/rule"
)

// Parse reads a URI: it has a scheme, and may have a fragment. Without one it
// is what the standard calls an absolute-URI.
//
//	URI          = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
//	absolute-URI = scheme ":" hier-part [ "?" query ]
//
// The error is a *[rule.Error].
func Parse(s string) (URI, error) { return parse(s, true, false) }

// ParseReference reads a URI reference: a URI, or what is relative to one,
// which the empty string is too.
//
//	URI-reference = URI / relative-ref
//
// The error is a *[rule.Error].
func ParseReference(s string) (URI, error) { return parse(s, false, false) }

// ParseIRI reads an IRI (RFC 3987, section 2.2): a URI whose parts may hold
// most of Unicode, in UTF-8. The bidirectional formatting characters are
// refused as well, as section 4.1 demands. The error is a *[rule.Error].
func ParseIRI(s string) (URI, error) { return parse(s, true, true) }

// ParseIRIReference reads an IRI reference. The error is a *[rule.Error].
func ParseIRIReference(s string) (URI, error) { return parse(s, false, true) }

func parse(s string, absolute, iri bool) (URI, error) {
	if most := uint64(math.MaxUint32); uint64(len(s)) > most {
		return fail(s, int(most), &ruleLength)
	}
	u := URI{s: s, flags: parsed}
	w, wq := ascii, ascii
	if iri {
		u.flags |= international
		w, wq = ucs, ucsOrPUA
	}

	// URI          = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
	// relative-ref = relative-part [ "?" query ] [ "#" fragment ]
	i := 0
	if n := schemeLen(s); n > 0 {
		u.scheme = uint32(n)
		i = n + 1
	} else if absolute {
		return fail(s, noScheme(s), &ruleScheme)
	}

	// hier-part     = "//" authority path-abempty
	//               / path-absolute / path-rootless / path-empty
	// relative-part = "//" authority path-abempty
	//               / path-absolute / path-noscheme / path-empty
	if i+1 < len(s) && s[i] == '/' && s[i+1] == '/' {
		u.flags |= authority
		var bad *rule.Rule
		if i, bad = u.authority(i+2, w); bad != nil {
			return fail(s, i, bad)
		}
	} else if u.scheme == 0 {
		// segment-nz-nc: a colon here would make it a scheme.
		if j := scan(s, i, &segmentNC, w); j < len(s) && s[j] == ':' {
			return fail(s, j, &ruleNoScheme)
		}
	}
	u.path = uint32(i)
	i = scan(s, i, &path, w)
	u.pathEnd = uint32(i)
	part := &rulePath
	if i < len(s) && s[i] == '?' {
		u.flags |= hasQuery
		i = scan(s, i+1, &query, wq)
		part = &ruleQuery
	}
	u.queryEnd = uint32(i)
	if i < len(s) && s[i] == '#' {
		u.flags |= hasFragment
		i = scan(s, i+1, &fragment, w)
		part = &ruleFragment
	}
	if i < len(s) {
		return fail(s, i, blame(s, i, part, w))
	}
	return u, nil
}

// schemeLen is the length of the scheme that s starts with, or 0.
//
//	scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
func schemeLen(s string) int {
	if s == "" || !alpha[s[0]] {
		return 0
	}
	for i := 1; i < len(s); i++ {
		if !schemeRest[s[i]] {
			if s[i] == ':' {
				return i
			}
			break
		}
	}
	return 0
}

// noScheme is the offset at which s ceases to look like a scheme.
func noScheme(s string) int {
	if s == "" || !alpha[s[0]] {
		return 0
	}
	return schemeRest.Span(s)
}

// authority reads what stands between "//" and the path, s[i:], and gives the
// offset at which it ends. When a rule is broken it gives that offset and that
// rule.
//
//	authority = [ userinfo "@" ] host [ ":" port ]
func (u *URI) authority(i int, w wide) (int, *rule.Rule) {
	s := u.s
	u.host = uint32(i)
	end := scan(s, i, &regName, w)
	if end < len(s) && (s[end] == ':' || s[end] == '@') {
		// What stood before is userinfo if an "@" comes, and host if none does.
		if at := scan(s, end, &userinfo, w); at < len(s) && s[at] == '@' {
			i = at + 1
			u.flags |= hasUserinfo
			u.host = uint32(i)
			end = scan(s, i, &regName, w)
		}
	}

	// host = IP-literal / IPv4address / reg-name
	if end == i && i < len(s) && s[i] == '[' {
		var bad *rule.Rule
		if end, bad = u.ipLiteral(i); bad != nil {
			return end, bad
		}
	} else {
		u.kind = nameKind(s[i:end])
	}
	u.hostEnd = uint32(end)

	// port = *DIGIT
	i = end
	if i < len(s) && s[i] == ':' {
		u.flags |= hasPort
		i++
		for i < len(s) && digit[s[i]] {
			i++
		}
	}
	if i == len(s) || s[i] == '/' || s[i] == '?' || s[i] == '#' {
		return i, nil
	}
	return i, u.blameAuthority(i, end, w)
}

// blameAuthority names the rule that the byte at i breaks, where the host
// ended at end.
func (u *URI) blameAuthority(i, end int, w wide) *rule.Rule {
	switch {
	case u.s[i] == '@':
		return &ruleUserinfo
	case i > end: // after the colon
		return blame(u.s, i, &rulePort, w)
	case u.kind == IPv6 || u.kind == IPvFuture:
		return blame(u.s, i, &ruleIPLiteral, w)
	}
	return blame(u.s, i, &ruleRegName, w)
}

// scan gives the offset of the first byte of s, from i on, that neither is in
// set nor starts an escape, nor a character that w allows.
func scan(s string, i int, set *abnf.Set, w wide) int {
	for {
		for i < len(s) && set[s[i]] {
			i++
		}
		if i == len(s) {
			return i
		}
		switch c := s[i]; {
		case c == '%' && abnf.Escape(s, i):
			// pct-encoded = "%" HEXDIG HEXDIG
			i += 3
		case c >= utf8.RuneSelf && w != ascii:
			r, n := utf8.DecodeRuneInString(s[i:])
			if n == 1 || isBidi(r) || !isUCSChar(r) && (w == ucs || !isPrivate(r)) {
				return i
			}
			i += n
		default:
			return i
		}
	}
}

// blame names the rule that the byte at s[i] breaks: its own where no
// production holds it, that of the place otherwise.
func blame(s string, i int, place *rule.Rule, w wide) *rule.Rule {
	switch c := s[i]; {
	case c == '%':
		if abnf.Escape(s, i) {
			return place
		}
		return &rulePctEncoded
	case c == '\\':
		return whyBackslash.in(place)
	case c == ' ' || '\t' <= c && c <= '\r':
		return whySpace.in(place)
	case c < ' ' || c == 0x7f:
		return whyControl.in(place)
	case c < utf8.RuneSelf:
		if !unreserved[c] && !reserved[c] {
			return whyDelims.in(place)
		}
		return place
	case w == ascii:
		return whyNonASCII.in(place)
	}
	switch r, n := utf8.DecodeRuneInString(s[i:]); {
	case n == 1:
		return &ruleUTF8
	case isBidi(r):
		return &ruleBidi
	case isPrivate(r):
		return &rulePrivate
	case isUCSChar(r):
		return place
	}
	return &ruleUCSChar
}

func fail(s string, i int, r *rule.Rule) (URI, error) {
	return URI{}, &rule.Error{Input: s, Offset: i, Rule: *r}
}
