package idn

import (
	"slices"
	"strings"
	"unicode/utf8"

	"anyurl/internal/domain"
)

const (
	japanese   = han | hiragana | katakana
	chinese    = han | bopomofo
	korean     = han | hangul
	cjk        = japanese | bopomofo
	european   = latin | greek | cyrillic
	unusual    = adlam | canadianAboriginal | cherokee | coptic | deseret | lisu | nko | osage | syriac | tifinagh | vai | yi | other
	longSolid  = 0x338
	middleDot  = 0xB7
	kanaDot    = 0x30FB
	kanaLong   = 0x30FC
	dotlessI   = 0x131
	dotAbove   = 0x307
	voicedMark = 0x3099
)

// lookalikes are the scripts that have whole words in letters which pass for
// Latin ones: what UTS 39's confusables do not have among those letters (they
// are from the lists of Chromium's idn_spoof_checker.cc, those for Linux), and
// the top-level domains, besides those written in the script itself, where such
// words are at home.
var lookalikes = []struct {
	script  scripts
	letters string
	tlds    string
}{
	{armenian, "ագզէլհյոսւօՙ", "am"},
	{cyrillic, "аысԁеԍһіюкјӏорԗԛѕԝхуъьҽпгѵѡ", "bg by kg kz mk mn rs ru su tj ua uz"},
	{ethiopic, "ሀሠሰስበነተከዐዕዘጠፐꬅ", "er et"},
	{georgian, "იოყძხჽჿ", "ge"},
	{greek, "αικνρυωηοτ", "cy gr"},
	{hebrew, "דוחיןסװײ׳", "il"},
	{bengali, "০৭", "bd"},
	{devanagari, "ऽ०ॱ", ""},
	{gujarati, "ડટ૦૧", ""},
	{gurmukhi, "੦੧", ""},
	{kannada, "ಽ೦೧", ""},
	{malayalam, "ടഠധനറ൦", ""},
	{oriya, "ଠ୦୮", ""},
	{tamil, "டப௦", ""},
	{telugu, "౦౧", ""},
	{myanmar, "ခဂငထပဝ၀၂ၔၜ႐႑႕႖႗", "mm"},
	{thai, "ทนบพรหเแ๐ดลปฟม", "th"},
}

// check holds a label that is not ASCII to the display rules. Their numbers
// are those of Chromium's docs/idn.md.
func (l *label) check(tld *label) (findings []Finding) {
	text := l.text
	found := func(code string, c rune, says string) {
		start, end := l.find(c)
		findings = append(findings, Finding{code, start, end, says})
	}

	// 1. Characters that IDNA 2003 and IDNA 2008 read differently.
	if i := slices.IndexFunc(text, isDeviation); i >= 0 {
		found(Deviation, text[i], point(text[i])+" leads to another host under the older IDNA 2003")
	}
	// 3. Each character is allowed in identifiers. 4. None is of a listed kind.
	for i, c := range text {
		if !isDeviation(c) && (!shown(c) || isMiddleDot(text, i, tld.ascii)) {
			found(DisallowedForDisplay, c, point(c)+" is not a character of everyday words")
			break
		}
	}
	for i, c := range text {
		if isSlash(text, i) {
			found(SlashLookalike, c, point(c)+" can be taken for a slash")
			break
		}
	}
	for i, c := range text {
		if isMiddleDot(text, i, tld.ascii) {
			found(DotLookalike, c, point(c)+" can be taken for a dot")
			break
		}
	}
	// 5. Scripts do not mix, but for Latin letters of ASCII among those of
	// China, Japan and Korea.
	a, b, c := mixed(text)
	isMixed := c >= 0
	if isMixed {
		found(MixedScript, c, "label mixes "+a+" and "+b+" letters")
	}
	// 6. Numbering systems do not mix.
	if c := mixedNumbers(text); c >= 0 {
		found(MixedNumbers, c, "label mixes digits of two numbering systems")
	}
	// 7. Nothing is invisible, such as a mark upon the same mark.
	if c := repeatedMark(text); c >= 0 {
		found(RepeatedMark, c, "label repeats the mark "+point(c)+", which then cannot be seen")
	}
	// 8. and 12. Nothing is used in an unusual way.
	out, why := misplaced(text, tld.ascii)
	// 13. The skeleton is not that of a well-known name.
	says := "label can be taken for a name in Latin letters"
	name, known := imitates(text)
	if known {
		says = `label can be taken for the well-known name "` + name + `"`
	}
	// 10. Not all letters pass for Latin ones. 11. Not all characters pass for
	// digits.
	script := ""
	if !isMixed {
		script = wholeScript(text, tld)
	}
	switch {
	case script != "":
		found(WholeScriptConfusable, -1, "label is all "+script+" letters that look like Latin ones")
		found(Confusable, -1, says)
	case known, isUnusual(text):
		found(Confusable, -1, says)
	case allDigits(text):
		found(Confusable, -1, "label can be taken for a number")
	case out >= 0:
		found(Confusable, out, why)
	}
	return findings
}

// find gives the place in the host of c, and of the label where c is not there
// as it is.
func (l *label) find(c rune) (start, end int) {
	if c >= 0 {
		if i := strings.IndexRune(l.raw, c); i >= 0 {
			return l.start + i, l.start + i + utf8.RuneLen(c)
		}
	}
	return l.start, l.end
}

// isDeviation is UTS 46, section 2.3, table 1.
func isDeviation(c rune) bool { return c == 0xDF || c == 0x3C2 || c == 0x200C || c == 0x200D }

// shown reports whether c is allowed in identifiers and not one of those that
// Chromium leaves out nevertheless: rare letters, and marks of punctuation
// that pass for others.
func shown(c rune) bool {
	switch {
	case lookup(c).flags&allowed == 0,
		c == longSolid, c == 0x58A, c == 0x2010, c == 0x2019, c == 0x2027, c == 0x30A0, c == 0x2BB, c == 0x2BC, c == 0x2EC, c == 0x138,
		0x1CD <= c && c <= 0x1DC,   // Latin Extended-B: Pinyin
		0x1C80 <= c && c <= 0x1C8F, // Cyrillic Extended-C
		0x1E00 <= c && c <= 0x1E9B, // Latin Extended Additional, but for Vietnamese
		0x1F00 <= c && c <= 0x1FFF, // Greek Extended
		0xA640 <= c && c <= 0xA69F, // Cyrillic Extended-B
		0xA720 <= c && c <= 0xA7FF: // Latin Extended-D
		return false
	}
	return true
}

// inCJK reports whether c belongs to the scripts of China and Japan.
func inCJK(c rune) bool { return lookup(c).scripts&cjk != 0 }

// isSlash reports whether text[i] passes for a slash. Letters do only where no
// other letter of their kind stands beside them.
func isSlash(text []rune, i int) bool {
	switch c := text[i]; c {
	case 0x2CC6, 0x3033, 0x31D3: // letters and marks that are written as a slash (UTS 39)
		return true
	case 0x30CE, 0x30F3, 0x30BD, 0x30BE, 0x4E36, 0x4E3F, 0x4E40, 0x4E41:
		return len(text) > 1 && (i == 0 || !inCJK(text[i-1])) && (i == len(text)-1 || !inCJK(text[i+1]))
	default:
		return c >= utf8.RuneSelf && !inCJK(c) && strings.Contains(looksLike(c), "/")
	}
}

// isMiddleDot reports whether text[i] passes for a dot: a full stop of another
// script, a middle dot outside Catalan's l·l, or that of Katakana beside Latin.
func isMiddleDot(text []rune, i int, tld string) bool {
	beside := func(ok func(rune) bool) bool {
		return i > 0 && ok(text[i-1]) || i+1 < len(text) && ok(text[i+1])
	}
	switch c := text[i]; c {
	case middleDot:
		return tld != "cat" || i == 0 || i+1 == len(text) || text[i-1] != 'l' || text[i+1] != 'l'
	case kanaDot:
		return beside(func(c rune) bool { return c < utf8.RuneSelf })
	case 0x2027:
		return true
	default:
		r := lookup(c)
		return c >= utf8.RuneSelf && r.flags&(digit|mark) == 0 && strings.Contains(looksLike(c), ".")
	}
}

// mixed is UTS 39, section 5.2, for the level Highly Restrictive, and for
// Latin outside ASCII a stricter one: it gives two scripts that must not stand
// together and the first code point of the second, or -1.
func mixed(text []rune) (a, b string, at rune) {
	all := ^scripts(0)
	rest := scripts(0) // of all but Latin
	hasLatin, outside := false, rune(-1)
	first, clash := scripts(0), rune(-1)
	for _, c := range text {
		s := lookup(c).scripts
		if s == 0 {
			continue
		}
		if s == latin {
			hasLatin = true
			if c >= utf8.RuneSelf {
				outside = c
			}
		} else {
			rest |= s
		}
		if next := all & writing(s); next == 0 && clash < 0 {
			clash = c
		} else if clash < 0 {
			all = next
		}
		if first == 0 {
			first = s
		}
	}
	if clash < 0 {
		return "", "", -1
	}
	within := func(set scripts) bool { return rest != 0 && everyIn(text, set|latin) }
	if hasLatin && outside < 0 && (within(japanese) || within(chinese) || within(korean)) {
		return "", "", -1
	}
	return first.name(), lookup(clash).scripts.name(), clash
}

// The writing systems of several scripts have bits above those of scripts.
const (
	hanb scripts = 1 << (61 + iota)
	jpan
	kore
)

// writing is the augmented set of scripts of UTS 39, section 5.1.
func writing(s scripts) scripts {
	if s&han != 0 {
		s |= hanb | jpan | kore
	}
	if s&(hiragana|katakana) != 0 {
		s |= jpan
	}
	if s&bopomofo != 0 {
		s |= hanb
	}
	if s&hangul != 0 {
		s |= kore
	}
	return s
}

// everyIn reports whether each code point is used in one of the scripts.
func everyIn(text []rune, set scripts) bool {
	for _, c := range text {
		if s := lookup(c).scripts; s != 0 && s&set == 0 {
			return false
		}
	}
	return true
}

// mixedNumbers gives the first digit of a second numbering system, or -1.
func mixedNumbers(text []rune) rune {
	zero := rune(-1)
	for _, c := range text {
		if lookup(c).flags&digit == 0 {
			continue
		}
		z := c // decimal digits stand in tens, from zero on
		for z > 0 && c-z < 9 && lookup(z-1).flags&digit != 0 {
			z--
		}
		if zero >= 0 && z != zero {
			return c
		}
		zero = z
	}
	return -1
}

// repeatedMark gives the first mark that stands upon itself, or -1.
func repeatedMark(text []rune) rune {
	last := rune(-1)
	for _, c := range domain.NFD(string(text)) {
		if c == last && lookup(c).flags&mark != 0 {
			return c
		}
		last = c
	}
	return -1
}

// misplaced gives the first code point that stands where words do not have it
// and then passes for something else, or -1.
func misplaced(text []rune, tld string) (rune, string) {
	at := func(i int) rune {
		if i < 0 || i >= len(text) {
			return 0
		}
		return text[i]
	}
	script := func(i int) scripts {
		if c := at(i); c != 0 {
			return lookup(c).scripts
		}
		return 0
	}
	for i, c := range text {
		switch {
		case c == 0xFE || c == 0xF0: // thorn, eth
			if len(text) > 1 && tld != "is" {
				return c, "outside .is, " + point(c) + " can be taken for b, p or o"
			}
		case c == 0x259: // schwa
			if len(text) > 1 && tld != "az" {
				return c, "outside .az, U+0259 can be taken for e"
			}
		case c == voicedMark, c == voicedMark+1:
			return c, point(c) + " stands apart from its kana and cannot be seen"
		case 0x300 <= c && c <= 0x339:
			switch before := at(i - 1); {
			case script(i-1)&european == 0 && lookup(before).flags&mark == 0:
				return c, point(c) + " is a mark that its letter does not have"
			case before == dotlessI,
				c == dotAbove && (before == 'i' || before == 'j' || before == 'l'):
				return c, point(c) + " cannot be seen upon its letter"
			}
		case c == kanaLong:
			if i == 0 || script(i-1)&(hiragana|katakana) == 0 {
				return c, "U+30FC can be taken for a hyphen"
			}
		case c == 0x30FD, c == 0x30FE:
			if i == 0 || script(i-1)&katakana == 0 {
				return c, point(c) + " repeats no letter before it and can be taken for a slash"
			}
		case 0x3078 <= c && c <= 0x307A:
			if len(text) > 1 && othersIn(text, i, katakana) {
				return c, point(c) + " is Hiragana among Katakana that looks the same"
			}
		case 0x30D8 <= c && c <= 0x30DA:
			if len(text) > 1 && othersIn(text, i, hiragana) {
				return c, point(c) + " is Katakana among Hiragana that looks the same"
			}
		case strings.ContainsRune(strokes, c):
			if i > 0 && !inCJK(text[i-1]) || i+1 < len(text) && !inCJK(text[i+1]) {
				return c, point(c) + " can be taken for a Latin letter or a hyphen"
			}
		}
	}
	return -1, ""
}

// strokes are ideographs and letters of Bopomofo so plain that beside Latin
// they pass for it.
const strokes = "一丨丁七丅乛十工讠〇ㄈㄒㄚㄟㄧㄨㄩㆲㆳㆺ"

// othersIn reports whether all but text[i] are of the script.
func othersIn(text []rune, i int, script scripts) bool {
	for k, c := range text {
		if k != i && (lookup(c).scripts&script == 0 || c == kanaLong || c == kanaDot) {
			return false
		}
	}
	return true
}

// wholeScript gives the script whose letters the label is written in, if all
// of them pass for Latin ones and the top-level domain is not at home with it.
func wholeScript(text []rune, tld *label) string {
	used := scripts(0)
	for _, c := range text {
		used |= lookup(c).scripts
	}
	for _, k := range lookalikes {
		if used&k.script == 0 {
			continue
		}
		letters := 0
		all := true
		for _, c := range text {
			if s := lookup(c).scripts; s != 0 && s&k.script != 0 {
				letters++
				all = all && (looksLike(c) != "" || strings.ContainsRune(k.letters, c))
			}
		}
		if letters == 0 || !all {
			continue
		}
		if slices.Contains(strings.Fields(k.tlds), tld.ascii) {
			return ""
		}
		for _, c := range tld.text {
			if lookup(c).scripts&k.script != 0 {
				return ""
			}
		}
		return k.script.name()
	}
	return ""
}

// isUnusual reports whether the label is in letters of a script that few use,
// all of which pass for Latin ones.
func isUnusual(text []rune) bool {
	letters := 0
	for _, c := range text {
		switch s := lookup(c).scripts; {
		case s == 0 && c < utf8.RuneSelf:
		case s&unusual != 0 && looksLike(c) != "":
			letters++
		default:
			return false
		}
	}
	return letters > 0
}

// allDigits reports whether the label passes for a number.
func allDigits(text []rune) bool {
	for _, c := range text {
		if '0' <= c && c <= '9' {
			continue
		}
		look := takenFor(c)
		if len(look) != 1 || look[0] < '0' || look[0] > '9' {
			if look = looksLike(c); len(look) != 1 || look[0] < '0' || look[0] > '9' {
				return false
			}
		}
	}
	return true
}
