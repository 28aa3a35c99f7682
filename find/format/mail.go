package format

import (
	"bytes"
	"mime"
	"strings"

	"anyurl/internal/validutf8"
)

// mail reads an RFC 5322 message: its headers, and its MIME parts, each as what
// it is, with transfer encodings undone.
func (s *scan) mail(v *view) {
	h, body := s.headers(v)
	s.part(v, h, body, len(v.data))
}

// A header holds the fields of a message or part that say how to read it.
type header struct {
	kind     string            // media type, lower case; "" when none is given
	params   map[string]string // its parameters
	encoding string            // Content-Transfer-Encoding, lower case
	name     string            // the file name of an attachment
	chunked  bool              // HTTP's Transfer-Encoding ends with chunked
	codings  []string          // HTTP's Content-Encoding, lower case
}

// noLinks are the header fields in which nothing is meant to be opened:
// identifiers, signatures and traces.
func noLinks(field string) bool {
	switch field {
	case "message-id", "references", "in-reply-to", "content-id", "received", "return-path",
		"dkim-signature", "authentication-results", "received-spf":
		return true
	}
	return strings.HasPrefix(field, "arc-") || strings.HasPrefix(field, "x-google-")
}

// headers reads the header section that v begins with. body is where it ends.
func (s *scan) headers(v *view) (h header, body int) {
	b := v.data
	for i := 0; i < len(b); {
		start := i
		i = lineEnd(b, i)
		if len(bytes.TrimRight(b[start:i], "\r\n")) == 0 {
			return h, i
		}
		for i < len(b) && (b[i] == ' ' || b[i] == '\t') { // folded: RFC 5322, section 2.2.3
			i = lineEnd(b, i)
		}
		colon := bytes.IndexByte(b[start:i], ':')
		if colon <= 0 || bytes.ContainsAny(b[start:start+colon], " \t") {
			if start == 0 && bytes.HasPrefix(b, []byte("From ")) {
				continue // an mbox separator
			}
			return h, start // no header at all: a body
		}
		field := strings.ToLower(string(b[start : start+colon]))
		value := strings.TrimSpace(string(b[start+colon+1 : i]))
		switch field {
		case "content-type":
			h.kind, h.params = mediaType(value)
			if h.name == "" {
				h.name = h.params["name"]
			}
			continue
		case "content-transfer-encoding":
			h.encoding = strings.ToLower(value)
			continue
		case "transfer-encoding":
			h.chunked = strings.HasSuffix(strings.ToLower(value), "chunked")
			continue
		case "content-encoding":
			h.codings = strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
			continue
		case "content-disposition":
			if _, params := mediaType(value); params["filename"] != "" {
				h.name = params["filename"]
			}
			continue
		}
		if noLinks(field) {
			continue
		}
		p := &piece{}
		p.unfold(b, start+colon+1, i)
		s.prose(v, p, "header "+field)
	}
	return h, len(b)
}

// mediaType is mime.ParseMediaType, which gives what it could read of a bad one.
func mediaType(value string) (string, map[string]string) {
	kind, params, err := mime.ParseMediaType(strings.Join(strings.Fields(value), " "))
	if err != nil {
		kind, _, _ = strings.Cut(value, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind, params
}

// unfold appends a header field's body with its encoded words decoded: RFC 2047.
// White space between two of them is not there (section 6.2), and a character that
// an encoder cut in two is whole again.
func (p *piece) unfold(b []byte, from, to int) {
	raw, set := &piece{}, "" // the bytes of words that follow each other in one character set
	flush := func() {
		p.words(raw, set)
		raw = &piece{}
	}
	for i := from; ; {
		n := bytes.Index(b[i:to], []byte("=?"))
		if n < 0 {
			break
		}
		word, end := encodedWord(b[i+n : to])
		if end == 0 {
			i += n + 2
			continue
		}
		if len(raw.text) == 0 || len(bytes.TrimSpace(b[from:i+n])) > 0 {
			flush()
			p.copy(b, from, i+n)
		} else if word.charset != set {
			flush()
		}
		set = word.charset
		i += n
		if word.base64 {
			raw.base64(b, i+word.from, i+word.to)
		} else {
			raw.quoted(b, i+word.from, i+word.to)
		}
		i += end
		from = i
	}
	flush()
	p.copy(b, from, to)
}

// words appends the decoded words raw, which are in a character set.
func (p *piece) words(raw *piece, set string) {
	if len(raw.text) == 0 {
		return
	}
	text, known := toUTF8(raw.text, set)
	if !known && !validutf8.Is(raw.text) {
		text = &piece{}
		text.mixed(raw.text)
	}
	if text == nil {
		p.add(raw, 0, len(raw.text), 0)
		return
	}
	p.through(raw, text)
}

// A word is where the text of an encoded word stands in it.
type word struct {
	charset  string // lower case, without a language
	base64   bool
	from, to int
}

// encodedWord reads the encoded word that b begins with and gives its length, 0
// where there is none. The text of one in "Q" may hold blanks, as careless writers
// leave them.
func encodedWord(b []byte) (w word, length int) {
	n := wordEnd(b)
	if n == 0 {
		return w, 0
	}
	charset, rest, _ := bytes.Cut(b[2:n-2], []byte("?"))
	encoding, _, _ := bytes.Cut(rest, []byte("?"))
	charset, _, _ = bytes.Cut(charset, []byte("*")) // RFC 2231, section 5
	switch string(encoding) {
	case "b", "B":
		w.base64 = true
	case "q", "Q":
	default:
		return w, 0
	}
	w.charset = strings.ToLower(string(charset))
	w.from, w.to = n-2-(len(rest)-2), n-2
	return w, n
}

// quoted appends the "Q" encoding of RFC 2047, section 4.2.
func (p *piece) quoted(b []byte, from, to int) {
	for i := from; i < to; i++ {
		if b[i] == '_' {
			p.put(" ", i, i+1)
			continue
		}
		if b[i] == '=' && i+2 < to {
			hi, ok1 := unhex(b[i+1])
			lo, ok2 := unhex(b[i+2])
			if ok1 && ok2 {
				p.put(string([]byte{hi<<4 | lo}), i, i+3)
				i += 2
				continue
			}
		}
		p.copy(b, i, i+1)
	}
}

// wordEnd is the length of the encoded word that b begins with, or 0.
func wordEnd(b []byte) int {
	marks := 0
	for i := 2; i < len(b) && i < 2048 && !isSpace(b[i]); i++ {
		if b[i] == '?' {
			if marks++; marks == 3 {
				if i+1 < len(b) && b[i+1] == '=' {
					return i + 2
				}
				return 0
			}
		}
	}
	return 0
}

// part reads the body data[from:to] of a message or MIME part.
func (s *scan) part(v *view, h header, from, to int) {
	if s.over() || from >= to {
		return
	}
	if strings.HasPrefix(h.kind, "multipart/") && h.params["boundary"] != "" {
		s.multipart(v, h.params["boundary"], from, to)
		return
	}
	p := &piece{}
	switch h.encoding {
	case "quoted-printable":
		p.quotedPrintable(v.data, from, to)
	case "base64":
		p.base64(v.data, from, to)
	default:
		p.copy(v.data, from, to)
	}
	s.apart(func() { s.body(v, h, p) })
}

// body reads a part's body, its transfer encoding undone.
func (s *scan) body(v *view, h header, p *piece) {
	inner, set := v.within(p), h.params["charset"]
	switch {
	case h.kind == "text/plain" || h.kind == "" && h.name == "":
		if h.name != "" && !textual(s.f.formatOf(h.name, p.text)) {
			break
		}
		if inner, _ = s.inCharset(inner, set); inner.way != p {
			p = inner.way
		} else if latin(set) && !validutf8.Is(p.text) {
			q := &piece{}
			q.mixed(p.text)
			inner, p = inner.within(q), q
		}
		q := &piece{}
		q.plainMail(p.text, strings.EqualFold(h.params["format"], "flowed"), strings.EqualFold(h.params["delsp"], "yes"))
		s.prose(inner, q, "")
		return
	case h.kind == "message/rfc822" || h.kind == "message/global" || h.kind == "message/partial":
		s.nested(inner, s.mail)
		return
	case h.kind == "message/delivery-status":
		s.prose(v, p, "")
		return
	}
	format := byMediaType(h.kind)
	if format == "" {
		format = s.f.formatOf(h.name, p.text)
	}
	s.nested(inner, func(v *view) {
		s.given = set
		s.read(v, format, h.name)
	})
}

// apart reads a document beside others, whose base URL and character set are its
// own.
func (s *scan) apart(read func()) {
	base, first := s.base, len(s.matches)
	s.base, s.charset, s.given = "", "", ""
	read()
	for i := first; i < len(s.matches) && s.base != ""; i++ {
		if m := &s.matches[i]; m.Base == "" {
			m.Base = s.base
		}
	}
	s.base, s.charset, s.given = base, "", ""
}

// latin reports whether bytes that are no UTF-8 are those of Windows-1252 in a
// character set, which says that all are ASCII or UTF-8, or nothing at all.
func latin(charset string) bool {
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8":
		return true
	}
	return false
}

// textual reports whether a format is one that plain text may be taken for.
func textual(format string) bool { return format == "text" || format == "" }

// multipart reads the parts between the boundary's lines: RFC 2046, section 5.1.1.
func (s *scan) multipart(v *view, boundary string, from, to int) {
	b, dash := v.data, []byte("--"+boundary)
	start := -1
	for i := from; i < to && !s.over(); {
		next := min(lineEnd(b, i), to)
		if line := b[i:next]; bytes.HasPrefix(line, dash) {
			rest := bytes.TrimRight(line[len(dash):], " \t\r\n")
			last := string(rest) == "--"
			if last || len(rest) == 0 {
				if start >= 0 {
					s.bodyPart(v, start, i)
				}
				start = next
				if last {
					return
				}
			}
		}
		i = next
	}
	if start >= 0 {
		s.note(v, to, "the last part of a multipart message is never closed")
		s.bodyPart(v, start, to)
	}
}

func (s *scan) bodyPart(v *view, from, to int) {
	p := &piece{}
	p.copy(v.data, from, to)
	s.nested(v.within(p), s.mail)
}

// plainMail takes quotation marks from the beginnings of lines and joins flowed
// lines (RFC 3676).
func (p *piece) plainMail(b []byte, flowed, delsp bool) {
	for i := 0; i < len(b); {
		next := lineEnd(b, i)
		start := i
		for start < next && b[start] == '>' {
			start++
			if start < next && b[start] == ' ' {
				start++
			}
		}
		if flowed && start == i && start < next && b[start] == ' ' {
			start++ // space-stuffed
		}
		end := next
		for end > start && (b[end-1] == '\n' || b[end-1] == '\r') {
			end--
		}
		if flowed && end > start && b[end-1] == ' ' && string(b[start:end]) != "-- " {
			if delsp {
				end--
			}
			p.copy(b, start, end)
			i = next
			continue
		}
		p.copy(b, start, next)
		i = next
	}
}

// quotedPrintable decodes RFC 2045, section 6.7. What is no escape stays.
func (p *piece) quotedPrintable(b []byte, from, to int) {
	for from < to {
		n := bytes.IndexByte(b[from:to], '=')
		if n < 0 {
			break
		}
		p.copy(b, from, from+n)
		from += n
		if end := softBreak(b[from:to]); end > 0 {
			from += end
			continue
		}
		if from+2 < to {
			hi, ok1 := unhex(b[from+1])
			lo, ok2 := unhex(b[from+2])
			if ok1 && ok2 {
				p.put(string([]byte{hi<<4 | lo}), from, from+3)
				from += 3
				continue
			}
		}
		p.copy(b, from, from+1)
		from++
	}
	p.copy(b, from, to)
}

// softBreak is the length of "=", blanks and a line's end at the start of b.
func softBreak(b []byte) int {
	i := 1
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	if i < len(b) && b[i] == '\r' {
		i++
	}
	if i < len(b) && b[i] == '\n' {
		return i + 1
	}
	if i == len(b) {
		return i
	}
	return 0
}

// base64 decodes RFC 2045, section 6.8: what is not of the alphabet is passed
// over. A span in it points at the characters that hold it.
func (p *piece) base64(b []byte, from, to int) {
	var group [4]byte
	n, start := 0, from
	flush := func(end int) {
		if n < 2 {
			return
		}
		bits := uint32(group[0])<<18 | uint32(group[1])<<12 | uint32(group[2])<<6 | uint32(group[3])
		out := []byte{byte(bits >> 16), byte(bits >> 8), byte(bits)}
		p.put(string(out[:n-1]), start, end)
	}
	for i := from; i < to; i++ {
		c := b[i]
		if c == '=' {
			break
		}
		d, ok := base64Digit(c)
		if !ok {
			continue
		}
		if n == 0 {
			start = i
		}
		group[n] = d
		if n++; n == 4 {
			flush(i + 1)
			n, group = 0, [4]byte{}
		}
	}
	flush(to)
}

func base64Digit(c byte) (byte, bool) {
	switch {
	case 'A' <= c && c <= 'Z':
		return c - 'A', true
	case 'a' <= c && c <= 'z':
		return c - 'a' + 26, true
	case '0' <= c && c <= '9':
		return c - '0' + 52, true
	case c == '+' || c == '-':
		return 62, true
	case c == '/' || c == '_':
		return 63, true
	}
	return 0, false
}

// lineEnd is where the line that holds b[i] ends, its line break included.
func lineEnd(b []byte, i int) int {
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(b)
}
