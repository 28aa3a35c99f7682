package check

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"anyurl"
)

// decoded gives a page as UTF-8: by its byte order mark, by what its Content-Type
// says, by its own meta element (HTML Standard, "determining the character
// encoding"), or as it stands.
func decoded(page []byte, contentType string) []byte {
	if strings.HasSuffix(contentType, utf8Charset) && !bytes.HasPrefix(page, []byte("\xfe\xff")) && !bytes.HasPrefix(page, []byte("\xff\xfe")) {
		return page // as most say it, in fewer steps
	}
	encoding, name, _ := charset.DetermineEncoding(page[:min(len(page), 1024)], contentType)
	if name == "utf-8" {
		return page
	}
	text, err := encoding.NewDecoder().Bytes(page)
	if err != nil {
		return page
	}
	return text
}

// utf8Charset is how a Content-Type says that what it is about is UTF-8.
const utf8Charset = "charset=utf-8"

// inUTF8 gives a page as UTF-8, as decoded does; but what is UTF-8 already stays as
// it is where only the page itself says otherwise.
func inUTF8(page []byte, contentType string) []byte {
	if !strings.Contains(contentType, "charset") && utf8.Valid(page) {
		return page
	}
	return decoded(page, contentType)
}

// charsetOf is the character set that a page is in, or says it is in.
func charsetOf(page []byte, contentType string) string {
	_, name, certain := charset.DetermineEncoding(page[:min(len(page), 1024)], contentType)
	if !certain && utf8.Valid(page) {
		return "utf-8"
	}
	return name
}

// InCharset gives a reference as it stands in an HTML document, with what is not
// ASCII in its query written in the document's character set: so browsers send it
// (URL Standard, "query state" and "percent-encode after encoding"). Other schemes than
// http, https, ftp and file have their queries in UTF-8 in any case.
func InCharset(ref string, base anyurl.URL, set string) string {
	head, rest, ok := strings.Cut(ref, "?")
	query, fragment, hasFragment := strings.Cut(rest, "#")
	if !ok || isASCII(query) && !strings.ContainsAny(query, "\x0e\x0f\x1b") || strings.Contains(head, "#") {
		return ref
	}
	u, err := anyurl.ParseRef(ref, base)
	if err != nil || !u.IsSpecial() || u.Scheme() == "ws" || u.Scheme() == "wss" {
		return ref
	}
	encoding, err := htmlindex.Get(set)
	if err != nil {
		return ref
	}
	name, _ := htmlindex.Name(encoding)
	switch name {
	case "utf-8", "utf-16be", "utf-16le", "replacement": // "get an output encoding": these are UTF-8
		return ref
	}
	q := queryWriter{encoder: encoding.NewEncoder(), set: name, state: toASCII}
	q.WriteString(head + "?")
	for _, r := range query {
		q.write(r)
	}
	q.enter(toASCII)
	if hasFragment {
		q.WriteString("#" + fragment)
	}
	return q.String()
}

// A queryWriter writes a query in a character set: the Encoding Standard's encoders, as
// far as the library's are not these.
type queryWriter struct {
	strings.Builder
	encoder *encoding.Encoder
	set     string
	state   string // of ISO-2022-JP: the octets that lead to it
}

// toASCII are the octets by which ISO-2022-JP comes back to ASCII.
const toASCII = "\x1b(B"

// write writes a character. What is ASCII is left to the parser to encode.
func (q *queryWriter) write(r rune) {
	japanese := q.set == "iso-2022-jp"
	switch {
	case japanese && (r == 0x0e || r == 0x0f || r == 0x1b):
		q.refer(utf8.RuneError)
		return
	case r < utf8.RuneSelf:
		q.enter(toASCII)
		q.WriteRune(r)
		return
	case r == '\ue5e5' && (q.set == "gb18030" || q.set == "gbk"):
		q.refer(r)
		return
	case r == '\u2212' && (japanese || q.set == "shift_jis" || q.set == "euc-jp"):
		r = '\uff0d'
	case japanese && (r == '\u00a5' || r == '\u203e'): // where they stand in the place of \ and ~
		q.enter("\x1b(J")
		q.octets(map[rune]string{'\u00a5': "\\", '\u203e': "~"}[r])
		return
	}
	q.encoder.Reset()
	octets, err := q.encoder.String(string(r))
	switch {
	case err != nil:
		q.refer(r)
	case japanese && len(octets) > len(toASCII) && octets[0] == 0x1b:
		q.enter(octets[:len(toASCII)])
		q.octets(strings.TrimSuffix(octets[len(toASCII):], toASCII))
	default:
		q.octets(octets)
	}
}

// refer writes a character as a reference.
func (q *queryWriter) refer(r rune) {
	q.enter(toASCII)
	q.WriteString("%26%23" + strconv.Itoa(int(r)) + "%3B")
}

// enter changes to a state of ISO-2022-JP, where it is another.
func (q *queryWriter) enter(state string) {
	if state != q.state {
		q.octets(state)
		q.state = state
	}
}

// octets writes those that may stand in a query as they are, and the rest in
// percent-encoding.
func (q *queryWriter) octets(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ', c >= 0x7f, strings.IndexByte(`"#<>'`, c) >= 0:
			fmt.Fprintf(q, "%%%02X", c)
		default:
			q.WriteByte(c)
		}
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
