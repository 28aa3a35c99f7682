// Command serve measures the gateway under load, with wrk (Debian package wrk):
// pages of gopher from its cache beside a bare net/http handler that writes the
// same octets, in one process and in interleaved rounds; and the memory of a
// gateway that holds 2,000 idle connections and 500 that ask without a pause.
//
//	go run ./serve [-rounds N] [-time D] [-connections N]
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"anyurl/fetch"
	"anyurl/gateway"
)

const page = "/gopher/gopher.example/1/docs"

func main() {
	rounds := flag.Int("rounds", 5, "how many rounds")
	length := flag.Duration("time", 3*time.Second, "how long each lasts")
	conns := flag.Int("connections", 64, "how many connections wrk keeps")
	role := flag.String("role", "", "what a process of this one's is for")
	flag.Parse()
	var err error
	if *role == "serve" {
		err = hold()
	} else if err = speed(*rounds, *length, *conns); err == nil {
		err = memory(*length)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// handler is a gateway that has one menu, logging as the command does by default
// but to nowhere.
func handler() http.Handler {
	menu := fetch.TransportFunc(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		resp := &fetch.Response{URL: req.URL, Protocol: "gopher", Type: "application/gopher-menu", Size: -1, Listing: true, Body: io.NopCloser(strings.NewReader(""))}
		for i := range 40 {
			resp.Entries = append(resp.Entries, fetch.Entry{Name: fmt.Sprint("Document number ", i), Type: "0", URL: fmt.Sprint("gopher://gopher.example/0/docs/", i), Size: -1})
		}
		return resp, nil
	})
	return gateway.New(gateway.Options{
		Client: &fetch.Client{Transports: map[string]fetch.Transport{"gopher": menu}},
		Fresh:  time.Hour,
		Log:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
}

// listen serves h on a port of loopback.
func listen(h http.Handler) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(l, h)
	return l.Addr().String(), nil
}

func speed(rounds int, length time.Duration, conns int) error {
	ours, err := listen(handler())
	if err != nil {
		return err
	}
	resp, err := http.Get("http://" + ours + page)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		return fmt.Errorf("the page is not there: %s %v", resp.Status, err)
	}
	bare, err := listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
	if err != nil {
		return err
	}
	fmt.Printf("a page of %d octets, %d connections, %d rounds of %v\n", len(body), conns, rounds, length)
	var best, cost [2]float64 // requests a second; processor time of one, in microseconds
	var ratios []float64
	for range rounds {
		var now [2]float64
		for i, addr := range []string{bare, ours} {
			before := used()
			n, requests, err := wrk("http://"+addr+page, length, conns)
			if err != nil {
				return err
			}
			took := float64((used() - before).Microseconds()) / requests
			if now[i] = n; cost[i] == 0 || took < cost[i] {
				cost[i] = took
			}
			best[i] = max(best[i], n)
		}
		ratios = append(ratios, now[1]/now[0])
	}
	fmt.Printf("requests a second, the best round: bare net/http %.0f, gateway %.0f: %.2f of it (in each round %.2f)\n", best[0], best[1], best[1]/best[0], ratios)
	fmt.Printf("processor time a request, the best round: bare %.1f µs, gateway %.1f µs: %.2f of the requests for the same time\n", cost[0], cost[1], cost[0]/cost[1])
	return nil
}

// used is the processor time that this process has taken. On a busy machine it
// says more than the clock: who else runs does not count.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var (
	perSecond = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)
	inAll     = regexp.MustCompile(`([0-9]+) requests in`)
)

// wrk asks for a URL as fast as it can, and gives how often in a second and how
// often in all.
func wrk(url string, length time.Duration, conns int) (perSec, all float64, err error) {
	out, err := exec.Command("wrk", "-t1", "-c", strconv.Itoa(conns), "-d", strconv.Itoa(int(length.Seconds()))+"s", url).CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	if strings.Contains(string(out), "Non-2xx") {
		return 0, 0, fmt.Errorf("wrk was refused:\n%s", out)
	}
	for i, re := range []*regexp.Regexp{perSecond, inAll} {
		m := re.FindSubmatch(out)
		if m == nil {
			return 0, 0, fmt.Errorf("wrk says\n%s", out)
		}
		if *[]*float64{&perSec, &all}[i], err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return 0, 0, err
		}
	}
	return perSec, all, nil
}

// hold is the process whose memory is measured.
func hold() error {
	addr, err := listen(handler())
	if err != nil {
		return err
	}
	fmt.Println(addr)
	_, err = io.Copy(io.Discard, os.Stdin) // until whoever started it is done
	return err
}

func memory(length time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-role", "serve")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	defer cmd.Wait()
	defer in.Close()
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	addr = strings.TrimSpace(addr)
	const idle, active = 2000, 500
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for range idle { // each has asked once, as a browser's has
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return err
		}
		conns = append(conns, c)
		if _, err := ask(c, bufio.NewReader(c)); err != nil {
			return err
		}
	}
	var answers atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(length)
	for range active {
		wg.Go(func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				return
			}
			defer c.Close()
			for r := bufio.NewReader(c); time.Now().Before(end); {
				if status, err := ask(c, r); err != nil || status != 200 {
					return
				}
				answers.Add(1)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmHWM:") || strings.HasPrefix(line, "VmRSS:") {
			f := strings.Fields(line)
			kib, err := strconv.Atoi(f[1])
			if err != nil {
				return err
			}
			fmt.Printf("%d idle and %d active connections: %s %d MiB (%d answers in %v)\n", idle, active, map[string]string{"VmHWM:": "at most", "VmRSS:": "then"}[f[0]], kib/1024, answers.Load(), length)
		}
	}
	return nil
}

func ask(c net.Conn, r *bufio.Reader) (int, error) {
	if _, err := io.WriteString(c, "GET "+page+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return 0, err
	}
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}
