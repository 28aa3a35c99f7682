// Package audit warns of what a URL may do before anything is opened: what the
// security sections of the founding documents say, and what thirty years of
// attacks have added.
//
// Start with [Inspect], which takes a string as it was found. Every finding has
// a code, a severity, the stretch of the input that it speaks of, a sentence
// and a citation; [Codes] explains them all. The package makes no request: what
// only a resolver or a server can tell is reported by those who asked, through
// [ResolvesInternal], [Redirect] and their like.
package audit

import (
	"errors"
	"slices"

	"anyurl"
	"anyurl/internal/quote"
	"anyurl/rule"
)

// Severity is how much a finding matters.
type Severity uint8

// The severities, the least first.
const (
	Info    Severity = iota // good to know
	Notice                  // worth a look
	Warning                 // often an attack or a leak
	Danger                  // hardly ever meant well
)

var severities = [...]string{"info", "notice", "warning", "danger"}

// String gives "info", "notice", "warning" or "danger".
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return "unknown"
}

// MarshalText gives [Severity.String].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText takes what MarshalText gives.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severities[:], string(text))
	if i < 0 {
		return errors.New("severity is info, notice, warning or danger")
	}
	*s = Severity(i)
	return nil
}

// A Finding is one thing to know about a URL.
type Finding struct {
	// Code names the kind of finding; [Lookup] explains it.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Start and End are byte offsets into the input: 0 <= Start <= End <=
	// len(input). They are equal where something is missing.
	Start int `json:"start"`
	End   int `json:"end"`
	// Says is what is the matter: lower case, no full stop, safe to show.
	Says string `json:"says"`
	// Fix is what to do about it.
	Fix string `json:"fix,omitempty"`
	// Cite says where that is written.
	Cite string `json:"cite"`
	// Blocks tells that a guarded fetch refuses the URL for it.
	Blocks bool `json:"-"`
}

// A Verdict sums up findings.
type Verdict uint8

// The verdicts, the mildest first.
const (
	Allow  Verdict = iota // nothing at Notice or above
	Flag                  // may be fetched; something at Notice or above
	Block                 // a guarded fetch refuses it
	Reject                // the URL Standard does not take it
)

var verdicts = [...]string{"allow", "flag", "block", "reject"}

// String gives "allow", "flag", "block" or "reject".
func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v]
	}
	return "unknown"
}

// MarshalText gives [Verdict.String].
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Judge sums up the findings about a URL that the URL Standard takes.
func Judge(findings []Finding) Verdict {
	v := Allow
	for i := range findings {
		switch {
		case findings[i].Blocks:
			return Block
		case findings[i].Severity >= Notice:
			v = Flag
		}
	}
	return v
}

// A Report is what there is to say about one input.
type Report struct {
	// Input is what was inspected, untouched. It may hold a password.
	Input string
	// URL is the URL Standard's reading, zero when that is a failure.
	URL anyurl.URL
	// Err is why there is no reading, a *rule.Error, or nil.
	Err error
	// Findings are in the order of where they stand.
	Findings []Finding
	Verdict  Verdict
}

// Worst gives the highest severity among the findings, and false if there are
// none.
func (r Report) Worst() (worst Severity, ok bool) {
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst, len(r.Findings) > 0
}

// Inspect reports on a string that is to be a URL, as it was found: the
// findings about spaces, backslashes and hosts in disguise are about the string
// and are gone once it is parsed. Its time is linear in the length of input.
func Inspect(input string) Report {
	return inspect(input, anyurl.URL{})
}

// InspectRef reports on a reference that is to be resolved against base.
// Base itself is not inspected.
func InspectRef(ref string, base anyurl.URL) Report {
	return inspect(ref, base)
}

// InspectURL reports on a URL that is parsed already. Offsets are into its
// serialisation, u.String().
func InspectURL(u anyurl.URL) []Finding {
	if u.IsZero() {
		return nil
	}
	p := pass{in: u.String(), url: u}
	p.run()
	return p.found
}

func inspect(input string, base anyurl.URL) Report {
	p := pass{in: input, base: base, ref: !base.IsZero()}
	var err error
	if p.ref {
		p.url, err = anyurl.ParseRef(input, base)
	} else {
		p.url, err = anyurl.Parse(input)
	}
	if err != nil {
		p.url = anyurl.URL{}
		var ok bool
		if p.fault, ok = errors.AsType[*rule.Error](err); !ok {
			p.fault = &rule.Error{Input: input}
		}
	}
	p.run()
	r := Report{Input: input, URL: p.url, Err: err, Findings: p.found, Verdict: Judge(p.found)}
	if err != nil {
		r.Verdict = Reject
	}
	return r
}

// A Refusal is the error of a gate.
type Refusal struct {
	URL     anyurl.URL // what was refused
	Finding Finding    // the most serious of those that the gate refuses
}

// Error names the finding. It holds no part of the URL but a host.
func (e *Refusal) Error() string {
	return e.Finding.Says + " [" + e.Finding.Code + "]"
}

// Code is the finding's code.
func (e *Refusal) Code() string { return e.Finding.Code }

// Gate returns a function that refuses, with a *Refusal, every URL that has a
// finding of at least the given severity, or one that a guarded fetch refuses.
// It is for fetch, which asks it before the first hop and before every next.
func Gate(level Severity) func(anyurl.URL) error {
	return func(u anyurl.URL) error {
		return refuse(u, func(f *Finding) bool { return f.Blocks || f.Severity >= level })
	}
}

// Guard refuses, with a *Refusal, what has the verdict [Block]: it lets through
// what is only suspicious. It is the gate of the gateway.
func Guard(u anyurl.URL) error {
	return refuse(u, func(f *Finding) bool { return f.Blocks })
}

func refuse(u anyurl.URL, refused func(*Finding) bool) error {
	if u.IsZero() {
		return errors.New("there is no URL")
	}
	var worst *Finding
	found := InspectURL(u)
	for i := range found {
		f := &found[i]
		if refused(f) && (worst == nil || f.Severity > worst.Severity) {
			worst = f
		}
	}
	if worst == nil {
		return nil
	}
	return &Refusal{URL: u, Finding: *worst}
}

// A pass is one inspection.
type pass struct {
	in    string
	base  anyurl.URL
	ref   bool
	url   anyurl.URL  // zero when fault is set
	fault *rule.Error // why the URL Standard does not take in

	parts
	facts    named      // about the scheme
	origin   anyurl.URL // scheme and host of url, once asked for
	numbered bool       // numberAt is known
	numberAt []int      // see numbers

	seen  class // which kinds of bytes there are
	found []Finding
	have  [2]uint64 // the codes in found
}

func (p *pass) run() {
	p.seen = classes(p.in)
	p.split()
	p.facts = lookUp(p.name)
	if p.seen&(tabOrNewline|control|space|high|backslashes|unsafes) != 0 {
		p.raw()
	}
	if p.seen&percentSign != 0 {
		p.escapes()
	}
	p.inspectScheme()
	p.inspectAuthority()
	p.inspectPath()
	p.inspectQuery()
	p.inspectFragment()
	if p.seen&high != 0 {
		p.inspectOrder()
	}
	p.compare()
	p.reference()
	if p.fault != nil {
		p.refused()
	} else if p.facts.read != nil {
		p.inspectReading()
	}
	if len(p.in) > MaxLength {
		p.add(tooLong, MaxLength, len(p.in))
	}
	if len(p.found) > 1 {
		slices.SortStableFunc(p.found, func(a, b Finding) int {
			if a.Start != b.Start {
				return a.Start - b.Start
			}
			return int(b.Severity) - int(a.Severity)
		})
	}
}

// add reports c for a stretch of the input, once for each code: the first
// place is told, so that a hostile input cannot make a report of any length.
func (p *pass) add(c code, start, end int) *Finding {
	bit := uint64(1) << (c & 63)
	if p.have[c>>6]&bit != 0 {
		return nil
	}
	p.have[c>>6] |= bit
	if p.found == nil {
		p.found = make([]Finding, 0, 4)
	}
	p.found = append(p.found, newFinding(c, start, end))
	return &p.found[len(p.found)-1]
}

// say reports c in words of its own.
func (p *pass) say(c code, start, end int, says string) {
	if f := p.add(c, start, end); f != nil {
		f.Says = says
	}
}

func (p *pass) has(c code) bool { return p.have[c>>6]>>(c&63)&1 != 0 }

// newFinding makes a finding as the table has it.
func newFinding(c code, start, end int) Finding {
	t := &table[c]
	return Finding{Code: t.Code, Severity: t.Severity, Start: start, End: max(start, end),
		Says: t.Says, Fix: t.Fix, Cite: t.Cite, Blocks: t.Blocks}
}

// shown quotes a part of a URL for a sentence, cut to a length that fits one.
func shown(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		return `"` + quote.Text(s[:cut]) + `…"`
	}
	return `"` + quote.Text(s) + `"`
}
