package queue

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"anyurl/check"
)

// A redirect may lead to a host that another worker asks. Its turn there is that
// one's to give: a message asks for it, to which the holder of the partition
// answers when it has come, with where to say that it is over. Who asked takes it,
// and has it once the holder has heard that in time: whoever stood still meanwhile
// comes too late. Until it is over whoever has it says so again and again: the turn
// of one that was killed ends by itself, and one that stood still looks at the clock
// before it asks.

const (
	// alive is how often who has a turn says that it still does.
	alive = 3 * time.Second
	// believed is how long a turn lasts without word.
	believed = 4 * alive
)

// elsewhere gives how to wait for the turn of a host that is not this worker's.
func (w *worker) elsewhere(host string) func(context.Context) (check.Turn, error) {
	p := int(partitionOf(host))
	if w.holds(p) {
		return nil
	}
	return func(ctx context.Context) (check.Turn, error) {
		for ctx.Err() == nil {
			if w.holds(p) { // by now
				return w.checker.Pace.Turn(ctx, host)
			}
			if turn, ok := w.askTurn(ctx, p, host); ok {
				return turn, nil
			}
			pause(ctx, time.Second/2) // nobody has the partition for the moment
		}
		return check.Turn{}, context.Cause(ctx)
	}
}

// askTurn asks whoever has a partition for the turn of a host. There is none where
// nobody does, or where that one has been silent for as long as a lease lasts.
func (w *worker) askTurn(ctx context.Context, p int, host string) (turn check.Turn, ok bool) {
	ctx, stop := context.WithTimeout(ctx, w.lease)
	defer stop()
	inbox := w.nats.NewInbox()
	sub, err := w.nats.SubscribeSync(inbox)
	if err != nil {
		return turn, false
	}
	defer sub.Unsubscribe()
	if err := w.nats.PublishRequest(fmt.Sprint(turnPart, p), inbox, []byte(host)); err != nil {
		return turn, false
	}
	msg, err := sub.NextMsgWithContext(ctx)
	if err != nil || len(msg.Data) == 0 {
		return turn, false // that nobody is there is a message, too: an empty one
	}
	over := string(msg.Data)
	var said atomic.Pointer[time.Time] // when the holder was last told that it is ours
	say := func(how string) {
		now := time.Now()
		if w.nats.Publish(over, []byte(how)) == nil {
			said.Store(&now)
		}
	}
	now := time.Now()
	said.Store(&now)
	if _, err := w.nats.Request(msg.Reply, nil, alive); err != nil {
		say(notAsked) // it was given too long ago
		return turn, false
	}
	ended := make(chan string)
	go func() {
		tick := time.NewTicker(alive)
		defer tick.Stop()
		for {
			select {
			case how := <-ended:
				say(how)
				return
			case <-tick.C:
				say(still)
			}
		}
	}()
	return check.Turn{
		End: func(asked bool) {
			if asked {
				ended <- wasAsked
				return
			}
			ended <- notAsked
		},
		May: func() bool { return time.Since(*said.Load()) < believed/2 },
	}, true
}

// What is said of a turn.
const (
	still    = "still"
	wasAsked = "asked"
	notAsked = "unused"
)

// giveTurns gives the turns of a partition's hosts to workers that ask for them,
// until the function that it returns is called.
func (w *worker) giveTurns(ctx context.Context, p int) (end func()) {
	sub, err := w.nats.Subscribe(fmt.Sprint(turnPart, p), func(msg *nats.Msg) {
		go w.giveTurn(ctx, msg)
	})
	if err != nil {
		return func() {} // the connection is closed
	}
	return func() { sub.Unsubscribe() }
}

// giveTurn gives a turn when it has come.
func (w *worker) giveTurn(ctx context.Context, msg *nats.Msg) {
	host := string(msg.Data)
	waiting, stop := context.WithTimeout(ctx, w.lease) // nobody waits for longer
	defer stop()
	turn, err := w.checker.Pace.Turn(waiting, host)
	if err != nil {
		return
	}
	done := turn.End
	if turn.May == nil || !turn.May() { // it is another's, to give or by now
		done(false)
		return
	}
	over := w.nats.NewInbox()
	sub, err := w.nats.SubscribeSync(over)
	if err != nil {
		done(false)
		return
	}
	defer sub.Unsubscribe()
	taken, err := w.nats.Request(msg.Reply, []byte(over), believed)
	if err != nil || taken.Respond(nil) != nil {
		done(false) // who asked does not wait any more, or was not told that it has it
		return
	}
	for {
		msg, err := sub.NextMsg(believed)
		if err != nil || string(msg.Data) != still {
			done(err != nil || string(msg.Data) == wasAsked)
			return
		}
	}
}
