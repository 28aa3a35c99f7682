package fetch

import (
	"context"
	"errors"
	"io"

	"anyurl"
	"anyurl/dial"
	"anyurl/internal/wire"
)

// The steps that an [Error] names.
const (
	Reading    = "reading" // what the URL means for its scheme
	Gate       = "gate"
	Resolving  = dial.Resolving
	Connecting = dial.Connecting
	TLS        = dial.TLS
	Greeting   = "greeting"
	Login      = "login"
	Asking     = "request"
	Sending    = "sending" // of what is handed over, as a letter is
	Status     = "status"
	Body       = "body"
	Redirect   = "redirect"
	Limit      = "limit"
)

// An Error is why a URL could not be opened, and at which step.
type Error struct {
	// Step is what was being done: one of the constants above.
	Step string
	// URL is what was being opened. It may hold a password: Error shows it
	// without.
	URL anyurl.URL
	// Status is the protocol's own number for the failure, 0 if it gave none.
	Status int
	// Said is the server's own words as they came; Error shows them quoted.
	Said string
	// Kind is one of this package's errors, or nil.
	Kind error
	// Err is the cause.
	Err error
	// Hint is what the user could do about it; it may be empty.
	Hint string
	// Here is what whoever runs this program could do, where that names files of
	// this machine. It is not for those who ask from elsewhere, and may be empty.
	Here string
	// Code is the audit's code for what happened while following, as in
	// "redirect-loop"; it may be empty.
	Code string
	// Hops are the hops before this one.
	Hops []Hop
}

// Error says the step, the URL without its secrets, the cause and the
// server's words, on one line.
func (e *Error) Error() string { return e.text(shown) }

// Whole is Error with the URL's query: for whoever asked for the URL, and not for
// a log.
func (e *Error) Whole() string {
	return e.text(func(u anyurl.URL) string { return u.WithoutFragment().Redacted() })
}

func (e *Error) text(shown func(anyurl.URL) string) string {
	text := e.Step
	if !e.URL.IsZero() {
		text += " " + shown(e.URL)
	}
	if why := e.why(); why != "" {
		text += ": " + why
	}
	if e.Said != "" {
		text += ": the server said " + wire.Quote(e.Said)
	}
	return text
}

func (e *Error) why() string {
	var d *dial.Error
	if errors.As(e.Err, &d) {
		return d.Cause()
	}
	switch e.Err {
	case nil:
		if e.Kind != nil {
			return e.Kind.Error()
		}
		return ""
	case io.ErrUnexpectedEOF:
		return ErrTruncated.Error()
	case io.EOF:
		return "the connection was closed before an answer"
	case context.DeadlineExceeded:
		return ErrTotal.Error()
	case context.Canceled:
		return "interrupted"
	}
	return dial.Plainly(e.Err)
}

// Unwrap returns the cause and the kind.
func (e *Error) Unwrap() []error {
	var errs []error
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	if e.Kind != nil {
		errs = append(errs, e.Kind)
	}
	return errs
}

// shown is a URL as an error may show it: no password, no query, no fragment.
func shown(u anyurl.URL) string {
	text := u.WithoutFragment().WithoutQuery().Redacted()
	if u.HasQuery() {
		text += "?…"
	}
	return text
}

// Fail returns an *[Error] for a step; nil when err is nil. An err that names
// its own step (an *[Error], a *[dial.Error]) keeps it.
func Fail(step string, err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	e := &Error{Step: step, Err: err}
	var d *dial.Error
	if errors.As(err, &d) {
		e.Step = d.Step
	}
	var refused *dial.Refused
	switch {
	case errors.As(err, &refused):
		e.Kind, e.Code = ErrRefused, "resolves-internal"
	case errors.Is(err, wire.ErrLong), errors.Is(err, wire.ErrTooMuch):
		e.Kind = ErrTooLarge
	case dial.HungUp(err) && e.Step != Connecting && e.Step != TLS:
		e.Kind = ErrTruncated
	default:
		var garbled *wire.Garbled
		var unsafe *wire.Unsafe
		if errors.As(err, &garbled) {
			e.Kind = ErrMalformed
		} else if errors.As(err, &unsafe) {
			e.Step, e.Kind = Reading, ErrRefused
		}
	}
	if errors.Is(err, dial.ErrNoAddress) {
		e.Code = "no-address"
	}
	return e
}

// complete gives err its URL, and the context's cause where that is what
// ended it.
func complete(ctx context.Context, err error, u anyurl.URL, step string) *Error {
	var e *Error
	if !errors.As(Fail(step, err), &e) {
		e = &Error{Step: step, Err: err}
	}
	own := *e // a transport may keep its error
	if own.URL.IsZero() {
		own.URL = u
	}
	if ctx.Err() != nil && !errors.Is(own.Err, context.Cause(ctx)) {
		own.Err = context.Cause(ctx)
		own.Said = ""
	}
	return &own
}
