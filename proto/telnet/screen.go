package telnet

import (
	"bytes"
	"errors"
	"strings"
)

// The screen that we are: model 2.
const (
	Rows    = 24
	Columns = 80
	cells   = Rows * Columns
)

// maxRecord bounds one record of a host.
const maxRecord = 64 << 10

var (
	errLongRecord = errors.New("a record is longer than 64 KiB")
	errCut        = errors.New("a record of the 3270 data stream ends within an order")
	errAddress    = errors.New("a record of the 3270 data stream names a place off the screen")
	errCommand    = errors.New("a record is none of the 3270 data stream's commands")
)

// blockMode reports whether records of the 3270 data stream are what is
// exchanged: RFC 1576, section 3.
func (c *Conn) blockMode() bool {
	return c.us[TerminalType] == yes && c.him[EndOfRecord] == yes && c.us[EndOfRecord] == yes && c.him[Binary] == yes && c.us[Binary] == yes
}

// A cell is one place of the screen.
type cell struct {
	char  byte // EBCDIC; 0 is empty
	field bool // a field attribute stands here, which shows as a blank
	attr  byte
}

// Bits of a field attribute.
const (
	protected  = 0x20
	numeric    = 0x10 // with protected: the cursor skips it
	display    = 0x0C
	bright     = 0x08
	nonDisplay = 0x0C
	modified   = 0x01
)

// A Screen is what a 3270 host has drawn. The zero value is an empty one.
type Screen struct {
	cells   [cells]cell
	addr    int // where the next character goes
	cursor  int
	written bool
	free    bool // the keyboard
	aid     byte // of the key that was pressed; 0 or noAID for none
}

// Written reports whether a host has written to the screen.
func (s *Screen) Written() bool { return s.written }

// Free reports whether the host lets the user type: what it had to show is
// there.
func (s *Screen) Free() bool { return s.free }

// Text is the screen in lines, blanks at their ends and empty lines at the end
// cut. Fields that are not for display, as passwords, are blank.
func (s *Screen) Text() string {
	hidden := s.attrAt(0)&display == nonDisplay
	var b, line strings.Builder
	empty := 0
	for i, c := range s.cells {
		switch {
		case c.field:
			hidden = c.attr&display == nonDisplay
			line.WriteByte(' ')
		case hidden || ebcdic[c.char] == 0:
			line.WriteByte(' ')
		default:
			line.WriteRune(ebcdic[c.char])
		}
		if (i+1)%Columns > 0 {
			continue
		}
		if text := strings.TrimRight(line.String(), " "); text == "" {
			empty++
		} else {
			b.WriteString(strings.Repeat("\n", empty))
			b.WriteString(text)
			b.WriteByte('\n')
			empty = 0
		}
		line.Reset()
	}
	return b.String()
}

// attrAt is the attribute of the field that place i is in; fields go round the
// end of the screen. A screen without fields is one that all may be written to.
func (s *Screen) attrAt(i int) byte {
	for n := range cells {
		if c := s.cells[(i-n+cells)%cells]; c.field {
			return c.attr
		}
	}
	return 0
}

func (s *Screen) clear() {
	*s = Screen{written: s.written, free: s.free}
}

// Apply draws what one record of the data stream says, and returns what has to
// be answered: to a query and to the commands that read.
func (s *Screen) Apply(rec []byte) (reply []byte, err error) {
	if len(rec) == 0 {
		return nil, nil
	}
	switch command := rec[0]; command {
	case 0x01, 0xF1: // Write
		return nil, s.write(rec[1:])
	case 0x05, 0xF5, 0x0D, 0x7E: // Erase/Write; the alternate size is the same here
		s.clear()
		return nil, s.write(rec[1:])
	case 0x0F, 0x6F: // Erase All Unprotected
		s.eraseInput()
		s.free = true
		return nil, nil
	case 0x11, 0xF3: // Write Structured Field
		return s.structured(rec[1:])
	case 0x02, 0xF2: // Read Buffer
		return s.buffer(), nil
	case 0x06, 0xF6, 0x0E, 0x6E: // Read Modified, and All
		return s.modified(command == 0x0E || command == 0x6E), nil
	case 0x03: // no operation
		return nil, nil
	}
	return nil, errCommand
}

// erase empties the unprotected places from one up to another; all when they
// are the same.
func (s *Screen) erase(from, to int) {
	attr := s.attrAt(from)
	for i, n := from, 0; n < cells; n++ {
		if c := &s.cells[i]; c.field {
			attr = c.attr
		} else if attr&protected == 0 {
			c.char = 0
		}
		if i = (i + 1) % cells; i == to {
			return
		}
	}
}

// address reads a place: 14 bits when the first two are 00, else six of each
// octet.
func address(hi, lo byte) (int, error) {
	at := int(hi&0x3F)<<6 | int(lo&0x3F)
	if hi&0xC0 == 0 {
		at = int(hi)<<8 | int(lo)
	}
	if at >= cells {
		return 0, errAddress
	}
	return at, nil
}

func (s *Screen) put(c cell) {
	s.cells[s.addr] = c
	s.addr = (s.addr + 1) % cells
}

// write takes the write control character, then orders and text.
func (s *Screen) write(d []byte) error {
	if len(d) == 0 {
		return nil
	}
	s.written = true
	const restore, reset = 0x02, 0x01
	if d[0]&reset != 0 {
		s.untouch(0)
	}
	if d[0]&restore != 0 {
		s.free = true
		s.aid = noAID
	}
	d = d[1:]
	wrote := false // the last was text
	take := func(n int) ([]byte, error) {
		if len(d) < n {
			return nil, errCut
		}
		b := d[:n]
		d = d[n:]
		return b, nil
	}
	for len(d) > 0 {
		order := d[0]
		d = d[1:]
		text := false
		switch order {
		case 0x11: // Set Buffer Address
			b, err := take(2)
			if err != nil {
				return err
			}
			if s.addr, err = address(b[0], b[1]); err != nil {
				return err
			}
		case 0x1D: // Start Field
			b, err := take(1)
			if err != nil {
				return err
			}
			s.put(cell{field: true, attr: b[0]})
		case 0x29, 0x2C: // Start Field Extended, Modify Field
			b, err := take(1)
			if err != nil {
				return err
			}
			pairs, err := take(2 * int(b[0]))
			if err != nil {
				return err
			}
			c := cell{field: true}
			if order == 0x2C {
				if c = s.cells[s.addr]; !c.field {
					continue
				}
			}
			for ; len(pairs) > 0; pairs = pairs[2:] {
				if pairs[0] == 0xC0 {
					c.attr = pairs[1]
				}
			}
			s.put(c)
		case 0x28: // Set Attribute: colours and such
			if _, err := take(2); err != nil {
				return err
			}
			text = wrote
		case 0x13: // Insert Cursor
			s.cursor = s.addr
		case 0x05: // Program Tab
			s.tab(wrote)
		case 0x3C: // Repeat to Address
			b, err := take(3)
			if err != nil {
				return err
			}
			to, err := address(b[0], b[1])
			if err != nil {
				return err
			}
			char := b[2]
			if char == 0x08 { // a graphic escape, and its character
				if _, err = take(1); err != nil {
					return err
				}
				char = blank
			}
			for n := 0; n < cells; n++ {
				s.put(cell{char: char})
				if s.addr == to {
					break
				}
			}
		case 0x12: // Erase Unprotected to Address
			b, err := take(2)
			if err != nil {
				return err
			}
			to, err := address(b[0], b[1])
			if err != nil {
				return err
			}
			s.erase(s.addr, to)
			s.addr = to
		case 0x08: // Graphic Escape: a character of another set
			if _, err := take(1); err != nil {
				return err
			}
			s.put(cell{char: blank})
			text = true
		default:
			s.put(cell{char: order})
			text = true
		}
		wrote = text
	}
	return nil
}

const blank = 0x40

// tab goes to the first place of the next field that may be written to. Behind
// text, what is left of the field that the text stands in becomes empty.
func (s *Screen) tab(behindText bool) {
	for range cells {
		c := &s.cells[s.addr]
		s.addr = (s.addr + 1) % cells
		if c.field {
			behindText = false
			if c.attr&protected == 0 {
				return
			}
		} else if behindText {
			c.char = 0
		}
		if s.addr == 0 {
			return
		}
	}
}

// structured takes structured fields: each a length, which counts itself, a
// type and more. Length 0 is all that is left.
func (s *Screen) structured(d []byte) (reply []byte, err error) {
	for len(d) > 0 {
		if len(d) < 3 {
			return nil, errCut
		}
		n := int(d[0])<<8 | int(d[1])
		if n == 0 {
			n = len(d)
		}
		if n < 3 || n > len(d) {
			return nil, errCut
		}
		f := d[2:n]
		d = d[n:]
		switch f[0] {
		case 0x01: // Read Partition
			// Query (02) and Query List (03), of the partition "FF".
			if len(f) >= 3 && f[1] == 0xFF && (f[2] == 0x02 || f[2] == 0x03) && len(reply) == 0 {
				reply = bytes.Clone(queryReply)
			}
		case 0x40: // Outbound 3270DS: a partition, a command and its data
			if len(f) >= 3 {
				switch f[2] {
				case 0x01, 0xF1, 0x05, 0xF5, 0x0D, 0x7E, 0x0F, 0x6F:
					if _, err := s.Apply(f[2:]); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return reply, nil
}

// queryReply is what this terminal can do, as 3174 terminals say it: what is
// in the reply, the size, one character set, and the one partition.
var queryReply = []byte{
	0x88,
	0x00, 0x08, 0x81, 0x80, 0x80, 0x81, 0x85, 0xA6, // Summary
	0x00, 0x17, 0x81, 0x81, 0x01, 0x00, 0, Columns, 0, Rows, 0x01, // Usable Area: 12 and 14 bit addresses, millimetres
	0x00, 0x0A, 0x02, 0xE5, 0x00, 0x02, 0x00, 0x6F, 0x09, 0x0C, cells >> 8, cells & 0xFF,
	0x00, 0x10, 0x81, 0x85, 0x00, 0x00, 0x09, 0x0C, 0, 0, 0, 0, 0x03, 0x00, 0x00, 0x00, // Character Sets
	0x00, 0x11, 0x81, 0xA6, 0x00, 0x00, 0x0B, 0x01, 0x00, 0, Columns, 0, Rows, 0, Columns, 0, Rows, // Implicit Partition
}
