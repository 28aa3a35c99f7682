package report

import (
	"strconv"

	"anyurl/check"
)

// appendPlain appends r as encoding/json writes it, where it is as most are: a
// state, a reason and places, in characters that stand for themselves. It gives
// nil where r is otherwise. Of a long list of links this takes a fifth of the time.
func appendPlain(b []byte, r *check.Result) []byte {
	if r.Final != "" || r.To != "" || r.Past != nil || len(r.Hops)+len(r.Evidence)+len(r.Written)+len(r.Suggestions) > 0 || r.Sources == nil {
		return nil
	}
	if !isPlain(r.URL) || !isPlain(string(r.State)) || !isPlain(r.Reason) || !isPlain(r.From) {
		return nil
	}
	b = appendText(append(b, '{'), "url", r.URL)
	b = appendText(append(b, ','), "state", string(r.State))
	if r.Status != 0 {
		b = appendNumber(append(b, ','), "status", int64(r.Status))
	}
	b = appendText(append(b, ','), "reason", r.Reason)
	b = append(b, `,"sources":[`...)
	for i := range r.Sources {
		at := &r.Sources[i]
		if !isPlain(at.Source) {
			return nil
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, '{'), "source", at.Source)
		if at.Line != 0 {
			b = appendNumber(append(b, ','), "line", int64(at.Line))
		}
		if at.Col != 0 {
			b = appendNumber(append(b, ','), "col", int64(at.Col))
		}
		b = append(b, '}')
	}
	b = appendNumber(append(b, ']', ','), "ms", r.MS)
	if r.From != "" {
		b = appendText(append(b, ','), "from", r.From)
	}
	return append(b, '}', '\n')
}

func appendText(b []byte, name, value string) []byte {
	b = append(append(append(b, '"'), name...), '"', ':', '"')
	return append(append(b, value...), '"')
}

func appendNumber(b []byte, name string, value int64) []byte {
	b = append(append(append(b, '"'), name...), '"', ':')
	return strconv.AppendInt(b, value, 10)
}

// isPlain reports whether all characters of a text stand for themselves in a
// string of JSON (RFC 8259, section 7), and are visible ASCII.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c > 0x7E || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
