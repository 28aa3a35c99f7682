//go:build !amd64 || purego

package find

func marks(words []uint64, s string, at, n int, all bool) (lines int, busy uint64) {
	return marksGo(words, s, at, n, all)
}

func plainEnd(s string, i int) int { return plainEndGo(s, i) }

func newlines(s string, i, j int) (n, behind int) { return newlinesGo(s, i, j) }

func simd() bool { return false }

func head(s string, i int) (labels, dots, hyphens uint32, end int) { return headGo(s, i) }

func labels(s string, i int) (labels, dots, hyphens uint32) {
	labels, dots, hyphens, _ = headGo(s, i)
	return labels, dots, hyphens
}
