//go:build !amd64 || purego

package anyurl

// scan reports whether s, from start on, is an authority, a path, a query
// and a fragment in which, but for dot segments, no byte needs to be changed. It may
// say no where s is very short.
func scan(s string, start int) (at extents, ok bool) { return scanWords(s, start) }

// stop gives a place in s up to which nothing has to be encoded, and what scan would
// have said of s up to there. At is what it said of all of s; the path begins at
// s[path].
func stop(s string, path int, at *extents) int { return at.queryEnd }
