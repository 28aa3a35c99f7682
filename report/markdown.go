package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"anyurl/audit"
	"anyurl/check"
	"anyurl/internal/quote"
)

// markdown writes a page for a pull request or a job's summary.
type markdown struct {
	w       io.Writer
	o       Options
	results []check.Result
}

func (m *markdown) Result(r check.Result) error {
	if m.o.wanted(r.State) {
		m.results = append(m.results, m.o.masked(r))
	}
	return nil
}

func (m *markdown) Close(s check.Summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Links: %s\n\n%s.\n", tally(s), totals(s))
	for _, section := range bySource(m.results) {
		fmt.Fprintf(&b, "\n### %s\n\n| place | state | URL | why |\n|---|---|---|---|\n", cell(sourceName(section.source)))
		for _, r := range section.rows {
			fmt.Fprintf(&b, "| %s | %s %s | %s | %s |\n", at(r.place), mark(r.State), r.State, code(audit.ShownText(r.URL)), cell(says(r.Result)))
		}
	}
	for _, fault := range slices.Concat(s.Faults, s.Notes) {
		fmt.Fprintf(&b, "\n> %s\n", cell(m.o.words(fault)))
	}
	_, err := io.WriteString(m.w, b.String())
	return err
}

// cell is text that Markdown takes as text, within a table.
func cell(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`, "~", `\~`, "@", "&#64;", "#", `\#`).Replace(quote.Text(s))
}

// code is text as code, within a table, fenced longer than any run of
// backticks in it.
func code(s string) string {
	s = strings.ReplaceAll(quote.Text(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
