package wire

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are the forms in which a password goes over the wire: as it is, and as
// the logins of HTTP (RFC 7617), SMTP and IMAP (RFC 4616) encode it.
func Secrets(user, password string) []string {
	if password == "" {
		return nil
	}
	encoded := base64.StdEncoding.EncodeToString
	return []string{password, encoded([]byte(password)), encoded([]byte(user + ":" + password)), encoded([]byte("\x00" + user + "\x00" + password))}
}

// Veil puts "***" in the place of secrets: a server may say again what it was told.
// What is shorter than four octets counts where it is a word of its own; else its
// letters would be missing from all that is said, and be known by that.
func Veil(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= 4 {
			text = strings.ReplaceAll(text, secret, "***")
			continue
		}
		from := 0
		for secret != "" {
			i := strings.Index(text[from:], secret)
			if i < 0 {
				break
			}
			i += from
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[i+len(secret):])
			if isWord(before) || isWord(after) {
				from = i + 1
				continue
			}
			text = text[:i] + "***" + text[i+len(secret):]
			from = i + 3
		}
	}
	return text
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
