package rfc3986

import (
	"strings"
	"unicode/utf8"

	"anyurl/internal/abnf"
	"anyurl/percent"
)

// ToURI maps an IRI, or a reference, to the URI that stands for it: every
// character outside US-ASCII becomes the escapes of its UTF-8 octets (RFC
// 3987, section 3.1, step 2). What is a URI already comes back as it is.
//
// The host is escaped like the rest. Section 3.1 also lets it be converted by
// IDNA, where the scheme names hosts of the DNS; that takes Unicode tables,
// which the URL Standard's reading carries and this one does not.
//
// The error is a *[rule.Error], for a text that becomes too long.
func ToURI(iri URI) (URI, error) {
	return parse(percent.Encode(iri.s, &notASCII), false, false)
}

var notASCII = abnf.Range(0x80, 0xff)

// ToIRI maps a URI, or a reference, to an IRI that maps back to an equivalent
// URI (RFC 3987, section 3.2): escapes that make up the UTF-8 of a character
// which may stand in that part unescaped become that character. Escapes of
// US-ASCII, of octets that are no UTF-8, of private-use characters outside a
// query, and of bidirectional formatting characters stay escapes.
//
// The error is a *[rule.Error], for a text that becomes too long; none has
// been seen.
func ToIRI(uri URI) (URI, error) {
	start, end, hasQuery := uri.Span(PartQuery)
	if !hasQuery {
		start, end = len(uri.s), len(uri.s)
	}
	var b strings.Builder
	appendIRI(&b, uri.s[:start], ucs)
	appendIRI(&b, uri.s[start:end], ucsOrPUA)
	appendIRI(&b, uri.s[end:], ucs)
	return parse(b.String(), false, true)
}

// appendIRI writes s with those escapes replaced that w allows to be.
func appendIRI(b *strings.Builder, s string, w wide) {
	var octets [utf8.UTFMax]byte
	for i := 0; i < len(s); {
		n := 0 // octets that escapes from i on stand for
		for n < utf8.UTFMax {
			c, ok := percent.At(s, i+3*n)
			if !ok {
				break
			}
			octets[n] = c
			n++
		}
		if n > 0 {
			r, size := utf8.DecodeRune(octets[:n])
			if size > 1 && !isBidi(r) && (isUCSChar(r) || w == ucsOrPUA && isPrivate(r)) {
				b.WriteRune(r)
				i += 3 * size
				continue
			}
			b.WriteString(s[i : i+3])
			i += 3
			continue
		}
		b.WriteByte(s[i])
		i++
	}
}
