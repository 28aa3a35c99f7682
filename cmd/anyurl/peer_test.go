package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"anyurl/internal/peer"
)

// TestProxies goes by proxies that nobody here wrote to the demo's servers: each
// script in testdata/peer with $PROXY, the proxy's host and port, and $SEEN, the
// file in which it notes what it was asked for.
func TestProxies(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (addr, log string){
		"tinyproxy":  startTinyproxy,
		"microsocks": startMicrosocks,
		"squid":      func(t *testing.T) (addr, log string) { return peer.Squid(t) },
	} {
		t.Run(name, func(t *testing.T) {
			addr, log := start(t)
			testscript.Run(t, testscript.Params{
				Files:               []string{filepath.Join("testdata", "peer", name+".txtar")},
				RequireExplicitExec: true,
				Setup: func(env *testscript.Env) error {
					env.Setenv("PROXY", addr)
					env.Setenv("SEEN", log)
					return internet(env)
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "expand": expand, "seen": seen},
			})
		})
	}
}

// seen waits until a proxy has noted what fits a pattern: it may answer first,
// and note that later.
func seen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: seen PATTERN")
	}
	pattern := regexp.MustCompile(args[0])
	log := ts.Getenv("SEEN")
	for range 6000 { // two minutes, if need be
		if text, err := os.ReadFile(log); err == nil && pattern.Match(text) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s has nothing that fits %s", log, args[0])
}

// write writes a server's file.
func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func startTinyproxy(t *testing.T) (addr, log string) {
	program := peer.Look(t, "tinyproxy", "tinyproxy-bin")
	dir, port := t.TempDir(), peer.Port(t)
	log = filepath.Join(dir, "log")
	conf := write(t, filepath.Join(dir, "conf"), fmt.Sprintf("Port %d\nListen 127.0.0.1\nLogFile \"%s\"\nLogLevel Connect\nBasicAuth me secret\nMaxClients 10\n", port, log))
	peer.Start(t, exec.Command(program, "-d", "-c", conf)).Await(t, peer.Addr(port))
	return peer.Addr(port), log
}

func startMicrosocks(t *testing.T) (addr, log string) {
	program := peer.Look(t, "microsocks", "microsocks")
	port := peer.Port(t)
	peer.Start(t, exec.Command(program, "-i", "127.0.0.1", "-p", fmt.Sprint(port), "-u", "me", "-P", "secret")).Await(t, peer.Addr(port))
	return peer.Addr(port), ""
}
