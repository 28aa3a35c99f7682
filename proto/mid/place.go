package mid

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"anyurl"
	"anyurl/fetch"
	"anyurl/percent"
)

// A mailbox is an IMAP URL's: RFC 5092.
type mailbox struct {
	host, port     string
	tls            bool // from the first octet
	user, password string
	name           string // "" for all that the server has
}

func (m mailbox) addr() string { return net.JoinHostPort(m.host, m.port) }

// readMailbox reads a place that is an IMAP server's. The error shows nothing of
// it: there may be a password in it.
func readMailbox(s string) (mailbox, error) {
	bad := &fetch.Error{Step: fetch.Reading, Err: errors.New("the mailbox that is configured is no URL of an IMAP server"),
		Hint: "write imap://user:password@host/INBOX, or imaps:// in front for TLS from the start"}
	u, err := anyurl.Parse(s)
	if err != nil || u.Host().Unbracketed() == "" {
		return mailbox{}, bad
	}
	// enc-user [";AUTH=" enc-auth-type]: the kind of login is the server's to offer.
	user, _, _ := strings.Cut(u.Username(), ";")
	user, _, _ = strings.Cut(user, "%3B") // as the URL Standard writes it
	m := mailbox{host: percent.Decode(u.Host().Unbracketed()), port: "143", tls: u.Scheme() == "imaps",
		user: percent.Decode(user), password: percent.Decode(u.Password()),
		name: percent.Decode(strings.Trim(u.Path(), "/"))}
	if strings.Contains(u.Path(), ";") { // ";UID=", ";UIDVALIDITY=": more than a mailbox
		return mailbox{}, bad
	}
	if m.tls {
		m.port = "993"
	}
	if u.HasPort() {
		m.port = strconv.Itoa(int(u.Port()))
	}
	return m, nil
}
