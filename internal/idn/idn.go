// Package idn decides how a host name is shown to people: each label in
// Unicode where that misleads nobody, in Punycode otherwise, and says why.
//
// The rules are those of Chromium's display policy for internationalized
// names (docs/idn.md in its source), on the data of UTS 39 and Unicode's
// scripts. Start with [Display].
//
// Chromium compares names with some thousand top domains. Here a list of
// well-known names stands in, chosen by us and kept in names.go: the services
// that most people sign in to, pay with or get software from. A name off the
// list is judged by the script rules alone.
package idn

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"anyurl/internal/domain"
	"anyurl/rule"
)

// The codes of findings. All but ASCIIConfusable, HostNormalizes and a
// DotLookalike that is read as a dot mean that the label is shown in Punycode.
const (
	MixedScript           = "idn-mixed-script"
	WholeScriptConfusable = "idn-whole-script-confusable"
	Confusable            = "idn-confusable"
	SlashLookalike        = "idn-slash-lookalike"
	DotLookalike          = "idn-dot-lookalike"
	MixedNumbers          = "idn-mixed-numbers"
	RepeatedMark          = "idn-repeated-mark"
	DisallowedForDisplay  = "idn-disallowed-for-display"
	InvalidPunycode       = "idn-invalid-punycode"
	Deviation             = "idn-deviation"
	ASCIIConfusable       = "ascii-confusable"
	HostNormalizes        = "host-normalizes"
)

// A Finding is something about a host name that can mislead.
type Finding struct {
	Code string
	// Start and End are byte offsets into the host: of the code point that is
	// at fault where there is one, else of its label.
	Start, End int
	// Says is what is wrong, in lower case and without a full stop. It holds
	// no part of the host but single code points by number.
	Says string
}

// Display gives the form of host that may be shown, and what was found. Host
// is a domain without its percent-encoding, as it stands in a URL or as
// serialised; shown is "" when it is none. A host that is ASCII, without
// Punycode and in lower case is shown as it is, without allocation.
func Display(host string) (shown string, findings []Finding) {
	if plain(host) {
		return lower(host), asciiFindings(host)
	}
	findings = normalizes(host)
	if _, err := domain.ToASCII(host, false); err != nil {
		return "", findings
	}
	labels := split(host)
	tld := topLevel(labels)
	var b strings.Builder
	for i := range labels {
		if i > 0 {
			b.WriteByte('.')
		}
		form, found := labels[i].display(tld)
		b.WriteString(form)
		findings = append(findings, found...)
	}
	return b.String(), findings
}

// plain reports whether host is ASCII without Punycode.
func plain(host string) bool {
	for i := range len(host) {
		if host[i] >= utf8.RuneSelf {
			return false
		}
		if host[i] == '-' && i >= 3 && host[i-1] == '-' && host[i-2]|0x20 == 'n' && host[i-3]|0x20 == 'x' {
			return false
		}
	}
	return true
}

func lower(host string) string {
	for i := range len(host) {
		if 'A' <= host[i] && host[i] <= 'Z' {
			return strings.ToLower(host)
		}
	}
	return host
}

// A label is a part of the host between dots, as it stands and as it is read.
type label struct {
	start, end int // in the host
	raw        string
	ascii      string
	text       []rune // in Unicode; nil where there is no such form
}

// dots are the label separators of UTS 46, section 2.3.
func isDot(c rune) bool { return c == '.' || c == 0x3002 || c == 0xFF0E || c == 0xFF61 }

func split(host string) (labels []label) {
	add := func(start, end int) {
		l := label{start: start, end: end, raw: host[start:end]}
		ascii, err := domain.ToASCII(l.raw, false)
		if err == nil { // an empty label, or one of ignored characters alone, stays ""
			l.ascii = ascii
			if text, ok := domain.ToUnicode(ascii); ok {
				l.text = []rune(text)
			}
		}
		labels = append(labels, l)
	}
	start := 0
	for i, c := range host {
		if isDot(c) {
			add(start, i)
			start = i + utf8.RuneLen(c)
		}
	}
	add(start, len(host))
	return labels
}

// topLevel is the last label, the root's apart, of a host that has several.
func topLevel(labels []label) *label {
	n := len(labels)
	if n > 1 && labels[n-1].ascii == "" {
		n--
	}
	if n < 2 {
		return &label{}
	}
	return &labels[n-1]
}

// normalizes tells where mapping changes host beyond the case of letters, and
// where something is read as a dot.
func normalizes(host string) (findings []Finding) {
	changed := Finding{Code: HostNormalizes, Start: -1, Says: "host is normalized to another spelling before it is looked up"}
	var cased strings.Builder // host as it is when only case is changed
	for i, c := range host {
		size := utf8.RuneLen(c)
		if c == utf8.RuneError || size < 0 {
			return findings // not UTF-8, or a code point that no host may hold
		}
		m := c
		switch {
		case c < utf8.RuneSelf:
			m = unicode.ToLower(c)
		default:
			to := domain.Map(host[i : i+size])
			one, n := utf8.DecodeRuneInString(to)
			switch {
			case to == host[i:i+size]:
			case n == len(to) && n > 0 && sameLetter(c, one):
				m = one
			case changed.Start < 0:
				changed.Start, changed.End = i, i+size
			}
			if isDot(c) {
				findings = append(findings, Finding{DotLookalike, i, i + size, point(c) + " is read as a dot between labels"})
			}
		}
		cased.WriteRune(m)
	}
	if changed.Start < 0 && domain.NFC(cased.String()) != cased.String() {
		changed.Start, changed.End = 0, len(host)
	}
	if changed.Start >= 0 {
		findings = append(findings, changed)
	}
	return findings
}

// sameLetter reports whether a and b are one letter in its two cases. The
// Kelvin sign is no K, nor is the Angstrom sign a letter of Swedish.
func sameLetter(a, b rune) bool {
	if a < utf8.RuneSelf != (b < utf8.RuneSelf) {
		return false
	}
	return unicode.ToLower(a) == b && unicode.ToUpper(b) == a || unicode.ToUpper(a) == b && unicode.ToLower(b) == a
}

// display gives the form of one label that may be shown.
func (l *label) display(tld *label) (string, []Finding) {
	switch {
	case !strings.HasPrefix(l.ascii, "xn--"):
		return l.ascii, l.asciiFinding()
	case l.text == nil:
		return l.ascii, []Finding{{InvalidPunycode, l.start, l.end, l.why()}}
	}
	if found := l.check(tld); len(found) > 0 {
		return l.ascii, found
	}
	return string(l.text), nil
}

// why tells what keeps the label from having a form in Unicode.
func (l *label) why() string {
	const says = `label begins with "xn--" but stands for no label in Unicode`
	if e, ok := errors.AsType[*rule.Error](domain.Why(l.ascii, false)); ok {
		return says + ": " + e.Rule.Says
	}
	return says
}

// point is a code point by its number, as Unicode writes it.
func point(c rune) string {
	const hex = "0123456789ABCDEF"
	s := "U+"
	for shift := 20; shift >= 0; shift -= 4 {
		if shift < 16 || c>>shift != 0 {
			s += hex[c>>shift&0xF : c>>shift&0xF+1]
		}
	}
	return s
}
