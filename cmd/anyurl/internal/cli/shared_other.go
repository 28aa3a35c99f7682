//go:build !unix

package cli

import "io/fs"

// shared tells why a file is not one user's under one name, or gives "": here
// files do not say.
func shared(fs.FileInfo) string { return "" }
