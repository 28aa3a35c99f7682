//go:build !purego

package find

// everyMarks gives what finds marks on this machine, by name.
func everyMarks() map[string]func([]uint64, string, int, int, bool) (int, uint64) {
	return map[string]func([]uint64, string, int, int, bool) (int, uint64){
		"marksGo": marksGo,
		"marks":   marks,
		"marks with AVX2": func(words []uint64, s string, at, n int, all bool) (int, uint64) {
			return marksWide(words, s, at, n, all, false)
		},
	}
}
