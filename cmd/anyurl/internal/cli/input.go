package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"
)

// maxLine bounds one line of standard input, in bytes.
const maxLine = 64 << 20

// An asked is one URL that the command was asked about.
type asked struct {
	url     string
	base    string
	hasBase bool
	line    int // of standard input, from 1; 0 for an argument
}

// inFlag gives a command the flag --in.
func inFlag(cmd *cobra.Command, in *string) {
	cmd.Flags().StringVar(in, "in", "lines", "how standard input holds the URLs: `lines|nul|json`; json is one string or {\"url\":…,\"base\":…} a line")
	complete(cmd, "in", "lines", "nul", "json")
}

// asked gives the URLs of the arguments, or those of standard input where an
// argument is "-" or there is none. An input that cannot be read as how says
// comes as an error; the ones after it still come.
func (c *call) asked(args []string, how string) iter.Seq2[asked, error] {
	return func(yield func(asked, error) bool) {
		if len(args) == 0 {
			args = []string{"-"}
		}
		for _, arg := range args {
			if arg != "-" {
				if c.ctx.Err() != nil || !yield(asked{url: arg}, nil) {
					return
				}
				continue
			}
			for a, err := range c.askedOn(c.in, how) {
				if c.ctx.Err() != nil || !yield(a, err) {
					return
				}
			}
		}
	}
}

func (c *call) askedOn(r io.Reader, how string) iter.Seq2[asked, error] {
	end := byte('\n')
	if how == "nul" {
		end = 0
	}
	return func(yield func(asked, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			line, err := readRecord(br, end)
			if err != nil && err != io.EOF {
				if !errors.Is(err, context.Canceled) {
					yield(asked{}, unreadable("-", err))
				}
				return
			}
			if end == '\n' {
				line = bytes.TrimSuffix(line, []byte("\r"))
				if n == 1 { // the signature that some editors begin a file in UTF-8 with
					line = bytes.TrimPrefix(line, []byte("\uFEFF"))
				}
			}
			if len(line) > 0 {
				a, lineErr := asked{url: string(line)}, error(nil)
				if how == "json" {
					a, lineErr = askedInJSON(line)
				}
				if lineErr != nil {
					lineErr = cannot(fmt.Errorf("line %d of standard input: %w", n, jsonFault(lineErr)), `each line is a JSON string, or an object {"url": "...", "base": "..."}`)
				}
				a.line = n
				if !yield(a, lineErr) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// readRecord gives what stands before the next end octet, or before the end of
// the file together with io.EOF.
func readRecord(br *bufio.Reader, end byte) ([]byte, error) {
	var whole []byte
	for {
		part, err := br.ReadSlice(end)
		if len(whole)+len(part) > maxLine {
			return nil, fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
		}
		switch {
		case err == nil && whole == nil:
			return part[:len(part)-1], nil
		case err == nil:
			return append(whole, part[:len(part)-1]...), nil
		case err != bufio.ErrBufferFull:
			return append(whole, part...), err
		}
		whole = append(whole, part...)
	}
}

// askedInJSON reads one line of --in json. A lone surrogate reads as U+FFFD,
// as encoding/json does.
func askedInJSON(line []byte) (asked, error) {
	if text := bytes.TrimLeft(line, " \t\r"); len(text) > 0 && text[0] == '"' {
		var a asked
		err := json.Unmarshal(text, &a.url)
		return a, err
	}
	var object struct {
		URL  *string `json:"url"`
		Base *string `json:"base"`
	}
	err := json.Unmarshal(line, &object)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field != "" {
			return asked{}, fmt.Errorf("%q is no string, but JSON's %s", wrong.Field, wrong.Value)
		}
		return asked{}, fmt.Errorf("a JSON %s where a string or an object belongs", wrong.Value)
	}
	if err != nil {
		return asked{}, err
	}
	if object.URL == nil {
		return asked{}, errors.New(`the object has no "url"`)
	}
	a := asked{url: *object.URL}
	if object.Base != nil {
		a.base, a.hasBase = *object.Base, true
	}
	return a, nil
}

// jsonFault says in words for people what is wrong with a line of --in json.
func jsonFault(err error) error {
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("no JSON, as octet %d shows", e.Offset)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field == "" {
			return fmt.Errorf("neither a string nor an object, but JSON's %s", e.Value)
		}
		return fmt.Errorf("\"%s\" is no string, but JSON's %s", e.Field, e.Value)
	}
	return err
}

// A liveReader reads ahead in a goroutine of its own, so that a Read ends with
// its context however long nobody writes, and so that idle is called before
// each wait: the answers given so far are then flushed for whoever waits for
// them before asking on.
type liveReader struct {
	ctx    context.Context
	r      io.Reader
	idle   func()
	chunks chan chunk
	rest   []byte
	err    error
}

type chunk struct {
	data []byte
	err  error
}

func (l *liveReader) Read(p []byte) (int, error) {
	if l.chunks == nil {
		l.chunks = make(chan chunk, 1)
		go l.pump()
	}
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		var got chunk
		select {
		case got = <-l.chunks:
		default:
			l.idle()
			select {
			case got = <-l.chunks:
			case <-l.ctx.Done():
				return 0, l.ctx.Err()
			}
		}
		l.rest, l.err = got.data, got.err
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *liveReader) pump() {
	for {
		data := make([]byte, 64<<10)
		n, err := l.r.Read(data)
		select {
		case l.chunks <- chunk{data[:n], err}:
		case <-l.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
