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

// everyNewlines gives what counts newlines on this machine, by name.
func everyNewlines() map[string]func(string, int, int) (int, int) {
	all := map[string]func(string, int, int) (int, int){"newlinesGo": newlinesGo, "newlines": newlines}
	if hasAVX2 {
		all["newlinesAVX2"] = func(s string, i, j int) (int, int) {
			if j+127 > len(s) {
				return newlinesGo(s, i, j)
			}
			return newlinesAVX2(s, i, j)
		}
	}
	return all
}

// everyHead gives what looks at the head of a reference on this machine, by name.
func everyHead() map[string]func(string, int) (uint32, uint32, uint32, int) {
	return map[string]func(string, int) (uint32, uint32, uint32, int){"head": head, "headAVX2": headAVX2}
}
