package domain

import "anyurl/rule"

// DomainToASCII is broken by a host name that cannot be written in ASCII, or
// whose ASCII form holds what no host name may: the URL Standard's
// "domain-to-ASCII". [ToASCII] returns errors with its ID whose Cite and Says
// are those of the finer rule, which [Why] tells by its own ID.
var DomainToASCII = rule.Rule{
	ID:      "url/domain-to-ascii",
	Cite:    "URL Standard, domain to ASCII",
	Says:    "host name cannot be turned into ASCII labels",
	Fix:     "write the name as it is registered, or in Punycode (xn--)",
	Example: "https://exa%23mple.org",
}

// The criteria of UTS 46 and what they rest on.
var (
	// InvalidCodePoint: the URL Standard's forbidden domain code points.
	InvalidCodePoint = rule.Rule{
		ID:      "idna/forbidden-domain-code-point",
		Cite:    "URL Standard, forbidden domain code point",
		Says:    "host name holds a character that no host name may hold",
		Fix:     "remove the character",
		Example: "https://exa%23mple.org",
	}
	// Empty: nothing is left of the name.
	Empty = rule.Rule{
		ID:      "idna/empty",
		Cite:    "URL Standard, domain to ASCII",
		Says:    "nothing is left of the host name once its ignored characters are dropped",
		Fix:     "name a host",
		Example: "http://%C2%AD/",
	}
	// Disallowed: criterion 7 of UTS 46's validity criteria.
	Disallowed = rule.Rule{
		ID:      "idna/disallowed",
		Cite:    "UTS 46, section 4.1, criterion 7",
		Says:    "host name holds a code point that is not allowed in one",
		Fix:     "remove the code point",
		Example: "http://a\u2488.example/",
	}
	// STD3: the letter-digit-hyphen rule, part of criterion 7.
	STD3 = rule.Rule{
		ID:      "idna/std3",
		Cite:    "UTS 46, section 4.1, criterion 7 (UseSTD3ASCIIRules)",
		Says:    "label holds an ASCII character other than a letter, a digit or a hyphen",
		Fix:     "use letters, digits and hyphens only",
		Example: "http://a_b.example/",
	}
	// NotUTF8: a string is a sequence of scalar values before anything else.
	NotUTF8 = rule.Rule{
		ID:   "idna/not-utf-8",
		Cite: "URL Standard, host parsing (UTF-8 decode without BOM)",
		Says: "host name is not UTF-8",
		Fix:  "write the host name in UTF-8",
	}
	// Punycode: section 4, step 4, on labels that begin with "xn--".
	Punycode = rule.Rule{
		ID:      "idna/punycode",
		Cite:    "RFC 3492, section 6.2; UTS 46, section 4, step 4",
		Says:    `label begins with "xn--" but what follows is not Punycode`,
		Fix:     "correct the label",
		Example: "http://xn--0.\u00DF.example/",
	}
	// PunycodeNotASCII: section 4, step 4.1.1.
	PunycodeNotASCII = rule.Rule{
		ID:      "idna/punycode-not-ascii",
		Cite:    "UTS 46, section 4, step 4.1",
		Says:    `label begins with "xn--" but is not ASCII`,
		Fix:     "write the label either in Punycode or in Unicode",
		Example: "http://xn--te\u0161la.example/",
	}
	// PunycodeASCII: section 4, step 4.1.3.
	PunycodeASCII = rule.Rule{
		ID:      "idna/punycode-of-ascii",
		Cite:    "UTS 46, section 4, step 4.3",
		Says:    "Punycode stands for nothing, or for a label that is ASCII without it",
		Fix:     "write the label without Punycode",
		Example: "http://xn--abc-.\u00DF.example/",
	}
	// NotNFC: criterion 1.
	NotNFC = rule.Rule{
		ID:      "idna/not-nfc",
		Cite:    "UTS 46, section 4.1, criterion 1",
		Says:    "Punycode stands for a label that is not in normalization form C",
		Fix:     "encode the normalized label",
		Example: "http://xn--o-ccb.\u00DF.example/",
	}
	// Hyphen34: criterion 2.
	Hyphen34 = rule.Rule{
		ID:      "idna/hyphen-3-4",
		Cite:    "UTS 46, section 4.1, criterion 2 (CheckHyphens)",
		Says:    "label has hyphens as its third and fourth characters",
		Fix:     "choose another label; such ones are reserved",
		Example: "http://ab--c.example/",
	}
	// HyphenEdge: criterion 3.
	HyphenEdge = rule.Rule{
		ID:      "idna/hyphen-edge",
		Cite:    "UTS 46, section 4.1, criterion 3 (CheckHyphens)",
		Says:    "label begins or ends with a hyphen",
		Fix:     "remove the hyphen",
		Example: "http://-a.example/",
	}
	// PunycodeTwice: criterion 4.
	PunycodeTwice = rule.Rule{
		ID:      "idna/punycode-twice",
		Cite:    "UTS 46, section 4.1, criterion 4",
		Says:    `Punycode stands for a label that begins with "xn--" again`,
		Fix:     "encode the label once",
		Example: "http://xn--xn---epa.\u00DF.example/",
	}
	// LeadingMark: criterion 6.
	LeadingMark = rule.Rule{
		ID:      "idna/leading-mark",
		Cite:    "UTS 46, section 4.1, criterion 6",
		Says:    "label begins with a combining mark",
		Fix:     "put a letter before the mark",
		Example: "http://\u0301a.example/",
	}
	// Joiner: criterion 8.
	Joiner = rule.Rule{
		ID:      "idna/joiner",
		Cite:    "RFC 5892, appendix A.1 and A.2; UTS 46, section 4.1, criterion 8 (CheckJoiners)",
		Says:    "zero-width joiner or non-joiner stands where it joins nothing",
		Fix:     "remove the joiner",
		Example: "http://a\u200Db.example/",
	}
	// Bidi: criterion 9.
	Bidi = rule.Rule{
		ID:      "idna/bidi",
		Cite:    "RFC 5893, section 2; UTS 46, section 4.1, criterion 9 (CheckBidi)",
		Says:    "label mixes writing directions in a way the bidi rule does not allow",
		Fix:     "keep right-to-left and left-to-right text in labels of their own",
		Example: "http://\u05D0a.example/",
	}
	// PunycodeLength: [MaxPunycode] and [MaxEncoded], the limits of our own.
	PunycodeLength = rule.Rule{
		ID:   "idna/punycode-length",
		Cite: "Infra Standard, section 3.2; RFC 1035, section 2.3.4",
		Says: "label is longer than this library reads as Punycode or writes as such",
		Fix:  "shorten the label; the DNS takes 63 octets",
	}
	// LabelLength: ToASCII's step 4.2.
	LabelLength = rule.Rule{
		ID:      "idna/label-length",
		Cite:    "UTS 46, section 4.2, step 4 (VerifyDnsLength); RFC 1035, section 2.3.4",
		Says:    "label is not 1 to 63 octets long",
		Fix:     "shorten the label, or remove the surplus dot",
		Example: "http://a..example/",
	}
	// NameLength: ToASCII's step 4.1.
	NameLength = rule.Rule{
		ID:   "idna/name-length",
		Cite: "UTS 46, section 4.2, step 4 (VerifyDnsLength); RFC 1035, section 2.3.4",
		Says: "host name is not 1 to 253 octets long",
		Fix:  "shorten the host name",
	}
)

// Rules lists the rules that host names can break.
func Rules() []rule.Rule {
	return []rule.Rule{
		DomainToASCII,
		InvalidCodePoint, Empty, NotUTF8, Disallowed, STD3,
		Punycode, PunycodeNotASCII, PunycodeASCII, PunycodeTwice,
		NotNFC, Hyphen34, HyphenEdge, LeadingMark, Joiner, Bidi,
		PunycodeLength, LabelLength, NameLength,
	}
}
