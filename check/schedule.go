package check

import (
	"container/heap"
	"context"
	"fmt"
	"time"
)

// A task is that of asking for a target.
type task struct {
	host   string // what politeness counts by
	target *target
}

// An again is what a task says when it has run.
type again struct {
	in   time.Duration // run once more, this long from now; 0: it is done
	hold time.Duration // nobody asks this host before so long from now
	more []task        // tasks that came of this one
	host mood          // what the answer tells about the host
	rest time.Duration // how long a crowded host wants to be left alone; more than patience is not waited for
}

// A mood is what an answer tells about its host.
type mood uint8

const (
	well    mood = iota // it answers
	unknown             // the failure says nothing about it
	crowded             // it wants to be asked less: all its tasks wait, and fewer are asked at once from then on
	mute                // it did not answer in time, and the task is at its end
)

// A schedule runs tasks: many at once, few to one host, in the order in which
// they came to each host. Hosts take turns of several tasks, so that the
// connections which one task leaves behind serve the next. All its state
// belongs to the goroutine of [schedule.serve].
type schedule struct {
	ask    func(context.Context, *target) again
	refuse func(t *target, why string)       // ends a task without running it, where its host is given up
	later  func(t *target, in time.Duration) // where not nil: hands a task back, to come again so long from now

	workers  int           // tasks at once
	perHost  int           // tasks at once to one host
	pace     *Pace         // of the requests to one host
	pause    time.Duration // that a crowded host gets at first; it doubles as long as it says nothing else
	patience time.Duration // the longest such pause, and how long a host may be crowded in all
	gather   time.Duration // how long a host that has nothing else to do waits for more tasks to do in its turn
	now      func() time.Time

	hosts   map[string]*host
	ready   []*host // hosts that may start a task now, in turn
	going   []*host // those of them that are in the middle of a turn: they go first
	waiting hostHeap
	running int
	left    int // tasks that are not done
	hands   int // goroutines that run them
	start   chan job
	done    chan ran
	turns   turns
}

// A job is a task that is to be run now.
type job struct {
	target *target
	host   *host
	ctx    context.Context
	ended  func() // to be called when it was
}

// A ran is a task that has run.
type ran struct {
	target *target
	host   *host
	again  again
}

// A host is the tasks to one host.
type host struct {
	name    string
	queue   []*target
	later   taskHeap // to be run again, by time
	running int
	turn    int           // tasks ended in this turn
	limit   int           // tasks at once
	good    int           // tasks that were done since the limit was last changed
	until   time.Time     // nobody asks before
	ripe    time.Time     // until then it waits for more tasks
	held    time.Time     // and until then what comes is handed back
	pauses  int           // that it was given since it last answered
	waited  time.Duration // how long these were
	silent  int           // tasks that it gave no answer to since then
	gone    time.Time     // until then it is given up: what comes is refused
	why     string        // it was given up
	queued  bool          // it stands in ready
	index   int           // its place in waiting, or -1
	at      time.Time     // what it waits for
	turnOf  turnState     // of being asked, where there is a pace
}

// serve runs every task that comes, until add is closed and all are done, or
// ctx ends; then it waits for those that run. It reports how many tasks were
// never done.
func (s *schedule) serve(ctx context.Context, add <-chan task) (undone int) {
	s.hosts = map[string]*host{}
	s.start, s.done = make(chan job, s.workers), make(chan ran, s.workers)
	defer close(s.start)
	s.turns.open()
	defer s.closeTurns()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.wake()
		s.startAll(ctx)
		if add == nil && s.left == 0 {
			return 0
		}
		if len(s.waiting) > 0 {
			timer.Reset(s.waiting[0].at.Sub(s.now()))
		} else {
			timer.Reset(time.Hour)
		}
		select {
		case t, ok := <-add:
			if !ok {
				add = nil
				s.ripen()
				continue
			}
			s.take(t)
		case r := <-s.done:
			s.ended(r)
		case <-s.turns.came:
			s.takeTurns()
		case <-s.turns.parked:
			s.park()
		case back := <-s.turns.back:
			s.turns.waiting = append(s.turns.waiting, back)
		case <-timer.C:
		case <-ctx.Done():
			s.drain()
			return s.left
		}
	}
}

// drain waits for the tasks that run.
func (s *schedule) drain() {
	for s.running+s.turns.away > 0 {
		s.unpark(s.workers + s.turns.away)
		select {
		case r := <-s.done:
			s.ended(r)
		case <-s.turns.parked:
			s.park()
		case back := <-s.turns.back:
			s.turns.waiting = append(s.turns.waiting, back)
		}
	}
}

// take puts a new task behind the others to its host.
func (s *schedule) take(t task) {
	h, now := s.host(t.host), s.now()
	if h.gone.After(now) {
		s.refuse(t.target, h.why)
		return
	}
	if wait := h.held.Sub(now); s.later != nil && wait > 0 {
		s.later(t.target, wait)
		return
	}
	switch waits := len(h.queue); {
	case s.gather == 0 || !isMachine(h.name):
	case waits == 0 && h.running == 0 && len(h.later) == 0:
		h.ripe = now.Add(s.gather)
	case waits+1 >= perTurn:
		h.ripe = time.Time{}
	}
	s.left++
	h.queue = append(h.queue, t.target)
	s.place(h)
}

// ripen has no host wait for more tasks: there will be none.
func (s *schedule) ripen() {
	s.gather = 0
	for _, h := range s.hosts {
		if !h.ripe.IsZero() {
			h.ripe = time.Time{}
			s.place(h)
		}
	}
}

func (s *schedule) host(name string) *host {
	h := s.hosts[name]
	if h == nil {
		h = &host{name: name, limit: s.perHost, index: -1}
		s.hosts[name] = h
	}
	return h
}

// ended takes a task back.
func (s *schedule) ended(r ran) {
	s.running--
	h := r.host
	h.running--
	for _, t := range r.again.more {
		s.take(t)
	}
	if r.again.hold > 0 {
		s.hold(h, r.again.hold)
	}
	now := s.now()
	s.heed(h, r.again, now)
	switch {
	case r.again.in <= 0:
		s.left--
	case h.gone.After(now):
		s.left--
		s.refuse(r.target, h.why)
	default:
		heap.Push(&h.later, timedTask{now.Add(r.again.in), r.target})
	}
	h.turn++
	s.placeIn(h, h.turn%perTurn != 0)
}

// hold has nobody ask a host for a while, and hands back what waits for it.
func (s *schedule) hold(h *host, wait time.Duration) {
	at := s.now().Add(wait)
	if at.After(h.until) {
		h.until = at
	}
	h.held = h.until
	if s.later == nil {
		return
	}
	for _, t := range h.queue {
		s.later(t, wait)
	}
	s.left -= len(h.queue)
	h.queue = nil
}

// heed takes note of what an answer tells about its host.
func (s *schedule) heed(h *host, a again, now time.Time) {
	switch a.host {
	case crowded:
		s.spare(h, a.rest, now)
		return
	case mute:
		if h.silent++; h.silent >= mostSilent {
			s.giveUp(h, now, fmt.Sprintf("the host gave no answer to the last %d questions, and was not asked for this", h.silent))
		}
		return
	case well:
		h.pauses, h.waited, h.silent = 0, 0, 0
		h.gone = time.Time{} // it was under way when the host was given up, and shows better
	}
	if a.in <= 0 {
		h.relax(s.perHost)
	}
}

const (
	// mostSilent is how many tasks in a row a host may leave without an answer.
	mostSilent = 8
	// leastPauses and mostPauses are how often in a row a crowded host is left
	// alone before it is given up: as often as its patience lasts, between these.
	leastPauses, mostPauses = 3, 10
	// giveUpFor is how many times its patience a host stays given up. A stream may
	// go on for days.
	giveUpFor = 10
)

// spare leaves a host alone for a while, and has it asked for half as many at
// once after that. What was under way when it said so may say it again. One
// that says nothing else is given up in the end: were each of its links asked
// for, there would be none.
func (s *schedule) spare(h *host, rest time.Duration, now time.Time) {
	if h.until.After(now) {
		return
	}
	h.limit, h.good = max(1, h.limit/2), 0
	if h.pauses >= leastPauses && (h.waited >= s.patience || h.pauses >= mostPauses) {
		s.giveUp(h, now, fmt.Sprintf("the host wants to be asked less often, said so again after %d pauses of %s in all, and was not asked for this", h.pauses, h.waited.Round(time.Second/10)))
		return
	}
	wait := max(min(s.pause<<min(h.pauses, mostPauses), s.patience), rest)
	h.pauses++
	if rest > s.patience { // nobody waits for so long, nor asks meanwhile for all it has
		h.waited = max(h.waited, s.patience)
		return
	}
	h.waited += wait
	h.until = now.Add(wait)
}

// giveUp refuses all that waits for a host, and for a while what comes.
func (s *schedule) giveUp(h *host, now time.Time, why string) {
	h.gone, h.why = now.Add(giveUpFor*s.patience), why
	h.pauses, h.waited, h.silent = 0, 0, 0
	queue, later := h.queue, h.later
	h.queue, h.later = nil, nil
	for _, t := range queue {
		s.refuse(t, why)
	}
	for _, t := range later {
		s.refuse(t.target, why)
	}
	s.left -= len(queue) + len(later)
}

// relax takes note that a task is done: after as many as the host is asked at
// once, it may be asked for one more.
func (h *host) relax(most int) {
	if h.limit == most {
		return
	}
	if h.good++; h.good >= h.limit {
		h.limit, h.good = h.limit+1, 0
	}
}

// perTurn is how many tasks to a host end before another host has its turn.
const perTurn = 64

// place puts a host where it belongs: among the ready ones, the waiting ones,
// or nowhere while it has nothing to start.
func (s *schedule) place(h *host) { s.placeIn(h, false) }

// placeIn is place for a host that may be going on with its turn. It may then
// stand among the ready ones as well; whoever comes first is started.
func (s *schedule) placeIn(h *host, going bool) {
	if h.queued && !going {
		return
	}
	if h.index >= 0 {
		if !h.ripe.IsZero() && h.at.Equal(h.ripe) {
			return // another task makes no difference
		}
		heap.Remove(&s.waiting, h.index)
	}
	if h.running >= h.limit {
		return
	}
	now := s.now()
	at := h.until
	switch {
	case len(h.queue) > 0:
		if h.ripe.After(at) {
			at = h.ripe
		}
	case len(h.later) > 0:
		if h.later[0].at.After(at) {
			at = h.later[0].at
		}
	case h.running > 0, h.turnOf != noTurn:
		return
	case !h.until.After(now):
		// A run may meet millions of hosts. One that left its name to another
		// may still stand among those that go on.
		if s.hosts[h.name] == h && !h.gone.After(now) {
			delete(s.hosts, h.name)
		}
		return
	}
	if at.After(now) {
		h.at = at
		heap.Push(&s.waiting, h)
		return
	}
	if going {
		s.going = append(s.going, h)
		return
	}
	h.queued = true
	s.ready = append(s.ready, h)
}

// next takes the host whose turn it is from those that are ready, or gives nil.
func (s *schedule) next() *host {
	if last := len(s.going) - 1; last >= 0 {
		h := s.going[last]
		s.going[last] = nil
		s.going = s.going[:last]
		return h
	}
	if len(s.ready) == 0 {
		return nil
	}
	h := s.ready[0]
	s.ready[0] = nil
	s.ready = s.ready[1:]
	h.queued = false
	return h
}

// wake moves the hosts whose time has come among the ready ones.
func (s *schedule) wake() {
	now := s.now()
	for len(s.waiting) > 0 && !s.waiting[0].at.After(now) {
		h := heap.Pop(&s.waiting).(*host)
		s.place(h)
	}
}

// startAll starts what may be started.
func (s *schedule) startAll(ctx context.Context) {
	s.unpark(s.workers)
	for s.running < s.workers && ctx.Err() == nil {
		h := s.next()
		if h == nil {
			return
		}
		now := s.now()
		again := len(h.later) > 0 && !h.later[0].at.After(now)
		switch {
		case h.running >= h.limit:
			s.giveBack(h)
			continue
		case h.until.After(now), !again && len(h.queue) == 0:
			s.giveBack(h)
			s.place(h)
			continue
		case s.wantsTurn(h):
			continue
		}
		var t *target
		if again {
			t = heap.Pop(&h.later).(timedTask).target
		} else {
			t = h.queue[0]
			h.queue[0] = nil
			h.queue = h.queue[1:]
		}
		h.running++
		s.running++
		within, ended := s.inTurn(ctx, h)
		s.place(h)
		if s.hands < s.running+s.turns.away {
			s.hands++
			go s.work()
		}
		s.start <- job{t, h, within, ended}
	}
}

// work runs one task after the other: a goroutine of its own for each would have
// to find the room that asking takes on its stack anew.
func (s *schedule) work() {
	for j := range s.start {
		again := s.ask(j.ctx, j.target)
		j.ended()
		s.done <- ran{j.target, j.host, again}
	}
}

type timedTask struct {
	at     time.Time
	target *target
}

// A taskHeap has the earliest task first.
type taskHeap []timedTask

func (q taskHeap) Len() int           { return len(q) }
func (q taskHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q taskHeap) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *taskHeap) Push(x any)        { *q = append(*q, x.(timedTask)) }
func (q *taskHeap) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	*q = (*q)[:last]
	return t
}

// A hostHeap has the host that may go on earliest first.
type hostHeap []*host

func (q hostHeap) Len() int           { return len(q) }
func (q hostHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q hostHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *hostHeap) Push(x any) {
	h := x.(*host)
	h.index = len(*q)
	*q = append(*q, h)
}
func (q *hostHeap) Pop() any {
	last := len(*q) - 1
	h := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	h.index = -1
	return h
}
