package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"anyurl/check"
	"anyurl/internal/quote"
)

// junit writes JUnit's XML: a suite for each source, a case for each link.
type junit struct {
	w       io.Writer
	o       Options
	results []check.Result
}

func (j *junit) Result(r check.Result) error {
	j.results = append(j.results, j.o.masked(r))
	return nil
}

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
		Faults   string      `xml:"system-err,omitempty"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		File    string     `xml:"file,attr,omitempty"`
		Line    int        `xml:"line,attr,omitempty"`
		Time    string     `xml:"time,attr"`
		Failure *junitSays `xml:"failure"`
		Skipped *junitSays `xml:"skipped"`
	}
	junitSays struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

func (j *junit) Close(s check.Summary) error {
	all := junitSuites{Name: "anyurl check", Time: fmt.Sprintf("%.3f", s.Seconds)}
	for _, section := range bySource(j.results) {
		suite := junitSuite{Name: quote.Text(sourceName(section.source))}
		for _, r := range section.rows {
			c := junitCase{Name: quote.Text(r.URL), Class: suite.Name, Line: r.place.Line, Time: fmt.Sprintf("%.3f", float64(r.MS)/1000)}
			if section.source != "-" {
				c.File = quote.Text(section.source)
			}
			switch r.State {
			case check.Broken, check.Blocked:
				c.Failure = &junitSays{Message: quote.Text(says(r.Result)), Type: string(r.State), Text: lines(r.Evidence)}
				suite.Failures++
			case check.Skipped, check.Unsure:
				c.Skipped = &junitSays{Message: string(r.State) + ": " + quote.Text(says(r.Result))}
				suite.Skipped++
			}
			suite.Cases = append(suite.Cases, c)
		}
		suite.Tests = len(suite.Cases)
		all.Tests, all.Failures, all.Skipped = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Skipped+suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	if len(s.Faults) > 0 {
		// Only a suite can hold what went wrong.
		all.Suites = append(all.Suites, junitSuite{Name: "anyurl", Faults: j.o.words(lines(s.Faults))})
	}
	if _, err := io.WriteString(j.w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(j.w)
	enc.Indent("", " ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, "\n")
	return err
}

// lines is texts a line each.
func lines(texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(quote.Text(text))
	}
	return b.String()
}
