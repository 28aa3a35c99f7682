package frontier_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"anyurl"
	"anyurl/check"
	"anyurl/check/frontier"
	"anyurl/fetch"
	"anyurl/internal/peer"
)

// A web answers what ends in "gone" with 404, and pages from a map; one that is
// another's URL leads there.
type web struct {
	pages map[string]string
	mu    sync.Mutex
	asked map[string]int
	after int // requests after which stop is called
	stop  func()
	most  int // where not 0, requests that are answered before the end; others wait for that
}

func (w *web) Do(ctx context.Context, req *fetch.Request) (*fetch.Result, error) {
	url := req.URL.String()
	w.mu.Lock()
	if w.asked == nil {
		w.asked = map[string]int{}
	}
	w.asked[url]++
	w.after--
	if w.after == 0 && w.stop != nil {
		w.stop()
	}
	late := w.most > 0 && len(w.asked) > w.most
	w.mu.Unlock()
	if late {
		<-ctx.Done()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	answer := &fetch.Response{URL: req.URL, Protocol: "HTTP/1.1", Status: 200, Type: "text/html", Body: io.NopCloser(strings.NewReader(w.pages[url]))}
	if to, err := anyurl.Parse(w.pages[url]); err == nil {
		answer.URL, answer.Body = to, io.NopCloser(strings.NewReader(w.pages[to.String()]))
		return &fetch.Result{Response: answer, Hops: []fetch.Hop{{URL: url, Status: 301, Location: to.String(), Permanent: true}, {URL: to.String(), Status: 200}}}, nil
	}
	if strings.HasSuffix(url, "gone") || strings.HasSuffix(url, "robots.txt") {
		answer.Status = 404
	}
	return &fetch.Result{Response: answer}, nil
}

func open(t testing.TB, file string) *frontier.Frontier {
	t.Helper()
	f, err := frontier.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func begin(t testing.TB, f *frontier.Frontier, name string) frontier.Job {
	t.Helper()
	job, err := f.Begin(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// list is n links on some hosts, with doubles, texts that are no URLs, and
// fragments.
func list(n int) iter.Seq[check.Link] {
	return func(yield func(check.Link) bool) {
		for i := range n {
			at := check.Place{Source: fmt.Sprintf("%d.md", i%7), Line: i/7 + 1, Col: 3, Start: i, End: i + 9}
			url := fmt.Sprintf("http://h%d.example/%d", i%97, i%1013)
			switch {
			case i%11 == 0:
				url += "gone"
			case i%13 == 0:
				url += "#here"
			case i%17 == 0:
				url += "#there"
			case i%101 == 0:
				url = "http://[" + fmt.Sprint(i%3)
			}
			link := check.Link{URL: url, Place: at}
			if i%103 == 0 {
				link.Skip = "so"
			}
			if !yield(link) {
				return
			}
		}
	}
}

// site is pages that lead to each other, and with fragments into each other.
func site(n int) map[string]string {
	pages := map[string]string{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, `<p id="here"><a href="/%d">x</a> <a href="/%d">y</a> <a href="/%d#here">z</a> <a href="/%d#there">z</a> <a href="/%dgone">g</a> <a href="http://other.example/%d">o</a>`,
			(2*i+1)%n, (2*i+2)%n, (i+5)%n, (i*3)%n, i, i%10)
		pages[fmt.Sprintf("http://a.example/%d", i)] = b.String()
	}
	return pages
}

// story is what matters of results, sorted.
func story(results []check.Result) (lines []string) {
	for _, r := range results {
		places := slices.Clone(r.Sources)
		slices.SortFunc(places, func(a, b check.Place) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Start, b.Start))
		})
		lines = append(lines, fmt.Sprint(r.URL, " ", r.State, " ", r.Status, " ", r.Reason, " ", r.Evidence, " ", places))
	}
	slices.Sort(lines)
	return lines
}

// differ shows the first difference.
func differ(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		a, b := "", ""
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			t.Fatalf("%d results, want %d; number %d is\n%s, want\n%s", len(got), len(want), i, a, b)
		}
	}
}

// TestAsInMemory: a check on disk comes to what a check in memory comes to.
func TestAsInMemory(t *testing.T) {
	deep := func(yield func(check.Link) bool) {
		yield(check.Link{URL: "http://a.example/0", Depth: 30, Place: check.Place{Source: "-", Line: 1}})
	}
	for _, tt := range []struct {
		name      string
		links     iter.Seq[check.Link]
		fragments bool
		pages     map[string]string
		window    int
	}{
		{"a list", list(5000), false, nil, 0},
		{"a list through a small window", list(5000), false, nil, 10},
		{"a list with fragments", list(5000), true, map[string]string{"http://h13.example/13": `<p id="here">`}, 0},
		{"a site", deep, false, site(500), 0},
		{"a site with fragments", deep, true, site(300), 64},
		{"a site that begins elsewhere", deep, false, map[string]string{
			"http://a.example/0": "http://b.example/home", "http://b.example/home": `<a href="/1gone">x</a> <a href="/out">x</a>`,
			"http://b.example/out": "http://c.example/in", "http://c.example/in": `<a href="/no">x</a>`,
		}, 0},
		{"nothing", list(0), false, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want, got []check.Result
			memory := &check.Checker{Trusting: true, Client: &web{pages: tt.pages}, Fragments: tt.fragments}
			wanted := memory.Run(context.Background(), tt.links, func(r check.Result) { want = append(want, r) })
			w := &web{pages: tt.pages}
			f := open(t, filepath.Join(t.TempDir(), "state.db"))
			f.Fragments, f.Window = tt.fragments, tt.window
			disk := &check.Checker{Trusting: true, Client: w, Fragments: tt.fragments, Window: tt.window}
			summary := f.Run(context.Background(), begin(t, f, "x"), disk, tt.links, func(r check.Result) { got = append(got, r) })
			differ(t, story(got), story(want))
			wanted.Seconds, summary.Seconds = 0, 0
			if fmt.Sprint(summary) != fmt.Sprint(wanted) {
				t.Errorf("%+v, want %+v", summary, wanted)
			}
			for url, n := range w.asked {
				most := 1
				if strings.HasSuffix(url, "gone") {
					most = 2 // HEAD, then GET
				}
				if tt.fragments {
					most++ // once more for places that were only met when it had been read
				}
				if n > most {
					t.Errorf("%s was asked for %d times", url, n)
				}
			}
			if job := begin(t, f, "x"); !job.Resumed || job.Answered != job.Targets { // whose report may be lost
				t.Errorf("before the end: %+v", job)
			}
			if err := f.End(context.Background()); err != nil {
				t.Error(err)
			}
			if job := begin(t, f, "another"); job.Resumed || job.Targets != 0 {
				t.Errorf("behind a finished job: %+v", job)
			}
		})
	}
}

// TestPlaceIsNoQuestion: a page is not asked for again because a fragment that
// was looked up in it stands in another place, too.
func TestPlaceIsNoQuestion(t *testing.T) {
	w := &web{pages: map[string]string{
		"http://a.example/0": `<a href="/1#here">1</a>`,
		"http://a.example/1": `<p id="here"><a href="/2#here">2</a>`,
		"http://a.example/2": `<p id="here"><a href="/1#here">1</a> <a href="/3#here">3</a>`,
		"http://a.example/3": `<p id="here"><a href="/1#here">1</a>`,
	}}
	links := []check.Link{{URL: "http://a.example/0", Depth: 4, Place: check.Place{Source: "-", Line: 1}}}
	f := open(t, filepath.Join(t.TempDir(), "state.db"))
	f.Fragments = true
	places := 0
	f.Run(context.Background(), begin(t, f, "x"), &check.Checker{Trusting: true, Client: w, Fragments: true}, slices.Values(links), func(r check.Result) {
		if r.URL == "http://a.example/1#here" {
			places = len(r.Sources)
		}
	})
	if places != 3 {
		t.Errorf("the fragment stands in %d places, want 3", places)
	}
	for i := range 4 {
		if url := fmt.Sprintf("http://a.example/%d", i); w.asked[url] != 1 {
			t.Errorf("%s was asked for %d times", url, w.asked[url])
		}
	}
}

// TestResume: interrupted again and again, a check goes on where it was, and in
// the end comes to what it would have come to at once.
func TestResume(t *testing.T) {
	for _, depth := range []int{0, 20} {
		links := list(1500)
		pages := site(200)
		if depth > 0 {
			links = func(yield func(check.Link) bool) {
				yield(check.Link{URL: "http://a.example/0", Depth: depth, Place: check.Place{Source: "-", Line: 1}})
			}
		}
		var want []check.Result
		memory := &check.Checker{Trusting: true, Client: &web{pages: pages}}
		memory.Run(context.Background(), links, func(r check.Result) { want = append(want, r) })
		file := filepath.Join(t.TempDir(), "state.db")
		w := &web{pages: pages}
		var got []check.Result
		rounds := 0
		for done := false; !done; rounds++ {
			if rounds > 100 {
				t.Fatal("it never comes to an end")
			}
			ctx, stop := context.WithCancel(context.Background())
			w.after, w.stop = 150, stop
			f := open(t, file)
			job := begin(t, f, "x")
			if job.Resumed != (rounds > 0) {
				t.Fatalf("round %d: %+v", rounds, job)
			}
			got = nil
			summary := f.Run(ctx, job, &check.Checker{Trusting: true, Client: w, Workers: 8}, links, func(r check.Result) { got = append(got, r) })
			if len(summary.Faults) > 0 {
				t.Fatal(summary.Faults)
			}
			done = ctx.Err() == nil
			if !done && summary.Unchecked == 0 && job.Read {
				t.Logf("round %d ended with all answers", rounds)
			}
			stop()
			f.Close()
		}
		differ(t, story(got), story(want))
		again := 0
		for url, n := range w.asked {
			if most := 1 + strings.Count(url, "gone"); n > most {
				again += n - most
			}
		}
		// Eight at once are asked when the end comes.
		if rounds < 3 || again > 8*rounds*2 {
			t.Errorf("in %d rounds %d URLs were asked for again", rounds, again)
		}
	}
}

// TestOther: the file of one job is not taken for another's.
func TestOther(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "state.db"))
	begin(t, f, "one")
	if _, err := f.Begin(context.Background(), "two"); !errors.Is(err, frontier.ErrOther) {
		t.Errorf("another job: %v", err)
	}
	if job := begin(t, f, "one"); !job.Resumed || job.Read {
		t.Errorf("the same: %+v", job)
	}
}

// TestChanged: a job that goes on neither misses links that are new nor reports
// those that are gone, wherever its first run ended.
func TestChanged(t *testing.T) {
	all := slices.Collect(list(1500))
	more := check.Link{URL: "http://new.example/gone", Place: check.Place{Source: "new.md", Line: 1}}
	moved := slices.Clone(all)
	moved[3].Place.Start++
	for name, links := range map[string][]check.Link{
		"one more at the end": append(slices.Clone(all), more), "one more at the beginning": append([]check.Link{more}, all...),
		"one less": all[:len(all)-1], "one elsewhere": moved, "none": nil,
	} {
		for _, read := range []bool{false, true} {
			file := filepath.Join(t.TempDir(), "state.db")
			f := open(t, file)
			ctx, stop := context.WithCancel(context.Background())
			first, emit := slices.Values(all), func(check.Result) {}
			w := &web{}
			if read {
				// No result comes before it is written that the last link has been read.
				w.most, emit = 100, func(check.Result) { stop() }
			} else { // the end comes while links are read
				w.after, w.stop = 100, stop
				first = func(yield func(check.Link) bool) {
					for i, link := range all {
						if i == 1000 {
							<-ctx.Done()
						}
						if !yield(link) {
							return
						}
					}
				}
			}
			f.Run(ctx, begin(t, f, "x"), &check.Checker{Trusting: true, Client: w}, first, emit)
			stop()
			f.Close()
			f = open(t, file)
			job := begin(t, f, "x")
			if !job.Resumed || job.Read != read {
				t.Fatalf("%+v, all read %t", job, read)
			}
			var got []check.Result
			summary := f.Run(context.Background(), job, &check.Checker{Trusting: true, Client: &web{}}, slices.Values(links), func(r check.Result) { got = append(got, r) })
			f.Close()
			if name == "one more at the end" && !read {
				if len(summary.Faults) > 0 || !slices.ContainsFunc(got, func(r check.Result) bool { return r.URL == more.URL }) {
					t.Errorf("%s: it is not seen: %q", name, summary.Faults)
				}
				continue // no link was read before that was not read again
			}
			if name == "one less" && !read {
				continue // it had not been read
			}
			if len(got) != 0 || len(summary.Faults) != 1 || !strings.HasPrefix(summary.Faults[0], frontier.ErrChanged.Error()) {
				t.Errorf("%s, all read %t: %d results, faults %q", name, read, len(got), summary.Faults)
			}
		}
	}
}

// TestAlone: a file serves one check at a time, and is its owner's alone; what
// is finished leaves no password in it.
func TestAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.db")
	f := open(t, file)
	if _, err := frontier.Open(context.Background(), file); !errors.Is(err, frontier.ErrInUse) {
		t.Errorf("a second one: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	links := []check.Link{{URL: "http://me:sesame@h.example/1", Place: check.Place{Source: "-", Line: 1}}}
	summary := f.Run(context.Background(), begin(t, f, "check http://me:sesame@h.example/1"), &check.Checker{Trusting: true, Client: &web{}}, slices.Values(links), func(check.Result) {})
	if err := f.End(context.Background()); err != nil || len(summary.Faults) > 0 || summary.Alive != 1 {
		t.Errorf("%v, %+v", err, summary)
	}
	f.Close()
	files, err := filepath.Glob(file + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(data), "sesame") {
			t.Errorf("%s has the password (%v)", name, err)
		}
	}
	open(t, file).Close()
}

// TestFullDisk: a file that cannot be written any more goes on in memory. All is
// asked for and reported once, and a sentence tells of it.
func TestFullDisk(t *testing.T) {
	dir := peer.SmallDisk(t, 6<<20)
	f := open(t, filepath.Join(dir, "state.db"))
	const all = 40_000
	got := map[string]int{}
	summary := f.Run(context.Background(), begin(t, f, "x"), &check.Checker{Trusting: true, Client: &web{}}, func(yield func(check.Link) bool) {
		for i := range all {
			if !yield(check.Link{URL: fmt.Sprintf("http://h%d.example/%d", i%100, i)}) {
				return
			}
		}
	}, func(r check.Result) { got[r.URL]++ })
	if len(summary.Faults) != 1 || !strings.Contains(summary.Faults[0], "full") || !strings.Contains(summary.Faults[0], "in memory") || f.Err() != nil {
		t.Errorf("faults: %q, %v", summary.Faults, f.Err())
	}
	if len(got) != all || summary.Alive != all || summary.Unique != all || summary.Links != all || summary.Unchecked != 0 {
		t.Errorf("%d results, %+v", len(got), summary)
	}
	for url, n := range got {
		if n != 1 {
			t.Errorf("%s is reported %d times", url, n)
		}
	}
	written := int64(0)
	for _, name := range []string{"state.db", "state.db-wal"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			written += info.Size()
		}
	}
	if written < 1<<20 {
		t.Errorf("%d bytes were written before the disk was full", written)
	}
}

// TestDamaged: what is no state is an error.
func TestDamaged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.db")
	if err := os.WriteFile(file, []byte(strings.Repeat("no database. ", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := frontier.Open(context.Background(), file); err == nil {
		t.Error("no database was opened")
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "frontier")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	f, err := frontier.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	job, err := f.Begin(ctx, "my links")
	if err != nil {
		fmt.Println(err)
		return
	}
	// A real Client would ask the network.
	links := slices.Values([]check.Link{{URL: "http://a.example/"}, {URL: "http://a.example/gone"}})
	summary := f.Run(ctx, job, &check.Checker{Trusting: true, Client: &web{}}, links, func(r check.Result) {
		fmt.Println(r.URL, r.State)
	})
	fmt.Println(summary.Unique, "URLs")
	if err := f.End(ctx); err != nil { // the results are where they were wanted
		fmt.Println(err)
	}
	// Unordered output:
	// http://a.example/ alive
	// http://a.example/gone broken
	// 2 URLs
}
