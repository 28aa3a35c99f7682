package anyurl

// Long reports whether -long was given.
func Long() bool { return *long }
