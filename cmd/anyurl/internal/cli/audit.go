package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"anyurl"
	"anyurl/audit"
	"anyurl/check"
	"anyurl/find/format"
	"anyurl/internal/quote"
	"anyurl/report"
)

// A vetted is the answer of audit about one URL.
type vetted struct {
	audit.Report
	base   string
	source string // with the place where find found it; empty for arguments and lists
	line   int
	col    int
	start  int
	end    int
}

func newAudit(c *call) *cobra.Command {
	var (
		level, in, base                    string
		inTexts, relaxed                   bool
		how                                reading
		guard, asJSON, asSARIF, everything bool
	)
	cmd := &cobra.Command{
		Use:     "audit [flags] [URL... | --find PATH...]",
		Short:   "warn of what URLs may do, before anything is opened",
		GroupID: groupReads,
		Long: `Says of each URL what a careful person would want to know before opening it, and
opens nothing itself: hosts in disguise, addresses inside the network, secrets,
line ends that would become commands, names that look like others. Every finding
has its place, a severity, and a citation; anyurl explain tells more of each.

The verdict is allow (nothing worth a look), flag (something is), block (get --guard
and the gateway refuse it) or reject (no URL at all). The status is 1 when there is
a finding at the level asked for, or a URL that is rejected; with --guard, when one
is blocked or rejected.`,
		Example: `anyurl audit 'http://trusted.example@0x7f.1/'
anyurl audit --find --level danger docs/
anyurl audit --json --in json < urls.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--in", in, "lines", "nul", "json"); err != nil {
				return err
			}
			if err := oneOf("--level", level, "info", "notice", "warning", "danger"); err != nil {
				return err
			}
			var least audit.Severity
			if err := least.UnmarshalText([]byte(level)); err != nil {
				return err
			}
			a := auditor{call: c, least: least, guard: guard, asJSON: asJSON, asSARIF: asSARIF, everything: everything}
			if asJSON && asSARIF {
				return usage("ask for one form at a time", "--json and --sarif exclude each other")
			}
			if inTexts {
				if err := how.check(); err != nil {
					return err
				}
				if cmd.Flags().Changed("in") || cmd.Flags().Changed("base") {
					return usage("with --find the arguments are files and folders", "--find excludes --in and --base")
				}
				return a.done(a.texts(args, how.finder(relaxed)))
			}
			if relaxed || slices.ContainsFunc(reads, cmd.Flags().Changed) {
				return usage("--relaxed, --code, --format and the limits say how --find reads texts", "there is no text without --find")
			}
			return a.done(a.list(args, in, base, cmd.Flags().Changed("base")))
		},
	}
	cmd.Flags().StringVar(&level, "level", "warning", "what counts as a problem: `info|notice|warning|danger`")
	complete(cmd, "level", "info", "notice", "warning", "danger")
	cmd.Flags().BoolVar(&guard, "guard", false, "what counts as a problem is what a guarded fetch refuses")
	cmd.Flags().StringVar(&base, "base", "", "read relative references against this `URL`")
	inFlag(cmd, &in)
	cmd.Flags().BoolVar(&inTexts, "find", false, "the arguments are files, folders and globs: vet the URLs in them")
	cmd.Flags().BoolVar(&relaxed, "relaxed", false, "with --find: every kind, not only what has a scheme")
	how.flags(cmd)
	cmd.Flags().BoolVar(&everything, "all", false, "list findings of every severity; for people, also what is allowed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	cmd.Flags().BoolVar(&asSARIF, "sarif", false, "a SARIF 2.1.0 log, for code scanning")
	either(cmd, "json", "sarif")
	either(cmd, "find", "in")
	either(cmd, "find", "base")
	return cmd
}

// An auditor vets what it is given and writes the answers.
type auditor struct {
	*call
	least      audit.Severity
	guard      bool
	asJSON     bool
	asSARIF    bool
	everything bool
	buf        []byte
	issues     []report.Issue
}

// done writes what is written at the end.
func (a *auditor) done(err error) error {
	if !a.asSARIF {
		return err
	}
	var rules []report.Rule
	for _, c := range audit.Codes() {
		rules = append(rules, report.Rule{ID: c.Code, Says: c.Says, Help: c.Fix + " (" + c.Cite + ")", Level: sarifLevel(c.Severity), Security: security(c.Severity)})
	}
	if writeErr := report.WriteSARIF(a.out, rules, a.issues); err == nil && writeErr != nil {
		err = cannot(writeErr, "")
	}
	return err
}

// sarifLevel is a severity in SARIF's words.
func sarifLevel(s audit.Severity) string {
	switch s {
	case audit.Danger:
		return "error"
	case audit.Warning:
		return "warning"
	}
	return "note"
}

// security puts a severity on code scanning's scale.
func security(s audit.Severity) float64 { return [...]float64{1, 3, 6, 8.5}[s] }

// issue keeps what is to be reported of one URL.
func (a *auditor) issue(v vetted) {
	place := check.Place{Source: v.source, Line: v.line, Col: v.col, Start: v.start, End: v.end}
	for _, f := range v.Findings {
		if f.Severity >= a.from() {
			a.issues = append(a.issues, report.Issue{Rule: f.Code, Level: sarifLevel(f.Severity), Says: quote.Text(a.hidden(quote.Mask(v.Input))) + ": " + f.Says, Place: place})
		}
	}
}

// from is the severity from which findings are told.
func (a *auditor) from() audit.Severity {
	if a.everything {
		return audit.Info
	}
	return min(a.least, audit.Notice)
}

// list vets URLs from the arguments or from standard input.
func (a *auditor) list(args []string, in, base string, hasBase bool) error {
	n := 0
	for one, err := range a.asked(args, in) {
		if err != nil {
			a.complain(err)
			continue
		}
		if !one.hasBase && hasBase {
			one.base, one.hasBase = base, true
		}
		v := vetted{base: one.base}
		if a.asSARIF {
			n++
			v.source, v.line = "arguments", n
			if one.line > 0 {
				v.source, v.line = "-", one.line
			}
		}
		if one.hasBase {
			u, err := anyurl.Parse(one.base)
			if err != nil {
				a.complain(&failure{statusProblem, fmt.Errorf("the base of %s: %w", one.url, err), ""})
				continue
			}
			v.Report = audit.InspectRef(one.url, u)
		} else {
			v.Report = audit.Inspect(one.url)
		}
		if err := a.answer(v); err != nil {
			return cannot(err, "")
		}
	}
	return nil
}

// texts vets the URLs found in files, and what hides others there.
func (a *auditor) texts(args []string, finder format.Finder) error {
	var hidden []vetted
	a.watch = func(source string) io.WriteCloser {
		return &audit.Watch{Report: func(s audit.Sighting) {
			hidden = append(hidden, vetted{
				Report: audit.Report{Input: s.Word, Err: errHidden, Findings: []audit.Finding{s.Finding}, Verdict: audit.Flag},
				source: source, line: s.Line, col: s.Col, start: s.Start, end: s.Start + len(s.Word),
			})
		}}
	}
	source, told := "", map[[2]int]bool{} // the lines and columns of the URLs in source with reordering controls of their own
	flush := func() error {
		for _, v := range hidden {
			if v.source == source && told[[2]int{v.line, v.col}] {
				continue
			}
			if err := a.answer(v); err != nil {
				return cannot(err, "")
			}
		}
		hidden = hidden[:0]
		return nil
	}
	for m, err := range a.matches(args, finder) {
		if err != nil {
			a.complain(err)
			continue
		}
		if m.Source != source {
			if err := flush(); err != nil {
				return err
			}
			source = m.Source
			clear(told)
		}
		v := vetted{Report: audit.Inspect(m.URL), source: m.Source, line: m.Line, col: m.Col, start: m.Start, end: m.End}
		if m.Hyphen {
			f, _ := audit.At("hyphen-at-break", m.URL)
			v.Findings = append(v.Findings, f)
			v.Verdict = max(v.Verdict, audit.Flag)
		}
		if slices.ContainsFunc(v.Findings, func(f audit.Finding) bool { return f.Code == "bidi-control" }) {
			told[[2]int{m.Line, m.Col}] = true
		}
		if err := a.answer(v); err != nil {
			return cannot(err, "")
		}
	}
	return flush()
}

// errHidden is why a word in a text has no reading: nobody took it for a URL.
var errHidden = errors.New("not found as a URL")

// answer writes what was found about one URL and sets the status.
func (a *auditor) answer(v vetted) error {
	if a.isProblem(v) {
		a.raise(statusProblem)
	}
	if a.asSARIF {
		a.issue(v)
		return nil
	}
	if a.asJSON {
		a.buf = a.appendJSON(a.buf[:0], v)
		_, err := a.out.Write(a.buf)
		return err
	}
	return a.write(a.out, v)
}

func (a *auditor) isProblem(v vetted) bool {
	if a.guard {
		return v.Verdict >= audit.Block
	}
	worst, ok := v.Worst()
	return v.Verdict == audit.Reject || ok && worst >= a.least
}

// write tells people: the verdict and the URL, then what was found under its
// place in the input.
func (a *auditor) write(w io.Writer, v vetted) error {
	from := a.from()
	worst, ok := v.Worst()
	if !a.everything && v.Verdict == audit.Allow && (!ok || worst < from) {
		return nil
	}
	var b strings.Builder
	if v.source != "" {
		fmt.Fprintf(&b, "%s:%d:%d: ", quote.Text(v.source), v.line, v.col)
	}
	b.WriteString(a.paint(verdictColor(v.Verdict), v.Verdict.String()))
	if v.Err == nil {
		b.WriteString(" " + a.hidden(audit.Shown(v.URL)))
	}
	b.WriteByte('\n')
	said := ""
	for _, f := range v.Findings {
		if f.Severity < from {
			continue
		}
		line, marker := quote.Caret(v.Input, f.Start)
		if line != said {
			fmt.Fprintf(&b, "    %s\n", a.hidden(line))
			said = line
		}
		fmt.Fprintf(&b, "    %s %s: %s [%s]\n", marker, a.paint(severityColor(f.Severity), f.Severity.String()), f.Says, f.Code)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func verdictColor(v audit.Verdict) string {
	return [...]string{"32", "33", "31", "31"}[v]
}

func severityColor(s audit.Severity) string {
	return [...]string{"2", "36", "33", "31"}[s]
}

// paint colours a word where standard output shows colours.
func (a *auditor) paint(color, word string) string {
	if !a.colored(a.out) {
		return word
	}
	return "\x1b[" + color + "m" + word + "\x1b[m"
}

// appendJSON writes the object by hand: a list may be long, and its form is
// always the same.
func (a *auditor) appendJSON(b []byte, v vetted) []byte {
	b = append(b, `{"url":`...)
	b = appendString(b, a.hidden(quote.Mask(v.Input)))
	if v.base != "" {
		b = appendString(append(b, `,"base":`...), a.hidden(quote.Mask(v.base)))
	}
	if v.source != "" {
		b = appendString(append(b, `,"source":`...), v.source)
		b = strconv.AppendInt(append(b, `,"line":`...), int64(v.line), 10)
		b = strconv.AppendInt(append(b, `,"col":`...), int64(v.col), 10)
	}
	b = append(b, `,"href":`...)
	if v.Err == nil {
		b = appendString(b, a.hidden(quote.Mask(v.URL.String())))
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"verdict":"`...)
	b = append(b, v.Verdict.String()...)
	b = append(b, `","findings":[`...)
	for i := range v.Findings {
		f := &v.Findings[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"code":"`...), f.Code...), `","severity":"`...)
		b = append(append(b, f.Severity.String()...), `","start":`...)
		b = strconv.AppendInt(b, int64(f.Start), 10)
		b = strconv.AppendInt(append(b, `,"end":`...), int64(f.End), 10)
		b = appendString(append(b, `,"says":`...), f.Says)
		b = appendString(append(b, `,"fix":`...), f.Fix)
		b = append(appendString(append(b, `,"cite":`...), f.Cite), '}')
	}
	return append(b, "]}\n"...)
}

// appendString writes a JSON string. What a terminal would obey, and what
// reorders what it shows, is escaped, as JSON allows for every character.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return appendEscaped(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendEscaped(b []byte, s string) []byte {
	var plain strings.Builder
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return append(b, `""`...) // cannot be: every string has a form
	}
	for _, r := range strings.TrimSuffix(plain.String(), "\n") {
		switch {
		case r < 0x7f || quote.Text(string(r)) == string(r) || r == '\ufffd':
			b = append(b, string(r)...)
		case r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}
