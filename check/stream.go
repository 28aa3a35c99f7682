package check

import (
	"context"
	"iter"
	"sync/atomic"
	"time"
)

// A Question is one target and the links that lead to it, which differ in their
// places and fragments alone. Whoever asks [Checker.Stream] sees to it that no
// two questions have the same target, and keeps what a run would.
type Question struct {
	ID    int64 // the asker's own; its Answer has it, too
	Links []Link
}

// An Answer is the verdict on a Question.
type Answer struct {
	ID      int64
	Results []Result      // one for each spelling of the target, with the places of its links
	Found   []Link        // what stands on its page, where its links have a Depth
	Notes   []Note        // what of its page could not be read
	Later   time.Duration // where not 0 there are no results: ask again after so long, see [Checker.Defer]

	// Page is where its page was in the end, and Canonical what that calls itself,
	// where it may have several addresses: see [Variants.News]. Else they are empty.
	Page, Canonical string
}

// A Note says that something of a page could not be read, or how it is read.
type Note struct {
	Page string `json:"page"`
	Says string `json:"says"` // a sentence, without the page
}

// window is how many questions a stream takes in before they are answered.
func (c *Checker) window() int { return orDefault(c.Window, 4096) }

// Stream answers questions as they come, and keeps nothing of those that are
// answered: it is for more links than memory holds. It takes the next question
// when fewer than c.Window are open, and calls answer, never in two goroutines
// at once, as each has its verdict; answer may not wait for further questions
// to be taken.
//
// When ctx ends, Stream waits for nobody; open questions stay unanswered. It
// gives their number.
func (c *Checker) Stream(ctx context.Context, questions iter.Seq[Question], answer func(Answer)) (open int) {
	room := make(chan struct{}, c.window())
	var taken, answered atomic.Int64
	r := &run{checker: c, targets: map[string]*target{}}
	r.answer = func(a Answer) {
		answered.Add(1)
		<-room
		answer(a)
	}
	add := make(chan task, 256)
	go func() {
		defer close(add)
		for q := range questions {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				taken.Add(1)
				return
			}
			taken.Add(1)
			if ask, asks := r.question(q); asks {
				select {
				case add <- ask:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				return
			}
		}
	}()
	r.schedule().serve(ctx, add)
	for range add {
	}
	r.tellOfNames()
	return int(taken.Load() - answered.Load())
}

// Decide answers a question that nobody has to be asked for, by the rules and by
// what is known, and reports whether it is one.
func (c *Checker) Decide(q Question) (answer Answer, decided bool) {
	r := &run{checker: c, answer: func(a Answer) { answer, decided = a, true }}
	r.question(q)
	return answer, decided
}

// question takes a question in, and gives the task of asking it where it has to
// be asked.
func (r *run) question(q Question) (ask task, asks bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &target{id: q.ID, within: true}
	if len(q.Links) == 0 {
		r.decide(t, Result{State: Skipped, From: "rule"})
		return task{}, false
	}
	var first met
	for i, link := range q.Links {
		m := r.read(link)
		if i == 0 {
			first = m
			t.pages = m.pages
		}
		t.join(m)
	}
	return r.begin(t, first)
}

// results gives a decided target's results.
func (r *run) answered(t *target) Answer {
	a := Answer{ID: t.id}
	if t.asking != nil {
		a.Found, a.Notes, a.Page, a.Canonical = t.found, t.notes, t.page, t.canonical
	}
	for m := range t.each() {
		a.Results = append(a.Results, t.result(m))
	}
	return a
}
