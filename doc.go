// Package anyurl reads URLs as the URL Standard (https://url.spec.whatwg.org/)
// says, the way browsers do.
//
// Start with [Parse]. A [URL] is a small comparable value, like [net/netip.Addr]:
// it is immutable, == says whether two URLs have the same serialisation, and it
// can be a map key. The zero URL is no URL. [Host] and [Query] are values of the
// same kind.
//
//	u, err := anyurl.Parse("https://ex.example/a/b?c=d")
//	v, err := u.Resolve("../e")           // https://ex.example/e
//	w, err := u.WithQuery("c=f")          // https://ex.example/a/b?c=f
//	c, ok := u.Params().Get("c")          // "d"
//
// Setters such as [URL.WithPath] give a new value: the URL that the standard's setter
// leaves behind. Those do nothing, or half of what was asked, without a word; here an
// error says what was not done and why.
//
// A URL that is its own serialisation, as nearly all are, is not copied: the
// value points into the string that was parsed, and parsing it allocates nothing.
// [URL.Clone] detaches it.
//
// What is wrong with an input is a [*rule.Error]: the byte offset into the input
// as it was given, and the rule that was broken, under the standard's own name.
// What is wrong but not fatal is told to [Parser.Report]. [Rules] lists all rules.
//
// Any input takes time and memory in proportion to its length. There are two
// limits, which the standard leaves to implementations: a URL has at most [MaxLen]
// bytes, and a label of a domain has at most 2,000 bytes as Punycode behind "xn--",
// and 1,000 code points when it is to be written so ([PunycodeTooLong]).
//
// On amd64 the parser uses AVX2 where there is any; the build tag purego leaves
// the assembly out.
package anyurl
