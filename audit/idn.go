package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"anyurl/internal/domain"
	"anyurl/internal/idn"
)

// inspectIDN reports on what can mislead in a domain, as it is written but for
// its percent-encoding.
func (p *pass) inspectIDN(text string) {
	_, found := idn.Display(text)
	for _, f := range found {
		c, ok := displayCode(f.Code)
		if !ok {
			continue
		}
		says := f.Says
		if c == hostNormalizes {
			says = "the host is read as " + shown(domain.Map(text))
		}
		start, end := p.hostPlace(text, f.Start, f.End)
		p.say(c, start, end, says)
	}
}

// hostPlace gives the stretch of the input for text[start:end], where text is
// the host decoded: exact when nothing had to be decoded, else all of the host.
func (p *pass) hostPlace(text string, start, end int) (from, to int) {
	if p.in[p.host.start:p.host.end] != text {
		return p.host.start, p.host.end
	}
	return p.host.start + start, p.host.start + end
}

// rightToLeft holds letters that run from right to left (Bidi_Class R and AL,
// by script).
func rightToLeft(r rune) bool {
	return r >= 0x0590 && unicode.IsLetter(r) && unicode.In(r,
		unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic,
		unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Mende_Kikakui, unicode.Yezidi, unicode.Imperial_Aramaic,
		unicode.Phoenician, unicode.Lydian, unicode.Old_South_Arabian, unicode.Avestan, unicode.Sogdian, unicode.Chorasmian)
}

// inspectOrder reports where a line of text shows the parts of the URL in
// another order than they stand in: where one label runs both ways, where parts
// that run from right to left stand apart, so that a reader takes them together,
// and where nothing but delimiters and digits stands between two such parts of
// the path, the query or the fragment, so that they change places.
func (p *pass) inspectOrder() {
	if p.host.ok {
		host := p.text(p.host)
		if p.seen&percentSign != 0 {
			host = decode(host)
		}
		if shown, ok := domain.ToUnicode(host); ok {
			host = shown
		}
		for label := range strings.FieldsFuncSeq(host, func(r rune) bool { return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61' }) {
			if runsBothWays(label) {
				p.say(bidiMixedOrder, p.host.start, p.host.end, "a label runs both from left to right and from right to left")
			}
		}
	}
	parts := 0
	for _, t := range [...]part{p.host, p.path, p.query, p.fragment} {
		if t.ok && t.end > t.start && strings.ContainsFunc(p.in[t.start:t.end], rightToLeft) {
			if parts++; parts == 2 {
				p.add(bidiMixedOrder, t.start, t.end)
			}
		}
		if t != p.host {
			p.swaps(t)
		}
	}
}

func runsBothWays(s string) bool {
	right, left := false, false
	for _, r := range s {
		switch {
		case rightToLeft(r):
			right = true
		case unicode.IsLetter(r):
			left = true
		}
	}
	return right && left
}

// swaps looks for a right-to-left letter, then a delimiter, then another such
// letter or a digit, with no left-to-right letter between.
func (p *pass) swaps(t part) {
	armed, divided := false, false
	for i := t.start; i < t.end; {
		r, n := utf8.DecodeRuneInString(p.in[i:t.end])
		switch {
		case rightToLeft(r):
			if armed && divided {
				p.add(bidiMixedOrder, t.start, t.end)
				return
			}
			armed, divided = true, false
		case unicode.IsDigit(r) && armed && divided:
			p.add(bidiMixedOrder, t.start, t.end)
			return
		case unicode.IsLetter(r):
			armed = false
		case n == 1 && strings.IndexByte("/&=?;:", byte(r)) >= 0:
			divided = true
		}
		i += n
	}
}

func displayCode(name string) (code, bool) {
	switch name {
	case idn.MixedScript:
		return idnMixedScript, true
	case idn.WholeScriptConfusable:
		return idnWholeScriptConfusable, true
	case idn.Confusable:
		return idnConfusable, true
	case idn.SlashLookalike:
		return idnSlashLookalike, true
	case idn.DotLookalike:
		return idnDotLookalike, true
	case idn.MixedNumbers:
		return idnMixedNumbers, true
	case idn.RepeatedMark:
		return idnRepeatedMark, true
	case idn.DisallowedForDisplay:
		return idnDisallowedForDisplay, true
	case idn.InvalidPunycode:
		return idnInvalidPunycode, true
	case idn.Deviation:
		return idnDeviation, true
	case idn.ASCIIConfusable:
		return asciiConfusable, true
	case idn.HostNormalizes:
		return hostNormalizes, true
	}
	return 0, false
}

// ShownHost gives the form of a serialised host that people may be shown: each
// label in Unicode where that misleads nobody, in Punycode otherwise (the
// display rules that the idn-* codes cite). What is no domain comes back as it
// is. It is not for machines: they get the host in ASCII.
func ShownHost(host string) string {
	if shown, _ := idn.Display(host); shown != "" {
		return shown
	}
	return host
}
