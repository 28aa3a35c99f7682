package check_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"anyurl"
	"anyurl/check"
)

// stream answers questions of one link each, in a bubble of its own.
func stream(t *testing.T, c *check.Checker, w *world, urls ...string) (answers map[int64]check.Answer, open int) {
	t.Helper()
	answers = map[int64]check.Answer{}
	synctest.Test(t, func(t *testing.T) {
		c.Client = w
		open = c.Stream(t.Context(), func(yield func(check.Question) bool) {
			for i, url := range urls {
				link := check.Link{URL: url, Place: check.Place{Line: i + 1}}
				if strings.HasSuffix(url, "/page") {
					link.Depth = 1
				}
				if !yield(check.Question{ID: int64(i + 1), Links: []check.Link{link}}) {
					return
				}
			}
		}, func(a check.Answer) {
			if _, twice := answers[a.ID]; twice {
				t.Errorf("question %d is answered twice", a.ID)
			}
			answers[a.ID] = a
		})
	})
	return answers, open
}

// TestStream: every question has its answer, with what stands on its page.
func TestStream(t *testing.T) {
	w := &world{
		says:   map[string][]string{"http://a.example/gone": {"404"}, "http://b.example/": {"503", "200"}},
		bodies: map[string]string{"http://a.example/page": `<a href="one">1</a> <a href="http://b.example/two">2</a>`},
	}
	c := &check.Checker{Skip: func(text string, _ anyurl.URL) string {
		if text == "http://skipped.example/" {
			return "so"
		}
		return ""
	}}
	answers, open := stream(t, c, w, "http://a.example/", "http://a.example/gone", "http://b.example/", "http://skipped.example/", "no URL", "http://a.example/page")
	want := map[int64]check.State{1: check.Alive, 2: check.Broken, 3: check.Alive, 4: check.Skipped, 5: check.Broken, 6: check.Alive}
	got := map[int64]check.State{}
	for id, a := range answers {
		got[id] = a.Results[0].State
		if line := a.Results[0].Sources[0].Line; int64(line) != id {
			t.Errorf("question %d stands at line %d", id, line)
		}
	}
	if !maps.Equal(got, want) || open != 0 {
		t.Errorf("%v, %d open, want %v", got, open, want)
	}
	var found []string
	for _, link := range answers[6].Found {
		found = append(found, fmt.Sprint(link.URL, " ", link.Depth, " ", link.Stranger))
	}
	if want := []string{"one 0 false", "http://b.example/two 0 true"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	if slices.Contains(w.asked, "HEAD http://a.example/one") {
		t.Error("what was found was asked for")
	}
}

// TestStreamSpellings: the spellings of one target share its verdict, and the
// page that their fragments need.
func TestStreamSpellings(t *testing.T) {
	w := &world{body: `<p id="here">`}
	var got []string
	c := &check.Checker{Client: w, Fragments: true, Trusting: true}
	c.Stream(context.Background(), slices.Values([]check.Question{{Links: []check.Link{
		{URL: "http://a.example/#here"}, {URL: "http://a.example/#there"}, {URL: "http://a.example/#here"},
	}}}), func(a check.Answer) {
		for _, r := range a.Results {
			got = append(got, fmt.Sprint(r.URL, " ", r.State, " ", len(r.Sources)))
		}
	})
	if want := []string{"http://a.example/#here alive 2", "http://a.example/#there broken 1"}; !slices.Equal(got, want) || len(w.asked) != 1 {
		t.Errorf("%q from %q, want %q", got, w.asked, want)
	}
}

// TestStreamDefer: what a host wants asked much later is handed back, and so is
// what waits for that host; nobody asks it meanwhile.
func TestStreamDefer(t *testing.T) {
	w := &world{says: map[string][]string{"http://a.example/1": {"429 after 30"}, "http://a.example/2": {"429 after 2", "200"}}}
	c := &check.Checker{Defer: 10 * time.Second, PerHost: 1}
	answers, open := stream(t, c, w, "http://a.example/2", "http://b.example/", "http://a.example/1", "http://a.example/3", "http://a.example/4")
	if open != 0 || len(answers) != 5 {
		t.Fatalf("%d answers, %d open", len(answers), open)
	}
	for id, later := range map[int64]bool{1: false, 2: false, 3: true} {
		if got := answers[id].Later >= 10*time.Second; got != later {
			t.Errorf("question %d comes in %v", id, answers[id].Later)
		}
	}
	asked := strings.Join(w.asked, " ")
	for id := int64(4); id <= 5; id++ {
		if later := answers[id].Later; later == 0 && !strings.Contains(asked, fmt.Sprint("a.example/", id-1)) || later != 0 && len(answers[id].Results) != 0 {
			t.Errorf("question %d: %+v", id, answers[id])
		}
	}
}

// TestStreamWindow: no more questions are taken than there is room for.
func TestStreamWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken, answered, most atomic.Int64 // links are taken and answers given by several goroutines
		c := &check.Checker{Client: &world{slow: time.Second}, Window: 7, Workers: 3}
		c.Stream(t.Context(), func(yield func(check.Question) bool) {
			for i := range 100 {
				taken.Add(1)
				synctest.Wait()
				most.Store(max(most.Load(), taken.Load()-answered.Load()))
				if !yield(check.Question{Links: []check.Link{{URL: fmt.Sprintf("http://h%d.example/", i)}}}) {
					return
				}
			}
		}, func(check.Answer) { answered.Add(1) })
		if answered.Load() != 100 || most.Load() > 8 {
			t.Errorf("%d answered, %d taken at once", answered.Load(), most.Load())
		}
	})
}

// TestStreamEnds: interrupted, a stream tells what is open.
func TestStreamEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{cancel: cancel, after: 5}
	c := &check.Checker{Client: w, Workers: 1}
	answered, taken := 0, 0
	open := c.Stream(ctx, func(yield func(check.Question) bool) {
		for i := 0; ; i++ {
			taken++
			if !yield(check.Question{Links: []check.Link{{URL: fmt.Sprintf("http://h%d.example/", i)}}}) {
				return
			}
		}
	}, func(check.Answer) { answered++ })
	if answered > 5 || answered+open < 5 || answered+open > taken {
		t.Errorf("%d answered, %d open of %d", answered, open, taken)
	}
}
