package mid

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// utf7 writes a mailbox's name as servers have it: in modified UTF-7, RFC 3501,
// section 5.1.3. ok is false for what is no UTF-8, which is sent as it is.
func utf7(name string) (s string, ok bool) {
	if !utf8.ValidString(name) {
		return "", false
	}
	// "," in place of "/", and no padding.
	modified := base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").WithPadding(base64.NoPadding)
	var b strings.Builder
	var shifted []byte
	flush := func() {
		if len(shifted) > 0 {
			b.WriteString("&" + modified.EncodeToString(shifted) + "-")
			shifted = nil
		}
	}
	for _, r := range name {
		switch {
		case r == '&':
			flush()
			b.WriteString("&-")
		case r >= ' ' && r <= '~':
			flush()
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				shifted = append(shifted, byte(u>>8), byte(u))
			}
		}
	}
	flush()
	return b.String(), true
}
