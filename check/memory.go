package check

import (
	"context"
	"fmt"
	"time"
)

// A Memory keeps what runs observe, so that later ones know since when a link
// is broken and when it is worth asking for again.
type Memory interface {
	// Remember keeps observations, all of them or none, and tells what is known
	// of each URL with them, in their order.
	Remember(context.Context, []Observation) ([]Past, error)
}

// An Observation is a result and when it was come by.
type Observation struct {
	Result
	At time.Time
}

// A Past is what is known of a URL over time.
type Past struct {
	FirstSeen time.Time `json:"firstSeen"`          // of the first observation
	Since     time.Time `json:"since,omitzero"`     // from when on it has had its state; an unsure one ends no other
	LastGood  time.Time `json:"lastGood,omitzero"`  // of the last observation that was alive or moved
	Seen      int       `json:"seen"`               // observations, the last among them
	Flapping  bool      `json:"flapping,omitempty"` // it comes and goes
	NextDue   time.Time `json:"nextDue,omitzero"`   // when to ask again

	Suggestions []Suggestion `json:"-"` // for a dead link; the caller puts them into its Result
}

// A Trend is how a host's URLs stood over time.
type Trend struct {
	Host    string
	Moments []Moment // the earliest first
}

// A Moment is how many URLs were in each state then, by what was last observed.
type Moment struct {
	At    time.Time
	Count map[State]int
}

// A Suggestion is a URL that may stand in the place of a dead one.
type Suggestion struct {
	URL string `json:"url"`
	Why string `json:"why"` // what speaks for it
}

// A Recorder stands between [Checker.Run] and whoever takes the results: it
// has a Memory keep them, many in one go, and hands each on with its past when
// it is kept. Whatever befalls the memory, the results go on.
type Recorder struct {
	memory Memory
	emit   func(Result)
	in     chan Observation
	done   chan struct{}
	now    func() time.Time

	lost    int
	kept    int
	fault   error
	tryNext time.Time
	pause   time.Duration
}

// NewRecorder gives a Recorder that hands results on to emit, which is never
// called by two goroutines at once. It has to be closed.
func NewRecorder(memory Memory, emit func(Result)) *Recorder {
	r := &Recorder{memory: memory, emit: emit, in: make(chan Observation, 2*recorderLot), done: make(chan struct{}), now: time.Now}
	go r.serve()
	return r
}

const (
	// recorderLot is how many observations are kept in one go at most.
	recorderLot = 512
	// recorderWait is how long an observation waits for others to be kept
	// with. A run that is killed loses no more than what came within it.
	recorderWait = 20 * time.Millisecond
)

// Take takes a result in. It was observed at its At, or now.
func (r *Recorder) Take(result Result) {
	at := result.At
	if at.IsZero() {
		at = r.now()
	}
	r.in <- Observation{result, at}
}

// Close waits until all results are kept and handed on. It tells what went
// wrong, for the report, or "".
func (r *Recorder) Close() string {
	close(r.in)
	<-r.done
	if r.fault == nil {
		return ""
	}
	return fmt.Sprintf("the history could not be written, and lacks %d of %d answers: %v", r.lost, r.lost+r.kept, r.fault)
}

func (r *Recorder) serve() {
	defer close(r.done)
	lot := make([]Observation, 0, recorderLot)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for first := range r.in {
		lot = append(lot[:0], first)
		timer.Reset(recorderWait)
	gather:
		for len(lot) < recorderLot {
			select {
			case o, ok := <-r.in:
				if !ok {
					break gather
				}
				lot = append(lot, o)
			case <-timer.C:
				break gather
			}
		}
		r.keep(lot)
	}
}

// keep keeps a lot and hands it on. What a rule decided was not observed.
func (r *Recorder) keep(lot []Observation) {
	observed := make([]Observation, 0, len(lot))
	for _, o := range lot {
		if o.observed() {
			observed = append(observed, o)
		}
	}
	past := r.remember(observed)
	for _, o := range lot {
		if o.observed() && len(past) > 0 {
			p := past[0]
			past = past[1:]
			o.Result.Past = &p
			o.Result.Suggestions = append(o.Result.Suggestions, p.Suggestions...)
		}
		r.emit(o.Result)
	}
}

func (o Observation) observed() bool {
	return o.State != Skipped && o.From != FromHistory && o.From != "rule"
}

// FromHistory is the From of a result that a memory gave and nobody asked for.
const FromHistory = "history"

// remember has a lot kept. A memory that fails is left alone for a while, so
// that the run does not wait for each of its failures.
func (r *Recorder) remember(lot []Observation) []Past {
	if len(lot) == 0 {
		return nil
	}
	if r.now().Before(r.tryNext) {
		r.lost += len(lot)
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	past, err := r.memory.Remember(ctx, lot)
	if err != nil {
		if r.fault == nil {
			r.fault = err
		}
		r.lost += len(lot)
		r.pause = min(max(2*r.pause, 100*time.Millisecond), 30*time.Second)
		r.tryNext = r.now().Add(r.pause)
		return nil
	}
	r.pause = 0
	r.kept += len(lot)
	return past
}
