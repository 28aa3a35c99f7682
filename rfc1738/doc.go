// Package rfc1738 reads URLs exactly as RFC 1738 defines them: the generic form
// and the ten schemes that the document knows, each by its own grammar.
//
// Start with [Parse]. A URL whose scheme is one of the ten has to follow that
// scheme's grammar; any other follows "otherurl". [ParseGeneric] asks for the
// generic form alone. What comes back is a [URL]: a comparable value that knows
// which production matched, and where each part stands in the input, in the
// document's own words. Nothing is decoded and nothing rewritten. What does not
// follow the grammar is refused with a *[rule.Error] that names the production
// ("rfc1738/hsegment") and the byte at which it was broken.
//
// The document has no relative URLs and no fragments; RFC 1808 brought those.
// Its slips, and how they are read here, stand in
// docs/decisions/rfc1738-grammar.md.
//
// A successful parse allocates nothing and takes time linear in the input.
package rfc1738
