package check

import (
	"container/heap"
	"context"
	"time"
)

// A task is one target in the scheduler's hands.
type task struct {
	host string // what politeness counts by
	run  func(context.Context) again

	later func(time.Duration) // where not nil: hands the task back, to come again so long from now
}

// An again is what a task says when it has run.
type again struct {
	in        time.Duration // run once more, this long from now; 0: it is done
	hold      time.Duration // nobody asks this host before so long from now
	hostWaits bool          // and until then nobody asks this host, and fewer at once from then on
	more      []*task       // tasks that came of this one
}

// A schedule runs tasks: many at once, few to one host, in the order in which
// they came to each host. Hosts take turns of several tasks, so that the
// connections which one task leaves behind serve the next. All its state
// belongs to the goroutine of [schedule.serve].
type schedule struct {
	workers  int           // tasks at once
	perHost  int           // tasks at once to one host
	interval time.Duration // between two starts to one host; 0: none
	now      func() time.Time

	hosts   map[string]*host
	ready   []*host // hosts that may start a task now, in turn
	going   []*host // those of them that are in the middle of a turn: they go first
	waiting hostHeap
	running int
	left    int // tasks that are not done
	done    chan ran
}

// A ran is a task that has run.
type ran struct {
	task  *task
	host  *host
	again again
}

// A host is the tasks to one host.
type host struct {
	name    string
	queue   []*task
	later   taskHeap // to be run again, by time
	running int
	turn    int       // tasks ended in this turn
	limit   int       // tasks at once
	good    int       // tasks that were done since the limit was last changed
	until   time.Time // nobody asks before
	held    time.Time // and until then what comes is handed back
	queued  bool      // it stands in ready
	index   int       // its place in waiting, or -1
	at      time.Time // what it waits for
}

// serve runs every task that comes, until add is closed and all are done, or
// ctx ends; then it waits for those that run. It reports how many tasks were
// never done.
func (s *schedule) serve(ctx context.Context, add <-chan *task) (undone int) {
	s.hosts = map[string]*host{}
	s.done = make(chan ran, s.workers)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.wake()
		s.start(ctx)
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
				continue
			}
			s.take(t)
		case r := <-s.done:
			s.ended(r)
		case <-timer.C:
		case <-ctx.Done():
			for s.running > 0 {
				s.ended(<-s.done)
			}
			return s.left
		}
	}
}

// take puts a new task behind the others to its host.
func (s *schedule) take(t *task) {
	h := s.host(t.host)
	if wait := h.held.Sub(s.now()); t.later != nil && wait > 0 {
		t.later(wait)
		return
	}
	s.left++
	h.queue = append(h.queue, t)
	s.place(h)
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
	if r.again.in <= 0 {
		s.left--
		h.relax(s.perHost)
	} else {
		now := s.now()
		at := now.Add(r.again.in)
		heap.Push(&h.later, timedTask{at, r.task})
		if r.again.hostWaits {
			h.spare(now, at)
		}
	}
	h.turn++
	s.placeIn(h, h.turn%turns != 0)
}

// hold has nobody ask a host for a while, and hands back what waits for it.
func (s *schedule) hold(h *host, wait time.Duration) {
	at := s.now().Add(wait)
	if at.After(h.until) {
		h.until = at
	}
	h.held = h.until
	kept := h.queue[:0]
	for _, t := range h.queue {
		if t.later == nil {
			kept = append(kept, t)
			continue
		}
		t.later(wait)
		s.left--
	}
	clear(h.queue[len(kept):])
	h.queue = kept
}

// spare leaves a host alone until then, and has it asked for half as many at
// once after that. What was under way when it said so may say it again.
func (h *host) spare(now, until time.Time) {
	if !h.until.After(now) {
		h.limit, h.good = max(1, h.limit/2), 0
	}
	if until.After(h.until) {
		h.until = until
	}
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

// turns is how many tasks to a host end before another host has its turn.
const turns = 16

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
		heap.Remove(&s.waiting, h.index)
	}
	if h.running >= h.limit {
		return
	}
	now := s.now()
	at := h.until
	switch {
	case len(h.queue) > 0:
	case len(h.later) > 0:
		if h.later[0].at.After(at) {
			at = h.later[0].at
		}
	case h.running > 0:
		return
	case !h.until.After(now):
		// A run may meet millions of hosts. One that left its name to another
		// may still stand among those that go on.
		if s.hosts[h.name] == h {
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

// start starts what may be started.
func (s *schedule) start(ctx context.Context) {
	for s.running < s.workers && ctx.Err() == nil {
		h := s.next()
		if h == nil {
			return
		}
		now := s.now()
		var t *task
		switch {
		case h.running >= h.limit:
			continue
		case h.until.After(now):
			s.place(h)
			continue
		case len(h.later) > 0 && !h.later[0].at.After(now):
			t = heap.Pop(&h.later).(timedTask).task
		case len(h.queue) > 0:
			t = h.queue[0]
			h.queue[0] = nil
			h.queue = h.queue[1:]
		default:
			s.place(h)
			continue
		}
		h.running++
		s.running++
		if s.interval > 0 {
			h.until = now.Add(s.interval)
		}
		s.place(h)
		go func() { s.done <- ran{t, h, t.run(ctx)} }()
	}
}

type timedTask struct {
	at   time.Time
	task *task
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
