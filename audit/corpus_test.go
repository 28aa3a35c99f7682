package audit_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/audit"
	"anyurl/find"
)

// A sample is a line of the attack corpus; attack-urls.md beside it explains
// the fields.
type sample struct {
	ID        string
	Kind      string
	Class     string
	Input     string
	Base      string
	Recipe    []json.RawMessage
	Verb      string
	Agree     string
	Verdict   string
	Findings  []string
	Optional  []string `json:"findings_optional"`
	Absent    []string `json:"findings_absent"`
	Found     []string
	Also      []json.RawMessage `json:"found_also_accepted"`
	DNS       map[string][][]string
	May       []string
	Steps     map[string][2]any
	Rationale string
}

const corpus = "../../shared/data/attack-urls.jsonl"

func samples(t testing.TB) []sample {
	f, err := os.Open(corpus)
	if err != nil {
		t.Skip("the attack corpus is not here: ", err)
	}
	defer f.Close()
	var all []sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		if s.Kind == "recipe" {
			s.Input = cook(t, s.Recipe)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// cook builds a recipe's input: strings, and strings with a count.
func cook(t testing.TB, recipe []json.RawMessage) string {
	var b strings.Builder
	for _, step := range recipe {
		var text string
		if json.Unmarshal(step, &text) == nil {
			b.WriteString(text)
			continue
		}
		var pair [2]any
		if err := json.Unmarshal(step, &pair); err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Repeat(pair[0].(string), int(pair[1].(float64))))
	}
	return b.String()
}

// TestCorpus holds every verdict and finding of the attack corpus, and reports
// the score by class. What a resolver, a server and a text show is told to
// audit here as check and the command tell it.
func TestCorpus(t *testing.T) {
	type score struct{ right, all int }
	scores := map[string]*score{}
	for _, s := range samples(t) {
		var report audit.Report
		switch {
		case s.Kind == "url", s.Kind == "recipe" && s.Verb != "find":
			report = audit.Inspect(s.Input)
		case s.Kind == "resolve":
			report = audit.InspectRef(s.Input, anyurl.MustParse(s.Base))
		case s.Kind == "dns":
			report = s.resolved()
		case s.Kind == "redirect" && len(s.Findings) > 0:
			report = s.followed(t)
		case s.Kind == "text":
			if found := s.found(); !slices.Equal(found, s.Found) && len(s.Also) == 0 {
				t.Logf("%s is left out: find gives %q", s.ID, found)
				continue
			}
			report = s.searched()
		default:
			continue
		}
		if scores[s.Class] == nil {
			scores[s.Class] = &score{}
		}
		scores[s.Class].all++
		faults := s.faults(report)
		if len(faults) == 0 {
			scores[s.Class].right++
		}
		for _, fault := range faults {
			t.Errorf("%s %.80q: %s (%s)", s.ID, s.Input, fault, s.Rationale)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(scores)) {
		t.Logf("%-20s %3d of %3d", class, scores[class].right, scores[class].all)
	}
}

// resolved adds what the first answer of the resolver tells.
func (s sample) resolved() audit.Report {
	r := audit.Inspect(s.Input)
	answer := s.DNS[r.URL.Host().String()]
	if len(answer) == 0 || len(answer[0]) == 0 {
		f, _ := audit.At("no-address", s.Input)
		r.Findings = append(r.Findings, f)
	} else if len(s.May) == 0 { // with a public address in the answer, the dialer takes that one
		for _, a := range answer[0] {
			if f, ok := audit.ResolvesInternal(r.URL, netip.MustParseAddr(a)); ok {
				r.Findings = append(r.Findings, f)
			}
		}
	}
	r.Verdict = audit.Judge(r.Findings)
	return r
}

// followed goes from step to step as fetch does.
func (s sample) followed(t *testing.T) audit.Report {
	r := audit.Inspect(s.Input)
	at, seen := r.URL, map[anyurl.URL]bool{}
	tell := func(f ...audit.Finding) {
		for _, f := range f {
			f.Start, f.End = 0, 0 // it speaks of another text
			r.Findings = append(r.Findings, f)
		}
	}
	code := func(name string) {
		f, ok := audit.At(name, s.Input)
		if !ok {
			t.Fatalf("no code %s", name)
		}
		tell(f)
	}
	for hops := 0; ; hops++ {
		step, ok := s.Steps[at.String()]
		status, _ := step[0].(float64)
		if !ok || status < 300 || status > 399 || status == 304 {
			break
		}
		location, ok := step[1].(string)
		if !ok {
			code("redirect-no-location")
			break
		}
		if seen[at] {
			code("redirect-loop")
			break
		}
		if seen[at] = true; hops == 10 {
			code("too-many-redirects")
			break
		}
		to, err := at.Resolve(location)
		if err != nil {
			t.Fatal(err)
		}
		tell(audit.Redirect(at, to, location)...)
		tell(audit.InspectURL(to)...)
		if audit.Judge(r.Findings) == audit.Block {
			break
		}
		at = to
	}
	r.Verdict = audit.Judge(r.Findings)
	return r
}

func (s sample) found() (urls []string) {
	for m := range find.Text(s.Input, find.Options{}) {
		urls = append(urls, m.URL)
	}
	return urls
}

// searched inspects every URL found in a text, and the text around them.
func (s sample) searched() audit.Report {
	var r audit.Report
	for m := range find.Text(s.Input, find.Options{}) {
		one := audit.Inspect(m.URL)
		if m.Hyphen {
			f, _ := audit.At("hyphen-at-break", m.URL)
			one.Findings = append(one.Findings, f)
			one.Verdict = max(one.Verdict, audit.Flag)
		}
		r.Findings, r.Verdict = append(r.Findings, one.Findings...), max(r.Verdict, one.Verdict)
	}
	w := audit.Watch{Report: func(s audit.Sighting) {
		r.Findings, r.Verdict = append(r.Findings, s.Finding), max(r.Verdict, audit.Flag)
	}}
	w.Write([]byte(s.Input))
	w.Close()
	return r
}

func (s sample) faults(r audit.Report) (faults []string) {
	if r.Verdict.String() != s.Verdict {
		faults = append(faults, fmt.Sprintf("verdict %s, want %s: %s", r.Verdict, s.Verdict, codes(r.Findings)))
	}
	for _, want := range s.Findings {
		if !slices.Contains(codes(r.Findings), want) {
			faults = append(faults, "no "+want)
		}
	}
	for _, not := range s.Absent {
		if slices.Contains(codes(r.Findings), not) {
			faults = append(faults, not+" is reported")
		}
	}
	if s.Verdict == "allow" {
		for _, f := range r.Findings {
			if f.Severity >= audit.Notice && !slices.Contains(s.Findings, f.Code) && !slices.Contains(s.Optional, f.Code) {
				faults = append(faults, "false alarm: "+f.Code)
			}
		}
	}
	agree := "same-host"
	has := func(code string) bool { return slices.Contains(codes(r.Findings), code) }
	switch {
	case r.Err != nil && has("not-whatwg"):
		agree = "only-rfc3986"
	case r.Err != nil:
		agree = "neither"
	case has("not-rfc3986"):
		agree = "only-whatwg"
	case has("host-differs"):
		agree = "host-differs"
	}
	if (s.Kind == "url" || s.Kind == "resolve") && agree != s.Agree {
		faults = append(faults, "the readings are "+agree+", want "+s.Agree)
	}
	for _, f := range r.Findings {
		if f.Start < 0 || f.End < f.Start || f.End > len(s.Input) {
			faults = append(faults, fmt.Sprintf("%s stands at [%d, %d) of %d bytes", f.Code, f.Start, f.End, len(s.Input)))
		}
	}
	return faults
}
