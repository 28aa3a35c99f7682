package telnet

// The attention identifiers: which key made the terminal speak.
const (
	noAID    = 0x60
	aidEnter = 0x7D
	aidClear = 0x6D
	aidPA1   = 0x6C
	aidPA2   = 0x6E
	aidPA3   = 0x6B
)

// aidPF are the program function keys 1 to 24.
var aidPF = [24]byte{
	0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C,
	0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C,
}

// digits6 are the octets that six bits are sent as in an address of 12 bits.
var digits6 = [64]byte{
	0x40, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F,
	0x50, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F,
	0x60, 0x61, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F,
	0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F,
}

func appendAddress(b []byte, at int) []byte { return append(b, digits6[at>>6], digits6[at&0x3F]) }

// code gives the EBCDIC of a letter, and whether it has one.
func code(r rune) (byte, bool) {
	if r == ' ' {
		return blank, true // there are two that show as one
	}
	for b, known := range ebcdic {
		if known == r && r != 0 {
			return byte(b), true
		}
	}
	return 0, false
}

// start is the place of the attribute that place i belongs to, or -1 on a
// screen without fields.
func (s *Screen) start(i int) int {
	for n := range cells {
		if at := (i - n + cells) % cells; s.cells[at].field {
			return at
		}
	}
	return -1
}

// open reports whether the user may write at place i.
func (s *Screen) open(i int) bool {
	return !s.cells[i].field && s.attrAt(i)&protected == 0
}

// touch marks the field of place i as modified.
func (s *Screen) touch(i int) {
	if at := s.start(i); at >= 0 {
		s.cells[at].attr |= modified
	}
}

// untouch takes the mark from all fields that have none of the bits of but.
func (s *Screen) untouch(but byte) {
	for i := range s.cells {
		if c := &s.cells[i]; c.field && (but == 0 || c.attr&but == 0) {
			c.attr &^= modified
		}
	}
}

// eraseInput empties what the user may write to, takes the marks off it and
// puts the cursor at its beginning.
func (s *Screen) eraseInput() {
	s.erase(0, 0)
	s.untouch(protected)
	s.cursor = 0
	if s.start(0) >= 0 {
		s.cursor = s.nextOpen(cells - 1)
	}
}

// nextOpen is the first place that may be written to of the first such field
// behind place i; 0 where there is none.
func (s *Screen) nextOpen(i int) int {
	for n := 1; n <= cells; n++ {
		at := (i + n) % cells
		if s.cells[at].field && s.cells[at].attr&protected == 0 && !s.cells[(at+1)%cells].field {
			return (at + 1) % cells
		}
	}
	return 0
}

// lastOpen is the beginning of the field before the one that place i is in, or
// of this one where i is behind its beginning.
func (s *Screen) lastOpen(i int) int {
	for n := 2; n <= cells+1; n++ {
		at := (i - n + 2*cells) % cells
		if s.cells[at].field && s.cells[at].attr&protected == 0 && !s.cells[(at+1)%cells].field {
			return (at + 1) % cells
		}
	}
	return 0
}

// Type writes a letter where the cursor stands, and moves it on: behind a full
// field to the next. It reports false where that cannot be, and the terminal
// rings: the host has not given the keyboard free, the place is protected, or
// the letter is none of the host's.
func (s *Screen) Type(r rune) bool {
	b, ok := code(r)
	if !ok || !s.free || !s.open(s.cursor) {
		return false
	}
	s.cells[s.cursor].char = b
	s.touch(s.cursor)
	s.cursor = (s.cursor + 1) % cells
	if c := s.cells[s.cursor]; c.field {
		if c.attr&(protected|numeric) == protected|numeric {
			s.cursor = s.nextOpen(s.cursor)
		} else {
			s.cursor = (s.cursor + 1) % cells
		}
	}
	return true
}

// A Key is one of a 3270's keys that write no letter.
type Key int

// The keys. Those up to EraseInput change the screen alone; the others make the
// terminal speak to the host.
const (
	Left Key = iota
	Right
	Up
	Down
	Home
	Tab
	BackTab
	Newline
	Backspace
	Delete
	EraseEnd   // erase to the end of the field
	EraseInput // erase all that was typed
	Enter
	Clear
	PA1
	PA2
	PA3
	PF1 // up to PF1+23
)

// Press presses a key. What it returns, if anything, goes to the host as one
// record. It reports false where the key does nothing now.
func (s *Screen) Press(k Key) (reply []byte, ok bool) {
	switch k { // the cursor moves under a locked keyboard, too
	case Left:
		s.cursor = (s.cursor - 1 + cells) % cells
		return nil, true
	case Right:
		s.cursor = (s.cursor + 1) % cells
		return nil, true
	case Up:
		s.cursor = (s.cursor - Columns + cells) % cells
		return nil, true
	case Down:
		s.cursor = (s.cursor + Columns) % cells
		return nil, true
	}
	if !s.free {
		return nil, false
	}
	switch k {
	case Home:
		s.cursor = s.nextOpen(cells - 1)
	case Tab:
		s.cursor = s.nextOpen(s.cursor)
	case BackTab:
		s.cursor = s.lastOpen(s.cursor)
	case Newline:
		at := (s.cursor/Columns + 1) * Columns % cells
		if s.start(at) >= 0 && !s.open(at) {
			at = s.nextOpen(at)
		}
		s.cursor = at
	case Backspace:
		before := (s.cursor - 1 + cells) % cells
		if !s.open(before) || s.start(before) < 0 && s.cursor == 0 {
			return nil, false
		}
		s.cursor = before
		return nil, s.pull()
	case Delete:
		return nil, s.pull()
	case EraseEnd:
		if !s.open(s.cursor) {
			return nil, false
		}
		for i := s.cursor; ; {
			s.cells[i].char = 0
			if i = (i + 1) % cells; i == 0 && s.start(0) < 0 || s.cells[i].field || i == s.cursor {
				break
			}
		}
		s.touch(s.cursor)
	case EraseInput:
		s.eraseInput()
	case Enter:
		return s.attend(aidEnter), true
	case Clear:
		s.clear()
		s.addr, s.cursor = 0, 0
		return s.attend(aidClear), true
	case PA1:
		return s.attend(aidPA1), true
	case PA2:
		return s.attend(aidPA2), true
	case PA3:
		return s.attend(aidPA3), true
	default:
		if k < PF1 || int(k-PF1) >= len(aidPF) {
			return nil, false
		}
		return s.attend(aidPF[k-PF1]), true
	}
	return nil, true
}

// pull takes the letter at the cursor out; those behind it in its field move up.
func (s *Screen) pull() bool {
	if !s.open(s.cursor) {
		return false
	}
	i := s.cursor
	for {
		next := (i + 1) % cells
		if s.cells[next].field || next == s.cursor || next == 0 && s.start(0) < 0 {
			s.cells[i].char = 0
			break
		}
		s.cells[i].char = s.cells[next].char
		i = next
	}
	s.touch(s.cursor)
	return true
}

// attend locks the keyboard and tells the host which key was pressed.
func (s *Screen) attend(aid byte) []byte {
	s.aid, s.free = aid, false
	return s.modified(false)
}

// short reports whether a key is told alone, without where the cursor is and
// what was typed.
func short(aid byte) bool {
	return aid == aidClear || aid == aidPA1 || aid == aidPA2 || aid == aidPA3
}

func (s *Screen) pressed() byte {
	if s.aid == 0 {
		return noAID
	}
	return s.aid
}

// modified is the answer to Read Modified, and what a key sends: the key, the
// cursor, and every field that was typed in, without its empty places. With all
// set a short key does not shorten it.
func (s *Screen) modified(all bool) []byte {
	b := []byte{s.pressed()}
	if short(s.aid) && !all {
		return b
	}
	b = appendAddress(b, s.cursor)
	first := s.start(cells - 1)
	if first < 0 {
		for _, c := range s.cells { // a screen without fields is told whole
			if c.char != 0 {
				b = append(b, c.char)
			}
		}
		return b
	}
	// The fields stand in the order of their places; the last goes round the end.
	for at := range cells {
		if c := s.cells[at]; !c.field || c.attr&modified == 0 {
			continue
		}
		begin := (at + 1) % cells
		b = append(b, 0x11) // Set Buffer Address
		b = appendAddress(b, begin)
		for i, n := begin, 0; n < cells-1 && !s.cells[i].field; i, n = (i+1)%cells, n+1 {
			if s.cells[i].char != 0 {
				b = append(b, s.cells[i].char)
			}
		}
	}
	return b
}

// buffer is the answer to Read Buffer: the key, the cursor, and all places.
func (s *Screen) buffer() []byte {
	b := appendAddress([]byte{s.pressed()}, s.cursor)
	for _, c := range s.cells {
		if c.field {
			b = append(b, 0x1D, digits6[c.attr&0x3F]) // Start Field
			continue
		}
		b = append(b, c.char)
	}
	return b
}
