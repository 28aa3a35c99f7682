package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"anyurl/find/format"
	"anyurl/internal/walk"
)

// matches finds the URLs in the files, folders and globs that args name, and
// in standard input for "-" and for no argument at all. A source that cannot
// be read comes as an error, and the ones after it still come.
func (c *call) matches(args []string, finder format.Finder) iter.Seq2[format.Match, error] {
	finder.Note = func(n format.Note) {
		if n.Damaged {
			c.raise(statusCannot)
		}
		c.note("%s: %s", n.Source, n.Says)
	}
	return func(yield func(format.Match, error) bool) {
		if len(args) == 0 {
			args = []string{"-"}
		}
		for path, err := range walk.Files(args...) {
			if c.ctx.Err() != nil {
				return
			}
			more := false
			finder.Options.Source = path
			switch {
			case err != nil:
				more = yield(format.Match{}, unreadable(path, err))
			case path == "-":
				more = c.matchesOnInput(finder, yield)
			default:
				more = c.matchesIn(path, finder, yield)
			}
			if !more {
				return
			}
		}
	}
}

// matchesIn finds the URLs in a file; like yield it reports whether to go on.
func (c *call) matchesIn(path string, finder format.Finder, yield func(format.Match, error) bool) bool {
	f, err := c.open(path)
	if err != nil {
		return c.ctx.Err() == nil && yield(format.Match{}, unreadable(path, err))
	}
	defer f.Close()
	var r io.Reader = f
	if c.watch != nil {
		w := c.watch(path)
		defer w.Close()
		r = io.TeeReader(f, w)
	}
	return c.matchesOf(r, path, finder, yield)
}

// matchesOnInput finds the URLs in standard input. Its format is told by what
// comes first, however little, and text is read as it comes, so that what is
// written live is answered live.
func (c *call) matchesOnInput(finder format.Finder, yield func(format.Match, error) bool) bool {
	head := make([]byte, 64<<10)
	n, err := c.in.Read(head)
	if err != nil && err != io.EOF {
		return errors.Is(err, context.Canceled) || yield(format.Match{}, unreadable("-", err))
	}
	head = head[:n]
	r := io.MultiReader(bytes.NewReader(head), c.in)
	if c.watch != nil {
		w := c.watch("-")
		defer w.Close()
		r = io.TeeReader(r, w)
	}
	is := orElse(finder.Format, format.Of("", head))
	if is != "text" || !format.Streams(head) {
		return c.matchesOf(r, "", finder, yield)
	}
	for m, err := range finder.Text("", r) {
		if err != nil {
			err = unreadable("-", err)
		}
		if c.ctx.Err() != nil || !yield(m, err) {
			return false
		}
	}
	return true
}

func (c *call) matchesOf(r io.Reader, name string, finder format.Finder, yield func(format.Match, error) bool) bool {
	for m, err := range finder.Reader(name, r) {
		if c.ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return false
		}
		if err != nil {
			err = unreadable(finder.Options.Source, err)
		}
		if !yield(m, err) {
			return false
		}
	}
	return true
}

// unreadable says that a source could not be read, and why.
func unreadable(source string, err error) error {
	if errors.Is(err, walk.ErrNoMatch) {
		return cannot(err, "quote a glob, so that the shell leaves it alone")
	}
	if errors.Is(err, walk.ErrBadGlob) {
		return cannot(err, `\[ and \{ stand for themselves`)
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err // it says the name once more
	}
	if source == "-" {
		source = "standard input"
	}
	return cannot(fmt.Errorf("reading %s: %w", source, err), "")
}

// mostNotes is how many notes a run tells; of more there would be no end in a
// folder of archives.
const mostNotes = 10

// note tells people what is no error.
func (c *call) note(format string, args ...any) {
	c.notes++
	if c.notes > mostNotes {
		return
	}
	c.out.Flush()
	fmt.Fprintf(c.errw, "anyurl: note: %s\n", c.masked(fmt.Sprintf(format, args...)))
}

// moreNotes says how many notes were kept back.
func (c *call) moreNotes() {
	if c.notes > mostNotes {
		fmt.Fprintf(c.errw, "anyurl: note: and %d more of this kind\n", c.notes-mostNotes)
	}
}
