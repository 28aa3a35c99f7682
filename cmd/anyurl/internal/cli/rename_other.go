//go:build !linux

package cli

// renameNew gives a file its name, unless that is another's.
func renameNew(from, to string) error { return renameFree(from, to) }
