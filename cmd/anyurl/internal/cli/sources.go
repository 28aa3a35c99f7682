package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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
	finder.Done = c.ctx.Done()
	return func(yield func(format.Match, error) bool) {
		if len(args) == 0 {
			args = []string{"-"}
		}
		atOnce := c.atOnce()
		if len(args) == 1 && regular(args[0]) {
			atOnce = 1
		}
		for found := range walk.Each(c.ctx, c.sources(args), atOnce, func(ctx context.Context, path string, err error, give func([]sighting) bool) {
			if err != nil || path == "-" || atOnce == 1 || !regular(path) {
				give([]sighting{{aside: &aside{inTurn: true, path: path, err: err}}})
				return
			}
			c.sight(ctx, path, finder, give)
		}) {
			for _, s := range found {
				more := c.ctx.Err() == nil
				switch a := s.aside; {
				case !more:
				case a == nil:
					more = yield(s.match, nil)
				case a.note != nil:
					finder.Note(*a.note)
				case !a.inTurn:
					more = yield(s.match, a.err)
				default:
					more = c.matchesInTurn(a, finder, yield)
				}
				if !more {
					return
				}
			}
		}
	}
}

// sources gives the files that args name, without those that this run writes, or
// passes over where they are met in a folder.
func (c *call) sources(args []string) iter.Seq2[string, error] {
	all := c.choice.Files(args...)
	if len(c.writes) == 0 && c.passes == nil {
		return all
	}
	return func(yield func(string, error) bool) {
		passed, first := 0, ""
		for path, err := range all {
			written := err == nil && slices.ContainsFunc(c.writes, func(file string) bool {
				return strings.EqualFold(filepath.Base(file), filepath.Base(path)) && sameFile(file, path)
			})
			if err == nil && c.passes != nil && c.passes(path) && !slices.ContainsFunc(args, func(arg string) bool { return filepath.Clean(arg) == filepath.Clean(path) }) {
				if passed++; passed == 1 {
					first = path
				}
				continue
			}
			if !written && !yield(path, err) {
				return
			}
		}
		if passed > 0 {
			c.note("passed over, as programs write it or secrets stand in it: %d files, %s the first; one that is named itself is read", passed, first)
		}
	}
}

// passedOver reports whether a file in a folder is hardly meant where links are
// checked: its URLs are thousands, which programs wrote, or have logins in them.
func passedOver(path string) bool {
	switch name := strings.ToLower(filepath.Base(path)); name {
	case ".env", ".git-credentials", ".npmrc", ".yarnrc", ".pypirc", ".pgpass", ".netrc",
		"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock", "composer.lock", "gemfile.lock", "cargo.lock",
		"poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "flake.lock", "go.sum", "mix.lock", "pubspec.lock", "podfile.lock", "packages.lock.json", ".terraform.lock.hcl", "gradle.lockfile":
		return true
	default:
		return strings.HasPrefix(name, ".env.") || strings.HasSuffix(name, ".js.map") || strings.HasSuffix(name, ".css.map") || strings.HasSuffix(name, ".min.js") || strings.HasSuffix(name, ".min.css")
	}
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// matchesInTurn finds the URLs of what is not read beside other files.
func (c *call) matchesInTurn(a *aside, finder format.Finder, yield func(format.Match, error) bool) bool {
	finder.Options.Source = a.path
	switch {
	case a.err != nil:
		return yield(format.Match{}, unreadable(a.path, a.err))
	case a.path == "-":
		return c.matchesOnInput(finder, yield)
	}
	return c.matchesIn(a.path, finder, yield)
}

// A sighting is what came of a file that is read beside others: a match, or
// something aside.
type sighting struct {
	match format.Match
	aside *aside
}

// An aside is what a sighting is but seldom.
type aside struct {
	err  error
	note *format.Note

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
		if some = append(some, s); len(some) < handful {
			return true
		}
		full := some
		handful = min(2*handful, 128)
		some = make([]sighting, 0, handful)
		return give(full)
	}
	finder.Options.Source = path
	finder.Done = ctx.Done()
	finder.Note = func(n format.Note) { add(sighting{aside: &aside{note: &n}}) }
	beside := *c
	beside.ctx = ctx
	if beside.matchesIn(path, finder, func(m format.Match, err error) bool {
		if err != nil {
			return add(sighting{match: m, aside: &aside{err: err}})
		}
		return add(sighting{match: m})
	}) && len(some) > 0 {
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
	if c.watch != nil {
		w := c.watch(path)
		defer w.Close()
		return c.matchesOf(finder.Reader(path, io.TeeReader(f, w)), finder, yield)
	}
	if file, ok := f.(*interruptible); ok && file.size >= largeFile {
		return c.matchesOf(finder.File(path, file.mapped(), file.size, runtime.GOMAXPROCS(0)), finder, yield)
	}
	return c.matchesOf(finder.Reader(path, f), finder, yield)
}

// largeFile is the size from which a file of plain text is mapped, and read at
// several places at once. Smaller ones are read sooner than mapped.
const largeFile = 1 << 20

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
		return c.matchesOf(finder.Reader("", r), finder, yield)
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

func (c *call) matchesOf(found iter.Seq2[format.Match, error], finder format.Finder, yield func(format.Match, error) bool) bool {
	for m, err := range found {
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
		return cannot(err, "a glob is looked up from the folder where this is run; ** is any number of folders")
	}
	if errors.Is(err, walk.ErrBadGlob) {
		return cannot(err, `\[ and \{ stand for themselves`)
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err // it says the name once more
	}
	hint := ""
	switch {
	case source == "-":
		source = "standard input"
	case errors.Is(err, fs.ErrNotExist):
		hint = withScheme(source)
	}
	return cannot(fmt.Errorf("reading %s: %w", source, err), hint)
}

// mostNotes is how many notes a run tells; of more there would be no end in a
// folder of archives.
const mostNotes = 10

// note tells people what is no error.
func (c *call) note(format string, args ...any) {
	c.noting.Lock()
	defer c.noting.Unlock()
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
