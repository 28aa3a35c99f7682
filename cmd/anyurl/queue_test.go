package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"anyurl/check/history"
	"anyurl/internal/peer"
)

// natsServer starts a NATS server with JetStream within this process.
func natsServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server takes no connections")
	}
	return s
}

// A strict server is many hosts, the addresses 127.0.1.x, and writes down when
// each was asked for what. What ends in a 5 is refused the first time, for longer
// than a worker keeps a question; what ends in a 7 is not there; what ends in a 3
// leads to another host, and what ends in a 9 to another page of its own.
type strict struct {
	port  string
	mu    sync.Mutex
	when  map[string][]visit
	asked map[string]int
	count int
	after map[int]func() // what happens at a request's number
	heard func(host string)
}

// A visit is a request to a host; who is what it says of itself in its header.
type visit struct {
	at  time.Time
	who string
}

func newStrict(t *testing.T) *strict {
	s := &strict{when: map[string][]visit{}, asked: map[string]int{}, after: map[int]func(){}, port: "0"}
	site := &http.Server{Handler: s}
	t.Cleanup(func() { site.Close() })
	for host := range flockHosts {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.1.%d:%s", 1+host, s.port))
		if err != nil {
			t.Fatal(err)
		}
		if host == 0 {
			_, s.port, _ = net.SplitHostPort(l.Addr().String())
		}
		go site.Serve(l)
	}
	return s
}

func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	host, _, _ := net.SplitHostPort(r.Host)
	path := r.URL.Path
	s.mu.Lock()
	s.when[host] = append(s.when[host], visit{now, r.Header.Get("X-Worker")})
	s.asked["http://"+r.Host+path]++
	first := s.asked["http://"+r.Host+path] == 1
	s.count++
	if s.heard != nil {
		s.heard(host)
	}
	then := s.after[s.count]
	s.mu.Unlock()
	if then != nil {
		then()
	}
	switch {
	case !numbered(path) || strings.HasSuffix(path, "7"):
		http.NotFound(w, r)
	case strings.HasSuffix(path, "5") && first:
		w.Header().Set("Retry-After", "6")
		w.WriteHeader(http.StatusTooManyRequests)
	case strings.HasSuffix(path, "3"):
		var other int
		fmt.Sscanf(path, "/%d", &other)
		http.Redirect(w, r, fmt.Sprintf("http://127.0.1.%d:%s/10%d0", 1+(other*7+3)%flockHosts, s.port, other), http.StatusFound)
	case strings.HasSuffix(path, "9"):
		http.Redirect(w, r, "/20"+path[1:len(path)-1]+"0", http.StatusFound)
	}
}

// urls are n of its URLs.
func (s *strict) urls(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("http://127.0.1.%d:%s/%d", 1+i%flockHosts, s.port, i))
	}
	return all
}

// apart holds that no host was asked sooner than an interval after the last time,
// but for so many requests of the worker that says it is frozen.
func (s *strict) apart(t *testing.T, interval time.Duration, late int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for host, when := range s.when {
		slices.SortFunc(when, func(a, b visit) int { return a.at.Compare(b.at) })
		var last visit
		for i, v := range when {
			gap := v.at.Sub(last.at)
			switch {
			case i == 0 || gap >= interval:
			case late > 0 && (v.who == "frozen" || last.who == "frozen"):
				t.Logf("%s: request %d of %d, of %q, came %v after one of %q", host, i, len(when), v.who, gap, last.who)
				if v.who == "frozen" { // the next is measured from the one before
					late--
					continue
				}
			default:
				t.Errorf("%s: request %d of %d, of %q, came %v after one of %q, want %v at least", host, i, len(when), v.who, gap, last.who, interval)
			}
			last = v
		}
	}
}

// start starts the command, which ends with the test at the latest. said is what
// it writes to standard error.
func start(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	cmd, said = command(t, dir, args...), &bytes.Buffer{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return cmd, said
}

// list writes URLs into list.txt of a new folder.
func list(t *testing.T, urls []string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "list.txt"), []byte(strings.Join(urls, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWorkers: three workers answer a check's questions, and one of them is
// killed; so is the check itself, which is then begun again. Nothing is lost,
// nothing comes twice, and no host is asked sooner than an interval after the
// last time, whoever asked: by the site's own record, which no delay of ours can
// make better than it was.
func TestWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	const interval = 150 * time.Millisecond
	dsn := peer.Postgres(t)
	site, queue := newStrict(t), natsServer(t).ClientURL()
	urls := site.urls(260)
	dir := list(t, urls)
	check := []string{"check", "--queue", queue, "--state", "state.db", "--history", dsn, "--json", "-o", "out.json", "list.txt"}
	var workers []*exec.Cmd
	for range 3 {
		var worker *exec.Cmd
		var said *bytes.Buffer
		t.Cleanup(func() { // when it has ended: until then it may write there
			if t.Failed() {
				t.Logf("a worker says: %s", said)
			}
		})
		// A host is asked by one at a time, and waits may not be cut short.
		worker, said = start(t, dir, "worker", "--interval", interval.String(), "--lease", "3s", "--patience", "2s", "--retries", "5", queue)
		workers = append(workers, worker)
	}
	first, _ := start(t, dir, check...)
	site.mu.Lock()
	site.after[90], site.after[160] = func() { workers[1].Process.Kill() }, func() { first.Process.Kill() }
	site.mu.Unlock()
	first.Wait()
	if code := first.ProcessState.ExitCode(); code != -1 {
		t.Fatalf("the check ended with status %d before it was killed", code)
	}
	cmd := command(t, dir, check...)
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 { // there are broken links
		t.Fatalf("%v: %s", err, out)
	}
	whole(t, filepath.Join(dir, "out.json"), urls)
	site.apart(t, interval, 0)
	h, err := history.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, url := range urls {
		if seen, err := h.Observations(t.Context(), url); err != nil || len(seen) != 1 {
			t.Errorf("%s was observed %d times, %v", url, len(seen), err)
		}
		if site.asked[url] == 0 {
			t.Errorf("%s was never asked for", url)
		}
	}
	if err := workers[1].Wait(); err == nil {
		t.Error("no worker was killed")
	}
	t.Logf("%d requests for %d URLs", site.count, len(urls))
}

// faults gives what a JSON report says went wrong, and how many URLs it has
// results of.
func faults(t *testing.T, file string) (said []string, urls map[string]int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	urls = map[string]int{}
	for line := range bytes.Lines(data) {
		var r struct {
			URL     string
			Summary struct{ Faults []string }
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.URL != "" {
			urls[r.URL]++
		}
		said = append(said, r.Summary.Faults...)
	}
	return said, urls
}

// A wire stands between a client and a server, and can be made mute.
type wire struct {
	address string
	mu      sync.Mutex
	mute    bool
	held    sync.Cond
}

// newWire leads to a server.
func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w := &wire{address: l.Addr().String()}
	w.held.L = &w.mu
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				continue
			}
			go w.carry(far, client)
			go w.carry(client, far)
		}
	}()
	return w
}

func (w *wire) carry(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		w.mu.Lock()
		for w.mute && err == nil {
			w.held.Wait()
		}
		w.mu.Unlock()
		if err != nil {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (w *wire) be(mute bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mute = mute
	w.held.Broadcast()
}

// TestMuteHistory: a PostgreSQL that falls silent in the middle of a check does
// not hold it up: it reports every link, says what the history lacks, and ends with
// the status of a failure.
func TestMuteHistory(t *testing.T) {
	dsn := peer.Postgres(t)
	_, rest, _ := strings.Cut(dsn, "@")
	address, _, _ := strings.Cut(rest, "/")
	w := newWire(t, address)
	f := newFlock(t)
	urls := f.urls(400)
	dir := list(t, urls)
	f.arm(200, func() { w.be(true) })
	cmd := command(t, dir, "check", "--history", "postgres://anyurl@"+w.address+"/postgres?sslmode=disable&connect_timeout=10", "--json", "-o", "out.json", "list.txt")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 3 || !bytes.Contains(out, []byte("the history could not be written")) {
		t.Fatalf("%v: %s", err, out)
	}
	whole(t, filepath.Join(dir, "out.json"), urls)
	if said, _ := faults(t, filepath.Join(dir, "out.json")); len(said) != 1 || !strings.Contains(said[0], "the history could not be written, and lacks") {
		t.Errorf("faults: %q", said)
	}
}

// TestLostQueue: when the queue's server is gone for good, check and workers say so
// and end with the status of a failure; what was answered is kept, and the check
// goes on with it when there is a server again, even an empty one.
func TestLostQueue(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	first := natsServer(t)
	f := newFlock(t)
	urls := f.urls(600)
	dir := list(t, urls)
	args := func(queue string) []string {
		return []string{"check", "--queue", queue, "--queue-patience", "2s", "--state", "state.db", "--json", "-o", "out.json", "list.txt"}
	}
	f.arm(200, func() { go first.Shutdown() })
	worker, said := start(t, dir, "worker", "--queue-patience", "2s", first.ClientURL())
	cmd := command(t, dir, args(first.ClientURL())...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 3 || !bytes.Contains(out, []byte("the queue is lost")) || !bytes.Contains(out, []byte("goes on")) {
		t.Fatalf("%v: %s", err, out)
	}
	if worker.Wait(); worker.ProcessState.ExitCode() != 3 || !bytes.Contains(said.Bytes(), []byte("the queue is lost")) {
		t.Errorf("the worker ends with status %d: %s", worker.ProcessState.ExitCode(), said)
	}
	// How many answers had come by then is a matter of who was faster.
	lost, told := faults(t, filepath.Join(dir, "out.json"))
	if len(lost) != 1 || len(told) >= len(urls) {
		t.Errorf("%d URLs of %d are told of; faults %q", len(told), len(urls), lost)
	}
	f.arm(-1, nil)
	second := natsServer(t).ClientURL()
	start(t, dir, "worker", second)
	cmd = command(t, dir, args(second)...)
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte("going on where an earlier check ended")) {
		t.Fatalf("%v: %s", err, out)
	}
	whole(t, filepath.Join(dir, "out.json"), urls)
	f.mu.Lock()
	defer f.mu.Unlock()
	for url := range told {
		if f.asked[url] > 0 {
			t.Errorf("%s was answered before, and is asked for again", url)
		}
	}
}

// TestEmbeddedQueue: a worker with a server of its own answers a check.
func TestEmbeddedQueue(t *testing.T) {
	f := newFlock(t)
	urls := f.urls(60)
	dir := list(t, urls)
	worker := command(t, dir, "worker", "--embed", "127.0.0.1:0")
	pipe, err := worker.StderrPipe()
	if err == nil {
		err = worker.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Wait()
	defer worker.Process.Signal(os.Interrupt)
	var said []byte
	for one := make([]byte, 1); !bytes.HasSuffix(said, []byte("\n")); {
		if _, err := pipe.Read(one); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		said = append(said, one[0])
	}
	go io.Copy(io.Discard, pipe)
	_, url, ok := strings.Cut(strings.TrimSpace(string(said)), "--queue ")
	if !ok {
		t.Fatalf("it says %s", said)
	}
	cmd := command(t, dir, "check", "--queue", url, "--json", "-o", "out.json", "list.txt")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	whole(t, filepath.Join(dir, "out.json"), urls)
}
