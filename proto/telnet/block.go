package telnet

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"anyurl/fetch"
)

// A blockSession is a session with a 3270 host: what the host draws is drawn anew on
// an ANSI terminal, and what its keys send is typed on the 3270's keyboard.
// A host that never goes into 3270 mode is a telnet service, and is talked to
// as one.
type blockSession struct {
	*line
	tn   *Conn
	rows func() int // of the terminal

	mu     sync.Mutex
	more   *sync.Cond
	screen Screen
	block  bool   // in 3270 mode
	out    []byte // not yet shown
	keys   []byte // of which the end has not come
	err    error  // the session is over
}

func newBlockSession(l *line, tn *Conn, term fetch.Terminal, log func(bool, string)) *blockSession {
	tn.lasting, tn.Log = true, log
	d := &blockSession{line: l, tn: tn, rows: func() int { return 0 }}
	if term.Size != nil {
		d.rows = func() int { _, rows := term.Size(); return rows }
	}
	d.more = sync.NewCond(&d.mu)
	go d.listen()
	return d
}

// listen takes what the host says until it ends.
func (d *blockSession) listen() {
	err := d.records()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err = d.cause(err); d.err == nil {
		d.err = io.EOF
	}
	d.more.Broadcast()
}

func (d *blockSession) records() error {
	var rec []byte
	for {
		b, event, err := d.tn.next()
		if err != nil {
			return err
		}
		if block := d.tn.blockMode(); block != d.block {
			d.mu.Lock()
			d.block = block
			d.mu.Unlock()
		}
		switch {
		case event == text && !d.block:
			d.mu.Lock()
			d.show(string(b))
			d.mu.Unlock()
		case event == text:
			if len(rec) == maxRecord {
				return errLongRecord
			}
			rec = append(rec, b)
		case event == record:
			if err := d.draw(rec); err != nil {
				return err
			}
			rec = rec[:0]
		}
	}
}

// draw applies a record, shows the screen and answers.
func (d *blockSession) draw(rec []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	reply, err := d.screen.Apply(rec)
	if err != nil {
		return &fetch.Error{Step: fetch.Body, Kind: fetch.ErrMalformed, Err: err}
	}
	d.show(d.screen.paint(d.rows() > Rows))
	if len(reply) > 0 {
		return d.tn.writeRecord(reply)
	}
	return nil
}

// mostUnshown is how much may wait for a terminal that shows nothing: some
// screens. What is older than a whole screen need not be shown any more.
const mostUnshown = 64 << 10

func (d *blockSession) show(s string) {
	if len(d.out)+len(s) > mostUnshown {
		d.out = d.out[:0]
	}
	d.out = append(d.out, s...)
	d.more.Signal()
}

func (d *blockSession) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.out) == 0 && d.err == nil && len(p) > 0 {
		d.more.Wait()
	}
	if len(d.out) == 0 {
		return 0, d.err
	}
	n := copy(p, d.out)
	d.out = d.out[:copy(d.out, d.out[n:])]
	return n, nil
}

// Echoes is so in 3270 mode, where the screen shows what is typed.
func (d *blockSession) Echoes() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.block || d.tn.echoed.Load()
}

// Resize does nothing: the screen has the size that the host was told.
func (d *blockSession) Resize() error { return nil }

// Write types.
func (d *blockSession) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return 0, d.err
	}
	if !d.block {
		n, err := d.tn.Write(p)
		return n, d.cause(err)
	}
	d.keys = append(d.keys, p...)
	for len(d.keys) > 0 {
		n, letter, key, ok := readKey(d.keys)
		if n == 0 {
			break // the rest of it comes with the next Write
		}
		d.keys = d.keys[n:]
		var reply []byte
		if ok {
			if letter != 0 {
				ok = d.screen.Type(letter)
			} else {
				reply, ok = d.screen.Press(key)
			}
		}
		if !ok {
			d.show("\a")
		}
		if len(reply) > 0 {
			if err := d.tn.writeRecord(reply); err != nil {
				return 0, d.cause(err)
			}
		}
	}
	d.show(d.screen.paint(d.rows() > Rows))
	return len(p), nil
}

// escapes are the sequences of an xterm's keys, and of an Alt key, which sends
// ESC before the letter.
var escapes = map[string]Key{
	"\x1b[D": Left, "\x1bOD": Left, "\x1b[C": Right, "\x1bOC": Right, "\x1b[A": Up, "\x1bOA": Up, "\x1b[B": Down, "\x1bOB": Down,
	"\x1b[H": Home, "\x1bOH": Home, "\x1b[1~": Home, "\x1b[Z": BackTab, "\x1b[3~": Delete, "\x1b[F": EraseEnd, "\x1bOF": EraseEnd, "\x1b[4~": EraseEnd,
	"\x1b1": PA1, "\x1b2": PA2, "\x1b3": PA3, "\x1bc": Clear,
	"\x1bOP": PF1, "\x1bOQ": PF1 + 1, "\x1bOR": PF1 + 2, "\x1bOS": PF1 + 3, "\x1b[15~": PF1 + 4, "\x1b[17~": PF1 + 5,
	"\x1b[18~": PF1 + 6, "\x1b[19~": PF1 + 7, "\x1b[20~": PF1 + 8, "\x1b[21~": PF1 + 9, "\x1b[23~": PF1 + 10, "\x1b[24~": PF1 + 11,
	"\x1b[1;2P": PF1 + 12, "\x1b[1;2Q": PF1 + 13, "\x1b[1;2R": PF1 + 14, "\x1b[1;2S": PF1 + 15, "\x1b[15;2~": PF1 + 16, "\x1b[17;2~": PF1 + 17,
	"\x1b[18;2~": PF1 + 18, "\x1b[19;2~": PF1 + 19, "\x1b[20;2~": PF1 + 20, "\x1b[21;2~": PF1 + 21, "\x1b[23;2~": PF1 + 22, "\x1b[24;2~": PF1 + 23,
}

// controls are what a terminal sends for the keys with a code of their own.
var controls = map[byte]Key{
	'\r': Enter, '\t': Tab, '\n': Newline, 0x08: Backspace, 0x7F: Backspace,
	0x03: Clear /* ^C */, 0x05: EraseEnd /* ^E */, 0x15: EraseInput, /* ^U */
}

// longestKey is more than the longest sequence that means something.
const longestKey = 8

// readKey reads one key at the beginning of b: a letter, or a key; ok is false
// for what means nothing here. It gives 0 where more has to come.
func readKey(b []byte) (n int, letter rune, key Key, ok bool) {
	if b[0] == 0x1B {
		n = 1
		switch {
		case len(b) == 1:
			return 0, 0, 0, false
		case b[1] == '[':
			for n = 2; n < len(b) && (b[n] < 0x40 || b[n] > 0x7E); n++ {
			}
			if n == len(b) && n < longestKey {
				return 0, 0, 0, false
			}
			n = min(n+1, len(b))
		case b[1] == 'O':
			if len(b) == 2 {
				return 0, 0, 0, false
			}
			n = 3
		default:
			n = 2
		}
		key, ok = escapes[string(b[:n])]
		return n, 0, key, ok
	}
	if key, ok = controls[b[0]]; ok || b[0] < ' ' {
		return 1, 0, key, ok
	}
	if !utf8.FullRune(b) {
		return 0, 0, 0, false
	}
	letter, n = utf8.DecodeRune(b)
	return n, letter, 0, letter != utf8.RuneError
}

// paint draws the screen on an ANSI terminal: what may be written to is
// underlined, what is bright is bold, and a line below, where there is room for
// one, tells whose turn it is.
func (s *Screen) paint(status bool) string {
	var b strings.Builder
	b.WriteString("\x1b[H\x1b[0m")
	attr, style := s.attrAt(0), ""
	fields := s.start(0) >= 0
	for i, c := range s.cells {
		if i%Columns == 0 {
			fmt.Fprintf(&b, "\x1b[%d;1H", i/Columns+1)
		}
		char, want := ' ', ""
		if c.field {
			attr = c.attr
		} else {
			if attr&display != nonDisplay {
				if char = ebcdic[c.char]; char == 0 || char == 0xAD {
					char = ' '
				}
				if attr&display == bright {
					want = "\x1b[1m"
				}
			}
			if fields && attr&protected == 0 {
				want += "\x1b[4m"
			}
		}
		if want != style {
			b.WriteString("\x1b[0m" + want)
			style = want
		}
		b.WriteRune(char)
	}
	turn := "ready"
	if !s.free {
		turn = "X wait for the host"
	}
	if status {
		fmt.Fprintf(&b, "\x1b[0m\x1b[%d;1H\x1b[7m%-*s", Rows+1, Columns-1, " "+turn)
	}
	fmt.Fprintf(&b, "\x1b[0m\x1b[%d;%dH", s.cursor/Columns+1, s.cursor%Columns+1)
	return b.String()
}
