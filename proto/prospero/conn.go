package prospero

import (
	"context"
	"strconv"
	"strings"

	"anyurl/internal/wire"
)

// preamble is what every request begins with: the protocol's version, and what
// software asks.
const preamble = "VERSION 5 url\n"

// Info asks for attributes of an object: "#ALL", "CONTENTS", or several with
// "+" between them. Version 0 is the current one.
func (c *Conn) Info(ctx context.Context, attributes, name string, version uint64) (Reply, error) {
	q, err := quoted(name)
	if err != nil {
		return Reply{}, err
	}
	return c.command(ctx, "GET-OBJECT-INFO", attributes, "ASCII", q, strconv.FormatUint(version, 10))
}

// List asks for the links of a directory, with the options "", "ATTRIBUTES",
// "ATTRIBUTES(#ALL)" or others of the protocol; without components for all.
func (c *Conn) List(ctx context.Context, options, name string, version uint64, components ...string) (Reply, error) {
	q, err := quoted(name)
	if err != nil {
		return Reply{}, err
	}
	words := []string{"DIRECTORY", "ASCII", q}
	if version != 0 {
		words = append(words, strconv.FormatUint(version, 10))
	}
	if options == "" {
		options = "''"
	}
	words = append(words, "\n", "LIST", options, "COMPONENTS")
	for _, component := range components {
		if q, err = quoted(component); err != nil {
			return Reply{}, err
		}
		words = append(words, q)
	}
	return c.command(ctx, words...)
}

// command sends words, which are quoted already, with spaces between them; "\n"
// ends a line.
func (c *Conn) command(ctx context.Context, words ...string) (Reply, error) {
	var text strings.Builder
	begin := true
	for _, w := range words {
		if w == "\n" {
			text.WriteString(w)
			begin = true
			continue
		}
		if i := strings.IndexAny(w, "\r\n\x00"); i >= 0 {
			return Reply{}, &wire.Unsafe{Octet: w[i], Offset: i}
		}
		if !begin {
			text.WriteByte(' ')
		}
		text.WriteString(w)
		begin = false
	}
	if c.Log != nil {
		for line := range strings.SplitSeq(text.String(), "\n") {
			c.Log(true, line)
		}
	}
	answer, err := c.Ask(ctx, []byte(preamble+text.String()+"\n"))
	if err != nil {
		return Reply{}, err
	}
	return parseReply(answer, c.limits.Lines)
}
