//go:build !amd64 || purego

package find

func everyMarks() map[string]func([]uint64, string, int, int, bool) (int, uint64) {
	return map[string]func([]uint64, string, int, int, bool) (int, uint64){"marksGo": marksGo}
}
