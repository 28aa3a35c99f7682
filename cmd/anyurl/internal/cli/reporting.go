package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"anyurl/check"
	"anyurl/report"
)

// A reporting is the report of a check, as its answers come.
type reporting struct {
	call    *call
	ask     *checkAsk
	file    *reportFile
	diffTo  io.Writer
	writer  report.Writer
	written *rewritten
	fix     *fixer // nil: nothing is mended
	bar     *progressbar.ProgressBar
	pages   pageNotes
	order   map[string]int // of the sources

	held, mayFix []check.Result
	err          error // that of the writer
}

// reporting begins a report. Its file has to be finished.
func (c *call) reporting(ask checkAsk, trends func() []check.Trend) (*reporting, error) {
	t := &reporting{call: c, ask: &ask, diffTo: c.out, pages: pageNotes{call: c}, order: map[string]int{}}
	o := report.Options{Color: ask.output == "" && c.colored(c.out), All: ask.all, MaskQuery: c.maskQuery, Trends: trends}
	if ask.fix == "diff" && ask.toStdout() {
		// Standard output is the diff alone, for who applies it; what was found is
		// for people.
		t.file = &reportFile{Writer: bufio.NewWriter(c.errw)}
	} else {
		var err error
		if t.file, err = c.reportTo(ask.output); err != nil {
			return nil, err
		}
		if t.file.live && ask.fix != "diff" {
			o.Width = c.out.width
		}
	}
	var err error
	if t.writer, err = report.New(ask.form, t.file, o); err != nil {
		return nil, errors.Join(err, t.file.finish(false))
	}
	return t, nil
}

// follow has a check tell of what is not a result.
func (t *reporting) follow(checker *check.Checker) {
	checker.Note = t.pages.take
	if !isTerminal(t.call.errw) || t.ask.noProgress {
		return
	}
	t.bar = t.call.progress()
	checker.Progress = func(done, known int) {
		t.bar.ChangeMax(known)
		t.bar.Set(done)
	}
}

// take takes a result in.
func (t *reporting) take(r check.Result) {
	r.Written = t.written.of(r.URL)
	if t.fix != nil && (r.State == check.Moved || r.State == check.Alive) {
		t.mayFix = append(t.mayFix, r)
	}
	if t.ask.sorted {
		t.held = append(t.held, r)
		return
	}
	t.err = cmp.Or(t.err, t.writer.Result(r))
	if t.file.live {
		t.file.Flush()
		t.call.out.Flush()
	}
}

// end ends the report, and raises the status by what it says.
func (t *reporting) end(summary check.Summary) error {
	summary.Notes = append(summary.Notes, t.pages.lines()...)
	if t.bar != nil {
		t.bar.Clear()
	}
	slices.SortStableFunc(t.held, func(a, b check.Result) int {
		p, q := a.Sources[0], b.Sources[0]
		return cmp.Or(cmp.Compare(t.order[p.Source], t.order[q.Source]), cmp.Compare(p.Start, q.Start))
	})
	for _, r := range t.held {
		t.err = cmp.Or(t.err, t.writer.Result(r))
	}
	if t.err = cmp.Or(t.err, t.writer.Close(summary)); t.err != nil {
		return cannot(fmt.Errorf("writing the report: %w", t.err), "")
	}
	if summary.Links > 0 && summary.Skipped == summary.Unique {
		t.call.note("every link was skipped; --all tells why")
	}
	if summary.Broken+summary.Blocked > 0 {
		t.call.raise(statusProblem)
	}
	return nil
}

// A reportFile is where a report goes.
type reportFile struct {
	*bufio.Writer
	live bool       // somebody may be reading along
	file *wholeFile // nil for standard output
}

func (c *call) reportTo(name string) (*reportFile, error) {
	if name == "" || name == "-" {
		return &reportFile{Writer: bufio.NewWriter(c.out), live: c.out.live}, nil
	}
	f, err := c.create(name)
	if err != nil {
		return nil, err
	}
	return &reportFile{Writer: bufio.NewWriter(f), file: f}, nil
}

func (f *reportFile) finish(whole bool) error {
	err := f.Flush()
	if f.file == nil {
		return err
	}
	return errors.Join(err, f.file.finish(whole && err == nil))
}

// pageNotes are what is said of pages whose links are followed. People hear of each
// thing once, and the report counts the pages.
type pageNotes struct {
	call *call

	mu    sync.Mutex
	says  []string // in the order in which they came
	first map[string]string
	pages map[string]int
}

// mostPageNotes bounds how many different things are said of pages.
const mostPageNotes = 100

func (p *pageNotes) take(n check.Note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pages[n.Says] == 0 {
		if len(p.says) == mostPageNotes {
			return
		}
		if p.pages == nil {
			p.first, p.pages = map[string]string{}, map[string]int{}
		}
		p.says, p.first[n.Says] = append(p.says, n.Says), n.Page
		p.call.note("%s: %s", n.Page, n.Says)
	}
	p.pages[n.Says]++
}

// lines are what the report has of it.
func (p *pageNotes) lines() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, says := range p.says {
		line := p.first[says] + ": " + says
		if n := p.pages[says] - 1; n > 0 {
			line += fmt.Sprintf("; so it is with %d more", n)
		}
		all = append(all, line)
	}
	return all
}

// progress is the bar on standard error, where that is a terminal.
func (c *call) progress() *progressbar.ProgressBar {
	return progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(c.errw),
		progressbar.OptionSetDescription("checking"),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("URLs"),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
}
