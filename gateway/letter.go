package gateway

import (
	"mime"
	"net/http"
	"strings"
	"time"

	"anyurl/percent"
	mailto "anyurl/scheme/mailto"
)

// A letter is a message to write, as a form.
type letter struct {
	To, Cc, Subject, Body string
	Fields                []mailto.Field // others that the URL wants, for the reader to see
	Hand                  string         // the URL, for the reader's own mail program
}

// letter shows a mailto URL as the message that it describes. Nothing is ever
// sent from here: the form gives a file, or hands over to a mail program.
func (v *visit) letter() {
	ref, err := mailto.Read(v.url)
	if err != nil {
		v.fail(problemOf(err))
		return
	}
	frame := v.frame()
	frame.Title = "A letter to " + masked(strings.Join(ref.To, ", "))
	v.send(http.StatusOK, frame, "letter", letter{To: words(ref.To...), Cc: words(ref.Cc...), Subject: words(ref.Subject),
		Body: readable([]byte(ref.Body)), Fields: ref.Fields, Hand: v.url.String()}, time.Time{})
}

// words are texts for a field of one line.
func words(list ...string) string {
	return strings.ReplaceAll(readable([]byte(strings.Join(list, ", "))), "\n", " ")
}

// message makes the file of a message from the form's fields. A field is one
// line, whatever was typed.
func (g *Gateway) message(w http.ResponseWriter, r *http.Request, query string) {
	var b strings.Builder
	for _, name := range []string{"To", "Cc", "Subject"} {
		value := strings.Join(strings.Fields(strings.ToValidUTF8(parameter(query, strings.ToLower(name)), "")), " ")
		if value == "" {
			continue
		}
		if name == "Subject" {
			value = mime.QEncoding.Encode("utf-8", value)
		}
		b.WriteString(name + ": " + value + "\r\n")
	}
	b.WriteString("Date: " + g.o.Now().Format(time.RFC1123Z) + "\r\n")
	b.WriteString("X-Unsent: 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n")
	body := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(strings.ToValidUTF8(parameter(query, "body"), ""))
	b.WriteString(body)
	if !strings.HasSuffix(body, "\r\n") {
		b.WriteString("\r\n")
	}
	h := w.Header()
	h.Set("Content-Type", "message/rfc822")
	h.Set("Content-Disposition", `attachment; filename="message.eml"`)
	h.Set("Content-Security-Policy", inert)
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		w.Write([]byte(b.String()))
	}
}

// attachment is a Content-Disposition for a file of that name (RFC 6266).
func attachment(kind, name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
			return '_'
		}
		return r
	}, name)
	s := kind + `; filename="` + plain + `"`
	if plain != name {
		s += "; filename*=UTF-8''" + percent.Encode(name, &percent.Form)
	}
	return s
}
