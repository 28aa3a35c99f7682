// Package queue has workers on other machines ask a check's questions, by way of
// a NATS server's JetStream. [Asker] hands questions out and takes answers in,
// [Work] is what a worker does.
//
// Questions go into partitions by their host, and a partition belongs to one
// worker at a time, who holds a lease on it: so a host is asked by one worker
// alone, and no faster than that one's limits. A worker that is killed loses its
// leases with time; whoever comes after it asks what was not answered.
//
// The queue need not be durable. It holds no more than the questions that are
// out; what it loses is put into it again, and an answer that comes twice counts
// once. What has to last is the asker's own, as [anyurl/check/frontier] keeps it.
// A server that is gone for longer than [Options.Patience] ends both.
package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"anyurl"
	"anyurl/check"
	"anyurl/dial"
)

const (
	// Partitions is how many parts the hosts fall into, and so how many workers
	// can have something to do.
	Partitions = 64

	tasks    = "ANYURL_TASKS"
	answers  = "ANYURL_ANSWERS"
	leases   = "ANYURL_LEASES"
	taskPart = "anyurl.task." // and the partition, a dot, and who asks
	answerTo = "anyurl.answer."
	turnPart = "anyurl.turn." // and the partition

	// most is how large a message is at most, in octets: the server's usual
	// bound is 1 MiB.
	most = 512 << 10
	// mostFound is how many links of a page go into one message.
	mostFound = 500
	// pending is how many messages are on their way to the server at most.
	pending = 256
	// ackWait is how long the server waits for word of a question that a worker
	// has before it gives it to another.
	ackWait = 12 * time.Second
)

// A Conn is a connection to a server, with the streams that are needed.
type Conn struct {
	nats     *nats.Conn
	js       jetstream.JetStream
	lease    time.Duration
	patience time.Duration
	replicas int

	mu     sync.Mutex
	gone   *time.Timer // runs while the server is away
	lost   chan struct{}
	isLost sync.Once
	made   time.Time // the stream of the tasks
	empty  int       // how often the server came back without it
	closed bool
}

// Options of a connection; the zero value is usual.
type Options struct {
	Replicas int           // of each stream, on as many servers; 0 is 1
	Lease    time.Duration // how long a worker has a partition without word of it; 0 is 12 seconds
	Patience time.Duration // how long the server may be away; 0 is a minute
}

// ErrLost says that the server was away for longer than [Options.Patience].
var ErrLost = errors.New("the queue is lost: its server has been away for too long")

// Connect connects to a server and makes the streams where they are not there.
func Connect(ctx context.Context, url string, o Options) (*Conn, error) {
	c := &Conn{lease: o.Lease, patience: o.Patience, replicas: max(1, o.Replicas), lost: make(chan struct{})}
	if c.lease == 0 {
		c.lease = 12 * time.Second
	}
	if c.patience == 0 {
		c.patience = time.Minute
	}
	nc, err := nats.Connect(url, nats.Name("anyurl"), nats.SetCustomDialer(dialer{ctx}), nats.MaxReconnects(-1), nats.Timeout(10*time.Second),
		nats.PingInterval(max(time.Second, c.patience/4)), nats.ReconnectWait(min(2*time.Second, c.patience/4)),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { c.away() }), nats.ReconnectHandler(func(*nats.Conn) { c.back() }))
	if err != nil {
		return nil, fmt.Errorf("connecting to the queue: %w", err)
	}
	c.nats = nc
	if c.js, err = jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(pending), jetstream.WithPublishAsyncTimeout(ackWait)); err == nil {
		c.made, err = c.setUp(ctx)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// setUp makes the streams that are not there, and gives when that of the tasks was
// made.
func (c *Conn) setUp(ctx context.Context) (made time.Time, err error) {
	ctx, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	for _, s := range []jetstream.StreamConfig{
		{Name: tasks, Subjects: []string{taskPart + "*.*"}, Retention: jetstream.WorkQueuePolicy, MaxAge: 7 * 24 * time.Hour, Replicas: c.replicas, Duplicates: 2 * time.Minute},
		{Name: answers, Subjects: []string{answerTo + "*"}, Retention: jetstream.WorkQueuePolicy, MaxAge: 24 * time.Hour, Replicas: c.replicas, Duplicates: 2 * time.Minute},
	} {
		stream, err := c.js.Stream(ctx, s.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			if stream, err = c.js.CreateStream(ctx, s); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				stream, err = c.js.Stream(ctx, s.Name) // somebody else was quicker
			}
		}
		if err != nil {
			return made, fmt.Errorf("setting up the queue: %w", err)
		}
		if s.Name == tasks {
			made = stream.CachedInfo().Created
		}
	}
	if _, err := c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: leases, TTL: c.lease, Replicas: c.replicas}); err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
		return made, fmt.Errorf("setting up the queue: %w", err)
	}
	return made, nil
}

// away begins to wait for a server that is gone.
func (c *Conn) away() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone == nil && !c.closed {
		c.gone = time.AfterFunc(c.patience, c.giveUp)
	}
}

// giveUp says that the server is of no use any more.
func (c *Conn) giveUp() { c.isLost.Do(func() { close(c.lost) }) }

// A trial is what is tried again and again until it has failed for too long: a
// server may be there and have no JetStream any more.
type trial struct {
	conn  *Conn
	since time.Time // it fails; the zero time while it does not
}

func (t *trial) went(err error) {
	switch {
	case err == nil:
		t.since = time.Time{}
	case t.since.IsZero():
		t.since = time.Now()
	case time.Since(t.since) > t.conn.patience:
		t.conn.giveUp()
	}
}

// back takes note that the server is there again. What it lost is made anew.
func (c *Conn) back() {
	c.mu.Lock()
	if c.gone != nil && c.gone.Stop() {
		c.gone = nil
	}
	c.mu.Unlock()
	go func() { // its JetStream may need a while
		ctx, stop := c.Within(context.Background())
		defer stop()
		for ctx.Err() == nil && c.nats.IsConnected() {
			made, err := c.setUp(ctx)
			if err != nil {
				pause(ctx, time.Second)
				continue
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if !made.Equal(c.made) {
				c.made = made
				c.empty++
			}
			return
		}
	}()
}

// emptied counts how often the server came back empty.
func (c *Conn) emptied() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.empty
}

// Within returns ctx as one that ends, with [ErrLost] as its cause, when the
// server has been away for too long.
func (c *Conn) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-c.lost:
			stop(ErrLost)
		case <-within.Done():
		}
	}()
	return within, func() { stop(nil) }
}

// Err is [ErrLost] once the server has been away for too long, and nil before.
// A context of [Conn.Within] ends a little later than Err says so.
func (c *Conn) Err() error {
	select {
	case <-c.lost:
		return ErrLost
	default:
		return nil
	}
}

// Close ends the connection.
func (c *Conn) Close() {
	c.mu.Lock()
	c.closed = true
	if c.gone != nil {
		c.gone.Stop()
	}
	c.mu.Unlock()
	c.nats.Close()
}

// A dialer has the house's own dialer connect.
type dialer struct{ ctx context.Context }

func (d dialer) Dial(network, address string) (net.Conn, error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(d.ctx), 10*time.Second)
	defer stop()
	return (&dial.Dialer{}).DialContext(ctx, network, address)
}

// SkipTLSHandshake says that TLS is the library's to begin.
func (dialer) SkipTLSHandshake() bool { return false }

// A link is a [check.Link] as it is sent.
type link struct {
	URL      string `json:"url"`
	Skip     string `json:"skip,omitempty"`
	Depth    int    `json:"depth,omitempty"`
	Stranger bool   `json:"stranger,omitempty"`
	Within   bool   `json:"within,omitempty"`
	Source   string `json:"source,omitempty"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Start    int    `json:"start,omitempty"`
	End      int    `json:"end,omitempty"`
}

// sent is a link as it is sent: its URL is resolved, and needs no base.
func sent(l check.Link, placed bool) link {
	s := link{URL: l.URL, Skip: l.Skip, Depth: l.Depth, Stranger: l.Stranger, Within: l.Within}
	if u, err := anyurl.ParseRef(l.URL, l.Base); err == nil && l.Skip == "" {
		s.URL = u.String()
	}
	if placed {
		s.Source, s.Line, s.Col, s.Start, s.End = l.Place.Source, l.Place.Line, l.Place.Col, l.Place.Start, l.Place.End
	}
	return s
}

func (s link) link() check.Link {
	return check.Link{URL: s.URL, Skip: s.Skip, Depth: s.Depth, Stranger: s.Stranger, Within: s.Within,
		Place: check.Place{Source: s.Source, Line: s.Line, Col: s.Col, Start: s.Start, End: s.End}}
}

// A task is a question as it is sent. Places stay with the asker.
type task struct {
	To    string `json:"to"` // the subject of the answer
	ID    string `json:"id"`
	Links []link `json:"links"`
}

// A reply is an answer as it is sent; what was found may take several.
type reply struct {
	ID      string   `json:"id"`
	Whole   bool     `json:"whole,omitempty"` // nothing more comes
	Results []result `json:"results,omitempty"`
	Found   []link   `json:"found,omitempty"`

	// of the whole
	Notes     []check.Note `json:"notes,omitempty"`
	Page      string       `json:"page,omitempty"`
	Canonical string       `json:"canonical,omitempty"`
}

// A result is a [check.Result] as it is sent: without its places.
type result struct {
	check.Result
	Sources    bool          `json:"sources,omitempty"` // never set; it hides the Result's
	RetryAfter time.Duration `json:"retryAfter,omitempty"`
	At         int64         `json:"at,omitempty"` // milliseconds since 1970
}

func (r result) result() check.Result {
	out := r.Result
	out.RetryAfter = r.RetryAfter
	if r.At != 0 {
		out.At = time.UnixMilli(r.At)
	}
	return out
}

// taskOf is a question as it is sent, and the partition that it goes to. The
// same question has the same ID, whoever asks it.
func taskOf(to string, q check.Question) (data []byte, id string, partition uint32, err error) {
	t := task{To: to}
	for _, l := range q.Links {
		t.Links = append(t.Links, sent(l, false))
	}
	if data, err = json.Marshal(t); err != nil {
		return nil, "", 0, err
	}
	sum := sha256.Sum256(data)
	t.ID = hex.EncodeToString(sum[:16])
	if data, err = json.Marshal(t); err != nil {
		return nil, "", 0, err
	}
	u, err := anyurl.Parse(t.Links[0].URL)
	if err != nil {
		return nil, "", 0, err
	}
	return data, t.ID, partitionOf(check.HostOf(u)), nil
}

// partitionOf is the partition that a host belongs to.
func partitionOf(host string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(host))
	return h.Sum32() % Partitions
}
