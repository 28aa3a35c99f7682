package find

import (
	"unicode"
	"unicode/utf8"
)

// What a byte is to the tail of a URL: its path, query and fragment.
const (
	plain  = iota // part of it
	stop          // never part of it
	open          // ( [ {
	shut          // ) ] }
	quoted        // ' ends the URL when one stands before it
	comma         // , ; separate when a scheme follows
	amp           // & ends it when it begins &lt; &gt; or &quot;
	high          // to be decoded
	escape        // ends it, but where it is a colour's
)

// Sets of bytes.
const (
	alpha   = 1 << iota
	digit   // 0-9
	schemeC // of a scheme behind its first letter: RFC 3986, 3.1
	hostC   // of a label: letters, digits, "-", "_", and all above ASCII
	word    // letters, digits, "_", and all above ASCII: what stands beside a mark
	userC   // of userinfo: RFC 3986, 3.2.1, with "@" for those that forget to escape it
	localC  // of a mail address's local part, as found in text
	blank   // SP HT LF VT FF CR
)

var (
	tailClass = makeTailClass()
	set       = makeSet()
)

func makeTailClass() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = high
		case c <= ' ' || c == 0x7F:
			t[c] = stop
		}
	}
	t[0x1B] = escape
	for _, c := range []byte("<>\"`\\|") {
		t[c] = stop
	}
	for _, c := range []byte("([{") {
		t[c] = open
	}
	for _, c := range []byte(")]}") {
		t[c] = shut
	}
	t['\''] = quoted
	t[','], t[';'] = comma, comma
	t['&'] = amp
	return t
}

func makeSet() (t [256]uint8) {
	add := func(bit uint8, chars string) {
		for _, c := range []byte(chars) {
			t[c] |= bit
		}
	}
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			t[c] |= hostC | word
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			t[c] |= alpha | schemeC | hostC | word | userC | localC
		case '0' <= c && c <= '9':
			t[c] |= digit | schemeC | hostC | word | userC | localC
		}
	}
	add(schemeC, "+-.")
	add(hostC, "-_")
	add(word, "_")
	add(userC, "-._~%!$&'()*+,;=:@")
	add(localC, "._%+-~'#!$*^")
	add(blank, " \t\n\v\f\r")
	return t
}

func is(c byte, bits uint8) bool { return set[c]&bits != 0 }

// runeAt decodes the rune at s[i]. An invalid one is U+FFFD with size 1.
func runeAt(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// inTail reports whether a rune above ASCII may stand in a path, query or
// fragment: letters, marks, digits and symbols of any script may (RFC 3987's
// iunreserved, less what RFC 3987, 4.1, and prose rule out): no white space, no
// control or format character, no punctuation, nothing unassigned.
func inTail(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size <= 1:
		return false
	case wordPunct(r):
		return true
	case r >= 0xFF01 && r <= 0xFF65: // full-width forms: only letters and digits
		return unicode.In(r, unicode.L, unicode.N)
	case r == 0xFFFC || r == 0xFFFD:
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// wordPunct lists punctuation and joiners that stand inside words.
func wordPunct(r rune) bool {
	switch r {
	case 0x00B7, // MIDDLE DOT, Catalan
		0x058A,         // ARMENIAN HYPHEN
		0x05BE,         // HEBREW PUNCTUATION MAQAF
		0x05F3, 0x05F4, // HEBREW GERESH, GERSHAYIM
		0x0F0B,                 // TIBETAN TSHEG
		0x1361,                 // ETHIOPIC WORDSPACE
		0x2010, 0x2011, 0x2013, // HYPHEN, NON-BREAKING HYPHEN, EN DASH
		0x30FB,         // KATAKANA MIDDLE DOT
		0x200C, 0x200D: // ZERO WIDTH NON-JOINER, JOINER
		return true
	}
	return false
}

// inHost reports whether a rune above ASCII may stand in a host's label: full-width
// letters and digits may, which a browser reads as ASCII's (UTS 46, section 4).
func inHost(r rune, size int) bool {
	return inTail(r, size) && (r < 0x2010 || r > 0x2013)
}

// arrow reports whether r is an arrow, which may stand between two URLs.
func arrow(r rune) bool {
	return r >= 0x2190 && r <= 0x21FF || r >= 0x27F0 && r <= 0x27FF || r >= 0x2900 && r <= 0x297F || r >= 0x2B00 && r <= 0x2B11
}

// ornament reports whether r stands in front of a bare name, which c begins, and
// is none of its letters: an emoji, an arrow, a line of a table. IDNA 2008 has no
// symbols.
func ornament(r rune, c byte) bool { return c < 0x80 && is(c, alpha|digit) && unicode.IsSymbol(r) }

// otherScript reports whether r is a letter of a script that Latin text does not
// mix with: an ASCII name begins or ends beside it.
func otherScript(r rune) bool {
	return r >= 0x0370 && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// equalFold reports whether s is want, which is in lower case, in any case.
func equalFold(s, want string) bool {
	if len(s) != len(want) {
		return false
	}
	for i := range len(s) {
		if lower(s[i]) != want[i] {
			return false
		}
	}
	return true
}

// equalPrefix reports whether s begins with want, which is in lower case, in
// any case.
func equalPrefix(s, want string) bool {
	return len(s) >= len(want) && equalFold(s[:len(want)], want)
}

func lastRune(s string) (rune, int) { return utf8.DecodeLastRuneInString(s) }
