package fetch

import (
	"context"
	"errors"
	"time"
)

// Limits bound what opening a URL may cost. A zero field means its default,
// a negative one no limit.
type Limits struct {
	// Connect bounds resolving and connecting, for each connection.
	Connect time.Duration
	// FirstByte bounds the time from the beginning of a hop until its Response
	// is there: greeting, login and request together.
	FirstByte time.Duration
	// Idle bounds how long the body may bring nothing.
	Idle time.Duration
	// Total bounds everything, every hop and the body.
	Total time.Duration
	// MaxBody bounds the octets of the object, as it is handed over, and those that
	// lie before the Request's Offset with them.
	MaxBody int64
	// MaxExpanded bounds them where they come out of a compression that the
	// transport undid.
	MaxExpanded int64
	// MaxLine bounds one line of a line protocol, in octets.
	MaxLine int
	// MaxHeader bounds a header, or all that a server says before the object,
	// in octets.
	MaxHeader int64
	// MaxListing bounds the octets of a listing, which is read whole; it is 32 MiB
	// where that is less.
	MaxListing int64
	// MaxEntries bounds the entries of a listing.
	MaxEntries int
	// MaxHops bounds how many redirects are followed.
	MaxHops int
}

// DefaultLimits returns the defaults.
func DefaultLimits() Limits {
	return Limits{
		Connect:     15 * time.Second,
		FirstByte:   60 * time.Second,
		Idle:        60 * time.Second,
		Total:       time.Hour,
		MaxBody:     1 << 30,
		MaxExpanded: 1 << 30,
		MaxLine:     64 << 10,
		MaxHeader:   1 << 20,
		MaxListing:  maxListing,
		MaxEntries:  100_000,
		MaxHops:     20, // Fetch Standard, HTTP-redirect fetch
	}
}

// Or fills the zero fields of l from m.
func (l Limits) Or(m Limits) Limits {
	or(&l.Connect, m.Connect)
	or(&l.FirstByte, m.FirstByte)
	or(&l.Idle, m.Idle)
	or(&l.Total, m.Total)
	or(&l.MaxBody, m.MaxBody)
	or(&l.MaxExpanded, m.MaxExpanded)
	or(&l.MaxLine, m.MaxLine)
	or(&l.MaxHeader, m.MaxHeader)
	or(&l.MaxListing, m.MaxListing)
	or(&l.MaxEntries, m.MaxEntries)
	or(&l.MaxHops, m.MaxHops)
	return l
}

func or[T comparable](to *T, from T) {
	var zero T
	if *to == zero {
		*to = from
	}
}

// Over reports whether n is past a limit in which negative means none.
func Over[T int | int64 | time.Duration](n, limit T) bool { return limit >= 0 && n > limit }

// The time limits, as errors. Each is a context.DeadlineExceeded too.
var (
	ErrFirstByte error = timeLimit("no answer within the time limit")
	ErrIdle      error = timeLimit("nothing more came within the time limit")
	ErrTotal     error = timeLimit("not finished within the time limit")
)

// A timeLimit is a deadline of ours that passed, in our words.
type timeLimit string

func (e timeLimit) Error() string { return string(e) }
func (e timeLimit) Unwrap() error { return context.DeadlineExceeded }

// What went wrong, by kind: errors.Is finds these in an [Error].
var (
	// ErrNotFound: the server has no such object.
	ErrNotFound = errors.New("not found")
	// ErrDenied: a login or a permission was refused, or one is wanted.
	ErrDenied = errors.New("access denied")
	// ErrBusy: the server wants to be asked again later.
	ErrBusy = errors.New("the server is busy")
	// ErrTooLarge: more came than a limit allows.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrTruncated: the object ended before its end.
	ErrTruncated = errors.New("cut off before the end")
	// ErrMalformed: what came is not the protocol.
	ErrMalformed = errors.New("not the protocol")
	// ErrRefused: our own rules forbid it: the gate, the guard, a port, a
	// redirect to another scheme.
	ErrRefused = errors.New("refused by rule")
	// ErrTooManyHops: more redirects than MaxHops.
	ErrTooManyHops = errors.New("too many redirects")
	// ErrLoop: redirects that come back to where they were.
	ErrLoop = errors.New("redirect loop")
	// ErrCookie is said beside ErrLoop and ErrTooManyHops where a server wanted
	// a cookie kept on the way: it may let through whoever brings it back.
	ErrCookie = errors.New("a cookie was set on the way, and none is kept")
	// ErrUnsupported: nothing here speaks the scheme, or the protocol has no
	// way to do what was asked.
	ErrUnsupported = errors.New("not supported")
)
