package smtp

import (
	"errors"
	"fmt"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"anyurl"
	"anyurl/scheme"
	"anyurl/scheme/mailserver"
	mailto "anyurl/scheme/mailto"
)

// A Letter is the message that a mailto or a mailserver URL stands for, on its
// way to be written down as RFC 5322 has it. Addresses are in the form that
// mail carries, their domains in ASCII.
type Letter struct {
	// From is who writes, an address or "Name <address>"; a draft may have none.
	From string
	// To, Cc and Bcc are who gets it.
	To, Cc, Bcc []string
	// Subject and Body are text. The Body's lines end in CR LF.
	Subject, Body string
	// Fields are the other header fields that a URL may ask for.
	Fields []mailto.Field
	// Refused are those that it may not (RFC 6068, sections 4 and 7): they could
	// forge who writes, lead the letter elsewhere or change how it is read. They
	// are in no letter; show them to whoever is about to send it.
	Refused []mailto.Field
	// Date and ID, the Message-ID without its brackets, are of a letter that is
	// sent; a draft has none.
	Date time.Time
	ID   string
}

// Compose gives the letter that a mailto URL stands for.
func Compose(ref mailto.Ref) (Letter, error) {
	l := Letter{Subject: ref.Subject, Body: ref.Body}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&l.To, ref.To}, {&l.Cc, ref.Cc}, {&l.Bcc, ref.Bcc}} {
		for _, a := range list.from {
			a, err := carried(a)
			if err != nil {
				return Letter{}, err
			}
			*list.to = append(*list.to, a)
		}
	}
	has := map[string]bool{}
	for _, f := range ref.Fields {
		if fit(f, has[f.Name]) {
			l.Fields = append(l.Fields, f)
			has[f.Name] = true
		} else {
			l.Refused = append(l.Refused, f)
		}
	}
	return l, nil
}

// Request gives the letter that a mailserver URL stands for.
func Request(ref mailserver.Ref) (Letter, error) {
	return Compose(mailto.Ref{To: []string{ref.To}, Subject: ref.Subject, Body: ref.Body})
}

// fit reports whether a letter takes f; again says that it has one of its name.
func fit(f mailto.Field, again bool) bool {
	if !mailto.Safe(f.Name) {
		return false
	}
	switch f.Name {
	case "in-reply-to", "references": // RFC 5322, section 3.6: once, and message-ids alone
		return !again && messageIDs(f.Value)
	}
	return true
}

// messageIDs reports whether s is 1*msg-id (RFC 5322, section 3.6.4).
func messageIDs(s string) bool {
	words := strings.Fields(s)
	for _, w := range words {
		inner, ok := strings.CutPrefix(w, "<")
		inner, ok2 := strings.CutSuffix(inner, ">")
		if !ok || !ok2 || !strings.Contains(inner, "@") || len(w) > longWord ||
			strings.ContainsFunc(inner, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' }) {
			return false
		}
	}
	return len(words) > 0
}

// carried gives an address as mail carries it: its domain in ASCII (RFC 6068,
// section 2, step 5; RFC 5891).
func carried(address string) (string, error) {
	at := strings.LastIndexByte(address, '@')
	local, domain := address[:at+1], address[at+1:]
	if ascii(domain) {
		return address, nil
	}
	h, err := anyurl.ParseHost(domain, true)
	if err != nil || h.Kind() != anyurl.HostDomain {
		return "", fmt.Errorf("the domain of %s is no host name: %w", address, errors.Join(err, errDomain))
	}
	return local + h.String(), nil
}

var errDomain = errors.New("an address needs a domain")

// Recipients are everybody who gets the letter, each once.
func (l Letter) Recipients() []string {
	var all []string
	has := map[string]bool{}
	for _, a := range slices.Concat(l.To, l.Cc, l.Bcc) {
		if !has[a] {
			has[a] = true
			all = append(all, a)
		}
	}
	return all
}

// Sender gives the address alone of From; an error if it is none.
func (l Letter) Sender() (string, error) {
	a, err := l.sender()
	if err != nil {
		return "", err
	}
	return a.Address, nil
}

func (l Letter) sender() (*mail.Address, error) {
	a, err := mail.ParseAddress(l.From)
	if err != nil || !scheme.IsAddrSpec(a.Address) {
		return nil, fmt.Errorf("the sender %q is no mail address", l.From)
	}
	a.Address, err = carried(a.Address)
	return a, err
}

// International reports whether an address is of the kind that only RFC 6531
// (SMTPUTF8) carries.
func (l Letter) International() bool {
	from, _ := l.Sender()
	return !ascii(from) || slices.ContainsFunc(l.Recipients(), func(a string) bool { return !ascii(a) })
}

// Type is the letter's media type: RFC 5322's, or RFC 6532's where an address
// wants it.
func (l Letter) Type() string {
	if l.International() {
		return "message/global"
	}
	return "message/rfc822"
}

// String writes the letter with its blind copies named, as a draft that is to
// be looked at has them. See [Letter.Sent].
func (l Letter) String() string { return l.write(true) }

// Sent writes the letter as it goes out: nobody reads in it who gets a blind copy.
func (l Letter) Sent() string { return l.write(false) }

func (l Letter) write(blind bool) string {
	var b strings.Builder
	if !l.Date.IsZero() {
		fold(&b, "Date", l.Date.Format("Mon, 2 Jan 2006 15:04:05 -0700"))
	}
	if from, err := l.sender(); err == nil {
		fold(&b, "From", named(from))
	}
	addresses(&b, "To", l.To)
	addresses(&b, "Cc", l.Cc)
	if blind {
		addresses(&b, "Bcc", l.Bcc)
	}
	if l.Subject != "" {
		text(&b, "Subject", l.Subject)
	}
	if l.ID != "" {
		fold(&b, "Message-ID", "<"+l.ID+">")
	}
	for _, f := range l.Fields {
		switch f.Name {
		case "in-reply-to":
			fold(&b, "In-Reply-To", strings.Fields(f.Value)...)
		case "references":
			fold(&b, "References", strings.Fields(f.Value)...)
		default: // "keywords", "comments"
			text(&b, strings.ToUpper(f.Name[:1])+f.Name[1:], f.Value)
		}
	}
	b.WriteString("MIME-Version: 1.0\r\n")
	body := l.Body
	if body != "" && !strings.HasSuffix(body, "\r\n") {
		body += "\r\n"
	}
	if plain(body) {
		b.WriteString("Content-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n")
		b.WriteString(body)
		return b.String()
	}
	b.WriteString("Content-Type: text/plain; charset=" + charset(body) + "\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(body)) // a Builder never fails
	w.Close()
	return b.String()
}

// named writes an address with the name before it.
func named(a *mail.Address) string {
	switch {
	case a.Name == "":
		return a.Address
	case strings.ContainsFunc(a.Name, func(r rune) bool { return r < ' ' || r > '~' }):
		return strings.Join(encoded(a.Name), " ") + " <" + a.Address + ">"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.Name) + `" <` + a.Address + ">"
}

// The bounds of RFC 5322, section 2.1.1, without CR LF: what a line should
// have, and what it must not exceed.
const (
	lineShould = 78
	lineMust   = 998
	// longWord is the longest word that is written as it is.
	longWord = 400
)

// plain reports whether a text can be sent as it is: RFC 2045, section 2.7.
func plain(body string) bool {
	for line := range strings.SplitSeq(body, "\r\n") {
		if len(line) > lineMust || !ascii(line) {
			return false
		}
	}
	return true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// charset names the character set of a URL's octets: RFC 6068 says UTF-8; of
// others nobody knows (RFC 1428, section 4).
func charset(s string) string {
	if utf8.ValidString(s) {
		return "utf-8"
	}
	return "unknown-8bit"
}

// addresses writes a field of addresses.
func addresses(b *strings.Builder, name string, list []string) {
	if len(list) == 0 {
		return
	}
	words := make([]string, len(list))
	for i, a := range list {
		words[i] = a
		if i < len(list)-1 {
			words[i] += ","
		}
	}
	fold(b, name, words...)
}

// text writes a field that a person reads (RFC 5322, section 3.6.5), as encoded
// words (RFC 2047) where it would not stay what it is otherwise.
func text(b *strings.Builder, name, value string) {
	words := strings.Split(value, " ")
	for i, w := range words {
		// An empty word stands between two spaces; one at an end would be lost.
		ends := w == "" && (i == 0 || i == len(words)-1)
		if ends || len(w) > longWord || strings.Contains(w, "=?") || strings.ContainsFunc(w, func(r rune) bool { return r < ' ' || r > '~' }) {
			fold(b, name, encoded(value)...)
			return
		}
	}
	fold(b, name, words...)
}

// fold writes a field; between two words a line may end (RFC 5322, section 2.2.3).
func fold(b *strings.Builder, name string, words ...string) {
	b.WriteString(name + ":")
	n := len(name) + 1
	for i, w := range words {
		// A line of blanks alone is the obsolete syntax: neither word is empty.
		if n+1+len(w) > lineShould && i > 0 && w != "" && words[i-1] != "" {
			b.WriteString("\r\n")
			n = 0
		}
		b.WriteString(" " + w)
		n += 1 + len(w)
	}
	b.WriteString("\r\n")
}

// encoded gives s as encoded words of RFC 2047, each within 75 octets and none
// with half a character, in the "Q" encoding with what a phrase allows of it.
func encoded(s string) []string {
	head := "=?" + charset(s) + "?Q?"
	var words []string
	var b strings.Builder
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		piece := ""
		for i := range n {
			switch c := s[i]; {
			case c == ' ':
				piece += "_"
			case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', strings.IndexByte("!*+-/", c) >= 0:
				piece += string(rune(c))
			default:
				piece += fmt.Sprintf("=%02X", c)
			}
		}
		s = s[n:]
		if len(head)+b.Len()+len(piece)+len("?=") > 75 {
			words = append(words, head+b.String()+"?=")
			b.Reset()
		}
		b.WriteString(piece)
	}
	return append(words, head+b.String()+"?=")
}
