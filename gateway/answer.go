package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"anyurl/internal/quote"
)

// policy is what a page of ours may do: show our style and pictures that come
// through us, run our own script, send forms to us. Nothing else, and in nobody's
// frame.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// inert is what somebody else's object may do, shown as it is: nothing.
const inert = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

// hardening are the fields that every answer has. Their values are shared and
// never changed. They are few on purpose: with those of a page they are eight,
// and a map of more costs as much as all the rest of a cached answer. The policy
// says what X-Frame-Options would, there is nothing on a page that a Permissions-Policy
// could take away, and who embeds a page instead of going there is refused (see
// foreign), so that Cross-Origin-Resource-Policy is left to what is embedded: objects
// and our own files.
func hardening() map[string][]string {
	h := map[string][]string{}
	for name, value := range map[string]string{
		"X-Content-Type-Options":     "nosniff",
		"Referrer-Policy":            "no-referrer",
		"Content-Security-Policy":    policy,
		"Cross-Origin-Opener-Policy": "same-origin", // who opened a page learns nothing of it
	} {
		h[name] = one(value)
	}
	return h
}

// ownSite is who may embed what is no page: we alone.
var ownSite = one("same-origin")

// one is a field's single value.
func one(value string) []string { return []string{value}[:1:1] }

// An answer is a page that is written already.
type answer struct {
	status  int
	body    []byte
	etag    string
	expires time.Time // zero: not to be kept

	policy, tag, length []string // as fields
	logged              string   // what stands in the log for the request
}

// newAnswer frames a page.
func newAnswer(status int, body []byte, policy string) *answer {
	sum := sha256.Sum256(body)
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return &answer{status: status, body: body, etag: etag, policy: one(policy), tag: one(etag), length: one(strconv.Itoa(len(body)))}
}

// send writes the answer, or says that the client's copy still holds.
func (a *answer) send(w http.ResponseWriter, r *http.Request, now time.Time) {
	h := w.Header()
	html := one("text/html; charset=utf-8")
	h["Content-Type"] = html
	h["Content-Security-Policy"] = a.policy
	if a.status != http.StatusOK {
		h["Cache-Control"] = one("no-store")
	} else {
		h["Etag"] = a.tag
		if left := a.expires.Sub(now); left > 0 {
			h["Cache-Control"] = one("private, max-age=" + strconv.Itoa(int(left.Seconds())))
		} else {
			h["Cache-Control"] = one("private, no-cache")
		}
		if matches(r.Header.Get("If-None-Match"), a.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h["Content-Length"] = a.length
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}

// matches reports whether an If-None-Match field holds the tag (RFC 9110, section
// 13.1.2, by weak comparison).
func matches(field, tag string) bool {
	if field == "" {
		return false
	}
	for part := range strings.SplitSeq(field, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == tag || part == "*" {
			return true
		}
	}
	return false
}

// A recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	octets int64
	target string // as the log has it; "" where it is still to be said
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.octets += int64(n)
	return n, err
}

// Unwrap lets net/http find what the writer below can do.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// masked is a stranger's text for the log or a page: no password, nothing that
// could act.
func masked(s string) string {
	const most = 2048
	if len(s) > most {
		s = s[:most] + "…"
	}
	return quote.Text(quote.Mask(s))
}

// shown is masked in quotation marks, for a sentence.
func shown(s string) string { return `"` + masked(s) + `"` }

// readable makes a stranger's text of many lines fit for a page: it is UTF-8, or
// taken for ISO 8859-1; terminal sequences and controls other than those of
// layout are gone, and what would reorder the text is written out.
func readable(b []byte) string {
	text := decode(b)
	if !strings.ContainsFunc(text, acts) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 0x1b:
			n = sequence(text[i:])
		case r == '\b': // an old page of a manual: a letter struck over itself
			if last := len(out) - 1; last >= 0 && out[last] >= ' ' && out[last] < 0x7f {
				out = out[:last]
			}
		case !acts(r):
			out = append(out, text[i:i+n]...)
		case r > 0xa0:
			out = append(out, quote.Text(text[i:i+n])...)
		}
		i += n
	}
	return string(out)
}

// acts reports whether a character does something to what is around it.
func acts(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// sequence is how long the terminal sequence is that s begins with (ECMA-48).
func sequence(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return min(len(s), 2)
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 {
			return i
		}
	}
	return len(s)
}

// decode makes UTF-8 of a text whose character set nobody told.
func decode(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return string(out)
}
