//go:build !purego

package anyurl

// useAVX2 says whether the processor and the operating system have AVX2.
var useAVX2 = hasAVX2()

// hasAVX2 asks CPUID and XGETBV.
func hasAVX2() bool

// scanAVX2 is scanTable 32 bytes at a time. It is more easily scared: with ok
// false, s may still be what scanTable takes, and the extents say nothing.
//
//go:noescape
func scanAVX2(s string, start int) (hostEnd, pathEnd, queryEnd int, ok bool)

// scan reports whether s, from start on, is an authority, a path without dot
// segments, a query and a fragment in which no byte needs to be changed.
func scan(s string, start int) (at extents, ok bool) {
	if useAVX2 {
		at.hostEnd, at.pathEnd, at.queryEnd, ok = scanAVX2(s, start)
		if ok {
			return at, true
		}
	}
	return scanTable(s, start)
}
