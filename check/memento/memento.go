// Package memento asks web archives for what once stood at a URL, by RFC 7089:
// a TimeGate is told the URL and a time, and leads to the memento, the copy that
// comes closest. Start with [Gate.Find]; a [Stage] does it for the dead links of
// a check.
package memento

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"anyurl"
	"anyurl/check"
	"anyurl/fetch"
	"anyurl/ipclass"
)

// A Gate is an archive's TimeGate.
type Gate struct {
	// Endpoint is its URL, with "{url}" where the URL that is asked about goes;
	// without, that is put at its end.
	Endpoint string
	// Client asks.
	Client check.Fetcher
}

// A Memento is a copy that an archive has.
type Memento struct {
	URL string    // of the copy
	At  time.Time // when it was made, as the archive says
}

// ErrNone says that the archive has no copy.
var ErrNone = errors.New("the archive has no copy")

// URL gives the TimeGate's URL for u. A fragment is nothing that archives know, nor is
// who asked.
func (g Gate) URL(u anyurl.URL) (anyurl.URL, error) {
	for _, drop := range [...]func(anyurl.URL, string) (anyurl.URL, error){anyurl.URL.WithPassword, anyurl.URL.WithUsername} {
		if u.HasUserinfo() {
			var err error
			if u, err = drop(u, ""); err != nil {
				return anyurl.URL{}, err
			}
		}
	}
	about := u.WithoutFragment().Redacted()
	if strings.Contains(g.Endpoint, "{url}") {
		return anyurl.Parse(strings.ReplaceAll(g.Endpoint, "{url}", about))
	}
	return anyurl.Parse(g.Endpoint + about)
}

// Find gives the copy of u that comes closest to a time; the zero time is now.
// [ErrNone] says that there is none.
func (g Gate) Find(ctx context.Context, u anyurl.URL, at time.Time) (Memento, error) {
	gate, err := g.URL(u)
	if err != nil {
		return Memento{}, err
	}
	req := &fetch.Request{URL: gate, Method: "HEAD"}
	if !at.IsZero() {
		// RFC 7089, section 2.1.1: without the field the latest copy is meant.
		req.Header = map[string][]string{"Accept-Datetime": {at.UTC().Format(http.TimeFormat)}}
	}
	result, err := g.Client.Do(ctx, req)
	if err != nil {
		if errors.Is(err, fetch.ErrNotFound) {
			return Memento{}, ErrNone
		}
		return Memento{}, err
	}
	defer result.Body.Close()
	switch {
	case result.Status == 404:
		return Memento{}, ErrNone // RFC 7089, section 4.5.6
	case result.Status >= 400:
		return Memento{}, fmt.Errorf("the archive answers %d", result.Status)
	}
	// Section 2.1.1: what has this field is a memento, and nothing else is.
	made, err := http.ParseTime(field(result.Header, "Memento-Datetime"))
	if err != nil {
		return Memento{}, ErrNone
	}
	return Memento{URL: result.URL.Redacted(), At: made}, nil
}

func field(header map[string][]string, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// A Stage stands between a check and whoever takes its results: for what is
// broken it asks the archive, one URL at a time, and suggests what it has.
type Stage struct {
	ctx  context.Context
	gate Gate
	mu   sync.Mutex // guards emit
	emit func(check.Result)
	dead chan check.Result
	done chan struct{}

	unasked int
	inRow   int // failures without a success between
	fault   error
}

// patience is how many failures in a row the archive is asked on after: it may
// be out of order, or have had enough of us.
const patience = 3

// queue is how many dead links wait for the archive before the check does.
const queue = 1 << 14

// NewStage gives a Stage that hands results on to emit, which is never called by
// two goroutines at once. It has to be closed. When ctx ends, nothing is asked
// any more.
func NewStage(ctx context.Context, gate Gate, emit func(check.Result)) *Stage {
	s := &Stage{ctx: ctx, gate: gate, emit: emit, dead: make(chan check.Result, queue), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for r := range s.dead {
			s.hand(s.suggest(r))
		}
	}()
	return s
}

// Take takes a result in.
func (s *Stage) Take(r check.Result) {
	if r.State == check.Broken {
		s.dead <- r
		return
	}
	s.hand(r)
}

func (s *Stage) hand(r check.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(r)
}

// Close waits until all results are handed on. It tells what went wrong, for
// the report, or "".
func (s *Stage) Close() string {
	close(s.dead)
	<-s.done
	if s.fault == nil {
		return ""
	}
	return fmt.Sprintf("the archive did not answer for %d dead links: %v", s.unasked, s.fault)
}

// isInternal reports whether a host is one that only a network of its own knows.
func isInternal(host anyurl.Host) bool {
	if a, ok := host.Addr(); ok {
		return !ipclass.Of(a).Public()
	}
	name := strings.TrimSuffix(host.String(), ".")
	for _, end := range [...]string{".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return !strings.Contains(name, ".")
}

// tells reports whether the archive may hear of a URL: what is internal is nothing for
// one that is not.
func (g Gate) tells(u anyurl.URL) bool {
	if !isInternal(u.Host()) {
		return true
	}
	gate, err := g.URL(u)
	return err == nil && isInternal(gate.Host())
}

// suggest asks the archive about a dead link.
func (s *Stage) suggest(r check.Result) check.Result {
	u, err := anyurl.Parse(r.URL)
	if err != nil || !u.HasHost() || u.Scheme() == "file" || !s.gate.tells(u) || s.ctx.Err() != nil {
		return r
	}
	if s.inRow >= patience {
		s.unasked++
		return r
	}
	var at time.Time
	if p := r.Past; p != nil {
		if at = p.LastGood; at.IsZero() {
			at = p.FirstSeen
		}
	}
	m, err := s.gate.Find(s.ctx, u, at)
	switch {
	case err == nil:
		s.inRow = 0
		r.Suggestions = append(r.Suggestions[:len(r.Suggestions):len(r.Suggestions)], check.Suggestion{URL: m.URL, Why: "an archived copy of " + m.At.Format(time.DateOnly)})
	case errors.Is(err, ErrNone):
		s.inRow = 0
	default:
		s.inRow++
		s.unasked++
		s.fault = err
	}
	return r
}
