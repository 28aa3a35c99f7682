package mid

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"strings"

	"anyurl/internal/wire"
)

// A header is the fields of a message or of a part (RFC 5322, section 2.2),
// unfolded, in their order.
type header []field

type field struct{ name, value string }

// get gives a field's value, "" if there is none.
func (h header) get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

// contentType gives the media type in lower case, and its parameters: RFC 2045,
// section 5. What has none, or none that can be read, is plain text.
func (h header) contentType() (string, map[string]string) {
	t, params, err := mime.ParseMediaType(h.get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !strings.Contains(t, "/") {
		return "text/plain", nil
	}
	return t, params
}

// encoding gives the transfer encoding in lower case: RFC 2045, section 6.
func (h header) encoding() string {
	e, _, _ := strings.Cut(h.get("Content-Transfer-Encoding"), ";")
	return strings.ToLower(strings.TrimSpace(e))
}

// liner is what a header is read from: a line with its end, or the error that
// came in its place.
type liner interface {
	line(most int) (line []byte, err error)
}

// readHeader reads the fields up to the empty line that ends them, and that
// line; raw is all it read. A header past the limit, or one that is broken off
// by a line that is no field, ends there: mail in the wild has such, and what
// follows is taken for the body.
func readHeader(r liner, limit int64) (h header, raw []byte, err error) {
	var value strings.Builder // of the last field, which may go on
	ended := func() {
		if n := len(h); n > 0 {
			h[n-1].value = strings.TrimSpace(value.String())
		}
	}
	defer func() { ended() }()
	for {
		line, err := r.line(int(limit) - len(raw))
		if err != nil {
			return h, raw, err
		}
		raw = append(raw, line...)
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			return h, raw, nil
		}
		if text[0] == ' ' || text[0] == '\t' {
			value.WriteString(" " + strings.TrimSpace(text))
			continue
		}
		name, first, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		ended()
		value.Reset()
		value.WriteString(strings.TrimSpace(first))
		h = append(h, field{name: strings.TrimRight(name, " \t")})
	}
}

// fileLines reads lines from a file.
type fileLines struct{ *bufio.Reader }

func (f fileLines) line(most int) ([]byte, error) {
	var long []byte
	for {
		part, err := f.ReadSlice('\n')
		if len(long)+len(part) > most {
			return nil, wire.ErrTooMuch
		}
		switch {
		case err == nil && long == nil:
			return part, nil
		case err == nil:
			return append(long, part...), nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		case err == io.EOF && len(long)+len(part) > 0:
			return append(long, part...), nil
		default:
			return nil, err
		}
	}
}

// identifier gives what a Message-ID or Content-ID field names: what stands
// between the first "<" and the ">" after it, blanks taken out; where there are
// none, the first word. Comments (RFC 5322, section 3.2.2) stand outside of the
// brackets.
func identifier(value string) string {
	for depth, i := 0, 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case '<':
			if depth > 0 {
				continue
			}
			id, _, found := strings.Cut(value[i+1:], ">")
			if found {
				return strings.Join(strings.Fields(id), "")
			}
		}
	}
	word, _, _ := strings.Cut(strings.TrimLeft(value, " \t<"), " ")
	return strings.TrimRight(word, ">")
}

// How an identifier of a message is that of a URL.
const (
	other = iota
	alike // but for the case of its right side, which mailers vary
	same  // octet for octet: RFC 2392, section 2
)

// compare says how an identifier is the wanted one.
func compare(id, want string) int {
	if id == want {
		return same
	}
	a, b := strings.LastIndexByte(id, '@'), strings.LastIndexByte(want, '@')
	if a >= 0 && b >= 0 && id[:a] == want[:b] && strings.EqualFold(id[a:], want[b:]) {
		return alike
	}
	return other
}
