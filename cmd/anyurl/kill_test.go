package main

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A flock is many hosts behind one server: the addresses 127.0.1.x. It answers
// what ends in a 7 with 404, each request after a short while, and calls trip
// when it has been asked a number of times.
type flock struct {
	mu    sync.Mutex
	asked map[string]int
	left  int
	trip  func()
	port  string
}

// flockHosts is how many hosts there are.
const flockHosts = 20

func newFlock(t *testing.T) *flock {
	f := &flock{asked: map[string]int{}}
	server := &http.Server{Handler: f}
	t.Cleanup(func() { server.Close() })
	f.port = "0"
	for host := range flockHosts {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.1.%d:%s", 1+host, f.port))
		if err != nil {
			t.Fatal(err)
		}
		if host == 0 {
			_, f.port, _ = net.SplitHostPort(l.Addr().String())
		}
		go server.Serve(l)
	}
	return f
}

func (f *flock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked["http://"+r.Host+r.URL.Path]++
	f.left--
	trip := f.trip
	if f.left != 0 {
		trip = nil
	}
	f.mu.Unlock()
	if trip != nil {
		trip()
	}
	time.Sleep(2 * time.Millisecond)
	if strings.HasSuffix(r.URL.Path, "7") || !numbered(r.URL.Path) {
		http.NotFound(w, r)
	}
}

// numbered reports whether a path is one of a flock's; any other is made up by
// whoever wants to see what is said to strangers.
func numbered(path string) bool { return strings.Trim(path, "/0123456789") == "" }

// arm has trip called after so many requests, and forgets those before.
func (f *flock) arm(n int, trip func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.left, f.trip = map[string]int{}, n, trip
}

// urls are n URLs on 20 hosts.
func (f *flock) urls(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("http://127.0.1.%d:%s/%d", 1+i%flockHosts, f.port, i))
	}
	return all
}

// command gives this very program as "anyurl".
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "anyurl")
	if err := os.Symlink(self, name); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd
}

// kills is how often TestKilled kills: $ANYURL_KILLS, or a few times.
func kills(t *testing.T) int {
	text := os.Getenv("ANYURL_KILLS")
	if text == "" {
		return 5
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("ANYURL_KILLS: %v", err)
	}
	return n
}

// query gives the rows of a database's query, as text; none where the tables
// are not made yet.
func query(t *testing.T, file, sqlText string) (all []string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		return nil
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(sqlText)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") {
			return nil
		}
		t.Fatalf("%s: %v", file, err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return all
}

// TestKilled kills the command again and again, as kill -9 does, and begins it
// anew. Nothing is lost but answers in flight: what the files held is there and
// not asked for again. In the end each URL is reported once, with its state,
// and was observed once.
//
//	ANYURL_KILLS=100 go test ./cmd/anyurl -run TestKilled -v
func TestKilled(t *testing.T) {
	const links = 1500
	f := newFlock(t)
	urls := f.urls(links)
	random := rand.New(rand.NewPCG(1, uint64(kills(t))))
	killed, asked := 0, 0
	for job := 0; killed < kills(t); job++ {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "list.txt"), []byte(strings.Join(urls, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		state, history, out := filepath.Join(dir, "state.db"), filepath.Join(dir, "history.db"), filepath.Join(dir, "out.json")
		var answered, observed []string
		again := map[string]int{}
		for round := 0; ; round++ {
			cmd := command(t, dir, "check", "--json", "-o", "out.json", "--state", "state.db", "--history", "history.db", "--retries", "0", "--workers", "16", "list.txt")
			var said bytes.Buffer
			cmd.Stderr = &said
			pause := time.Duration(random.IntN(40)) * time.Millisecond
			// Some die before the first request, some when all have been asked.
			early := false
			switch n := random.IntN(links / 2); {
			case killed >= kills(t):
				f.arm(-1, nil)
			case random.IntN(8) == 0:
				f.arm(-1, nil)
				early = true
			default:
				f.arm(n+1, func() { time.AfterFunc(pause, func() { cmd.Process.Kill() }) })
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if early { // there is a process to kill only now
				time.AfterFunc(pause, func() { cmd.Process.Kill() })
			}
			cmd.Wait()
			f.mu.Lock()
			now := maps.Clone(f.asked)
			f.mu.Unlock()
			for _, url := range answered {
				if now[url] > 0 {
					t.Fatalf("round %d: %s had an answer and was asked for again", round, url)
				}
			}
			for url, n := range now {
				again[url] += n
				asked += n
			}
			if code := cmd.ProcessState.ExitCode(); code == 1 {
				break // it came to its end: there are broken links
			} else if code != -1 {
				t.Fatalf("status %d: %s", code, said.Bytes())
			}
			killed++
			if _, err := os.Stat(out); err == nil {
				break // it was killed behind its last word, which has to be whole
			}
			for _, file := range []string{state, history} {
				if got := query(t, file, `PRAGMA integrity_check`); len(got) > 0 && got[0] != "ok" {
					t.Fatalf("%s is damaged: %q", file, got)
				}
			}
			before := len(answered)
			answered = query(t, state, `SELECT key FROM target WHERE answered = 1`)
			if len(answered) < before {
				t.Fatalf("%d answers were there, and %d are", before, len(answered))
			}
			seen := query(t, history, `SELECT url.url FROM observation JOIN url ON url.id = observation.url`)
			for _, url := range observed {
				if !slices.Contains(seen, url) {
					t.Fatalf("%s was observed, and is not any more", url)
				}
			}
			observed = seen
		}
		whole(t, out, urls)
		if got := query(t, history, `SELECT url.url FROM observation JOIN url ON url.id = observation.url ORDER BY url.url`); !slices.Equal(got, slices.Sorted(slices.Values(urls))) {
			t.Fatalf("%d observations of %d URLs", len(got), len(urls))
		}
		for _, url := range urls {
			if again[url] == 0 {
				t.Fatalf("%s was never asked for", url)
			}
		}
	}
	t.Logf("killed %d times; %d requests for what needs %d at least", killed, asked, links)
}

// whole holds that a report tells of each URL once, and the right thing.
func whole(t *testing.T, file string, urls []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var r struct {
			URL, State string
			Sources    []struct{ Line int }
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.URL == "" {
			continue // the summary
		}
		if states[r.URL] != "" {
			t.Fatalf("%s is reported twice", r.URL)
		}
		if len(r.Sources) != 1 || urls[r.Sources[0].Line-1] != r.URL {
			t.Fatalf("%s stands at %v", r.URL, r.Sources)
		}
		states[r.URL] = r.State
	}
	for _, url := range urls {
		want := "alive"
		if strings.HasSuffix(url, "7") {
			want = "broken"
		}
		if states[url] != want {
			t.Fatalf("%s is %q, want %s", url, states[url], want)
		}
	}
	if len(states) != len(urls) {
		t.Fatalf("%d URLs are reported, want %d", len(states), len(urls))
	}
}
