package queue

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"anyurl"
	"anyurl/check"
)

// An Asker has workers answer questions: it stands in the place of a
// [check.Checker] that asks itself.
type Asker struct {
	// Conn is where the workers are found.
	Conn *Conn
	// Job tells the answers to one asker from those to others. An asker that
	// goes on in the place of one that was killed has its Job.
	Job string
	// Local decides what nobody has to be asked for, and asks for the files of
	// this machine.
	Local *check.Checker
	// Again is after what time without an answer a question is put into the
	// queue once more: a server that broke down may have lost it. 0 is a
	// quarter of an hour.
	Again time.Duration
}

// An asking is one [Asker.Stream].
type asking struct {
	*Asker
	job    string
	to     string
	run    string // tells this process's messages from those of one before
	answer func(check.Answer)

	mu      sync.Mutex // guards what follows, and calls of answer
	out     map[string]*waiting
	times   int
	emptied int // how often the server had lost all when that was last looked after
}

// forget has the queue forget the questions of whoever asked in this place before
// and was killed: they are asked anew.
func (s *asking) forget(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, ackWait)
	defer stop()
	if stream, err := s.Conn.js.Stream(ctx, tasks); err == nil {
		stream.Purge(ctx, jetstream.WithPurgeSubject(taskPart+"*."+s.job)) // where it fails they are answered twice, and count once
	}
}

// A waiting is a question that is out.
type waiting struct {
	question check.Question
	subject  string
	data     []byte
	sent     time.Time
	found    []check.Link
}

// Stream is [check.Checker.Stream], asked by workers. It ends with ctx, and before
// that when the server has been away for too long: see [Conn.Within].
func (a *Asker) Stream(ctx context.Context, questions iter.Seq[check.Question], answer func(check.Answer)) (open int) {
	sum := sha256.Sum256([]byte(a.Job))
	s := &asking{Asker: a, job: hex.EncodeToString(sum[:8]), run: rand.Text()[:8], answer: answer, out: map[string]*waiting{}, emptied: a.Conn.emptied()}
	s.to = answerTo + s.job
	ctx, stop := a.Conn.Within(ctx)
	defer stop()
	s.forget(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.listen(ctx)
	}()
	again := make(chan struct{})
	go func() {
		defer close(again)
		s.repeat(ctx)
	}()
	for q := range questions {
		s.ask(ctx, q)
		if ctx.Err() != nil {
			break
		}
	}
	stop()
	<-ended
	<-again
	return len(s.out)
}

// ask hands a question out.
func (s *asking) ask(ctx context.Context, q check.Question) {
	if a, ok := s.Local.Decide(q); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answer(a)
		return
	}
	data, id, partition, err := taskOf(s.to, q)
	if err != nil || len(data) > most || isFile(q) {
		s.Local.Stream(ctx, slices.Values([]check.Question{q}), func(a check.Answer) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.answer(a)
		})
		return
	}
	w := &waiting{question: q, subject: fmt.Sprint(taskPart, partition, ".", s.job), data: data, sent: time.Now()}
	s.mu.Lock()
	if other := s.out[id]; other != nil {
		// The same links as another target: what comes of it is the same.
		other.question.Links = append(other.question.Links, q.Links...)
		s.mu.Unlock()
		return
	}
	s.out[id] = w
	s.mu.Unlock()
	s.publish(ctx, id, w)
}

func isFile(q check.Question) bool {
	u, err := anyurl.ParseRef(q.Links[0].URL, q.Links[0].Base)
	return err == nil && u.Scheme() == "file"
}

// publish puts a question into the queue. Where that fails, it is tried again
// when [asking.repeat] comes to it.
func (s *asking) publish(ctx context.Context, id string, w *waiting) {
	s.mu.Lock()
	s.times++
	msg := &nats.Msg{Subject: w.subject, Data: w.data, Header: nats.Header{nats.MsgIdHdr: {fmt.Sprint(s.run, s.times, id)}}}
	s.mu.Unlock()
	failed := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		w.sent = time.Time{}
	}
	// It waits while so many are on their way as may be.
	future, err := s.Conn.js.PublishMsgAsync(msg)
	if err != nil {
		failed()
		return
	}
	go func() {
		select {
		case <-future.Ok():
		case <-future.Err():
			failed()
		case <-ctx.Done():
		}
	}()
}

// repeat puts questions into the queue once more that it may have lost.
func (s *asking) repeat(ctx context.Context) {
	again := s.Again
	if again == 0 {
		again = 15 * time.Minute
	}
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		lost := map[string]*waiting{}
		s.mu.Lock()
		emptied := s.Conn.emptied()
		all := emptied != s.emptied
		s.emptied = emptied
		for id, w := range s.out {
			if all || time.Since(w.sent) > again {
				lost[id] = w
				w.sent = time.Now()
			}
		}
		s.mu.Unlock()
		for id, w := range lost {
			s.publish(ctx, id, w)
		}
	}
}

// listen takes answers in until ctx ends.
func (s *asking) listen(ctx context.Context) {
	try := trial{conn: s.Conn}
	for ctx.Err() == nil {
		within, stop := context.WithTimeout(ctx, ackWait) // the library waits for ever for an answer that was lost
		consumer, err := s.Conn.js.CreateOrUpdateConsumer(within, answers, jetstream.ConsumerConfig{
			Durable: "to-" + s.to[len(answerTo):], FilterSubject: s.to, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
			MaxAckPending: 4096, InactiveThreshold: 24 * time.Hour,
		})
		stop()
		try.went(err)
		if err != nil {
			pause(ctx, time.Second)
			continue
		}
		for ctx.Err() == nil {
			batch, err := consumer.Fetch(256, jetstream.FetchMaxWait(500*time.Millisecond))
			if err != nil {
				pause(ctx, 100*time.Millisecond)
				break
			}
			for msg := range batch.Messages() {
				s.take(msg.Data())
				msg.Ack() // where it is lost, the answer comes twice, and counts once
			}
			if batch.Error() != nil {
				pause(ctx, 100*time.Millisecond)
				break // the consumer may be gone
			}
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// take takes a reply in. One to a question that is not out is nothing new.
func (s *asking) take(data []byte) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return // nobody here writes such
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.out[r.ID]
	if w == nil {
		return
	}
	for _, l := range r.Found {
		w.found = append(w.found, l.link())
	}
	if !r.Whole {
		return
	}
	delete(s.out, r.ID)
	if s.Local.Note != nil {
		for _, n := range r.Notes {
			s.Local.Note(n)
		}
	}
	a := check.Answer{ID: w.question.ID, Found: w.found, Page: r.Page, Canonical: r.Canonical}
	for _, one := range r.Results {
		a.Results = append(a.Results, one.result())
	}
	place(a.Results, w.question.Links)
	s.answer(a)
}

// place puts results where their links stand.
func place(results []check.Result, links []check.Link) {
	at := map[string]int{}
	for i := range results {
		at[results[i].URL] = i
	}
	for _, l := range links {
		if i, ok := at[sent(l, false).URL]; ok {
			results[i].Sources = append(results[i].Sources, l.Place)
		}
	}
}
