// Package smtp opens mailto and mailserver URLs. Neither points at data: what
// comes is the letter that the URL stands for, as a draft (RFC 5322), and
// nothing is sent. A [Transport] that was told to sends it, too, to the one
// mail server that its user configured (RFC 5321, RFC 6409). Start with [New];
// [Conn] is the conversation alone, [Letter] the letter.
//
// Composing and sending share the room because nothing else does either: the
// letter's form decides what the server must be able to do.
package smtp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyurl"
	"anyurl/dial"
	"anyurl/fetch"
	"anyurl/internal/wire"
	"anyurl/percent"
	"anyurl/scheme/mailserver"
	mailto "anyurl/scheme/mailto"
)

// A Transport opens mailto and mailserver URLs.
type Transport struct {
	// Dialer connects.
	Dialer *dial.Dialer
	// Send has each letter sent; else it is only written. A URL is a stranger's:
	// set this when the user has said so for the URLs at hand.
	Send bool
	// Server is where letters go: "host", "host:port", or an smtp or smtps URL
	// with a user and a password. The port is 587, for smtps 465, unless said.
	Server string
	// User and Password are who we are to it, where Server does not say so.
	User, Password string
	// From is who writes, an address or "Name <address>".
	From string
	// ClearText permits sending a letter without TLS to another machine, where
	// the server offers none. A password is never sent so.
	ClearText bool
	// Now gives the time of a letter that is sent; nil is the clock.
	Now func() time.Time
	// ID gives the left side of its Message-ID; nil is random.
	ID func() string
}

// Schemes are the schemes that a Transport opens.
func Schemes() []string { return []string{"mailto", "mailserver"} }

// New returns a Transport that writes letters and sends none. d is for those
// that are sent; see [Transport.Send].
func New(d *dial.Dialer) *Transport { return &Transport{Dialer: d} }

// MaxRecipients is how many get one letter: RFC 5321, section 4.5.3.1.8, has
// every server take so many.
const MaxRecipients = 100

// Fetch gives the letter that a mailto or mailserver URL stands for; if it was
// sent, as it was sent. The Response's Header has "Refused-Field" for each field
// that the URL asks for and the letter does not have, and "Sent-To" for each
// recipient.
func (t *Transport) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	letter, err := read(req.URL)
	if err != nil {
		return nil, fetch.Fail(fetch.Reading, err)
	}
	letter.From = t.From
	if t.From != "" {
		if _, err := letter.Sender(); err != nil {
			return nil, fetch.Fail(fetch.Reading, err)
		}
	}
	resp := &fetch.Response{URL: req.URL, Protocol: req.URL.Scheme(), Header: map[string][]string{}}
	for _, f := range letter.Refused {
		resp.Header["Refused-Field"] = append(resp.Header["Refused-Field"], f.Name+": "+f.Value)
	}
	text := letter.String()
	switch {
	case !t.Send:
	case req.Head():
		return nil, &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported, Err: errors.New("a letter is sent whole, or not at all")}
	default:
		if err := t.complete(&letter); err != nil {
			return nil, err
		}
		text = letter.Sent()
		said, err := t.send(ctx, req, letter, text)
		if err != nil {
			return nil, err
		}
		resp.Protocol, resp.Status = "smtp", 250
		resp.Header["Sent-To"], resp.Header["Server-Said"] = letter.Recipients(), []string{said}
	}
	resp.Type, resp.Size = letter.Type(), int64(len(text))
	if req.Head() {
		text = ""
	}
	resp.Body = io.NopCloser(strings.NewReader(text))
	return resp, nil
}

// read gives the letter of a URL.
func read(u anyurl.URL) (Letter, error) {
	if u.Scheme() == "mailserver" {
		ref, err := mailserver.Read(u)
		if err != nil {
			return Letter{}, err
		}
		return Request(ref)
	}
	ref, err := mailto.Read(u)
	if err != nil {
		return Letter{}, err
	}
	return Compose(ref)
}

// complete gives a letter what one that is sent must have.
func (t *Transport) complete(l *Letter) error {
	fail := func(text, hint string) error {
		return &fetch.Error{Step: fetch.Reading, Err: errors.New(text), Hint: hint}
	}
	all := l.Recipients()
	switch {
	case len(all) == 0:
		return fail("the URL names nobody to write to", "")
	case len(all) > MaxRecipients:
		return fail(fmt.Sprintf("the URL writes to %d people, and at most %d get one letter", len(all), MaxRecipients), "")
	case l.From == "":
		return fail("a letter is not sent without the address of who writes it", "name yours with --from or in the environment variable EMAIL, as in kim@a.example")
	}
	from, err := l.Sender()
	if err != nil {
		return fail(err.Error(), "")
	}
	for _, a := range append(all, from) {
		// RFC 5321, section 4.5.3.1: 64 octets, and 256 of a path with its brackets.
		if at := strings.LastIndexByte(a, '@'); at > 64 || len(a) > 254 {
			return fail(fmt.Sprintf("the address %s is longer than mail carries (RFC 5321, section 4.5.3.1)", wire.Quote(a)), "")
		}
	}
	l.Date = time.Now()
	if t.Now != nil {
		l.Date = t.Now()
	}
	id := rand.Text()
	if t.ID != nil {
		id = t.ID()
	}
	l.ID = id + from[strings.LastIndexByte(from, '@'):]
	return nil
}

// A server is where letters go.
type server struct {
	host, port     string
	tls            bool // from the first octet
	user, password string
}

// readServer reads what a user says of a server. The error shows nothing of it:
// there may be a password in it.
func readServer(s string) (server, error) {
	bad := &fetch.Error{Step: fetch.Reading, Err: errors.New("the mail server that is configured has no form that is known"),
		Hint: "write host:port, or smtp://user:password@host:port, or smtps:// in front for TLS from the start"}
	if !strings.Contains(s, "://") {
		host, port, err := net.SplitHostPort(s)
		if err != nil {
			host, port = strings.Trim(s, "[]"), "587"
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || host == "" {
			return server{}, bad
		}
		return server{host: host, port: port}, nil
	}
	u, err := anyurl.Parse(s)
	if err != nil || u.Scheme() != "smtp" && u.Scheme() != "smtps" || u.Host().Unbracketed() == "" || strings.Trim(u.Path(), "/") != "" {
		return server{}, bad
	}
	v := server{host: percent.Decode(u.Host().Unbracketed()), port: "587", tls: u.Scheme() == "smtps",
		user: percent.Decode(u.Username()), password: percent.Decode(u.Password())}
	if v.tls {
		v.port = "465"
	}
	if u.HasPort() {
		v.port = strconv.Itoa(int(u.Port()))
	}
	return v, nil
}

// send hands a letter over and gives what the server said to it.
func (t *Transport) send(ctx context.Context, req *fetch.Request, l Letter, text string) (said string, err error) {
	if t.Server == "" {
		return "", &fetch.Error{Step: fetch.Reading, Kind: fetch.ErrUnsupported,
			Err: errors.New("no mail server is configured to send letters through"), Hint: "name one with --smtp or in the environment variable SMTPSERVER, as in smtp://user:password@mail.a.example"}
	}
	to, err := readServer(t.Server)
	if err != nil {
		return "", err
	}
	if to.user == "" {
		to.user, to.password = t.User, t.Password
	}
	conn, at, err := t.Dialer.Dial(ctx, "tcp", net.JoinHostPort(to.host, to.port))
	if err != nil {
		return "", fetch.Fail(fetch.Connecting, err)
	}
	if to.tls {
		secure, err := t.Dialer.StartTLS(ctx, conn, to.host)
		if err != nil {
			return "", fetch.Fail(fetch.TLS, err)
		}
		conn = secure
	}
	defer wire.Watch(ctx, conn)()
	c := NewConn(conn, wire.Limits{Line: max(req.Limits.MaxLine, 0), Reply: max(req.Limits.MaxHeader, 0)})
	if trace := fetch.VeilTrace(req.Trace, to.user, to.password); trace != nil {
		c.Log(func(sent bool, line string) {
			kind := byte('<')
			if sent {
				kind = '>'
			}
			trace(fetch.Event{Kind: kind, Text: line})
		})
	}
	loopback := at.IsValid() && at.Addr().IsLoopback()
	if err := t.introduce(ctx, c, to, ownName(conn), loopback); err != nil {
		c.Close()
		return "", err
	}
	said, err = handOver(c, l, text)
	if err != nil {
		c.Close()
		return "", err
	}
	c.Quit()
	return said, nil
}

// ownName is this machine as it says hello: RFC 5321, section 4.1.3, for who
// has no name that others know.
func ownName(conn net.Conn) string {
	at, err := netip.ParseAddrPort(conn.LocalAddr().String())
	switch a := at.Addr().Unmap().WithZone(""); {
	case err != nil:
		return "[127.0.0.1]"
	case a.Is4():
		return "[" + a.String() + "]"
	default:
		return "[IPv6:" + a.String() + "]"
	}
}

// introduce goes as far as the server will take a letter: greeting, TLS, login.
func (t *Transport) introduce(ctx context.Context, c *Conn, to server, name string, loopback bool) error {
	if err := c.Greeting(); err != nil {
		return failed(fetch.Greeting, err)
	}
	if err := c.Hello(name); err != nil {
		return failed(fetch.Greeting, err)
	}
	secure := to.tls
	_, offered := c.Can("STARTTLS")
	_, login := c.Can("AUTH")
	// Nobody listens in on this machine's own loopback, and the certificates
	// there are rarely such as can be checked: TLS is for what takes it.
	wanted := !loopback || to.user != "" && !login
	if offered && wanted && !secure {
		err := c.StartTLS(ctx, func(conn net.Conn) (net.Conn, error) { return t.Dialer.StartTLS(ctx, conn, to.host) })
		if err != nil {
			return failed(fetch.TLS, err)
		}
		secure = true
		if err := c.Hello(name); err != nil {
			return failed(fetch.Greeting, err)
		}
	}
	if !secure && !loopback && !t.ClearText {
		return &fetch.Error{Step: fetch.TLS, Kind: fetch.ErrRefused, Err: errors.New("the server offers no TLS, and a letter is not sent without it")}
	}
	if to.user == "" {
		return nil
	}
	if !secure && !loopback {
		return &fetch.Error{Step: fetch.Login, Kind: fetch.ErrRefused, Err: errors.New("the server offers no TLS, and a password is not sent without it")}
	}
	if err := c.Login(to.user, to.password); err != nil {
		return fetch.Veil(failed(fetch.Login, err), to.user, to.password)
	}
	return nil
}

// handOver sends a letter to all of its recipients, or, when one of them is
// refused, to none.
func handOver(c *Conn, l Letter, text string) (said string, err error) {
	parameters, err := wants(c, l, text)
	if err != nil {
		return "", err
	}
	from, err := l.Sender()
	if err != nil {
		return "", fetch.Fail(fetch.Reading, err)
	}
	if err := c.Mail(from, parameters...); err != nil {
		return "", refused("MAIL FROM", from, err)
	}
	var first *fetch.Error
	more := 0
	for _, a := range l.Recipients() {
		err := c.Recipient(a)
		if err == nil {
			continue
		}
		e := refused("RCPT TO", a, err)
		var no *Refusal
		if !errors.As(err, &no) {
			return "", e
		}
		if first == nil {
			first = e
		} else {
			more++
		}
	}
	if first != nil {
		if more > 0 {
			first.Err = fmt.Errorf("%w; so it did for %d more", first.Err, more)
		}
		first.Hint = "the letter was sent to nobody"
		return "", first
	}
	if err := c.Data(); err != nil {
		return "", refused("DATA", "", err)
	}
	said, err = c.Letter(strings.NewReader(text))
	var no *Refusal
	if err != nil && !errors.As(err, &no) {
		// Not the cause itself: whoever sees a broken connection in it may ask
		// again, and the letter would go out twice.
		return "", &fetch.Error{Step: fetch.Sending, Err: fmt.Errorf("the server did not say whether it took the letter: %v", err),
			Hint: "the letter may have been sent"}
	}
	if err != nil {
		return "", refused("the letter", "", err)
	}
	return said, nil
}

// wants gives the parameters of MAIL that the letter needs, of what the server
// can do.
func wants(c *Conn, l Letter, text string) (parameters []string, err error) {
	if most, ok := c.Can("SIZE"); ok { // RFC 1870
		if n, err := strconv.ParseInt(strings.TrimSpace(most), 10, 64); err == nil && n > 0 && int64(len(text)) > n {
			return nil, &fetch.Error{Step: fetch.Sending, Kind: fetch.ErrTooLarge,
				Err: fmt.Errorf("the letter has %d octets, and the server takes at most %d", len(text), n)}
		}
		parameters = append(parameters, "SIZE="+strconv.Itoa(len(text)))
	}
	if ascii(text) && !l.International() {
		return parameters, nil
	}
	// RFC 6531, section 3.1: whoever takes such addresses takes octets, too.
	if _, ok := c.Can("SMTPUTF8"); !ok {
		return nil, &fetch.Error{Step: fetch.Sending, Kind: fetch.ErrUnsupported,
			Err: errors.New("the letter has an address beyond ASCII, and the server takes none (it has no SMTPUTF8)")}
	}
	return slices.Concat(parameters, []string{"BODY=8BITMIME", "SMTPUTF8"}), nil
}

// refused says which command failed.
func refused(command, about string, err error) *fetch.Error {
	var e *fetch.Error
	if !errors.As(failed(fetch.Sending, err), &e) {
		return &fetch.Error{Step: fetch.Sending, Err: err}
	}
	own := *e
	if about != "" {
		command += " " + wire.Quote(about)
	}
	own.Err = fmt.Errorf("%s: %w", command, own.Err)
	return &own
}

// failed says in fetch's words why a step failed.
func failed(step string, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return &fetch.Error{Step: step, Kind: fetch.ErrTruncated, Err: errors.New("the server closed the connection")}
		}
		return fetch.Fail(step, err)
	}
	e := &fetch.Error{Step: step, Status: r.Code, Said: r.Text, Err: r}
	switch {
	case r.Code == 552 || strings.HasSuffix(r.Enhanced, ".2.3") || strings.HasSuffix(r.Enhanced, ".3.4"):
		e.Kind = fetch.ErrTooLarge
	case r.Code < 500:
		e.Kind = fetch.ErrBusy
	case r.Code == 550 && (r.Enhanced == "" || strings.HasPrefix(r.Enhanced, "5.1.")), r.Code == 551, r.Code == 553:
		e.Kind = fetch.ErrNotFound
	case r.Code == 530, r.Code == 534, r.Code == 535, r.Code == 538, strings.HasPrefix(r.Enhanced, "5.7."):
		e.Kind = fetch.ErrDenied
	case r.Code >= 500 && r.Code <= 504, r.Code == 555:
		e.Kind = fetch.ErrUnsupported
	}
	return e
}
