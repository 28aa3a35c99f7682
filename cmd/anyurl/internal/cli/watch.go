package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"anyurl"
	"anyurl/check"
	"anyurl/check/frontier"
	"anyurl/check/history"
	"anyurl/check/memento"
	"anyurl/check/queue"
)

// A watchAsk is what the flags of check ask for that has to do with time: what
// is remembered, and what is made of it.
type watchAsk struct {
	history string
	due     bool
	age     time.Duration // how old a good answer in the history may be to be used again
	archive string
	state   string
	queue   string
	away    time.Duration // how long the queue's server may be
	allDue  bool          // what is due by the history is checked, and nothing else
	job     string        // what the links of this check are: see [jobOf]
}

func (ask *watchAsk) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&ask.history, "history", "", "remember what is observed in an SQLite `FILE|DSN`; postgres://user@host/db is a server")
	f.BoolVar(&ask.due, "due", false, "ask only for what is due by the history; without arguments, for all of that")
	durationFlag(cmd, &ask.age, "cache-age", 0, "ask for nothing that was good, by the history, no longer than this `DURATION` ago: 12h")
	f.StringVar(&ask.archive, "archive", "", "ask the web archive whose TimeGate (RFC 7089) is at this `URL` about dead links")
	f.StringVar(&ask.state, "state", "", "keep links and answers in this `FILE`: for more than memory holds, and to go on after an end of any kind")
	f.StringVar(&ask.queue, "queue", "", "have the workers (see anyurl help worker) ask that the NATS server at this `URL` knows")
	durationFlag(cmd, &ask.away, "queue-patience", time.Minute, "and end when that has been away for this `DURATION`")
	notForProjects(cmd, "queue", "who asks for URLs is not the project's to say")
	notForProjects(cmd, "history", "where a file is written is not the project's to say")
	notForProjects(cmd, "state", "where a file is written is not the project's to say")
}

// A watch is a check's history and what comes of it.
type watch struct {
	ask     watchAsk
	history *history.History // nil: none
	state   *frontier.Frontier
	scratch string // the folder of a state that nobody named

	mu     sync.Mutex
	faults []string // for the report
	notes  []string // and what else is to be said there
	failed []error  // those of them that are failures of ours, for the status
	told   bool     // that the history cannot be read
}

// openWatch opens what the flags ask for. A history that cannot be opened is a
// line in the report, unless nothing can be done without.
func (c *call) openWatch(ask watchAsk, args []string) (*watch, error) {
	ask.allDue = ask.due && len(args) == 0
	w := &watch{ask: ask}
	if ask.due && ask.history == "" {
		return nil, usage("--history FILE names one", "--due needs a history")
	}
	if ask.age > 0 && ask.history == "" {
		return nil, usage("--history FILE names one", "--cache-age needs a history")
	}
	if ask.archive != "" {
		if u, err := anyurl.Parse(strings.ReplaceAll(ask.archive, "{url}", "")); err != nil || !u.HasHost() {
			return nil, usage("it is written as in https://archive.example/web/", "--archive \"%s\" is no web archive's URL", ask.archive)
		}
	}
	if ask.history == "" {
		return w, nil
	}
	var err error
	w.history, err = history.Open(c.ctx, ask.history)
	if errors.Is(err, history.ErrName) {
		return nil, usage("a file of such a name is written ./NAME", "--history: %w", err)
	}
	if err != nil {
		if ask.allDue {
			return nil, cannot(err, "")
		}
		w.fail("%v; nothing of this run is remembered", err)
	}
	return w, nil
}

// jobOf names a check by what its links depend on: the arguments, the folder,
// and all flags but those that say how they are asked for and told.
func jobOf(cmd *cobra.Command, args []string) string {
	var b strings.Builder
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // then relative arguments are the same as long as they sound so
	}
	fmt.Fprintf(&b, "%q in %q", args, dir)
	how := []string{"report", "json", "output", "sorted", "all", "workers", "per-host", "interval", "timeout", "retries", "retry-wait", "max-redirects", "no-progress", "patience",
		"header", "host-header", "netrc", "netrc-file", // and no file nor server learns what is secret in these
		"history", "cache-age", "archive", "state", "queue", "queue-patience", "color", "mask-query"}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains(how, f.Name) {
			fmt.Fprintf(&b, " --%s=%q", f.Name, f.Value)
		}
	})
	return b.String()
}

// run runs the check: in memory, or with its links and answers in a file.
func (w *watch) run(c *call, checker *check.Checker, links iter.Seq[check.Link], emit func(check.Result)) (check.Summary, error) {
	if w.ask.state == "" && w.ask.queue == "" {
		return checker.Run(c.ctx, links, emit), nil
	}
	var asker frontier.Asker = checker
	ctx, lost := c.ctx, func() error { return nil }
	if w.ask.queue != "" {
		conn, err := queue.Connect(c.ctx, w.ask.queue, queue.Options{Patience: w.ask.away})
		if err != nil {
			return check.Summary{}, cannot(err, "is a NATS server with JetStream there? nats-server -js is one")
		}
		defer conn.Close()
		var stop context.CancelFunc
		ctx, stop = conn.Within(c.ctx)
		defer stop()
		asker, lost = &queue.Asker{Conn: conn, Job: w.ask.job, Local: checker}, conn.Err
	}
	file := w.ask.state
	if file == "" {
		dir, err := os.MkdirTemp("", "anyurl")
		if err != nil {
			return check.Summary{}, cannot(err, "--state FILE puts links and answers elsewhere")
		}
		w.scratch = dir
		file = filepath.Join(dir, "state.db")
	}
	f, err := frontier.Open(c.ctx, file)
	if errors.Is(err, frontier.ErrInUse) {
		return check.Summary{}, cannot(fmt.Errorf("%s: %w", file, frontier.ErrInUse), "wait for it, or name another file")
	}
	if err != nil {
		if w.ask.queue != "" {
			return check.Summary{}, cannot(err, "")
		}
		w.fail("%v; the links are kept in memory", err)
		return checker.Run(c.ctx, links, emit), nil
	}
	w.state = f
	f.Fragments, f.Progress = checker.Fragments, checker.Progress
	f.Loose = w.ask.allDue // what had its answer is no longer due
	job, err := f.Begin(c.ctx, w.ask.job)
	if errors.Is(err, frontier.ErrOther) {
		return check.Summary{}, usage("finish that with its own arguments, or remove the file", "%s: %w", w.ask.state, err)
	}
	if err != nil {
		w.fail("%s: %v; the links are kept in memory", file, err)
		return checker.Run(c.ctx, links, emit), nil
	}
	if job.Resumed {
		checker.Pace.Rest() // the one before may have asked just now
		c.note("going on where an earlier check ended: %d of %d URLs have an answer", job.Answered, job.Targets)
	}
	summary := f.Run(ctx, job, asker, links, emit)
	if err := lost(); err != nil {
		w.faults = append(w.faults, err.Error())
		hint := "--state FILE would have kept the answers that came, to go on with"
		if w.ask.state != "" {
			hint = "what was answered is in " + file + "; the same command goes on when the server is there again"
		}
		w.failed = append(w.failed, cannot(err, hint))
	}
	if f.Err() != nil { // a file that went on in memory is told of in the report
		for _, fault := range summary.Faults {
			w.failed = append(w.failed, cannot(fmt.Errorf("%s: %s", file, fault), ""))
		}
	}
	return summary, nil
}

// fault puts a sentence into the report.
func (w *watch) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// fail puts a failure of our own into the report: the check goes on, and ends
// with its status.
func (w *watch) fail(format string, args ...any) {
	w.fault(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = append(w.failed, cannot(fmt.Errorf(format, args...), ""))
}

// mostUnread is how many sources that could not be read the report names.
const mostUnread = 100

// unread gives what is told of each source that cannot be read: people hear of it
// at once, and the report has a line for it, too.
func (w *watch) unread(c *call) func(error) {
	n := 0 // links are read by one goroutine
	return func(err error) {
		c.complain(err)
		switch n++; {
		case n <= mostUnread:
			w.fault("%v", err)
		case n == mostUnread+1:
			w.fault("there was more that could not be read; standard error has all of it")
		}
	}
}

// close ends the use of the history.
func (w *watch) close() {
	if w.history != nil {
		w.history.Close()
	}
	if w.state != nil {
		w.state.Close()
	}
	if w.scratch != "" {
		os.RemoveAll(w.scratch)
	}
}

// reported empties the state, as the report is in its place.
func (w *watch) reported(c *call) {
	if w.state == nil || w.scratch != "" {
		return
	}
	if err := w.state.End(context.WithoutCancel(c.ctx)); err != nil {
		c.complain(cannot(fmt.Errorf("%s: %w", w.ask.state, err), "it goes on with this check, and has its URLs; remove it"))
	}
}

// known is what [check.Checker.Known] asks: what the history knows and is not
// due yet, or was good a short while ago. What was not good may have been mended
// since.
func (w *watch) known(ctx context.Context, now time.Time) func(anyurl.URL) (check.Result, bool) {
	if !w.ask.due && w.ask.age == 0 || w.history == nil {
		return nil
	}
	return func(u anyurl.URL) (check.Result, bool) {
		r, ok, err := w.history.Last(ctx, u.String())
		if err != nil && ctx.Err() == nil && !w.told {
			w.told = true // by one goroutine: the one that reads the links
			w.fail("the history could not be read: %v", err)
		}
		if !ok {
			return r, false
		}
		good := r.State == check.Alive || r.State == check.Moved
		return r, w.ask.due && r.Past.NextDue.After(now) || good && r.Past.LastGood.After(now.Add(-w.ask.age))
	}
}

// trends gives what asks the history how hosts stood over time.
func (w *watch) trends(ctx context.Context) func() []check.Trend {
	if w.history == nil {
		return nil
	}
	return func() []check.Trend {
		const moments, hosts = 48, 12
		trends, err := w.history.Trends(ctx, moments, hosts)
		if err != nil && ctx.Err() == nil {
			w.failed = append(w.failed, cannot(fmt.Errorf("the history could not be read: %w", err), ""))
		}
		return trends
	}
}

// links gives what is due by the history, at each of its places.
func (w *watch) links(ctx context.Context, now time.Time) iter.Seq[check.Link] {
	return func(yield func(check.Link) bool) {
		due, withheld := 0, 0
		defer func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			switch {
			case withheld > 0:
				w.notes = append(w.notes, fmt.Sprintf("URLs that are due, but whose password the history does not keep, and that are skipped: %d", withheld))
			case due == 0 && ctx.Err() == nil && len(w.failed) == 0:
				w.notes = append(w.notes, "nothing is due")
			}
		}()
		for r, err := range w.history.Due(ctx, now) {
			if err != nil {
				if ctx.Err() == nil {
					w.fail("the history could not be read: %v", err)
				}
				return
			}
			due++
			skip := ""
			if r.State == check.Skipped {
				skip = r.Reason
				withheld++
			}
			places := r.Sources
			if len(places) == 0 {
				places = []check.Place{{Source: "history"}}
			}
			for _, place := range places {
				if !yield(check.Link{URL: r.URL, Place: place, Skip: skip}) {
					return
				}
			}
		}
	}
}

// stages gives whom results go to on their way to emit: they are remembered
// first, and an archive is asked about dead ones. finish has to be called in
// the end.
func (w *watch) stages(ctx context.Context, client check.Fetcher, emit func(check.Result)) (take func(check.Result), finish func()) {
	take, finish = emit, func() {}
	end := func(close func() string, note func(string, ...any)) {
		before := finish
		finish = func() { // what stands first in the row ends first
			if fault := close(); fault != "" {
				note("%s", fault)
			}
			before()
		}
	}
	if w.ask.archive != "" {
		stage := memento.NewStage(ctx, memento.Gate{Endpoint: w.ask.archive, Client: client}, take)
		take = stage.Take
		end(stage.Close, w.fault) // no failure of ours
	}
	if w.history != nil {
		recorder := check.NewRecorder(w.history, take)
		take = recorder.Take
		end(recorder.Close, w.fail)
	}
	return take, finish
}
