// Package anyurl reads URLs as the URL Standard (https://url.spec.whatwg.org/)
// says, the way browsers do.
//
// Start with [Parse]. A [URL] is a small comparable value, like [net/netip.Addr]:
// it is immutable, == says whether two URLs have the same serialisation, and it
// can be a map key. The zero URL is no URL.
//
// A URL that is its own serialisation, as nearly all are, is not copied: the
// value points into the string that was parsed. [URL.Clone] detaches it.
//
// What is wrong with an input is a [*rule.Error]: the byte offset into the
// input, and the rule that was broken, under the standard's own name. What is
// wrong but not fatal is told to [Parser.Report].
package anyurl
