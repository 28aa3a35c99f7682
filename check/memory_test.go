package check_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"anyurl"
	"anyurl/check"
)

// A notebook is a memory that may fail.
type notebook struct {
	seen map[string]int
	full bool
	lots int
}

func (n *notebook) Remember(_ context.Context, seen []check.Observation) ([]check.Past, error) {
	n.lots++
	if n.full {
		return nil, errors.New("disk is full")
	}
	past := make([]check.Past, len(seen))
	for i, o := range seen {
		n.seen[o.URL]++
		past[i] = check.Past{Seen: n.seen[o.URL], Suggestions: []check.Suggestion{{URL: o.URL + "/new", Why: "so"}}}
	}
	return past, nil
}

// TestRecorder: what was observed is remembered and handed on with its past;
// what a rule or the memory itself decided is handed on alone.
func TestRecorder(t *testing.T) {
	n := &notebook{seen: map[string]int{}}
	got := map[string]check.Result{}
	r := check.NewRecorder(n, func(r check.Result) { got[r.URL] = r })
	const many = 3000
	for i := range many {
		r.Take(check.Result{URL: fmt.Sprint(i), State: check.Broken, From: "network"})
	}
	r.Take(check.Result{URL: "skipped", State: check.Skipped, From: "rule"})
	r.Take(check.Result{URL: "known", State: check.Alive, From: check.FromHistory})
	if fault := r.Close(); fault != "" {
		t.Error(fault)
	}
	if len(got) != many+2 || len(n.seen) != many {
		t.Errorf("%d are handed on, %d remembered", len(got), len(n.seen))
	}
	if r := got["7"]; r.Past == nil || r.Past.Seen != 1 || len(r.Suggestions) != 1 || r.Suggestions[0].URL != "7/new" {
		t.Errorf("the past is %+v, suggested %v", r.Past, r.Suggestions)
	}
	if got["skipped"].Past != nil || got["known"].Past != nil {
		t.Error("what nobody observed has a past")
	}
	if n.lots > many/10 {
		t.Errorf("%d observations took %d transactions", many, n.lots)
	}
}

// TestRecorderFault: a memory that fails stops nothing, is not asked all the
// time, and there is a sentence for the report.
func TestRecorderFault(t *testing.T) {
	n := &notebook{full: true}
	handed := 0
	r := check.NewRecorder(n, func(check.Result) { handed++ })
	const many = 2000
	for i := range many {
		r.Take(check.Result{URL: fmt.Sprint(i), State: check.Alive})
	}
	fault := r.Close()
	if handed != many {
		t.Errorf("%d of %d are handed on", handed, many)
	}
	if want := fmt.Sprintf("lacks %d of %d answers: disk is full", many, many); !strings.Contains(fault, want) {
		t.Errorf("%q lacks %q", fault, want)
	}
}

// TestKnown: what is known is not asked for, each fragment by itself, and its
// places are those of this run.
func TestKnown(t *testing.T) {
	w := &world{}
	past := &check.Past{Seen: 3}
	c := &check.Checker{Client: w, Known: func(u anyurl.URL) (check.Result, bool) {
		known := u.Path() == "/known"
		return check.Result{State: check.Broken, From: check.FromHistory, Past: past}, known
	}}
	got := map[string]check.Result{}
	var links []check.Link
	for i, url := range []string{"http://a.example/known", "http://a.example/known#a", "http://a.example/asked", "http://a.example/known"} {
		links = append(links, check.Link{URL: url, Place: check.Place{Line: i + 1}})
	}
	summary := c.Run(context.Background(), slices.Values(links), func(r check.Result) { got[r.URL] = r })
	if r := got["http://a.example/known"]; r.State != check.Broken || r.From != check.FromHistory || r.Past != past || len(r.Sources) != 2 {
		t.Errorf("%+v", r)
	}
	if r := got["http://a.example/known#a"]; r.State != check.Broken || len(r.Sources) != 1 {
		t.Errorf("with a fragment: %+v", r)
	}
	if r := got["http://a.example/asked"]; r.State != check.Alive || r.From != "network" {
		t.Errorf("what is not known: %+v", r)
	}
	if len(w.asked) != 1 || summary.Broken != 2 || summary.Unique != 3 {
		t.Errorf("asked %q, %+v", w.asked, summary)
	}
}
