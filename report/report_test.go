package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"anyurl/check"
	"anyurl/fetch"
	"anyurl/report"
)

// results are one of each state, in two sources.
func results() []check.Result {
	at := func(source string, line, col int) []check.Place {
		return []check.Place{{Source: source, Line: line, Col: col, Start: 10 * line, End: 10*line + 5}}
	}
	return []check.Result{
		{URL: "http://a.example/", State: check.Alive, Status: 200, Sources: append(at("b.md", 1, 1), at("a.md", 9, 1)...), MS: 12, From: "network"},
		{URL: "http://a.example/old", State: check.Moved, Status: 200, Reason: "moved for good to http://a.example/new", Final: "http://a.example/new",
			Hops:    []fetch.Hop{{URL: "http://a.example/old", Status: 301, Location: "/new", Permanent: true}, {URL: "http://a.example/new", Status: 200}},
			Sources: at("a.md", 12, 5), MS: 20, From: "network"},
		{URL: "http://a.example/gone", State: check.Broken, Status: 404, Reason: "404 not found", Evidence: []string{"HEAD: 404", "GET: 404"}, Sources: at("a.md", 3, 7), MS: 30, From: "network"},
		{URL: "http://10.0.0.1/", State: check.Blocked, Reason: "the guard refuses 10.0.0.1", Sources: at("-", 1, 1), From: "rule"},
		{URL: "ftp://a.example/x", State: check.Unsure, Status: 530, Reason: "a login is wanted", Sources: at("a.md", 4, 1), From: "network"},
		{URL: "mailto:x@a.example", State: check.Skipped, Reason: "nobody is written to", Sources: at("a.md", 5, 1), From: "rule"},
	}
}

func summary() check.Summary {
	return check.Summary{Links: 7, Unique: 6, Alive: 1, Moved: 1, Broken: 1, Blocked: 1, Unsure: 1, Skipped: 1, Seconds: 1.25}
}

func write(t testing.TB, format string, o report.Options, results []check.Result, s check.Summary) string {
	t.Helper()
	var b strings.Builder
	w, err := report.New(format, &b, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := w.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func ExampleNew() {
	w, err := report.New("text", os.Stdout, report.Options{})
	if err != nil {
		panic(err)
	}
	w.Result(check.Result{URL: "http://a.example/gone", State: check.Broken, Reason: "404 not found", Sources: []check.Place{{Source: "a.md", Line: 3, Col: 7}}})
	w.Close(check.Summary{Links: 2, Unique: 2, Alive: 1, Broken: 1, Seconds: 0.5})
	// Output:
	// a.md
	//   3:7  ✗ broken   http://a.example/gone  404 not found
	//
	// 1 alive, 1 broken  (2 links to 2 URLs in 0.5 s)
}

func TestText(t *testing.T) {
	const short = `standard input
  1:1  ⊘ blocked  http://10.0.0.1/  the guard refuses 10.0.0.1

a.md
   3:7  ✗ broken   http://a.example/gone  404 not found
   4:1  ? unsure   ftp://a.example/x      a login is wanted
  12:5  → moved    http://a.example/old   moved for good to http://a.example/new

1 alive, 1 moved, 1 unsure, 1 skipped, 1 blocked, 1 broken  (7 links to 6 URLs in 1.2 s)
`
	if got := write(t, "text", report.Options{}, results(), summary()); got != short {
		t.Errorf("got\n%s\nwant\n%s", got, short)
	}
	all := write(t, "text", report.Options{All: true}, results(), summary())
	for _, line := range []string{"  9:1  ✓ alive    http://a.example/\n", "  5:1  - skipped  mailto:x@a.example     nobody is written to\n", "b.md\n  1:1  ✓ alive    http://a.example/\n"} {
		if !strings.Contains(all, line) {
			t.Errorf("no %q in\n%s", line, all)
		}
	}
	if got := write(t, "text", report.Options{}, nil, check.Summary{}); got != "no links  (0 links to 0 URLs in 0.0 s)\n" {
		t.Errorf("nothing at all: %q", got)
	}
	if got := write(t, "text", report.Options{Color: true}, results(), summary()); !strings.Contains(got, "\x1b[31m✗ broken \x1b[0m") {
		t.Errorf("no colour in %q", got)
	}
}

func TestJSON(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(write(t, "json", report.Options{}, results(), summary())), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d lines for 6 results and a summary", len(lines))
	}
	const broken = `{"url":"http://a.example/gone","state":"broken","status":404,"reason":"404 not found","evidence":["HEAD: 404","GET: 404"],"sources":[{"source":"a.md","line":3,"col":7}],"ms":30,"from":"network"}`
	if lines[2] != broken {
		t.Errorf("got  %s\nwant %s", lines[2], broken)
	}
	const sum = `{"summary":{"links":7,"unique":6,"alive":1,"moved":1,"broken":1,"blocked":1,"unsure":1,"skipped":1,"seconds":1.25}}`
	if lines[6] != sum {
		t.Errorf("got  %s\nwant %s", lines[6], sum)
	}
}

// TestWriteJSON holds that what is escaped still means the same.
func TestWriteJSON(t *testing.T) {
	const odd = "a\x1b[31m\u009b\u007f\u202e\u200b\u2028\U000e0041ü😀<&>\\u0041"
	var b strings.Builder
	if err := report.WriteJSON(&b, odd); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String()[:b.Len()-1], func(r rune) bool {
		return r < 0x20 || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u202e\u200b\u2028\U000e0041", r)
	}); i >= 0 {
		t.Errorf("%q is let through", b.String()[i:])
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != odd {
		t.Errorf("%s reads as %q, %v", b.String(), back, err)
	}
	if !strings.Contains(b.String(), "ü😀<&>") {
		t.Errorf("more is escaped than has to be: %s", b.String())
	}
}

func TestSARIF(t *testing.T) {
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, ByteOffset, ByteLength int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, "sarif", report.Options{}, results(), summary())), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	declared := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		declared[r.ID] = true
	}
	levels := map[string]string{}
	for _, r := range run.Results {
		if !declared[r.RuleID] {
			t.Errorf("%s is not declared", r.RuleID)
		}
		levels[r.RuleID] = r.Level
	}
	if log.Version != "2.1.0" || len(run.Results) != 4 || levels["link/broken"] != "error" || levels["link/moved"] != "warning" || levels["link/unsure"] != "note" {
		t.Errorf("version %s, %v", log.Version, levels)
	}
	where := run.Results[1].Locations[0].PhysicalLocation
	if where.ArtifactLocation.URI != "a.md" || where.Region.StartLine != 3 || where.Region.ByteLength != 0 {
		t.Errorf("got %+v, want the line alone of a file that is not there", where)
	}
}

// TestSARIFColumns counts columns in UTF-16 code units, as the log says it does, and
// gives none for what does not stand where the issue says.
func TestSARIFColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "# x\nü 𝒳 [x](http://a.example/) [y](http://b.example/)\n<http://c.example/\n  d>\n"
	if err := os.WriteFile("a.md", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	place := func(link string, line int) check.Place {
		start := strings.Index(text, link)
		return check.Place{Source: "a.md", Line: line, Col: start - strings.LastIndex(text[:start], "\n"), Start: start, End: start + len(link)}
	}
	a, b, c := place("http://a.example/", 2), place("http://b.example/", 2), place("http://c.example/\n  d", 3)
	elsewhere := b
	elsewhere.Col++
	beyond := check.Place{Source: "a.md", Line: 9, Col: 1, Start: 900, End: 910}
	var issues []report.Issue
	for _, p := range []check.Place{a, b, c, elsewhere, beyond} {
		issues = append(issues, report.Issue{Rule: "r", Level: "error", Says: "it is so", Place: p})
	}
	var out strings.Builder
	if err := report.WriteSARIF(&out, []report.Rule{{ID: "r", Says: "it is so"}}, issues, "a file could not be read"); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			ColumnKind  string
			Invocations []struct{ ExecutionSuccessful bool }
			Results     []struct {
				Locations []struct {
					PhysicalLocation struct{ Region map[string]int }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if run.ColumnKind != "utf16CodeUnits" || len(run.Invocations) != 1 || run.Invocations[0].ExecutionSuccessful {
		t.Errorf("columns in %s, invocations %+v", run.ColumnKind, run.Invocations)
	}
	for i, want := range []map[string]int{
		// ü is one unit and two bytes, 𝒳 two units and four bytes.
		{"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 27, "byteOffset": a.Start, "byteLength": 17},
		{"startLine": 2, "startColumn": 33, "endLine": 2, "endColumn": 50, "byteOffset": b.Start, "byteLength": 17},
		{"startLine": 3, "startColumn": 2, "endLine": 4, "endColumn": 4, "byteOffset": c.Start, "byteLength": 21},
		{"startLine": 2},
		{"startLine": 9},
	} {
		if got := run.Results[i].Locations[0].PhysicalLocation.Region; !maps.Equal(got, want) {
			t.Errorf("result %d: %v, want %v", i, got, want)
		}
	}
}

// TestShownHosts holds that people see a host by the display rules, in Punycode
// when in doubt, and programs as it stands in the source.
func TestShownHosts(t *testing.T) {
	r := []check.Result{{URL: "https://\u0430\u0440\u0440\u04cf\u0435.com/", State: check.Broken, Reason: "404", Sources: []check.Place{{Source: "a.md", Line: 1, Col: 1}}}}
	for _, format := range []string{"text", "markdown", "html"} {
		if out := write(t, format, report.Options{}, r, summary()); !strings.Contains(out, "xn--80ak6aa92e.com") {
			t.Errorf("%s shows %s", format, out)
		}
	}
}

// TestSARIFPlaces holds that every name a file may have becomes a URI reference
// that is no URL, and that levels, indexes and fingerprints are what SARIF asks.
func TestSARIFPlaces(t *testing.T) {
	var issues []report.Issue
	names := []string{"a b.md", "100%.md", "a:b.md", "d/\u00e9#?.md", "-", "http://a.example/x y"}
	for _, name := range append(names, names[0]) {
		issues = append(issues, report.Issue{Rule: "r", Level: "error", Says: "it is so", Place: check.Place{Source: name, Line: 2}})
	}
	var b strings.Builder
	if err := report.WriteSARIF(&b, []report.Rule{{ID: "q", Says: "q"}, {ID: "r", Says: "it is so", Security: 8.5}}, issues); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Schema string `json:"$schema"`
		Runs   []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						DefaultConfiguration struct{ Level string }
						Properties           map[string]any
					}
				}
			}
			Results []struct {
				RuleIndex           int
				Message             struct{ Text string }
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if r := run.Tool.Driver.Rules; r[0].DefaultConfiguration.Level != "warning" || r[1].Properties["security-severity"] != "8.5" {
		t.Errorf("rules %+v", r)
	}
	prints := map[string]bool{}
	for i, r := range run.Results {
		want := []string{"a%20b.md", "100%25.md", "./a:b.md", "d/%C3%A9%23%3F.md", "stdin", "http://a.example/x%20y", "a%20b.md"}[i]
		if got := r.Locations[0].PhysicalLocation; got.ArtifactLocation.URI != want || got.Region.StartLine != 2 {
			t.Errorf("%s: %+v", want, got)
		}
		if r.RuleIndex != 1 || r.Message.Text != "it is so" {
			t.Errorf("%+v", r)
		}
		print := r.PartialFingerprints["anyurl/v1"]
		if print == "" || prints[print] {
			t.Errorf("%s has the fingerprint %q", want, print)
		}
		prints[print] = true
	}
}

func TestJUnit(t *testing.T) {
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(write(t, "junit", report.Options{}, results(), summary())), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 7 || suites.Failures != 2 || suites.Skipped != 2 || len(suites.Suites) != 3 {
		t.Errorf("got %+v", suites)
	}
	if c := suites.Suites[1].Cases[0]; c.Name != "http://a.example/gone" || c.Failure == nil || c.Failure.Message != "404 not found" {
		t.Errorf("got %+v", c)
	}
}

// hostile is a result whose every text is an attack on whoever shows it.
func hostile() []check.Result {
	const evil = "\x1b]0;x\a\u202e\u009b31m</script><script>alert(1)</script>|`*\n::error::x\n| x"
	return []check.Result{{
		URL: "http://joe:secret@a.example/?token=xyzzy" + evil, State: check.Broken, Reason: "connecting http://joe:secret@a.example/?token=xyzzy " + evil,
		Final: "http://joe:secret@a.example/?token=xyzzy", Hops: []fetch.Hop{{URL: "http://joe:secret@a.example/?token=xyzzy", Location: "http://joe:secret@a.example/?token=xyzzy"}},
		Evidence: []string{"GET: http://joe:secret@a.example/?token=xyzzy " + evil},
		Sources:  []check.Place{{Source: "x" + evil + ".md", Line: 1, Col: 1}}, MS: 5,
	}}
}

func TestNothingEscapes(t *testing.T) {
	for _, format := range report.Formats() {
		got := write(t, format, report.Options{MaskQuery: true, All: true}, hostile(), check.Summary{Links: 1, Unique: 1, Broken: 1})
		for _, never := range []string{"\x1b", "\u202e", "\u009b", "\a", "secret", "xyzzy"} {
			if strings.Contains(got, never) {
				t.Errorf("%s lets %q through:\n%s", format, never, got)
			}
		}
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "::error::x") || format == "markdown" && strings.HasPrefix(line, "| x") {
				t.Errorf("%s: a line of its own: %q", format, line)
			}
		}
		if format == "html" && strings.Contains(got, "<script>alert") {
			t.Error("html runs a stranger's script")
		}
	}
}

func TestUnmaskedQuery(t *testing.T) {
	got := write(t, "json", report.Options{}, hostile(), check.Summary{})
	if !strings.Contains(got, "token=xyzzy") || strings.Contains(got, "secret") {
		t.Errorf("a query is shown unless asked otherwise, a password never: %s", got)
	}
}

func TestHTMLNeedsNothingElse(t *testing.T) {
	got := write(t, "html", report.Options{}, results(), summary())
	for _, never := range []string{"src=", "@import", "url("} {
		if strings.Contains(got, never) {
			t.Errorf("the page asks for more: %s", never)
		}
	}
	for _, want := range []string{`<a href="http://a.example/gone" rel="noreferrer noopener nofollow">`, `<tr class="alive" data-state="alive">`, "404 not found"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(got, `href="ftp:`) || strings.Contains(got, `href="mailto:`) {
		t.Error("only http and https are links")
	}
}

func TestNoSuchForm(t *testing.T) {
	if _, err := report.New("pdf", io.Discard, report.Options{}); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("got %v", err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrors(t *testing.T) {
	for _, format := range report.Formats() {
		w, err := report.New(format, full{}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var errs error
		for _, r := range results() {
			errs = errors.Join(errs, w.Result(r))
		}
		if errors.Join(errs, w.Close(summary())) == nil {
			t.Errorf("%s does not tell that nothing was written", format)
		}
	}
}

// TestPast: every form that people read tells since when a link is broken,
// that it comes and goes, what may stand in its place, and what went wrong
// beside the links; and none shows a password in them.
func TestPast(t *testing.T) {
	r := check.Result{
		URL: "http://a.example/gone", State: check.Broken, Reason: "404 not found", Sources: []check.Place{{Source: "a.md", Line: 1, Col: 1}},
		Past:        &check.Past{Seen: 4, Since: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC), Flapping: true},
		Suggestions: []check.Suggestion{{URL: "http://me:sesame@a.example/new", Why: "it led there"}},
		Written:     []string{"http://me:sesame@old.example/"},
	}
	s := check.Summary{Links: 1, Unique: 1, Broken: 1, Faults: []string{"the history at http://me:sesame@h/ could not be written"}}
	for _, format := range report.Formats() {
		out := write(t, format, report.Options{}, []check.Result{r}, s)
		plain := strings.NewReplacer(`\`, "", "&#64;", "@", "&#39;", "'").Replace(out)
		want := []string{"broken since 2026-02-03", "it comes and goes", "http://me:***@a.example/new", "it led there", "could not be written"}
		if format == "json" {
			want = []string{`"since":"2026-02-03T00:00:00Z"`, `"flapping":true`, `"url":"http://me:***@a.example/new","why":"it led there"`, `"faults":["the history at http://me:***@h/ could not be written"]`}
			plain = out
		}
		for _, w := range want {
			if !strings.Contains(plain, w) {
				t.Errorf("%s lacks %q:\n%s", format, w, out)
			}
		}
		if strings.Contains(out, "sesame") {
			t.Errorf("%s shows a password:\n%s", format, out)
		}
	}
}

// TestLongWords: what nobody reads to its end is shortened for people, and whole
// for programs.
func TestLongWords(t *testing.T) {
	to := "http://b.example/" + strings.Repeat("x", 5000) + "/end"
	r := check.Result{URL: "http://a.example/", State: check.Moved, To: to, Reason: "moved for good to " + to, Sources: []check.Place{{Source: "t", Line: 1, Col: 1}}}
	text := write(t, "text", report.Options{}, []check.Result{r}, check.Summary{Moved: 1, Unique: 1, Links: 1, Notes: []string{"nothing is due"}})
	if !strings.Contains(text, "moved for good to http://b.example/xxx") || !strings.Contains(text, "xxx…xxx") || !strings.Contains(text, "/end\n") || len(text) > 500 {
		t.Errorf("the text is %q", text)
	}
	if !strings.HasSuffix(text, "\nnothing is due\n") {
		t.Errorf("the note is not there: %q", text)
	}
	lines := write(t, "json", report.Options{}, []check.Result{r}, check.Summary{Notes: []string{"at http://me:sesame@h/"}})
	if !strings.Contains(lines, `"to":"`+to+`"`) || !strings.Contains(lines, `"notes":["at http://me:***@h/"]`) {
		t.Errorf("the JSON is %q", lines)
	}
}

// TestTrends: the page draws a column for each moment, and only with something
// to draw.
func TestTrends(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 2, n, 12, 0, 0, 0, time.UTC) }
	trends := []check.Trend{
		{Host: "a.example", Moments: []check.Moment{{At: day(1)}, {At: day(2), Count: map[check.State]int{check.Alive: 3, check.Broken: 1}}}},
		{Host: "new.example", Moments: []check.Moment{{At: day(2), Count: map[check.State]int{check.Alive: 1}}}},
	}
	html := write(t, "html", report.Options{Trends: func() []check.Trend { return trends }}, nil, check.Summary{})
	for _, want := range []string{
		`<h2>Hosts over time</h2>`, `<span>2026-02-01 to 2026-02-02</span>`, `<span title="2026-02-01 12:00: not known yet"></span>`,
		`<span title="2026-02-02 12:00: 3 alive, 1 broken"><i class="alive" style="flex-grow: 3"></i><i class="broken" style="flex-grow: 1"></i></span>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(html, "new.example") {
		t.Error("a host is drawn of which there is one moment")
	}
	if html := write(t, "html", report.Options{}, nil, check.Summary{}); strings.Contains(html, "over time") {
		t.Error("a page without a history draws one")
	}
}

// TestIsReport holds that every form is known again, and that documents are not
// taken for reports.
func TestIsReport(t *testing.T) {
	is := func(s string) bool { return report.IsReport(strings.NewReader(s), int64(len(s))) }
	for _, form := range report.Formats() {
		for _, results := range [][]check.Result{nil, results()} {
			if text := write(t, form, report.Options{}, results, check.Summary{Links: len(results), Unique: len(results)}); !is(text) {
				t.Errorf("%s of %d results is not known again: %s", form, len(results), text)
			}
		}
	}
	for _, text := range []string{"# Links\n\n[a](b)\n", "<!DOCTYPE html>\n<title>Links</title>", `{"url":"http://a.example/"}`, "x\n", "anyurl check\n"} {
		if is(text) {
			t.Errorf("%q is no report", text)
		}
	}
	if !is("") {
		t.Error("an empty file may be written over")
	}
}

// GitHub counts UTF-16 code units on a line, as its own tools do; where a place is
// not one in a file as it is, there is no column.
func TestAnnotationColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "x\n\u00fc\U0001f600 [a](b.md) [c](d.md)\n"
	if err := os.WriteFile("a.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	w, err := report.New("github", &out, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []check.Place{
		{Source: "a.md", Line: 2, Col: 12, Start: 13, End: 17},
		{Source: "a.md", Line: 2, Col: 22, Start: 23, End: 27},
		{Source: "a.md", Line: 9, Col: 3, Start: 13, End: 17}, // of another text
		{Source: "gone.md", Line: 1, Col: 3, Start: 2, End: 4},
	} {
		if err := w.Result(check.Result{URL: "file:///b", State: check.Broken, Sources: []check.Place{p}}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		place, _, _ := strings.Cut(line, ",title=")
		got = append(got, strings.TrimPrefix(place, "::error "))
	}
	want := []string{"file=a.md,line=2,col=9", "file=a.md,line=2,col=19", "file=a.md,line=9", "file=gone.md,line=1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Files of this machine are no slow answers.
func TestSlowestAreAnswers(t *testing.T) {
	var out strings.Builder
	w, err := report.New("html", &out, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []check.Result{
		{URL: "file:///slow", State: check.Alive, MS: 900, From: "file"},
		{URL: "http://a.example/", State: check.Alive, MS: 7, From: "network"},
	} {
		r.Sources = []check.Place{{Source: "a.md", Line: 1, Col: 1}}
		if err := w.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(check.Summary{Alive: 2}); err != nil {
		t.Fatal(err)
	}
	_, slowest, ok := strings.Cut(out.String(), "Slowest answers")
	slowest, _, _ = strings.Cut(slowest, "</section>")
	if !ok || !strings.Contains(slowest, "http://a.example/") || strings.Contains(slowest, "file:///slow") {
		t.Errorf("slowest: %s", slowest)
	}
}

// On a terminal that a line does not fit on, the reason has one of its own.
func TestTextWidth(t *testing.T) {
	for width, want := range map[int]string{
		0:  "a.md\n  1:1  ✗ broken   http://a.example/long/enough  404 not found\n",
		80: "a.md\n  1:1  ✗ broken   http://a.example/long/enough  404 not found\n",
		60: "a.md\n  1:1  ✗ broken   http://a.example/long/enough\n                  404 not found\n",
	} {
		var out strings.Builder
		w, err := report.New("text", &out, report.Options{Width: width})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Result(check.Result{URL: "http://a.example/long/enough", State: check.Broken, Reason: "404 not found", Sources: []check.Place{{Source: "a.md", Line: 1, Col: 1}}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(check.Summary{Broken: 1}); err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(out.String(), "\n\n"); got+"\n" != want {
			t.Errorf("width %d: %q", width, got)
		}
	}
}
