package queue

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"anyurl/check"
)

// A worker is one [Conn.Work].
type worker struct {
	*Conn
	id      string
	checker *check.Checker
	kv      jetstream.KeyValue
	wg      sync.WaitGroup

	mu   sync.Mutex // guards changes of held, which only rule's goroutine makes, and of when they were renewed
	held map[int]*holding
}

// A holding is a partition that this worker has a lease on.
type holding struct {
	revision uint64
	renewed  time.Time
	stop     context.CancelFunc
	ended    chan struct{}
}

// settle is how long a partition is left alone, besides the interval, by who takes
// it over: what the one before sent may still be on its way.
const settle = time.Second

// Work answers questions until ctx ends. What a host wants asked more than a few
// seconds later goes back into the queue with that delay. checker's limits hold
// for each host, and its Pace over all workers; those on all requests together
// hold for each partition. When the server has been away for too long the error
// is [ErrLost].
func (c *Conn) Work(ctx context.Context, checker *check.Checker) error {
	ctx, stop := c.Within(ctx)
	defer stop()
	within, enough := context.WithTimeout(ctx, 30*time.Second)
	kv, err := c.js.KeyValue(within, leases)
	enough()
	if err != nil {
		if lost := c.Err(); lost != nil {
			return lost
		}
		return fmt.Errorf("looking for the leases: %w", err)
	}
	own := *checker
	if own.Defer == 0 {
		own.Defer = 5 * time.Second
	}
	if own.Window == 0 {
		own.Window = 256
	}
	w := &worker{Conn: c, id: rand.Text(), checker: &own, kv: kv, held: map[int]*holding{}}
	if checker.Pace != nil {
		own.Pace = &check.Pace{Interval: checker.Pace.Interval, Elsewhere: w.elsewhere, May: w.may}
	}
	defer w.leave()
	tick := time.NewTicker(c.lease / 6)
	defer tick.Stop()
	try := trial{conn: c}
	for {
		try.went(w.rule(ctx))
		select {
		case <-ctx.Done():
			return c.Err()
		case <-tick.C:
		}
	}
}

func leaseOf(partition int) string { return fmt.Sprint("lease.", partition) }

// rule renews what is held, gives up what is too much, and takes what is free.
func (w *worker) rule(ctx context.Context) error {
	// The library waits for ever for an answer that was lost.
	within, stop := context.WithTimeout(ctx, w.lease/2)
	defer stop()
	for p, h := range w.held {
		select {
		case <-h.ended:
			w.let(p) // it gave up by itself
			continue
		default:
		}
		now := time.Now() // the lease runs from no sooner
		revision, err := w.kv.Update(within, leaseOf(p), []byte(w.id), h.revision)
		switch {
		case err == nil:
			w.mu.Lock()
			h.revision, h.renewed = revision, now
			w.mu.Unlock()
		case w.stale(h):
			// Whoever comes next may do so when the lease has run out, a while
			// from now.
			w.drop(p, h)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	if _, err := w.kv.Put(within, "worker."+w.id, nil); err != nil {
		return err
	}
	keys, err := w.kv.ListKeys(within)
	if err != nil {
		return err
	}
	workers, taken := 0, map[string]bool{}
	for key := range keys.Keys() {
		taken[key] = true
		if len(key) > 7 && key[:7] == "worker." {
			workers++
		}
	}
	share := (Partitions + max(1, workers) - 1) / max(1, workers)
	for p, h := range w.held {
		if len(w.held) <= share {
			break
		}
		w.drop(p, h)
		w.kv.Delete(within, leaseOf(p), jetstream.LastRevision(h.revision))
	}
	for p := range Partitions {
		if len(w.held) >= share || ctx.Err() != nil {
			break
		}
		if w.held[p] != nil || taken[leaseOf(p)] {
			continue
		}
		now := time.Now()
		if revision, err := w.kv.Create(within, leaseOf(p), []byte(w.id)); err == nil {
			w.hold(ctx, p, revision, now)
		}
	}
	return nil
}

// let forgets a partition.
func (w *worker) let(p int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, p)
}

// holds reports whether a partition is this worker's.
func (w *worker) holds(p int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[p] != nil
}

// stale reports whether a lease was not renewed for so long that others may soon
// have the partition.
func (w *worker) stale(h *holding) bool { return time.Since(h.renewed) > w.lease/2 }

// may refuses to ask a host whose lease is another's, or may be. Whoever was
// stopped, by a signal or by a machine that had other things to do, goes on wherever
// it was, before anything that happens at intervals can tell it how late it is.
func (w *worker) may(host string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.held[int(partitionOf(host))]
	if h == nil {
		return false
	}
	if w.stale(h) {
		h.stop() // none of its questions is answered by us
		return false
	}
	return true
}

// interval is the time between two requests to one host.
func (w *worker) interval() time.Duration {
	if w.checker.Pace == nil {
		return 0
	}
	return w.checker.Pace.Interval
}

// hold begins to work on a partition.
func (w *worker) hold(ctx context.Context, p int, revision uint64, since time.Time) {
	within, stop := context.WithCancel(ctx)
	h := &holding{revision: revision, renewed: since, stop: stop, ended: make(chan struct{})}
	w.mu.Lock()
	w.held[p] = h
	w.mu.Unlock()
	w.wg.Go(func() {
		defer close(h.ended)
		defer stop()
		if wait := w.interval(); wait > 0 {
			pause(within, wait+settle) // the one before may have asked a host just now
			defer w.giveTurns(within, p)()
		}
		for within.Err() == nil {
			if err := w.serve(within, p); err != nil {
				pause(within, time.Second)
			}
		}
	})
}

// drop ends the work on a partition, and waits until nothing of it is asked.
func (w *worker) drop(p int, h *holding) {
	h.stop()
	<-h.ended
	w.let(p)
}

// leave gives all leases back.
func (w *worker) leave() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	for p, h := range w.held {
		w.drop(p, h)
		w.kv.Delete(ctx, leaseOf(p), jetstream.LastRevision(h.revision))
	}
	w.kv.Delete(ctx, "worker."+w.id)
	w.wg.Wait()
}

// A serving is the work on one partition.
type serving struct {
	*worker
	mu   sync.Mutex
	last int64
	open map[int64]received
	ids  map[string]bool // of the tasks in open
}

// A received is a question that this worker has.
type received struct {
	msg  jetstream.Msg
	task task
}

// serve answers the questions of a partition until ctx ends.
func (w *worker) serve(ctx context.Context, p int) error {
	within, stop := context.WithTimeout(ctx, ackWait)
	defer stop()
	consumer, err := w.js.CreateOrUpdateConsumer(within, tasks, jetstream.ConsumerConfig{
		Durable: fmt.Sprint("part-", p), FilterSubject: fmt.Sprint(taskPart, p, ".*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
		MaxAckPending: 4 * w.checker.Window,
	})
	if err != nil {
		return err
	}
	s := &serving{worker: w, open: map[int64]received{}, ids: map[string]bool{}}
	beating, enough := context.WithCancel(ctx)
	beat := make(chan struct{})
	go func() {
		defer close(beat)
		s.beat(beating)
	}()
	w.checker.Stream(ctx, func(yield func(check.Question) bool) {
		for ctx.Err() == nil {
			batch, err := consumer.Fetch(64, jetstream.FetchMaxWait(time.Second))
			if err != nil {
				pause(ctx, 200*time.Millisecond)
				continue
			}
			for msg := range batch.Messages() {
				if q, ok := s.receive(msg); ok && !yield(q) {
					return
				}
			}
			if batch.Error() != nil {
				return // the consumer may be gone; it is made anew
			}
		}
	}, func(a check.Answer) { s.reply(ctx, a) })
	enough()
	<-beat
	s.giveBack()
	return nil
}

// beat tells the server that questions are being worked on, so that it does not
// give them to anybody else.
func (s *serving) beat(ctx context.Context) {
	tick := time.NewTicker(ackWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		for _, r := range s.open {
			r.msg.InProgress()
		}
		s.mu.Unlock()
	}
}

// giveBack gives back what was not answered.
func (s *serving) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.open {
		r.msg.Nak()
	}
}

// receive takes a question in.
func (s *serving) receive(msg jetstream.Msg) (check.Question, bool) {
	r := received{msg: msg}
	if err := json.Unmarshal(msg.Data(), &r.task); err != nil || len(r.task.Links) == 0 {
		msg.Term() // nobody here writes such
		return check.Question{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids[r.task.ID] {
		// Who asks it again was begun anew, or believes it to be lost. The one that
		// is here will be answered, or come again.
		msg.Ack()
		return check.Question{}, false
	}
	s.last++
	s.open[s.last], s.ids[r.task.ID] = r, true
	q := check.Question{ID: s.last}
	for _, l := range r.task.Links {
		q.Links = append(q.Links, l.link())
	}
	return q, true
}

// reply sends an answer, and then has the server forget the question; or it
// gives the question back until its time has come.
func (s *serving) reply(ctx context.Context, a check.Answer) {
	s.mu.Lock()
	r, ok := s.open[a.ID]
	delete(s.open, a.ID)
	delete(s.ids, r.task.ID)
	s.mu.Unlock()
	if !ok {
		return
	}
	if a.Later > 0 {
		r.msg.NakWithDelay(a.Later)
		return
	}
	parts := repliesTo(r.task.ID, a)
	futures := make([]jetstream.PubAckFuture, 0, len(parts))
	for i, part := range parts {
		data, err := json.Marshal(part)
		if err == nil {
			msg := &nats.Msg{Subject: r.task.To, Data: data, Header: nats.Header{nats.MsgIdHdr: {fmt.Sprint(rand.Text(), i)}}}
			var future jetstream.PubAckFuture
			if future, err = s.js.PublishMsgAsync(msg); err == nil {
				futures = append(futures, future)
			}
		}
		if err != nil {
			r.msg.NakWithDelay(time.Second)
			return
		}
	}
	go func() {
		for _, future := range futures {
			select {
			case <-future.Ok():
			case <-future.Err():
				r.msg.NakWithDelay(time.Second)
				return
			case <-time.After(ackWait):
				return // the server gives it to somebody by itself
			}
		}
		r.msg.Ack()
	}()
}

// repliesTo is an answer in messages that a server takes.
func repliesTo(id string, a check.Answer) (parts []reply) {
	var found []link
	for _, l := range a.Found {
		found = append(found, sent(l, true))
		if len(found) == mostFound {
			parts = append(parts, reply{ID: id, Found: found})
			found = nil
		}
	}
	last := reply{ID: id, Whole: true, Found: found, Notes: a.Notes, Page: a.Page, Canonical: a.Canonical}
	for _, r := range a.Results {
		one := result{Result: r, RetryAfter: r.RetryAfter}
		if !r.At.IsZero() {
			one.At = r.At.UnixMilli()
		}
		last.Results = append(last.Results, one)
	}
	return append(parts, last)
}
