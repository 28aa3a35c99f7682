//go:build unix

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFixInterrupted holds that an interrupted run rewrites nothing, though it
// knows of a link that moved, and says so.
func TestFixInterrupted(t *testing.T) {
	moved, waits := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new.txt", http.StatusMovedPermanently)
		case "/slow":
			close(waits)
			<-r.Context().Done()
		case "/new.txt":
			w.Header().Set("Content-Type", "text/plain")
			select {
			case <-moved:
			default:
				close(moved)
			}
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	text := server.URL + "/old and " + server.URL + "/slow\n"
	page := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, "check", "--fix", "write", "a.txt")
	var errw bytes.Buffer
	cmd.Stderr = &errw
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-moved
	<-waits
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("status %d, want 130", got)
	}
	if after, err := os.ReadFile(page); err != nil || string(after) != text {
		t.Errorf("the file is %q (%v), want %q", after, err, text)
	}
	if !strings.Contains(errw.String(), "no file is rewritten after that") {
		t.Errorf("standard error: %s", errw.String())
	}
}
