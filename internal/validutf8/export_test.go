package validutf8

// Narrow is Is with the shorter vectors, whatever the machine has.
func Narrow(b []byte) bool { return is(b, false) }
