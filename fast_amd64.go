//go:build !purego

package anyurl

// useAVX2 says whether the processor and the operating system have AVX2.
var useAVX2 = hasAVX2()

// hasAVX2 asks CPUID and XGETBV.
func hasAVX2() bool

// scanAVX2 gives the extents of s from start on, and the offset of the first "."
// or "%" that follows a "/", or -1. It reports whether s is clean: it has no byte
// from start on that may have to be changed.
//
//go:noescape
func scanAVX2(s string, start int) (hostEnd, pathEnd, queryEnd, dots int, clean bool)

// scan reports whether s, from start on, is an authority, a path, a query
// and a fragment in which, but for dot segments, no byte needs to be changed. It may
// say no where a rare byte stands in a place where it need not be changed.
func scan(s string, start int) (at extents, ok bool) {
	if !useAVX2 {
		return scanWords(s, start)
	}
	var dots int
	at.hostEnd, at.pathEnd, at.queryEnd, dots, ok = scanAVX2(s, start)
	at.dots = -1
	if ok && 0 <= dots && dots < at.pathEnd {
		at.dots = dotsFrom(s, dots-1, at.pathEnd)
	}
	return at, ok
}

// stop gives a place in s up to which nothing has to be encoded, and what scan would
// have said of s up to there. At is what it said of all of s; the path begins at
// s[path].
func stop(s string, path int, at *extents) int {
	if useAVX2 {
		hostEnd := at.hostEnd
		*at, _ = scanWords(s, path)
		at.hostEnd = hostEnd
	}
	return at.queryEnd
}
