package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"anyurl/dial"
)

// A Terminal is what a [Session] is shown on.
type Terminal struct {
	// Name is the terminal's type as TERM has it ("xterm-256color"); "" is a
	// dumb one.
	Name string
	// Size gives the window's columns and rows; nil where nobody knows.
	Size func() (columns, rows int)
}

// A Session is a conversation between a person at a terminal and a service
// that a telnet, tn3270 or rlogin URL names. One goroutine may Read while
// others Write and Resize.
type Session interface {
	// Read gives what the terminal is to show, Write takes what its keys send.
	io.ReadWriteCloser
	// Echoes reports whether the service shows what is typed. Where it does
	// not, the terminal shows it, and sends whole lines that end with CR LF.
	Echoes() bool
	// Resize tells the service the terminal's new size, if it wants to know.
	Resize() error
}

// A Talker is a [Transport] for services that are talked to.
type Talker interface {
	// Talk connects. The session lives until it is closed or ctx ends.
	Talk(ctx context.Context, req *Request, t Terminal) (Session, error)
}

// Talk begins a session with the service that req names, past the gate and the
// port rule like [Client.Do]. Errors are *[Error]; one of the kind
// ErrUnsupported says that the scheme's objects are opened and not talked to.
// Of the limits the one on connecting holds: how long a session lasts is the
// user's affair.
func (c *Client) Talk(ctx context.Context, req *Request, t Terminal) (Session, error) {
	switch {
	case ctx == nil:
		return nil, &Error{Step: Asking, Err: errors.New("there is no context")}
	case req == nil || req.URL.IsZero():
		return nil, &Error{Step: Asking, Err: errors.New("there is no URL to open")}
	}
	u := req.URL
	talker, ok := c.talker(u.Scheme())
	if !ok {
		return nil, &Error{Step: Asking, URL: u, Kind: ErrUnsupported, Err: fmt.Errorf("%s URLs name nothing here that is talked to", u.Scheme())}
	}
	if err := c.vet(u); err != nil {
		return nil, complete(ctx, err, u, Gate)
	}
	r := *req
	r.Limits = r.Limits.Or(c.Limits).Or(DefaultLimits())
	if r.Limits.Connect > 0 {
		ctx = dial.WithTimeout(ctx, r.Limits.Connect)
	}
	s, err := talker.Talk(ctx, &r, t)
	if err != nil {
		return nil, complete(ctx, err, u, Asking)
	}
	return s, nil
}

// talker finds who talks for a scheme, behind what asks again.
func (c *Client) talker(scheme string) (Talker, bool) {
	t := c.Transports[scheme]
	for {
		if talker, ok := t.(Talker); ok {
			return talker, true
		}
		around, ok := t.(*Retry)
		if !ok {
			return nil, false
		}
		t = around.Transport
	}
}

// Talks reports whether the scheme's services can be talked to.
func (c *Client) Talks(scheme string) bool {
	_, ok := c.talker(scheme)
	return ok
}

// maxTyped is as long as a line may be, as a terminal's own lines may.
const maxTyped = 4096

// A Keyboard sends to a [Session] what is typed at a terminal that does nothing
// with it by itself: at once where the service shows it; else line by line, and
// then it is the Keyboard that shows it and lets it be corrected. It is used by
// one goroutine.
type Keyboard struct {
	Session Session
	// Show puts text where the session's own goes.
	Show func(text []byte)

	line []byte
}

// Type takes what keys send.
func (k *Keyboard) Type(keys []byte) error {
	for i := 0; i < len(keys); i++ {
		if k.Session.Echoes() && len(k.line) == 0 {
			_, err := k.Session.Write(keys[i:])
			return err
		}
		if err := k.edit(keys[i]); err != nil {
			return err
		}
	}
	return nil
}

// edit takes one key into the line.
func (k *Keyboard) edit(key byte) error {
	switch key {
	case '\r', '\n':
		k.Show([]byte("\r\n"))
		return k.send("\r\n")
	case 0x08, 0x7F:
		if n := len(k.line); n > 0 {
			for n--; n > 0 && k.line[n]&0xC0 == 0x80; n-- { // a letter of several octets
			}
			k.line = k.line[:n]
			k.Show([]byte("\b \b"))
		}
	case 0x15: // ^U
		for ; len(k.line) > 0; k.line = k.line[:len(k.line)-1] {
			if k.line[len(k.line)-1]&0xC0 != 0x80 {
				k.Show([]byte("\b \b"))
			}
		}
	case 0x03, 0x04, 0x1A: // ^C, ^D and ^Z are the service's
		return k.send(string(key))
	default:
		if len(k.line) == maxTyped {
			k.Show([]byte("\a"))
			break
		}
		k.line = append(k.line, key)
		k.Show([]byte{key})
	}
	return nil
}

// send sends the line and what ended it.
func (k *Keyboard) send(end string) error {
	_, err := k.Session.Write(append(k.line, end...))
	k.line = nil
	return err
}
