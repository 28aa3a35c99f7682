// Package report writes what a check found, for people and for programs: text,
// JSON Lines, SARIF, JUnit, Markdown, GitHub's annotations and HTML. Start with
// [New].
//
// It is the one place besides the command that knows colour and layout. What
// it writes masks passwords, and queries where it is asked to; what stands in
// text for people holds nothing that a terminal would obey.
package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"anyurl/check"
	"anyurl/internal/quote"
)

// A Writer writes one report. Its methods are not called by two goroutines at
// once.
type Writer interface {
	// Result takes one verdict in. Some forms are written as verdicts come,
	// others at the end.
	Result(check.Result) error
	// Close ends the report. It does not close what the report is written to.
	Close(check.Summary) error
}

// Options say how a report is written; the zero value is plain and short.
type Options struct {
	Color     bool // colour and weight, for a terminal
	All       bool // also what is alive or skipped, where a form leaves that out
	MaskQuery bool // queries are masked as passwords are
	Width     int  // columns of the terminal that text is for; 0 for none

	// Trends, where not nil, gives how hosts stood over time, in the end, for the
	// form that draws it: the HTML page.
	Trends func() []check.Trend
}

// Formats lists the forms that [New] knows.
func Formats() []string {
	return []string{"text", "json", "sarif", "junit", "markdown", "html", "github"}
}

// New gives a writer of a form; the error says that there is no such form.
func New(format string, w io.Writer, o Options) (Writer, error) {
	switch format {
	case "text":
		return &text{w: w, o: o}, nil
	case "json":
		return &jsonLines{w: w, o: o}, nil
	case "sarif":
		return &sarif{w: w, o: o}, nil
	case "junit":
		return &junit{w: w, o: o}, nil
	case "markdown":
		return &markdown{w: w, o: o}, nil
	case "html":
		return &page{w: w, o: o}, nil
	case "github":
		return &annotations{w: w, o: o}, nil
	}
	return nil, fmt.Errorf("no report has the form %q; there are %s", format, strings.Join(Formats(), ", "))
}

// Mask is a URL as a report may hold it: without its password, and without its
// query where queries are masked as well.
func Mask(url string, query bool) string {
	url = quote.Mask(url)
	before, rest, ok := strings.Cut(url, "?")
	if !query || !ok {
		return url
	}
	fragment := ""
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		fragment = rest[i:]
	}
	return before + "?" + quote.Hidden + fragment
}

// MaskText is a sentence as a report may hold it; URLs in it are masked.
func MaskText(text string, query bool) string {
	text = quote.Mask(text)
	if !query {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if at := strings.TrimLeft(word, "\"'(<["); strings.Contains(word, "://") || strings.HasPrefix(at, "/") || strings.HasPrefix(at, "?") {
			// The sentence's own marks, ":" above all, are not the query's.
			bare := strings.TrimRight(word, `:;,.!)>]"'`)
			words[i] = Mask(bare, true) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}

func (o Options) url(s string) string   { return Mask(s, o.MaskQuery) }
func (o Options) words(s string) string { return MaskText(s, o.MaskQuery) }

// sentences are those of a summary as a report may hold them.
func (o Options) sentences(all []string) []string {
	masked := append(all[:0:0], all...)
	for i := range masked {
		masked[i] = o.words(masked[i])
	}
	return masked
}

// masked is r as a report may hold it.
func (o Options) masked(r check.Result) check.Result {
	r.URL, r.Final, r.To, r.Reason = o.url(r.URL), o.url(r.Final), o.url(r.To), o.words(r.Reason)
	r.Hops = append(r.Hops[:0:0], r.Hops...)
	for i := range r.Hops {
		r.Hops[i].URL, r.Hops[i].Location = o.url(r.Hops[i].URL), o.url(r.Hops[i].Location)
	}
	r.Suggestions = append(r.Suggestions[:0:0], r.Suggestions...)
	for i := range r.Suggestions {
		r.Suggestions[i].URL, r.Suggestions[i].Why = o.url(r.Suggestions[i].URL), o.words(r.Suggestions[i].Why)
	}
	r.Written = append(r.Written[:0:0], r.Written...)
	for i := range r.Written {
		r.Written[i] = o.url(r.Written[i])
	}
	r.Evidence = append(r.Evidence[:0:0], r.Evidence...)
	for i := range r.Evidence {
		r.Evidence[i] = o.words(r.Evidence[i])
	}
	return r
}

// says is why a link has its state, since when, and what may stand in its place.
func says(r check.Result) string {
	parts := make([]string, 0, 3)
	if r.Reason != "" {
		parts = append(parts, r.Reason)
	}
	if p := r.Past; p != nil && r.State != check.Alive {
		if p.Seen > 1 && !p.Since.IsZero() {
			parts = append(parts, fmt.Sprintf("%s since %s", r.State, p.Since.Format("2006-01-02")))
		}
		if p.Flapping {
			parts = append(parts, "it comes and goes")
		}
	}
	if len(r.Written) > 0 {
		parts = append(parts, "written as "+strings.Join(r.Written, " and "))
	}
	for _, s := range r.Suggestions {
		parts = append(parts, fmt.Sprintf("perhaps %s (%s)", s.URL, s.Why))
	}
	return strings.Join(parts, "; ")
}

// wanted reports whether a short report tells of a state.
func (o Options) wanted(s check.State) bool {
	return o.All || s != check.Alive && s != check.Skipped
}

// count says how many of what: "1 link", "2 links".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// tally is the summary in one line.
func tally(s check.Summary) string {
	var parts []string
	for _, state := range check.States() {
		if n := s.Of(state); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if s.Unchecked > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", s.Unchecked))
	}
	if len(parts) == 0 {
		return "no links"
	}
	return strings.Join(parts, ", ")
}

// totals is what a summary counts over.
func totals(s check.Summary) string {
	return fmt.Sprintf("%s to %s in %.1f s", count(s.Links, "link"), count(s.Unique, "URL"), s.Seconds)
}

// edge is how much of a file's beginning and of its end tells whether it is a
// report, in bytes.
const edge = 8 << 10

// IsReport reports whether a file of size bytes is a report that this package wrote, in any
// form, or an empty file.
func IsReport(r io.ReaderAt, size int64) bool {
	head := make([]byte, min(size, edge))
	tail := make([]byte, min(size, edge))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return false
	}
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return false
	}
	begins := func(s string) bool { return strings.HasPrefix(string(head), s) }
	has := func(s string) bool { return strings.Contains(string(head), s) }
	switch {
	case size == 0:
		return true
	case begins("{\"") && strings.Contains(string(tail), `{"summary":{"links":`):
		return true // JSON Lines
	case begins("{\n \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\""):
		return true
	case has(`<testsuites name="anyurl check"`), begins("<!DOCTYPE html>") && has("<title>Links: "):
		return true
	}
	return counted().Match(tail)
}

// counted is the words in which text and Markdown sum up.
var counted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9] links? to [0-9,]+ URLs? in [0-9.,]+ [a-z]+[).]`)
})
