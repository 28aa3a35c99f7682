package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"anyurl"
	"anyurl/audit"
	"anyurl/check"
	"anyurl/internal/quote"
)

// page writes one HTML page that needs nothing else: filters, the worst files
// and hosts, the slowest answers, and every link.
type page struct {
	w       io.Writer
	o       Options
	results []check.Result
}

//go:embed page.html
var pageText string

func (p *page) Result(r check.Result) error {
	p.results = append(p.results, p.o.masked(r))
	return nil
}

// A bar is a line of a chart.
type bar struct {
	Name    string
	Says    string
	Percent float64
	State   check.State
}

// A pageRow is a link at one of its places.
type pageRow struct {
	Place    string
	State    check.State
	Mark     string
	URL      string
	Link     string // where it can be opened from a page
	Reason   string
	Evidence string
	MS       int64
}

// A strip is a host's URLs over time, a column for each moment.
type strip struct {
	Name, From, To string
	Columns        []column
}

// A column is the URLs of a moment, a part for each state.
type column struct {
	Says  string
	Parts []part
}

type part struct {
	State check.State
	Count int
}

// strips are the trends as they are drawn.
func strips(trends []check.Trend) (all []strip) {
	for _, t := range trends {
		if len(t.Moments) < 2 {
			continue // nothing has happened yet
		}
		s := strip{Name: quote.Text(t.Host), From: t.Moments[0].At.UTC().Format(time.DateOnly), To: t.Moments[len(t.Moments)-1].At.UTC().Format(time.DateOnly)}
		for _, m := range t.Moments {
			var c column
			var said []string
			for _, state := range check.States() {
				if n := m.Count[state]; n > 0 {
					c.Parts = append(c.Parts, part{state, n})
					said = append(said, fmt.Sprintf("%d %s", n, state))
				}
			}
			c.Says = m.At.UTC().Format("2006-01-02 15:04") + ": " + orElse(strings.Join(said, ", "), "not known yet")
			s.Columns = append(s.Columns, c)
		}
		all = append(all, s)
	}
	return all
}

// most is how many bars a chart has.
const most = 10

func (p *page) Close(s check.Summary) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	var states []bar
	for _, state := range check.States() {
		if n := s.Of(state); n > 0 {
			states = append(states, bar{Name: string(state), Says: count(n, "URL"), Percent: 100 * float64(n) / float64(s.Unique), State: state})
		}
	}
	type named struct {
		Name string
		Rows []pageRow
	}
	var sections []named
	files, hosts := map[string]int{}, map[string]int{}
	for _, section := range bySource(p.results) {
		rows := named{Name: quote.Text(sourceName(section.source))}
		for _, r := range section.rows {
			rows.Rows = append(rows.Rows, pageRow{
				Place: at(r.place), State: r.State, Mark: mark(r.State), URL: audit.ShownText(r.URL), Link: openable(r.URL),
				Reason: quote.Text(says(r.Result)), Evidence: quote.Text(strings.Join(r.Evidence, " · ")), MS: r.MS,
			})
			if bad(r.State) {
				files[rows.Name]++
			}
		}
		sections = append(sections, rows)
	}
	for _, r := range p.results {
		if u, err := anyurl.Parse(r.URL); err == nil && bad(r.State) && u.Host().String() != "" {
			hosts[u.Host().String()]++
		}
	}
	answers := slices.DeleteFunc(slices.Clone(p.results), func(r check.Result) bool { return r.From == "file" })
	slowest := slices.SortedStableFunc(slices.Values(answers), func(a, b check.Result) int { return cmp.Compare(b.MS, a.MS) })
	var slow []bar
	for _, r := range slowest[:min(most, len(slowest))] {
		if r.MS > 0 {
			slow = append(slow, bar{Name: audit.ShownText(r.URL), Says: fmt.Sprintf("%d ms", r.MS), Percent: 100 * float64(r.MS) / float64(slowest[0].MS), State: r.State})
		}
	}
	var faults []string
	for _, fault := range slices.Concat(s.Faults, s.Notes) {
		faults = append(faults, quote.Text(p.o.words(fault)))
	}
	var trends []check.Trend
	if p.o.Trends != nil {
		trends = p.o.Trends()
	}
	return t.Execute(p.w, map[string]any{
		"Trends": strips(trends),
		"Faults": faults, "Tally": tally(s), "Totals": totals(s), "States": states, "Sections": sections, "All": check.States(),
		"Files": bars(files), "Hosts": bars(hosts), "Slow": slow,
	})
}

// bad reports whether a state is a fault of the link.
func bad(s check.State) bool { return s == check.Broken || s == check.Blocked }

// bars are the greatest counts, the greatest first.
func bars(counts map[string]int) (out []bar) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names[:min(most, len(names))] {
		out = append(out, bar{Name: name, Says: count(counts[name], "link"), Percent: 100 * float64(counts[name]) / float64(counts[names[0]]), State: check.Broken})
	}
	return out
}

// openable is a URL that may be a link on the page, or "".
func openable(s string) string {
	u, err := anyurl.Parse(s)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || u.HasUserinfo() {
		return ""
	}
	return u.String()
}
