// Command check compares anyurl check with other link checkers: on a generated
// site of 2,000 pages with 100,000 links, on a small one that is slow and
// flaky, and on a list of 100,000 URLs on 2,000 hosts, all served on loopback by
// a process of its own. It knows which links are broken, and prints for each
// program what it missed, what it called broken that is not, its time by the
// clock and by the processor, its memory, and its connections.
//
//	go run ./check [-site fast|flaky|list|all] [-rounds N] [-rival NAME=PATH] [-only NAME] [-show]
//
// The programs take turns, round by round, so that whatever else the machine does
// befalls all of them. The clock's time holds the server's work as well; the
// processor's is the program's alone.
//
// It wants Linux. Rivals are looked for in PATH (muffet, htmltest, linkinator,
// linkchecker); what is missing is left out.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"anyurl"

	"anyurl/bench/child"
	"anyurl/bench/loopback"
)

func main() {
	child.Main()
	which := flag.String("site", "all", "fast, flaky, list or all")
	rounds := flag.Int("rounds", 3, "how often each program runs; the lowest times count, and the worst of the rest")
	only := flag.String("only", "", "the one program to run beside the bare loop")
	show := flag.Bool("show", false, "say which links were missed and which verdicts were false")
	limit := flag.Duration("limit", 10*time.Minute, "the most time a program gets")
	role := flag.String("serve", "", "serve this site until standard input ends, and run nothing")
	loop := flag.String("loop", "", "ask for the URLs of this `FILE`, and print those that fail")
	rivals := map[string]string{}
	flag.Func("rival", "where a program is, as `NAME=PATH`; may be given again", func(s string) error {
		name, path, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("it is written NAME=PATH")
		}
		rivals[name] = path
		return nil
	})
	flag.Parse()
	if *loop != "" {
		bareLoop(*loop)
		return
	}
	if *role != "" {
		if err := serve(*role); err != nil {
			fmt.Fprintln(os.Stderr, "check:", err)
			os.Exit(3)
		}
		return
	}
	b := bench{rounds: *rounds, only: *only, show: *show, limit: *limit, rivals: rivals}
	if err := b.run(*which); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(3)
	}
}

// A bench is one call of the command.
type bench struct {
	rounds   int
	only     string
	show     bool
	limit    time.Duration
	rivals   map[string]string
	checkers []checker
}

func (b *bench) run(which string) error {
	work, err := os.MkdirTemp("", "check")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.Chmod(work, 0o755); err != nil { // a rival drops its rights
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ours := filepath.Join(work, "anyurl")
	build := exec.Command("go", "build", "-o", ours, "./cmd/anyurl")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building anyurl: %w\n%s", err, out)
	}
	b.checkers = checkers(self, ours, b.rivals)
	for _, name := range []string{"fast", "flaky", "list"} {
		if which != "all" && which != name {
			continue
		}
		if err := b.on(name, work); err != nil {
			return err
		}
	}
	return nil
}

// on runs every checker on one site.
func (b *bench) on(name, work string) error {
	srv, err := begin(name)
	if err != nil {
		return err
	}
	defer srv.end()
	dir := filepath.Join(work, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	j := job{dir: filepath.Join(dir, "files"), list: filepath.Join(dir, "urls.txt"), work: dir}
	var s *site
	if name == "list" {
		s = list(srv.port)
		j.index = origin(srv.index) + "/"
	} else {
		j.origin = origin(srv.port)
		s = newSite(j.origin, name == "flaky")
		if err := s.write(j.dir); err != nil {
			return err
		}
	}
	urls := slices.Sorted(maps.Keys(s.targets))
	if name == "list" {
		urls = s.inOrder
	}
	if err := os.WriteFile(j.list, []byte(strings.Join(urls, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	fmt.Printf("\n%s: %d links to %d targets, %d broken, %d soft 404s\n\n", name, s.links, len(s.targets), len(s.broken), len(s.suspect))
	var all []*measured
	for _, c := range b.checkers {
		if argv := c.argv(j); argv != nil && (b.only == "" || b.only == c.name || c.name == bare) {
			all = append(all, &measured{checker: c, argv: argv})
		}
	}
	for round := range b.rounds {
		for _, m := range all {
			if m.failed == nil && m.wall < time.Minute { // another round of what is slow tells nothing new
				m.round(j, s, srv, b.limit, round == 0 && b.show)
			}
		}
	}
	fmt.Printf("| program | missed | false | unsure | seconds | of the loop's | CPU s | of the loop's | MiB | requests | connections | |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, m := range all {
		m.print(all[0])
	}
	return nil
}

func origin(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// A measured is a checker and what its rounds came to: the lowest times, and the
// worst of everything else.
type measured struct {
	checker
	argv                   []string
	failed                 error
	missed, wrong, unsure  int
	wall, cpu              time.Duration
	memory, requests, most int64
}

// round runs a checker once.
func (m *measured) round(j job, s *site, srv *serving, limit time.Duration, show bool) {
	if m.failed = srv.reset(); m.failed != nil {
		return
	}
	r, err := child.Run(m.argv, limit)
	if err != nil {
		m.failed = err
		return
	}
	requests, most, err := srv.counts()
	if err != nil {
		m.failed = err
		return
	}
	said, err := m.read(j, r.Out)
	if err != nil {
		m.failed = fmt.Errorf("its report cannot be read: %w", err)
		return
	}
	missed, wrong, unsure := s.compare(said)
	if m.wall == 0 {
		m.wall, m.cpu = r.Wall, r.CPU
	}
	m.wall, m.cpu = min(m.wall, r.Wall), min(m.cpu, r.CPU)
	m.missed, m.wrong, m.unsure = max(m.missed, len(missed)), max(m.wrong, len(wrong)), max(m.unsure, len(unsure))
	m.memory, m.requests, m.most = max(m.memory, r.Memory), max(m.requests, requests), max(m.most, most)
	if !show {
		return
	}
	for word, links := range map[string][]string{"missed": missed, "false": wrong, "unsure": unsure} {
		for _, u := range links[:min(40, len(links))] {
			fmt.Println(m.name+":", word, u)
		}
	}
}

// print prints its line, beside the loop's.
func (m *measured) print(loop *measured) {
	if m.failed != nil {
		fmt.Printf("| %s | | | | | | | | | | | %v |\n", m.name, m.failed)
		return
	}
	fmt.Printf("| %s | %d | %d | %d | %.2f | %.2f | %.2f | %.2f | %d | %d | %d | %s |\n", m.name, m.missed, m.wrong, m.unsure,
		m.wall.Seconds(), m.wall.Seconds()/loop.wall.Seconds(), m.cpu.Seconds(), m.cpu.Seconds()/loop.cpu.Seconds(),
		m.memory>>20, m.requests, m.most, m.about)
}

// compare holds what a program said against the truth. Whether a fragment is
// written in percent-encoded form or not makes no difference.
func (s *site) compare(said []string) (missed, wrong, unsure []string) {
	is := map[string]bool{}
	for _, text := range said {
		if rest, ok := strings.CutPrefix(text, "?"); ok {
			if !s.suspect[rest] {
				unsure = append(unsure, rest)
			}
			continue
		}
		is[spelled(text)] = true
	}
	truth := map[string]bool{}
	for u := range s.broken {
		truth[spelled(u)] = true
		if !is[spelled(u)] {
			missed = append(missed, u)
		}
	}
	for u := range is {
		if !truth[u] && !s.suspect[u] {
			wrong = append(wrong, u)
		}
	}
	slices.Sort(missed)
	slices.Sort(wrong)
	return missed, wrong, unsure
}

func spelled(text string) string {
	u, err := anyurl.Parse(text)
	if err != nil {
		return text
	}
	return u.String()
}

// listHosts is how many hosts a list is spread over.
const listHosts = 2000

// list is 100,000 URLs on as many hosts, one in a hundred missing.
func list(port int) *site {
	s := &site{targets: map[string]bool{}, broken: map[string]bool{}}
	for i := range 100_000 {
		u := fmt.Sprintf("http://%s:%d/%d", loopback.Host(i%listHosts), port, i)
		s.targets[u] = true
		s.inOrder = append(s.inOrder, u)
		s.links++
		if i%100 == 7 {
			s.broken[u] = true
		}
	}
	return s
}

// bareLoop is the least that can be done: every URL asked for, 16 at once to a
// host and 128 in all.
func bareLoop(file string) {
	f, err := os.Open(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(3)
	}
	defer f.Close()
	transport := &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 16, MaxConnsPerHost: 16, DisableCompression: true}
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	urls := make(chan string)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 128 {
		wg.Go(func() {
			for u := range urls {
				resp, err := client.Get(u)
				if err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				if err != nil || resp.StatusCode >= 400 {
					mu.Lock()
					fmt.Println(u)
					mu.Unlock()
				}
			}
		})
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		urls <- lines.Text()
	}
	close(urls)
	wg.Wait()
	if err := cmp.Or(lines.Err()); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
	}
}
