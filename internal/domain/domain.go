// Package domain processes internationalized host names as the URL Standard
// asks: UTS 46 on Unicode 17, with the tables and algorithms it rests on, that
// is normalization form C, Punycode (RFC 3492), the bidi rule (RFC 5893) and
// the rules for joiners (RFC 5892).
//
// Start with [ToASCII], which is the standard's "domain to ASCII". Work is
// linear in the length of the name, save a logarithm, and what is in order
// already is returned itself. Labels that have to do with Punycode are limited
// in their length: [MaxPunycode], [MaxEncoded]. The tables add some 112 kB to a
// program that uses it; docs/decisions/idna-tables.md has the figures.
package domain

import (
	"strings"
	"unicode/utf8"

	"anyurl/rule"
)

// ToASCII is the URL Standard's "domain to ASCII", or domain parser, for a
// domain that is percent-decoded. With beStrict, hyphens, the letter-digit-hyphen rule and
// the lengths of the DNS are checked too; without, ASCII is only put in lower
// case and searched for forbidden code points, so bad Punycode passes.
//
// The error is a *rule.Error with an offset in s. Its rule is [PunycodeLength]
// where our own limit is passed; otherwise it has the ID of [DomainToASCII], and
// the words and citation of the rule that [Why] gives.
func ToASCII(s string, beStrict bool) (string, error) {
	if !beStrict && lowerASCII(s) && TooLong(s) < 0 {
		return s, nil
	}
	var buf [128]byte
	out, err := AppendASCII(buf[:0], s, beStrict)
	if err != nil {
		return "", err
	}
	if string(out) == s {
		return s, nil
	}
	return string(out), nil
}

// AppendASCII appends to dst what [ToASCII] gives. On an error dst comes back
// as it was.
func AppendASCII(dst []byte, s string, beStrict bool) ([]byte, error) {
	out, f := appendASCII(dst, s, beStrict)
	if f.rule == nil {
		return out, nil
	}
	if f.rule == &PunycodeLength {
		return dst, &rule.Error{Input: strings.Clone(s), Offset: f.locate(s), Rule: PunycodeLength}
	}
	cite := f.rule.Cite
	if !strings.HasPrefix(cite, "URL Standard") {
		cite = DomainToASCII.Cite + "; " + cite
	}
	return dst, &rule.Error{Input: strings.Clone(s), Offset: f.locate(s), Rule: rule.Rule{
		ID:      DomainToASCII.ID,
		Cite:    cite,
		Says:    f.rule.Says,
		Fix:     f.rule.Fix,
		Example: DomainToASCII.Example,
	}}
}

// Why tells what keeps s from being a domain by UTS 46: the finer rule that it
// breaks, an "idna/…" one, or nil. It checks ASCII too, where [ToASCII] without
// beStrict takes a domain as it is, and so tells why [ToUnicode] does not
// succeed. The error is a *rule.Error.
func Why(s string, beStrict bool) error {
	var buf [128]byte
	if _, f := unicodeToASCII(buf[:0], s, beStrict); f.rule != nil {
		return &rule.Error{Input: strings.Clone(s), Offset: f.locate(s), Rule: *f.rule}
	}
	return nil
}

// ToUnicode is the URL Standard's "domain to Unicode". Where UTS 46 records an
// error, the domain comes back itself and ok is false.
func ToUnicode(s string) (shown string, ok bool) {
	if lowerASCII(s) && !strings.Contains(s, acePrefix) {
		return s, true
	}
	var runes [128]rune
	labels, f := process(runes[:0], s, false)
	if f.rule != nil {
		return s, false
	}
	var buf [256]byte
	out := buf[:0]
	for _, c := range labels {
		out = utf8.AppendRune(out, c)
	}
	if string(out) == s {
		return s, true
	}
	return string(out), true
}

// A fault is what was broken and where: an offset in the source, or else a
// label and a code point in it, or no code point (-1) for the label as such.
type fault struct {
	rule   *rule.Rule
	offset int // -1: look for the label and the code point
	label  int
	c      rune
	place  int // of the code point in a label that is Punycode
}

// locate gives the offset in s of the code point that f speaks of: the first
// one, in its label, that is it or is mapped to something that holds it.
func (f fault) locate(s string) int {
	if f.offset >= 0 {
		return min(f.offset, len(s))
	}
	label, start, place := 0, 0, 0
	var one [24]rune
	for i, c := range s {
		to := appendMapped(one[:0], c)
		for _, m := range to {
			switch {
			case m == '.':
				label++
				if label == f.label {
					start = i + utf8.RuneLen(c)
				}
			case label == f.label && (m == f.c || c == f.c):
				return i
			case label == f.label:
				if f.place > 0 && place == f.place {
					return i
				}
				place++
			}
		}
		if label > f.label {
			if f.place > 0 {
				return i // the Punycode is cut short
			}
			break
		}
	}
	if f.place > 0 {
		return len(s)
	}
	return min(start, len(s))
}

// lowerASCII reports whether s is ASCII that domain to ASCII returns as it is.
func lowerASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' || forbidden(c) {
			return false
		}
	}
	return s != ""
}

// forbidden reports whether c is a forbidden domain code point: a forbidden
// host code point, a C0 control, "%" or U+007F.
func forbidden(c byte) bool {
	switch c {
	case '#', '/', ':', '<', '>', '?', '@', '[', '\\', ']', '^', '|', '%', 0x7F:
		return true
	}
	return c <= ' '
}

// appendASCII is the domain parser.
func appendASCII(dst []byte, s string, beStrict bool) ([]byte, fault) {
	if beStrict || !isASCIIText(s) {
		if !beStrict {
			if out, ok := appendPlain(dst, s); ok {
				return out, fault{}
			}
		}
		return unicodeToASCII(dst, s, beStrict)
	}
	// If domain is an ASCII string, then set result to domain, lowercased.
	if s == "" {
		return dst, fault{rule: &Empty}
	}
	start := len(dst)
	for i := range len(s) {
		c := s[i]
		if forbidden(c) {
			return dst, fault{rule: &InvalidCodePoint, offset: i}
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	if i := TooLong(dst[start:]); i >= 0 {
		return dst, fault{rule: &PunycodeLength, offset: i}
	}
	return dst, fault{}
}

func isASCIIText(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unicodeToASCII is UTS 46, section 4.2, and what the domain parser then asks
// of the result.
func unicodeToASCII(dst []byte, s string, beStrict bool) ([]byte, fault) {
	start := len(dst)
	var buf [128]rune
	domain, f := process(buf[:0], s, beStrict)
	if f.rule != nil {
		return dst, f
	}
	for number, more := 0, true; more; number++ {
		var label []rune
		label, domain, more = cut(domain)
		from := len(dst)
		var ok bool
		if dst, ok = appendLabel(dst, label); !ok {
			return dst, fault{rule: &PunycodeLength, offset: -1, label: number, c: -1}
		}
		if n := len(dst) - from; beStrict && (n < 1 || n > 63) {
			return dst, fault{rule: &LabelLength, offset: -1, label: number, c: -1}
		}
		if more {
			dst = append(dst, '.')
		}
	}
	out := dst[start:]
	if beStrict && len(out) > 253 {
		f := fault{rule: &NameLength}
		if isASCIIText(s) {
			f.offset = 253
		}
		return dst, f
	}

	// If result is the empty string, or contains a forbidden domain code point.
	if len(out) == 0 {
		return dst, fault{rule: &Empty}
	}
	number := 0
	for _, c := range out {
		if c == '.' {
			number++
		} else if forbidden(c) {
			return dst, fault{rule: &InvalidCodePoint, offset: -1, label: number, c: rune(c)}
		}
	}
	return dst, fault{}
}

// appendLabel is the second step of ToASCII. It gives up on a label that is
// beyond our limits.
func appendLabel(dst []byte, label []rune) (out []byte, ok bool) {
	if !isASCII(label) {
		if len(label) > MaxEncoded {
			return dst, false
		}
		from := len(dst) + len(acePrefix)
		dst = encode(append(dst, acePrefix...), label)
		return dst, len(dst)-from <= MaxPunycode
	}
	for _, c := range label {
		dst = append(dst, byte(c))
	}
	return dst, true
}

func isASCII(label []rune) bool {
	for _, c := range label {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// cut parts the first label from the rest; more is false when it was the last.
func cut(domain []rune) (label, rest []rune, more bool) {
	for i, c := range domain {
		if c == '.' {
			return domain[:i], domain[i+1:], true
		}
	}
	return domain, nil, false
}

// appendMapped is step 1 of UTS 46, section 4, for one code point.
func appendMapped(dst []rune, c rune) []rune {
	if c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return append(dst, c)
	}
	r := lookup(c)
	switch {
	case r.status == ignored:
		return dst
	case r.status != mapped:
		return append(dst, c) // a disallowed one stays, for criterion 7 to find
	case r.delta != 0:
		return append(dst, c+r.delta)
	}
	for _, m := range mapping(c) {
		dst = append(dst, m)
	}
	return dst
}

// process is UTS 46, section 4. It appends the labels, in Unicode, with dots
// between them.
func process(dst []rune, s string, beStrict bool) ([]rune, fault) {
	// 1. Map.
	var buf [128]rune
	text := buf[:0]
	for i, c := range s {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return dst, fault{rule: &NotUTF8, offset: i}
			}
		}
		text = appendMapped(text, c)
	}
	// 2. Normalize.
	text = normalize(text)

	// 3. Break. 4. Convert and validate.
	start, bidi := len(dst), false
	for number, more := 0, true; more; number++ {
		var label []rune
		label, text, more = cut(text)
		from := len(dst)
		encoded := hasPrefix(label, acePrefix)
		if encoded {
			// 4.1. If the label contains any non-ASCII code point, record an error.
			for _, c := range label {
				if c >= utf8.RuneSelf {
					return dst, fault{rule: &PunycodeNotASCII, offset: -1, label: number, c: c}
				}
			}
			if len(label)-len(acePrefix) > MaxPunycode {
				return dst, fault{rule: &PunycodeLength, offset: -1, label: number, c: -1, place: len(acePrefix) + MaxPunycode}
			}
			// 4.2. Attempt to convert the rest of the label to Unicode.
			var bad int
			if dst, bad = decode(dst, label[len(acePrefix):]); bad >= 0 {
				return dst, fault{rule: &Punycode, offset: -1, label: number, c: -1, place: len(acePrefix) + bad}
			}
			// 4.3. If the label is empty, or contains only ASCII code points.
			if isASCII(dst[from:]) {
				return dst, fault{rule: &PunycodeASCII, offset: -1, label: number, c: -1}
			}
		} else {
			dst = append(dst, label...)
		}
		if r, c := check(dst[from:], beStrict, encoded); r != nil {
			if encoded {
				c = -1
			}
			return dst, fault{rule: r, offset: -1, label: number, c: c}
		}
		if !bidi {
			bidi = isBidi(dst[from:])
		}
		if more {
			dst = append(dst, '.')
		}
	}

	// Criterion 9 concerns every label of a Bidi domain name.
	if bidi {
		rest := dst[start:]
		for number, more := 0, true; more; number++ {
			var label []rune
			label, rest, more = cut(rest)
			if c, ok := bidiRule(label); !ok {
				return dst, fault{rule: &Bidi, offset: -1, label: number, c: c}
			}
		}
	}
	return dst, fault{}
}

func hasPrefix(label []rune, prefix string) bool {
	if len(label) < len(prefix) {
		return false
	}
	for i, c := range prefix {
		if label[i] != c {
			return false
		}
	}
	return true
}

// check is UTS 46, section 4.1, up to criterion 8: it gives the rule that is
// broken and the code point that breaks it, or -1. What process normalized and
// split itself needs no criteria 1 and 5.
func check(label []rune, beStrict, encoded bool) (*rule.Rule, rune) {
	if len(label) == 0 {
		return nil, -1
	}
	// 1. The label must be in normalization form C.
	if encoded && !isNFC(label) {
		return &NotNFC, -1
	}
	if beStrict { // CheckHyphens
		// 2. No "-" in both the third and fourth positions.
		if len(label) >= 4 && label[2] == '-' && label[3] == '-' {
			return &Hyphen34, '-'
		}
		// 3. It must neither begin nor end with "-".
		if label[0] == '-' || label[len(label)-1] == '-' {
			return &HyphenEdge, '-'
		}
	} else if hasPrefix(label, acePrefix) {
		// 4. If not CheckHyphens, it must not begin with "xn--".
		return &PunycodeTwice, -1
	}
	// 6. It must not begin with a combining mark.
	if c := label[0]; c >= utf8.RuneSelf && lookup(c).flags&mark != 0 {
		return &LeadingMark, c
	}
	for i, c := range label {
		// 7. Each code point must be valid; under UseSTD3ASCIIRules, one in
		// ASCII must be a lower-case letter, a digit or a hyphen.
		if c < utf8.RuneSelf { // in lower case, as step 1 left it
			if beStrict && c != '-' && digitOf(c) == base {
				return &STD3, c
			}
			continue
		}
		if lookup(c).status != valid {
			return &Disallowed, c
		}
		// 8. ContextJ.
		if (c == zwnj || c == zwj) && !joins(label, i) {
			return &Joiner, c
		}
	}
	return nil, -1
}

// Map is the first two steps of UTS 46, section 4: every character of s is
// replaced by what it is mapped to, and the result is put in normalization form
// C. It says how a host is read before anything is refused, so what is not
// allowed stays, and Punycode is not decoded.
func Map(s string) string {
	var buf [128]rune
	text := buf[:0]
	for _, c := range s {
		text = appendMapped(text, c)
	}
	return string(normalize(text))
}
