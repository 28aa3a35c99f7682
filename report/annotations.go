package report

import (
	"fmt"
	"io"
	"strings"

	"anyurl/check"
	"anyurl/internal/quote"
)

// annotations writes GitHub's workflow commands, which show up beside the lines
// they speak of.
type annotations struct {
	w       io.Writer
	o       Options
	sources sources
}

func (a *annotations) Result(r check.Result) error {
	if r.State == check.Alive || r.State == check.Skipped {
		return nil
	}
	command := level(r.State)
	if command == "note" {
		command = "notice" // GitHub's word
	}
	r = a.o.masked(r)
	for _, place := range r.Sources {
		where := ""
		if place.Line > 0 && place.Source != "-" {
			where = fmt.Sprintf("file=%s,line=%d,%s", property(place.Source), place.Line, a.column(place))
		}
		_, err := fmt.Fprintf(a.w, "::%s %stitle=%s link::%s: %s\n", command, where, r.State, data(r.URL), data(says(r)))
		if err != nil {
			return err
		}
	}
	return nil
}

// column is where a link begins on its line, in UTF-16 code units as GitHub's own
// tools count. Where the source does not tell, it is left out.
func (a *annotations) column(p check.Place) string {
	if s, ok := stretchOf(a.sources.read(p.Source), Issue{Place: p}); ok {
		return fmt.Sprintf("col=%d,", s.column)
	}
	return ""
}

func (a *annotations) Close(s check.Summary) error {
	for _, fault := range s.Faults {
		if _, err := fmt.Fprintf(a.w, "::warning title=anyurl::%s\n", data(a.o.words(fault))); err != nil {
			return err
		}
	}
	for _, note := range s.Notes {
		if _, err := fmt.Fprintf(a.w, "::notice title=anyurl::%s\n", data(a.o.words(note))); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.w, "%s (%s)\n", tally(s), totals(s))
	return err
}

// data is a command's message, encoded so that it can end or begin no command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(quote.Text(s))
}

// property is a value among a command's properties.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
