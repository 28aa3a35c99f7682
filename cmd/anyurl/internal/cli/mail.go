package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/fetch"
	"anyurl/percent"
	"anyurl/proto/builtin"
)

// A mailAsk is what the flags of get ask for where mail is concerned.
type mailAsk struct {
	send, clear  bool
	server, from string
	places       []string
}

func (m *mailAsk) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&m.send, "send", false, "send the letter of a mailto or mailserver URL; else it is only written")
	f.StringVar(&m.server, "smtp", "", "send it through this `SERVER`: host:port, or smtp:// or smtps:// with a user and a password (default $SMTPSERVER)")
	f.StringVar(&m.from, "from", "", "send it from this `ADDRESS` (default $EMAIL)")
	f.StringArrayVar(&m.places, "mail", nil, "look for mid and cid URLs in this `PLACE`: a message, an mbox, a Maildir, a folder of .eml files, or imap://USER:PASSWORD@HOST/INBOX; may be given again (default $MAILDIR and $MAIL)")
	f.BoolVar(&m.clear, "smtp-clear", false, "send it without TLS, too, where the server has none; a password never goes so")
}

// into gives the transports what they need to know, where flags say nothing
// from the environment and the configuration file.
func (m mailAsk) into(o *builtin.Options, setting func(table, key string) string) {
	o.Mail = builtin.Mail{Send: m.send, ClearText: m.clear,
		Server: cmp.Or(m.server, setting("smtp", "server")), From: cmp.Or(m.from, setting("smtp", "from"))}
	if m.server == "" { // who a server knows us as belongs to that server
		o.Mail.User, o.Mail.Password = setting("smtp", "user"), setting("smtp", "password")
	}
	if o.Mailboxes = m.places; len(m.places) > 0 {
		return
	}
	for _, key := range []string{"maildir", "box"} {
		if place := setting("mail", key); place != "" {
			o.Mailboxes = append(o.Mailboxes, place)
		}
	}
}

// noteLetter says of a letter what does not stand in it: which fields the URL
// asks for in vain, and who gets it.
func (c *call) noteLetter(r *fetch.Result) {
	for _, field := range r.Header["Refused-Field"] {
		name, value, _ := strings.Cut(field, ": ")
		c.note("the letter leaves out the field %s, which a URL may not ask for (RFC 6068, section 4); it would say %s", name, value)
	}
	if to := r.Header["Sent-To"]; len(to) > 0 {
		c.note("the letter was sent to %s", strings.Join(to, ", "))
		if r.URL.Scheme() == "mailserver" {
			c.note("the answer to it comes by mail")
		}
	}
}

// mailName names the file of a letter after whom it is to, and that of a message
// or a part after its identifier; "" for what is no mail.
func mailName(u anyurl.URL) string {
	switch u.Scheme() {
	case "mailto", "mailserver":
		to, _, _ := strings.Cut(u.Path(), "/")
		return percent.Decode(cmp.Or(to, "letter")) + ".eml"
	case "mid":
		message, part, found := strings.Cut(u.Path(), "/")
		if found {
			return percent.Decode(part)
		}
		return percent.Decode(message) + ".eml"
	case "cid":
		return percent.Decode(u.Path())
	}
	return ""
}
