package nntp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// A Conn is a conversation with a news server (RFC 3977). It is not safe for
// use by several goroutines at once, except for Close.
type Conn struct {
	w    *wire.Conn
	caps map[string]string // capability: its arguments; nil while unknown
	line int               // limit on a line of a multi-line block
}

// A Refusal is a server's answer that it will not or cannot.
type Refusal struct {
	Code int    // 400 to 599
	Text string // the server's words; quote them before showing them
}

// Error gives the code and what RFC 3977 means by it, not the server's words.
func (e *Refusal) Error() string {
	return "the server answered " + strconv.Itoa(e.Code) + " (" + meaning(e.Code) + ")"
}

// meaning is what RFC 3977, section 3.2.1 and the commands' sections, and RFC
// 4643 give as a code's meaning.
func meaning(code int) string {
	switch code {
	case 400:
		return "service not available"
	case 403:
		return "internal fault"
	case 411:
		return "no such newsgroup"
	case 412:
		return "no newsgroup selected"
	case 420, 421, 422, 423:
		return "no article with that number"
	case 430:
		return "no article with that message-id"
	case 480:
		return "authentication wanted"
	case 481, 482:
		return "authentication refused"
	case 483:
		return "a secure connection wanted"
	case 500:
		return "unknown command"
	case 501:
		return "syntax error"
	case 502:
		return "access denied"
	case 503:
		return "feature not supported"
	}
	if code >= 500 {
		return "refused"
	}
	return "not now"
}

// NewConn starts a conversation on conn, which the Conn then owns. The server
// speaks first: see [Conn.Greeting].
func NewConn(conn net.Conn, limits wire.Limits) *Conn {
	return &Conn{w: wire.NewConn(conn, limits), line: limits.Line}
}

// Log has every line told to log, as [wire.Conn] does.
func (c *Conn) Log(log func(sent bool, line string)) { c.w.Log = log }

// Close ends the connection without a word.
func (c *Conn) Close() error { return c.w.Close() }

// Quit says goodbye and ends the connection. It does not wait for the answer.
func (c *Conn) Quit() error {
	c.w.Send("QUIT")
	return c.w.Close()
}

// Greeting reads what the server says first: RFC 3977, section 5.1.
func (c *Conn) Greeting() error {
	code, text, err := c.status()
	if err != nil {
		return err
	}
	if code != 200 && code != 201 {
		return &Refusal{code, text}
	}
	return nil
}

// Reader asks for the reader's mode: RFC 3977, section 5.3. Some servers know
// no group before it; one that does not know the command is taken to be in it.
func (c *Conn) Reader() error {
	code, text, err := c.ask("MODE", "READER")
	if err != nil {
		return err
	}
	switch code {
	case 200, 201, 500, 501, 503:
		return nil
	case 480: // it wants to know first who we are
		return nil
	}
	return &Refusal{code, text}
}

// Capabilities asks what the server can do: RFC 3977, section 5.2. A server
// that does not know the command can do what RFC 977 says.
func (c *Conn) Capabilities() error {
	c.caps = map[string]string{}
	code, _, err := c.ask("CAPABILITIES")
	if err != nil || code != 101 {
		return err
	}
	return c.block(func(line string) error {
		name, args, _ := strings.Cut(line, " ")
		c.caps[strings.ToUpper(name)] = strings.ToUpper(args)
		return nil
	})
}

// Can reports whether the server said that it has a capability.
func (c *Conn) Can(name string) bool { _, ok := c.caps[name]; return ok }

// StartTLS asks for TLS and makes secure, which shakes hands, the connection:
// RFC 4642. What the server can do is unknown after it.
func (c *Conn) StartTLS(ctx context.Context, secure func(net.Conn) (net.Conn, error)) error {
	code, text, err := c.ask("STARTTLS")
	if err != nil {
		return err
	}
	if code != 382 {
		return &Refusal{code, text}
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

// Login says who asks: RFC 4643, section 2.3.
func (c *Conn) Login(user, password string) error {
	if err := c.w.Send("AUTHINFO", "USER", user); err != nil {
		return err
	}
	code, text, err := c.status()
	if err != nil {
		return err
	}
	if code == 381 {
		if err := c.w.SendSecret("AUTHINFO", "PASS", password); err != nil {
			return err
		}
		if code, text, err = c.status(); err != nil {
			return err
		}
	}
	if code != 281 {
		return &Refusal{code, text}
	}
	return nil
}

// A Group is what a server has of a newsgroup. Count is an estimate; an empty
// group has Count 0 or High below Low.
type Group struct {
	Name             string
	Count, Low, High uint64 // articles, and the lowest and highest number
}

// Empty reports whether the server has no article of the group.
func (g Group) Empty() bool { return g.Count == 0 || g.High < g.Low }

// Group selects a group: RFC 3977, section 6.1.1.
func (c *Conn) Group(name string) (Group, error) {
	code, text, err := c.ask("GROUP", name)
	if err != nil {
		return Group{}, err
	}
	if code != 211 {
		return Group{}, &Refusal{code, text}
	}
	g := Group{Name: name}
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return g, &wire.Garbled{Line: "211 " + text}
	}
	for i, n := range []*uint64{&g.Count, &g.Low, &g.High} {
		if *n, err = strconv.ParseUint(fields[i], 10, 64); err != nil {
			return g, &wire.Garbled{Line: "211 " + text}
		}
	}
	return g, nil
}

// Article asks for an article by its message-id in angle brackets, or by its
// number in the group that is selected: RFC 3977, section 6.2.1. What it gives
// reads the article, dots undone, and must be read to its end before anything
// else is asked.
func (c *Conn) Article(which string) (io.Reader, error) { return c.text("ARTICLE", which, 220) }

// Head is Article for the header alone: RFC 3977, section 6.2.2.
func (c *Conn) Head(which string) (io.Reader, error) { return c.text("HEAD", which, 221) }

func (c *Conn) text(verb, which string, want int) (io.Reader, error) {
	code, text, err := c.ask(verb, which)
	if err != nil {
		return nil, err
	}
	if code != want {
		return nil, &Refusal{code, text}
	}
	return wire.NewDotReader(c.w.Reader(), c.line), nil
}

// Overview gives one line of fields for each article from low to high of the
// group that is selected: RFC 3977, section 8.3, or RFC 2980, section 2.8, from
// a server that knows only that.
func (c *Conn) Overview(low, high uint64, each func(Article) error) error {
	span := strconv.FormatUint(low, 10) + "-" + strconv.FormatUint(high, 10)
	verbs := []string{"OVER", "XOVER"}
	if c.caps != nil && !c.Can("OVER") {
		verbs = []string{"XOVER", "OVER"}
	}
	var refusal error
	for _, verb := range verbs {
		code, text, err := c.ask(verb, span)
		switch {
		case err != nil:
			return err
		case code == 224:
			return c.block(func(line string) error {
				a, ok := overview(line)
				if !ok {
					return nil // a line without a number is no article
				}
				return each(a)
			})
		case code == 420 || code == 423: // none in the range
			return nil
		case code == 500 || code == 501 || code == 503:
			refusal = &Refusal{code, text}
			continue
		}
		return &Refusal{code, text}
	}
	return refusal
}

// An Article is a line of an overview (RFC 3977, section 8.3): the number in the
// group, then the header fields as they stand; Raw is the line itself.
type Article struct {
	Number                               uint64
	Subject, From, Date, MessageID, Refs string
	Octets, Lines                        int64 // -1 if unknown
	Raw                                  string
}

func overview(line string) (Article, bool) {
	f := strings.Split(line, "\t")
	n, err := strconv.ParseUint(f[0], 10, 64)
	if err != nil {
		return Article{}, false
	}
	at := func(i int) string {
		if i < len(f) {
			return f[i]
		}
		return ""
	}
	count := func(i int) int64 {
		if n, err := strconv.ParseInt(strings.TrimSpace(at(i)), 10, 64); err == nil && n >= 0 {
			return n
		}
		return -1
	}
	return Article{Number: n, Subject: at(1), From: at(2), Date: at(3), MessageID: strings.Trim(strings.TrimSpace(at(4)), "<>"),
		Refs: at(5), Octets: count(6), Lines: count(7), Raw: line}, true
}

// List gives the groups whose names match a pattern ("" for all), with what
// the server has of each: RFC 3977, section 7.6.3.
func (c *Conn) List(pattern string, each func(Group, string) error) error {
	args := []string{"ACTIVE"}
	if pattern != "" && pattern != "*" {
		args = append(args, pattern)
	}
	code, text, err := c.ask("LIST", args...)
	if err == nil && (code == 500 || code == 501) && len(args) == 1 {
		code, text, err = c.ask("LIST") // RFC 977 knows it without a word
	}
	if err != nil {
		return err
	}
	if code != 215 {
		return &Refusal{code, text}
	}
	return c.block(func(line string) error {
		f := strings.Fields(line)
		if len(f) == 0 {
			return nil
		}
		g := Group{Name: f[0]}
		if len(f) >= 3 {
			g.High, _ = strconv.ParseUint(f[1], 10, 64)
			g.Low, _ = strconv.ParseUint(f[2], 10, 64)
			if g.High >= g.Low {
				g.Count = g.High - g.Low + 1
			}
		}
		return each(g, line)
	})
}

// ask sends a command and reads the first line of its answer.
func (c *Conn) ask(verb string, args ...string) (code int, text string, err error) {
	if err := c.w.Send(verb, args...); err != nil {
		return 0, "", err
	}
	return c.status()
}

// status reads one line of three digits and text. NNTP's answers are of one
// line; whether a block follows depends on the code and the command.
func (c *Conn) status() (code int, text string, err error) {
	line, err := c.w.ReadLine()
	if err != nil {
		return 0, "", err
	}
	if len(line) < 3 || len(line) > 3 && line[3] != ' ' {
		return 0, "", &wire.Garbled{Line: line}
	}
	code, err = strconv.Atoi(line[:3])
	if err != nil || code < 100 || code > 599 {
		return 0, "", &wire.Garbled{Line: line}
	}
	if len(line) > 4 {
		text = line[4:]
	}
	return code, text, nil
}

// block reads the lines of a multi-line block: RFC 3977, section 3.1.1. It
// reads to the end also when each gives an error, which it then returns.
func (c *Conn) block(each func(line string) error) error {
	limit := c.line
	if limit == 0 {
		limit = wire.DefaultLine
	}
	r := bufio.NewReader(wire.NewDotReader(c.w.Reader(), limit))
	for {
		line, err := wire.ReadLine(r, limit)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(strings.TrimRight(line, "\r")); err != nil {
			return fmt.Errorf("reading a list: %w", err)
		}
	}
}

// fieldOf gives a header field of an article's beginning, unfolded, or "".
func fieldOf(head []byte, name string) string {
	prefix := []byte(strings.ToLower(name) + ":")
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			return ""
		}
		if len(line) >= len(prefix) && bytes.EqualFold(line[:len(prefix)], prefix) {
			value := string(bytes.TrimSpace(line[len(prefix):]))
			for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
				line, rest, _ = bytes.Cut(rest, []byte("\n"))
				value += " " + string(bytes.TrimSpace(line))
			}
			return value
		}
		head = rest
	}
	return ""
}
