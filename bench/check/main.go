// Command check compares anyurl check with other link checkers: on a generated
// site of 2,000 pages with 100,000 links, on a small one that is slow and
// flaky, and on a list of 100,000 URLs on 2,000 hosts, all served on loopback.
// It knows which links are broken, and prints for each program what it missed,
// what it called broken that is not, its time, its memory, and its connections.
//
//	go run ./check [-site fast|flaky|list|all] [-rounds N] [-rival NAME=PATH] [-only NAME] [-show]
//
// It wants Linux. Rivals are looked for in PATH (muffet, htmltest, linkinator,
// linkchecker); what is missing is left out.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
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
	"syscall"
	"time"

	"anyurl"

	"anyurl/bench/loopback"
)

func main() {
	which := flag.String("site", "all", "fast, flaky, list or all")
	rounds := flag.Int("rounds", 3, "how often each program runs; the lowest time counts")
	only := flag.String("only", "", "the one program to run")
	show := flag.Bool("show", false, "say which links were missed and which verdicts were false")
	limit := flag.Duration("limit", 10*time.Minute, "the most time a program gets")
	keep := flag.Bool("serve", false, "serve the site and run nothing")
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
	b := bench{rounds: *rounds, only: *only, show: *show, limit: *limit, keep: *keep, rivals: rivals}
	if err := b.run(*which); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(3)
	}
}

// A bench is one call of the command.
type bench struct {
	rounds     int
	only       string
	show, keep bool
	limit      time.Duration
	rivals     map[string]string
	checkers   []checker
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
	hosts := 0
	if name == "list" {
		hosts = listHosts
	}
	srv, err := start(hosts)
	if err != nil {
		return err
	}
	defer srv.Close()
	dir := filepath.Join(work, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	j := job{dir: filepath.Join(dir, "files"), list: filepath.Join(dir, "urls.txt"), work: dir}
	var s *site
	if name == "list" {
		s = list(srv.port())
		index, err := start(0)
		if err != nil {
			return err
		}
		defer index.Close()
		page := newSite(fmt.Sprintf("http://127.0.0.1:%d", index.port()), true)
		var links strings.Builder
		for u := range s.targets {
			fmt.Fprintf(&links, "<a href=%q>x</a>\n", u)
		}
		page.answers = map[string]answer{"/": html("A list", links.String())}
		index.site.Store(page)
		index.reset()
		j.index = page.origin + "/"
	} else {
		j.origin = fmt.Sprintf("http://127.0.0.1:%d", srv.port())
		s = newSite(j.origin, name == "flaky")
		if err := s.write(j.dir); err != nil {
			return err
		}
		srv.site.Store(s)
	}
	urls := slices.Sorted(maps.Keys(s.targets))
	if err := os.WriteFile(j.list, []byte(strings.Join(urls, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	fmt.Printf("\n%s: %d links to %d targets, %d broken, %d soft 404s\n\n", name, s.links, len(s.targets), len(s.broken), len(s.suspect))
	if b.keep {
		srv.reset()
		fmt.Println(j.origin)
		select {}
	}
	fmt.Printf("| program | missed | false | unsure | seconds | CPU s | MiB | requests | connections | |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, c := range b.checkers {
		if b.only != "" && b.only != c.name {
			continue
		}
		b.measure(c, j, s, srv)
	}
	return nil
}

// measure runs a checker and prints its line.
func (b *bench) measure(c checker, j job, s *site, srv *server) {
	argv := c.argv(j)
	if argv == nil {
		return
	}
	var best *ran
	for range b.rounds {
		srv.reset()
		r, err := runOne(argv, b.limit)
		if err != nil {
			fmt.Printf("| %s | | | | | | | %d | %d | %v |\n", c.name, srv.asked.Load(), srv.most.Load(), err)
			return
		}
		if best == nil || r.wall < best.wall {
			best = r
		}
		if r.wall > time.Minute {
			break // another round tells nothing new
		}
	}
	said, err := c.read(j, best.out)
	if err != nil {
		fmt.Printf("| %s | | | | %.2f | | | | | its report cannot be read: %v |\n", c.name, best.wall.Seconds(), err)
		return
	}
	missed, wrong, unsure := s.compare(said)
	fmt.Printf("| %s | %d | %d | %d | %.2f | %.2f | %d | %d | %d | %s |\n", c.name, len(missed), len(wrong), len(unsure),
		best.wall.Seconds(), best.cpu.Seconds(), best.memory>>10, srv.asked.Load(), srv.most.Load(), c.about)
	if b.show {
		for _, u := range missed[:min(40, len(missed))] {
			fmt.Println("  missed", u)
		}
		for _, u := range wrong[:min(40, len(wrong))] {
			fmt.Println("  false ", u)
		}
		for _, u := range unsure[:min(40, len(unsure))] {
			fmt.Println("  unsure", u)
		}
	}
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

// A ran is one run of a program.
type ran struct {
	out       []byte
	wall, cpu time.Duration
	memory    int64 // KiB
}

func runOne(argv []string, limit time.Duration) (*ran, error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped after %v", limit)
	}
	// Broken links make every one of them fail.
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed || out.Len() == 0 && err != nil {
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaints.Bytes()))
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return &ran{out.Bytes(), wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss}, nil
}

// listHosts is how many hosts a list is spread over.
const listHosts = 2000

// list is 100,000 URLs on as many hosts, one in a hundred missing.
func list(port int) *site {
	s := &site{targets: map[string]bool{}, broken: map[string]bool{}}
	for i := range 100_000 {
		u := fmt.Sprintf("http://%s:%d/%d", loopback.Host(i%listHosts), port, i)
		s.targets[u] = true
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
