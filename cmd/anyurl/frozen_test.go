//go:build unix

package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFrozenWorker: a worker stands still for longer than its leases last, and
// then goes on as if nothing had been. Others have its hosts by then: it asks none
// of them out of turn, and nothing comes twice.
func TestFrozenWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	const interval = 150 * time.Millisecond
	site, queue := newStrict(t), natsServer(t).ClientURL()
	urls := site.urls(160)
	dir := list(t, urls)
	work := []string{"worker", "--interval", interval.String(), "--lease", "2s", "--patience", "2s", "--retries", "5", queue}
	frozen, said := start(t, dir, append([]string{"worker", "-H", "X-Worker: frozen"}, work[1:]...)...)
	start(t, dir, work...)
	thawed := make(chan struct{})
	site.mu.Lock()
	site.after[40] = func() {
		frozen.Process.Signal(syscall.SIGSTOP)
		others := map[string]bool{}
		site.mu.Lock()
		defer site.mu.Unlock()
		site.heard = func(host string) { // until somebody else has asked for each of its hosts
			if others[host] = true; len(others) == flockHosts {
				site.heard = nil
				frozen.Process.Signal(syscall.SIGCONT)
				close(thawed)
			}
		}
	}
	site.mu.Unlock()
	cmd := command(t, dir, "check", "--queue", queue, "--json", "-o", "out.json", "list.txt")
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 { // there are broken links
		t.Fatalf("%v: %s", err, out)
	}
	select {
	case <-thawed:
	default:
		t.Fatal("no worker stood still until others had its hosts")
	}
	whole(t, filepath.Join(dir, "out.json"), urls)
	// A request that was being written when its worker was stopped comes late: one on
	// each of two processors.
	site.apart(t, interval, 2)
	frozen.Process.Signal(syscall.SIGINT)
	if frozen.Wait(); frozen.ProcessState.ExitCode() != 130 { // interrupted, and not before
		t.Errorf("the worker that stood still: %v, %s", frozen.ProcessState, said)
	}
}
