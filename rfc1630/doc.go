// Package rfc1630 reads URIs exactly as RFC 1630 defines them: the generic
// syntax, every scheme that the document gives a grammar, and the partial
// (relative) form with its resolution.
//
// Start with [Parse]. A URI of a scheme that the document has a grammar for has
// to follow that grammar; any other follows the generic production "uri", for
// which alone [ParseGeneric] asks. Either may carry a fragment identifier.
// [Resolve] reads a partial form in its context. What comes back is a [URI]: a
// comparable value that knows which production matched, and where each part
// stands in the input, in the document's own words. Nothing is decoded and
// nothing rewritten. What does not follow the grammar is refused with a
// *[rule.Error] that names the production ("rfc1630/gtype") and the byte at
// which it was broken.
//
// The printed grammar has slips. How each is read, and why, stands in
// docs/decisions/rfc1630-grammar.md.
//
// A successful parse allocates nothing and takes time linear in the input.
package rfc1630
