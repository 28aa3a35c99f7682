package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"anyurl/check"
)

// jsonLines writes an object a verdict, as they come, and the summary.
type jsonLines struct {
	w      io.Writer
	o      Options
	line   *jsonWriter  // nil before the first
	result check.Result // of it; here, as it would go to the heap for each
	room   []byte       // for the lines of plain ones
}

func (j *jsonLines) Result(r check.Result) error {
	if j.line == nil {
		j.line = newJSONWriter("")
	}
	j.result = j.o.masked(r)
	if line := appendPlain(j.room[:0], &j.result); line != nil {
		j.room = line
		_, err := j.w.Write(line)
		return err
	}
	return j.line.write(j.w, &j.result)
}

func (j *jsonLines) Close(s check.Summary) error {
	s.Faults, s.Notes = j.o.sentences(s.Faults), j.o.sentences(s.Notes)
	return WriteJSON(j.w, struct {
		Summary check.Summary `json:"summary"`
	}{s})
}

// WriteJSON writes v as one line of JSON. Characters that a terminal obeys, or
// that reorder what it shows, are escaped, as JSON allows for every character.
func WriteJSON(w io.Writer, v any) error { return newJSONWriter("").write(w, v) }

// A jsonWriter writes values as [WriteJSON] does, one after the other in the same
// room.
type jsonWriter struct {
	buffer  bytes.Buffer
	encoder *json.Encoder
}

func newJSONWriter(indent string) *jsonWriter {
	j := &jsonWriter{}
	j.encoder = json.NewEncoder(&j.buffer)
	j.encoder.SetEscapeHTML(false)
	j.encoder.SetIndent("", indent)
	return j
}

func (j *jsonWriter) write(w io.Writer, v any) error {
	j.buffer.Reset()
	if err := j.encoder.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeControls(j.buffer.Bytes()))
	return err
}

// escapeControls escapes what encoding/json leaves: DEL, the C1 controls and
// the format characters, which the bidirectional ones are among. They stand
// nowhere but in strings, so the JSON means the same.
func escapeControls(line []byte) []byte {
	if !slices.ContainsFunc(line, func(c byte) bool { return c >= 0x7F }) || bytes.IndexFunc(line, odd) < 0 {
		return line
	}
	out := make([]byte, 0, len(line)+32)
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case !odd(r):
			out = append(out, line[:n]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		line = line[n:]
	}
	return out
}

func odd(r rune) bool {
	return r >= 0x7F && (unicode.In(r, unicode.Cc, unicode.Cf) || r == '\u2028' || r == '\u2029')
}
