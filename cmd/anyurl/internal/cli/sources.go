package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"

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
		for found := range walk.Each(c.ctx, walk.Files(args...), c.atOnce(), func(ctx context.Context, path string, err error, give func([]sighting) bool) {
			if info, stat := os.Stat(path); err != nil || path == "-" || c.watch != nil || stat != nil || !info.Mode().IsRegular() {
				give([]sighting{{inTurn: true, path: path, err: err}})
				return
			}
			c.sight(ctx, path, finder, give)
		}) {
			for _, s := range found {
				more := c.ctx.Err() == nil
				finder := finder
				finder.Options.Source = s.path
				switch {
				case !more:
				case s.note != nil:
					finder.Note(*s.note)
				case !s.inTurn:
					more = yield(s.match, s.err)
				case s.err != nil:
					more = yield(format.Match{}, unreadable(s.path, s.err))
				case s.path == "-":
					more = c.matchesOnInput(finder, yield)
				default:
					more = c.matchesIn(s.path, finder, yield)
				}
				if !more {
					return
				}
			}
		}
	}
}

// A sighting is what came of a file that is read beside others.
type sighting struct {
	match format.Match
	err   error
	note  *format.Note

	inTurn bool // path is not read beside others: standard input, a pipe
	path   string
}

// atOnce is how many files are read at once. One document may be held whole
// for each.
func (c *call) atOnce() int {
	if c.watch != nil {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// sight reads a file beside others. The first match goes off at once, later
// ones by the handful.
func (c *call) sight(ctx context.Context, path string, finder format.Finder, give func([]sighting) bool) {
	var some []sighting
	handful := 1
	add := func(s sighting) bool {
		s.path = path
		if some = append(some, s); len(some) < handful {
			return true
		}
		full := some
		handful = min(2*handful, 128)
		some = make([]sighting, 0, handful)
		return give(full)
	}
	finder.Options.Source = path
	finder.Note = func(n format.Note) { add(sighting{note: &n}) }
	beside := *c
	beside.ctx = ctx
	if beside.matchesIn(path, finder, func(m format.Match, err error) bool { return add(sighting{match: m, err: err}) }) && len(some) > 0 {
		give(some)
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
