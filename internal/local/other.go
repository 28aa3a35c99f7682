//go:build !unix

package local

// nonBlocking is a flag that only Unix has.
const nonBlocking = 0

// isNotDir is Unix's own error; elsewhere such a path does not exist.
func isNotDir(error) bool { return false }
