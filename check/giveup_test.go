package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"anyurl/check"
)

// TestHostsThatAreGivenUp: a host that says nothing but that it is asked too
// much, or nothing at all, is asked a bounded number of times, and the rest of
// its links soon have a verdict; one that answers in between is asked for all.
func TestHostsThatAreGivenUp(t *testing.T) {
	const all = 1000
	says := func(say ...string) func(i int) []string { return func(int) []string { return say } }
	for _, tt := range []struct {
		name   string
		says   func(i int) []string
		asked  int           // at most
		within time.Duration // of the host
		alive  int
		reason string // of all that is not alive
	}{
		{"429 for ever", says("429"), 40, 3 * time.Minute, 0, "asked less often"},
		{"429 for ever, with a wait", says("429 after 10"), 40, 3 * time.Minute, 0, "asked less often"},
		{"429 for ever, with a wait of an hour", says("429 after 3600"), 20, time.Second, 0, "asked less often"},
		{"503 for ever, with a wait", says("503 after 30"), 40, 4 * time.Minute, 0, "the host wants to be asked less often|out of order"},
		{"no answer for ever", says("timeout"), 140, 10 * time.Minute, 0, "no answer to the last 8 questions|within the time limit"},
		{"429 once each", says("429", "200"), 2 * all, time.Hour, all, ""},
		{"no answer once each", says("timeout", "200"), 2 * all, 2 * time.Hour, all, ""},
		{"429 for every tenth", func(i int) []string {
			if i%10 == 0 {
				return []string{"429"}
			}
			return []string{"200"}
		}, 2 * all, time.Hour, all - all/10, "asked less often"},
	} {
		w := &world{says: map[string][]string{}, slow: 10 * time.Millisecond}
		if strings.HasPrefix(tt.name, "no answer") {
			w.slow = 30 * time.Second
		}
		urls := many("a.example", all)
		for i, u := range urls {
			w.says[u] = tt.says(i)
		}
		results, summary := run(t, &check.Checker{}, w, append(urls, "http://b.example/")...)
		if summary.Alive != tt.alive+1 || summary.Unsure != all-tt.alive || summary.Unchecked != 0 {
			t.Errorf("%s: %+v", tt.name, summary)
		}
		asked := 0
		for _, key := range w.asked {
			if strings.Contains(key, "a.example") {
				asked++
			}
		}
		if took := w.when[len(w.when)-1].Sub(w.when[0]); asked > tt.asked || took > tt.within {
			t.Errorf("%s: asked %d times within %v, want at most %d within %v", tt.name, asked, took, tt.asked, tt.within)
		}
		for _, r := range results {
			said := r.State == check.Alive
			for reason := range strings.SplitSeq(tt.reason, "|") {
				said = said || strings.Contains(r.Reason, reason)
			}
			if !said {
				t.Errorf("%s: %s: %q", tt.name, r.URL, r.Reason)
				break
			}
		}
	}
}

// TestGivenUpForAWhile: what comes later for a host that was given up is asked
// again: a stream may go on for days.
func TestGivenUpForAWhile(t *testing.T) {
	w := &world{says: map[string][]string{}}
	urls := many("a.example", 30)
	for _, u := range urls {
		w.says[u] = []string{"429 after 3600"}
	}
	c := &check.Checker{Patience: time.Second}
	results, _ := run(t, c, w, urls...)
	if len(results) != 30 {
		t.Fatalf("%d results", len(results))
	}
	late := 0
	for _, r := range results {
		if r.From == "rule" {
			late++
			if r.State != check.Unsure || !strings.Contains(r.Reason, "was not asked for this") {
				t.Errorf("%s: %s, %q", r.URL, r.State, r.Reason)
			}
		}
	}
	if late < 10 || late+len(w.asked) < 30 {
		t.Errorf("%d were asked, %d not: %s", len(w.asked), late, fmt.Sprint(w.asked))
	}
}
