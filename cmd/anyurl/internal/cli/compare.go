package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"anyurl/audit"
	"anyurl/internal/quote"
	"anyurl/report"
	"anyurl/rule"
)

func newCompare(c *call) *cobra.Command {
	var (
		in     string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     "compare [flags] [URL...]",
		Short:   "show how each standard reads a URL, and where they part",
		GroupID: groupReads,
		Long: `Reads each URL by every standard and shows the parts side by side: a column for the
standards that read alike, a star at the parts that differ, and under the table, in
a sentence each, why. Where two programs follow two columns, they can be made to
disagree on where a URL leads.

Readings that are equivalent by RFC 3986, section 6.2, count as the same: letter case
in a host, needless escapes, a default port. The status is 1 for what no standard reads.`,
		Example: `anyurl compare 'http://0x7f.1/'
anyurl compare --json 'http:a.example/'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			for a, err := range c.asked(args, in) {
				if err != nil {
					c.complain(err)
					continue
				}
				if a.hasBase {
					c.complain(usage("resolve the reference first: anyurl resolve BASE REF", "compare reads whole URLs, and takes no base"))
					continue
				}
				if err := c.compare(a, asJSON); err != nil {
					return cannot(err, "")
				}
			}
			return nil
		},
	}
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// A reason is a difference, as compare's object tells it.
type reason struct {
	Part     string `json:"part"`
	Standard string `json:"standard"`
	Says     string `json:"says"`
	Cite     string `json:"cite"`
}

func (c *call) compare(a asked, asJSON bool) error {
	told := audit.Compare(a.url)
	if !slices.ContainsFunc(told.Readings, func(r audit.Reading) bool { return r.Err == nil }) {
		c.raise(statusProblem)
	}
	if !asJSON {
		return c.writeComparison(c.out, told)
	}
	differ, reasons := append([]string{}, told.Differ()...), []reason{}
	for _, d := range told.Differences {
		reasons = append(reasons, reason{d.Part, d.Standard, d.Says, d.Cite})
	}
	told = audit.Comparison{} // its readings are not needed any more
	// The object is written reading by reading, each of parse's objects: a long
	// URL is not held five times over.
	input := c.hidden(a.url)
	w := &pieces{w: c.out}
	w.text(`{"input":`)
	w.value(input)
	w.text(`,"readings":{`)
	for i, s := range standards() {
		answer := s.read(a)
		answer.Input = input
		c.hide(a.url, input, answer.parts)
		if i > 0 {
			w.text(",")
		}
		w.text(`"` + s.name + `":`)
		w.value(answer)
	}
	w.text(`},"differ":`)
	w.value(differ)
	w.text(`,"why":`)
	w.value(reasons)
	w.text("}\n")
	return w.err
}

// pieces writes JSON piece by piece. Its first failure ends it.
type pieces struct {
	w   io.Writer
	err error
}

func (p *pieces) text(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

// value writes a value, without the end of its line.
func (p *pieces) value(v any) {
	if p.err == nil {
		p.err = report.WriteJSON(unended{p.w}, v)
	}
}

// unended leaves out the line's end behind what is written.
type unended struct{ w io.Writer }

func (u unended) Write(b []byte) (int, error) {
	n, err := u.w.Write(bytes.TrimSuffix(b, []byte("\n")))
	if err != nil {
		return n, err
	}
	return len(b), nil
}

// hide keeps secrets out of the parts that a report shows of input, which is
// shown itself as shown.
func (c *call) hide(input, shown string, p *parts) {
	if p == nil {
		return
	}
	if p.Href == input {
		p.Href = shown
	} else {
		p.Href = c.hidden(p.Href)
	}
	if p.Password != nil && *p.Password != "" {
		p.Password = ptr(quote.Hidden)
		p.Reading = nil // it tells the password again
	}
	for part, text := range map[string]*string{"path": &p.Path, "query": p.Query, "fragment": p.Fragment} {
		if text == nil {
			continue
		}
		if shown := c.hiddenPart(part, *text); shown != *text {
			*text = shown
			p.Reading = nil
		}
	}
	if c.maskQuery && p.Query != nil && *p.Query != "" {
		p.Query = ptr(quote.Hidden)
		p.Reading = nil
	}
}

// writeComparison writes the table for people.
func (c *call) writeComparison(w io.Writer, told audit.Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", quote.Text(c.hidden(told.Input)))

	// a column for each reading, and one for those that are alike
	type column struct {
		head  string
		cells []string
	}
	var columns []column
	for _, r := range told.Readings {
		if r.Err != nil {
			continue
		}
		cells := c.cells(r)
		if n := len(columns) - 1; n >= 0 && slices.Equal(columns[n].cells, cells) {
			columns[n].head += ", " + r.Standard
			continue
		}
		columns = append(columns, column{r.Standard, cells})
	}
	differ := told.Differ()
	if len(columns) > 0 {
		widths := make([]int, len(columns))
		for i, col := range columns {
			widths[i] = utf8.RuneCountInString(col.head)
			for _, cell := range col.cells {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
		row := func(mark, name string, cell func(column) string) {
			line := fmt.Sprintf("%s %-9s", mark, name)
			for i, col := range columns {
				text := cell(col)
				line += "  " + text + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			}
			line = strings.TrimRight(line, " ")
			if mark == "*" && c.colored(c.out) {
				line = "\x1b[1m" + line + "\x1b[m"
			}
			b.WriteString(line + "\n")
		}
		row(" ", "", func(col column) string { return col.head })
		for i, part := range audit.Parts() {
			if !slices.ContainsFunc(columns, func(col column) bool { return col.cells[i] != "-" }) {
				continue
			}
			mark := " "
			if slices.Contains(differ, part) {
				mark = "*"
			}
			row(mark, part, func(col column) string { return col.cells[i] })
		}
		b.WriteString("\n")
	}
	for _, d := range told.Differences {
		if d.Part != "ok" {
			fmt.Fprintf(&b, "%s: %s (%s)\n", d.Part, quote.Text(d.Says), d.Cite)
		}
	}
	for i := 0; i < len(told.Readings); i++ {
		e, ok := errors.AsType[*rule.Error](told.Readings[i].Err)
		if !ok {
			continue
		}
		who, verb := told.Readings[i].Standard, "refuses"
		for ; i+1 < len(told.Readings); i++ { // those that say the same
			next, ok := errors.AsType[*rule.Error](told.Readings[i+1].Err)
			if !ok || next.Rule != e.Rule || next.Offset != e.Offset {
				break
			}
			who, verb = who+", "+told.Readings[i+1].Standard, "refuse"
		}
		fmt.Fprintf(&b, "%s %s it:\n  %s\n", who, verb, strings.ReplaceAll(e.Caret(), "\n", "\n  "))
	}
	if len(told.Differences) == 0 && len(columns) > 0 {
		b.WriteString("every standard reads the same\n")
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// hiddenPart keeps out of a part the password of a URL within it. A path may be
// what another reader takes for user name, password and host.
func (c *call) hiddenPart(part, text string) string {
	if rest := strings.TrimLeft(text, "/"); part == "path" && len(rest) < len(text) {
		return text[:len(text)-len(rest)] + strings.TrimPrefix(c.hidden("//"+rest), "//")
	}
	return c.hidden(text)
}

// cells is a reading as the table shows it, in the order of audit.Parts: "-"
// where there is no such part, quotes around what is there and empty.
func (c *call) cells(r audit.Reading) (cells []string) {
	const most = 48
	for _, part := range audit.Parts() {
		is := r.Component(part)
		text := quote.Text(c.hiddenPart(part, is.Text))
		switch {
		case is.Silent:
			text = "(not told apart)"
		case !is.Has:
			text = "-"
		case text == "":
			text = `""`
		case part == "password", part == "query" && c.maskQuery:
			text = quote.Hidden
		case utf8.RuneCountInString(text) > most:
			runes := []rune(text)
			text = string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
		}
		cells = append(cells, text)
	}
	return cells
}
