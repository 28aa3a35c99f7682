package history_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"anyurl/check"
	"anyurl/check/history"
	"anyurl/internal/peer"
)

// noon is when the tests' first observation is made.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// demands are what a history has to do, in a file and by a server.
func demands() map[string]func(*testing.T, string) {
	return map[string]func(*testing.T, string){"Story": testStory, "Due": testDue, "Suggestions": testSuggestions, "Texts": testTexts, "Together": testTogether, "Trends": testTrends}
}

func TestSQLite(t *testing.T) {
	for name, test := range demands() {
		t.Run(name, func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "a #?%41 history.db")) })
	}
}

func TestPostgres(t *testing.T) {
	dsn := peer.Postgres(t)
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, test := range demands() {
		if _, err := db.Exec("CREATE DATABASE " + name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { test(t, strings.Replace(dsn, "/postgres?", "/"+strings.ToLower(name)+"?", 1)) })
	}
}

func open(t *testing.T, where string) *history.History {
	t.Helper()
	h, err := history.Open(context.Background(), where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// remember has one result observed.
func remember(t *testing.T, h *history.History, at time.Time, r check.Result) check.Past {
	t.Helper()
	past, err := h.Remember(context.Background(), []check.Observation{{Result: r, At: at}})
	if err != nil {
		t.Fatal(err)
	}
	if len(past) != 1 {
		t.Fatalf("one observation has %d pasts", len(past))
	}
	return past[0]
}

// testStory tells a link's life and expects it told again.
func testStory(t *testing.T, where string) {
	h := open(t, where)
	const url = "https://ex.example/page"
	hours := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }
	for _, step := range []struct {
		hour                 int
		state                check.State
		since, good, dueLeft int // hours from noon; the last, how long until it is due at least
		flapping             bool
	}{
		{0, check.Alive, 0, 0, 24, false},
		{24, check.Alive, 0, 24, 48, false},     // stable: half as often
		{72, check.Alive, 0, 72, 96, false},     //
		{168, check.Broken, 168, 72, 6, false},  // broken: sooner
		{174, check.Unsure, -1, 72, 3, false},   // nobody knows; and yet
		{177, check.Broken, 168, 72, 6, false},  // it has been broken all along
		{183, check.Broken, 168, 72, 12, false}, // a broken link that stays so
		{195, check.Moved, 195, 195, 24, false}, // good again, the second change
		{219, check.Broken, 219, 195, 6, true},  // the third one: it comes and goes
	} {
		past := remember(t, h, hours(step.hour), check.Result{URL: url, State: step.state, Status: 200})
		if past.Flapping != step.flapping {
			t.Errorf("hour %d: flapping %t", step.hour, past.Flapping)
		}
		if !past.FirstSeen.Equal(noon) || !past.LastGood.Equal(hours(step.good)) {
			t.Errorf("hour %d: first seen %v, last good %v", step.hour, past.FirstSeen, past.LastGood)
		}
		if want := hours(step.since); step.since >= 0 && !past.Since.Equal(want) || step.since < 0 && !past.Since.IsZero() {
			t.Errorf("hour %d: since %v, want %v", step.hour, past.Since, want)
		}
		least := time.Duration(step.dueLeft) * time.Hour
		if in := past.NextDue.Sub(hours(step.hour)); in < least || in > least+least/10 {
			t.Errorf("hour %d: due in %v, want %v and up to a tenth more", step.hour, in, least)
		}
	}
	seen, err := h.Observations(context.Background(), url)
	if err != nil || len(seen) != 9 {
		t.Fatalf("%d observations, %v", len(seen), err)
	}
	if got := seen[4]; got.State != check.Unsure || !got.At.Equal(hours(174)) {
		t.Errorf("the fifth observation is %s at %v", got.State, got.At)
	}
}

// TestTwice: what is handed over again, by a run that was killed and goes on, is
// kept once.
func TestTwice(t *testing.T) {
	h := open(t, filepath.Join(t.TempDir(), "h.db"))
	for _, at := range []time.Time{noon, noon.Add(time.Hour), noon, noon.Add(time.Hour)} {
		past := remember(t, h, at, check.Result{URL: "http://a.example/", State: check.Broken})
		if past.Seen > 2 || !past.Since.Equal(noon) {
			t.Errorf("%+v", past)
		}
	}
	if seen, err := h.Observations(context.Background(), "http://a.example/"); err != nil || len(seen) != 2 {
		t.Errorf("%d observations, %v", len(seen), err)
	}
}

// TestRetryAfter: a server that says when is asked then, and not before.
func TestRetryAfter(t *testing.T) {
	h := open(t, filepath.Join(t.TempDir(), "h.db"))
	past := remember(t, h, noon, check.Result{URL: "http://a.example/", State: check.Unsure, Status: 429, RetryAfter: 50 * time.Hour})
	if in := past.NextDue.Sub(noon); in < 50*time.Hour {
		t.Errorf("due in %v", in)
	}
}

// testDue: due is what its time has come for, the longest due first, with the
// places where it stood.
func testDue(t *testing.T, where string) {
	h := open(t, where)
	var seen []check.Observation
	for i := range 2500 {
		seen = append(seen, check.Observation{At: noon.Add(time.Duration(i) * time.Second), Result: check.Result{
			URL: fmt.Sprintf("http://h%d.example/", i), State: check.Alive,
			Sources: []check.Place{{Source: "a.md", Line: i + 1, Col: 3, Start: 5, End: 9}},
		}})
	}
	seen = append(seen, check.Observation{At: noon, Result: check.Result{URL: "http://me:secret@a.example/", State: check.Alive}})
	if _, err := h.Remember(context.Background(), seen); err != nil {
		t.Fatal(err)
	}
	withheld := 0
	count := func(at time.Time) (n int) {
		t.Helper()
		last := time.Time{}
		for r, err := range h.Due(context.Background(), at) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Past.NextDue.Before(last) || r.Past.NextDue.After(at) {
				t.Fatalf("%s, due %v, comes behind %v at %v", r.URL, r.Past.NextDue, last, at)
			}
			last = r.Past.NextDue
			if r.State == check.Skipped {
				if r.URL != "http://me:***@a.example/" || !strings.Contains(r.Reason, "password") {
					t.Fatalf("%s is skipped: %s", r.URL, r.Reason)
				}
				withheld++
				continue
			}
			if want := fmt.Sprintf("http://h%d.example/", r.Sources[0].Line-1); r.URL != want || r.Sources[0].Source != "a.md" || r.Sources[0].End != 9 {
				t.Fatalf("%s stands at %v", r.URL, r.Sources)
			}
			n++
		}
		return n
	}
	if n := count(noon.Add(time.Hour)); n != 0 {
		t.Errorf("%d are due after an hour", n)
	}
	if n := count(noon.Add(48 * time.Hour)); n != 2500 {
		t.Errorf("%d are due after two days, want all but the one whose password is not known", n)
	}
	if withheld != 1 {
		t.Errorf("%d are withheld, want the one whose password is not known", withheld)
	}
}

// TestPassword: no password reaches the history.
// testTrends: at each moment a URL has the state that was last observed of it.
func testTrends(t *testing.T, where string) {
	h := open(t, where)
	if trends, err := h.Trends(context.Background(), 4, 10); err != nil || len(trends) != 0 {
		t.Errorf("an empty history has %v, %v", trends, err)
	}
	for _, o := range []struct {
		url   string
		day   int
		state check.State
	}{
		{"http://good.example/", 0, check.Alive}, {"http://good.example/", 3, check.Alive},
		{"http://bad.example/1", 0, check.Alive}, {"http://bad.example/1", 2, check.Broken},
		{"http://bad.example/2", 1, check.Unsure}, {"http://bad.example/2", 3, check.Moved},
		{"http://was.example/", 1, check.Broken}, {"http://was.example/", 2, check.Alive},
		{"nothing", 0, check.Broken},
	} {
		remember(t, h, noon.AddDate(0, 0, o.day), check.Result{URL: o.url, State: o.state})
	}
	trends, err := h.Trends(context.Background(), 4, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tr := range trends {
		text := tr.Host
		for i, m := range tr.Moments {
			if !m.At.Equal(noon.AddDate(0, 0, i)) {
				t.Errorf("moment %d is %v", i, m.At)
			}
			text += fmt.Sprintf(" %v", m.Count)
		}
		got = append(got, text)
	}
	want := []string{
		"bad.example map[alive:1] map[alive:1 unsure:1] map[broken:1 unsure:1] map[broken:1 moved:1]",
		"was.example map[] map[broken:1] map[alive:1] map[alive:1]",
		"good.example map[alive:1] map[alive:1] map[alive:1] map[alive:1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if trends, err = h.Trends(context.Background(), 4, 1); err != nil || len(trends) != 1 || trends[0].Host != "bad.example" {
		t.Errorf("of one host: %v, %v", trends, err)
	}
}

// TestMute: a server that takes a connection and says nothing is given up.
func TestMute(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := history.Open(context.Background(), "postgres://me:sesame@"+l.Addr().String()+"/x?sslmode=disable&connect_timeout=1")
	if err == nil {
		h.Close()
		t.Fatal("a mute server is a history")
	}
	if strings.Contains(err.Error(), "sesame") {
		t.Errorf("%v", err)
	}
}

// TestName: what means a server that is not spoken to here is taken for no file.
func TestName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"mysql://me:sesame@h/x", "host=h password=sesame", "password=sesame", "file://x", "REDIS://h", " user = me"} {
		if _, err := history.Open(context.Background(), name); !errors.Is(err, history.ErrName) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]bool{"POSTGRES://h/x": true, "postgresql://h/x": true, "Postgres://": true, "links.db": false, "postgres:x": false, "mysql://h": false} {
		if got := history.IsDSN(name); got != want {
			t.Errorf("%q is a DSN: %t", name, got)
		}
	}
	open(t, "./host=h")
	if made, err := filepath.Glob("*=h"); err != nil || len(made) != 1 {
		t.Errorf("%q, %v", made, err)
	}
}

func TestPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	h := open(t, file)
	remember(t, h, noon, check.Result{URL: "http://me:sesame@a.example/", State: check.Alive, Final: "http://a.example/"})
	if r, ok, err := h.Last(context.Background(), "http://me:sesame@a.example/"); !ok || err != nil || strings.Contains(r.URL, "sesame") {
		t.Errorf("%q, %t, %v", r.URL, ok, err)
	}
	h.Close()
	data, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(data), "sesame") || !strings.Contains(string(data), "me:***@a.example") {
		t.Errorf("the file holds the password, or not the URL: %v", err)
	}
}

// testSuggestions: for a dead link there is where it led, and where its
// neighbours went.
func testSuggestions(t *testing.T, where string) {
	h := open(t, where)
	remember(t, h, noon, check.Result{URL: "https://a.example/old/x.html", State: check.Moved, Final: "https://a.example/new/x.html"})
	remember(t, h, noon, check.Result{URL: "https://a.example/old/y.html", State: check.Moved, Final: "https://a.example/new/y.html"})
	remember(t, h, noon, check.Result{URL: "https://a.example/old/z.html", State: check.Moved, Final: "https://a.example/z"}) // tells nothing
	remember(t, h, noon, check.Result{URL: "https://a.example/new/gone.html", State: check.Broken})
	for _, tt := range []struct {
		name, url string
		want      []string
	}{
		{"where it led", "https://a.example/old/x.html", []string{"https://a.example/new/x.html"}},
		{"where its neighbours went", "https://a.example/old/deep/w.html", []string{"https://a.example/new/deep/w.html"}},
		{"a place that is dead too", "https://a.example/old/gone.html", nil},
		{"another folder", "https://a.example/other/x.html", nil},
		{"another host", "https://b.example/old/x.html", nil},
	} {
		past := remember(t, h, noon.Add(time.Hour), check.Result{URL: tt.url, State: check.Broken, Status: 404})
		var got []string
		for _, s := range past.Suggestions {
			got = append(got, s.URL)
			if s.Why == "" {
				t.Errorf("%s: nothing speaks for %s", tt.name, s.URL)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// testTexts: whatever stands in a URL or a reason is kept.
func testTexts(t *testing.T, where string) {
	h := open(t, where)
	long := "http://a.example/" + strings.Repeat("0123456789abcdef", 1000)
	for _, url := range []string{long, long + "x", "http://ä.example/\u202e", "no URL: \x00 \xff", "'; DROP TABLE url; --"} {
		remember(t, h, noon, check.Result{URL: url, State: check.Broken, Reason: "\x00\xff'", Evidence: []string{"GET: \x00"}})
		if past := remember(t, h, noon.Add(time.Second), check.Result{URL: url, State: check.Broken}); past.Seen != 2 {
			t.Errorf("%.30q was seen %d times, want twice", url, past.Seen)
		}
		if seen, err := h.Observations(context.Background(), url); err != nil || len(seen) != 2 {
			t.Errorf("%.30q: %d observations, %v", url, len(seen), err)
		}
	}
}

// testTogether: several writers at once lose nothing and do not wait for each
// other for ever.
func testTogether(t *testing.T, where string) {
	const writers, lots, lot = 4, 10, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			h, err := history.Open(context.Background(), where)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Close()
			for n := range lots {
				var seen []check.Observation
				for i := range lot {
					if w%2 == 1 {
						i = lot - 1 - i // the other way round
					}
					seen = append(seen, check.Observation{At: noon.Add(time.Duration(n)*time.Hour + time.Duration(w)*time.Second), Result: check.Result{URL: fmt.Sprintf("http://a.example/%d", i), State: check.Alive}})
				}
				if _, err := h.Remember(context.Background(), seen); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	h := open(t, where)
	for i := range lot {
		r, ok, err := h.Last(context.Background(), fmt.Sprintf("http://a.example/%d", i))
		seen, err2 := h.Observations(context.Background(), fmt.Sprintf("http://a.example/%d", i))
		// What comes behind a later one changes nothing, but it is kept.
		if !ok || err != nil || err2 != nil || len(seen) != writers*lots || r.Past.Seen < lots {
			t.Errorf("URL %d: %t, %v, %v, %d observations, %+v", i, ok, err, err2, len(seen), r.Past)
		}
	}
}

// TestVersions: tables are made once, and those of a newer version are left
// alone.
func TestVersions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	h := open(t, file)
	remember(t, h, noon, check.Result{URL: "http://a.example/", State: check.Alive})
	h.Close()
	h = open(t, file)
	if _, ok, err := h.Last(context.Background(), "http://a.example/"); !ok || err != nil {
		t.Errorf("opened again, it knows nothing: %v", err)
	}
	h.Close()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO schema_version VALUES (99)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := history.Open(context.Background(), file); !errors.Is(err, history.ErrNewer) {
		t.Errorf("a newer history: %v", err)
	}
}

// TestDamage: what is no history, and a server that is not there, are errors
// that hold no password.
func TestDamage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.db")
	if err := os.WriteFile(file, []byte(strings.Repeat("this is no database. ", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{
		file, filepath.Join(t.TempDir(), "no", "folder", "h.db"),
		"postgres://me:sesame@127.0.0.1:1/x?connect_timeout=5", "postgres://me:sesame@[/x", "postgres://me:sesame@h/x?sslmode=odd",
	} {
		h, err := history.Open(context.Background(), where)
		if err == nil {
			h.Close()
			t.Errorf("%s is a history", where)
		} else if strings.Contains(err.Error(), "sesame") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

// TestWritten: with the file, only what the system was handed counts.
func TestWritten(t *testing.T) {
	dir := t.TempDir()
	h := open(t, filepath.Join(dir, "h.db"))
	remember(t, h, noon, check.Result{URL: "http://a.example/", State: check.Alive})
	// A copy of the files as they stand is what a killed process leaves behind.
	left := t.TempDir()
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	again := open(t, filepath.Join(left, "h.db"))
	if _, ok, err := again.Last(context.Background(), "http://a.example/"); !ok || err != nil {
		t.Errorf("what was remembered is not in the files: %v", err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	h, err := history.Open(context.Background(), filepath.Join(dir, "links.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()
	for day, state := range []check.State{check.Alive, check.Broken, check.Broken} {
		past, err := h.Remember(context.Background(), []check.Observation{{
			At:     time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC),
			Result: check.Result{URL: "https://ex.example/page", State: state},
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(state, "since", past[0].Since.Format(time.DateOnly))
	}
	// Output:
	// alive since 2026-01-01
	// broken since 2026-01-02
	// broken since 2026-01-02
}

// TestFullDisk: a disk that is full is an error, and what was kept before stays
// readable; with room again, it goes on.
func TestFullDisk(t *testing.T) {
	dir := peer.SmallDisk(t, 1<<20)
	h := open(t, filepath.Join(dir, "h.db"))
	lot := func(n int) (seen []check.Observation) {
		for i := range 100 {
			seen = append(seen, check.Observation{At: noon, Result: check.Result{URL: fmt.Sprintf("http://h%d.example/%d", n, i), State: check.Broken, Reason: strings.Repeat("x", 100)}})
		}
		return seen
	}
	kept := 0
	var fault error
	for n := range 100 {
		if _, fault = h.Remember(context.Background(), lot(n)); fault != nil {
			break
		}
		kept++
	}
	if kept == 0 || fault == nil || !strings.Contains(fault.Error(), "full") {
		t.Fatalf("%d lots fit on the disk: %v", kept, fault)
	}
	for n := range kept + 1 {
		if _, ok, err := h.Last(context.Background(), fmt.Sprintf("http://h%d.example/99", n)); ok != (n < kept) || err != nil {
			t.Errorf("lot %d of %d is there: %t, %v", n, kept, ok, err)
		}
	}
}
