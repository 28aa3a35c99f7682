package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// rounds.cpp is what the C++ compiler makes ada's part of; see there for what is
// said to it.
//
//go:embed ada/rounds.cpp
var rounds string

// An ada is the C++ library in processes of its own, one a task, in the same rounds.
type ada struct {
	program, folder string
	clock           string // cpu or wall
}

// buildAda compiles ada, the source of which is in folder, with its part of the
// benchmark.
func buildAda(folder string, cpu bool) (*ada, error) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "ada")
	if err != nil {
		return nil, err
	}
	a := &ada{program: filepath.Join(temp, "rounds"), folder: temp, clock: "wall"}
	if cpu {
		a.clock = "cpu"
	}
	main := filepath.Join(temp, "rounds.cpp")
	if err := os.WriteFile(main, []byte(rounds), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(compiler, "-std=c++20", "-O3", "-march=native", "-I", filepath.Join(folder, "include"), "-I", filepath.Join(folder, "src"),
		"-o", a.program, main, filepath.Join(folder, "src", "ada.cpp"))
	if out, err := cmd.CombinedOutput(); err != nil {
		a.close()
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return a, nil
}

func (a *ada) close() {
	_ = os.RemoveAll(a.folder)
}

// A runner is one task in C++.
type runner struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	version string
}

// start starts a task over the inputs. Base is "" but for the task resolve.
func (a *ada) start(task string, inputs []string, piece int, base string) (*runner, error) {
	list := filepath.Join(a.folder, "inputs")
	if err := os.WriteFile(list, []byte(strings.Join(inputs, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	args := []string{list, task, strconv.Itoa(piece), a.clock}
	if base != "" {
		args = append(args, base)
	}
	r := &runner{cmd: exec.Command(a.program, args...)}
	r.cmd.Stderr = os.Stderr
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.out = bufio.NewReader(out)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	r.version, err = r.out.ReadString('\n')
	r.version = strings.TrimSpace(r.version)
	return r, err
}

// round does one round and gives the time of each piece and how many inputs are URLs.
func (r *runner) round() (times []time.Duration, taken int, err error) {
	if _, err := io.WriteString(r.in, "again\n"); err != nil {
		return nil, 0, err
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return nil, 0, err
	}
	words := strings.Fields(line)
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return nil, 0, err
		}
		if i == len(words)-1 {
			taken = int(n)
		} else {
			times = append(times, time.Duration(n))
		}
	}
	return times, taken, nil
}

func (r *runner) stop() error {
	_ = r.in.Close()
	return r.cmd.Wait()
}
