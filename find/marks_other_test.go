//go:build !amd64 || purego

package find

func everyMarks() map[string]func([]uint64, string, int, int, bool) (int, uint64) {
	return map[string]func([]uint64, string, int, int, bool) (int, uint64){"marksGo": marksGo}
}

func everyNewlines() map[string]func(string, int, int) (int, int) {
	return map[string]func(string, int, int) (int, int){"newlines": newlines}
}

func everyHead() map[string]func(string, int) (uint32, uint32, uint32, int) {
	return map[string]func(string, int) (uint32, uint32, uint32, int){"head": head}
}
