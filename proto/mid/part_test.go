package mid_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"

	"anyurl/proto/mid"
)

// FuzzPart holds that any message is gone through to its end, and that where
// the standard library finds a part in a multipart, we find the same.
func FuzzPart(f *testing.F) {
	const head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
	for _, s := range []string{
		letter,
		head + "--x\r\nContent-ID: <c@a>\r\n\r\nabc\r\n--x--\r\n",
		head + "--x\n\n--x\nContent-ID: <c@a>\n\nabc\n--y\n--x--",
		head + "--x\r\nContent-ID: <c@a>\r\n\r\n\r\n\r\n--x  \r\n--x--\r\n",
		head + "--x\r\nContent-ID: <c@a>\r\n\r\n" + strings.Repeat("a", 5000) + "\r\n--x--",
		"Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\nContent-ID: <c@a>\n\n",
		"Content-ID: (<x>) \"<y>\" <c@a>\n\n", ": \n \n\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got, found, err := mid.FindPart(message, "c@a")
		if len(got) > len(message) {
			t.Errorf("%d octets from %d", len(got), len(message))
		}
		want, ok := standard(message)
		if ok && (err != nil || !found || got != want) {
			t.Errorf("got %q, %v, %v; mime/multipart has %q", got, found, err, want)
		}
	})
}

// standard gives the body of the first part with the identifier, as the
// standard library reads it, for messages that are plain enough for both to
// agree: whole, one level of parts, one field each and no folding.
func standard(message string) (string, bool) {
	m, err := mail.ReadMessage(strings.NewReader(message))
	if err != nil || len(m.Header) != 2 || !strings.HasPrefix(message, "MIME-Version: 1.0\r\nContent-Type: ") {
		return "", false
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") || strings.Trim(params["boundary"], "abcdefghijklmnopqrstuvwxyz") != "" || params["boundary"] == "" {
		return "", false
	}
	r := multipart.NewReader(m.Body, params["boundary"])
	want, ok := "", false
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return want, ok
		}
		if err != nil {
			return "", false
		}
		b, err := io.ReadAll(p)
		if err != nil || len(p.Header) > 1 || bytes.ContainsRune(b, '\x00') {
			return "", false
		}
		if len(p.Header) == 1 && p.Header.Get("Content-Id") == "<c@a>" && !ok {
			want, ok = string(b), true
		}
	}
}
