// Package abnf builds byte classes the way grammars write them, so that a
// production of a standard and the line that implements it can be read side
// by side:
//
//	// unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"     RFC 3986, section 2.3
//	var unreserved = abnf.Alpha.Or(abnf.Digit, abnf.Bytes("-._~"))
package abnf

// A Set is a class of bytes. Sets are built once, when a package starts, and
// only read after that.
type Set [256]bool

// The core rules of RFC 5234, appendix B.1.
var (
	// Alpha is ALPHA = %x41-5A / %x61-7A.
	Alpha = Range('A', 'Z').Or(Range('a', 'z'))
	// Digit is DIGIT = %x30-39.
	Digit = Range('0', '9')
	// HexDig is HEXDIG, in either case: RFC 5234 strings ignore case.
	HexDig = Digit.Or(Range('A', 'F'), Range('a', 'f'))
)

// Bytes is the class of the bytes of s.
func Bytes(s string) Set {
	var set Set
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

// Range is the class of the bytes from first to last, both included.
func Range(first, last byte) Set {
	var set Set
	for c := int(first); c <= int(last); c++ {
		set[c] = true
	}
	return set
}

// Or is the class of the bytes that are in s or in any of others.
func (s Set) Or(others ...Set) Set {
	for _, o := range others {
		for c := range o {
			s[c] = s[c] || o[c]
		}
	}
	return s
}

// Minus is the class of the bytes that are in s and in none of others.
func (s Set) Minus(others ...Set) Set {
	for _, o := range others {
		for c := range o {
			s[c] = s[c] && !o[c]
		}
	}
	return s
}

// Not is the class of the bytes that are not in s.
func (s Set) Not() Set {
	for c := range s {
		s[c] = !s[c]
	}
	return s
}

// Has reports whether c is in the class.
func (s *Set) Has(c byte) bool { return s[c] }

// Span is the length of the longest prefix of text whose bytes are all in
// the class.
func (s *Set) Span(text string) int {
	for i := range len(text) {
		if !s[text[i]] {
			return i
		}
	}
	return len(text)
}

// Escape reports whether an escape stands at offset i of text: a "%" and two
// hexadecimal digits, which is no class of single bytes.
func Escape(text string, i int) bool {
	return i+2 < len(text) && text[i] == '%' && HexDig[text[i+1]] && HexDig[text[i+2]]
}

// Scan is the offset of the first byte of text from i on that is neither in the
// class nor the start of an escape.
func (s *Set) Scan(text string, i int) int {
	for i < len(text) {
		switch {
		case s[text[i]]:
			i++
		case Escape(text, i):
			i += 3
		default:
			return i
		}
	}
	return i
}
