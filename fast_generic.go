//go:build !amd64 || purego

package anyurl

// scan reports whether s, from start on, is an authority, a path, a query
// and a fragment in which, but for dot segments, no byte needs to be changed. It may
// say no where s is very short.
func scan(s string, start int) (at extents, ok bool) { return scanWords(s, start) }
