package check

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"anyurl"
	"anyurl/percent"
	"anyurl/rule"
)

// A run is one [Checker.Run].
type run struct {
	checker   *Checker
	emit      func(Result)
	robots    robots
	pace      *Pace
	strangers strangers
	answer    func(Answer) // of a stream, which keeps no targets
	names     names
	archives  archives

	mu       sync.Mutex // guards what follows, and calls of emit and Progress
	targets  map[string]*target
	links    int
	known    int // mentions
	done     int // mentions with a verdict
	plain    map[plain]*Result
	met      bool                // the last link has been met
	held     []*target           // with a verdict, waiting for the last link
	crawls   bool                // pages bring more links
	crawled  map[string]struct{} // pages, without their fragments
	variants Variants            // of pages that were crawled
	summary  Summary
}

// names are what a run knows of whether names resolve here at all.
type names struct {
	asked sync.Once
	none  bool        // the resolver knows none
	some  atomic.Bool // though some of those that were asked for resolved
	lost  int         // URLs with a name of which nothing can be said; guarded by the run's mutex
}

// A target is what is asked for: a URL without its fragment, or a text that is
// no URL. A run may have a million of them: most are this one allocation, and
// the text of their URL.
type target struct {
	mention           // as it was met first
	others  *mentions // nil: it was never spelled in another way
	verdict *Result   // what all mentions share; nil until there is one
	anchors *anchors
	id      int64  // of its question
	ms      uint32 // how long the verdict took, in milliseconds
	depth   int32  // how many steps its links are followed
	pages   bool   // it has to be read, for its mentions' fragments are looked up
	read    bool   // and that has been done
	held    bool   // it stands among those with a verdict
	trusted bool   // it stands in the user's own documents
	within  bool   // it was met on pages of its site alone: nobody begins there

	// nil before anybody asks and once there is a verdict; of the task that asks,
	// and of no one else
	*asking
}

// An asking is what is known of a target while it is asked for.
type asking struct {
	url      anyurl.URL // without a fragment
	tries    int
	method   string
	evidence []string
	spent    time.Duration

	// for whoever asked the question, of its page
	found           []Link
	notes           []Note
	page, canonical string
}

// A mention is one spelling of a target, with its fragment or without.
type mention struct {
	text    string
	sources []Place
	first   [1]Place // where sources begin: most have one alone
}

// begins reports whether a check begins here: the site whose links are followed is
// the one where this ends.
func (t *target) begins() bool { return t.depth > 0 && !t.within }

// fragment is that of a URL; a text that is none is not asked for its fragment.
func (m *mention) fragment() string {
	_, fragment, _ := strings.Cut(m.text, "#")
	return fragment
}

// stands takes in a place where the mention stands.
func (m *mention) stands(at Place) {
	if m.sources == nil {
		m.sources = m.first[:0]
	}
	m.sources = append(m.sources, at)
}

// mentions are the further spellings of a target.
type mentions struct {
	all     []*mention
	spelled map[string]*mention // by text, once there are many
}

// A met is a link as it is read.
type met struct {
	link  Link
	url   anyurl.URL // the zero URL where the text is none
	err   error      // why it is none
	key   string     // of its target
	text  string     // with its fragment, as it is reported
	pages bool       // its fragment has to be looked up
	known *Result    // what is known of it
	skip  string     // why it is not asked for
}

// read reads a link.
func (r *run) read(link Link) met {
	u, err := anyurl.ParseRef(link.URL, link.Base)
	return r.parsed(link, u, err)
}

// parsed is read for a link whose URL has been parsed.
func (r *run) parsed(link Link, u anyurl.URL, err error) met {
	m := met{link: link, url: u, err: err, key: link.URL, text: link.URL}
	if err == nil && link.Skip == "" {
		m.text = u.String()
	}
	if m.skip = link.Skip; m.skip == "" && r.checker.Skip != nil {
		m.skip = r.checker.Skip(m.text, u)
	}
	if m.skip != "" {
		m.key = "skip " + m.text // another link to the same page may be asked for
		return m
	}
	if err != nil {
		return m
	}
	m.key, _, _ = strings.Cut(m.text, "#")
	m.pages = r.checker.Fragments && u.Fragment() != ""
	if r.checker.Known != nil && link.Depth == 0 { // a page whose links are followed has to be read
		if known, ok := r.checker.Known(u); ok {
			m.known, m.pages = &known, false
			m.key = "known " + m.text // each fragment has a verdict of its own
		}
	}
	return m
}

// meet takes a link in, and gives the task of asking for it where it is met for
// the first time and has to be asked for.
func (r *run) meet(link Link) (t task, asks bool) { return r.take(r.read(link)) }

// take is meet for a link that has been read.
func (r *run) take(m met) (ask task, asks bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.links++
	t := r.targets[m.key]
	isNew := t == nil
	if isNew {
		t = &target{within: true}
		r.targets[m.key] = t
	}
	if t.join(m) {
		r.known++
		if t.verdict != nil {
			r.done++
		}
	}
	r.crawls = r.crawls || m.link.Depth > 0
	if !isNew {
		if t.verdict != nil && t.unread() {
			r.reopen(t)
			return task{HostOf(m.url), t}, true
		}
		return task{}, false
	}
	return r.begin(t, m)
}

// begin gives the task of asking for a target that m met, or the target its
// verdict where nobody has to be asked. The caller holds r.mu.
func (r *run) begin(t *target, m met) (ask task, asks bool) {
	switch {
	case m.skip != "":
		r.decide(t, Result{State: Skipped, Reason: m.skip, From: "rule"})
	case m.err != nil:
		r.decide(t, Result{State: Broken, Reason: "no URL: " + broken(m.err), From: "rule"})
	case m.known != nil:
		r.decide(t, *m.known)
	default:
		return task{HostOf(m.url), t}, true
	}
	return task{}, false
}

// later hands a question back, to be asked so long from now.
func (r *run) later(t *target, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer(Answer{ID: t.id, Later: wait})
}

// refuse gives a target that nobody asks for any more its verdict.
func (r *run) refuse(t *target, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	verdict := Result{State: Unsure, Reason: why, From: "rule"}
	if t.asking != nil {
		verdict.Evidence = t.evidence
	}
	r.decide(t, verdict)
	t.asking = nil
}

// join puts a link among those of its target, and reports whether it is spelled
// as none before.
func (t *target) join(m met) (isNew bool) {
	at := t.spelling(m.text)
	if isNew = at == nil; isNew {
		at = t.add(m.text)
	}
	at.stands(m.link.Place)
	t.depth = max(t.depth, int32(min(m.link.Depth, math.MaxInt32)))
	t.trusted = t.trusted || !m.link.Stranger
	t.within = t.within && (m.link.Within || m.link.Depth == 0)
	t.pages = t.pages || m.pages
	return isNew
}

// unread reports whether a target that answers has yet to be read: most are
// asked with HEAD before it is known that a link leads to a place in them.
func (t *target) unread() bool {
	return t.pages && !t.read && (t.verdict.State == Alive || t.verdict.State == Moved)
}

// reopen takes a verdict back. The caller holds r.mu.
func (r *run) reopen(t *target) {
	t.verdict, t.asking = nil, nil
	r.done -= t.spellings()
}

// many is from how many mentions on they are found by a map.
const many = 8

// spelling gives the mention with a text; nil where there is none.
func (t *target) spelling(text string) *mention {
	switch {
	case t.sources != nil && t.text == text:
		return &t.mention
	case t.others == nil:
		return nil
	case t.others.spelled != nil:
		return t.others.spelled[text]
	}
	for _, m := range t.others.all {
		if m.text == text {
			return m
		}
	}
	return nil
}

// add gives a mention with a text that is new.
func (t *target) add(text string) *mention {
	if t.sources == nil {
		t.text = text
		return &t.mention
	}
	if t.others == nil {
		t.others = &mentions{}
	}
	o, m := t.others, &mention{text: text}
	o.all = append(o.all, m)
	switch {
	case o.spelled != nil:
		o.spelled[text] = m
	case len(o.all) == many:
		o.spelled = map[string]*mention{}
		for _, m := range o.all {
			o.spelled[m.text] = m
		}
	}
	return m
}

// spellings is how many mentions there are.
func (t *target) spellings() int {
	if t.others == nil {
		return 1
	}
	return 1 + len(t.others.all)
}

// each gives the mentions, in the order in which they were met.
func (t *target) each() iter.Seq[*mention] {
	return func(yield func(*mention) bool) {
		if !yield(&t.mention) || t.others == nil {
			return
		}
		for _, m := range t.others.all {
			if !yield(m) {
				return
			}
		}
	}
}

// broken says which rule a text breaks; where, one sees.
func broken(err error) string {
	if e, ok := errors.AsType[*rule.Error](err); ok {
		return e.Rule.Says + " (" + e.Rule.Cite + ")"
	}
	return err.Error()
}

// HostOf is what politeness counts by: the machine, as far as its name tells,
// and not the port.
func HostOf(u anyurl.URL) string {
	if !u.HasHost() || u.Host().Kind() == anyurl.HostEmpty {
		return u.Scheme() + ":" // no machine but this one
	}
	return strings.TrimSuffix(u.Host().String(), ".")
}

// allMet says that no link comes any more, and lets the verdicts go that waited
// for that.
func (r *run) allMet() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.crawls {
		r.met = true
		r.targets = nil // no link comes that could be to one of them
		r.release()
	}
}

// decide gives a target its verdict. The caller holds r.mu.
func (r *run) decide(t *target, verdict Result) {
	t.ms = uint32(min(verdict.MS, math.MaxUint32))
	t.verdict = r.shared(verdict)
	if r.answer != nil {
		r.answer(r.answered(t))
		return
	}
	r.done += t.spellings()
	switch {
	case r.met:
		r.give(t)
	case !t.held:
		t.held = true
		r.held = append(r.held, t)
	}
	if r.checker.Progress != nil {
		r.checker.Progress(r.done, r.known)
	}
}

// shared gives a verdict, without its time, that all targets about which nothing
// more is to be said have in common: most of a long list's.
func (r *run) shared(verdict Result) *Result {
	if r.answer != nil {
		return own(verdict) // a stream keeps none
	}
	verdict.MS = 0
	if verdict.Final != "" || verdict.To != "" || len(verdict.Hops)+len(verdict.Evidence)+len(verdict.Suggestions) > 0 || verdict.Past != nil || verdict.RetryAfter != 0 {
		return own(verdict)
	}
	verdict.At = time.Time{} // the first one's is not the others'
	key := plain{verdict.State, verdict.Status, verdict.Reason, verdict.From}
	if known := r.plain[key]; known != nil {
		return known
	}
	if r.plain == nil {
		r.plain = map[plain]*Result{}
	}
	r.plain[key] = own(verdict)
	return r.plain[key]
}

// own is a verdict on the heap. Where most are shared, theirs must not go there.
func own(verdict Result) *Result { return &verdict }

// A plain is a verdict with which nothing else goes.
type plain struct {
	state  State
	status int
	reason string
	from   string
}

// release emits the verdicts that are held. The caller holds r.mu.
func (r *run) release() {
	for _, t := range r.held {
		if t.verdict == nil {
			continue // it was reopened, and the run interrupted
		}
		r.give(t)
	}
	r.held = nil
}

// give emits a target's results.
func (r *run) give(t *target) {
	for m := range t.each() {
		result := t.result(m)
		r.emit(result)
		*r.summary.of(result.State)++
	}
}

// result is a mention's share of its target's verdict.
func (t *target) result(m *mention) Result {
	result := *t.verdict
	result.URL, result.Sources, result.MS = m.text, m.sources, int64(t.ms)
	if result.To != "" && m.fragment() != "" && !strings.Contains(result.To, "#") {
		result.To += "#" + m.fragment() // as browsers keep it (Fetch Standard, "location URL")
	}
	if good := result.State == Alive || result.State == Moved; good && t.anchors != nil {
		fragment := m.fragment()
		found := t.anchors.look(fragment)
		fragment = readable(fragment)
		switch found {
		case missing:
			result.State, result.Reason = Broken, "the page has no place called #"+fragment
		case unseen:
			result.State, result.Reason = Unsure, "the page does not say what the link leads to; a script may put it there"
		case beyond:
			result.State, result.Reason = Unsure, "the page has no place called #"+fragment+" in its first "+pageSize+", and no more is read of it"
		case without:
			result.State, result.Reason = Unsure, "there is no place called #"+fragment+" in this part of the document; another may have it"
		case foreign:
			if result.Reason != "" {
				break // where it moved to is more
			}
			result.Reason = "what #" + fragment + " means is for a program to say, and was not looked up"
		case unlooked:
			result.State, result.Reason = Unsure, "nothing here looks up places in "+cmp.Or(t.anchors.opaque, "a text")+": #"+fragment
		case perhaps:
			result.State, result.Reason = Unsure, "whether there is a place called #"+fragment+" depends on who shows the page"
		}
	}
	return result
}

// readable is a fragment as people write it: the name of a place, without
// percent-encoding where that holds a text.
func readable(fragment string) string {
	if text := percent.Decode(fragment); utf8.ValidString(text) {
		return text
	}
	return fragment
}

// inSeconds is a time to the millisecond: Seconds itself adds two numbers, and has
// 1.5350000000000001 for 1.535.
func inSeconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond).Milliseconds()) / 1000
}

// tellOfNames tells whoever wants to know that no name resolved.
func (r *run) tellOfNames() {
	if n := &r.names; n.lost > 0 && !n.some.Load() && r.checker.Nameless != nil {
		r.checker.Nameless(n.lost)
	}
}

// close ends the run.
func (r *run) close(start time.Time) Summary {
	r.tellOfNames()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.release()
	r.summary.Links, r.summary.Unique = r.links, r.known
	r.summary.Unchecked = r.known - r.done
	r.summary.Seconds = inSeconds(time.Since(start))
	return r.summary
}
