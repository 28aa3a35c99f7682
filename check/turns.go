package check

import (
	"context"
	"sync"
	"time"
)

// Where a host has a pace, the schedule starts a task when it is its host's turn,
// which the task's first request uses. Whatever else the task asks for waits for
// further turns; until then it is away, and another task has its place among
// those that run.

// A turnState says how far a host is with its next turn.
type turnState uint8

const (
	noTurn   turnState = iota
	wantTurn           // it waits for it
	haveTurn           // the next task that starts has it
)

// turns are what a schedule knows of them.
type turns struct {
	parked  chan struct{}      // a task goes away
	back    chan chan struct{} // and wants to go on
	waiting []chan struct{}    // those that do
	away    int                // tasks that are away, those that wait among them
	came    chan struct{}      // some were granted

	mu      sync.Mutex
	granted []*host
	closed  bool
}

func (t *turns) open() {
	t.parked, t.back, t.came = make(chan struct{}), make(chan chan struct{}), make(chan struct{}, 1)
}

// wantsTurn reports whether a host that has something to start has to wait for
// its turn.
func (s *schedule) wantsTurn(h *host) bool {
	if !isMachine(h.name) || h.turnOf == haveTurn || !s.pace.applies(h.name) {
		return false
	}
	if h.turnOf == noTurn {
		h.turnOf = wantTurn
		s.pace.request(h.name, func() { s.grant(h) })
	}
	return true
}

// grant takes note of a host's turn. Any goroutine may call it.
func (s *schedule) grant(h *host) {
	s.turns.mu.Lock()
	closed := s.turns.closed
	if !closed {
		s.turns.granted = append(s.turns.granted, h)
	}
	s.turns.mu.Unlock()
	if closed {
		s.pace.end(h.name, false)
		return
	}
	select {
	case s.turns.came <- struct{}{}:
	default:
	}
}

// takeTurns puts the hosts whose turn has come where they can start something. A
// turn that is of no use any more, as the host wants to be left alone or has
// enough to do, goes to others.
func (s *schedule) takeTurns() {
	s.turns.mu.Lock()
	granted := s.turns.granted
	s.turns.granted = nil
	s.turns.mu.Unlock()
	now := s.now()
	for _, h := range granted {
		h.turnOf = haveTurn
		if h.running >= h.limit || h.until.After(now) || len(h.queue) == 0 && (len(h.later) == 0 || h.later[0].at.After(now)) {
			s.giveBack(h)
		}
		s.place(h)
	}
}

// giveBack gives a host's turn to whoever else waits for it.
func (s *schedule) giveBack(h *host) {
	if h.turnOf == haveTurn {
		h.turnOf = noTurn
		s.pace.end(h.name, false)
	}
}

// closeTurns gives back all turns, those that come later as well.
func (s *schedule) closeTurns() {
	s.turns.mu.Lock()
	granted := s.turns.granted
	s.turns.closed, s.turns.granted = true, nil
	s.turns.mu.Unlock()
	for _, h := range granted {
		s.pace.end(h.name, false)
	}
	for _, h := range s.hosts {
		s.giveBack(h)
	}
}

// park takes note that a task is away.
func (s *schedule) park() {
	s.running--
	s.turns.away++
}

// unpark has those that were away go on, as long as fewer than most run.
func (s *schedule) unpark(most int) {
	for len(s.turns.waiting) > 0 && s.running < most {
		close(s.turns.waiting[0])
		s.turns.waiting[0] = nil
		s.turns.waiting = s.turns.waiting[1:]
		s.turns.away--
		s.running++
	}
}

// A taskTurns is what a task has of its host's turn.
type taskTurns struct {
	schedule *schedule
	host     string
	have     bool
	waited   time.Duration // so far
}

type taskTurnsKey struct{}

// inTurn gives the context of a task that is started, and what is to be called at
// its end. The host's turn is the task's now.
func (s *schedule) inTurn(ctx context.Context, h *host) (within context.Context, ended func()) {
	t := &taskTurns{schedule: s, host: h.name, have: h.turnOf == haveTurn}
	h.turnOf = noTurn
	return context.WithValue(ctx, taskTurnsKey{}, t), func() {
		if t.have {
			s.pace.end(t.host, false)
		}
	}
}

// inTurn gives client as one that waits for its turns, where a host has a pace.
func inTurn(ctx context.Context, client Fetcher) Fetcher {
	t, _ := ctx.Value(taskTurnsKey{}).(*taskTurns)
	if t == nil {
		return client
	}
	return polite{client, t.schedule.pace, t.turn}
}

// turn waits for a host's turn.
func (t *taskTurns) turn(ctx context.Context, host string) (turn Turn, err error) {
	if t.have && host == t.host {
		t.have = false
		return t.schedule.pace.given(host), nil
	}
	away(ctx, func() { turn, err = t.schedule.pace.Turn(ctx, host) })
	return turn, err
}

// away has a task wait without a place among those that run.
func away(ctx context.Context, wait func()) {
	t, _ := ctx.Value(taskTurnsKey{}).(*taskTurns)
	if t == nil {
		wait()
		return
	}
	since := time.Now()
	t.schedule.turns.parked <- struct{}{}
	wait()
	back := make(chan struct{})
	t.schedule.turns.back <- back
	<-back
	t.waited += time.Since(since)
}

// waited is how long a task has been away so far.
func waited(ctx context.Context) time.Duration {
	if t, _ := ctx.Value(taskTurnsKey{}).(*taskTurns); t != nil {
		return t.waited
	}
	return 0
}

// A once is a value that one task makes while others wait for it.
type once[T any] struct {
	made  chan struct{}
	value T
}

func newOnce[T any]() *once[T] { return &once[T]{made: make(chan struct{})} }

// get gives the value, which make makes where it is this task's to do.
func (o *once[T]) get(ctx context.Context, mine bool, make func() T) T {
	if mine {
		defer close(o.made)
		o.value = make()
		return o.value
	}
	select {
	case <-o.made:
	default:
		away(ctx, func() { <-o.made })
	}
	return o.value
}
