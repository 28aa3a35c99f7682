package idn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"anyurl/internal/domain"
	"anyurl/internal/idn"
)

func ExampleDisplay() {
	fmt.Println(idn.Display("xn--bcher-kva.example"))
	shown, findings := idn.Display("p\u0430ypal.example")
	fmt.Println(shown)
	for _, f := range findings {
		fmt.Printf("%d-%d %s: %s\n", f.Start, f.End, f.Code, f.Says)
	}
	// Output:
	// bücher.example []
	// xn--pypal-4ve.example
	// 1-3 idn-mixed-script: label mixes Latin and Cyrillic letters
	// 0-7 idn-confusable: label can be taken for the well-known name "paypal"
}

// TestDisplay has a row for each display rule; the numbers are those of
// Chromium's docs/idn.md, and "-" stands for a host that is shown in Unicode.
func TestDisplay(t *testing.T) {
	for _, tt := range []struct{ rule, host, codes string }{
		// What words of many languages look like.
		{"German", "b\u00FCcher.example", "-"},
		{"Punycode of German", "xn--bcher-kva.example", "-"},
		{"Swedish", "sm\u00F6rg\u00E5s.example", "-"},
		{"Danish", "sm\u00F8rrebr\u00F8d.example", "-"},
		{"Polish", "\u0142\u00F3d\u017A.example", "-"},
		{"Turkish", "\u0131\u011Fd\u0131r.example", "-"},
		{"Vietnamese", "ti\u1EBFngvi\u1EC7t.example", "-"},
		{"Icelandic at home", "\u00FE\u00F3rsh\u00F6fn.is", "-"},
		{"Azerbaijani at home", "az\u0259rbaycan.az", "-"},
		{"Catalan at home", "col\u00B7lecci\u00F3.cat", "-"},
		{"Russian", "\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444", "-"},
		{"Russian elsewhere", "\u043C\u043E\u0441\u043A\u0432\u0430.example", "-"},
		{"Greek", "\u03B5\u03BB\u03BB\u03AC\u03B4\u03B1.example", "-"},
		{"Armenian", "\u0570\u0561\u0575\u0561\u057D\u057F\u0561\u0576.example", "-"},
		{"Georgian", "\u10E5\u10D0\u10E0\u10D7\u10E3\u10DA\u10D8.example", "-"},
		{"Hebrew", "\u05D9\u05E9\u05E8\u05D0\u05DC.example", "-"},
		{"Arabic", "\u0645\u062B\u0627\u0644.example", "-"},
		{"Hindi", "\u092D\u093E\u0930\u0924.example", "-"},
		{"Tamil", "\u0BA4\u0BAE\u0BBF\u0BB4\u0BCD.example", "-"},
		{"Thai", "\u0E44\u0E17\u0E22.example", "-"},
		{"Amharic", "\u12A2\u1275\u12EE\u1335\u12EB.example", "-"},
		{"Chinese", "\u4E2D\u6587.\u4E2D\u56FD", "-"},
		{"Korean", "\uD55C\uAD6D.example", "-"},
		{"Korean with ideographs and ASCII", "\uD55C\u6F22abc.example", "-"},
		{"Japanese in four scripts", "abc\u65E5\u672C\u306E\u30BF\u30EF\u30FC.example", "-"},
		{"Japanese, with what passes for a slash", "ibm\u30D1\u30BD\u30B3\u30F3.example", "-"},
		{"an ideograph of Unicode 17", "\U000323B0\u4E2D.example", "-"},
		{"one numbering system", "\u0967\u0968\u0969.example", "-"},
		{"the root's label", "b\u00FCcher.example.", "-"},
		{"an empty label", "b\u00FCcher..example", "-"},

		{"1: sharp s", "fa\u00DF.example", "idn-deviation"},
		{"1: final sigma in Punycode", "xn--3xa.example", "idn-deviation"},
		{"1: ZWNJ in its place", "\u0646\u0627\u0645\u0647\u200C\u0627\u06CC.example", "idn-deviation"},
		{"2: no Punycode", "xn--0.example", "idn-invalid-punycode"},
		{"2: Punycode of what is disallowed", "xn--a-ecp.example", "idn-invalid-punycode"},
		{"2: Punycode of what breaks the bidi rule", "xn--a-yoc.example", "idn-invalid-punycode"},
		{"3: a modifier letter", "wwww\u02CE.example", "idn-disallowed-for-display"},
		{"3: a symbol", "\u2615.example", "idn-disallowed-for-display"},
		{"3: a letter of phonetics", "\u0251bc.example", "idn-disallowed-for-display"},
		{"4: Pinyin", "\u01CEbc.example", "idn-disallowed-for-display"},
		{"4: a modifier apostrophe", "l\u02BCeau.example", "idn-disallowed-for-display"},
		{"4: Greek with breathings", "\u1F10\u03BD.example", "idn-disallowed-for-display"},
		{"5: Latin and Cyrillic", "ex\u0430mple.example", "idn-mixed-script"},
		{"5: Latin and Greek", "micr\u03BF.example", "idn-mixed-script"},
		{"5: Latin and Armenian", "fo\u0585d.example", "idn-mixed-script"},
		{"5: Greek and Cyrillic", "\u03B4\u0434.example", "idn-mixed-script"},
		{"5: Thai and Latin", "\u0E1A\u0E32\u0E17a.example", "idn-mixed-script"},
		{"5: Hangul and Hiragana", "\uD55C\u3042.example", "idn-mixed-script"},
		{"5: Latin beyond ASCII among ideographs", "caf\u00E9\u4E2D.example", "idn-mixed-script"},
		{"6: ASCII and Devanagari", "1\u0969\u0968.example", "idn-confusable idn-mixed-numbers"},
		{"6: Thai and ASCII", "\u0E01\u0E512.example", "idn-mixed-numbers"},
		{"7: a mark twice", "a\u0301\u0301.example", "host-normalizes idn-repeated-mark"},
		{"7: a mark twice, in Punycode", "xn--dma26b.example", "idn-repeated-mark"},
		{"7: a voiced mark apart", "\u304B\u3042\u3099.example", "idn-confusable"},
		{"8: a middle dot", "exa\u00B7mple.example", "idn-disallowed-for-display idn-dot-lookalike"},
		{"8: thorn abroad", "\u00FEaper.example", "idn-confusable"},
		{"8: schwa abroad", "b\u0259d.example", "idn-confusable"},
		{"10: Cyrillic", "\u0430\u0440\u0440\u04CF\u0435.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Cyrillic in Punycode", "xn--80ak6aa92e.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Cyrillic with ASCII digits", "\u0441\u043E\u0440-1.example", "idn-confusable idn-whole-script-confusable"},
		{"10: at home in .ru", "\u0441\u043E\u0440.ru", "-"},
		{"10: at home under a Cyrillic name", "\u0441\u043E\u0440.\u0440\u0444", "-"},
		{"10: capitals", "\u0405\u0405\u0406.example", "idn-confusable idn-whole-script-confusable"},
		{"10: Greek", "\u03BF\u03B4\u03BF\u03B9.example", "-"}, // no Latin letter looks like a delta
		{"10: Greek with a kappa, which Chromium lists", "\u03BF\u03B9\u03BA\u03BF\u03C1.example", "idn-confusable idn-whole-script-confusable"},
		{"10: Cyrillic that Chromium lists", "\u043A\u043E\u043F.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Georgian", "\u10D8\u10DD.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Georgian at home", "\u10D8\u10DD.ge", "-"},
		{"10: Georgian, a word", "\u10D7\u10D1\u10D8\u10DA\u10D8\u10E1\u10D8.com", "-"},
		{"10: Hebrew", "\u05D5\u05D5.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Hebrew, a word", "\u05E9\u05DC\u05D5\u05DD.com", "-"},
		{"10: Thai", "\u0E1A\u0E1E.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Thai, a word", "\u0E44\u0E17\u0E22.com", "-"},
		{"10: Armenian", "\u0570\u0575.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Ethiopic", "\u1200\u1230.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Malayalam", "\u0D20\u0D1F.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Gujarati", "\u0AA1\u0A9F.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Tamil", "\u0B9F\u0BAA.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Myanmar", "\u1002\u1004.com", "idn-confusable idn-whole-script-confusable"},
		{"10: Greek, all of them", "\u03BF\u03B9\u03BF\u03C1.example", "idn-confusable idn-whole-script-confusable"},
		{"10: a single label", "\u0441\u043E\u0440", "idn-confusable idn-whole-script-confusable"},
		{"10: Cherokee", "\u13A0\u13A1.example", "idn-confusable idn-disallowed-for-display"},
		{"11: digits by another name", "\u0437\u0437.example", "idn-confusable"},
		{"12: Katakana no", "trusted.example\u30CEevil.example", "idn-slash-lookalike"},
		{"12: fraction slash", "a\u2044b.example", "idn-disallowed-for-display idn-slash-lookalike"},
		{"12: kana repeat mark", "a\u3033b.example", "idn-disallowed-for-display idn-slash-lookalike"},
		{"12: a stroke of ideographs", "a\u31D3b.example", "idn-disallowed-for-display idn-slash-lookalike"},
		{"12: division slash", "a\u2215b.example", "idn-disallowed-for-display idn-slash-lookalike"},
		{"12: big solidus", "a\u29F8b.example", "idn-disallowed-for-display idn-slash-lookalike"},
		{"12: a long sound without kana", "a\u30FCb.example", "idn-confusable"},
		{"12: an ideograph for a hyphen", "a\u4E00b.example", "idn-confusable"},
		{"12: Katakana dot", "a\u30FBb.example", "idn-disallowed-for-display idn-dot-lookalike"},
		{"12: Hiragana he in Katakana", "\u30AB\u3078\u30AB.example", "idn-confusable"},
		{"12: Katakana he in Hiragana", "\u3042\u30D8\u3042.example", "idn-confusable"},
		{"12: Hiragana he in Hiragana", "\u3042\u3078\u3042.example", "-"},
		{"12: an iteration mark with nothing to repeat", "\u3042\u30FD.example", "idn-confusable"},
		{"12: an iteration mark with something", "\u30AB\u30FD.example", "-"},
		{"12: a hyphenation point", "exa\u2027mple.example", "idn-disallowed-for-display idn-dot-lookalike"},
		{"12: an acute upon a dotless i", "\u0131\u0301.example", "idn-confusable"},
		{"12: an acute upon a digit", "1\u0301.example", "idn-confusable"},
		{"12: two marks upon a letter", "\u01A1\u0323\u0309.example", "host-normalizes -"},
		{"12: a dot upon an i", "i\u0307.example", "idn-confusable"},
		{"12: a mark upon Hebrew", "\u05D0\u0301.example", "idn-confusable idn-mixed-script"},
		{"13: a stroke", "paypa\u0142.com", "idn-confusable"},
		{"13: an accent", "googl\u00E9.com", "idn-confusable"},
		{"13: a dotless i", "tw\u0131tter.com", "idn-confusable"},
		{"13: vv for w", "vvikip\u00E9dia.com", "idn-confusable"},
		{"13: rn for m", "\u00E0rnazon.com", "idn-confusable"},
		{"13: a ligature", "f\u0153book.example", "-"},
		{"13: Cyrillic, of which UTS 39 lists but some", "\u043C\u0456\u0441\u0433\u043E\u0455\u043E\u0493\u0442.example", "idn-confusable"},
		{"13: an accent on no such name", "\u00E9vil.example", "-"},

		// What stands in the host before it is mapped.
		{"an ideographic full stop", "a\u3002example", "host-normalizes idn-dot-lookalike -"},
		{"a fullwidth full stop", "a\uFF0Eexample", "host-normalizes idn-dot-lookalike -"},
		{"fullwidth letters", "\uFF45\uFF58.example", "host-normalizes -"},
		{"the Kelvin sign", "EXA\u212AMPLE.com", "host-normalizes -"},
		{"the Angstrom sign", "\u212B.example", "host-normalizes -"},
		{"a soft hyphen", "a\u00ADb.example", "host-normalizes -"},
		{"decomposed", "e\u0301vil.example", "host-normalizes -"},
		{"a long s", "localho\u017Ft", "host-normalizes -"},
		{"upper case alone", "B\u00DCCHER.example", "-"},
		{"a slash by mapping: no host", "\u2100.example", "host-normalizes !"},
		{"a colon by mapping: no host", "a\uFF1A80", "host-normalizes !"},
		{"disallowed: no host", "a\u2488b.example", "!"},

		{"ASCII", "www.example.com", "-"},
		{"ASCII, a known name", "paypal.com", "-"},
		{"ASCII, upper case", "PAYPAL.com", "-"},
		{"ASCII, rn for m", "rnicrosoft.com", "ascii-confusable -"},
		{"ASCII, 1 for l", "www.paypa1.com", "ascii-confusable -"},
		{"ASCII, 0 for o", "g00gle.com", "ascii-confusable -"},
		{"ASCII, I for l", "paypaI.com", "ascii-confusable -"},
		{"ASCII beside a label that is not", "b\u00FCcher.paypa1.com", "ascii-confusable -"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			shown, findings := idn.Display(tt.host)
			var got []string
			for _, f := range findings {
				got = append(got, f.Code)
			}
			slices.Sort(got)
			switch {
			case shown == "":
				got = append(got, "!")
			case !strings.Contains(strings.ToLower(shown), "xn--"):
				got = append(got, "-")
			}
			if s := strings.Join(got, " "); s != tt.codes {
				t.Errorf("%+q is shown as %+q: %s, want %s (%+v)", tt.host, shown, s, tt.codes, findings)
			}
			sound(t, tt.host)
		})
	}
}

// TestSpan holds the places of findings.
func TestSpan(t *testing.T) {
	for _, tt := range []struct {
		host, code string
		start, end int
	}{
		{"www.ex\u0430mple.example", idn.MixedScript, 6, 8},
		{"www.xn--exmple-4nf.example", idn.MixedScript, 4, 18},
		{"www.paypa\u0142.com", idn.Confusable, 4, 11},
		{"a.b\u2044c", idn.SlashLookalike, 3, 6},
		{"a\u3002b", idn.DotLookalike, 1, 4},
		{"www.EXA\u212AMPLE.com", idn.HostNormalizes, 7, 10},
		{"e\u0301vil.example", idn.HostNormalizes, 0, 14},
		{"www.paypa1.com", idn.ASCIIConfusable, 4, 10},
		{"a.xn--0", idn.InvalidPunycode, 2, 7},
	} {
		_, findings := idn.Display(tt.host)
		i := slices.IndexFunc(findings, func(f idn.Finding) bool { return f.Code == tt.code })
		if i < 0 || findings[i].Start != tt.start || findings[i].End != tt.end {
			t.Errorf("%+q: %+v, want %s at %d-%d", tt.host, findings, tt.code, tt.start, tt.end)
		}
	}
}

// sound checks what must hold of any host: what is shown leads to the same
// host, and findings lie within it.
func sound(t *testing.T, host string) {
	t.Helper()
	shown, findings := idn.Display(host)
	for _, f := range findings {
		if f.Code == "" || f.Says == "" || f.Start < 0 || f.Start > f.End || f.End > len(host) {
			t.Errorf("%+q: %+v", host, f)
		}
	}
	want, err := domain.ToASCII(host, false)
	if err != nil {
		return
	}
	if got, err := domain.ToASCII(shown, false); err != nil || got != want {
		t.Errorf("%+q is shown as %+q, which leads to %q (%v), not to %q", host, shown, got, err, want)
	}
}

func FuzzDisplay(f *testing.F) {
	for _, s := range []string{
		"www.example.com", "b\u00FCcher.example", "xn--80ak6aa92e.com", "a\u3002b\uFF0E\uFF61", "\u30CEa\u30FCb", "xn--0.\u00DF", "\u05D0.1\u0660",
		"a\u0301\u0301", "\u00AD.a", "XN--BCHER-KVA", "\u1100\u1161.\u4E00x", "<\u0338", "\xFF.\u00E9", "paypaI.rnicrosoft",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sound(t, s) })
}

// TestLong has a host that no host is as long as.
func TestLong(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("\u30D8\u3078", 1<<16), strings.Repeat("\u0437", 1<<16), strings.Repeat("\u00E9.", 1<<14),
		strings.Repeat("\u4E00a", 1<<16), strings.Repeat("rn", 1<<16), "a" + strings.Repeat("\u0301\u0323", 1<<15),
	} {
		sound(t, s)
	}
}

// TestPlain holds that nearly every host costs no memory.
func TestPlain(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { _, _ = idn.Display("www.example.com") }); n != 0 {
		t.Errorf("a plain host allocates %v times", n)
	}
}

func BenchmarkDisplay(b *testing.B) {
	for _, host := range []string{"www.example.com", "b\u00FCcher.example", "xn--80ak6aa92e.com"} {
		b.Run(host, func(b *testing.B) {
			for b.Loop() {
				_, _ = idn.Display(host)
			}
		})
	}
}
