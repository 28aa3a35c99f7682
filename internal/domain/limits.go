package domain

// The limits of our own. The URL Standard has none, and takes a label in ASCII
// that is no Punycode as it is. The Infra Standard, section 3.2, lets user agents
// limit otherwise unconstrained inputs, to prevent denial of service among others;
// ICU (ICU-13727) and, after it, the URL parser of Firefox and Servo have the same
// two. What [ToASCII] gives lies within them, so it can be read again.
const (
	// MaxPunycode is the greatest length in bytes of what follows "xn--".
	MaxPunycode = 2000
	// MaxEncoded is how many code points a label may have that is to be encoded.
	MaxEncoded = 1000
)

// TooLong gives the place of the first byte of s beyond [MaxPunycode] in a label
// that begins with "xn--", or -1. It looks for "xn--" in lower case.
func TooLong[text string | []byte](s text) int {
	const most = len(acePrefix) + MaxPunycode
	for start, i := 0, 0; i < len(s) && len(s)-start > most; i++ {
		switch {
		case s[i] == '.':
			start = i + 1
		case i-start == most:
			if string(s[start:start+len(acePrefix)]) == acePrefix {
				return i
			}
		}
	}
	return -1
}
