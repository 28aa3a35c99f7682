package telnet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
)

// The bounds on what a server may say besides its text.
const (
	maxNegotiation = 100 // requests and subnegotiations in one session
	maxSub         = 512 // octets of one subnegotiation
	maxSilent      = 1 << 20
)

// Errors of a session whose other side does not keep to the protocol.
var (
	// ErrFlood is a server that negotiates without end.
	ErrFlood = fmt.Errorf("the server negotiates without end: more than %d requests", maxNegotiation)
	// ErrSub is a subnegotiation that grows past every use.
	ErrSub = fmt.Errorf("a subnegotiation is longer than %d octets", maxSub)
	// ErrNoText is a server that sends megabytes in which there is no text.
	ErrNoText = errors.New("the server sends much and no text")
)

// A Terminal is what we are to the server: every option that is not here is
// refused on both sides.
type Terminal struct {
	// Name is the terminal type that is told when asked, "" to refuse the
	// option. RFC 1091: letters, digits and hyphens.
	Name string
	// Ours are the options besides TERMINAL-TYPE that we take on when asked
	// (DO), Theirs those that the server may take on (WILL).
	Ours, Theirs []byte
	// Size is the window's columns and rows, asked for when the server wants to
	// know (NAWS). Nil refuses the option.
	Size func() (columns, rows uint16)
}

// A Conn is a Telnet session: what is read from it is the server's text, with
// the negotiation taken out and answered by the rules of RFC 1143. It says
// nothing before the server does, unless [Conn.Ask] is called: behind a port
// that is not Telnet's may stand something that speaks no Telnet at all.
//
// It is not safe for use by several goroutines at once, except that one may
// Read while another one Writes.
type Conn struct {
	// Log, if not nil, is told each message of the negotiation.
	Log func(sent bool, message string)

	conn     net.Conn
	r        *bufio.Reader
	terminal Terminal
	us, him  [256]state
	refusals map[[2]byte]bool
	out      []byte // answers not yet sent
	messages int
	sub      []byte
	silent   int  // octets since the last that was text
	lasting  bool // a session may negotiate as often as text stands between

	// what other goroutines than the reading one want to know
	binary, echoed, windowed atomic.Bool
}

// NewConn starts a session on conn, which the Conn then owns.
func NewConn(conn net.Conn, t Terminal) *Conn {
	return &Conn{conn: conn, r: bufio.NewReader(conn), terminal: t, refusals: map[[2]byte]bool{}}
}

// Close closes the connection.
func (c *Conn) Close() error { return c.conn.Close() }

// Net returns the connection below, for its addresses and deadlines.
func (c *Conn) Net() net.Conn { return c.conn }

// Ask asks the server to take on an option (DO), or with ours set offers to do
// so ourselves (WILL). What becomes of it is in [Conn.On].
func (c *Conn) Ask(option byte, ours bool) error {
	if ours {
		c.answer(c.us[option].enable(), cmdWILL, cmdWONT, option)
	} else {
		c.answer(c.him[option].enable(), cmdDO, cmdDONT, option)
	}
	return c.flush()
}

// Drop asks for the end of an option: the server's (DONT), or with ours set our
// own (WONT).
func (c *Conn) Drop(option byte, ours bool) error {
	if ours {
		c.answer(c.us[option].disable(), cmdWILL, cmdWONT, option)
	} else {
		c.answer(c.him[option].disable(), cmdDO, cmdDONT, option)
	}
	return c.flush()
}

// On reports whether an option is in force on the server's side, or with ours
// set on our own.
func (c *Conn) On(option byte, ours bool) bool {
	if ours {
		return c.us[option] == yes
	}
	return c.him[option] == yes
}

// Read reads text. It returns what is there, and waits only while there is
// none. CR NUL is CR and a lone NUL nothing (RFC 854, page 11); IAC IAC is an
// octet 255; ends of records are passed over.
func (c *Conn) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && (n == 0 || c.r.Buffered() > 0) {
		b, event, err := c.next()
		if err != nil {
			if n > 0 && !errors.Is(err, ErrFlood) && !errors.Is(err, ErrSub) {
				return n, nil // it comes again
			}
			return n, err
		}
		if event == text {
			p[n] = b
			n++
		}
	}
	// The answers to what stood before the text go out before anybody sees it, and
	// answers it.
	if len(c.out) > 0 {
		c.flush() // a failure comes again with the next text
	}
	return n, nil
}

// Write sends text: IAC is doubled, and outside binary mode CR is followed by
// NUL where no LF follows in the same text.
func (c *Conn) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p)+8)
	for i, b := range p {
		out = append(out, b)
		switch {
		case b == cmdIAC:
			out = append(out, cmdIAC)
		case b == '\r' && !c.binary.Load() && (i+1 == len(p) || p[i+1] != '\n'):
			out = append(out, 0)
		}
	}
	if _, err := c.conn.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// writeRecord sends a record and its end mark (RFC 885).
func (c *Conn) writeRecord(p []byte) error {
	out := bytes.ReplaceAll(p, []byte{cmdIAC}, []byte{cmdIAC, cmdIAC})
	_, err := c.conn.Write(append(out, cmdIAC, cmdEOR))
	return err
}

// An event is what the next octets are.
type event byte

const (
	text    event = iota // an octet of text
	record               // the end of a record
	nothing              // negotiation, or a command that means nothing here
)

// octet reads one octet, and sends what there is to say before it waits.
func (c *Conn) octet() (byte, error) {
	if c.r.Buffered() == 0 && len(c.out) > 0 {
		if err := c.flush(); err != nil {
			return 0, err
		}
	}
	return c.r.ReadByte()
}

// next reads one octet of text, or one command.
func (c *Conn) next() (byte, event, error) {
	if c.silent++; c.silent > maxSilent {
		return 0, nothing, ErrNoText
	}
	b, err := c.octet()
	if err != nil {
		return 0, nothing, err
	}
	if b != cmdIAC {
		if b == 0 && c.him[Binary] != yes {
			return 0, nothing, nil // CR NUL is CR, and NUL alone has no effect
		}
		return c.text(b)
	}
	if b, err = c.octet(); err != nil {
		return 0, nothing, inside(err)
	}
	switch b {
	case cmdIAC:
		return c.text(b)
	case cmdEOR:
		c.silent = 0
		return 0, record, nil
	case cmdWILL, cmdWONT, cmdDO, cmdDONT:
		option, err := c.octet()
		if err != nil {
			return 0, nothing, inside(err)
		}
		return 0, nothing, c.negotiate(b, option)
	case cmdSB:
		return 0, nothing, c.subnegotiate()
	}
	return 0, nothing, nil // NOP, DM, GA and the rest
}

func (c *Conn) text(b byte) (byte, event, error) {
	c.silent = 0
	if c.lasting {
		c.messages = 0
	}
	// What was refused may be asked again once something has changed.
	clear(c.refusals)
	return b, text, nil
}

// inside makes an end within a command what it is.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (c *Conn) count() error {
	if c.messages++; c.messages > maxNegotiation {
		return ErrFlood
	}
	return nil
}

// negotiate takes one request or answer.
func (c *Conn) negotiate(command, option byte) error {
	c.log(false, command, option)
	if err := c.count(); err != nil {
		return err
	}
	switch command {
	case cmdWILL:
		c.answer(c.him[option].offered(bytes.IndexByte(c.terminal.Theirs, option) >= 0), cmdDO, cmdDONT, option)
	case cmdWONT:
		c.answer(c.him[option].refused(), cmdDO, cmdDONT, option)
	case cmdDO:
		before := c.us[option]
		c.answer(c.us[option].offered(c.takesOn(option)), cmdWILL, cmdWONT, option)
		if option == WindowSize && before != yes && c.us[option] == yes {
			c.out = append(c.out, c.window()...)
		}
	case cmdDONT:
		c.answer(c.us[option].refused(), cmdWILL, cmdWONT, option)
	}
	c.binary.Store(c.us[Binary] == yes)
	c.echoed.Store(c.him[Echo] == yes)
	c.windowed.Store(c.us[WindowSize] == yes)
	return nil
}

func (c *Conn) takesOn(option byte) bool {
	switch option {
	case TerminalType:
		return c.terminal.Name != ""
	case WindowSize:
		return c.terminal.Size != nil
	}
	return bytes.IndexByte(c.terminal.Ours, option) >= 0
}

// answer keeps what there is to say. A refusal is said once and not again
// before the server has said something else, so that nobody has us answer
// without end.
func (c *Conn) answer(r reaction, positive, negative, option byte) {
	switch r {
	case assent:
		c.say(positive, option)
	case dissent:
		if key := [2]byte{negative, option}; !c.refusals[key] {
			c.refusals[key] = true
			c.say(negative, option)
		}
	}
}

func (c *Conn) say(command, option byte) {
	c.out = append(c.out, cmdIAC, command, option)
	c.log(true, command, option)
}

func (c *Conn) log(sent bool, command, option byte) {
	if c.Log != nil {
		c.Log(sent, commandNames[command]+" "+optionName(option))
	}
}

func (c *Conn) flush() error {
	_, err := c.conn.Write(c.out)
	c.out = c.out[:0]
	return err
}

// subnegotiate reads up to IAC SE and answers TERMINAL-TYPE SEND, the only one
// there is an answer to.
func (c *Conn) subnegotiate() error {
	if err := c.count(); err != nil {
		return err
	}
	c.sub = c.sub[:0]
	for {
		b, err := c.octet()
		if err != nil {
			return inside(err)
		}
		if b == cmdIAC {
			if b, err = c.octet(); err != nil {
				return inside(err)
			}
			if b == cmdSE {
				break
			}
			if b != cmdIAC { // RFC 855 wants IAC SE; a command instead ends it, too
				return c.recover(b)
			}
		}
		if len(c.sub) == maxSub {
			return ErrSub
		}
		c.sub = append(c.sub, b)
	}
	if len(c.sub) > 0 {
		c.log(false, cmdSB, c.sub[0])
	}
	const send, is = 1, 0
	if len(c.sub) == 2 && c.sub[0] == TerminalType && c.sub[1] == send && c.us[TerminalType] == yes {
		c.out = append(c.out, cmdIAC, cmdSB, TerminalType, is)
		c.out = append(c.out, c.terminal.Name...)
		c.out = append(c.out, cmdIAC, cmdSE)
		if c.Log != nil {
			c.Log(true, "SB TERMINAL-TYPE IS "+c.terminal.Name)
		}
	}
	return nil
}

// recover goes on after a subnegotiation that broke off with a command.
func (c *Conn) recover(command byte) error {
	switch command {
	case cmdWILL, cmdWONT, cmdDO, cmdDONT:
		option, err := c.octet()
		if err != nil {
			return inside(err)
		}
		return c.negotiate(command, option)
	}
	return nil
}

// window is the message that tells the window's size (RFC 1073).
func (c *Conn) window() []byte {
	w, h := c.terminal.Size()
	out := []byte{cmdIAC, cmdSB, WindowSize}
	for _, b := range []byte{byte(w >> 8), byte(w), byte(h >> 8), byte(h)} {
		out = append(out, b)
		if b == cmdIAC {
			out = append(out, b)
		}
	}
	return append(out, cmdIAC, cmdSE)
}
