package gateway

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"anyurl/internal/quote"
	mid "anyurl/scheme/mid"
	news "anyurl/scheme/news"
)

// A message is a mail or a news article, for a page.
type message struct {
	Subject string
	Fields  []field
	Parts   []part
	Source  string // where it is no message

	id string // where its parts have URLs
}

// A field is a header field; some hold URLs.
type field struct {
	Name  string
	Value []stretch
}

// A part is one of a message's bodies.
type part struct {
	Type   string
	Name   string
	Size   int
	Pieces []piece // text, folded where it quotes
	Other  bool    // shown by name alone
	Link   link    // opens it alone
}

// A piece is a run of lines of one kind.
type piece struct {
	Quoted    bool // somebody else's words
	Signature bool
	Lines     int
	Text      []stretch
}

const (
	mostParts = 64
	mostDepth = 8
)

// mail shows a message. What is broken is shown as it is.
func (v *visit) mail(body []byte, frame *page) message {
	msg, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return message{Source: readable(body)}
	}
	var m message
	for _, name := range []string{"From", "Newsgroups", "To", "Cc", "Subject", "Date", "Message-Id", "References", "Followup-To", "Organization"} {
		value := strings.TrimSpace(encoded(msg.Header.Get(name)))
		if value == "" {
			continue
		}
		f := field{Name: name}
		switch name {
		case "Subject":
			m.Subject = masked(value)
			frame.Title = m.Subject
			continue
		case "Newsgroups", "Followup-To":
			f.Value = v.named(value, ",", func(s string) news.Ref { return news.Ref{Scheme: "news", Group: s} })
		case "References":
			f.Value = v.named(value, " ", func(s string) news.Ref { return news.Ref{Scheme: "news", MessageID: strings.Trim(s, "<>")} })
		default:
			f.Value = []stretch{{Text: masked(value)}}
		}
		m.Fields = append(m.Fields, f)
	}
	if v.url.Scheme() == "mid" {
		m.id = strings.Trim(strings.TrimSpace(msg.Header.Get("Message-Id")), "<>")
	}
	v.parts(&m, header(msg.Header), msg.Body, 0)
	return m
}

// header is a field of a message or of a part.
type header map[string][]string

func (h header) get(name string) string {
	if len(h[name]) > 0 {
		return h[name][0]
	}
	return ""
}

// parts takes a body apart.
func (v *visit) parts(m *message, h header, body io.Reader, depth int) {
	typ, params, err := mime.ParseMediaType(h.get("Content-Type"))
	if err != nil {
		typ = "text/plain"
	}
	if strings.HasPrefix(typ, "multipart/") && params["boundary"] != "" && depth < mostDepth {
		r := multipart.NewReader(body, params["boundary"])
		for len(m.Parts) < mostParts {
			p, err := r.NextRawPart()
			if err != nil {
				return
			}
			v.parts(m, header(p.Header), p, depth+1)
		}
		return
	}
	name := params["name"]
	if _, d, err := mime.ParseMediaType(h.get("Content-Disposition")); err == nil && d["filename"] != "" {
		name = d["filename"]
	}
	octets, _ := io.ReadAll(transfer(h.get("Content-Transfer-Encoding"), body)) // what is broken ends there
	p := part{Type: masked(typ), Name: masked(encoded(name)), Size: len(octets)}
	if id := strings.Trim(h.get("Content-Id"), "<> "); id != "" && m.id != "" {
		if u := (mid.Ref{Scheme: "mid", MessageID: m.id, ContentID: id}).URL(); !u.IsZero() {
			p.Link = v.linkTo(u)
		}
	}
	switch {
	case typ == "text/html":
		p.Pieces = []piece{{Text: []stretch{{Text: plain(octets)}}}}
	case media(typ) == "text":
		p.Pieces = v.folded(readable(octets))
	default:
		p.Other = true
	}
	m.Parts = append(m.Parts, p)
}

// transfer undoes a Content-Transfer-Encoding (RFC 2045, section 6).
func transfer(how string, r io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(how)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	}
	return r
}

// encoded undoes the encoded words of a field (RFC 2047); what cannot be undone
// stays.
func encoded(s string) string {
	d := mime.WordDecoder{CharsetReader: func(charset string, r io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(r)
		return strings.NewReader(decode(b)), err
	}}
	if text, err := d.DecodeHeader(s); err == nil {
		return text
	}
	return decode([]byte(s))
}

// named makes links of names in a list.
func (v *visit) named(value, sep string, ref func(string) news.Ref) (list []stretch) {
	for i, name := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(sep+" \t\r\n", r) }) {
		if i > 0 {
			list = append(list, stretch{Text: " "})
		}
		if i >= 100 {
			return append(list, stretch{Text: "…"})
		}
		s := stretch{Text: masked(name)}
		r := ref(name)
		if own, err := news.Read(v.url); err == nil && own.Host.String() != "" {
			r.Host, r.Port = own.Host, own.Port // its server has them, and the reader's own may not
		}
		if u := r.URL(); !u.IsZero() {
			s.Link = v.linkTo(u)
		}
		list = append(list, s)
	}
	return list
}

// folded parts a text into what its author wrote and what is quoted.
func (v *visit) folded(text string) (list []piece) {
	body, signature, signed := strings.Cut(text, "\n-- \n")
	var run strings.Builder
	quoted, lines := false, 0
	flush := func() {
		if lines > 0 {
			list = append(list, piece{Quoted: quoted, Lines: lines, Text: v.linked(strings.TrimSuffix(run.String(), "\n"))})
		}
		run.Reset()
		lines = 0
	}
	for line := range strings.Lines(body) {
		isQuote := strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, " >")
		if isQuote != quoted && strings.TrimSpace(line) != "" {
			flush()
			quoted = isQuote
		}
		run.WriteString(line)
		lines++
	}
	flush()
	if signed {
		list = append(list, piece{Signature: true, Lines: strings.Count(signature, "\n") + 1, Text: v.linked("-- \n" + strings.TrimRight(signature, "\n"))})
	}
	return list
}

// record reads a bibliographic record as package proto/z3950 writes it down, a
// line a field: tag, indicators, subfields.
func record(text []byte) (list []marcField) {
	lines := strings.Split(string(text), "\n")
	if len(lines) < 2 || len(lines[0]) < 20 || !isTag(lines[1]) {
		return nil
	}
	for _, line := range lines[1:] {
		if !isTag(line) {
			if line != "" {
				return nil
			}
			continue
		}
		f := marcField{Tag: line[:3], Name: marcName(line[:3])}
		rest := line[4:]
		pieces := strings.Split(rest, " $")
		if len(pieces) == 1 {
			f.Data = []marcPart{{Text: quote.Text(rest)}}
		} else {
			for _, p := range pieces[1:] {
				code, data, _ := strings.Cut(p, " ")
				f.Data = append(f.Data, marcPart{quote.Text(code), quote.Text(data)})
			}
		}
		list = append(list, f)
	}
	return list
}

func isTag(line string) bool {
	return len(line) > 4 && line[3] == ' ' && strings.Trim(line[:3], "0123456789") == ""
}

// A marcField is a field of a bibliographic record.
type marcField struct {
	Tag  string
	Name string
	Data []marcPart
}

type marcPart struct{ Code, Text string }

// marcName is what a field of MARC 21 holds, by the Library of Congress's list.
func marcName(tag string) string {
	switch tag {
	case "001":
		return "Control number"
	case "005":
		return "Last changed"
	case "008":
		return "Coded data"
	case "010":
		return "Library of Congress number"
	case "020":
		return "ISBN"
	case "022":
		return "ISSN"
	case "050", "082":
		return "Classification"
	case "100", "110", "111":
		return "Author"
	case "240", "245":
		return "Title"
	case "246":
		return "Other title"
	case "250":
		return "Edition"
	case "260", "264":
		return "Published"
	case "300":
		return "Extent"
	case "440", "490", "830":
		return "Series"
	case "504":
		return "Bibliography"
	case "505":
		return "Contents"
	case "520":
		return "Summary"
	case "856":
		return "Where it is"
	}
	switch tag[0] {
	case '5':
		return "Note"
	case '6':
		return "Subject"
	case '7':
		return "Also by"
	}
	return "Field"
}
