package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"anyurl/find"
	"anyurl/internal/walk"
)

// matches finds the URLs in the files, folders and globs that args name, and
// in standard input for "-" and for no argument at all. A source that cannot
// be read comes as an error, and the ones after it still come.
func (c *call) matches(args []string, format string, opts find.Options) iter.Seq2[find.Match, error] {
	return func(yield func(find.Match, error) bool) {
		if len(args) == 0 {
			args = []string{"-"}
		}
		for path, err := range walk.Files(args...) {
			if c.ctx.Err() != nil {
				return
			}
			more := false
			opts.Source = path
			switch {
			case err != nil:
				more = yield(find.Match{}, unreadable(path, err))
			case path == "-":
				more = c.matchesOf(c.in, opts, yield)
			default:
				more = c.matchesIn(path, format, opts, yield)
			}
			if !more {
				return
			}
		}
	}
}

// matchesIn finds the URLs in a file; like yield it reports whether to go on.
func (c *call) matchesIn(path, format string, opts find.Options, yield func(find.Match, error) bool) bool {
	f, err := os.Open(path)
	if err != nil {
		return yield(find.Match{}, unreadable(path, err))
	}
	defer f.Close()
	var r io.Reader = f
	if format == "auto" {
		head := make([]byte, 8000)
		n, err := io.ReadFull(f, head)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return yield(find.Match{}, unreadable(path, err))
		}
		if isBinary(head[:n]) {
			c.note("%s looks binary and is passed over; --format text reads it", path)
			return true
		}
		r = io.MultiReader(bytes.NewReader(head[:n]), f)
	}
	return c.matchesOf(r, opts, yield)
}

func (c *call) matchesOf(r io.Reader, opts find.Options, yield func(find.Match, error) bool) bool {
	for m, err := range find.Reader(r, opts) {
		if c.ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return false
		}
		if err != nil {
			err = unreadable(opts.Source, err)
		}
		if !yield(m, err) {
			return false
		}
	}
	return true
}

// isBinary reports whether a file that begins so holds no text, as git and
// grep decide it.
func isBinary(head []byte) bool { return bytes.IndexByte(head, 0) >= 0 }

// unreadable says that a source could not be read, and why.
func unreadable(source string, err error) error {
	if errors.Is(err, walk.ErrNoMatch) {
		return cannot(err, "quote a glob, so that the shell leaves it alone")
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err // it says the name once more
	}
	if source == "-" {
		source = "standard input"
	}
	return cannot(fmt.Errorf("reading %s: %w", source, err), "")
}

// note tells people what is no error.
func (c *call) note(format string, args ...any) {
	c.out.Flush()
	fmt.Fprintf(c.errw, "anyurl: note: %s\n", c.masked(fmt.Sprintf(format, args...)))
}
