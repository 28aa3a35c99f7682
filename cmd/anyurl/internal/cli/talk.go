package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"anyurl"
	"anyurl/fetch"
	"anyurl/internal/quote"
	"anyurl/percent"
)

// escapeKey is ^], by which the user speaks to us and not to the service, as
// Telnet clients have it.
const escapeKey = 0x1D

// talks reports whether a person sits at a terminal and asks for one object,
// to see it there: a service that is talked to can then be talked to.
func (c *call) talks(args []string, ask getAsk) bool {
	in, ok := c.in.r.(*os.File)
	return ok && c.out.terminal && len(args) == 1 && args[0] != "-" &&
		ask.output == "" && !ask.named && !ask.head && ask.meta == "" && !ask.capture && term.IsTerminal(int(in.Fd()))
}

// talk holds a session with the service that u names. It reports false where
// there is none of that kind, and u is to be fetched.
func (c *call) talk(client *fetch.Client, u anyurl.URL, trace func(fetch.Event)) (bool, error) {
	in := c.in.r.(*os.File) // talks saw to it
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	s, err := client.Talk(ctx, &fetch.Request{URL: u, Trace: trace}, fetch.Terminal{
		Name: c.getenv("TERM"),
		Size: func() (columns, rows int) {
			columns, rows, _ = term.GetSize(int(in.Fd()))
			return columns, rows
		},
	})
	if errors.Is(err, fetch.ErrUnsupported) {
		return false, nil
	}
	if err != nil {
		return true, cannot(err, "")
	}
	defer s.Close()
	if user := percent.Decode(u.Username()); user != "" {
		c.say("the URL suggests the user name " + c.masked(user))
	}
	c.say("^] speaks to anyurl: ^] and q leave, ^] and ? tell more")
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return true, cannot(err, "")
	}
	resized, still := watchSize()
	defer still()
	go func() {
		for range resized {
			s.Resize()
		}
	}()
	err = (&conversation{session: s, in: c.in, out: c.out, password: percent.Decode(u.Password())}).hold()
	term.Restore(int(in.Fd()), before)
	if err == nil {
		c.say("the session is over")
	} else {
		err = cannot(err, "")
	}
	return true, err
}

// say tells the user something, on a line of its own.
func (c *call) say(s string) { fmt.Fprintf(c.errw, "anyurl: %s\n", s) }

// A conversation is a session between a service and the keys and the screen of
// a terminal in raw mode.
type conversation struct {
	session  fetch.Session
	in       io.Reader
	out      io.Writer
	password string // shown when asked for
	keys     fetch.Keyboard
	escaped  bool // ^] was the last key
}

// hold lasts until the service hangs up, the user leaves, or the keys end.
func (v *conversation) hold() error {
	v.keys = fetch.Keyboard{Session: v.session, Show: func(text []byte) { v.out.Write(text) }}
	over := make(chan error, 2)
	go func() {
		_, err := io.Copy(v.out, v.session)
		over <- err
	}()
	go func() {
		buf := make([]byte, 1024)
		for {
			n, err := v.in.Read(buf)
			for _, key := range buf[:n] {
				if !v.press(key, &err) {
					over <- err
					return
				}
			}
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				over <- err
				return
			}
		}
	}()
	err := <-over
	v.session.Close()
	return err
}

// press takes one key. It reports false when the user leaves, or err says that
// the service is not there any more.
func (v *conversation) press(key byte, err *error) bool {
	switch {
	case v.escaped:
		v.escaped = false
		switch key {
		case 'q', 'Q', 0x04:
			return false
		case escapeKey:
			_, *err = v.session.Write([]byte{key})
			return *err == nil
		case 'p', 'P':
			if v.password == "" {
				v.show("\r\n[the URL holds no password]\r\n")
			} else {
				v.show("\r\n[the URL's password is " + quote.Text(v.password) + "]\r\n")
			}
		default:
			v.show("\r\n[behind ^]: q leaves, p shows the URL's password, ^] sends itself]\r\n")
		}
		return true
	case key == escapeKey:
		v.escaped = true
		return true
	}
	return v.send([]byte{key}, err)
}

func (v *conversation) send(b []byte, err *error) bool {
	*err = v.keys.Type(b)
	return *err == nil
}

func (v *conversation) show(s string) { io.WriteString(v.out, s) } // a failure ends the run
