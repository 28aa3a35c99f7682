// Package check tells which links live. It takes links as they are found,
// asks for each target once, politely to every host, and judges the answer: a
// link is broken only on evidence, and what cannot be known is said to be
// unsure. Start with [Checker.Run]; [Read] finds the links of files.
package check

import (
	"context"
	"iter"
	"strings"
	"time"

	"anyurl"
	"anyurl/fetch"
	"anyurl/find/format"
)

// A State is the verdict on a link.
type State string

const (
	Alive   State = "alive"   // it answers
	Moved   State = "moved"   // it answers at another place, for good
	Broken  State = "broken"  // it leads nowhere, and there is evidence
	Blocked State = "blocked" // the guard would not have it asked
	Unsure  State = "unsure"  // no verdict: rate-limited, timed out, login wanted
	Skipped State = "skipped" // not asked: by rule, or nobody here speaks its scheme
)

// States lists every state, the good ones first.
func States() []State { return []State{Alive, Moved, Unsure, Skipped, Blocked, Broken} }

// A Place is where a link stands.
type Place struct {
	Source string `json:"source"`         // file name, URL, or "-" for standard input
	Line   int    `json:"line,omitempty"` // from 1; 0 when the source has no lines
	Col    int    `json:"col,omitempty"`  // from 1, in bytes
	Start  int    `json:"-"`              // byte offsets of the link's own text
	End    int    `json:"-"`              // behind it, in bytes
}

// A Link is a URL that stands somewhere.
type Link struct {
	URL      string     // as it was found
	Base     anyurl.URL // what it may be relative to; the zero URL is no base
	Skip     string     // why it cannot be asked for, where that is known already
	Depth    int        // how many steps its page's links are followed within its site
	Place    Place      // where it stands
	Stranger bool       // it stands on a page from the network
	Within   bool       // it was met on a page whose links are followed: where it leads out of that one's site, its own are not
}

// Follows reports whether anybody who reads a document could follow a match in
// it. Some attributes hold URLs that are names, or where other links start from.
func Follows(m format.Match) bool {
	switch m.Via {
	case "base href", "link preconnect", "link dns-prefetch", "head profile", "applet codebase", "object codebase":
		return false
	}
	if strings.HasSuffix(m.Via, " usemap") { // the name of a map, and no place
		return false
	}
	return !strings.HasSuffix(m.Via, " itemtype") && !strings.HasSuffix(m.Via, " itemid") && !strings.HasSuffix(m.Via, " ping")
}

// A Result is the verdict on one URL, with every place that it stands at.
type Result struct {
	URL      string      `json:"url"`                // with its fragment, as it was asked for
	State    State       `json:"state"`              // the verdict
	Status   int         `json:"status,omitempty"`   // the protocol's own number, as HTTP's 404 or FTP's 550
	Reason   string      `json:"reason"`             // why, where State alone does not tell
	Final    string      `json:"final,omitempty"`    // where it was found in the end
	To       string      `json:"to,omitempty"`       // where it moved for good, without the fragment that only the link has
	Hops     []fetch.Hop `json:"hops,omitempty"`     // redirects on the way, in order
	Evidence []string    `json:"evidence,omitempty"` // what was tried and what came back, in order
	Sources  []Place     `json:"sources"`            // every place it stands at
	MS       int64       `json:"ms"`                 // milliseconds, over all tries
	From     string      `json:"from,omitempty"`     // what the verdict comes from: network, file, rule, history
	Written  []string    `json:"written,omitempty"`  // what stands at the sources, where whoever asked put URL in its place
	Past     *Past       `json:"past,omitempty"`     // what a [Memory] knows of it

	Suggestions []Suggestion  `json:"suggestions,omitempty"` // what may stand in a dead link's place
	RetryAfter  time.Duration `json:"-"`                     // how long the server wants to be left alone
	At          time.Time     `json:"-"`                     // when it was observed; the zero time where nobody asked
}

// A Summary counts what a run met: the fields named as states count URLs.
type Summary struct {
	Links     int     `json:"links"`  // places
	Unique    int     `json:"unique"` // URLs
	Alive     int     `json:"alive"`
	Moved     int     `json:"moved"`
	Broken    int     `json:"broken"`
	Blocked   int     `json:"blocked"`
	Unsure    int     `json:"unsure"`
	Skipped   int     `json:"skipped"`
	Unchecked int     `json:"unchecked,omitempty"` // URLs left when the run was interrupted
	Seconds   float64 `json:"seconds"`             // the whole run

	Faults []string `json:"faults,omitempty"` // what went wrong beside the links, a sentence each
	Notes  []string `json:"notes,omitempty"`  // what else is to be said of the run, a sentence each
}

// Count counts one more URL in a state.
func (s *Summary) Count(state State) {
	s.Unique++
	*s.of(state)++
}

// Of gives the number of URLs in a state.
func (s Summary) Of(state State) int { return *s.of(state) }

func (s *Summary) of(state State) *int {
	switch state {
	case Alive:
		return &s.Alive
	case Moved:
		return &s.Moved
	case Broken:
		return &s.Broken
	case Blocked:
		return &s.Blocked
	case Skipped:
		return &s.Skipped
	}
	return &s.Unsure
}

// Files are the rules by which a web server finds the file for an address, for
// local links that are meant for one. The zero value takes names as they are.
type Files struct {
	// Extensions are tried behind a name that is not there: ".html".
	Extensions []string
	// Index is what a folder stands for, the first of these names that is in it:
	// "index.html". Where there are some, a folder without any is broken. "." is the
	// folder itself, which will do.
	Index []string
}

// A Fetcher asks for a URL and follows where it leads; a *[fetch.Client] is one.
type Fetcher interface {
	Do(context.Context, *fetch.Request) (*fetch.Result, error)
}

// A Checker checks links. Its zero value lacks only Client.
type Checker struct {
	// Client asks.
	Client Fetcher
	// Guarded asks in its place for what a page from the network links to,
	// unless that is a page of the same site; nil is Client.
	Guarded Fetcher
	// Header holds fields to send with every request, for the protocols that
	// have them.
	Header map[string][]string
	// Identify, where not nil, gives what only the server of u is to be told: header
	// fields, which take the place of those of the same name in Header, and who
	// asks. It is asked about what stands in the user's own documents and on the
	// pages of the same sites, and not about what pages from the network link to
	// elsewhere: whoever writes those does not have us log in anywhere.
	Identify func(u anyurl.URL) (header map[string][]string, auth *fetch.Auth)
	// Workers is how many are asked at once; 0 is 128.
	Workers int
	// PerHost is how many one host is asked at once; 0 is 16. A host that says
	// it is too much is asked for fewer.
	PerHost int
	// Pace leaves time between the requests to one host; nil leaves none.
	Pace *Pace
	// Retries is how often a failure that may pass is tried again; 0 is 2, and
	// a negative number is never. What is there and says that it fails (500), and
	// a port at which nobody listens, hardly pass, and are tried half as often.
	Retries int
	// Pause is the time before the first of these, which doubles with each; 0
	// is half a second.
	Pause time.Duration
	// Patience is the longest that a host may have us wait with Retry-After;
	// 0 is one minute.
	Patience time.Duration
	// Accept, where not nil, says which of HTTP's statuses are taken for good
	// besides those that are.
	Accept func(status int) bool
	// Fragments has pages read, and each fragment looked up in them.
	Fragments bool
	// Trusting takes every good answer for what it says. Otherwise hosts are
	// asked for a made-up address, too: one that has a page for that as well may
	// have said nothing about the link.
	Trusting bool
	// NoRobots has no site asked for its robots.txt: whoever follows the links of a
	// site of their own may want that.
	NoRobots bool
	// Code makes it take the links in code of pages, too, as [format.Finder] does.
	Code bool
	// Mail, where not nil, gives the hosts that take a domain's mail, and has
	// mailto URLs checked by that: see [dial.Dialer.MX].
	Mail func(ctx context.Context, domain string) ([]string, error)
	// Files says how a site's files stand for its addresses.
	Files Files
	// Skip, where not nil, gives the reason not to ask for a URL, or "". It
	// sees the URL's text, too: the link's own, with the zero URL, where that
	// is none.
	Skip func(text string, u anyurl.URL) string
	// Unknown, where not nil, gives the reason why nobody can know what a URL means,
	// or "": such a URL is not asked for, and unsure.
	Unknown func(anyurl.URL) string
	// Note, where not nil, is told what of a page that links are followed on could
	// not be read. Several goroutines may call it at once.
	Note func(Note)
	// Known, where not nil, gives the result that is known of a URL and still
	// good, so that nobody asks for it.
	Known func(u anyurl.URL) (Result, bool)
	// Window is how many questions a [Checker.Stream] takes in before they are
	// answered; 0 is 4,096.
	Window int
	// Defer, where not 0, has a stream hand a question back that a host wants
	// asked this long from now or later, so that it need not be kept.
	Defer time.Duration
	// Resolves, where not nil, reports whether names resolve here at all. It is
	// asked once at most, when a name is not there: where none is, that is no
	// evidence against any.
	Resolves func(context.Context) bool
	// Nameless, where not nil, is told at the end that no name resolved, and of how
	// many URLs nothing can be said for that.
	Nameless func(urls int)
	// Progress, where not nil, is told with every verdict how many URLs have
	// one and how many are known. It is not called by two goroutines at once.
	Progress func(done, known int)
}

func (c *Checker) workers() int { return orDefault(c.Workers, 128) }
func (c *Checker) perHost() int { return orDefault(c.PerHost, 16) }
func (c *Checker) retries() int { return max(0, orDefault(c.Retries, 2)) }

// triesOf is how often what has this verdict is tried again.
func (c *Checker) triesOf(v verdict) int {
	if v.settled {
		return (c.retries() + 1) / 2
	}
	return c.retries()
}

func (c *Checker) pause() time.Duration    { return orDefault(c.Pause, time.Second/2) }
func (c *Checker) patience() time.Duration { return orDefault(c.Patience, time.Minute) }

// schedule is that of a run.
func (r *run) schedule() *schedule {
	c := r.checker
	s := &schedule{ask: r.ask, refuse: r.refuse, workers: c.workers(), perHost: c.perHost(), pause: c.pause(), patience: c.patience(), now: time.Now}
	if r.answer != nil && c.Defer > 0 {
		s.later = r.later
	}
	if r.pace = c.Pace; r.pace == nil {
		r.pace = &Pace{}
	}
	s.pace = r.pace
	return s
}

func orDefault[T int | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// gatherLinks is how long the first link to a host waits for others to it, as
// long as links are read: those that are asked for one after the other share a
// connection.
const gatherLinks = time.Second / 4

// Run checks links and gives each URL's result to emit, which is never called
// by two goroutines at once. None comes before the last link is known, for a
// result holds every place of its URL; then they come as verdicts are reached.
// Where links have a Depth, the last link is known at the end.
//
// When ctx ends, Run waits for nobody: what is known is emitted, and the rest
// is counted as unchecked.
func (c *Checker) Run(ctx context.Context, links iter.Seq[Link], emit func(Result)) Summary {
	if ctx == nil {
		ctx = context.Background()
	}
	start := time.Now()
	r := &run{checker: c, emit: emit, targets: map[string]*target{}}
	add := make(chan task, 256)
	go func() {
		defer close(add)
		for link := range links {
			if ask, asks := r.meet(link); asks {
				select {
				case add <- ask:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				return
			}
		}
		r.allMet()
	}()
	s := r.schedule()
	s.gather = gatherLinks
	s.serve(ctx, add)
	for range add { // when ctx ended, the reader may be about to hand one over
	}
	return r.close(start)
}
