package cli

import (
	"bufio"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"anyurl/report"
)

// An output is standard output: written in blocks to a file, and without
// delay to whoever reads along.
type output struct {
	mu       sync.Mutex
	w        *bufio.Writer
	live     bool // somebody may be reading along
	terminal bool
	width    int // of the terminal, in columns; 0 when it is none

	err    error  // the first that a write met
	failed func() // told of it, once; nil for nobody
}

func newOutput(w io.Writer) *output {
	o := &output{w: bufio.NewWriterSize(w, 64<<10), live: true}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			o.live = false
		}
		o.terminal = term.IsTerminal(int(f.Fd()))
		if o.terminal {
			o.width, _, _ = term.GetSize(int(f.Fd()))
		}
	}
	return o
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(p)
	if err == nil && o.terminal {
		err = o.w.Flush()
	}
	return n, o.noted(err)
}

// line writes s and a line end.
func (o *output) line(s string) error { return o.ended(s, '\n') }

// null writes s and a NUL.
func (o *output) null(s string) error { return o.ended(s, 0) }

func (o *output) ended(s string, end byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.w.WriteString(s)
	if err == nil {
		err = o.w.WriteByte(end)
	}
	if err == nil && o.terminal {
		err = o.w.Flush()
	}
	return o.noted(err)
}

// Flush writes out what is held back.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.noted(o.w.Flush())
}

// noted keeps the first failure. The caller holds o.mu.
func (o *output) noted(err error) error {
	if err != nil && o.err == nil {
		o.err = err
		if o.failed != nil {
			o.failed()
		}
	}
	return err
}

// fault is the first failure to write.
func (o *output) fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// idle is called when the command is about to wait.
func (o *output) idle() {
	if o.live {
		o.Flush() // a failure is noted
	}
}

// emit writes v as one line of JSON.
func (c *call) emit(v any) error {
	return report.WriteJSON(c.out, v)
}

// colored reports whether text on w, standard output or standard error, is to
// be coloured.
func (c *call) colored(w io.Writer) bool {
	switch c.color {
	case "always":
		return true
	case "never":
		return false
	}
	return c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	switch w := w.(type) {
	case *output:
		return w.terminal
	case *os.File:
		return term.IsTerminal(int(w.Fd()))
	}
	return false
}
