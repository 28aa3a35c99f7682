package fetch

import (
	"errors"

	"anyurl/internal/wire"
	"anyurl/percent"
)

// Veil returns an error with "***" in the place of a password, which a server may
// have said again.
func Veil(err error, user, password string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	own := *e
	own.veil(wire.Secrets(user, password))
	return &own
}

func (e *Error) veil(secrets []string) {
	if len(secrets) == 0 {
		return // as for nearly every URL of a list
	}
	e.Said = wire.Veil(e.Said, secrets)
	if e.Err == nil {
		return
	}
	if text := e.why(); wire.Veil(text, secrets) != text {
		e.Err = &veiled{e.Err, wire.Veil(text, secrets)}
	}
}

// A veiled is an error with other words.
type veiled struct {
	err  error
	says string
}

func (e *veiled) Error() string { return e.says }
func (e *veiled) Unwrap() error { return e.err }

// VeilTrace gives trace as one that is told of no password that a server says again.
// It is nil where trace is.
func VeilTrace(trace func(Event), user, password string) func(Event) {
	if trace == nil || password == "" {
		return trace
	}
	secrets := wire.Secrets(user, password)
	return func(e Event) {
		e.Text = wire.Veil(e.Text, secrets)
		trace(e)
	}
}

// secrets are those of a request, in the forms in which a server may say them again.
func (r *Request) secrets() []string {
	all := wire.Secrets(percent.Decode(r.URL.Username()), percent.Decode(r.URL.Password()))
	if r.Auth != nil {
		all = append(all, wire.Secrets(r.Auth.User, r.Auth.Password)...)
	}
	return all
}
