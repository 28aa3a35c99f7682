package dirsrv

import (
	"errors"
	"strings"
)

// errQuote is a quote that nobody closes.
var errQuote = errors.New("a quote that is never closed")

// lines takes a message apart: lines of tokens. A quote may begin anywhere in a
// token and holds whatever stands in it, with two quotes for one.
func lines(text string) (out [][]string, err error) {
	var line []string
	var token []byte
	begun, quoted := false, false
	end := func() {
		if begun {
			line = append(line, string(token))
		}
		token, begun = nil, false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\'' && i+1 < len(text) && text[i+1] == '\'':
			token = append(token, c)
			i++
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted:
			token = append(token, c)
		case c == '\n':
			end()
			out = append(out, line)
			line = nil
		case c == ' ' || c == '\t':
			end()
		default:
			token, begun = append(token, c), true
		}
	}
	if quoted {
		return nil, errQuote
	}
	if end(); len(line) > 0 {
		return nil, errors.New("a last line without an end")
	}
	return out, nil
}

// Quote writes a token as the server does: a quote opens before the first octet
// that wants one and stays open to the token's end.
func Quote(token string) string {
	if token == "" {
		return "''"
	}
	i := strings.IndexAny(token, " \t\n\r'/")
	if i < 0 {
		return token
	}
	return token[:i] + "'" + strings.ReplaceAll(token[i:], "'", "''") + "'"
}
