package report

import (
	"cmp"
	"slices"

	"anyurl/check"
)

// A row is a result at one of its places.
type row struct {
	check.Result
	place check.Place
}

// A section is the rows of one source, in the order of their places.
type section struct {
	source string
	rows   []row
}

// bySource sorts results under the sources they stand in, which come in the
// order of the alphabet.
func bySource(results []check.Result) []section {
	var rows []row
	for _, r := range results {
		for _, place := range r.Sources {
			rows = append(rows, row{r, place})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.place.Source, b.place.Source), cmp.Compare(a.place.Line, b.place.Line), cmp.Compare(a.place.Col, b.place.Col))
	})
	var sections []section
	for _, r := range rows {
		if n := len(sections); n == 0 || sections[n-1].source != r.place.Source {
			sections = append(sections, section{source: r.place.Source})
		}
		last := &sections[len(sections)-1]
		last.rows = append(last.rows, r)
	}
	return sections
}

// sourceName is a source for people.
func sourceName(source string) string {
	switch source {
	case "-":
		return "standard input"
	case "":
		return "arguments"
	}
	return source
}
