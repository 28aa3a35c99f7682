package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"anyurl/cmd/anyurl/internal/demo"
)

// TestMain lets the scripts run this very program as "anyurl".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"anyurl": main})
}

// TestScript runs the command from outside: each script with its files, its
// output and its exit status. Commands beyond testscript's own:
//
//	status N anyurl ARGS...   run, and expect this exit status
//	age FILE DURATION         make all that a history knows older
//	unfinished FILE on|off    have no check in a state come to its end
//	expand FILE               put the values of $WEB and its kin into a file
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               internet,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "expand": expand, "age": age, "unfinished": unfinished,
		},
	})
}

// internet gives each script the demo's servers: $WEB, $FTP, $GOPHER, and
// $CLOSED, where nobody answers; and those that small has.
func internet(env *testscript.Env) error {
	n, err := demo.Start(context.Background())
	if err != nil {
		return err
	}
	env.Defer(n.Close)
	env.Setenv("WEB", n.Web)
	env.Setenv("FTP", n.FTP)
	env.Setenv("GOPHER", n.Gopher)
	env.Setenv("CLOSED", n.Closed)
	site(env)
	return small(env)
}

// status runs a program and expects it to end with a status of its own.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with status %d, want %d", args[1], got, want)
	}
}

// expand puts the script's variables into a file.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: expand file")
	}
	path := ts.MkAbs(args[0])
	text := os.Expand(ts.ReadFile(path), ts.Getenv)
	ts.Check(os.WriteFile(path, []byte(text), 0o666))
}
