package mid

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// A Conn is a conversation with an IMAP server (RFC 9051, RFC 3501), as far as
// finding and reading a message takes it. It is not safe for use by several
// goroutines at once, except for Close.
type Conn struct {
	w     *wire.Conn
	r     *bufio.Reader
	log   func(sent bool, line string)
	limit int64 // octets of one response, without what is read as a stream
	left  int64 // of this response
	spent int64 // octets that the command has had for an answer
	ended bool  // the line is at its end, which has been read
	tag   int
	caps  map[string]bool // nil while unknown
	// Authenticated is set when the server knows who we are without a login.
	Authenticated bool
}

// perCommand is how many times the limit of one response all the responses to
// one command may have.
const perCommand = 16

// A Refusal is a server's answer that it will not or cannot.
type Refusal struct {
	Status string // "NO", "BAD" or "BYE"
	Code   string // the response code (RFC 9051, section 7.1), as in "AUTHENTICATIONFAILED"; "" if there is none
	Text   string // the server's words; quote them before showing them
}

// Error gives the status, the code and what RFC 9051 means by it, not the server's words.
func (e *Refusal) Error() string {
	says := map[string]string{"NO": "refused", "BAD": "a command it does not take", "BYE": "it ends the conversation"}[e.Status]
	switch e.Code {
	case "AUTHENTICATIONFAILED":
		says = "the user name or the password is wrong"
	case "AUTHORIZATIONFAILED", "NOPERM":
		says = "not allowed"
	case "EXPIRED":
		says = "the login has expired"
	case "PRIVACYREQUIRED":
		says = "a secure connection wanted"
	case "UNAVAILABLE", "INUSE", "LIMIT":
		says = "not now"
	case "NONEXISTENT", "TRYCREATE":
		says = "no such mailbox"
	}
	return "the server answered " + e.Status + " (" + says + ")"
}

// NewConn starts a conversation on conn, which the Conn then owns. The server
// speaks first: see [Conn.Greeting].
func NewConn(conn net.Conn, limits wire.Limits) *Conn {
	if limits.Reply <= 0 {
		limits.Reply = wire.DefaultReply
	}
	w := wire.NewConn(conn, limits)
	return &Conn{w: w, r: w.Reader(), limit: limits.Reply}
}

// Log has every line told to log: those sent without passwords, of those
// received the ones that say how a command went.
func (c *Conn) Log(log func(sent bool, line string)) { c.log = log }

func (c *Conn) tell(sent bool, line string) {
	if c.log != nil {
		c.log(sent, line)
	}
}

// Close ends the connection without a word.
func (c *Conn) Close() error { return c.w.Close() }

// Logout says goodbye and ends the connection. It does not wait for the answer.
func (c *Conn) Logout() error {
	c.tag++
	c.w.Send("a"+strconv.Itoa(c.tag), "LOGOUT")
	return c.w.Close()
}

// Greeting reads what the server says first: RFC 9051, section 7.1.
func (c *Conn) Greeting() error {
	c.left, c.spent, c.ended = c.limit, 0, false
	tag, err := c.word()
	if err != nil {
		return err
	}
	if tag != "*" {
		return c.garbled(tag)
	}
	status, err := c.word()
	if err != nil {
		return err
	}
	text, err := c.rest()
	if err != nil {
		return err
	}
	switch strings.ToUpper(status) {
	case "OK":
	case "PREAUTH":
		c.Authenticated = true
	case "BYE":
		return refusal("BYE", text)
	default:
		return c.garbled("* " + status)
	}
	c.tell(false, "* "+status+" "+text)
	c.readCaps(text)
	return nil
}

// readCaps takes a CAPABILITY response code.
func (c *Conn) readCaps(text string) {
	if list, ok := cutPrefixFold(text, "[CAPABILITY "); ok {
		list, _, _ = strings.Cut(list, "]")
		c.setCaps(list)
	}
}

func (c *Conn) setCaps(list string) {
	c.caps = map[string]bool{}
	for _, name := range strings.Fields(list) {
		c.caps[strings.ToUpper(name)] = true
	}
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// Can reports whether the server has a capability. It asks the server if that
// has not said yet what it has.
func (c *Conn) Can(name string) (bool, error) {
	if c.caps == nil {
		err := c.do("CAPABILITY", func(r *response) error {
			if r.name == "CAPABILITY" {
				list, err := c.rest()
				c.setCaps(list)
				return err
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return c.caps[name], nil
}

// StartTLS asks for TLS and makes secure, which shakes hands, the connection:
// RFC 9051, section 6.2.1. What the server can do is unknown after it.
func (c *Conn) StartTLS(ctx context.Context, secure func(net.Conn) (net.Conn, error)) error {
	if err := c.do("STARTTLS", nil); err != nil {
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
	c.caps = nil
	return nil
}

// Login says who asks: RFC 9051, sections 6.2.2 and 6.2.3. Whether the connection
// is private is the caller's to know.
func (c *Conn) Login(user, password string) error {
	if strings.ContainsRune(user+password, 0) {
		return errors.New("a user name and a password hold no NUL")
	}
	plain, err := c.Can("AUTH=PLAIN")
	if err != nil {
		return err
	}
	if !plain {
		if off, err := c.Can("LOGINDISABLED"); err != nil || off {
			return cmpErr(err, &Refusal{Status: "NO", Code: "PRIVACYREQUIRED"})
		}
		return c.secret("LOGIN", text(user), text(password))
	}
	secret := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	c.caps = nil // more may be had after it
	if err := c.begin("AUTHENTICATE PLAIN"); err != nil {
		return err
	}
	if err := c.goAhead(); err != nil {
		return err
	}
	if err := c.w.Send(secret); err != nil {
		return err
	}
	c.tell(true, "***")
	return c.finish(nil)
}

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Examine opens a mailbox to be read alone (RFC 9051, section 6.3.3), so that
// nothing in it counts as seen, and gives how many messages it has.
func (c *Conn) Examine(name string) (messages uint32, err error) {
	err = c.do("EXAMINE", func(r *response) error {
		if r.name == "EXISTS" {
			messages = r.number
		}
		return nil
	}, text(name))
	return messages, err
}

// List gives the mailboxes that can be opened, by the names the server has for
// them: RFC 9051, section 6.3.9. At most as many as most.
func (c *Conn) List(most int) (names []string, err error) {
	err = c.do(`LIST "" "*"`, func(r *response) (err error) {
		if r.name != "LIST" {
			return nil
		}
		var flags, name value
		for _, v := range []*value{&flags, {}, &name} { // between them, the delimiter
			if *v, err = c.argument(); err != nil {
				return err
			}
		}
		for _, f := range flags.list {
			if strings.EqualFold(f.text, `\Noselect`) || strings.EqualFold(f.text, `\NonExistent`) {
				return nil
			}
		}
		if names = append(names, name.text); len(names) > most {
			return wire.ErrTooMuch
		}
		return nil
	})
	return names, err
}

// Search gives the UIDs of the messages whose Message-ID field has id in it,
// whatever the case: RFC 9051, section 6.4.4. At most as many as most.
func (c *Conn) Search(id string, most int) (uids []uint32, err error) {
	verb := "UID SEARCH HEADER Message-ID"
	if !quotable(id) {
		verb = "UID SEARCH CHARSET UTF-8 HEADER Message-ID"
	}
	err = c.do(verb, func(r *response) error {
		if r.name != "SEARCH" {
			return nil
		}
		for {
			end, err := c.lineEnds()
			if end || err != nil {
				return err
			}
			v, err := c.value(0)
			if err != nil {
				return err
			}
			n, err := strconv.ParseUint(v.text, 10, 32)
			if err != nil || n == 0 {
				return c.garbled(v.text)
			}
			if uids = append(uids, uint32(n)); len(uids) > most {
				return wire.ErrTooMuch
			}
		}
	}, text(id))
	return uids, err
}

// Identifiers gives the Message-ID field of each of the messages as it stands.
func (c *Conn) Identifiers(uids []uint32, each func(uid uint32, fields string)) error {
	set := make([]string, len(uids))
	for i, n := range uids {
		set[i] = strconv.FormatUint(uint64(n), 10)
	}
	return c.do("UID FETCH "+strings.Join(set, ",")+" (BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])", func(r *response) error {
		if r.name != "FETCH" {
			return nil
		}
		items, err := c.items()
		if err == nil {
			each(items.uid(), items.get("BODY[").text)
		}
		return err
	})
}

// Structures gives the BODYSTRUCTURE (RFC 9051, section 7.5.2) of the messages
// from the low to the high sequence number.
func (c *Conn) Structures(low, high uint32, each func(uid uint32, body value) error) error {
	return c.structures(fmt.Sprintf("FETCH %d:%d (UID BODYSTRUCTURE)", low, high), each)
}

// Structure is Structures for one message.
func (c *Conn) Structure(uid uint32, each func(uid uint32, body value) error) error {
	return c.structures(fmt.Sprintf("UID FETCH %d (BODYSTRUCTURE)", uid), each)
}

func (c *Conn) structures(command string, each func(uint32, value) error) error {
	return c.do(command, func(r *response) error {
		if r.name != "FETCH" {
			return nil
		}
		items, err := c.items()
		if err != nil {
			return err
		}
		if body := items.get("BODYSTRUCTURE"); body.list != nil {
			return each(items.uid(), body)
		}
		return nil
	})
}

// errNoBody is a server that has nothing under a number.
var errNoBody = errors.New("the server has no such message or part any more")

// Body begins to read a message, or the part of it that section numbers, and
// gives how many octets there are. It must be read to its end before anything
// else is asked; nothing else needs to be.
func (c *Conn) Body(uid uint32, section string) (r io.Reader, size int64, err error) {
	if err := c.begin(fmt.Sprintf("UID FETCH %d (BODY.PEEK[%s])", uid, section)); err != nil {
		return nil, 0, err
	}
	err = c.finish(func(resp *response) error {
		if resp.name != "FETCH" {
			return nil
		}
		return c.eachItem(func(name string) (bool, error) {
			if !strings.HasPrefix(name, "BODY[") {
				return false, nil
			}
			if b, err := c.peek(); err != nil || b != '{' {
				return false, err
			}
			n, err := c.literal()
			if err != nil {
				return false, err
			}
			r, size = io.LimitReader(c.r, n), n
			return true, errStream
		}, func(name string, v value) {
			if strings.HasPrefix(name, "BODY[") && !v.nothing {
				r, size = strings.NewReader(v.text), int64(len(v.text))
			}
		})
	})
	switch {
	case errors.Is(err, errStream):
		return &exactly{r: r, left: size}, size, nil
	case err != nil:
		return nil, 0, err
	case r == nil:
		return nil, 0, errNoBody
	}
	return r, size, nil
}

// errStream ends the reading of responses where a literal begins that is read
// as a stream.
var errStream = errors.New("a stream begins")

// exactly reads as many octets as were announced; fewer are a cut.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p)
	if e.left -= int64(n); err == io.EOF && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
