package mid

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// A text is an argument that is sent as a quoted string or a literal (RFC 9051,
// section 4.3); any other argument stands as it is.
type text string

// quotable reports whether a quoted string can hold s.
func quotable(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] < ' ' {
			return false
		}
	}
	return true
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// do sends a command and has handle called for each response to it, until the
// one that says how it went.
func (c *Conn) do(command string, handle func(*response) error, args ...text) error {
	if err := c.begin(command, args...); err != nil {
		return err
	}
	return c.finish(handle)
}

// secret is do for a command whose arguments no log may show.
func (c *Conn) secret(command string, args ...text) error {
	log := c.log
	c.log = nil
	err := c.begin(command, args...)
	c.log = log
	c.caps = nil // more may be had after it
	if err != nil {
		return err
	}
	c.tell(true, fmt.Sprintf("a%d %s ***", c.tag, command))
	return c.finish(nil)
}

// begin sends a command. What stands in a literal passes the same writer: it
// could not add a line, and it may not try.
func (c *Conn) begin(command string, args ...text) error {
	for _, a := range args {
		if err := wire.Check(string(a)); err != nil {
			return err
		}
	}
	c.tag++
	c.spent = 0
	line := "a" + strconv.Itoa(c.tag) + " " + command
	for _, a := range args {
		if quotable(string(a)) {
			line += " " + quoted(string(a))
			continue
		}
		if err := c.sendLine(fmt.Sprintf("%s {%d}", line, len(a))); err != nil {
			return err
		}
		if err := c.goAhead(); err != nil {
			return err
		}
		line = string(a)
	}
	return c.sendLine(line)
}

func (c *Conn) sendLine(line string) error {
	err := c.w.Send(line)
	if err == nil {
		c.tell(true, line)
	}
	return err
}

// goAhead waits for the server's "+": RFC 9051, section 7.6.
func (c *Conn) goAhead() error {
	for {
		r, err := c.next()
		if err != nil {
			return err
		}
		if r.tag == "+" {
			return nil
		}
		if r.tag != "*" {
			return cmpErr(r.refused(), c.garbled(r.tag))
		}
	}
}

// finish reads the responses to a command.
func (c *Conn) finish(handle func(*response) error) error {
	for {
		r, err := c.next()
		if err != nil {
			return err
		}
		switch {
		case r.tag == "*" && r.name == "BYE":
			return refusal("BYE", r.text)
		case r.tag == "*":
			if handle != nil {
				if err := handle(r); err != nil {
					return err
				}
			}
			if err := c.skipLine(); err != nil {
				return err
			}
		case r.tag == "a"+strconv.Itoa(c.tag):
			return r.refused()
		default:
			return c.garbled(r.tag)
		}
	}
}

// A response is the beginning of what a server says (RFC 9051, section 7): of one
// that reports a status all of it, else up to its name. What follows is for
// whoever wants it to read.
type response struct {
	tag    string // "*", "+" or a command's
	number uint32 // of a message, in "* 5 FETCH"
	name   string // in upper case
	text   string // of a status
}

// refused gives the *Refusal of a status that is none of "OK".
func (r *response) refused() error {
	if r.name == "OK" {
		return nil
	}
	return refusal(r.name, r.text)
}

func refusal(status, text string) error {
	e := &Refusal{Status: status, Text: text}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		code, rest, found := strings.Cut(inner, "]")
		if found {
			e.Code, _, _ = strings.Cut(strings.ToUpper(code), " ")
			e.Text = strings.TrimSpace(rest)
		}
	}
	return e
}

// next reads the beginning of the next response.
func (c *Conn) next() (*response, error) {
	c.left, c.ended = c.limit, false
	tag, err := c.word()
	if err != nil {
		return nil, err
	}
	r := &response{tag: tag}
	if tag == "+" {
		_, err := c.rest()
		return r, err
	}
	name, err := c.word()
	if err != nil {
		return nil, err
	}
	if n, err := strconv.ParseUint(name, 10, 32); err == nil && tag == "*" {
		r.number = uint32(n)
		if name, err = c.word(); err != nil {
			return nil, err
		}
	}
	switch r.name = strings.ToUpper(name); r.name {
	case "OK", "NO", "BAD", "BYE", "PREAUTH":
		if r.text, err = c.rest(); err != nil {
			return nil, err
		}
		c.tell(false, r.tag+" "+r.name+" "+r.text)
		c.readCaps(r.text)
	default:
		if tag != "*" {
			return nil, c.garbled(tag + " " + name)
		}
	}
	return r, nil
}

// garbled is what came in place of IMAP.
func (c *Conn) garbled(what string) error {
	return &notIMAP{what}
}

// A notIMAP is an answer that is not in the protocol's form.
type notIMAP struct{ line string }

func (e *notIMAP) Error() string {
	return "the server answered " + wire.Quote(e.line) + ", which is not IMAP"
}

// octet reads one octet, within the bounds of a response and a command.
func (c *Conn) octet() (byte, error) {
	if c.left--; c.left < 0 {
		return 0, wire.ErrTooMuch
	}
	if c.spent++; c.spent > perCommand*c.limit {
		return 0, wire.ErrTooMuch
	}
	b, err := c.r.ReadByte()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// peek gives the next octet and leaves it.
func (c *Conn) peek() (byte, error) {
	b, err := c.r.Peek(1)
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	return b[0], nil
}

// word reads up to a blank, which it takes, or a line's end, which it leaves.
func (c *Conn) word() (string, error) {
	var b []byte
	for {
		next, err := c.peek()
		if err != nil {
			return "", err
		}
		switch next {
		case '\r', '\n':
			if len(b) == 0 {
				return "", c.garbled("")
			}
			return string(b), nil
		}
		if _, err := c.octet(); err != nil {
			return "", err
		}
		if next == ' ' {
			if len(b) == 0 {
				return "", c.garbled(" ")
			}
			return string(b), nil
		}
		if next < ' ' || next >= 0x7F || len(b) >= 100 { // no tag and no name is so long
			return "", c.garbled(string(append(b, next)))
		}
		b = append(b, next)
	}
}

// rest reads what is left of a line, and its end.
func (c *Conn) rest() (string, error) {
	var b []byte
	for !c.ended {
		next, err := c.octet()
		if err != nil {
			return "", err
		}
		if next == '\n' {
			c.ended = true
			return strings.TrimSuffix(string(b), "\r"), nil
		}
		b = append(b, next)
	}
	return "", nil
}

// lineEnds reports whether the line is at its end, blanks passed over.
func (c *Conn) lineEnds() (bool, error) {
	for !c.ended {
		next, err := c.peek()
		if err != nil {
			return false, err
		}
		switch next {
		case ' ':
			if _, err := c.octet(); err != nil {
				return false, err
			}
		case '\r', '\n':
			return true, nil
		default:
			return false, nil
		}
	}
	return true, nil
}

// skipLine reads what nobody wanted of a response, literals too, and the line's
// end.
func (c *Conn) skipLine() error {
	for !c.ended {
		end, err := c.lineEnds()
		if err != nil {
			return err
		}
		if end {
			_, err := c.rest()
			return err
		}
		if _, err := c.value(0); err != nil {
			return err
		}
	}
	return nil
}

// A value is what responses are made of: an atom, a number or a string, a list
// of values, or nothing (NIL).
type value struct {
	text    string
	list    []value // not nil for a list
	nothing bool
}

// maxNesting is how deep lists may stand in each other; a part takes two or
// three of a BODYSTRUCTURE's.
const maxNesting = 4 * maxDepth

// value reads a value.
func (c *Conn) value(depth int) (value, error) {
	if depth > maxNesting {
		return value{}, errDepth
	}
	first, err := c.peek()
	if err != nil {
		return value{}, err
	}
	switch first {
	case '(':
		return c.listValue(depth)
	case '"':
		s, err := c.quotedValue()
		return value{text: s}, err
	case '{':
		n, err := c.literal()
		if err != nil {
			return value{}, err
		}
		if n > c.left {
			return value{}, wire.ErrTooMuch
		}
		c.left -= n
		c.spent += n
		b := make([]byte, n)
		if _, err := io.ReadFull(c.r, b); err != nil {
			return value{}, io.ErrUnexpectedEOF
		}
		return value{text: string(b)}, nil
	}
	s, err := c.atom()
	return value{text: s, nothing: strings.EqualFold(s, "NIL")}, err
}

// argument reads a value of a response, and blanks in front of it.
func (c *Conn) argument() (value, error) {
	if end, err := c.lineEnds(); err != nil || end {
		return value{}, cmpErr(err, c.garbled("a response that ends early"))
	}
	return c.value(0)
}

func (c *Conn) listValue(depth int) (value, error) {
	v := value{list: []value{}}
	if _, err := c.octet(); err != nil {
		return v, err
	}
	for {
		end, err := c.lineEnds()
		if err != nil {
			return v, err
		}
		if end {
			return v, c.garbled("a list without an end")
		}
		if next, err := c.peek(); err != nil {
			return v, err
		} else if next == ')' {
			_, err := c.octet()
			return v, err
		}
		one, err := c.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, one)
	}
}

func (c *Conn) quotedValue() (string, error) {
	if _, err := c.octet(); err != nil {
		return "", err
	}
	var b []byte
	for {
		next, err := c.octet()
		if err == nil && next == '\\' {
			if next, err = c.octet(); err == nil {
				b = append(b, next)
			}
			continue
		}
		switch {
		case err != nil:
			return "", err
		case next == '"':
			return string(b), nil
		case next == '\r' || next == '\n' || next == 0:
			return "", c.garbled("a string without an end")
		}
		b = append(b, next)
	}
}

// atom reads an atom, or a section as in BODY[HEADER.FIELDS (MESSAGE-ID)], in
// which there may be blanks and parentheses.
func (c *Conn) atom() (string, error) {
	var b []byte
	section := false
	for {
		next, err := c.peek()
		if err != nil {
			return "", err
		}
		ends := next == ' ' || next == '(' || next == ')'
		if next < ' ' || next == 0x7F || ends && !section {
			if len(b) == 0 || section {
				return "", c.garbled(string(append(b, next)))
			}
			return string(b), nil
		}
		switch next {
		case '[':
			section = true
		case ']':
			section = false
		}
		if _, err := c.octet(); err != nil {
			return "", err
		}
		b = append(b, next)
	}
}

// literal reads the "{n}" and the line's end in front of n octets.
func (c *Conn) literal() (n int64, err error) {
	line, err := c.rest()
	c.ended = false // the response goes on behind it
	if err != nil {
		return 0, err
	}
	digits, ok := strings.CutPrefix(line, "{")
	digits, ok2 := strings.CutSuffix(digits, "}")
	n, err = strconv.ParseInt(digits, 10, 64)
	if !ok || !ok2 || err != nil || n < 0 || digits[0] == '+' {
		return 0, c.garbled(line)
	}
	return n, nil
}

// An item is a name and its value in a FETCH response.
type item struct {
	name  string // in upper case
	value value
}

type items []item

// get gives the value of the item whose name begins so.
func (i items) get(prefix string) value {
	for _, one := range i {
		if strings.HasPrefix(one.name, prefix) {
			return one.value
		}
	}
	return value{}
}

func (i items) uid() uint32 {
	n, err := strconv.ParseUint(i.get("UID").text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// items reads the items of a FETCH response.
func (c *Conn) items() (all items, err error) {
	err = c.eachItem(func(string) (bool, error) { return false, nil }, func(name string, v value) { all = append(all, item{name, v}) })
	return all, err
}

// eachItem reads them one by one. take is asked first, and reads the value
// itself if it says so; got is told the others.
func (c *Conn) eachItem(take func(name string) (bool, error), got func(name string, v value)) error {
	if b, err := c.octet(); err != nil || b != '(' {
		return cmpErr(err, c.garbled("FETCH without a list"))
	}
	for {
		end, err := c.lineEnds()
		if err != nil {
			return err
		}
		if end {
			return c.garbled("a list without an end")
		}
		if next, err := c.peek(); err != nil {
			return err
		} else if next == ')' {
			_, err := c.octet()
			return err
		}
		name, err := c.atom()
		if err != nil {
			return err
		}
		if end, err := c.lineEnds(); err != nil || end {
			return cmpErr(err, c.garbled(name))
		}
		name = strings.ToUpper(name)
		if taken, err := take(name); taken || err != nil {
			return err
		}
		v, err := c.value(0)
		if err != nil {
			return err
		}
		got(name, v)
	}
}
