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
// that a telnet, tn3270 or rlogin URL names. One goroutine may Read, another
// one Write and a third Resize at once.
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
