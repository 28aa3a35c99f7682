package cli

import (
	"errors"
	"io"
	"strings"

	"anyurl/internal/quote"
	"anyurl/rule"
)

// show makes an error fit for people: passwords masked, nothing that a
// terminal would obey, and for a broken rule the caret under its place.
func (c *call) show(err error) string {
	e, ok := errors.AsType[*rule.Error](err)
	if !ok {
		return c.masked(err.Error())
	}
	before := strings.TrimSuffix(err.Error(), e.Error())
	if before != "" {
		before = c.masked(strings.TrimSuffix(before, ": ")) + "\n"
	}
	return before + e.Caret()
}

// masked makes a report's text fit for people.
func (c *call) masked(s string) string { return quote.Text(quote.Mask(s)) }

// plain makes data safe for a terminal; to a file or a pipe it goes as it is.
func (c *call) plain(s string) string {
	if c.out.terminal {
		return quote.Text(s)
	}
	return s
}

// line writes one line of data.
func (c *call) line(s string) error {
	_, err := io.WriteString(c.out, c.plain(s)+"\n")
	return err
}
