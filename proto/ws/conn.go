package ws

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"unicode/utf8"
)

// A Kind is what a message holds: RFC 6455, section 5.6.
type Kind byte

// The kinds, which are their opcodes.
const (
	Text   Kind = 1
	Binary Kind = 2
)

// The other opcodes of section 5.2.
const (
	opContinuation = 0
	opClose        = 8
	opPing         = 9
	opPong         = 10
)

// A Closed is the close that the server sent.
type Closed struct {
	Code   int    // RFC 6455, section 7.4; 1005 where it gave none
	Reason string // its words; quote them before showing them
}

// Error says the code and, quoted, the reason.
func (e *Closed) Error() string { return fmt.Sprintf("closed by the server: %d %q", e.Code, e.Reason) }

// normal reports whether all is well: section 7.4.1.
func (e *Closed) normal() bool { return e.Code == 1000 || e.Code == 1001 || e.Code == 1005 }

// A Violation is a frame that RFC 6455 does not allow.
type Violation struct{ Why string }

// Error says what is wrong with the frame.
func (e *Violation) Error() string { return "the server breaks the WebSocket protocol: " + e.Why }

// A Conn reads the messages of an open WebSocket, on the client's side. It is
// not safe for use by several goroutines at once.
type Conn struct {
	conn  net.Conn
	r     *bufio.Reader
	begun bool // a message has begun that is not over
	last  bool // its last frame has
	left  int64
	kind  Kind
	whole bool   // the last message was read to its end
	tail  []byte // of a text: a character that is not complete
	err   error
}

// NewConn reads the messages that come on conn, the handshake being over.
func NewConn(conn net.Conn) *Conn { return &Conn{conn: conn, r: bufio.NewReader(conn)} }

// within reports whether a message, or a frame, was cut off.
func (c *Conn) within() bool { return c.begun || c.r.Buffered() > 0 }

// Next waits for the next message, whose octets [Conn.Read] then gives; what is
// left of the one before is skipped. Pings are answered on the way. The
// server's close is a *[Closed], what is no WebSocket a *[Violation].
func (c *Conn) Next() (Kind, error) {
	if c.begun {
		if _, err := io.Copy(io.Discard, reader{c}); err != nil {
			return 0, err
		}
	}
	c.whole = false
	if err := c.frame(); err != nil {
		return 0, err
	}
	return c.kind, nil
}

// reader hides everything but Read.
type reader struct{ io.Reader }

// Read reads from the message that Next found. io.EOF is its end.
func (c *Conn) Read(p []byte) (int, error) {
	for c.left == 0 {
		if !c.begun {
			return 0, io.EOF
		}
		if c.last {
			c.begun, c.last = false, false
			if len(c.tail) > 0 {
				return 0, c.fail("a text is not UTF-8")
			}
			c.whole = true
			return 0, io.EOF
		}
		if err := c.frame(); err != nil {
			return 0, err
		}
	}
	if c.err != nil {
		return 0, c.err
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	if c.kind == Text && !c.isText(p[:n]) {
		return 0, c.fail("a text is not UTF-8")
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// isText reports whether the message's octets so far can be UTF-8 (section
// 8.1); a character may be cut by a frame's end.
func (c *Conn) isText(p []byte) bool {
	if len(c.tail) > 0 {
		for len(p) > 0 && !utf8.FullRune(c.tail) {
			c.tail, p = append(c.tail, p[0]), p[1:]
		}
		if !utf8.FullRune(c.tail) {
			return true
		}
		if !utf8.Valid(c.tail) {
			return false
		}
		c.tail = c.tail[:0]
	}
	end := len(p)
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if at := len(p) - i; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				end = at
			}
			break
		}
	}
	c.tail = append(c.tail, p[end:]...)
	return utf8.Valid(p[:end])
}

func (c *Conn) fail(format string, args ...any) error {
	if c.err == nil {
		c.err = &Violation{fmt.Sprintf(format, args...)}
	}
	return c.err
}

// frame reads the head of the next frame of a message, past those that control
// the connection: section 5.2.
func (c *Conn) frame() error {
	for c.err == nil {
		var h [2]byte
		if _, err := io.ReadFull(c.r, h[:1]); err != nil {
			if err == io.EOF && c.begun {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if _, err := io.ReadFull(c.r, h[1:]); err != nil {
			return inside(err)
		}
		fin, op, length := h[0]&0x80 != 0, h[0]&0x0F, int64(h[1]&0x7F)
		switch {
		case h[0]&0x70 != 0:
			return c.fail("a reserved bit is set, and no extension was agreed on")
		case h[1]&0x80 != 0:
			return c.fail("a frame of the server's is masked")
		case op > opPong, op > byte(Binary) && op < opClose:
			return c.fail("opcode %d is reserved", op)
		case op >= opClose && (!fin || length > 125):
			return c.fail("a control frame is in pieces, or longer than 125 octets")
		}
		if op >= opClose {
			if err := c.control(op, int(length)); err != nil {
				return err
			}
			continue
		}
		switch {
		case op == opContinuation && !c.begun:
			return c.fail("a message goes on that has not begun")
		case op != opContinuation && c.begun:
			return c.fail("a message begins within another")
		}
		if length >= 126 {
			var err error
			if length, err = c.length(length); err != nil {
				return err
			}
		}
		if op != opContinuation {
			c.kind, c.tail = Kind(op), nil
		}
		c.begun, c.last, c.left = true, fin, length
		return nil
	}
	return c.err
}

// inside makes an end within a frame what it is.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// length reads a length of 16 or 64 bits, which has to be the shortest that
// can hold it.
func (c *Conn) length(form int64) (int64, error) {
	var b [8]byte
	n, least := 2, uint64(126)
	if form == 127 {
		n, least = 8, 1<<16
	}
	if _, err := io.ReadFull(c.r, b[8-n:]); err != nil {
		return 0, inside(err)
	}
	length := binary.BigEndian.Uint64(b[:])
	if length < least || length>>63 != 0 {
		return 0, c.fail("a frame's length is not written as it has to be")
	}
	return int64(length), nil
}

// control reads and obeys a control frame: section 5.5.
func (c *Conn) control(op byte, length int) error {
	payload := make([]byte, length)
	if _, err := io.ReadFull(c.r, payload); err != nil {
		return inside(err)
	}
	switch op {
	case opPing:
		return c.send(opPong, payload)
	case opClose:
		closed := &Closed{Code: 1005}
		if length == 1 {
			return c.fail("a close has half a code")
		}
		if length >= 2 {
			closed.Code, closed.Reason = int(binary.BigEndian.Uint16(payload)), string(payload[2:])
			if closed.Code < 1000 || !utf8.ValidString(closed.Reason) {
				return c.fail("a close has no code, or a reason that is no text")
			}
		}
		c.err = closed
		c.send(opClose, payload) // section 5.5.1; whoever closed may be gone
		return c.err
	}
	return nil
}

// SendClose says goodbye with a code of section 7.4.
func (c *Conn) SendClose(code uint16) error {
	if _, ok := c.err.(*Closed); ok {
		return nil
	}
	return c.send(opClose, binary.BigEndian.AppendUint16(nil, code))
}

// send sends a control frame, masked as a client's has to be: section 5.3.
func (c *Conn) send(op byte, payload []byte) error {
	var key [4]byte
	rand.Read(key[:])
	b := append([]byte{0x80 | op, 0x80 | byte(len(payload))}, key[:]...)
	for i, x := range payload {
		b = append(b, x^key[i%4])
	}
	_, err := c.conn.Write(b)
	return inside(err) // whose end would be taken for the message's
}
