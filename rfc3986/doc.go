// Package rfc3986 reads URIs and IRIs exactly as RFC 3986 and RFC 3987 define
// them: every production of the two grammars, reference resolution (section
// 5), the normalization ladder (section 6) and the mapping between IRIs and
// URIs (RFC 3987, section 3).
//
// Start with [Parse] for a URI, [ParseReference] for what may also be relative
// to something, and [ParseIRI] and [ParseIRIReference] for text that is not
// confined to US-ASCII. What comes back is a [URI]: a comparable value whose
// parts are stretches of the input itself, nothing decoded and nothing
// rewritten. What does not follow the grammar is refused with a *[rule.Error]
// that names the production by the standard's own word ("rfc3986/ipv6address")
// and the byte at which it was broken.
//
// A successful parse allocates nothing and takes time linear in the input.
package rfc3986
