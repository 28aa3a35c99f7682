// Package child runs a program and tells what that took.
package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A Ran is one run of a program.
type Ran struct {
	Out    []byte        // its standard output
	Code   int           // its exit code; -1 where a signal ended it
	Wall   time.Duration // by the clock
	CPU    time.Duration // of the processor, its own and the system's for it
	Memory int64         // the most that was resident, in octets
}

// role is the first argument of a process that stands between.
const role = "run-one-program-and-measure-it"

// Main is called first thing in main by every program that calls [Run]: it is
// also what stands between.
func Main() {
	if len(os.Args) < 3 || os.Args[1] != role {
		return
	}
	r, err := run(os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if err := json.NewEncoder(os.NewFile(3, "measured")).Encode(r); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

func run(argv []string) (Ran, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return Ran{}, err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return Ran{Code: cmd.ProcessState.ExitCode(), Wall: wall, Memory: usage.Maxrss << 10,
		CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// Run runs a program, for at most so long. That it ends with another code than 0
// is no error.
//
// The program is the child of a small process and not of this one: to Linux the
// greatest resident size of a process is at least that of the process which
// executed it, and this one may hold a great deal by now.
func Run(argv []string, limit time.Duration) (*Ran, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	told, tell, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer told.Close()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, self, append([]string{role}, argv...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.ExtraFiles = []*os.File{tell}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err = cmd.Run()
	tell.Close()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("stopped after %v", limit)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaints.Bytes()))
	}
	r := &Ran{}
	if err := json.NewDecoder(told).Decode(r); err != nil {
		return nil, err
	}
	r.Out = out.Bytes()
	if len(r.Out) == 0 && r.Code > 1 {
		return nil, fmt.Errorf("it ended with %d: %s", r.Code, bytes.TrimSpace(complaints.Bytes()))
	}
	return r, nil
}
