package history

import (
	"hash/fnv"
	"math/bits"
	"time"

	"anyurl/check"
)

// A standing is what is known of one URL: its row in the table url. Times are
// milliseconds since 1970.
type standing struct {
	id        int64 // 0: the row is not there yet
	url, host string

	firstSeen, lastSeen, seen int64

	state         check.State // the last one observed
	status        int64
	reason, final string

	sure            check.State // the last one that was not unsure
	since           int64       // from when on sure, or where there is none, state
	lastGood        int64
	goodFinal       string
	outcomes, sures int64
	interval, due   int64
	places          string
}

func good(s check.State) bool { return s == check.Alive || s == check.Moved }

// observe takes an observation in. Its time tells it from others of its URL: one
// that is not later than the last changes nothing, for it was handed over before
// by a run that was killed.
func (s *standing) observe(o check.Observation) {
	at := o.At.UnixMilli()
	if s.seen > 0 && at <= s.lastSeen {
		return
	}
	if s.seen == 0 {
		s.firstSeen, s.since = at, at
	}
	changed := s.seen == 0 || o.State != s.state
	sure := o.State != check.Unsure
	if sure {
		if o.State != s.sure {
			s.since, s.sure = at, o.State
		}
		s.outcomes <<= 1
		if good(o.State) {
			s.outcomes |= 1
			s.lastGood, s.goodFinal = at, o.Final
		}
		s.outcomes &= 1<<remembered - 1
		s.sures = min(s.sures+1, remembered)
	}
	s.state, s.status, s.reason, s.final = o.State, int64(o.Status), o.Reason, o.Final
	s.seen++
	s.lastSeen = at
	last := time.Duration(s.interval) * time.Millisecond
	next := next(last, changed, s.flapping(), o)
	s.interval = next.Milliseconds()
	s.due = at + spread(next, s.url).Milliseconds()
}

// remembered is how many outcomes flapping looks back on.
const remembered = 16

// flaps is how many changes between good and bad among these are flapping.
const flaps = 3

// flapping reports whether a link comes and goes.
func (s *standing) flapping() bool {
	if s.sures < 2 {
		return false
	}
	changes := uint64(s.outcomes^s.outcomes>>1) & (1<<(s.sures-1) - 1)
	return bits.OnesCount64(changes) >= flaps
}

const (
	hour = time.Hour
	day  = 24 * hour
)

// next is how long after an observation its URL is asked for again. What stays
// as it is is asked for half as often each time; what is new or has changed,
// soon.
func next(last time.Duration, changed, flapping bool, o check.Observation) time.Duration {
	first, longest := day, 30*day
	switch {
	case o.State == check.Broken:
		first, longest = 6*hour, 7*day // somebody may mend it
	case o.State == check.Unsure:
		first, longest = 3*hour, 2*day
	case o.State == check.Blocked:
		first, longest = 7*day, 30*day // that is up to us
	}
	if flapping {
		longest = min(longest, 2*day)
	}
	interval := first
	if !changed {
		interval = min(max(first, 2*last), longest)
	}
	return max(interval, min(o.RetryAfter, 30*day))
}

// spread makes an interval up to a tenth longer, each URL's by its own share,
// so that what was first met together does not stay together.
func spread(d time.Duration, url string) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(url))
	return d + d/10*time.Duration(h.Sum32()%1024)/1024
}

// past is the standing as reports tell it.
func (s *standing) past() check.Past {
	p := check.Past{FirstSeen: instant(s.firstSeen), LastGood: instant(s.lastGood), Seen: int(s.seen), Flapping: s.flapping(), NextDue: instant(s.due)}
	if s.state != check.Unsure || s.sure == "" {
		p.Since = instant(s.since)
	}
	return p
}

// instant is the time of a column; 0 is the zero time.
func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
