package domain_test

import (
	"errors"
	"strings"
	"testing"

	"anyurl/internal/domain"
	"anyurl/rule"
)

// TestToASCII has the right answer for every step and criterion; a name whose
// ID begins with "idna/" is the rule that Why must tell, at the offset given.
func TestToASCII(t *testing.T) {
	for _, tt := range []struct {
		theme  string
		in     string
		strict bool
		want   string // the answer, or the rule
		offset int
	}{
		// UTS 46, section 4, step 1: map.
		{"mapping: upper case", "B\u00DCCHER.Example", false, "xn--bcher-kva.example", 0},
		{"mapping: compatibility, many for one", "\u3392.example", false, "mhz.example", 0},
		// U+FDFA holds spaces, of class WS, which the bidi rule allows nowhere.
		{"mapping: a long one", "\uFDFA.example", false, "idna/bidi", 0},
		{"mapping: fullwidth becomes ASCII", "\uFF45\uFF58.example", false, "ex.example", 0},
		{"mapping: mathematical bold", "\U0001D41E\U0001D431.example", false, "ex.example", 0},
		{"mapping: ideographic full stop parts labels", "a\u3002b\uFF0Ec\uFF61d", false, "a.b.c.d", 0},
		{"mapping: a two dot leader parts an empty label", "a\u2025b\u00DF", false, "idna/disallowed", 1},
		{"ignored: soft hyphen", "a\u00ADb.\u00DF", false, "ab.xn--zca", 0},
		{"ignored: variation selector", "a\uFE0Fb\U000E0100.example", false, "ab.example", 0},
		{"ignored: nothing is left", "\u00AD", false, "idna/empty", 0},
		{"deviation: sharp s stays, section 4.4", "fa\u00DF.example", false, "xn--fa-hia.example", 0},
		{"deviation: final sigma stays", "\u03B2\u03CC\u03BB\u03BF\u03C2.example", false, "xn--nxasmm1c.example", 0},
		{"mapping: capital sharp s is sharp s", "\u1E9E", false, "xn--zca", 0},
		{"mapping: the Kelvin sign is k", "\u212A.example", false, "k.example", 0},
		{"Unicode 16 and on: Georgian capitals map", "\u10A0.example", false, "xn--rkj.example", 0},

		// Step 2: normalize.
		{"NFC: composes", "e\u0301.example", false, "xn--9ca.example", 0},
		{"NFC: orders marks by class", "a\u0301\u0323.example", false, "xn--lsa752l.example", 0},
		{"NFC: Hangul jamo", "\u1100\u1161\u11A8", false, "xn--p39a", 0},
		{"NFC: an ignored code point first goes", "=\u00AD\u0338", false, "xn--1ch", 0},
		{"NFC: a singleton", "\u2126", false, "xn--bya", 0},

		// Step 4: Punycode.
		{"Punycode: decoded, checked, kept", "xn--zca.\u00DF", false, "xn--zca.xn--zca", 0},
		{"Punycode: upper case", "XN--ZCA.\u00DF", false, "xn--zca.xn--zca", 0},
		{"Punycode: fullwidth spelling", "\uFF58n--zca", false, "xn--zca", 0},
		{"Punycode: bad in a domain that is ASCII passes", "xn--0.example", false, "xn--0.example", 0},
		{"Punycode: bad beside a label that is not", "\u00DF.xn--0", false, "idna/punycode", 8},
		{"Punycode: bad digit", "\u00DF.xn--ls8h=", false, "idna/punycode", 11},
		{"Punycode: overflow, RFC 3492, section 6.4", "\u00DF.xn--99999999", false, "idna/punycode", 7},
		{"Punycode: beyond U+10FFFF", "\u00DF.xn--en32g", false, "idna/punycode", 7},
		{"Punycode: not ASCII", "xn--te\u0161la", false, "idna/punycode-not-ascii", 6},
		{"Punycode: of nothing", "\u00DF.xn--", false, "idna/punycode-of-ascii", 3},
		{"Punycode: of ASCII", "\u00DF.xn--abc-", false, "idna/punycode-of-ascii", 3},
		{"Punycode: of Punycode, criterion 4", "\u00DF.xn--xn---epa", false, "idna/punycode-twice", 3},
		{"criterion 1: not NFC", "\u00DF.xn--o-ccb", false, "idna/not-nfc", 3},
		{"criterion 7: what would map", "\u00DF.xn--8i7caa", false, "idna/disallowed", 3},

		// Section 4.1, criteria 2 to 4: hyphens.
		{"hyphens: 3 and 4, lax", "ab--c.\u00DF", false, "ab--c.xn--zca", 0},
		{"hyphens: 3 and 4, strict", "ab--c.example", true, "idna/hyphen-3-4", 2},
		{"hyphens: first, lax", "-a.\u00DF", false, "-a.xn--zca", 0},
		{"hyphens: first, strict", "b.-a.example", true, "idna/hyphen-edge", 2},
		{"hyphens: last, strict", "a-.example", true, "idna/hyphen-edge", 1},

		// Criterion 6.
		{"a mark first", "a.\u0301b", false, "idna/leading-mark", 2},
		{"a spacing mark first", "\u0903b", false, "idna/leading-mark", 0},

		// Criterion 7.
		{"disallowed", "a\u2488.example", false, "idna/disallowed", 1},
		{"disallowed: unassigned", "a.b\u0378", false, "idna/disallowed", 3},
		{"disallowed: a tag", "a\U000E0041", false, "idna/disallowed", 1},
		{"disallowed: a direction override", "a\u202E", false, "idna/disallowed", 1},
		{"disallowed: private use", "a\uE000", false, "idna/disallowed", 1},
		{"disallowed: the last code point", "a\U0010FFFF", false, "idna/disallowed", 1},
		{"disallowed: U+FFFD", "a\uFFFD", false, "idna/disallowed", 1},
		{"not UTF-8", "\u00DFa\xFFb", false, "idna/not-utf-8", 3},
		{"STD3, lax", "a_b.\u00DF", false, "a_b.xn--zca", 0},
		{"STD3, strict", "a_b.example", true, "idna/std3", 1},
		{"STD3, strict, by mapping", "\u00DF.a\uFE4Db", true, "idna/std3", 4},
		{"Unicode 17: a new letter, U+16EBB", "\U00016EBB", false, "xn--zs0f", 0},
		{"Unicode 17: extension J of the ideographs", "\U000323B0", false, "xn--031o", 0},
		{"emoji are valid, unlike in IDNA2008", "\u2615.example", false, "xn--53h.example", 0},

		// Criterion 8: RFC 5892, appendix A.1 and A.2.
		{"joiners: ZWNJ after a virama", "\u0DC1\u0DCA\u200D\u0DBB\u0DD3", false, "xn--10cl1a0b660p", 0},
		{"joiners: ZWJ after no virama", "a\u200Db", false, "idna/joiner", 1},
		{"joiners: ZWJ first", "\u200Db", false, "idna/joiner", 0},
		{"joiners: ZWNJ between letters that join", "\u0646\u0627\u0645\u0647\u200C\u0627\u06CC", false, "xn--mgba3gch31f060k", 0},
		{"joiners: ZWNJ over transparent marks", "\u0628\u064E\u200C\u064E\u0628", false, "xn--ngba7ia3604a", 0},
		{"joiners: ZWNJ after one that joins only to the right", "\u0627\u200C\u0628", false, "idna/joiner", 2},
		{"joiners: ZWNJ last", "\u0628\u200C", false, "idna/joiner", 2},
		{"joiners: ZWNJ between Latin", "a\u200Cb", false, "idna/joiner", 1},

		// Criterion 9: RFC 5893, section 2.
		{"bidi 1: a digit first in an RTL label", "0\u05D0", false, "idna/bidi", 0},
		{"bidi 1: also in an LTR label of a bidi domain", "0a.\u05D0", false, "idna/bidi", 0},
		{"bidi: no such rule without RTL", "0a.\u00DF", false, "0a.xn--zca", 0},
		{"bidi 2: L in an RTL label", "\u05D0a\u05D0", false, "idna/bidi", 2},
		{"bidi 3: a hyphen at the end", "\u05D0-", false, "idna/bidi", 2},
		{"bidi 3: marks at the end", "\u05D0\u05B0", false, "xn--7cb7d", 0},
		{"bidi 4: both kinds of digits", "\u06271\u0661", false, "idna/bidi", 3},
		{"bidi 4: one kind", "\u06271", false, "xn--1-ymc", 0},
		{"bidi 5: R in an LTR label", "a\u05D0b", false, "idna/bidi", 1},
		{"bidi 6: an LTR label ends in a hyphen", "a-.\u05D0", false, "idna/bidi", 1},
		{"bidi: an empty label", "\u05D0..\u05D0", false, "xn--4db..xn--4db", 0},
		{"bidi: through Punycode", "xn--4db.0\u00DF", false, "idna/bidi", 8},

		// URL Standard, domain parser.
		{"forbidden: ASCII", "a#b", false, "idna/forbidden-domain-code-point", 1},
		{"forbidden: by mapping", "a.b\uFF03c", false, "idna/forbidden-domain-code-point", 3},
		{"forbidden: U+007F", "a\x7F", false, "idna/forbidden-domain-code-point", 1},
		{"forbidden: but composed away", "<\u0338", false, "xn--gdh", 0},
		{"empty", "", false, "idna/empty", 0},
		{"dots alone", "..", false, "..", 0},
		{"ASCII is in lower case", "EXAMPLE.com", false, "example.com", 0},

		// VerifyDnsLength, section 4.2, step 4.
		{"length: a label of 63", strings.Repeat("a", 63) + ".example", true, strings.Repeat("a", 63) + ".example", 0},
		{"length: a label of 64", "b." + strings.Repeat("a", 64), true, "idna/label-length", 2},
		{"length: a label of 64, lax", strings.Repeat("\u00E9", 64), false, "xn--9c" + strings.Repeat("a", 64), 0},
		{"length: an empty label", "a..b", true, "idna/label-length", 2},
		{"length: the root label too", "a.", true, "idna/label-length", 2},
		{"length: all", strings.Repeat("abcdefg.", 32) + "a", true, "idna/name-length", 253},
	} {
		t.Run(tt.theme, func(t *testing.T) {
			got, err := domain.ToASCII(tt.in, tt.strict)
			sound(t, tt.in)
			if !strings.HasPrefix(tt.want, "idna/") {
				switch {
				case err != nil:
					t.Errorf("%+q: %v", tt.in, err)
				case got != tt.want:
					t.Errorf("%+q = %q, want %q", tt.in, got, tt.want)
				}
				return
			}
			e, _ := errors.AsType[*rule.Error](err)
			if e == nil || e.Rule.ID != domain.DomainToASCII.ID {
				t.Fatalf("%+q = %q, %v; want a fault", tt.in, got, err)
			}
			why, _ := errors.AsType[*rule.Error](domain.Why(tt.in, tt.strict))
			if why == nil || why.Rule.ID != tt.want {
				t.Fatalf("%+q breaks %+v, want %s", tt.in, why, tt.want)
			}
			if why.Offset != e.Offset || e.Offset != tt.offset {
				t.Errorf("%+q is broken at %d (Why: %d), want %d", tt.in, e.Offset, why.Offset, tt.offset)
			}
		})
	}
}
