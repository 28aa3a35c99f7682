package find

// marksGo sets bit i of words, counted through the words from the least
// significant bit, where s[at+i] is a mark, for i below n; the other bits are
// cleared. Marks are
//
//	":" behind a letter, digit or "_", and before anything above SP, and
//	with all, "." and "@" between letters, digits, "_" and bytes above ASCII
//
// and no mark stands at the beginning or at the end of s.
func marksGo(words []uint64, s string, at, n int, all bool) {
	for w := range words {
		var bits uint64
		lo := at + w<<6
		hi := min(lo+64, at+n)
		for i := lo; i < hi; i++ {
			switch s[i] {
			case ':':
				if i > 0 && i+1 < len(s) && is(s[i-1], word) && s[i+1] > ' ' {
					bits |= 1 << (i - lo)
				}
			case '.', '@':
				if all && i > 0 && i+1 < len(s) && is(s[i-1], word) && is(s[i+1], word) {
					bits |= 1 << (i - lo)
				}
			}
		}
		words[w] = bits
	}
}

func marks(words []uint64, s string, at, n int, all bool) { marksGo(words, s, at, n, all) }
