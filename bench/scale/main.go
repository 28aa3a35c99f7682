// Command scale measures anyurl check on a long list: so many URLs on so many
// hosts, which are addresses of this machine's loopback network, against a bare
// loop that asks for the same URLs with net/http and judges nothing.
//
//	go build -o /tmp/anyurl ../cmd/anyurl && go run ./scale -anyurl /tmp/anyurl [-urls N] [-hosts N] [-rounds N]
//
// The server, the loop and anyurl are a process each. What is written is each
// one's time, its greatest resident memory, and whether all answers were right.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"anyurl/bench/child"
	"anyurl/bench/loopback"
)

func main() {
	child.Main()
	log.SetFlags(0)
	anyurl := flag.String("anyurl", "", "the program to be measured")
	urls := flag.Int("urls", 100_000, "how many URLs")
	hosts := flag.Int("hosts", 2000, "on how many hosts")
	rounds := flag.Int("rounds", 3, "how often each is measured")
	only := flag.String("only", "", "measure only what has this in its name")
	role := flag.String("role", "", "serve, or loop: what this process is within a measurement")
	flag.Parse()
	switch *role {
	case "serve":
		serve(*hosts)
	case "loop":
		loop(flag.Arg(0))
	default:
		if *anyurl == "" {
			log.Fatal("-anyurl FILE names what is to be measured")
		}
		measure(*anyurl, *urls, *hosts, *rounds, *only)
	}
}

// serve answers: what ends in 7 is not there, what ends in 3 has moved.
func serve(hosts int) {
	l, err := loopback.Listen(hosts)
	if err != nil {
		log.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	fmt.Println(port)
	go func() { // it ends with whoever started it
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "7"), !strings.HasPrefix(path, "/page/"), strings.Trim(path[len("/page/"):], "0123456789/new") != "":
			http.NotFound(w, r)
		case strings.HasSuffix(path, "3"):
			http.Redirect(w, r, path+"/new", http.StatusMovedPermanently)
		default:
			io.WriteString(w, "<!DOCTYPE html><title>page</title><p>This is a page of a few words, as there are many.\n")
		}
	})))
}

// loop is the bare loop: 128 goroutines ask for the URLs of a list in its order.
func loop(list string) {
	f, err := os.Open(list)
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: 30 * time.Second}
	next := make(chan string, 128)
	var wg sync.WaitGroup
	for range 128 {
		wg.Go(func() {
			for url := range next {
				resp, err := client.Head(url)
				if err != nil {
					log.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		next <- lines.Text()
	}
	close(next)
	wg.Wait()
}

func measure(anyurl string, urls, hosts, rounds int, only string) {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	server := exec.Command(self, "-role", "serve", "-hosts", fmt.Sprint(hosts))
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := server.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Start(); err != nil {
		log.Fatal(err)
	}
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	list := filepath.Join(dir, "list.txt")
	f, err := os.Create(list)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range urls {
		host := i * 7919 % hosts // a prime: neighbours in the list are no neighbours in the net
		fmt.Fprintf(w, "http://%s:%s/page/%d\n", loopback.Host(host), strings.TrimSpace(port), i)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	f.Close()
	state, history, out := filepath.Join(dir, "state.db"), filepath.Join(dir, "history.db"), filepath.Join(dir, "out.json")
	check := []string{anyurl, "check", "--json", "-o", out}
	runs := []struct {
		name string
		argv []string
	}{
		{"bare loop", []string{self, "-role", "loop", list}},
		{"check", append(slices.Clone(check), list)},
		{"check --state", append(slices.Clone(check), "--state", state, list)},
		{"check --history", append(slices.Clone(check), "--history", history, list)},
		{"check --state --history", append(slices.Clone(check), "--state", state, "--history", history, list)},
	}
	fmt.Printf("%d URLs on %d hosts; seconds and (how many of the bare loop's in the same round), resident MiB\n", urls, hosts)
	var bare *child.Ran
	for range rounds {
		for _, run := range runs {
			if !strings.Contains(run.name, only) && run.name != "bare loop" {
				continue
			}
			for _, file := range []string{state, history, out} {
				for _, end := range []string{"", "-wal", "-shm"} {
					os.Remove(file + end)
				}
			}
			r, err := child.Run(run.argv, time.Hour)
			if err != nil {
				log.Fatalf("%s: %v", run.name, err)
			}
			if run.name == "bare loop" {
				bare = r
			}
			right := ""
			if run.argv[0] == anyurl {
				right = judged(out, urls)
			}
			fmt.Printf("%-24s %6.2f s (%.2f)  %6.2f CPU s (%.2f)  %4d MiB  %4d MiB on disk  %s\n", run.name, r.Wall.Seconds(), r.Wall.Seconds()/bare.Wall.Seconds(),
				r.CPU.Seconds(), r.CPU.Seconds()/bare.CPU.Seconds(), r.Memory>>20, (size(state)+size(history))>>20, right)
		}
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// judged tells whether a report has the right verdict on each URL, once.
func judged(out string, urls int) string {
	f, err := os.Open(out)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	seen := map[string]bool{}
	wrong := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct{ URL, State string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err.Error()
		}
		if r.URL == "" {
			continue
		}
		want := "alive"
		switch r.URL[len(r.URL)-1] {
		case '7':
			want = "broken"
		case '3':
			want = "moved"
		}
		if seen[r.URL] || r.State != want {
			wrong++
		}
		seen[r.URL] = true
	}
	return fmt.Sprintf("%d wrong, %d missing", wrong, urls-len(seen))
}
