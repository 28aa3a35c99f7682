package smtp

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// A Conn is a conversation with a mail server (RFC 5321). It is not safe for
// use by several goroutines at once, except for Close.
type Conn struct {
	w   *wire.Conn
	ext map[string]string // what the server can do, by EHLO keyword, and how
}

// A Refusal is a server's answer that it will not or cannot.
type Refusal struct {
	Code     int    // 400 to 599
	Enhanced string // the enhanced status code (RFC 3463), as in "5.1.1"; "" if there is none
	Text     string // the server's words; quote them before showing them
}

// Error gives the codes and what the RFCs mean by them, not the server's words.
func (e *Refusal) Error() string {
	code := strconv.Itoa(e.Code)
	if e.Enhanced != "" {
		code += " " + e.Enhanced
	}
	return "the server answered " + code + " (" + e.meaning() + ")"
}

// meaning is RFC 3463's of the enhanced code, else RFC 5321's, section 4.2.3,
// and RFC 4954's, section 6, of the code.
func (e *Refusal) meaning() string {
	_, detail, _ := strings.Cut(e.Enhanced, ".")
	switch detail {
	case "1.1":
		return "no such mailbox"
	case "1.2":
		return "no such mail system"
	case "1.3":
		return "not a mail address to it"
	case "1.6":
		return "the mailbox has moved"
	case "1.7", "1.8":
		return "it does not take the sender's address"
	case "2.1":
		return "the mailbox takes no mail"
	case "2.2":
		return "the mailbox is full"
	case "2.3", "3.4":
		return "the letter is too large"
	case "4.5":
		return "it is overloaded"
	case "6.7":
		return "it takes no addresses beyond ASCII"
	case "7.0", "7.1":
		return "not allowed"
	case "7.8":
		return "the user name or the password is wrong"
	}
	switch e.Code {
	case 421:
		return "service not available"
	case 450, 550:
		return "mailbox unavailable"
	case 451:
		return "an error of its own"
	case 452, 552:
		return "no room"
	case 454, 530:
		return "a login or TLS wanted"
	case 500, 501, 502, 503, 504:
		return "a command it does not take"
	case 534, 535, 538:
		return "the login is refused"
	case 551:
		return "the user is elsewhere"
	case 553:
		return "not a mailbox to it"
	case 554:
		return "it takes no mail"
	case 555:
		return "parameters it does not know"
	}
	if e.Code >= 500 {
		return "refused"
	}
	return "not now"
}

// NewConn starts a conversation on conn, which the Conn then owns. The server
// speaks first: see [Conn.Greeting].
func NewConn(conn net.Conn, limits wire.Limits) *Conn {
	return &Conn{w: wire.NewConn(conn, limits)}
}

// Log has every line told to log, as [wire.Conn] does; a letter's lines are
// not, and neither are passwords.
func (c *Conn) Log(log func(sent bool, line string)) { c.w.Log = log }

// Close ends the connection without a word.
func (c *Conn) Close() error { return c.w.Close() }

// Quit says goodbye and ends the connection. It does not wait for the answer:
// what was taken was taken.
func (c *Conn) Quit() error {
	c.w.Send("QUIT")
	return c.w.Close()
}

// reply reads a reply; one that is not the wanted code is a *Refusal.
func (c *Conn) reply(want ...int) (wire.Reply, error) {
	r, err := c.w.ReadReply()
	if err != nil {
		return r, err
	}
	for _, code := range want {
		if r.Code == code {
			return r, nil
		}
	}
	if r.Code < 400 {
		return r, &wire.Garbled{Line: r.String()}
	}
	return r, &Refusal{Code: r.Code, Enhanced: enhanced(r), Text: r.Text()}
}

// enhanced gives the enhanced status code that a reply's text begins with: RFC
// 2034, section 4. Its class is that of the reply.
func enhanced(r wire.Reply) string {
	word, _, _ := strings.Cut(r.Lines[0], " ")
	parts := strings.Split(word, ".")
	if len(parts) != 3 || parts[0] != strconv.Itoa(r.Code/100) {
		return ""
	}
	for _, p := range parts[1:] {
		if len(p) < 1 || len(p) > 3 || strings.ContainsFunc(p, func(r rune) bool { return r < '0' || r > '9' }) {
			return ""
		}
	}
	return word
}

func (c *Conn) ask(want int, verb string, args ...string) (wire.Reply, error) {
	if err := c.w.Send(verb, args...); err != nil {
		return wire.Reply{}, err
	}
	return c.reply(want)
}

// Greeting reads what the server says first: RFC 5321, section 3.1. Nothing is
// sent before it.
func (c *Conn) Greeting() error {
	_, err := c.reply(220)
	return err
}

// Hello says who we are, and learns what the server can do: RFC 5321, section
// 3.2. A server that knows only HELO can do nothing more.
func (c *Conn) Hello(name string) error {
	c.ext = map[string]string{}
	r, err := c.ask(250, "EHLO", name)
	var no *Refusal
	if errors.As(err, &no) && (no.Code == 500 || no.Code == 502) {
		_, err = c.ask(250, "HELO", name)
		return err
	}
	if err != nil {
		return err
	}
	for _, line := range r.Lines[1:] {
		// ReadReply leaves the code of the lines between.
		line = strings.TrimPrefix(strings.TrimPrefix(line, "250-"), "250 ")
		keyword, args, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
		if mechanisms, old := strings.CutPrefix(keyword, "AUTH="); old { // as servers before RFC 2554 wrote it
			keyword, args = "AUTH", mechanisms+" "+args
		}
		if c.ext[keyword] != "" {
			args = c.ext[keyword] + " " + args
		}
		c.ext[keyword] = args
	}
	return nil
}

// Can reports whether the server said that it knows an extension, and with what
// parameters, in upper case.
func (c *Conn) Can(keyword string) (args string, ok bool) {
	args, ok = c.ext[keyword]
	return args, ok
}

// StartTLS asks for TLS and makes secure, which shakes hands, the connection:
// RFC 3207. What the server can do is unknown after it: say [Conn.Hello] again.
func (c *Conn) StartTLS(ctx context.Context, secure func(net.Conn) (net.Conn, error)) error {
	if _, err := c.ask(220, "STARTTLS"); err != nil {
		return err
	}
	if c.w.Buffered() > 0 {
		return errors.New("the server spoke on before TLS began")
	}
	conn, err := secure(c.w.Net())
	if err != nil {
		return err
	}
	c.w.Upgrade(conn)
	c.ext = nil
	return nil
}

// ErrNoLogin is a server that offers no login of a kind spoken here.
var ErrNoLogin = errors.New("the server offers neither PLAIN nor LOGIN to log in")

// Login says who sends: RFC 4954, with PLAIN (RFC 4616) or LOGIN. Whether the
// connection is private is the caller's to know.
func (c *Conn) Login(user, password string) error {
	mechanisms := strings.Fields(c.ext["AUTH"])
	has := func(name string) bool {
		for _, m := range mechanisms {
			if m == name {
				return true
			}
		}
		return false
	}
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	switch {
	case strings.ContainsRune(user+password, 0):
		return errors.New("a user name and a password hold no NUL")
	case has("PLAIN"):
		if err := c.w.SendSecret("AUTH", "PLAIN", encode("\x00"+user+"\x00"+password)); err != nil {
			return err
		}
	case has("LOGIN"):
		if err := c.w.Send("AUTH", "LOGIN"); err != nil {
			return err
		}
		for _, secret := range []string{user, password} {
			if _, err := c.reply(334); err != nil {
				return err
			}
			if err := c.secretLine(encode(secret)); err != nil {
				return err
			}
		}
	default:
		return ErrNoLogin
	}
	_, err := c.reply(235)
	return err
}

// secretLine sends a line that is a secret from its first octet on.
func (c *Conn) secretLine(line string) error {
	log := c.w.Log
	c.w.Log = nil
	err := c.w.Send(line)
	if c.w.Log = log; log != nil && err == nil {
		log(true, "***")
	}
	return err
}

// Mail begins a letter: RFC 5321, section 4.1.1.2. The parameters are those of
// the extensions, as in "BODY=8BITMIME".
func (c *Conn) Mail(from string, parameters ...string) error {
	_, err := c.ask(250, "MAIL", append([]string{"FROM:<" + from + ">"}, parameters...)...)
	return err
}

// Recipient adds who gets it: RFC 5321, section 4.1.1.3.
func (c *Conn) Recipient(to string) error {
	if err := c.w.Send("RCPT", "TO:<"+to+">"); err != nil {
		return err
	}
	_, err := c.reply(250, 251) // 251: it will be forwarded
	return err
}

// Data asks for leave to send the letter: RFC 5321, section 4.1.1.4. After it
// comes [Conn.Letter].
func (c *Conn) Data() error {
	_, err := c.ask(354, "DATA")
	return err
}

// Letter sends the letter, its dots doubled, and gives what the server says
// when it has taken it. An error that is no *Refusal leaves open whether it did.
func (c *Conn) Letter(r io.Reader) (said string, err error) {
	w := wire.NewDotWriter(c.w.Net())
	n, err := io.Copy(w, r)
	if err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if c.w.Log != nil {
		c.w.Log(true, strconv.FormatInt(n, 10)+" octets of the letter, and .")
	}
	reply, err := c.reply(250)
	return reply.Text(), err
}
