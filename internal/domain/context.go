package domain

const (
	zwnj = 0x200C
	zwj  = 0x200D
)

// joins is RFC 5892, appendix A.1 and A.2, for the joiner at place i.
func joins(label []rune, i int) bool {
	// If Canonical_Combining_Class(Before(cp)) .eq. Virama Then True;
	if i > 0 && lookup(label[i-1]).ccc == virama {
		return true
	}
	if label[i] == zwj {
		return false
	}
	// If RegExpMatch((Joining_Type:{L,D})(Joining_Type:T)*\u200C
	//    (Joining_Type:T)*(Joining_Type:{R,D})) Then True;
	before := i - 1
	for before >= 0 && lookup(label[before]).joining == joinT {
		before--
	}
	if before < 0 {
		return false
	}
	if j := lookup(label[before]).joining; j != joinL && j != joinD {
		return false
	}
	after := i + 1
	for after < len(label) && lookup(label[after]).joining == joinT {
		after++
	}
	if after == len(label) {
		return false
	}
	j := lookup(label[after]).joining
	return j == joinR || j == joinD
}

// isBidi reports whether label makes its domain a Bidi domain name: it holds
// a code point of the classes R, AL or AN (RFC 5893, section 1.4).
func isBidi(label []rune) bool {
	for _, c := range label {
		if c >= 0x590 { // the first of them is in Hebrew
			switch lookup(c).bidi {
			case bidiR, bidiAL, bidiAN:
				return true
			}
		}
	}
	return false
}

const (
	classesRTL = 1<<bidiR | 1<<bidiAL | 1<<bidiAN | 1<<bidiEN | 1<<bidiES | 1<<bidiCS | 1<<bidiET | 1<<bidiON | 1<<bidiBN | 1<<bidiNSM
	classesLTR = 1<<bidiL | 1<<bidiEN | 1<<bidiES | 1<<bidiCS | 1<<bidiET | 1<<bidiON | 1<<bidiBN | 1<<bidiNSM
)

// bidiRule is RFC 5893, section 2, with the code point that breaks it. A label
// without code points has none to break it.
func bidiRule(label []rune) (rune, bool) {
	if len(label) == 0 {
		return 0, true
	}
	// 1. The first character must be of class L, R or AL.
	first := lookup(label[0]).bidi
	rtl := first == bidiR || first == bidiAL
	if !rtl && first != bidiL {
		return label[0], false
	}
	// 2. and 5. Only these classes are allowed in an RTL and in an LTR label.
	allowed, ends := classesLTR, 1<<bidiL|1<<bidiEN
	if rtl {
		allowed, ends = classesRTL, 1<<bidiR|1<<bidiAL|1<<bidiEN|1<<bidiAN
	}
	seen, last := 0, 0
	for i, c := range label {
		class := lookup(c).bidi
		if allowed>>class&1 == 0 {
			return c, false
		}
		seen |= 1 << class
		// 4. In an RTL label, EN and AN exclude each other.
		if seen&(1<<bidiEN|1<<bidiAN) == 1<<bidiEN|1<<bidiAN && rtl {
			return c, false
		}
		if class != bidiNSM {
			last = i
		}
	}
	// 3. and 6. The end, followed by any number of NSM.
	if ends>>lookup(label[last]).bidi&1 == 0 {
		return label[last], false
	}
	return 0, true
}
