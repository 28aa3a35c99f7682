package frontier

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"hash"
	"iter"
	"time"

	"anyurl/check"
)

// A run is one [Frontier.Run]. All of it belongs to the goroutine that keeps the
// file.
type run struct {
	*Frontier
	*store
	emit func(check.Result)

	intake    <-chan check.Link // nil once all are read
	answers   chan check.Answer
	questions chan check.Question

	lastID   int64
	open     map[int64]*out
	out      map[name]*out   // the same, by target
	active   map[int64]*host // hosts that have questions out
	next     int64           // the host behind which hosts get their turn
	digest   hash.Hash       // of the links that were read
	seen     int             // how many these are
	known    int             // how many the file has from an earlier run
	all      bool            // the earlier run had read them all
	live     bool            // results are emitted as they come
	loaded   bool            // questions were loaded in the last transaction
	stuck    bool            // they could not be
	memory   *sql.DB         // where the file goes on that cannot be written any more
	variants check.Variants  // of the pages that were crawled by this process
	summary  check.Summary
}

// An out is a question that is out.
type out struct {
	row   row
	host  *host
	again bool // a link came meanwhile that it does not have
}

// A host is one that has questions out.
type host struct {
	id    int64
	late  bool
	last  cursor // of the last target that was taken
	depth int    // of the targets that are out
	dry   bool   // none is left behind it
	open  int
	share int // how many it may have out
}

const (
	// lot is how many events are written in one transaction at most.
	lot = 2000
	// gather is how long an event waits for others to be written with: what a
	// run that is killed loses came within it.
	gather = 20 * time.Millisecond
	// mostShare is how many questions a host may have out at most.
	mostShare = 512
)

// Run asks for every link, and gives each URL's result to emit, once: those of
// an earlier run, too. None comes before the last link has been read; where
// links have a Depth, none before the end. A job that goes on reads its links
// again, and ends with [ErrChanged] where they are others than they were: what
// is gone must not be reported, nor what is new be missed. A job stays until
// [Frontier.End].
//
// What goes wrong with the file is among the summary's Faults. One that cannot be
// written any more goes on in memory; where it cannot do that either, nothing
// further is asked for, what has an answer is reported, and [Frontier.Err] tells
// why.
func (f *Frontier) Run(ctx context.Context, job Job, asker Asker, links iter.Seq[check.Link], emit func(check.Result)) check.Summary {
	began := time.Now()
	window := f.window()
	r := &run{
		Frontier: f, emit: emit,
		answers: make(chan check.Answer, window), questions: make(chan check.Question, window),
		digest: sha256.New(), open: map[int64]*out{}, out: map[name]*out{}, active: map[int64]*host{},
	}
	within, stop := context.WithCancel(ctx)
	defer stop()
	if !job.Read || !f.Loose {
		r.intake = read(within, links)
	}
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		asker.Stream(within, r.handOut(within), func(a check.Answer) { r.answers <- a })
	}()
	intake := r.intake
	err := r.serve(ctx, func() { stop(); <-asked })
	stop()
	<-asked
	f.err = err
	if intake != nil {
		for range intake { // the reader may be about to hand one over
		}
	}
	switch {
	case errors.Is(err, ErrChanged):
		r.summary.Faults = append(r.summary.Faults, err.Error()+": remove the file to begin anew")
	case err != nil:
		r.summary.Faults = append(r.summary.Faults, fmt.Sprintf("the state could not be kept, and the check ends before its time: %v", err))
	}
	r.summary.Unique += r.summary.Unchecked
	r.summary.Seconds = float64(time.Since(began).Round(time.Millisecond).Milliseconds()) / 1000
	return r.summary
}

// read has links read by a goroutine of their own.
func read(ctx context.Context, links iter.Seq[check.Link]) <-chan check.Link {
	ch := make(chan check.Link, lot)
	go func() {
		defer close(ch)
		for link := range links {
			select {
			case ch <- link:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ch
}

// handOut gives the questions to whoever asks them.
func (r *run) handOut(ctx context.Context) iter.Seq[check.Question] {
	return func(yield func(check.Question) bool) {
		for {
			select {
			case q, ok := <-r.questions:
				if !ok || !yield(q) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// serve keeps the file until every question is answered, or ctx ends. Then end
// has to make sure that no answer comes any more.
func (r *run) serve(ctx context.Context, end func()) (err error) {
	// What was begun is written to its end, also when ctx ends meanwhile.
	if r.store, err = openStore(context.WithoutCancel(ctx), r.db, r.Fragments); err != nil {
		return err
	}
	defer func() {
		r.store.close()
		if r.memory != nil {
			r.memory.Close()
		}
	}()
	r.known, r.all = r.job.taken, r.job.read
	defer func() { r.summary.Links = r.job.links }()
	err = r.work(ctx)
	finished := err == nil && ctx.Err() == nil
	close(r.questions)
	end()
	if !finished {
		if late := r.rest(); err == nil {
			err = late
		}
	}
	if !errors.Is(err, ErrChanged) {
		if report := r.report(); err == nil {
			err = report
		}
	}
	r.summary.Unchecked = r.job.targets - r.job.answered
	r.done = finished && err == nil && r.memory == nil
	return err
}

// work is serve's loop.
func (r *run) work(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	if r.intake == nil && !r.job.crawls {
		if err := r.report(); err != nil {
			return err
		}
	}
	var events events
	for ctx.Err() == nil && (r.intake != nil || r.job.answered < r.job.targets) {
		events.clear()
		r.gather(ctx, timer, &events)
		questions, results, err := r.turn(&events)
		if err != nil {
			return err
		}
		for _, q := range questions {
			r.questions <- q // there is room: no more are out than it holds
		}
		for _, result := range results {
			r.tell(result)
		}
		if events.allRead && !r.job.crawls {
			if err := r.report(); err != nil {
				return err
			}
		}
		if r.Progress != nil {
			r.Progress(r.job.answered, r.job.targets)
		}
	}
	return nil
}

// rest writes the answers that came before the end.
func (r *run) rest() error {
	var events events
	for {
		select {
		case a := <-r.answers:
			events.answers = append(events.answers, a)
			continue
		default:
		}
		break
	}
	if len(events.answers) == 0 {
		return nil
	}
	r.answeredAll(&events)
	_, results, err := r.write(&events, false)
	for _, result := range results {
		r.tell(result)
	}
	return err
}

// events are what is written in one transaction.
type events struct {
	links   []check.Link
	answers []check.Answer
	outs    []*out // of the answers
	allRead bool   // the last link has been read
}

func (e *events) clear() {
	e.links, e.answers, e.outs, e.allRead = e.links[:0], e.answers[:0], e.outs[:0], false
}

// gather waits for an event, and gathers what comes within a short while. It
// does not wait where nothing can come.
func (r *run) gather(ctx context.Context, timer *time.Timer, e *events) {
	if r.intake == nil && len(r.open) == 0 {
		return
	}
	var after <-chan time.Time
	for len(e.links)+len(e.answers) < lot {
		if r.intake == nil && 2*len(e.answers) > len(r.open) {
			return // the asker has less and less to do
		}
		select {
		case link, ok := <-r.intake:
			if !ok {
				// Reading ends when the links do, or when ctx does.
				r.intake, e.allRead = nil, ctx.Err() == nil
				return
			}
			e.links = append(e.links, link)
		case a := <-r.answers:
			e.answers = append(e.answers, a)
		case <-after:
			return
		case <-ctx.Done():
			return
		}
		if after == nil {
			timer.Reset(gather)
			after = timer.C
		}
	}
}

// turn writes events, and gives the questions to be asked next and the results
// to be told.
func (r *run) turn(e *events) ([]check.Question, []check.Result, error) {
	r.answeredAll(e)
	return r.write(e, true)
}

// answeredAll takes back the questions that are answered.
func (r *run) answeredAll(e *events) {
	for _, a := range e.answers {
		o := r.open[a.ID]
		delete(r.open, a.ID)
		e.outs = append(e.outs, o)
		if o != nil {
			o.host.open--
		}
	}
}

// writeOnce writes events in one transaction.
func (r *run) writeOnce(e *events, more bool) (questions []check.Question, results []check.Result, err error) {
	r.loaded = false
	if err := r.begin(); err != nil {
		return nil, nil, err
	}
	defer func() { err = r.commit(err) }()
	for i, a := range e.answers {
		o := e.outs[i]
		if o == nil {
			continue // answered before
		}
		for _, link := range r.variants.News(a) {
			if err := r.add(link); err != nil {
				return nil, nil, err
			}
		}
		// Until now it is out: what is found to be said of it beside comes too late.
		delete(r.out, name{o.row.host, o.row.key})
		if o.again || len(a.Results) == 0 {
			o.host.last, o.host.dry = start(), false // it is still to be asked
			continue
		}
		text, err := r.answer(o.row, o.host.late, a.Results)
		if err != nil {
			return nil, nil, err
		}
		if told := a.Results; r.live {
			if o.row.more || len(told) > 1 { // the question did not have all places, or asked for more than its links
				if told, err = r.results(o.row, text); err != nil {
					return nil, nil, err
				}
			}
			results = append(results, told...)
		}
	}
	for _, link := range e.links {
		if err := r.read(link); err != nil {
			return nil, nil, err
		}
	}
	if e.allRead && r.seen < r.known && !r.Loose {
		return nil, nil, ErrChanged
	}
	r.job.read = r.job.read || e.allRead
	if r.job.digest == nil {
		r.job.digest = r.digest.Sum(nil)
	}
	if more {
		if err := r.settle(); err != nil {
			return nil, nil, err
		}
		questions, err = r.load(e.outs)
		r.loaded, r.stuck = err == nil, err != nil
	}
	return questions, results, err
}

// read takes in a link of the job's own. Those that an earlier run read have to
// come again, and are in the file already.
func (r *run) read(link check.Link) error {
	r.seen++
	p := link.Place
	fmt.Fprintf(r.digest, "%q %q %q %d %t %q %d %d %d %d\n", link.URL, link.Base.String(), link.Skip, link.Depth, link.Stranger, p.Source, p.Line, p.Col, p.Start, p.End)
	if r.Loose {
		return r.add(link)
	}
	switch {
	case r.seen < r.known:
		return nil
	case r.seen == r.known:
		if !bytes.Equal(r.digest.Sum(nil), r.job.digest) {
			return ErrChanged
		}
		return nil
	case r.all:
		return ErrChanged
	}
	r.job.taken, r.job.digest = r.seen, nil // made when it is written
	return r.add(link)
}

// add puts a link into the file.
func (r *run) add(link check.Link) error {
	grown, err := r.store.add(link, func(n name) bool { return r.out[n] != nil })
	if grown == nil {
		return err
	}
	if o := r.out[grown.of]; o != nil {
		o.row.more = true
		o.again = o.again || grown.stale
	}
	return nil
}

// tell emits a result.
func (r *run) tell(result check.Result) {
	r.summary.Count(result.State)
	r.emit(result)
}

// report emits every result that is in the file, and has later ones emitted as
// they come.
func (r *run) report() error {
	if r.live {
		return nil
	}
	r.live = true
	host, key := int64(0), ""
	for {
		page, err := r.answeredFrom(host, key)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return nil
		}
		for _, t := range page {
			host, key = t.host, t.key
			results, err := r.results(t.row, t.text)
			if err != nil {
				return err
			}
			for _, result := range results {
				r.tell(result)
			}
		}
	}
}

// load gives the questions that there is room for: to the hosts that have
// answered, and to others.
func (r *run) load(answered []*out) (questions []check.Question, err error) {
	room := r.window() - len(r.open)
	give := func(h *host) error {
		rows, err := r.of(h, min(room, h.share-h.open))
		for _, row := range rows {
			links, err := r.question(row)
			if err != nil {
				return err
			}
			r.lastID++
			o := &out{row: row, host: h}
			r.open[r.lastID], r.out[name{row.host, row.key}] = o, o
			h.open++
			room--
			questions = append(questions, check.Question{ID: r.lastID, Links: links})
		}
		return err
	}
	for _, o := range answered {
		if o == nil || r.active[o.host.id] != o.host {
			continue
		}
		if h := o.host; !h.dry && h.open <= h.share/2 && room > 0 {
			h.share = min(2*h.share, mostShare) // it is quick
			if err := give(h); err != nil {
				return nil, err
			}
		}
		if o.host.open == 0 {
			delete(r.active, o.host.id)
		}
	}
	if room < r.window()/4 {
		return questions, nil
	}
	// Late targets have to wait for all others: these may bring links to them.
	late := r.early == 0 && r.intake == nil
	for wrapped := false; room > 0; {
		ids, err := r.hostsFrom(late, r.next, 256)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			r.next = id
			h := r.active[id]
			if h == nil {
				h = &host{id: id, late: late, last: start(), share: min(r.perHost(), mostShare)}
			} else if h.dry && r.grown[id] {
				h.last, h.dry = start(), false
			}
			if err := give(h); err != nil {
				return nil, err
			}
			if h.open > 0 {
				r.active[id] = h
			}
			if room <= 0 {
				break
			}
		}
		if len(ids) < 256 && room > 0 {
			if wrapped {
				break
			}
			wrapped, r.next = true, 0
		}
	}
	clear(r.grown)
	if len(r.open) == 0 && r.intake == nil && r.job.answered < r.job.targets {
		return nil, errors.New("it counts targets that it does not have")
	}
	return questions, nil
}

// of gives up to n targets of a host that are neither answered nor out.
func (r *run) of(h *host, n int) (rows []row, err error) {
	for n > 0 && !h.dry {
		taken, err := r.take(h.id, h.last, n)
		if err != nil {
			return nil, err
		}
		h.dry = len(taken) < n
		for _, row := range taken {
			// One step of a site ends before the next begins, so that each page
			// is come to by the shortest way, and asked for once.
			if h.open+len(rows) > 0 && row.depth != h.depth {
				h.dry = false
				return rows, nil
			}
			h.depth = row.depth
			h.last = cursor{row.depth, row.key}
			if r.out[name{row.host, row.key}] == nil {
				rows = append(rows, row)
				n--
			}
		}
	}
	return rows, nil
}
