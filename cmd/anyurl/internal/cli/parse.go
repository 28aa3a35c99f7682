package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"anyurl/audit"
	"anyurl/internal/quote"
)

func newParse(c *call) *cobra.Command {
	var (
		as, base, in   string
		asJSON, silent bool
	)
	cmd := &cobra.Command{
		Use:     "parse [flags] [URL...]",
		Short:   "take URLs apart, by the standard of your choice",
		GroupID: groupReads,
		Long: `Takes each URL apart and shows what the standard makes of it: its parts, what its
scheme says they mean, and what is not quite right with it. A URL that breaks a
rule gets the place, the rule, and where the rule is written, and status 1.`,
		Example: `anyurl parse 'HTTP://Ex.example:80/a?b'
anyurl parse --base http://ex.example/a/ '../b'
anyurl parse --json --in json < urls.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := chosen(as)
			if err != nil {
				return err
			}
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			hasBase := cmd.Flags().Changed("base")
			if hasBase && len(by) == 1 {
				if b := by[0].read(asked{url: base}); !b.OK {
					return usage("", "--base \"%s\" is no URL: %w", base, b.err)
				}
			}
			for a, err := range c.asked(args, in) {
				if err != nil {
					c.complain(err)
					continue
				}
				if !a.hasBase && hasBase {
					a.base, a.hasBase = base, true
				}
				for _, s := range by {
					answer := s.read(a)
					if len(by) > 1 {
						answer.sayWho()
					}
					if silent {
						if !answer.OK {
							c.raise(statusProblem)
						}
						continue
					}
					if err := c.answer(answer, asJSON); err != nil {
						return cannot(err, "")
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&as, "as", "whatwg", "read by this `STANDARD`: "+strings.Join(standardNames(), ", ")+", or all of them")
	complete(cmd, "as", append(standardNames(), "all")...)
	cmd.Flags().StringVar(&base, "base", "", "read relative references against this `URL`")
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	cmd.Flags().BoolVar(&silent, "check", false, "print nothing; the exit status tells")
	return cmd
}

// answer writes what a standard made of an input.
func (c *call) answer(a answer, asJSON bool) error {
	if !a.OK {
		c.raise(statusProblem)
	}
	if asJSON {
		return c.emit(a)
	}
	if !a.OK {
		c.tell(a.err)
		return nil
	}
	return c.writeParts(c.out, a)
}

// writeParts writes the parts of a URL, one a line, for people.
func (c *call) writeParts(w io.Writer, a answer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", c.plain(a.Href))
	row := func(name, value string) { fmt.Fprintf(&b, "  %-9s %s\n", name, c.plain(value)) }
	rowOf := func(name string, value *string) {
		if value != nil && *value != "" {
			row(name, *value)
		}
	}
	row("as", a.As)
	rowOf("scheme", a.Scheme)
	rowOf("username", a.Username)
	rowOf("password", a.Password)
	if a.Host != nil {
		row("host", *a.Host+" ("+a.HostType+")")
		if a.HostType == "domain" {
			if shown := audit.ShownHost(*a.Host); shown != *a.Host {
				row("shown as", shown)
			}
		}
	}
	if a.Port != nil {
		row("port", a.Port.String())
	}
	row("path", a.Path)
	if a.Query != nil {
		row("query", *a.Query)
	}
	if a.Fragment != nil {
		row("fragment", *a.Fragment)
	}
	rowOf("origin", a.Origin)
	if a.Reading != nil {
		writeReading(row, a.Reading)
	}
	for _, n := range a.Notes {
		row("note", fmt.Sprintf("offset %d: %s (%s) [%s]", n.Offset, n.Says, n.Cite, n.Rule))
	}
	if a.MoreNotes > 0 {
		row("note", fmt.Sprintf("and %d more of such notes", a.MoreNotes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeReading writes what a scheme makes of a URL, a row for each field of
// its JSON form that says more than the URL's parts. It is decoded, so that a
// line end in it could pass for a row: it is quoted wherever it goes.
func writeReading(row func(name, value string), reading any) {
	data, err := json.Marshal(reading)
	if err != nil {
		return // a reading of ours always has a JSON form; a test holds that
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, _ := dec.Token(); t != json.Delim('{') {
		row("reading", string(data))
		return
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return
		}
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		switch name {
		case "host", "port", "path", "query", "user", "password":
		default:
			if s != "false" && s != "true" { // whether there is a query, one sees
				row(fmt.Sprintf("  %v", name), quote.Text(s))
			}
		}
	}
}
